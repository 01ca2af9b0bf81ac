import type { Result } from '../../../../src-shared/values/result.ts';
import type { Classes } from '../blocking/equivalence-classes.ts';
import type { EngineFailure } from '../model/input.ts';
import type { RecordGroup, RolledView, Totals } from './groups.ts';

/** Groups that single records could take. */
export interface GroupFits {
  readonly given: RolledView;
  readonly groups: readonly RecordGroup[];
  readonly totals: Totals;
  /** Upper bound (exclusive) of the numbers of cells. */
  readonly cellCount: number;
  /** Single records in classes that the rule cannot distinguish. */
  readonly singles: Classes;
  /** By class of single records: the groups that one of them could take, the preferred one first. Classes without groups are absent. */
  readonly byClass: ReadonlyMap<number, readonly number[]>;
  /** Whether the order of the groups is a preference of the rule (days), not an arbitrary order of equals (identifiers). */
  readonly isOrdered: boolean;
  readonly outsideWindow: number;
}

export type FitsFound = Result<GroupFits, EngineFailure>;
