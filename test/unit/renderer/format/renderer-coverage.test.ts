import { expect, test } from 'vitest';
import {
  breakSentence,
  calendarOf,
  doubtsOf,
  gapSentence,
  monthCount,
  overlapSentence,
} from '../../../../src-renderer/components/coverage-card.tsx';
import type { Coverage } from '../../../../src-shared/contract/index.ts';

const statement = (import_batch_id: number, filename: string, date_start: string, date_end: string) => ({
  import_batch_id,
  filename,
  date_start,
  date_end,
  opening_balance: 1_000,
  closing_balance: 2_000,
  proof: 'proved' as const,
});
const coverage: Coverage = {
  data_stream_key: 'bank',
  account: null,
  currency: 'EUR',
  decimal_places: 2,
  statements: [statement(1, 'may.csv', '2026-05-30', '2026-06-03'), statement(2, 'june.csv', '2026-06-07', '2026-06-09')],
  covered: [
    { date_start: '2026-05-30', date_end: '2026-06-03' },
    { date_start: '2026-06-07', date_end: '2026-06-09' },
  ],
  gaps: [{ date_start: '2026-06-04', date_end: '2026-06-06', days: 3, weekdays: 2, kind: 'missing', difference: -1_234 }],
  overlaps: [{ date_start: '2026-06-09', date_end: '2026-06-09', import_batch_ids: [1, 2] }],
  breaks: [{ date: '2026-06-07', import_batch_ids: [1, 2], closing_balance: 1_000, opening_balance: 900, difference: -100 }],
};

test('a calendar has the kind of each day of each month', () => {
  const [may, june] = calendarOf(coverage, 12);
  expect(may).toMatchObject({ year: 2026, month: 5 });
  expect(may?.days.length).toBe(31);
  expect(may?.days.slice(28)).toEqual(['outside', 'covered', 'covered']);
  expect(june?.days.slice(0, 11)).toEqual([
    'covered',
    'covered',
    'covered',
    'missing',
    'missing',
    'missing',
    'covered',
    'covered',
    'overlap',
    'outside',
    'outside',
  ]);
  expect(calendarOf(coverage, 1).map(({ month }) => month)).toEqual([6]);
  expect(monthCount(coverage)).toBe(2);
  expect(calendarOf({ ...coverage, covered: [] }, 12)).toEqual([]);
});

test('sentences name the days, the amount and the next step', () => {
  const [gap] = coverage.gaps;
  const [found] = coverage.breaks;
  const [overlap] = coverage.overlaps;
  if (gap === undefined || found === undefined || overlap === undefined) throw new Error('the coverage above has one of each');
  expect(gapSentence(gap, coverage)).toBe(
    '04/06/2026 to 06/06/2026 (3 days): a statement is missing. Over these days the balance changes by \u2212€12.34: import the statement of these days.',
  );
  expect(gapSentence({ ...gap, kind: 'quiet', difference: 0 }, coverage)).toContain('nothing is missing');
  expect(gapSentence({ ...gap, kind: 'weekend', difference: null }, coverage)).toContain('no working day');
  expect(gapSentence({ ...gap, kind: 'unknown', difference: null }, coverage)).toContain('check with the bank');
  expect(breakSentence(found, coverage)).toBe(
    '07/06/2026: june.csv opens with €9.00, but may.csv closes with €10.00, a break of \u2212€1.00. Look for a missing or changed statement.',
  );
  expect(overlapSentence(overlap, coverage)).toContain('may.csv and june.csv cover the same days');
  expect(doubtsOf(coverage)).toBe(2);
  expect(doubtsOf({ ...coverage, gaps: [{ ...gap, kind: 'quiet' }], breaks: [] })).toBe(0);
});
