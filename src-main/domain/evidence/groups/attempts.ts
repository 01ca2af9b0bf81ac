import { floatAt, intAt, itemAt } from '../../collections/typed-arrays.ts';
import { findSums, SUM_LIMITS } from '../../groups/sums.ts';
import { areAlike } from '../../records/content-order.ts';
import { FIRST_LAG, LAG_FAR, lagBin, lagRange, LAST_LAG } from '../comparison/levels.ts';
import type { Amounts } from '../frequencies/amounts.ts';
import type { Siblings } from '../frequencies/siblings.ts';
import { exp2Of } from '../model/logarithm.ts';
import type { Formula } from '../model/parameters.ts';
import type { Families } from './families.ts';
import type { Frame, OpenLines, OpenSide } from './open-lines.ts';

/** The property that the lines of a group have in common. */
export type Bond = 'reference' | 'name' | 'days' | 'amount';

/** A candidate group: lines of one side that add up to a line of the other one. Rows index all lines. */
export interface Attempt {
  readonly bond: Bond;
  readonly isTargetOfA: boolean;
  readonly target: number;
  /** Rows, ascending. */
  readonly members: readonly number[];
  readonly family: number;
  /** Share of the family's true groups that are found this way. */
  readonly share: number;
  /** Expected number of such sums by chance, in a search like the one that found this group. */
  readonly chance: number;
  /** Number of equally good sums that are not listed. */
  readonly unlisted: number;
  /** Expected number of lines outside the files that would fit as well, if all lines were missing. */
  readonly substitutes: number;
  /** Amount of the target less the sum of the members, in units; 0 if exact. */
  readonly lacking: number;
  /** Whether indistinguishable lines would fit as well. */
  readonly isAlike: boolean;
  /** The fee by which the sum exceeds the target, and the families of such sums. */
  readonly fee?: { readonly formula: Formula; readonly families: Families };
}

/** Data that the finders share, and the attempts they add. */
export interface Finding {
  readonly open: OpenLines;
  readonly amounts: Amounts;
  readonly families: Families;
  readonly missing: MissingLines;
  readonly attempts: Attempt[];
  /** Least members of a group. A payout less a fee may be of one line. */
  readonly least: 1 | 2;
  readonly isCancelled: () => boolean;
}

/** Least probability that a sum comes out by chance. */
const LEAST_CHANCE = 2 ** -22;
const ROOT_TWO_PI = 2.506_628_274_631;

/** Returns the greatest common divisor of amounts and of one that is not 0. */
export function greatestDivisor(values: Iterable<number>, first: number): number {
  let divisor = Math.abs(first);
  for (const value of values) {
    divisor = commonDivisor(divisor, value);
    if (divisor === 1) break;
  }
  return divisor;
}

/** Returns the same for the amounts of some lines. */
export function divisorOf({ values }: OpenSide, rows: readonly number[], first: number): number {
  let divisor = Math.abs(first);
  for (const row of rows) {
    divisor = commonDivisor(divisor, floatAt(values, row));
    if (divisor === 1) break;
  }
  return divisor;
}

function commonDivisor(left: number, right: number): number {
  let [divisor, other] = [left, Math.abs(right)];
  while (other !== 0) [divisor, other] = [other, divisor % other];
  return divisor;
}

/** Returns the share of all other lines that have a line's amount. */
export function commonness(amounts: Amounts, { side, features }: OpenSide, row: number): number {
  const key = intAt(side === 'a' ? amounts.keyOfA : amounts.keyOfB, row);
  const lines =
    intAt(amounts.startsA, key + 1) - intAt(amounts.startsA, key) + intAt(amounts.startsB, key + 1) - intAt(amounts.startsB, key);
  const all = amounts.keyOfA.length + amounts.keyOfB.length;
  return features.count === 0 ? 0 : (lines - 1) / all;
}

/**
 * Returns the probability that an unrelated sum equals a line's amount. Such sums are spread evenly in steps of the divisor, and an amount that many
 * lines have is hit more often.
 */
export function chanceOfSum(target: number, divisor: number, common: number): number {
  return Math.min(1, Math.max(LEAST_CHANCE, divisor / Math.max(1, Math.abs(target)) + common));
}

/** Returns the expected number of sums of up to `most` of these amounts that equal the target by chance, estimated from their number and spread. */
export function sumsByChance(values: readonly number[], target: number, divisor: number, most: number): number {
  const count = values.length;
  if (count < 2) return LEAST_CHANCE;
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / count;
  const variance = Math.max(squares / count - mean * mean, divisor * divisor);
  const magnitudes = values.map(Math.abs).toSorted((left, right) => left - right);
  let [low, high, ways, expected] = [magnitudes[0] ?? 0, magnitudes[count - 1] ?? 0, count, 0];
  for (let size = 2; size <= Math.min(most, count); size += 1) {
    ways = (ways * (count - size + 1)) / size;
    low += magnitudes[size - 1] ?? 0;
    high += magnitudes[count - size] ?? 0;
    const spread = Math.sqrt(Math.max(size * variance * (1 - (size - 1) / Math.max(1, count - 1)), divisor * divisor));
    const away = (target - size * mean) / spread;
    const normal = (exp2Of((-away * away * Math.LOG2E) / 2) * divisor) / (spread * ROOT_TWO_PI);
    const even = Math.abs(target) >= low && Math.abs(target) <= high ? divisor / Math.max(divisor, high - low) : 0;
    expected += ways * Math.min(1, Math.max(normal, even));
  }
  return Math.max(LEAST_CHANCE, expected);
}

/** Range of lags in days, and least share of partners on any day. */
const WINDOW = LAST_LAG - FIRST_LAG;
const LEAST_USUAL = 1e-4;
/** Share of partners that are left out at either end of the usual days. */
const FEW = 0.02;
/**
 * Weight of the whole book's share, in lines of one name; the least share of such lines with the same amount; and the share that the prior yields if
 * none was seen.
 */
const PRIOR_WEIGHT = 3;
const LEAST_EQUAL = 0.003;
const NOTHING_SEEN = 0.13;

/** Estimates how easily a line of a group is confused with another one of its kind and amount, such as a rent, a subscription or a price. */
export class MissingLines {
  readonly #amounts: Amounts;
  readonly #equal: number;
  readonly #lag: Float64Array;

  /** `lag` holds the share of partners by bin of days. */
  constructor(amounts: Amounts, siblings: Siblings, lag: Float64Array) {
    this.#amounts = amounts;
    this.#equal = Math.max(LEAST_EQUAL, siblings.equal - NOTHING_SEEN);
    this.#lag = lag;
  }

  /**
   * Returns the number of other lines in the files that could replace one of the group, each weighted by how likely its days are in comparison.
   * `pool` holds the lines of this kind.
   */
  exchanges(frame: Frame, target: number, group: readonly number[], pool: readonly number[]): number {
    const { values } = frame.members;
    const inGroup = new Set(group);
    const usual = new Map<number, number>();
    for (const row of group) {
      const value = floatAt(values, row);
      usual.set(value, Math.min(usual.get(value) ?? 1, this.usualDays(frame, target, row)));
    }
    let found = 0;
    for (const row of pool) {
      const own = inGroup.has(row) ? undefined : usual.get(floatAt(values, row));
      if (own !== undefined) found += Math.min(1, this.usualDays(frame, target, row) / own);
    }
    return found;
  }

  /**
   * Returns the same for lines that are not in the files: the expected number of lines with these amounts if as many lines were missing as are
   * present.
   */
  substitutes(frame: Frame, target: number, group: readonly number[], pool: readonly number[]): number {
    const { members } = frame;
    const counts = new Map<number, number>();
    for (const row of pool) counts.set(floatAt(members.values, row), (counts.get(floatAt(members.values, row)) ?? 0) + 1);
    let expected = 0;
    for (const row of group) {
      const others = Math.max(0, (counts.get(floatAt(members.values, row)) ?? 0) - 1);
      const alike = commonness(this.#amounts, members, row) + (others + PRIOR_WEIGHT * this.#equal) / (pool.length + PRIOR_WEIGHT);
      // Number of days that are as likely as its own.
      const days = Math.min(WINDOW, 1 / this.usualDays(frame, target, row));
      expected += alike * (days / WINDOW) * pool.length;
    }
    return expected;
  }

  /** Returns the range of days from A to B that holds nearly all partners. */
  usualRange(): readonly [number, number] {
    let [first, last] = [0, LAG_FAR - 1];
    for (let below = floatAt(this.#lag, first); below < FEW; below += floatAt(this.#lag, first)) first += 1;
    for (let above = floatAt(this.#lag, last); above < FEW; above += floatAt(this.#lag, last)) last -= 1;
    return [lagRange(first)[0], lagRange(last)[1]];
  }

  /** Returns the share of partners that are this many days away, per day. */
  usualDays({ targets, members }: Frame, target: number, row: number): number {
    const days = intAt(targets.features.days, target) - intAt(members.features.days, row);
    const bin = lagBin(targets.side === 'b' ? days : 0 - days);
    const [first, last] = lagRange(bin);
    return Math.max(LEAST_USUAL, floatAt(this.#lag, bin) / (last - first + 1));
  }
}

/** Most combinations that are listed; the others count as rivals. */
const LISTED = 4;
/** Weight of the rivals of a choice among equal amounts by days alone, which may be wrong. */
const NEAREST_RIVAL = 0.3;

type Way = Pick<Attempt, 'members' | 'chance' | 'unlisted' | 'isAlike'>;

/** Returns combinations of at least two of the rows that add up to a target. `rows` is ascending. */
export function subsetsOf(
  finding: Finding,
  members: OpenSide,
  targets: OpenSide,
  target: number,
  rows: readonly number[],
  work: number,
  most: number = SUM_LIMITS.records,
): Way[] {
  const wanted = floatAt(targets.values, target);
  const day = intAt(targets.features.days, target);
  const found = findSums({
    candidates: rows.map((row) => ({
      units: floatAt(members.values, row),
      days: Math.abs(intAt(members.features.days, row) - day),
      likeness: () => likenessOf(members, row),
    })),
    ranges: [{ low: wanted, high: wanted }],
    least: 2,
    most,
    work,
    wanted: LISTED,
  });
  const values = rows.map((row) => floatAt(members.values, row));
  const common = commonness(finding.amounts, targets, target);
  const ofAll = greatestDivisor(values, wanted);
  return found.combinations.map(({ members: places, choice }) => {
    const chosen = places.map((place) => itemAt(rows, place));
    const divisor = divisorOf(members, chosen, wanted);
    // Round amounts make up round sums, so they are also counted among themselves.
    const round = divisor === 1 ? [] : values.filter((value) => value % divisor === 0);
    const tries = Math.max(sumsByChance(values, wanted, ofAll, places.length), sumsByChance(round, wanted, divisor, places.length));
    return {
      members: chosen,
      chance: Math.max(tries, chanceOfSum(wanted, divisor, common)) * (found.gaveUp ? 2 : 1),
      unlisted: found.count - found.combinations.length + (choice === 'open' ? 1 : choice === 'nearest' ? NEAREST_RIVAL : 0),
      isAlike: choice === 'alike',
    };
  });
}

/** Returns an equal text for indistinguishable lines: the first of them. Such lines are adjacent. */
function likenessOf({ columns, features, values }: OpenSide, row: number): string {
  let first = row;
  while (
    first > 0 &&
    features.days[first - 1] === features.days[row] &&
    values[first - 1] === values[row] &&
    areAlike(columns, Int32Array.of(first - 1, row), 0, 2)
  ) {
    first -= 1;
  }
  return String(first);
}
