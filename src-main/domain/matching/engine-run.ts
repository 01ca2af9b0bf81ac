import type { RecordColumns } from '../records/record-columns.ts';
import type { UsedPlan } from './blocking/plan.ts';
import type { MatchCollector } from './matches/match-columns.ts';
import type { EngineInput } from './model/input.ts';
import type { EngineMatch, RuleOutcome } from './model/match.ts';

/** `EngineInput` with records as columns. */
export interface ColumnInput extends Omit<EngineInput, 'sideA' | 'sideB'> {
  readonly sideA: RecordColumns;
  readonly sideB: RecordColumns;
}

export interface ColumnResult {
  /** In rule order, then by content. The same records in any order give the same result. */
  readonly matches: MatchCollector;
  readonly rules: readonly RuleOutcome[];
}

export interface EngineResult {
  /** In rule order, then by content. The same records in any order give the same result. */
  readonly matches: readonly EngineMatch[];
  readonly rules: readonly RuleOutcome[];
}

/** Callbacks of the engine. It has no other effects: no clock, no I/O. */
export interface EngineControl {
  /** Called at least once per few thousand records. `processed` never exceeds `total`. */
  readonly onProgress: (processed: number, total: number, ruleId: number) => void;
  readonly isCancelled: () => boolean;
  /** Called now and then with all matches found so far. Later matches are appended; those found stay. */
  readonly onFound?: (found: MatchCollector) => void;
  /** Called for each rule that searches pairs by a plan, if both sides have records for it. */
  readonly onPlan?: (ruleId: number, plan: UsedPlan) => void;
  /** Collector for the matches; the engine creates one if this is missing. */
  readonly into?: MatchCollector;
}
