import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { Amounts } from '../frequencies/amounts.ts';
import type { Siblings } from '../frequencies/siblings.ts';
import { FIRST_LAG, lagBin, lagRange, LAST_LAG } from '../comparison/levels.ts';
import { commonness } from './chance.ts';
import type { Frame } from './open-lines.ts';

/** Days in which lines of one kind are looked for, and the share of partners on a day at least. */
const WINDOW = LAST_LAG - FIRST_LAG;
const LEAST_USUAL = 1e-4;
/** Lines of one name that the experience of the whole book counts as; share of lines of one name that are of one amount at least, and what stands for nothing seen. */
const EXPERIENCE = 3;
const LEAST_EQUAL = 0.003;
const NOTHING_SEEN = 0.13;

/** How easily a line of a group is taken for another one of its kind and amount: rents, subscriptions, prices. */
export class MissingLines {
  readonly #amounts: Amounts;
  readonly #equal: number;
  readonly #lag: Float64Array;

  /** `lag`: how long partners take, by bin. */
  constructor(amounts: Amounts, siblings: Siblings, lag: Float64Array) {
    this.#amounts = amounts;
    this.#equal = Math.max(LEAST_EQUAL, siblings.equal - NOTHING_SEEN);
    this.#lag = lag;
  }

  /** Other lines that could stand for one of the group, by what they weigh beside it: their days. `pool`: the lines of this kind. */
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

  /** The same for lines that are not in the files: as many of these amounts as there would be, if as many were missing as are there. */
  substitutes(frame: Frame, target: number, group: readonly number[], pool: readonly number[]): number {
    const { members } = frame;
    const counts = new Map<number, number>();
    for (const row of pool) counts.set(floatAt(members.values, row), (counts.get(floatAt(members.values, row)) ?? 0) + 1);
    let expected = 0;
    for (const row of group) {
      const others = Math.max(0, (counts.get(floatAt(members.values, row)) ?? 0) - 1);
      const alike = commonness(this.#amounts, members, row) + (others + EXPERIENCE * this.#equal) / (pool.length + EXPERIENCE);
      // So many days are as good as its own.
      const days = Math.min(WINDOW, 1 / this.usualDays(frame, target, row));
      expected += alike * (days / WINDOW) * pool.length;
    }
    return expected;
  }

  /** Share of partners that stand so many days away, a day. */
  usualDays({ targets, members }: Frame, target: number, row: number): number {
    const days = intAt(targets.features.days, target) - intAt(members.features.days, row);
    const bin = lagBin(targets.side === 'b' ? days : 0 - days);
    const [first, last] = lagRange(bin);
    return Math.max(LEAST_USUAL, floatAt(this.#lag, bin) / (last - first + 1));
  }
}
