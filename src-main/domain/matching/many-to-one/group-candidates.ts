import type { Result } from '../../../../src-shared/values/result.ts';
import type { Classes } from '../blocking/equivalence-classes.ts';
import type { EngineFailure } from '../model/input.ts';
import type { RecordGroup, RolledView, Totals } from './groups.ts';

/** What single records could take. */
export interface GroupFits {
  readonly given: RolledView;
  readonly groups: readonly RecordGroup[];
  readonly totals: Totals;
  /** Cells of groups are numbered below this. */
  readonly cellCount: number;
  /** The single records, those that the rule cannot tell apart together. */
  readonly singles: Classes;
  /** Groups that a record of each of these classes could take, the one to take first. Classes without any are absent. */
  readonly byClass: ReadonlyMap<number, readonly number[]>;
  /** True where the order among them is the rule's own choice (days), not one between equals (identifiers). */
  readonly isOrdered: boolean;
  readonly outsideWindow: number;
}

export type FitsFound = Result<GroupFits, EngineFailure>;
