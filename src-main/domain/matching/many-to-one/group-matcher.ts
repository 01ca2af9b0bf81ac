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

/** One many-to-one rule and the records it sees. */
export interface GroupRun {
  readonly rule: EngineRule;
  readonly compiled: CompiledRule;
  readonly types: MetadataTypes;
  /** Free records in content order (`columnsInContentOrder`), which decides every choice between equals. */
  readonly sideA: RecordColumns;
  readonly sideB: RecordColumns;
  readonly signConvention: SignConvention;
  /** Keys by `separationKey`: sets of records that must not be matched with each other again. */
  readonly separations: ReadonlySet<string>;
  /** The matcher must begin and finish two stages on it, of `sideA` and of `sideB` records. */
  readonly watch: Watch;
  /** Called if groups are searched by a plan and there are groups and records for it. */
  readonly onPlan: (plan: UsedPlan) => void;
}

/** A group and the single record that takes it. */
export interface TiedMatch {
  readonly match: FoundMatch;
  /** Facts for the explanation; null if the explanation needs all records of the match. */
  readonly group: KeptGroup | null;
}

export interface GroupsFound {
  /** In content order of the single records. No record is in two matches. */
  readonly matches: readonly TiedMatch[];
  /** Number of groups that fit a single record in everything but the time window. */
  readonly outsideWindow: number;
  /** Number of single records whose search for a sum was cut off; null if no sums are searched. */
  readonly gaveUp: number | null;
}

/** Matches several records of one side with a single record of the other. Pure: the same records in any order give the same bytes. */
export type GroupMatcher = (run: GroupRun) => Result<GroupsFound, EngineFailure>;
