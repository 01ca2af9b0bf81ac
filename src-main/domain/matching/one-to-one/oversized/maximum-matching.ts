import { floatAt, grownTo, intAt, itemAt } from '../../../collections/typed-arrays.ts';
import type { Window } from '../../comparison/tolerance-windows.ts';
import type { OversizedSide } from './oversized-side.ts';

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
const STEPS_PER_LOOK = 1 << 12;
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
      if (next % STEPS_PER_LOOK === 0) this.#look();
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
export interface AugmentingSearch {
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
