import type { GiantSide } from './giant-side.ts';
import { floatAt, intAt, itemAt } from './typed.ts';
import type { Window } from './windows.ts';

/** What chains are looked for in: the places that a place of one side may be paired with are ranges of the other side's blocks. */
export interface ChainSearch {
  readonly from: GiantSide;
  readonly to: GiantSide;
  /** For each scan, the nearest first, the block of `to` that a block of `from` meets; -1 for none. */
  readonly meets: readonly Int32Array[];
  /** How far apart values may lie. */
  readonly window: Window;
  readonly isBarred: ((from: number, to: number) => boolean) | null;
  /** Pairs that may be looked at whether they are barred; the search ends with them. */
  readonly tests: number;
  readonly isCancelled: () => boolean;
}

/** Places that are remembered, so that they need not be looked for in each round: some 64 MB. */
const MOST_LOWS = 1 << 24;
/** Records looked at between two looks at the cancel flag. */
const STEPS_PER_LOOK = 1 << 12;

/**
 * Raises the number of pairs by chains of exchanges: a free record takes a partner from another record, which takes one from another, until
 * one finds a free partner. In each round chains grow from all free records at once, breadth first, and every record is passed by one
 * of them at most, so that a round costs about as much as the records have scans. Rounds go on until one finds no chain: then none is
 * left, and the pairs are as many as can be, unless `rounds` or `tests` end the search before. False when cancelled.
 */
export function exchange(search: ChainSearch, rounds: number): boolean {
  const chains = new Chains(search);
  for (let round = 0; round < rounds; round += 1) {
    const gained = chains.round();
    if (gained === null) return false;
    if (gained === 0) return true;
  }
  return true;
}

class Chains {
  private readonly search: ChainSearch;
  /** Places of `from` that are free. */
  private free: Int32Array;
  /** The first place of `to` from each one on that this round has not passed; that has no partner. */
  private readonly unpassed: Int32Array;
  private readonly unpaired: Int32Array;
  /** The place of `from` that passed a place of `to`; the free place that the chain to a place of `from` began at. */
  private readonly passedBy: Int32Array;
  private readonly roots: Int32Array;
  /** How many places of each block of `to` this round has not passed; have no partner. */
  private readonly unpassedOf: Int32Array;
  private readonly unpairedOf: Int32Array;
  /** For each place of `from` and scan the first place of `to` that is not too far below; -1 where it was not looked for yet. */
  private readonly lows: Int32Array | null;
  /** Places of `from` in the order in which they were reached. */
  private readonly queue: Int32Array;
  private tested = 0;

  constructor(search: ChainSearch) {
    const { from, to } = search;
    this.search = search;
    this.free = Int32Array.from({ length: from.count }, (_, place) => place).filter((place) => intAt(from.mates, place) < 0);
    this.unpassed = new Int32Array(to.count + 1);
    this.unpaired = new Int32Array(to.count + 1);
    for (let place = 0; place < to.count; place += 1) this.unpaired[place] = intAt(to.mates, place) < 0 ? place : place + 1;
    this.unpaired[to.count] = to.count;
    this.unpassedOf = new Int32Array(to.starts.length);
    this.unpairedOf = new Int32Array(to.starts.length);
    for (let place = 0; place < to.count; place += 1) if (intAt(to.mates, place) < 0) this.addUnpaired(place, 1);
    const lows = from.count * search.meets.length;
    this.lows = lows <= MOST_LOWS ? new Int32Array(lows).fill(-1) : null;
    this.passedBy = new Int32Array(to.count);
    this.roots = new Int32Array(from.count);
    this.queue = new Int32Array(from.count);
  }

  /** How many pairs were gained; null when cancelled. */
  round(): number | null {
    const { from, isCancelled } = this.search;
    const { free, queue, roots } = this;
    this.forgetPassed();
    queue.set(free);
    for (const place of free) roots[place] = place;
    let reached = free.length;
    let gained = 0;
    for (let next = 0; next < reached; next += 1) {
      const place = intAt(queue, next);
      if (next % STEPS_PER_LOOK === 0 && isCancelled()) return null;
      // Its chain has found an end already.
      if (intAt(from.mates, intAt(roots, place)) >= 0) continue;
      const end = this.unpairedNear(place);
      if (end < 0) reached = this.pass(place, reached);
      else {
        this.pairAlong(place, end);
        gained += 1;
      }
    }
    this.free = free.filter((place) => intAt(from.mates, place) < 0);
    return gained;
  }

  private forgetPassed(): void {
    const { unpassed, unpassedOf } = this;
    const { starts } = this.search.to;
    for (let place = 0; place < unpassed.length; place += 1) unpassed[place] = place;
    for (let block = 0; block + 1 < starts.length; block += 1) unpassedOf[block] = intAt(starts, block + 1) - intAt(starts, block);
  }

  /** The nearest scan's first place without a partner that a place may be paired with; -1 for none. */
  private unpairedNear(place: number): number {
    const { from, to, meets, window } = this.search;
    const most = window.high(floatAt(from.values, place));
    const own = intAt(from.blocks, place);
    for (let scan = 0; scan < meets.length; scan += 1) {
      const block = intAt(itemAt(meets, scan), own);
      if (block < 0 || intAt(this.unpairedOf, block) === 0) continue;
      const end = intAt(to.starts, block + 1);
      for (
        let at = first(this.unpaired, this.low(place, scan, block));
        at < end && floatAt(to.values, at) <= most;
        at = first(this.unpaired, at + 1)
      ) {
        if (!this.bars(place, at)) return at;
      }
    }
    return -1;
  }

  /** Passes all that a place may be paired with and that no chain has passed: their partners are reached. Answers how many are by then. */
  private pass(place: number, before: number): number {
    const { from, to, meets, window } = this.search;
    const { unpassed, unpassedOf } = this;
    const most = window.high(floatAt(from.values, place));
    const own = intAt(from.blocks, place);
    let reached = before;
    for (let scan = 0; scan < meets.length; scan += 1) {
      const block = intAt(itemAt(meets, scan), own);
      if (block < 0 || intAt(unpassedOf, block) === 0) continue;
      const end = intAt(to.starts, block + 1);
      for (
        let at = first(unpassed, this.low(place, scan, block));
        at < end && floatAt(to.values, at) <= most;
        at = first(unpassed, at + 1)
      ) {
        if (this.bars(place, at)) continue;
        unpassed[at] = at + 1;
        unpassedOf[block] = intAt(unpassedOf, block) - 1;
        this.passedBy[at] = place;
        const mate = intAt(to.mates, at);
        this.roots[mate] = intAt(this.roots, place);
        this.queue[reached] = mate;
        reached += 1;
      }
    }
    return reached;
  }

  private bars(place: number, at: number): boolean {
    const { isBarred, tests } = this.search;
    if (isBarred === null) return false;
    this.tested += 1;
    return this.tested > tests || isBarred(place, at);
  }

  private pairAlong(last: number, end: number): void {
    const { from, to } = this.search;
    this.unpaired[end] = end + 1;
    this.addUnpaired(end, -1);
    let place = last;
    for (let taken = end; taken >= 0;) {
      const given = intAt(from.mates, place);
      from.mates[place] = taken;
      to.mates[taken] = place;
      taken = given;
      if (given >= 0) place = intAt(this.passedBy, given);
    }
  }

  private addUnpaired(place: number, by: number): void {
    const block = intAt(this.search.to.blocks, place);
    this.unpairedOf[block] = intAt(this.unpairedOf, block) + by;
  }

  /** The first place of the block that is not too far below. */
  private low(place: number, scan: number, block: number): number {
    const at = place * this.search.meets.length + scan;
    const known = this.lows === null ? -1 : intAt(this.lows, at);
    if (known >= 0) return known;
    const { from, to, window } = this.search;
    const value = window.low(floatAt(from.values, place));
    let low = intAt(to.starts, block);
    let high = intAt(to.starts, block + 1);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (floatAt(to.values, middle) < value) low = middle + 1;
      else high = middle;
    }
    if (this.lows !== null) this.lows[at] = low;
    return low;
  }
}

/** The first place from one on that is still its own next one; the way there is shortened. */
function first(next: Int32Array, from: number): number {
  let place = from;
  while (intAt(next, place) !== place) {
    const beyond = intAt(next, intAt(next, place));
    next[place] = beyond;
    place = beyond;
  }
  return place;
}
