/**
 * Reads of arrays at an index that the code keeps within bounds. One function per array type, so that each stays
 * monomorphic in the hot loops of the engine.
 */
export function intAt(array: Int32Array, index: number): number {
  return array[index] as number;
}

export function floatAt(array: Float64Array, index: number): number {
  return array[index] as number;
}

export function itemAt<T>(array: readonly T[], index: number): T {
  return array[index] as T;
}

/** Some numbers of an array, `to` not included, as a list; sooner than by an iterator. */
export function listOf(array: Float64Array | Int32Array, from: number, to: number): number[] {
  const list: number[] = [];
  for (let index = from; index < to; index += 1) list.push(array[index] as number);
  return list;
}

/** What the first numbers of an array add up to. */
export function sumOf(numbers: Int32Array, length: number): number {
  let total = 0;
  for (let at = 0; at < length; at += 1) total += intAt(numbers, at);
  return total;
}

/** Start of each key's range when items are laid out by key; one entry more than there are keys. Negative keys are left out. */
export function rangeStarts(keys: Int32Array, keyCount: number): Int32Array {
  const starts = new Int32Array(keyCount + 1);
  for (let index = 0; index < keys.length; index += 1) {
    const key = intAt(keys, index);
    if (key >= 0) starts[key + 1] = intAt(starts, key + 1) + 1;
  }
  for (let key = 0; key < keyCount; key += 1) starts[key + 1] = intAt(starts, key + 1) + intAt(starts, key);
  return starts;
}

/** Indices of `keys` laid out by key, ascending within a key: the items that belong to `rangeStarts`. */
export function layOut(keys: Int32Array, starts: Int32Array): Int32Array {
  const next = starts.slice();
  const result = new Int32Array(intAt(starts, starts.length - 1));
  for (let index = 0; index < keys.length; index += 1) {
    const key = intAt(keys, index);
    if (key < 0) continue;
    const position = intAt(next, key);
    result[position] = index;
    next[key] = position + 1;
  }
  return result;
}

/** A list of 32-bit integers that grows; cheaper than an array of numbers when it holds millions. */
export interface IntList {
  items: Int32Array;
  length: number;
}

/** `room`: integers that it holds before it grows. */
export function intList(room = 16): IntList {
  return { items: new Int32Array(room), length: 0 };
}

export function append(list: IntList, value: number): void {
  if (list.length === list.items.length) {
    const grown = new Int32Array(list.items.length * 2);
    grown.set(list.items);
    list.items = grown;
  }
  list.items[list.length] = value;
  list.length += 1;
}

/** The array where it has room for so many numbers, else a longer one that begins with what it holds. */
export function roomForInts(array: Int32Array, count: number): Int32Array {
  if (array.length >= count) return array;
  const grown = new Int32Array(Math.max(count, 2 * array.length, 16));
  grown.set(array);
  return grown;
}

/** As `roomForInts`. */
export function roomForFloats(array: Float64Array, count: number): Float64Array {
  if (array.length >= count) return array;
  const grown = new Float64Array(Math.max(count, 2 * array.length, 16));
  grown.set(array);
  return grown;
}

/** As `roomForInts`. */
export function roomForBytes(array: Uint8Array, count: number): Uint8Array {
  if (array.length >= count) return array;
  const grown = new Uint8Array(Math.max(count, 2 * array.length, 16));
  grown.set(array);
  return grown;
}

/**
 * Gives the memory of arrays back at once, which are of no use from here on. Else it comes back when garbage is looked for next, which arrays hardly
 * hasten. Only at the end of what counts: from then on V8 looks whether an array is there each time it reads one.
 */
export function giveBack(...arrays: readonly { readonly buffer: ArrayBufferLike }[]): void {
  for (const { buffer } of arrays) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
