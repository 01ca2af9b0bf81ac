import { costHeap, dropFirst, pushCost } from './lexicographic-heap.ts';
import { floatAt, grownTo, intAt } from './typed-arrays.ts';

/**
 * Records that wait with a distance, as their places: the nearest comes first, of equally near ones the one that stands first. What is pushed is no
 * nearer than what came last; one may be as near until the next is taken off, and stands before that.
 */
export interface NearQueue {
  /** Takes the next one off; false when none is left. */
  readonly next: () => boolean;
  /** The one taken off last, and its distance. */
  readonly place: number;
  readonly distance: number;
  readonly push: (distance: number, place: number) => void;
}

/** For any distances. */
export class HeapQueue implements NearQueue {
  place = 0;
  distance = 0;
  readonly #heap = costHeap();

  next(): boolean {
    const heap = this.#heap;
    if (heap.length === 0) return false;
    this.place = intAt(heap.column, 0);
    this.distance = floatAt(heap.units, 0);
    dropFirst(heap);
    return true;
  }

  push(distance: number, place: number): void {
    pushCost(this.#heap, 0, distance, place);
  }
}

/** The largest distance that has a bucket. */
export const WIDEST_BUCKETED = 4_096;

/** So few are sorted by putting each in its place. */
const FEW = 32;

/** For distances that are whole numbers up to `WIDEST_BUCKETED`: a list for each, several times as fast as a heap. */
export class BucketQueue implements NearQueue {
  place = 0;
  /** -1 while it is filled for the first time. */
  distance = -1;
  /** By distance the first and the last entry of a list, -1 for none; by entry its place, and the entry behind it. */
  readonly #heads = new Int32Array(WIDEST_BUCKETED + 1).fill(-1);
  readonly #tails = new Int32Array(WIDEST_BUCKETED + 1);
  #places: Int32Array = new Int32Array(0);
  #behind: Int32Array = new Int32Array(0);
  #entries = 0;
  /** The largest distance that was pushed. */
  #widest = -1;
  /** What the list that is read holds, in order, and how much of it was taken off. */
  #bucket: Int32Array = new Int32Array(0);
  #filled = 0;
  #taken = 0;
  /** Pushed at the distance that is read; comes next. -1 for none. */
  #urgent = -1;

  next(): boolean {
    if (this.#urgent >= 0) {
      this.place = this.#urgent;
      this.#urgent = -1;
      return true;
    }
    while (this.#taken === this.#filled) {
      if (this.distance >= this.#widest) return this.#rest();
      this.distance += 1;
      this.#read(this.distance);
    }
    this.place = intAt(this.#bucket, this.#taken);
    this.#taken += 1;
    return true;
  }

  push(distance: number, place: number): void {
    if (distance === this.distance) {
      this.#urgent = place;
      return;
    }
    const entry = this.#entries;
    this.#entries = entry + 1;
    if (entry === this.#places.length) {
      this.#places = grownTo(this.#places, entry + 1);
      this.#behind = grownTo(this.#behind, entry + 1);
    }
    this.#places[entry] = place;
    this.#behind[entry] = -1;
    if (intAt(this.#heads, distance) < 0) this.#heads[distance] = entry;
    else this.#behind[intAt(this.#tails, distance)] = entry;
    this.#tails[distance] = entry;
    if (distance > this.#widest) this.#widest = distance;
  }

  /** Makes it ready to be filled again. */
  #rest(): boolean {
    this.distance = -1;
    this.#widest = -1;
    this.#entries = 0;
    return false;
  }

  /** Takes a list out. */
  #read(distance: number): void {
    const places = this.#places;
    const behind = this.#behind;
    const heads = this.#heads;
    this.#taken = 0;
    this.#filled = 0;
    let isSorted = true;
    for (let entry = intAt(heads, distance), last = -1; entry >= 0; entry = intAt(behind, entry)) {
      const place = intAt(places, entry);
      if (place < last) isSorted = false;
      last = place;
      if (this.#filled === this.#bucket.length) this.#bucket = grownTo(this.#bucket, this.#filled + 1);
      this.#bucket[this.#filled] = place;
      this.#filled += 1;
    }
    heads[distance] = -1;
    if (!isSorted) sort(this.#bucket, this.#filled);
  }
}

function sort(numbers: Int32Array, count: number): void {
  if (count > FEW) {
    numbers.subarray(0, count).sort();
    return;
  }
  for (let at = 1; at < count; at += 1) {
    const number = intAt(numbers, at);
    let hole = at;
    for (; hole > 0 && intAt(numbers, hole - 1) > number; hole -= 1) numbers[hole] = intAt(numbers, hole - 1);
    numbers[hole] = number;
  }
}
