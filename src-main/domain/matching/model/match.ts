import type { Certainty, EvidenceItem } from '../../../../src-shared/contract/index.ts';
import type { RuleEvidence } from '../../evidence/model/rule-evidence.ts';

/**
 * What the best pairing without a pair costs more than the best one: fewer pairs, then days, then units at the scale of the component, then
 * edits. The first figure that is not 0 is above it; those behind it may be below.
 */
export interface Margin {
  readonly pairs: number;
  readonly days: number;
  readonly units: number;
  readonly edits: number;
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

/** Certainties by the number that stands for each. */
export const CERTAINTIES: readonly Certainty[] = ['unique', 'best', 'interchangeable', 'contested'];
