import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import type { Result } from '../../../../src-shared/values/result.ts';
import type { MetadataTypes } from '../../records/fields.ts';
import type { RecordColumns } from '../../records/record-columns.ts';
import type { UsedPlan } from '../blocking/chosen-plan.ts';
import type { EngineFailure } from '../model/input.ts';
import type { FoundMatch } from '../model/match.ts';
import type { EngineRule } from '../model/rule.ts';
import type { Watch } from '../model/watch.ts';
import type { CompiledRule } from '../rules/compile.ts';
import type { KeptGroup } from './group-facts.ts';

/** One many_to_one rule and the records that it sees. */
export interface GroupRun {
  readonly rule: EngineRule;
  readonly compiled: CompiledRule;
  readonly types: MetadataTypes;
  /** Free records in content order (`columnsInContentOrder`), which is the order of every choice between equals. */
  readonly sideA: RecordColumns;
  readonly sideB: RecordColumns;
  readonly signConvention: SignConvention;
  /** Keys by `separationKey`: exactly these records are never tied again. */
  readonly separations: ReadonlySet<string>;
  /** The matcher begins and finishes two stages on it, of `sideA` and of `sideB` records. */
  readonly watch: Watch;
  /** Called where groups are looked for by a plan, and there are some and records for them. */
  readonly onPlan: (plan: UsedPlan) => void;
}

/** A group and the single record that takes it. */
export interface TiedMatch {
  readonly match: FoundMatch;
  /** What says why; null where that takes all of its records. */
  readonly group: KeptGroup | null;
}

export interface GroupsFound {
  /** In the content order of the single records. No record is in two of them. */
  readonly matches: readonly TiedMatch[];
  /** Groups that a single record fits in everything but the time window. */
  readonly outsideWindow: number;
  /** Single records whose search for a sum was not brought to its end; null where no sums are searched. */
  readonly gaveUp: number | null;
}

/** Ties several records of one side to a single record of the other. Pure; the same records in any order give the same bytes. */
export type GroupMatcher = (run: GroupRun) => Result<GroupsFound, EngineFailure>;
