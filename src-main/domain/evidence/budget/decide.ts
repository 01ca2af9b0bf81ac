import { floatAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import type { BudgetFigures } from '../model/link.ts';
import { exp2Of } from '../model/logarithm.ts';
import { LOG_ODDS_STEPS, MOST_LOG_ODDS, PART_STEPS, PARTS, type Weight } from '../model/weight.ts';

/** What chiefly speaks for a link: each must keep to the budget by itself, so that many certain ones do not pay for the doubtful of another kind. */
export const EVIDENCE = { reference: 0, name: 1, amount: 2, count: 3 } as const;

/** No link below is committed, however large the budget: log odds of 0.99, in 1/64 bit. */
export const LEAST_COMMITTED = 425;
const PER = 10_000;
/** Wrong links that are accepted however few links there are: in all, and in each kind. */
const SLACK = 0.01;
const KIND_SLACK = 0.05;

/** Names must multiply the odds by so much to tell more than the amount alone. */
export const TELLING = 8;
const TELLING_STEPS = 3 * PART_STEPS;

/** Returns what chiefly speaks for a link, from the parts that are stored with it. */
export function evidenceOfWeight({ parts }: Weight): number {
  if ((parts[PARTS.indexOf('references')] ?? 0) > 0) return EVIDENCE.reference;
  return (parts[PARTS.indexOf('text')] ?? 0) >= TELLING_STEPS ? EVIDENCE.name : EVIDENCE.amount;
}

/** Links by place. */
export interface Candidates {
  /** In 1/64 bit. */
  readonly logOdds: Int16Array;
  /** Of `EVIDENCE`. */
  readonly evidence: Uint8Array;
  /** Whether it may be committed at all. */
  readonly mayCommit: Uint8Array;
}

/** Chance that a link is wrong, by its log odds from `-MOST_LOG_ODDS` on. */
const CHANCES = Float64Array.from({ length: 2 * MOST_LOG_ODDS + 1 }, (_, at) => 1 / (1 + exp2Of((at - MOST_LOG_ODDS) / LOG_ODDS_STEPS)));

/** Chance that a link of such log odds is wrong. */
export function chanceOfWrong(logOdds: number): number {
  return floatAt(CHANCES, logOdds + MOST_LOG_ODDS);
}

/** Places of those that may be committed, the most likely first. */
export function ranked({ logOdds, mayCommit }: Candidates): Int32Array {
  const keys = Int32Array.from(logOdds, (value, place) =>
    mayCommit[place] === 1 && value >= LEAST_COMMITTED ? MOST_LOG_ODDS - value : -1,
  );
  return layOut(keys, rangeStarts(keys, MOST_LOG_ODDS));
}

/** Which candidates a budget commits, and its figures with those committed before: a second run commits what one run would have, and no more. */
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

/** Wrong links that will not be exceeded 19 times in 20, when so many are expected. */
function upperBound(expected: number): number {
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
