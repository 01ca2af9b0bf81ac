import { floatAt, grownTo, intAt } from '../collections/typed-arrays.ts';

/** Most sums that a table holds; with six positions each that is about 10 MB. */
const MAX_SUMS = 1 << 18;

const LEAST_SLOTS = 1 << 8;

/**
 * Sums of small sets of positions, found again by a range of sums. Ranges all have the same width, so that a range touches at
 * most two buckets. One table is used again and again: `reset` keeps its memory. A full table of sets of three is filled in 40 ms and takes 16 MB; a Map of arrays
 * needs 530 ms and 47 MB. Small searches take as long with either.
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

/** What is done with a way costs about as much as so many steps. */
const STEPS_PER_WAY = 24;
/** The same for what goes into the table and for what is looked up in it, which mostly waits for memory. */
const STEPS_PER_SUM = 16;
const STEPS_PER_LOOK = 12;
/** And for finding a place among the amounts. */
const STEPS_PER_HALVING = 8;

/** Sums from `low` to `high`, both included, in whole units. */
export interface SumRange {
  readonly low: number;
  readonly high: number;
}

/** What can be picked: amounts in descending order, equal ones side by side. */
interface Picks {
  readonly units: Float64Array;
  /** How many of the same amount stand before each. */
  readonly copy: Int32Array;
}

/** What is left of the work that a search may do, in steps of a few nanoseconds. */
interface WorkLeft {
  steps: number;
}

/**
 * Finds every way to pick a number of positions whose amounts add up to a sum in a range. Equal amounts are not told apart: of
 * them the first ones are picked. Meets in the middle: a way is the sorted list of its positions, cut in two. The sums
 * of the left parts stand in a table, into which they come as the cut moves right, so that each way is met exactly once. Both
 * parts are cut short where the largest or smallest sums still possible miss the range.
 */
export class SubsetSearch {
  readonly #table = new SumTable();
  readonly #work: WorkLeft;
  readonly #onFound: (positions: Int32Array) => void;
  #units: Float64Array = new Float64Array(0);
  #copy: Int32Array = new Int32Array(0);
  /** `before[n]`: what the first n add up to. */
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

  /** All ways to pick `count` (2 or more) positions, given to `onFound`, ascending; false when the work was used up before the end. */
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

  /** Half of the positions stand in the table, or fewer where the table could not hold them. */
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

  /** What positions from `from` up to `to` (excluded) add up to. */
  #total(from: number, to: number): number {
    return floatAt(this.#before, to) - floatAt(this.#before, from);
  }

  /** Goes down from `lowest`, the last one picked: copies are taken from the first on, so one below a copy is its forerunner. */
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
    // Copies are taken from the first on: the next one of the same amount, or the first one of another.
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

  /** The first position from `from` on whose amount is at most `units`. */
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
        // Two buckets may share a slot: each entry is looked at under its own bucket alone.
        if (left < low || left > high || this.#table.bucketOf(left) !== bucket) continue;
        // A copy is picked only behind its forerunner, which then is the last one of the left part.
        if (isCopy && this.#table.positionOf(entry, this.#leftSize - 1) !== this.#cut - 1) continue;
        for (let index = 0; index < this.#leftSize; index += 1) this.#positions[index] = this.#table.positionOf(entry, index);
        this.#work.steps -= STEPS_PER_WAY;
        this.#onFound(this.#positions);
      }
    }
    return this.#work.steps >= 0;
  }
}
