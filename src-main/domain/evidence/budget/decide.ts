import type { BudgetFigures } from '../model/link.ts';
import { LOG_ODDS_STEPS } from '../model/weight.ts';
import { exp2Of } from '../model/logarithm.ts';

/** What chiefly speaks for a link: each must keep to the budget by itself, so that many certain ones do not pay for the doubtful of another kind. */
export const EVIDENCE = { reference: 0, name: 1, amount: 2, count: 3 } as const;

/** No link below is committed, however large the budget: log odds of 0.99, in 1/64 bit. */
export const LEAST_COMMITTED = 425;
const PER = 10_000;
/** Wrong links that are accepted however few links there are: in all, and in each kind. */
const SLACK = 0.01;
const KIND_SLACK = 0.05;

export interface Candidate {
  /** In 1/64 bit. */
  readonly logOdds: number;
  readonly evidence: number;
  /** Whether it may be committed at all. */
  readonly mayCommit: boolean;
}

/** Chance that a link of such log odds is wrong. */
export function chanceOfWrong(logOdds: number): number {
  return 1 / (1 + exp2Of(logOdds / LOG_ODDS_STEPS));
}

/** Candidates that may be committed, the most likely first. */
export function ranked(candidates: readonly Candidate[]): Int32Array {
  const order = Int32Array.from(candidates.keys()).filter((place) => may(candidates[place]));
  return order.toSorted((left, right) => (candidates[right]?.logOdds ?? 0) - (candidates[left]?.logOdds ?? 0) || left - right);
}

/** Which candidates a budget commits, and its figures with those committed before. */
export function committedBy(
  candidates: readonly Candidate[],
  order: Int32Array,
  before: Int16Array,
  budget: number,
): { readonly isCommitted: Uint8Array; readonly figures: BudgetFigures } {
  const isCommitted = new Uint8Array(candidates.length);
  const share = budget / PER;
  let wrong = 0;
  for (const logOdds of before) wrong += chanceOfWrong(logOdds);
  let committed = before.length;
  const ofKind = Array.from({ length: EVIDENCE.count }, () => ({ wrong: 0, committed: 0 }));
  for (const place of order) {
    const { logOdds, evidence } = candidates[place] as Candidate;
    const kind = ofKind[evidence] as { wrong: number; committed: number };
    const chance = chanceOfWrong(logOdds);
    if (kind.wrong + chance > share * (kind.committed + 1) + KIND_SLACK || wrong + chance > share * (committed + 1) + SLACK) continue;
    kind.wrong += chance;
    kind.committed += 1;
    wrong += chance;
    committed += 1;
    isCommitted[place] = 1;
  }
  return { isCommitted, figures: { budget, committed, expectedWrong: wrong, upperBound: upperBound(wrong) } };
}

function may(candidate: Candidate | undefined): boolean {
  return candidate !== undefined && candidate.mayCommit && candidate.logOdds >= LEAST_COMMITTED;
}

/** Wrong links that will not be exceeded 19 times in 20, when so many are expected. */
export function upperBound(expected: number): number {
  let chance = exp2Of(-expected * Math.LOG2E);
  let sum = chance;
  let wrong = 0;
  while (sum < 0.95 && wrong < 1_000) {
    wrong += 1;
    chance *= expected / wrong;
    sum += chance;
  }
  // Of so many the distribution is as good as normal.
  return wrong < 1_000 ? wrong : expected + 1.645 * Math.sqrt(expected);
}
