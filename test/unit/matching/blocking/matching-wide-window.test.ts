import { expect, test } from 'vitest';
import { engineRecord, engineRule, matched, SAME_AMOUNT } from '../../../support/inputs/matching-records.ts';

test('a window of more records than 16 bits count is searched to its end', () => {
  const sideB = Array.from({ length: 70_000 }, (_, index) => engineRecord(10 + index, { amountMinor: 30_001 + index }));
  const rules = [engineRule(1, [{ ...SAME_AMOUNT, tolerance_amount: 80_000 }])];
  // The nearest is the last one within the window.
  const { matches } = matched({ sideA: [engineRecord(1, { amountMinor: 100_000 })], sideB, rules });
  expect(matches.map(({ aIds, bIds, differenceMinor }) => [aIds, bIds, differenceMinor])).toEqual([[[1], [70_009], 0]]);
});
