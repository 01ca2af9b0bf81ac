import { floatAt, grownTo, intAt, itemAt } from '../../../collections/typed-arrays.ts';
import type { AugmentingSearch } from './search-problem.ts';

/** Bounds that are remembered, so that they need not be looked for in each round: some 64 MB. */
const MOST_BOUNDS = 1 << 24;

/** Where each record's partners can be: looked for when it is first asked for. */
export class PlaceWindows {
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
