import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { LineFeatures } from '../features/line-features.ts';
import { AMOUNT, BANDS, LAG_BINS, lagRange } from '../comparison/levels.ts';
import type { FoundPairs } from '../comparison/find-pairs.ts';
import type { Pairs } from '../comparison/pairs.ts';
import { type Amounts, firstKeyFrom } from './amounts.ts';
import type { NeighbourCounts, Siblings } from './siblings.ts';

/** Weight of the share of the whole book, in neighbours. It is small because a party that repeats an amount usually does so often. */
const PRIOR_WEIGHT = 1;
/** Least number of lines on any range of days, so that no lag is impossible. */
const LEAST_LINES = 0.5;

/**
 * Returns the candidate pairs with the probabilities that unrelated lines reach their levels of amount, days and name. `isTurned` says that the lines of
 * side B certainly come first. Days are counted among the lines that follow: bills of one day are paid on many days, so that a payment has them all at one lag.
 */
export function pairChances(
  found: FoundPairs,
  a: LineFeatures,
  b: LineFeatures,
  amounts: Amounts,
  siblings: Siblings,
  isTurned: boolean,
): Pairs {
  const { starts, list } = found;
  const { count } = list;
  const [ofAmount, ofLag, ofSibling] = [new Float32Array(count), new Float32Array(count), new Float32Array(count)];
  const bands = new Float64Array(AMOUNT.count);
  const lags = new Float64Array(LAG_BINS);
  const before = new LagsByDay(a);
  let day = Number.NaN;
  for (let row = 0; row < a.count; row += 1) {
    const from = intAt(starts, row);
    const to = intAt(starts, row + 1);
    if (from === to) continue;
    readBands(amounts, a, b, row, bands);
    // Rows are ordered by day.
    if (!isTurned && intAt(a.days, row) !== day) readLags(b, (day = intAt(a.days, row)), 1, lags);
    for (let at = from; at < to; at += 1) {
      const rowB = intAt(list.columns, at);
      const amount = list.amount[at] as number;
      ofAmount[at] = floatAt(bands, amount);
      const bin = list.lag[at] as number;
      ofLag[at] = floatAt(isTurned ? before.of(intAt(b.days, rowB)) : lags, bin);
      ofSibling[at] =
        amount === AMOUNT.equal ? equalAmongSiblings(siblings, row, rowB, floatAt(bands, amount)) : floatAt(siblings.levels, amount);
    }
  }
  return {
    count,
    starts,
    // `slice` releases the unused capacity of the lists.
    columns: list.columns.slice(0, count),
    amount: list.amount.slice(0, count),
    lag: list.lag.slice(0, count),
    text: list.text.slice(0, count),
    reference: list.reference.slice(0, count),
    ofAmount,
    ofLag,
    ofSibling,
  };
}

/**
 * Returns how often another line of this name has this amount, beyond chance. It is estimated from the neighbours of both lines, and from the whole
 * book where these are few.
 */
function equalAmongSiblings({ a, b, equal }: Siblings, rowA: number, rowB: number, chance: number): number {
  const ofSide = ({ all, equal: same }: NeighbourCounts, row: number): number => {
    const neighbours = all[row] as number;
    return (Math.max(0, (same[row] as number) - neighbours * chance) + PRIOR_WEIGHT * equal) / (neighbours + PRIOR_WEIGHT);
  };
  return Math.max(ofSide(a, rowA), ofSide(b, rowB));
}

/** Fills `bands` with the shares of side B's lines at each level of amount from a row of A. */
function readBands(amounts: Amounts, a: LineFeatures, b: LineFeatures, row: number, bands: Float64Array): void {
  const { startsA, startsB } = amounts;
  const key = intAt(amounts.keyOfA, row);
  const value = floatAt(a.values, row);
  const group = intAt(a.classes, row);
  const atA = intAt(startsA, key + 1) - intAt(startsA, key);
  const atB = intAt(startsB, key + 1) - intAt(startsB, key);
  const expected = amounts.expected[key] as number;
  // The two lines of the pair are left out.
  const others = Math.max(0, atA - 1) + Math.max(0, atB - 1) + expected;
  bands[AMOUNT.equal] = value === 0 ? 1 : others / (a.count + b.count);
  let [low, high] = [key, key + 1];
  for (let band = 1; band < BANDS.length; band += 1) {
    const width = BANDS[band] ?? 0;
    const nextLow = firstKeyFrom(amounts, group, value * (1 - width));
    const nextHigh = firstKeyFrom(amounts, group, value / (1 - width) + 1e-9);
    const lines = Math.max(0, intAt(startsB, low) - intAt(startsB, nextLow)) + Math.max(0, intAt(startsB, nextHigh) - intAt(startsB, high));
    bands[band] = Math.max(lines, LEAST_LINES) / b.count;
    [low, high] = [Math.min(low, nextLow), Math.max(high, nextHigh)];
  }
  const digits = String(Math.trunc(value)).length;
  bands[AMOUNT.swapped] = Math.max(expected * digits, 0.1) / (a.count + b.count);
  bands[AMOUNT.far] = 1;
}

/** Fills `lags` with the shares of a side's lines in each bin of days from a day of the other side: with 1 after a day on A, with -1 before a day on B. */
function readLags(side: LineFeatures, day: number, direction: 1 | -1, lags: Float64Array): void {
  for (let bin = 0; bin < LAG_BINS; bin += 1) {
    const [first, last] = lagRange(bin);
    const [from, to] = direction === 1 ? [day + first, day + last] : [day - last, day - first];
    lags[bin] = Math.max(firstRowOn(side, to + 1) - firstRowOn(side, from), LEAST_LINES) / side.count;
  }
}

/** The shares of side A's lines in each bin of days before a day on side B, computed once for each day. */
class LagsByDay {
  readonly #a: LineFeatures;
  readonly #known = new Map<number, Float64Array>();

  constructor(a: LineFeatures) {
    this.#a = a;
  }

  of(day: number): Float64Array {
    const known = this.#known.get(day);
    if (known !== undefined) return known;
    const lags = new Float64Array(LAG_BINS);
    readLags(this.#a, day, -1, lags);
    this.#known.set(day, lags);
    return lags;
  }
}

/** Returns the first row dated on `day` or later. Rows are ordered by day. */
export function firstRowOn({ days, count }: Pick<LineFeatures, 'days' | 'count'>, day: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (intAt(days, middle) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}
