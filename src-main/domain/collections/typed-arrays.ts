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

/** Start of each key's range when items are laid out by key; one entry more than there are keys. Negative keys are skipped. */
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

/** The numbers from 0 on, so many. */
export function firstNumbers(count: number): Int32Array<ArrayBuffer> {
  const numbers = new Int32Array(count);
  for (let index = 0; index < count; index += 1) numbers[index] = index;
  return numbers;
}

/** A longer array that begins with what this one holds. */
export function longer<T extends Float64Array | Int32Array | Uint32Array | Uint8Array>(array: T, length: number): T {
  const grown = new (array.constructor as new (length: number) => T)(length);
  grown.set(array);
  return grown;
}

/** The array where it has room for so many numbers, else a longer one. */
export function grownTo<T extends Float64Array | Int32Array | Uint32Array | Uint8Array>(array: T, count: number): T {
  return array.length >= count ? array : longer(array, Math.max(count, 2 * array.length, 16));
}

/**
 * Gives the memory of arrays back at once, which are of no use from here on. Else it comes back when garbage is looked for next, which arrays hardly
 * hasten. Only at the end of what counts: from then on V8 looks whether an array is there each time it reads one.
 */
export function giveBack(...arrays: readonly { readonly buffer: ArrayBufferLike }[]): void {
  for (const { buffer } of arrays) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
