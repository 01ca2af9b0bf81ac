import { expect, test } from 'vitest';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import type { RuleGroup } from '../../../../src-shared/contract/index.ts';
import { engineRecord, engineRule, matched, pairsOf, SAME_AMOUNT, SAME_REFERENCE } from '../../../support/inputs/matching-records.ts';

const ONE_WAY: RuleGroup = { operand: 'or', rules: [SAME_AMOUNT] };
const TWO_WAYS: RuleGroup = { operand: 'or', rules: [SAME_REFERENCE, { key: 'description', value: 'description' }] };

/** Amounts that differ; the references of the first two are the same on both sides, no description is. */
function side(firstId: number, text: string): EngineRecord[] {
  return Array.from({ length: 20 }, (_, index) =>
    engineRecord(firstId + index, {
      amountMinor: 1_000 + index,
      reference: index < 2 ? `same ${index}` : `${text} ${index}`,
      description: text,
    }),
  );
}

// Of two `or` groups, the first with a single way in it, the plan went through the first and called itself exact: the second was never tested.
test.each([
  ['first', [ONE_WAY, TWO_WAYS]],
  ['last', [TWO_WAYS, ONE_WAY]],
])('an `or` of one way that stands %s leaves the other `or` to be tested', (_place, rules) => {
  const result = matched({ sideA: side(1, 'left'), sideB: side(101, 'right'), rules: [engineRule(1, rules)] });
  expect(pairsOf(result)).toEqual(['1-101 unique matched', '2-102 unique matched']);
});
