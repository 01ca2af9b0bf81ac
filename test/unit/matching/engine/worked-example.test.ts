import { expect, it } from 'vitest';
import { engineRecord, engineRule, matched, WITHIN_THREE_DAYS } from '../../../support/inputs/matching-records.ts';

it('matches the example of the README as it says', () => {
  const record = (id: number, on: string, amountMinor: number) => engineRecord(id, { on, amountMinor });
  const rule = engineRule(1, [{ key: 'signed_amount', value: 'signed_amount' }, WITHIN_THREE_DAYS], {
    commitCertainty: ['unique', 'interchangeable'],
  });
  const { matches } = matched({
    sideA: [
      record(1, '2026-06-01', 12_000),
      record(2, '2026-06-03', 5_000),
      record(3, '2026-06-05', 5_000),
      record(4, '2026-06-10', 7_500),
    ],
    sideB: [
      record(5, '2026-06-02', 12_000),
      record(6, '2026-06-04', 5_000),
      record(7, '2026-06-06', 5_000),
      record(8, '2026-06-20', 7_500),
    ],
    rules: [rule],
  });
  const found = matches.map(({ aIds, bIds, status, certainty, margin }) => [...aIds, ...bIds, status, certainty, margin?.days ?? null]);
  expect(found).toEqual([
    [1, 5, 'matched', 'unique', null],
    [2, 6, 'proposed', 'best', 2],
    [3, 7, 'proposed', 'best', 2],
  ]);
  expect(matches[1]?.explanation).toEqual([
    'Signed amount 50.00 GBP equals 50.00 GBP.',
    'Dates 2026-06-03 and 2026-06-04 are 1 day apart (allowed: 3).',
    'The next best pairing is 2 days worse.',
  ]);
});
