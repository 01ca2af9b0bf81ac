import { grownTo } from './typed-arrays.ts';

/**
 * A growable list of numbers, which needs less memory than an array of numbers. The values behind its end are zeros, so a zero is not written. Shared
 * memory that is never written takes no space.
 */
class GrowableArray<T extends Float64Array | Int32Array> {
  items: T;
  length: number;

  constructor(items: T, length = 0) {
    this.items = items;
    this.length = length;
  }

  push(value: number): void {
    if (this.length === this.items.length) this.items = grownTo(this.items, this.length + 1);
    if (value !== 0) this.items[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.items[index] as number;
  }
}

/** A growable list of 32-bit integers. */
export class IntList extends GrowableArray<Int32Array> {
  constructor(items: Int32Array = new Int32Array(16), length = 0) {
    super(items, length);
  }
}

export class FloatList extends GrowableArray<Float64Array> {
  constructor(items: Float64Array = new Float64Array(16), length = 0) {
    super(items, length);
  }
}
