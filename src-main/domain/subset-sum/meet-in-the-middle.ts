import { floatAt, grownTo, intAt } from '../collections/typed-arrays.ts';

/** Most sums that a table holds; with six positions each it takes about 10 MB. */
const MAX_SUMS = 1 << 18;

const LEAST_SLOTS = 1 << 8;

/**
 * A table of the sums of small sets of positions, looked up by a range of sums. All ranges have the same width, so a range touches at most two
 * buckets. `reset` empties the table and keeps its memory. Filling a table with sets of three takes 40 ms and 16 MB; a Map of arrays takes 530 ms and
 * 47 MB. Small searches take as long with either.
 */
class SumTable {
  #heads = new Int32Array(LEAST_SLOTS);
  #mask = LEAST_SLOTS - 1;
  #next = new Int32Array(LEAST_SLOTS);
  #sums = new Float64Array(LEAST_SLOTS);
  #positions = new Int32Array(LEAST_SLOTS);
  #arity = 1;
  #width = 1;
  #count = 0;

  /** Empties the table. `arity` is the number of positions in a set; `width` is the number of whole units in a range. */
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

  /** Adds a sum; returns false if the table is full. */
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

  /** Returns the first entry that may be in a bucket, or -1; `after` returns the next one. Entries of other buckets may be in between. */
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

/** Cost of processing a combination, in steps. */
const STEPS_PER_WAY = 24;
/** Costs of adding a sum to the table and of a lookup, which mostly wait for memory. */
const STEPS_PER_SUM = 16;
const STEPS_PER_LOOK = 12;
/** Cost of a binary search among the amounts. */
const STEPS_PER_HALVING = 8;

/** Sums from `low` to `high`, both included, in whole units. */
export interface SumRange {
  readonly low: number;
  readonly high: number;
}

/** Amounts to choose from, in descending order, so that equal ones are adjacent. */
interface Picks {
  readonly units: Float64Array;
  /** By position: how many equal amounts come before it. */
  readonly copy: Int32Array;
}

/** Remaining work of a search, in steps of a few nanoseconds. */
interface WorkLeft {
  steps: number;
}

/**
 * Finds every way to choose a number of positions whose amounts add up to a sum in a range. Equal amounts count as one, and the first of them are
 * chosen. The search meets in the middle: a combination is the sorted list of its positions, divided at a cut. The sums of left parts are added to a
 * table while the cut moves right, so that each combination is found exactly once. Both parts are pruned when the largest or smallest sums that are
 * still possible miss the range.
 */
export class SubsetSearch {
  readonly #table = new SumTable();
  readonly #work: WorkLeft;
  readonly #onFound: (positions: Int32Array) => void;
  #units: Float64Array = new Float64Array(0);
  #copy: Int32Array = new Int32Array(0);
  /** `before[n]` is the sum of the first n amounts. */
  #before = new Float64Array(1);
  #size = 0;
  #low = 0;
  #high = 0;
  #leftSize = 0;
  #rightSize = 0;
  #cut = 0;
  #leftPositions = new Int32Array(0);
  #positions = new Int32Array(0);

  constructor(work: WorkLeft, onFound: (positions: Int32Array) => void) {
    this.#work = work;
    this.#onFound = onFound;
  }

  load({ units, copy }: Picks): void {
    this.#units = units;
    this.#copy = copy;
    this.#size = units.length;
    this.#before = new Float64Array(this.#size + 1);
    for (let index = 0; index < this.#size; index += 1) this.#before[index + 1] = floatAt(this.#before, index) + floatAt(units, index);
  }

  /** Passes all combinations of `count` (2 or more) positions to `onFound`, ascending; returns false if the work was used up before the end. */
  run(count: number, range: SumRange): boolean {
    if (count > this.#size) return true;
    this.#low = range.low;
    this.#high = range.high;
    const { leftSize, expected } = this.#split(count);
    this.#leftSize = leftSize;
    this.#rightSize = count - leftSize;
    this.#leftPositions = new Int32Array(leftSize);
    this.#positions = new Int32Array(count);
    this.#table.reset(leftSize, range.high - range.low + 1, expected);
    for (let first = leftSize; first <= this.#size - this.#rightSize; first += 1) {
      this.#work.steps -= 1;
      this.#leftPositions[leftSize - 1] = first - 1;
      this.#cut = first;
      if (!this.#pickLeft(1, first - 1, floatAt(this.#units, first - 1))) return false;
      this.#positions[leftSize] = first;
      if (!this.#pickRight(1, first, floatAt(this.#units, first))) return false;
    }
    return this.#work.steps > 0;
  }

  /** Returns how many positions the left part has: half of them, or fewer if the table could not hold them. */
  #split(count: number): { leftSize: number; expected: number } {
    let leftSize = 1;
    let expected = this.#size;
    while (leftSize < count >> 1) {
      const more = (expected * (this.#size - leftSize)) / (leftSize + 1);
      if (more > MAX_SUMS) break;
      expected = more;
      leftSize += 1;
    }
    return { leftSize, expected };
  }

  /** Returns the sum of the positions from `from` up to but excluding `to`. */
  #total(from: number, to: number): number {
    return floatAt(this.#before, to) - floatAt(this.#before, from);
  }

  /**
   * Extends the left part downwards from `lowest`, the last position chosen. Equal amounts are chosen from the first on, so the position before a
   * copy must be chosen too.
   */
  #pickLeft(picked: number, lowest: number, sum: number): boolean {
    const missing = this.#leftSize - picked;
    if (missing === 0) return intAt(this.#copy, lowest) > 0 || this.#remember(sum);
    const low = this.#low;
    const high = this.#high;
    const size = this.#size;
    const cut = this.#cut;
    const rightSize = this.#rightSize;
    const most = this.#total(cut, cut + rightSize) + this.#total(0, missing - 1);
    const least = this.#total(size - rightSize, size);
    const isForced = intAt(this.#copy, lowest) > 0;
    const end = isForced ? lowest - 1 : missing - 1;
    for (let position = lowest - 1; position >= end && position >= missing - 1; position -= 1) {
      if ((this.#work.steps -= 1) < 0) return false;
      const next = sum + floatAt(this.#units, position);
      if (next + least + this.#total(position - missing + 1, position) > high) break;
      if (next + most < low) continue;
      this.#leftPositions[missing - 1] = position;
      if (!this.#pickLeft(picked + 1, position, next)) return false;
    }
    return true;
  }

  #remember(sum: number): boolean {
    this.#work.steps -= STEPS_PER_SUM;
    const isKept = this.#table.add(sum, this.#leftPositions);
    if (!isKept) this.#work.steps = 0;
    return isKept;
  }

  #pickRight(picked: number, highest: number, sum: number): boolean {
    const missing = this.#rightSize - picked;
    if (missing === 0) return this.#lookUp(sum);
    const low = this.#low;
    const high = this.#high;
    const size = this.#size;
    const cut = this.#cut;
    const leftSize = this.#leftSize;
    const most = this.#total(0, leftSize);
    const least = this.#total(cut - leftSize, cut) + this.#total(size - missing + 1, size);
    this.#work.steps -= STEPS_PER_HALVING;
    let position = this.#firstAtMost(high - sum - least, highest + 1);
    // Equal amounts are chosen from the first on: the next copy, or the first of another amount.
    for (; position <= size - missing; position += 1) {
      if ((this.#work.steps -= 1) < 0) return false;
      if (intAt(this.#copy, position) > 0 && position !== highest + 1) continue;
      const next = sum + floatAt(this.#units, position);
      if (next + most + this.#total(position + 1, position + missing) < low) break;
      this.#positions[this.#leftSize + picked] = position;
      if (!this.#pickRight(picked + 1, position, next)) return false;
    }
    return true;
  }

  /** Returns the first position from `from` on whose amount is at most `units`. */
  #firstAtMost(units: number, from: number): number {
    let low = from;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (floatAt(this.#units, middle) <= units) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #lookUp(sum: number): boolean {
    const low = this.#low - sum;
    const high = this.#high - sum;
    const lastBucket = this.#table.bucketOf(high);
    const isCopy = intAt(this.#copy, this.#cut) > 0;
    this.#work.steps -= STEPS_PER_LOOK;
    for (let bucket = this.#table.bucketOf(low); bucket <= lastBucket; bucket += 1) {
      for (let entry = this.#table.first(bucket); entry >= 0; entry = this.#table.after(entry)) {
        if ((this.#work.steps -= 1) < 0) return false;
        const left = this.#table.sumOf(entry);
        // Two buckets may share a slot, so an entry counts only under its own bucket.
        if (left < low || left > high || this.#table.bucketOf(left) !== bucket) continue;
        // A copy may follow only its predecessor, which must be the last position of the left part.
        if (isCopy && this.#table.positionOf(entry, this.#leftSize - 1) !== this.#cut - 1) continue;
        for (let index = 0; index < this.#leftSize; index += 1) this.#positions[index] = this.#table.positionOf(entry, index);
        this.#work.steps -= STEPS_PER_WAY;
        this.#onFound(this.#positions);
      }
    }
    return this.#work.steps >= 0;
  }
}
