import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { Amounts } from '../frequencies/amounts.ts';
import type { Siblings } from '../frequencies/siblings.ts';
import { FIRST_LAG, lagBin, lagRange, LAST_LAG } from '../comparison/levels.ts';
import { commonness } from './chance.ts';
import type { Frame } from './open-lines.ts';

/** Range of lags in days, and least share of partners on any day. */
const WINDOW = LAST_LAG - FIRST_LAG;
const LEAST_USUAL = 1e-4;
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

  /** Returns the share of partners that are this many days away, per day. */
  usualDays({ targets, members }: Frame, target: number, row: number): number {
    const days = intAt(targets.features.days, target) - intAt(members.features.days, row);
    const bin = lagBin(targets.side === 'b' ? days : 0 - days);
    const [first, last] = lagRange(bin);
    return Math.max(LEAST_USUAL, floatAt(this.#lag, bin) / (last - first + 1));
  }
}
