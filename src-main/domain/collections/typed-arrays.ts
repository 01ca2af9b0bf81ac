/**
 * Array reads at an index that the caller keeps within bounds. There is one function for each array type, so that each stays monomorphic in the hot
 * loops of the engine.
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

/** Returns the numbers from `from` up to but excluding `to` as a list. It is faster than an iterator. */
export function listOf(array: Float64Array | Int32Array, from: number, to: number): number[] {
  const list: number[] = [];
  for (let index = from; index < to; index += 1) list.push(array[index] as number);
  return list;
}

/** Returns the sum of the first `length` numbers. */
export function sumOf(numbers: Int32Array, length: number): number {
  let total = 0;
  for (let at = 0; at < length; at += 1) total += intAt(numbers, at);
  return total;
}

/** Returns the start of each key's range in a layout by key, with one entry more than there are keys. Negative keys are skipped. */
export function rangeStarts(keys: Int32Array, keyCount: number): Int32Array {
  const starts = new Int32Array(keyCount + 1);
  for (let index = 0; index < keys.length; index += 1) {
    const key = intAt(keys, index);
    if (key >= 0) starts[key + 1] = intAt(starts, key + 1) + 1;
  }
  for (let key = 0; key < keyCount; key += 1) starts[key + 1] = intAt(starts, key + 1) + intAt(starts, key);
  return starts;
}

/** Returns the indexes of `keys` ordered by key, ascending within a key: the layout that belongs to `rangeStarts`. */
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

/** Returns the first `count` numbers from 0 on. */
export function firstNumbers(count: number): Int32Array<ArrayBuffer> {
  const numbers = new Int32Array(count);
  for (let index = 0; index < count; index += 1) numbers[index] = index;
  return numbers;
}

/** Returns a longer array that begins with the same values. */
export function longer<T extends Float64Array | Int32Array | Uint32Array | Uint8Array>(array: T, length: number): T {
  const grown = new (array.constructor as new (length: number) => T)(length);
  grown.set(array);
  return grown;
}

/** Returns the array if it holds `count` numbers, otherwise a longer copy. */
export function grownTo<T extends Float64Array | Int32Array | Uint32Array | Uint8Array>(array: T, count: number): T {
  return array.length >= count ? array : longer(array, Math.max(count, 2 * array.length, 16));
}

/**
 * Releases the memory of arrays at once; they must not be used afterwards. Garbage collection would release it much later, because typed arrays
 * hardly trigger it. Call this only at the end of hot code: afterwards V8 checks on each read whether an array is detached.
 */
export function giveBack(...arrays: readonly { readonly buffer: ArrayBufferLike }[]): void {
  for (const { buffer } of arrays) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
