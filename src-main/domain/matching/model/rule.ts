import type { Cardinality, Certainty, MaxDifferenceInput, RollupInput, RuleGroup } from '../../../../src-shared/contract/index.ts';

export interface EngineRule {
  readonly id: number;
  /** Lower priorities run first; equal ones in the order of id. */
  readonly priority: number;
  readonly filters: RuleGroup;
  readonly outcome: 'match' | 'propose';
  readonly commitCertainty: readonly Certainty[];
  readonly cardinality: Cardinality;
  /** Fields of the many side; many-to-one rules only. */
  readonly groupBy: readonly string[];
  readonly rollup: RollupInput | null;
  /** Terms of a rule that weighs evidence; its filters must hold in addition. Left out for other rules. */
  readonly evidence?: EvidenceTerms;
  /** Whether this is an unchanged default rule of a reconciliation. */
  readonly isDefault?: boolean;
}

/** Terms of a rule of evidence. */
export interface EvidenceTerms {
  /** Accepted number of expected wrong links per 10,000 committed ones. */
  readonly budget: number;
  /** Largest difference of a committed link. With null, links with a difference are only proposed. */
  readonly maxDifference: MaxDifferenceInput | null;
}
