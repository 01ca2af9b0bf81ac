import { costHeap, dropFirst, pushCost } from './lexicographic-heap.ts';
import { floatAt, grownTo, intAt } from './typed-arrays.ts';

/**
 * A priority queue of places by distance, ties by the smaller place. A pushed distance must not be less than the last one taken. At most one place
 * may be pushed at that same distance before the next call of `next`, and it comes next.
 */
export interface NearQueue {
  /** Takes the next place; returns false if none is left. */
  readonly next: () => boolean;
  /** The place taken last, and its distance. */
  readonly place: number;
  readonly distance: number;
  readonly push: (distance: number, place: number) => void;
}

/** A queue for any distances. */
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

/** Largest distance that has a bucket. */
export const WIDEST_BUCKETED = 4_096;

/** Up to this many places are sorted by insertion. */
const MOST_BY_INSERTION = 32;

/** A queue for integer distances up to `WIDEST_BUCKETED`, with one list for each. It is several times as fast as a heap. */
export class BucketQueue implements NearQueue {
  place = 0;
  /** -1 while it is filled for the first time. */
  distance = -1;
  /** By distance: the first and the last entry of a list, or -1. By entry: its place, and the entry after it. */
  readonly #heads = new Int32Array(WIDEST_BUCKETED + 1).fill(-1);
  readonly #tails = new Int32Array(WIDEST_BUCKETED + 1);
  #places: Int32Array = new Int32Array(0);
  #behind: Int32Array = new Int32Array(0);
  #entries = 0;
  /** Largest distance that was pushed. */
  #widest = -1;
  /** The current list in order, its length, and how much of it was taken. */
  #bucket: Int32Array = new Int32Array(0);
  #filled = 0;
  #taken = 0;
  /** Place pushed at the current distance, which comes next; -1 for none. */
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

  /** Resets the queue, so that it can be filled again. */
  #rest(): boolean {
    this.distance = -1;
    this.#widest = -1;
    this.#entries = 0;
    return false;
  }

  /** Reads the list of a distance and empties it. */
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
  if (count > MOST_BY_INSERTION) {
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
