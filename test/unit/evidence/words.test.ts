import { expect, test } from 'vitest';
import { learnedWords } from '../../../src-main/domain/evidence/learned-words.ts';
import type { EvidenceOutcome } from '../../../src-main/domain/evidence/model/link.ts';
import { type EvidenceParameters, PARAMETERS_FORMAT } from '../../../src-main/domain/evidence/model/parameters.ts';
import { outcomeWords } from '../../../src-main/domain/evidence/outcome-words.ts';

const figures = (budget: number, committed: number) => ({
  budget,
  committed,
  expectedWrong: committed / 2_000,
  upperBound: committed / 1_000,
});
const outcome = (committed: number): EvidenceOutcome => ({
  committed: figures(10, committed),
  atBudgets: [figures(1, committed), figures(10, committed), figures(100, committed * 2)],
  proposed: 3,
  cappedLines: 0,
  lines: 8_000,
  leansOnPrior: false,
});

test('what a run committed is told with what other budgets would change', () => {
  expect(outcomeWords(outcome(4_000))).toEqual([
    'Matched 4,000 links: about 2 of them expected to be wrong, and with a chance of 95 % no more than 4 (budget: 10 in 10,000).',
    'A budget of 1 in 10,000 would match the same links, with about 2 wrong.',
    'A budget of 100 in 10,000 would match 4,000 links more, with about 4 wrong.',
  ]);
});

test('where nothing was matched under any budget, that is all there is to say', () => {
  expect(outcomeWords(outcome(0))).toEqual(['Nothing was certain enough to be matched.']);
});

test('what was learned reads as people write numbers and days', () => {
  const bin = (fromDay: number, toDay: number, m: number) => ({ fromDay, toDay, m, u: 0.1 });
  const learned: EvidenceParameters = {
    format: PARAMETERS_FORMAT,
    lines: { a: 8_000, b: 12_345 },
    partnered: { a: 0.95, b: 0.613 },
    prior: 0,
    amount: [],
    text: [],
    references: [],
    lag: [bin(-2, -1, 0.1), bin(0, 0, 0.6), bin(1, 5, 0.3)],
    siblings: { a: [], b: [] },
    rareWords: [],
    commonWords: [],
    aliases: [],
    calibration: [],
    formulas: [],
    families: [],
  };
  expect(learnedWords(learned)).toEqual([
    'Learned from 8,000 lines of side A and 12,345 of side B.',
    'About 95 % of side A and 61 % of side B have a partner on the other side.',
    'Most often side B comes on the same day; nine in ten partners come between 2 days earlier and 5 days later.',
  ]);
});
