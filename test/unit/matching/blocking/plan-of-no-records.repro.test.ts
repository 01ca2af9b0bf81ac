import { expect, test } from 'vitest';
import { engineRecord, engineRule, matched, SAME_AMOUNT, WITHIN_THREE_DAYS } from '../../../support/inputs/matching-records.ts';

// Where no record had a value to sweep along, the range of values was asked for its width: the run failed.
test('a rule with an amount tolerance and a date window runs over no records, and over none on a side', () => {
  const rules = [engineRule(1, [{ ...SAME_AMOUNT, tolerance_amount: 20 }, WITHIN_THREE_DAYS])];
  expect(matched({ sideA: [], sideB: [], rules }).matches).toEqual([]);
  expect(matched({ sideA: [engineRecord(1)], sideB: [], rules }).matches).toEqual([]);
  expect(matched({ sideA: [], sideB: [engineRecord(2)], rules }).matches).toEqual([]);
});
