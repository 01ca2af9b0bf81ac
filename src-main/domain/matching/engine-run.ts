import type { RecordColumns } from '../records/record-columns.ts';
import type { UsedPlan } from './blocking/chosen-plan.ts';
import type { MatchCollector } from './matches/match-columns.ts';
import type { EngineInput } from './model/input.ts';
import type { EngineMatch, RuleOutcome } from './model/match.ts';

/** Records as columns instead of objects; all else as in `EngineInput`. */
export interface ColumnInput extends Omit<EngineInput, 'sideA' | 'sideB'> {
  readonly sideA: RecordColumns;
  readonly sideB: RecordColumns;
}

export interface ColumnResult {
  /** In rule order, then by content; the same for the same records in any order. */
  readonly matches: MatchCollector;
  readonly rules: readonly RuleOutcome[];
}

export interface EngineResult {
  /** In rule order, then by content; the same for the same records in any order. */
  readonly matches: readonly EngineMatch[];
  readonly rules: readonly RuleOutcome[];
}

/** How the engine is watched: no clock, no I/O, only these calls. */
export interface EngineControl {
  /** Called at least once per some thousand records; `processed` never exceeds `total`. */
  readonly onProgress: (processed: number, total: number, ruleId: number) => void;
  readonly isCancelled: () => boolean;
  /** Called now and then with all that is found so far. It stays, and what is found later comes behind it. */
  readonly onFound?: (found: MatchCollector) => void;
  /** Called for each rule that plans how it looks for pairs, where both sides have something to be looked for. */
  readonly onPlan?: (ruleId: number, plan: UsedPlan) => void;
  /** Where matches are collected; an own one if left out. */
  readonly into?: MatchCollector;
}
