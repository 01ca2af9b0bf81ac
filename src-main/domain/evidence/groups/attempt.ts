import type { Amounts } from '../frequencies/amounts.ts';
import type { OpenLines } from './open-lines.ts';
import type { Families } from './families.ts';
import type { MissingLines } from './missing-lines.ts';

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
}

/** Data that the finders share, and the attempts they add. */
export interface Finding {
  readonly open: OpenLines;
  readonly amounts: Amounts;
  readonly families: Families;
  readonly missing: MissingLines;
  readonly attempts: Attempt[];
  readonly isCancelled: () => boolean;
}
