import { expect, test } from 'vitest';
import { findMatches } from '../../../../src-main/domain/matching/engine.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import type { Condition } from '../../../../src-shared/contract/index.ts';
import { engineRecord, engineRule, UNWATCHED, WITHIN_THREE_DAYS } from '../../../support/inputs/matching-records.ts';

/** So many of either side hang together by amounts that lie one apart. */
const CHAIN = 2_100;
const ABOUT_THE_AMOUNT: Condition = { key: 'amount', value: 'amount', tolerance_amount: 1 };

const side = (firstId: number) => [
  ...Array.from({ length: CHAIN }, (_, index) => engineRecord(firstId + index, { amountMinor: 1_000 + index, on: '2026-06-25' })),
  engineRecord(firstId + CHAIN, { amountMinor: 900_000, on: '2026-06-26' }),
];

// What takes long and ties few records a moment comes last, so that what the others tie is written meanwhile.
test.each([
  ['one scan', [ABOUT_THE_AMOUNT]],
  ['a scan for each day', [ABOUT_THE_AMOUNT, WITHIN_THREE_DAYS]],
])('a large component comes behind the small ones, found by %s', (_scans, rules) => {
  const result = findMatches(
    {
      sideA: side(1),
      sideB: side(10_001),
      rules: [engineRule(1, rules)],
      signConvention: 'same',
      types: UNDECLARED,
      separations: new Set(),
    },
    UNWATCHED,
  );
  if (!result.ok) throw new Error(result.error.message);
  const { matches } = result.value;
  expect(matches.length).toBe(CHAIN + 1);
  expect(matches.at(0).aIds).toEqual([1 + CHAIN]);
  expect(matches.at(1).aIds).toEqual([1]);
});
