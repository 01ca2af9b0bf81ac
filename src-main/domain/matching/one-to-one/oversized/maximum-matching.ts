import { PlaceSet } from '../../../collections/remaining-set.ts';
import { floatAt, grownTo, intAt, itemAt } from '../../../collections/typed-arrays.ts';
import type { OversizedSide } from './oversized-side.ts';
import type { AugmentingSearch } from './search-problem.ts';

/** Bounds that are remembered, so that they need not be looked for in each round: some 64 MB. */
const MOST_BOUNDS = 1 << 24;

/** Where each record's partners can be: looked for when it is first asked for. */
class PlaceWindows {
  readonly scans: number;
  readonly #search: Pick<AugmentingSearch, 'from' | 'to' | 'meets' | 'window'>;
  /** Where the bounds of a place of `from` stand; 0 where they have no room of their own (yet). */
  readonly #starts: Int32Array;
  /** By scan the first place of `to`, and the one behind the last; -1 where they were not looked for. Those at 0 serve one place after another. */
  bounds: Int32Array;
  #length: number;

  constructor(search: Pick<AugmentingSearch, 'from' | 'to' | 'meets' | 'window'>) {
    this.#search = search;
    this.scans = search.meets.length;
    this.#starts = new Int32Array(search.from.count);
    this.#length = 2 * this.scans;
    this.bounds = new Int32Array(this.#length);
  }

  /** Where the bounds of a place stand, until another one is asked for. */
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

  /** Looks for the bounds of a place, at `at`, in a scan. */
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

/** The first place whose value is not below one. */
function firstFrom(values: Float64Array, from: number, to: number, least: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (floatAt(values, middle) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place behind the last one whose value is not above one: in steps that grow, since it is near. */
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

/** Records looked at between two looks at the cancel flag, and pairs tested: a text's edits cost a thousand times what an amount does. */
const STEPS_PER_LOOK = 1 << 12;
const TESTS_PER_LOOK = 1 << 14;

/**
 * Raises the number of pairs by augmenting paths: a free record takes the partner of another record, which takes the partner of a third one, until
 * one finds a free partner. In each round paths grow from all free records at once, breadth first. At most one path passes a record, so a round costs
 * about as much as the records have scans. When a round finds no path, there is none: the matching is a maximum matching. `rounds` and `tests` may end
 * the search before. Answers how many records of `from` then have no partner although their search was not finished, 0 where it was; null when cancelled.
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
  /** Places of `to` that this round has not passed; that have no partner. */
  readonly #unpassed: PlaceSet;
  readonly #unpaired: PlaceSet;
  /** The place of `from` that passed a place of `to`; the free place at which the path to a place of `from` began. */
  readonly #passedBy: Int32Array;
  readonly #roots: Int32Array;
  readonly #windows: PlaceWindows;
  /** 1 for places of `from` that have nothing without a partner near: nor will they ever. */
  readonly #isSurrounded: Uint8Array;
  /** Places of `from` in the order in which they were reached. */
  readonly #queue: Int32Array;
  #tested = 0;
  /** Somebody cancelled, or the tests are used up: nothing more is looked at, however much of it would have to be passed by. */
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

  /** Records that are without a partner. */
  get left(): number {
    return this.#free.length;
  }

  /** How many pairs were gained; null when cancelled. */
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
      // Its path has found an end already.
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

  /** The nearest scan's first place without a partner that a place may be paired with; -1 for none. */
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

  /** Passes all that a place may be paired with and that no path has passed: their partners are reached. Answers how many are by then. */
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
