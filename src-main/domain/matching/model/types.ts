import type {
  Cardinality,
  Certainty,
  EvidenceItem,
  MaxDifferenceInput,
  RollupInput,
  RuleGroup,
  SignConvention,
} from '../../../../src-shared/contract/index.ts';
import type { Direction } from '../../../../src-shared/values/money.ts';
import type { RuleEvidence } from '../../evidence/model/rule-evidence.ts';
import type { MetadataTypes } from '../../records/fields.ts';
import type { RecordColumns } from '../../records/record-columns.ts';
import type { UsedPlan } from '../blocking/chosen-plan.ts';
import type { MatchCollector } from '../matches/match-columns.ts';
import type { Margin } from '../one-to-one/exact/second-best.ts';

/** A record as the engine sees it. Only what a rule may compare. */
export interface EngineRecord {
  readonly id: number;
  /** Magnitude in minor units. */
  readonly amountMinor: number;
  readonly decimalPlaces: number;
  readonly direction: Direction;
  /** Days since 1970-01-01. */
  readonly day: number;
  /** Days since 1970-01-01; null where it is not known. */
  readonly valueDay: number | null;
  readonly currency: string;
  readonly description: string | null;
  readonly externalId: string | null;
  readonly streamKey: string;
  /** The text that the stream's recipe names as the reference; null where it has none. */
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface EngineRule {
  readonly id: number;
  /** Lower runs first; ties by id. */
  readonly priority: number;
  readonly filters: RuleGroup;
  readonly outcome: 'match' | 'propose';
  readonly commitCertainty: readonly Certainty[];
  readonly cardinality: Cardinality;
  /** Fields of the many side; of use to many_to_one alone. */
  readonly groupBy: readonly string[];
  readonly rollup: RollupInput | null;
  /** Of a rule that weighs evidence instead of asking whether its filters hold: these hold on top. Left out of any other. */
  readonly evidence?: EvidenceTerms;
  /** One of those that a reconciliation begins with, as nobody changed it. Left out of any other. */
  readonly isDefault?: boolean;
}

/** A line and the one that takes it back, by their ids. */
export interface ReturnedLine {
  readonly originalId: number;
  readonly returnId: number;
}

/** What a rule of evidence asks for. */
export interface EvidenceTerms {
  /** Expected wrong links per 10,000 committed ones that are accepted. */
  readonly budget: number;
  /** The largest difference that a committed link may leave; null: what leaves one is only proposed. */
  readonly maxDifference: MaxDifferenceInput | null;
}

export interface EngineInput {
  /** Free records of side A: not in a `matched` match of this reconciliation. Any order; the result does not depend on it. */
  readonly sideA: readonly EngineRecord[];
  readonly sideB: readonly EngineRecord[];
  readonly rules: readonly EngineRule[];
  readonly signConvention: SignConvention;
  /** What the sides' streams declare their metadata fields to hold. */
  readonly types: MetadataTypes;
  /** Groups that a person took apart: keys by `separationKey`. The engine never ties exactly these records again. */
  readonly separations: ReadonlySet<string>;
  /** Lines that are taken back by another one of their side. Left out: none. */
  readonly returned?: readonly ReturnedLine[];
}

/** A match as the engine finds it; why it was made is said by `matchExplainer`. */
export interface FoundMatch {
  readonly ruleId: number;
  readonly aIds: readonly number[];
  readonly bIds: readonly number[];
  readonly status: 'matched' | 'proposed';
  readonly certainty: Certainty;
  /** Minor units at the finer scale, A minus B under the sign convention. */
  readonly differenceMinor: number;
  /** Of a pair that is `best`: what the best pairing without it costs more; left out where that is not known. */
  readonly margin?: Margin;
  /** Of a match of evidence: what it weighs, see `packWeight`; left out of any other. */
  readonly weight?: number;
}

export interface EngineMatch extends FoundMatch {
  /** The values that tied the match, joined by `|`; null where there is none. */
  readonly groupKey: string | null;
  /** One readable sentence per condition that held. */
  readonly explanation: readonly string[];
  /** Of a match of evidence: the same with what each kind adds. */
  readonly evidence?: readonly EvidenceItem[];
}

export interface RuleOutcome {
  readonly ruleId: number;
  readonly matches: number;
  readonly records: number;
  readonly proposed: number;
  /** Of a rule with a time window: groups that a record fits in everything but the window. */
  readonly outsideWindow: number;
  /**
   * Single records whose search for a sum was not brought to its end, or of a one_to_one rule, records without a partner whose search was not; null for any
   * other rule, and where all of these were.
   */
  readonly gaveUp: number | null;
  /** Of a one_to_one rule: matches and proposals that stand in parts solved exactly; null for any other rule. */
  readonly exact: number | null;
  /** Of a rule of evidence; left out of any other. */
  readonly evidence?: RuleEvidence;
}

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

/** Why a run gave no result. `ruleId` names the rule at fault; a cancelled run has none. */
export interface EngineFailure {
  readonly code: 'cancelled' | 'invalid_rule' | 'too_many_candidates';
  readonly message: string;
  readonly ruleId?: number;
  /** The member of the rule at fault, where it is not `filters`. */
  readonly path?: string;
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

/** Key of a set of records for `separations`: ids ascending, joined by commas. */
export function separationKey(ids: readonly number[]): string {
  return [...ids].toSorted((left, right) => left - right).join(',');
}
