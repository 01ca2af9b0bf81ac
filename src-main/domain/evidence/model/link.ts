import type { Certainty } from '../../../../src-shared/contract/index.ts';
import type { Weight } from './weight.ts';

/** What a link is: a pair, several lines against one, or a line and its reversal on one side. */
export type LinkKind = 'pair' | 'group' | 'reversal';

/** A link that the evidence ties: one record a side, a group, or (a reversal) two records of one side and none of the other. */
export interface EvidenceLink {
  readonly kind: LinkKind;
  readonly aIds: readonly number[];
  readonly bIds: readonly number[];
  readonly status: 'matched' | 'proposed';
  readonly certainty: Certainty;
  /** Minor units at the finer scale, A minus B under the sign convention. */
  readonly differenceMinor: number;
  readonly weight: Weight;
}

/** Links as they are found, in the order in which they are stored. */
export type LinkSink = (link: EvidenceLink) => void;

/** What one budget commits. */
export interface BudgetFigures {
  /** Expected wrong links per 10,000. */
  readonly budget: number;
  readonly committed: number;
  readonly expectedWrong: number;
  /** The 95 % upper bound of the number of wrong ones. */
  readonly upperBound: number;
}

/** What a run of the rule tells. */
export interface EvidenceOutcome {
  /** The figures at the rule's own budget, and what budgets of 1, 10 and 100 would give. */
  readonly committed: BudgetFigures;
  readonly atBudgets: readonly BudgetFigures[];
  readonly proposed: number;
  /** Lines whose candidates were cut at a limit. */
  readonly cappedLines: number;
  /** Lines, 0..: below `SMALL_BOOK` the prior decides, and the run says so. */
  readonly lines: number;
  readonly leansOnPrior: boolean;
}
