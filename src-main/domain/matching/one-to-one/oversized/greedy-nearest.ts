import { BucketQueue, HeapQueue, type NearQueue, WIDEST_BUCKETED } from '../../../collections/monotone-priority-queue.ts';
import { floatAt, grownTo, intAt } from '../../../collections/typed-arrays.ts';
import type { Window } from '../../comparison/tolerance-windows.ts';
import type { OversizedSide } from './oversized-side.ts';

/** Returns whether two records, given by place, must not be paired whatever the scans find. */
type IsBarred = (a: number, b: number) => boolean;

/** Neighbours visited between two calls of `onPairs`. */
const STEPS_PER_LOOK = 1 << 14;

/**
 * Pairs free records of one block of side A with those of one block of side B, the two nearest along the axis first, until none are near enough. The
 * nearest two records of different sides are always neighbours in the merged order of values. So neighbours wait in a queue, and removing a pair
 * makes new neighbours. Takes about n log n for n free records.
 */
export class NearestFirst {
  readonly #a: OversizedSide;
  readonly #b: OversizedSide;
  readonly #window: Window;
  readonly #isBarred: IsBarred | null;
  /** Called from time to time with the number of pairs made since; false ends the search. */
  readonly #onPairs: (pairs: number) => boolean;
  #unreported = 0;
  #steps = 0;
  readonly #heap = new HeapQueue();
  readonly #buckets = new BucketQueue();
  #queue: NearQueue = this.#heap;
  /** Free records of both sides ordered by value: the place of each on its side, its side, and its neighbours (-1 for none). */
  #places: Int32Array = new Int32Array(0);
  #sides: Uint8Array = new Uint8Array(0);
  #values: Float64Array = new Float64Array(0);
  #before: Int32Array = new Int32Array(0);
  #after: Int32Array = new Int32Array(0);
  #isWhole = true;

  constructor(a: OversizedSide, b: OversizedSide, window: Window, isBarred: IsBarred | null, onPairs: (pairs: number) => boolean) {
    this.#a = a;
    this.#b = b;
    this.#window = window;
    this.#isBarred = isBarred;
    this.#onPairs = onPairs;
  }

  /** Reports the pairs that are not reported yet; returns false to end the search. */
  report(): boolean {
    const pairs = this.#unreported;
    this.#unreported = 0;
    return this.#onPairs(pairs);
  }

  /** Returns false if the search was ended. */
  pairBlocks(blockA: number, blockB: number): boolean {
    const count = this.#merge(blockA, blockB);
    this.#queue = this.#queueOf(count);
    for (let at = 0; at + 1 < count; at += 1) this.#offer(at);
    const queue = this.#queue;
    while (queue.next()) {
      this.#steps += 1;
      if (this.#steps % STEPS_PER_LOOK === 0 && !this.report()) return false;
      const { place: left, distance } = queue;
      const right = intAt(this.#after, left);
      // An entry is outdated if a neighbour is gone; the new pair has an entry of its own.
      if (this.#sides[left] === GONE || right < 0 || this.#distance(left, right) !== distance || this.#sides[left] === this.#sides[right])
        continue;
      const [a, b] = this.#sides[left] === OF_A ? [left, right] : [right, left];
      const [placeA, placeB] = [intAt(this.#places, a), intAt(this.#places, b)];
      if (this.#isBarred?.(placeA, placeB) === true) continue;
      this.#a.mates[placeA] = placeB;
      this.#b.mates[placeB] = placeA;
      this.#unreported += 1;
      this.#remove(left);
      this.#remove(right);
      const next = intAt(this.#before, left);
      if (next >= 0) this.#offer(next);
    }
    return true;
  }

  /** Merges the free records of both blocks by value; returns their number, or 0 if one side has none. */
  #merge(blockA: number, blockB: number): number {
    const a = this.#a;
    const b = this.#b;
    const [endA, endB] = [intAt(a.starts, blockA + 1), intAt(b.starts, blockB + 1)];
    let placeA = nextFree(a, intAt(a.starts, blockA), endA);
    let placeB = nextFree(b, intAt(b.starts, blockB), endB);
    if (placeA === endA || placeB === endB) return 0;
    this.#makeRoom(endA - placeA + endB - placeB);
    let isWhole = true;
    let count = 0;
    while (placeA < endA || placeB < endB) {
      const isOfA = placeB === endB || (placeA < endA && floatAt(a.values, placeA) <= floatAt(b.values, placeB));
      this.#places[count] = isOfA ? placeA : placeB;
      this.#sides[count] = isOfA ? OF_A : OF_B;
      this.#values[count] = isOfA ? floatAt(a.values, placeA) : floatAt(b.values, placeB);
      if (!Number.isSafeInteger(floatAt(this.#values, count))) isWhole = false;
      this.#before[count] = count - 1;
      this.#after[count] = count + 1;
      if (isOfA) placeA = nextFree(a, placeA + 1, endA);
      else placeB = nextFree(b, placeB + 1, endB);
      count += 1;
    }
    this.#after[count - 1] = -1;
    this.#isWhole = isWhole;
    return count;
  }

  /** Distances between integers are integers, and the widest window is that of the first or the last value. */
  #queueOf(count: number): NearQueue {
    if (count === 0) return this.#heap;
    const first = floatAt(this.#values, 0);
    const last = floatAt(this.#values, count - 1);
    const widest = Math.max(this.#window.high(first) - first, this.#window.high(last) - last);
    return this.#isWhole && widest <= WIDEST_BUCKETED ? this.#buckets : this.#heap;
  }

  #makeRoom(count: number): void {
    this.#places = grownTo(this.#places, count);
    this.#sides = grownTo(this.#sides, count);
    this.#values = grownTo(this.#values, count);
    this.#before = grownTo(this.#before, count);
    this.#after = grownTo(this.#after, count);
  }

  #distance(left: number, right: number): number {
    return floatAt(this.#values, right) - floatAt(this.#values, left);
  }

  /** Enqueues a record with its successor if they are of different sides and near enough. */
  #offer(left: number): void {
    const right = intAt(this.#after, left);
    if (right < 0 || this.#sides[left] === this.#sides[right]) return;
    if (floatAt(this.#values, right) > this.#window.high(floatAt(this.#values, left))) return;
    this.#queue.push(this.#distance(left, right), left);
  }

  #remove(at: number): void {
    const [before, after] = [intAt(this.#before, at), intAt(this.#after, at)];
    if (before >= 0) this.#after[before] = after;
    if (after >= 0) this.#before[after] = before;
    this.#sides[at] = GONE;
  }
}

const OF_A = 0;
const OF_B = 1;
const GONE = 2;

function nextFree({ mates }: OversizedSide, from: number, end: number): number {
  let place = from;
  while (place < end && intAt(mates, place) >= 0) place += 1;
  return place;
}
