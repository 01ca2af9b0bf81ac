import { expect, test } from 'vitest';
import { engineRecord, engineRule, matched } from '../../../support/inputs/matching-records.ts';

const RULE = engineRule(
  1,
  [
    { key: 'signed_amount', value: 'signed_amount' },
    { key: 'description', value: 'description', operand: 'neq' },
  ],
  {
    cardinality: 'many_to_one',
    groupBy: ['metadata.batch'],
    rollup: { group_by_kind: 'identifier', lookback_days: 5, date_field: 'date' },
  },
);

/** Why a batch of records of 4.00 on these days in June is tied to one record of their sum on the 25th: where it lies, and what its texts say. */
function said(...days: number[]): string[] {
  const sideA = days.map((day, index) =>
    engineRecord(index + 1, { amountMinor: 400, on: `2026-06-${day}`, description: `Sale ${index}`, metadata: { batch: 'B' } }),
  );
  const sideB = [engineRecord(9, { amountMinor: 400 * days.length, on: '2026-06-25', description: 'Payout' })];
  const [match] = matched({ sideA, sideB, rules: [RULE] }).matches;
  return match?.explanation.filter((sentence) => sentence.includes(' lie') || sentence.startsWith('Description')) ?? [];
}

// It said "It lies 0 days before 2026-06-25", also of several records, and "the other 1 fit as well".
test.each<[string, number[], string]>([
  ['one record of the same day', [25], 'It lies on 2026-06-25, the date on side B.'],
  ['records of the same day', [25, 25], 'They lie on 2026-06-25, the date on side B.'],
  ['one record of the day before', [24], 'It lies 1 day before 2026-06-25, the date on side B (allowed: 5).'],
  ['records of the day before', [24, 24, 24], 'They lie 1 day before 2026-06-25, the date on side B (allowed: 5).'],
  ['records of one day', [22, 22], 'They lie 3 days before 2026-06-25, the date on side B (allowed: 5).'],
  ['records up to the day before', [25, 24], 'They lie up to 1 day before 2026-06-25, the date on side B (allowed: 5).'],
  ['records up to some days before', [25, 24, 20], 'They lie up to 5 days before 2026-06-25, the date on side B (allowed: 5).'],
  ['records of some days before', [24, 23], 'They lie 1 to 2 days before 2026-06-25, the date on side B (allowed: 5).'],
])('of %s, where they lie is said as a person would', (_what, days, sentence) => {
  expect(said(...days)[0]).toBe(sentence);
});

test('what else of a group fits is counted as a person would', () => {
  const first = 'Description Sale 0 on side A differs from description Payout on side B';
  expect([said(25), said(25, 25), said(25, 25, 25)].map((sentences) => sentences[1])).toEqual([
    `${first}.`,
    `${first}; the other one fits as well.`,
    `${first}; the other 2 fit as well.`,
  ]);
});
