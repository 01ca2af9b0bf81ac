import { floatAt, grownTo, intAt } from './typed-arrays.ts';

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
/** Shorter ranges are sorted by comparison. */
const LEAST_BY_DIGITS = 512;
const KEYS = 2 ** 32;

/** Sorts by digits, from the lowest on; each pass is stable. The working arrays are reused. */
export class RadixSorter {
  readonly #counts = new Int32Array(DIGITS);
  #nextKeys: Uint32Array = new Uint32Array(0);
  #nextOrder: Int32Array = new Int32Array(0);

  /** Sorts keys up to `largest` and `order` with them. The sort is stable. */
  sort(keys: Uint32Array, order: Int32Array, largest: number): void {
    const { length } = order;
    this.#nextKeys = grownTo(this.#nextKeys, length);
    this.#nextOrder = grownTo(this.#nextOrder, length);
    let [from, fromOrder, to, toOrder] = [keys, order, this.#nextKeys, this.#nextOrder];
    for (let shift = 0; shift < 32 && largest >>> shift > 0; shift += DIGIT_BITS) {
      this.#pass(from, fromOrder, to, toOrder, length, shift);
      [from, fromOrder, to, toOrder] = [to, toOrder, from, fromOrder];
    }
    if (from === keys) return;
    keys.set(from.subarray(0, length));
    order.set(fromOrder.subarray(0, length));
  }

  #pass(from: Uint32Array, fromOrder: Int32Array, to: Uint32Array, toOrder: Int32Array, length: number, shift: number): void {
    const counts = this.#counts.fill(0);
    for (let at = 0; at < length; at += 1) {
      const digit = ((from[at] as number) >>> shift) & (DIGITS - 1);
      counts[digit] = intAt(counts, digit) + 1;
    }
    for (let digit = 0, next = 0; digit < DIGITS; digit += 1) {
      const count = intAt(counts, digit);
      counts[digit] = next;
      next += count;
    }
    for (let at = 0; at < length; at += 1) {
      const key = from[at] as number;
      const digit = (key >>> shift) & (DIGITS - 1);
      const place = intAt(counts, digit);
      counts[digit] = place + 1;
      to[place] = key;
      toOrder[place] = intAt(fromOrder, at);
    }
  }
}

/** Sorts each range of `order` by the values of its indexes; equal values keep ascending indexes. Returns `order`. */
export function sortRanges(order: Int32Array, starts: Int32Array, values: Float64Array): Int32Array {
  const sorter = new RangeSorter(values);
  for (let range = 0; range + 1 < starts.length; range += 1) sorter.sort(order, intAt(starts, range), intAt(starts, range + 1));
  return order;
}

class RangeSorter {
  readonly #values: Float64Array;
  readonly #sorter = new RadixSorter();
  #keys: Uint32Array = new Uint32Array(0);

  constructor(values: Float64Array) {
    this.#values = values;
  }

  sort(order: Int32Array, from: number, to: number): void {
    const values = this.#values;
    if (this.#isAscending(order, from, to)) return;
    const range = order.subarray(from, to);
    if (to - from < LEAST_BY_DIGITS || !this.#sortByDigits(range)) {
      range.sort((left, right) => floatAt(values, left) - floatAt(values, right) || left - right);
    }
  }

  /** Rows are in content order, which begins with day and amount, so most ranges are already sorted along these. */
  #isAscending(order: Int32Array, from: number, to: number): boolean {
    const values = this.#values;
    for (let at = from + 1; at < to; at += 1) if (floatAt(values, intAt(order, at - 1)) > floatAt(values, intAt(order, at))) return false;
    return true;
  }

  /** Returns false if the values are not integers, or too far apart. */
  #sortByDigits(range: Int32Array): boolean {
    const values = this.#values;
    const sorter = this.#sorter;
    let low = Infinity;
    let high = -Infinity;
    for (let at = 0; at < range.length; at += 1) {
      const value = floatAt(values, intAt(range, at));
      if (!Number.isInteger(value)) return false;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (!Number.isSafeInteger(high - low)) return false;
    this.#keys = grownTo(this.#keys, range.length);
    // The first pass sorts by the lower half of the values, the second one by the upper half.
    for (let unit = 1; unit <= high - low; unit *= KEYS) {
      for (let at = 0; at < range.length; at += 1) this.#keys[at] = (floatAt(values, intAt(range, at)) - low) / unit;
      sorter.sort(this.#keys.subarray(0, range.length), range, Math.min(KEYS - 1, Math.floor((high - low) / unit)));
    }
    return true;
  }
}
