import { floatAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import type { BudgetFigures } from '../model/link.ts';
import { exp2Of } from '../model/logarithm.ts';
import { LOG_ODDS_STEPS, MOST_LOG_ODDS, PART_STEPS, PARTS, type Weight } from '../model/weight.ts';

/**
 * The strongest evidence for a link. Each kind must keep to the budget by itself, so that many certain links of one kind do not pay for doubtful
 * links of another.
 */
export const EVIDENCE = { reference: 0, name: 1, amount: 2, count: 3 } as const;

/** Least log odds of a committed link, in 1/64 bit: those of a probability of 0.99. No budget commits a link below. */
export const LEAST_COMMITTED = 425;
const PER = 10_000;
/** Expected wrong links that are accepted even when there are few links: in total, and within each kind. */
const SLACK = 0.01;
const KIND_SLACK = 0.05;

/** Factor by which names must multiply the odds to count as more evidence than the amount alone. */
export const TELLING = 8;
const TELLING_STEPS = 3 * PART_STEPS;

/** Returns the strongest evidence for a link, derived from the parts that are stored with it. */
export function evidenceOfWeight({ parts }: Weight): number {
  if ((parts[PARTS.indexOf('references')] ?? 0) > 0) return EVIDENCE.reference;
  return (parts[PARTS.indexOf('text')] ?? 0) >= TELLING_STEPS ? EVIDENCE.name : EVIDENCE.amount;
}

/** Columns of candidate links; all arrays share one index. */
export interface Candidates {
  /** In 1/64 bit. */
  readonly logOdds: Int16Array;
  /** A value of `EVIDENCE`. */
  readonly evidence: Uint8Array;
  /** 1 where the link may be committed at all. */
  readonly mayCommit: Uint8Array;
}

/** Probability that a link is wrong, indexed by its log odds plus `MOST_LOG_ODDS`. */
const CHANCES = Float64Array.from({ length: 2 * MOST_LOG_ODDS + 1 }, (_, at) => 1 / (1 + exp2Of((at - MOST_LOG_ODDS) / LOG_ODDS_STEPS)));

/** Returns the probability that a link with these log odds (in 1/64 bit) is wrong. */
export function chanceOfWrong(logOdds: number): number {
  return floatAt(CHANCES, logOdds + MOST_LOG_ODDS);
}

/** Returns the indexes of candidates that may be committed, the most likely first. */
export function ranked({ logOdds, mayCommit }: Candidates): Int32Array {
  const keys = Int32Array.from(logOdds, (value, place) =>
    mayCommit[place] === 1 && value >= LEAST_COMMITTED ? MOST_LOG_ODDS - value : -1,
  );
  return layOut(keys, rangeStarts(keys, MOST_LOG_ODDS));
}

/**
 * Returns which candidates a budget commits, with figures that include the links committed before. Two runs together commit what one run would have
 * committed.
 */
export function committedBy(
  { logOdds, evidence }: Candidates,
  order: Int32Array,
  before: Pick<Candidates, 'logOdds' | 'evidence'>,
  budget: number,
): { readonly isCommitted: Uint8Array; readonly figures: BudgetFigures } {
  const isCommitted = new Uint8Array(logOdds.length);
  const share = budget / PER;
  let wrong = 0;
  let committed = before.logOdds.length;
  const ofKind = Array.from({ length: EVIDENCE.count }, () => ({ wrong: 0, committed: 0 }));
  before.logOdds.forEach((known, place) => {
    const kind = ofKind[before.evidence[place] as number] as { wrong: number; committed: number };
    const chance = chanceOfWrong(known);
    wrong += chance;
    kind.wrong += chance;
    kind.committed += 1;
  });
  for (const place of order) {
    const kind = ofKind[evidence[place] as number] as { wrong: number; committed: number };
    const chance = chanceOfWrong(logOdds[place] as number);
    if (kind.wrong + chance > share * (kind.committed + 1) + KIND_SLACK || wrong + chance > share * (committed + 1) + SLACK) continue;
    kind.wrong += chance;
    kind.committed += 1;
    wrong += chance;
    committed += 1;
    isCommitted[place] = 1;
  }
  return { isCommitted, figures: { budget, committed, expectedWrong: wrong, upperBound: upperBound(wrong) } };
}

/** Returns the number of wrong links that is not exceeded in 19 of 20 cases, given the expected number. */
function upperBound(expected: number): number {
  let chance = exp2Of(-expected * Math.LOG2E);
  let sum = chance;
  let wrong = 0;
  while (sum < 0.95 && wrong < 1_000) {
    wrong += 1;
    chance *= expected / wrong;
    sum += chance;
  }
  // A Poisson distribution with so large a mean is nearly normal.
  return wrong < 1_000 ? wrong : expected + 1.645 * Math.sqrt(expected);
}
