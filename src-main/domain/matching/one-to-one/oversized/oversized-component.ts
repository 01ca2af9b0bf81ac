import { costHeap, dropFirst, pushCost } from '../../../collections/lexicographic-heap.ts';
import { floatAt, grownTo, intAt, itemAt } from '../../../collections/typed-arrays.ts';
import type { Component } from '../../blocking/components.ts';
import type { Classes } from '../../blocking/equivalence-classes.ts';
import type { Scanned } from '../../blocking/pair-source.ts';
import type { Scan } from '../../blocking/scan.ts';
import type { RuleView } from '../../comparison/predicate.ts';
import type { Window } from '../../comparison/tolerance-windows.ts';
import type { MatchLimits } from '../../model/limits.ts';
import { type OversizedSide, oversizedSide, turned } from './oversized-side.ts';

/** Data needed to pair a component that is too large for the exact search. */
interface OversizedMatcher {
  readonly view: RuleView;
  readonly classesA: Classes;
  readonly classesB: Classes;
  readonly scanned: Scanned;
  readonly limits: Pick<MatchLimits, 'rounds' | 'tests'>;
  readonly isCancelled: () => boolean;
  /** Called with the number of records done since the last call, `records` in total. */
  readonly advance: (records: number) => void;
  readonly records: number;
}

/** Share of the remaining progress for each round of augmenting paths, because the number of rounds is unknown until the last one. */
const SHARE_OF_ROUND = 1 / 16;

/**
 * Pairs the records of an oversized component without listing its pairs. First the nearest records are paired, day by day, those nearest along the
 * scans' axis first. Then augmenting paths increase the number of pairs to the maximum, unless a limit ends the search. Each pair is a candidate
 * pair, and the same records in any order give the same pairs. Their distance is nearly minimal, without proof. Returns the number of records without
 * a partner whose search hit a limit, or null when cancelled.
 */
export function pairOversized(
  { view, classesA, classesB, scanned, limits, isCancelled, advance, records }: OversizedMatcher,
  component: Component,
  tie: (rowA: number, rowB: number) => void,
): number | null {
  const { scans, window, placesA, placesB, isBarred } = scanned;
  const [first] = scans;
  if (first === undefined) return 0;
  const [ofA, ofB] = [component.a.subarray(component.fromA, component.toA), component.b.subarray(component.fromB, component.toB)];
  const a = oversizedSide({ ...first.a, places: placesA }, classesA, view.sideA.days, ofA, isBarred !== null);
  const b = oversizedSide({ ...first.b, places: placesB }, classesB, view.sideB.days, ofB, isBarred !== null);
  const ofPlaces =
    isBarred === null ? null : (placeA: number, placeB: number): boolean => isBarred(intAt(a.members, placeA), intAt(b.members, placeB));
  const meets = nearestDaysFirst(scans).map(meeting);
  const steps = new OversizedSteps(records, Math.min(a.count, b.count), advance);
  const onPairs = (pairs: number): boolean => {
    steps.pair(pairs);
    return !isCancelled();
  };
  const nearest = new NearestFirst(a, b, window, ofPlaces, onPairs);
  for (const blocks of meets) {
    for (let block = 0; block < blocks.length; block += 1)
      if (intAt(blocks, block) >= 0 && !nearest.pairBlocks(block, intAt(blocks, block))) return null;
    if (!nearest.report()) return null;
  }
  const onRound = (): void => steps.round();
  const onTests = (share: number): void => steps.test(share);
  const search = searchOf(a, b, { meets, window, isBarred: ofPlaces, isCancelled, onRound, onTests, tests: limits.tests });
  const left = augment(search, limits.rounds);
  if (left === null) return null;
  for (let place = 0; place < a.count; place += 1) {
    const mate = intAt(a.mates, place);
    if (mate >= 0) tie(intAt(a.rows, place), intAt(b.rows, mate));
  }
  steps.end();
  return left;
}

/**
 * Progress of a component in records: the first half by pairs while the nearest are paired, the second half by rounds of augmenting paths or by tests
 * of pairs.
 */
class OversizedSteps {
  readonly #records: number;
  readonly #most: number;
  readonly #advance: (records: number) => void;
  #paired = 0;
  #reported = 0;

  /** `most` is the largest possible number of pairs. */
  constructor(records: number, most: number, advance: (records: number) => void) {
    this.#records = records;
    this.#most = most;
    this.#advance = advance;
  }

  pair(pairs: number): void {
    this.#paired += pairs;
    this.#report(Math.floor((this.#records / 2) * (this.#paired / this.#most)));
  }

  round(): void {
    const half = Math.floor(this.#records / 2);
    this.#report(Math.max(half, this.#reported + Math.floor((this.#records - this.#reported) * SHARE_OF_ROUND)));
  }

  /** If pairs must be tested, one round may be most of the work. `share` is the part of the tests that is used up. */
  test(share: number): void {
    this.#report(Math.max(this.#reported, Math.floor((this.#records / 2) * (1 + Math.min(1, share)))));
  }

  end(): void {
    this.#report(this.#records);
  }

  #report(done: number): void {
    this.#advance(done - this.#reported);
    this.#reported = done;
  }
}

/** Returns the scans ordered by the days between both sides; for equal distances, the earlier day first. */
function nearestDaysFirst(scans: readonly Scan[]): Scan[] {
  const middle = (scans.length - 1) / 2;
  const apart = scans.map((scan, index) => ({ scan, days: Math.abs(index - middle), index }));
  return apart.toSorted((left, right) => left.days - right.days || left.index - right.index).map(({ scan }) => scan);
}

function meeting({ a, partner }: Scan): Int32Array {
  return Int32Array.from({ length: a.starts.length - 1 }, (_, block) => partner(block));
}

/** Augmenting paths start from the side with fewer free records, of which most find one. */
function searchOf(a: OversizedSide, b: OversizedSide, given: Omit<AugmentingSearch, 'from' | 'to'>): AugmentingSearch {
  if (a.count < b.count) return { ...given, from: a, to: b };
  const { meets, isBarred } = given;
  const blocksB = b.starts.length - 1;
  return {
    ...given,
    from: b,
    to: a,
    meets: meets.map((blocks) => turned(blocks, blocksB)),
    isBarred: isBarred === null ? null : (from, to) => isBarred(to, from),
  };
}

/** Returns whether two records, given by place, must not be paired whatever the scans find. */
type IsBarred = (a: number, b: number) => boolean;

/** Neighbours visited between two calls of `onPairs`. */
const STEPS_PER_LOOK = 1 << 14;

/**
 * Pairs free records of one block of side A with those of one block of side B, the two nearest along the axis first, until none are near enough. The
 * nearest two records of different sides are always neighbours in the merged order of values. So neighbours wait in a queue, and removing a pair
 * makes new neighbours. Takes about n log n for n free records.
 */
class NearestFirst {
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

/** Most bounds that are cached to avoid a search in each round: about 64 MB. */
const MOST_BOUNDS = 1 << 24;

/** Ranges of each record's candidates, computed on first use. */
class PlaceWindows {
  readonly scans: number;
  readonly #search: Pick<AugmentingSearch, 'from' | 'to' | 'meets' | 'window'>;
  /** Start of a place's bounds; 0 if it has no entry of its own (yet). */
  readonly #starts: Int32Array;
  /** By scan: the first place of `to`, and the one behind the last; -1 if not computed. The entry at 0 is shared by places without their own. */
  bounds: Int32Array;
  #length: number;

  constructor(search: Pick<AugmentingSearch, 'from' | 'to' | 'meets' | 'window'>) {
    this.#search = search;
    this.scans = search.meets.length;
    this.#starts = new Int32Array(search.from.count);
    this.#length = 2 * this.scans;
    this.bounds = new Int32Array(this.#length);
  }

  /** Returns the start of a place's bounds, valid until the next call. */
  startOf(place: number): number {
    const known = intAt(this.#starts, place);
    if (known > 0) return known;
    const start = this.#length + 2 * this.scans <= MOST_BOUNDS ? this.#length : 0;
    if (start > 0) {
      this.#length += 2 * this.scans;
      this.bounds = grownTo(this.bounds, this.#length);
      this.#starts[place] = start;
    }
    this.bounds.fill(-1, start, start + 2 * this.scans);
    return start;
  }

  /** Computes the bounds of a place in a scan and stores them at `at`. */
  look(place: number, at: number, scan: number): void {
    const { from, to, meets, window } = this.#search;
    const block = intAt(itemAt(meets, scan), intAt(from.blocks, place));
    const value = floatAt(from.values, place);
    const end = block < 0 ? 0 : intAt(to.starts, block + 1);
    const low = block < 0 ? 0 : firstFrom(to.values, intAt(to.starts, block), end, window.low(value));
    this.bounds[at] = low;
    this.bounds[at + 1] = behindLast(to.values, low, end, window.high(value));
  }
}

/** Returns the first index whose value is at least `least`. */
function firstFrom(values: Float64Array, from: number, to: number, least: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (floatAt(values, middle) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index behind the last value that is at most `most`, by growing steps, because it is near. */
function behindLast(values: Float64Array, from: number, to: number, most: number): number {
  let low = from;
  let step = 1;
  while (low + step <= to && floatAt(values, low + step - 1) <= most) {
    low += step;
    step *= 2;
  }
  let high = Math.min(to, low + step - 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (floatAt(values, middle) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Records visited, and pairs tested, between two checks of the cancel flag. The edits of a text cost a thousand times as much as an amount. */
const SEARCHES_PER_LOOK = 1 << 12;
const TESTS_PER_LOOK = 1 << 14;

/**
 * Increases the number of pairs by augmenting paths: a free record takes the partner of another record, which takes the partner of a third one, until
 * one takes a free record. Each round grows paths from all free records at once, breadth first. At most one path passes a record, so a round costs
 * about as much as the records have scans. A round without a path proves a maximum matching. `rounds` and `tests` may end the search earlier. Returns
 * the number of records of `from` without a partner whose search was not finished, 0 if all were, or null when cancelled.
 */
export function augment(search: AugmentingSearch, rounds: number): number | null {
  const paths = new AugmentingPaths(search);
  for (let round = 0; round < rounds; round += 1) {
    const gained = paths.round();
    if (gained === null) return null;
    search.onRound();
    if (paths.isUsedUp) break;
    if (gained === 0) return 0;
  }
  return paths.left;
}

class AugmentingPaths {
  readonly #search: AugmentingSearch;
  /** Places of `from` that are free. */
  #free: Int32Array;
  /** Places of `to` that this round has not visited, and those that have no partner. */
  readonly #unpassed: PlaceSet;
  readonly #unpaired: PlaceSet;
  /** By place of `to`: the place of `from` from which it was visited. By place of `from`: the free place where its path began. */
  readonly #passedBy: Int32Array;
  readonly #roots: Int32Array;
  readonly #windows: PlaceWindows;
  /** 1 for places of `from` without a free candidate. They will not get one later. */
  readonly #isSurrounded: Uint8Array;
  /** Places of `from` in the order in which they were reached. */
  readonly #queue: Int32Array;
  #tested = 0;
  /** Set when the run is cancelled; `isUsedUp` when the tests are used up. In both cases the search stops at once. */
  #isCancelled = false;
  isUsedUp = false;

  constructor(search: AugmentingSearch) {
    const { from, to } = search;
    this.#search = search;
    this.#free = freePlaces(from);
    this.#unpassed = new PlaceSet(to.count);
    this.#unpaired = new PlaceSet(to.count);
    for (let place = 0; place < to.count; place += 1) if (intAt(to.mates, place) >= 0) this.#unpaired.remove(place);
    this.#windows = new PlaceWindows(search);
    this.#isSurrounded = new Uint8Array(from.count);
    this.#passedBy = new Int32Array(to.count);
    this.#roots = new Int32Array(from.count);
    this.#queue = new Int32Array(from.count);
  }

  /** Returns the number of records without a partner. */
  get left(): number {
    return this.#free.length;
  }

  /** Returns the number of new pairs, or null when cancelled. */
  round(): number | null {
    const { from } = this.#search;
    const free = this.#free;
    const queue = this.#queue;
    const roots = this.#roots;
    this.#unpassed.fill();
    queue.set(free);
    for (const place of free) roots[place] = place;
    let reached = free.length;
    let gained = 0;
    for (let next = 0; next < reached; next += 1) {
      const place = intAt(queue, next);
      if (this.isUsedUp) break;
      if (next % SEARCHES_PER_LOOK === 0) this.#look();
      if (this.#isCancelled) return null;
      // Its path has already found an end.
      if (intAt(from.mates, intAt(roots, place)) >= 0) continue;
      const start = this.#windows.startOf(place);
      const end = this.#unpairedNear(place, start);
      if (end < 0) reached = this.#pass(place, start, reached);
      else {
        this.#pairAlong(place, end);
        gained += 1;
      }
    }
    if (this.#isCancelled) return null;
    this.#free = free.filter((place) => intAt(from.mates, place) < 0);
    return gained;
  }

  /** Returns the first free candidate of a place in the nearest scan that has one; -1 for none. */
  #unpairedNear(place: number, start: number): number {
    if (this.#isSurrounded[place] === 1) return -1;
    const unpaired = this.#unpaired;
    const windows = this.#windows;
    const { bounds, scans } = windows;
    for (let scan = 0, at = start; scan < scans; scan += 1, at += 2) {
      if (intAt(bounds, at) < 0) windows.look(place, at, scan);
      const end = intAt(bounds, at + 1);
      for (let other = unpaired.firstBetween(intAt(bounds, at), end); other >= 0; other = unpaired.firstBetween(other + 1, end)) {
        if (!this.#bars(place, other)) return other;
        if (this.#isOver()) return -1;
      }
    }
    this.#isSurrounded[place] = 1;
    return -1;
  }

  /** Visits the candidates of a place that no path has visited, and appends their partners to the queue. Returns the new length of the queue. */
  #pass(place: number, start: number, before: number): number {
    const unpassed = this.#unpassed;
    const passedBy = this.#passedBy;
    const roots = this.#roots;
    const queue = this.#queue;
    const windows = this.#windows;
    const { mates } = this.#search.to;
    let reached = before;
    const { bounds, scans } = windows;
    for (let scan = 0, at = start; scan < scans; scan += 1, at += 2) {
      if (intAt(bounds, at) < 0) windows.look(place, at, scan);
      const end = intAt(bounds, at + 1);
      for (let other = unpassed.firstBetween(intAt(bounds, at), end); other >= 0; other = unpassed.firstBetween(other + 1, end)) {
        if (this.#bars(place, other)) {
          if (this.#isOver()) return reached;
          continue;
        }
        unpassed.remove(other);
        passedBy[other] = place;
        const mate = intAt(mates, other);
        roots[mate] = intAt(roots, place);
        queue[reached] = mate;
        reached += 1;
      }
    }
    return reached;
  }

  #bars(place: number, at: number): boolean {
    const { isBarred, tests } = this.#search;
    if (isBarred === null) return false;
    this.#tested += 1;
    if (this.#tested % TESTS_PER_LOOK === 0) {
      this.#look();
      this.#search.onTests(this.#tested / tests);
    }
    if (this.#tested > tests) this.isUsedUp = true;
    return this.#isOver() || isBarred(place, at);
  }

  #look(): void {
    if (this.#search.isCancelled()) this.#isCancelled = true;
  }

  #isOver(): boolean {
    return this.isUsedUp || this.#isCancelled;
  }

  #pairAlong(last: number, end: number): void {
    const { from, to } = this.#search;
    this.#unpaired.remove(end);
    let place = last;
    for (let taken = end; taken >= 0;) {
      const given = intAt(from.mates, place);
      from.mates[place] = taken;
      to.mates[taken] = place;
      taken = given;
      if (given >= 0) place = intAt(this.#passedBy, given);
    }
  }
}

function freePlaces({ count, mates }: OversizedSide): Int32Array {
  let length = 0;
  for (let place = 0; place < count; place += 1) if (intAt(mates, place) < 0) length += 1;
  const free = new Int32Array(length);
  for (let place = count - 1; place >= 0; place -= 1) {
    if (intAt(mates, place) >= 0) continue;
    length -= 1;
    free[length] = place;
  }
  return free;
}

const BITS = 5;

/** A set of the places from 0 on from which places are removed. The remaining ones are found in order, in nearly constant time. */
export class PlaceSet {
  /** A bit for each remaining place; and for each word, the first word from there on with remaining places. */
  readonly #words: Int32Array;
  readonly #next: Int32Array;
  readonly #count: number;

  /** Contains all places below `count`. */
  constructor(count: number) {
    this.#count = count;
    const words = (count >> BITS) + 1;
    this.#words = new Int32Array(words);
    this.#next = new Int32Array(words + 1);
    this.fill();
  }

  /** Adds all places again. */
  fill(): void {
    const words = this.#words;
    const next = this.#next;
    const count = this.#count;
    words.fill(-1);
    words[words.length - 1] = (1 << (count & 31)) - 1;
    for (let word = 0; word < next.length; word += 1) next[word] = word;
    if (intAt(words, words.length - 1) === 0) next[words.length - 1] = words.length;
  }

  remove(place: number): void {
    const words = this.#words;
    const next = this.#next;
    const word = place >> BITS;
    const left = intAt(words, word) & ~(1 << (place & 31));
    words[word] = left;
    if (left === 0) next[word] = word + 1;
  }

  /** Returns the first remaining place in `from..end`, `end` excluded, or -1. */
  firstBetween(from: number, end: number): number {
    if (from >= end) return -1;
    const words = this.#words;
    let word = from >> BITS;
    let left = intAt(words, word) & (-1 << (from & 31));
    if (left === 0) {
      if (word === (end - 1) >> BITS) return -1;
      word = this.#filledFrom(word + 1);
      if (word << BITS >= end) return -1;
      left = intAt(words, word);
    }
    const place = (word << BITS) + 31 - Math.clz32(left & -left);
    return place < end ? place : -1;
  }

  /** Returns the first word from `from` on with remaining places, and shortens the path to it. */
  #filledFrom(from: number): number {
    const next = this.#next;
    let word = from;
    while (intAt(next, word) !== word) {
      const beyond = intAt(next, intAt(next, word));
      next[word] = beyond;
      word = beyond;
    }
    return word;
  }
}

/** Input of the search for augmenting paths. The candidates of a place of one side are ranges in blocks of the other side. */
interface AugmentingSearch {
  readonly from: OversizedSide;
  readonly to: OversizedSide;
  /** For each scan, the nearest first: the block of `to` that a block of `from` meets; -1 for none. */
  readonly meets: readonly Int32Array[];
  /** Largest distance along the axis. */
  readonly window: Window;
  readonly isBarred: ((from: number, to: number) => boolean) | null;
  /** Most pairs that may be tested; the search ends when they are used up. */
  readonly tests: number;
  readonly isCancelled: () => boolean;
  /** Called after each round; and from time to time within one, with the share of tests used up. */
  readonly onRound: () => void;
  readonly onTests: (share: number) => void;
}
