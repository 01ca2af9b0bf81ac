import type { Amounts } from '../frequencies/amounts.ts';
import type { OpenLines } from './open-lines.ts';
import type { Families } from './families.ts';
import type { MissingLines } from './missing-lines.ts';

/** What holds the lines of a group together. */
export type Bond = 'reference' | 'name' | 'days' | 'amount';

/** A group that may be true: lines of one side that add up to a line of the other one. Rows are those of all lines. */
export interface Attempt {
  readonly bond: Bond;
  readonly isTargetOfA: boolean;
  readonly target: number;
  /** Ascending. */
  readonly members: readonly number[];
  readonly family: number;
  /** Share of the true groups of the family that are found in such a way. */
  readonly share: number;
  /** Sums that chance would have brought, in the way in which this one was found. */
  readonly chance: number;
  /** Sums as good as this one that are not listed. */
  readonly unlisted: number;
  /** Lines that may be missing from the files and would do as well, if all lines were missing. */
  readonly substitutes: number;
  /** What the sum lacks of the line, in units; 0: nothing. */
  readonly lacking: number;
  /** Whether other lines would do as well, and nobody could tell. */
  readonly isAlike: boolean;
}

/** What searches fill. */
export interface Finding {
  readonly open: OpenLines;
  readonly amounts: Amounts;
  readonly families: Families;
  readonly missing: MissingLines;
  readonly attempts: Attempt[];
  readonly isCancelled: () => boolean;
}
