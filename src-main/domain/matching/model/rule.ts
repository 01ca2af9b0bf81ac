import type { Cardinality, Certainty, MaxDifferenceInput, RollupInput, RuleGroup } from '../../../../src-shared/contract/index.ts';

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

/** What a rule of evidence asks for. */
export interface EvidenceTerms {
  /** Expected wrong links per 10,000 committed ones that are accepted. */
  readonly budget: number;
  /** The largest difference that a committed link may leave; null: what leaves one is only proposed. */
  readonly maxDifference: MaxDifferenceInput | null;
}
