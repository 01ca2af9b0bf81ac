import type { Certainty } from '../../../../src-shared/contract/index.ts';
import type { ChangedPair } from './committed.ts';
import type { EvidenceParameters } from './parameters.ts';
import type { Weight } from './weight.ts';

/** Kind of a link: a pair, several lines against one, or a line and its reversal on one side. */
export type LinkKind = 'pair' | 'group' | 'reversal';

/** A link found by evidence: one record on each side, a group, or (a reversal) two records of one side and none of the other. */
export interface EvidenceLink {
  readonly kind: LinkKind;
  readonly aIds: readonly number[];
  readonly bIds: readonly number[];
  readonly status: 'matched' | 'proposed';
  readonly certainty: Certainty;
  /** In minor units at the finer scale, A minus B under the sign convention. */
  readonly differenceMinor: number;
  readonly weight: Weight;
}

/** Receives the links one by one, in the order in which they are stored. */
export type LinkSink = (link: EvidenceLink) => void;

/** Result of one budget. */
export interface BudgetFigures {
  /** Expected wrong links per 10,000. */
  readonly budget: number;
  readonly committed: number;
  readonly expectedWrong: number;
  /** Upper bound of the number of wrong links, at 95 %. */
  readonly upperBound: number;
}

/** Summary of a run of the rule. */
export interface EvidenceOutcome {
  /** Figures at the rule's own budget, and at budgets of 1, 10 and 100. */
  readonly committed: BudgetFigures;
  readonly atBudgets: readonly BudgetFigures[];
  readonly proposed: number;
  /** Number of lines whose candidates were cut at a limit. */
  readonly cappedLines: number;
  /** Lines of the smaller side. Below `SMALL_BOOK` the book relies on the prior, and the run reports it. */
  readonly lines: number;
  readonly leansOnPrior: boolean;
}

/** Result of a rule of evidence, in addition to its matches. */
export interface RuleEvidence {
  readonly outcome: EvidenceOutcome;
  readonly parameters: EvidenceParameters;
  /** Pairs committed earlier that the evidence no longer supports. */
  readonly changed: readonly ChangedPair[];
}
