import { describe, expect, test } from 'vitest';
import { learnedWords, outcomeWords } from '../../../src-main/domain/evidence/explain-evidence.ts';
import type { EvidenceOutcome } from '../../../src-main/domain/evidence/model/link.ts';
import { type EvidenceParameters, PARAMETERS_FORMAT } from '../../../src-main/domain/evidence/model/parameters.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { BookWriter } from '../../bench/data/evidence-generators.ts';
import { lineOf } from '../../support/inputs/evidence-records.ts';
import { inputOf, weigh } from '../../support/inputs/evidence-run.ts';

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
    '4,000 links are certain enough to be matched: about 2 of them expected to be wrong, and with a chance of 95 % no more than 4 (budget: 10 in 10,000).',
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

describe('found once: one name on all lines', () => {
  /** Of a word on every line no siblings were counted, and yet each line was taken for the sibling of all: experience alone said that these repeat amounts. */
  test('lines that all carry one word are tied by amounts that stand once on each side', () => {
    const count = 5_000;
    const side = (which: 'a' | 'b') =>
      Array.from({ length: count }, (_, at) =>
        lineOf(which, at, {
          description: `Line ${at}`,
          amountMinor: at * 100 + 50,
          on: isoFromDay(20_600 + (at % 28)),
          externalId: `${which}-${at}`,
        }),
      );
    const { links } = weigh(inputOf({ a: side('a'), b: side('b'), percent: null }));
    expect(links.filter(({ status }) => status === 'matched')).toHaveLength(count);
  });
});

describe('found once: text that tells nothing', () => {
  /** Of many names pairs are drawn by what they share: texts that share nothing with anything were then counted as names that differ, and `missing` seemed to speak for a pair. */
  test('a text of common words alone is as neutral as none, however many names there are', () => {
    const book = new BookWriter(5);
    for (let at = 0; at < 1_400; at += 1) {
      const name = `${book.name()} ${String.fromCharCode(97 + (at % 26), 97 + ((at * 7) % 26), 97 + ((at * 11) % 26), 97 + (at % 17))}`;
      const [day, amount] = [book.int(300), 1_000 + book.int(900_000)];
      const a = book.line('a', day, amount, name);
      book.pair(a, book.line('b', day + 1, amount, at % 2 === 0 ? 'PAID' : name.toUpperCase()));
    }
    const missing = weigh(inputOf(book.set('paid'))).parameters.text.find(({ name }) => name === 'missing');
    expect(missing?.u).toBeCloseTo(0.5, 1);
    expect((missing?.m ?? 0) / (missing?.u ?? 1)).toBeCloseTo(1, 1);
  });
});
