import { expect, test } from 'vitest';
import { findMatches } from '../../../../src-main/domain/matching/engine.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import type { RuleGroup } from '../../../../src-shared/contract/index.ts';
import { engineRecord, engineRule, SAME_AMOUNT, SAME_REFERENCE, UNWATCHED } from '../../../support/inputs/matching-records.ts';

const RECORDS = 9_000;
const NEAR: RuleGroup = {
  rules: [
    { ...SAME_AMOUNT, tolerance_amount: 100_000 },
    { key: 'direction', value: 'direction' },
  ],
};

function side(firstId: number): EngineRecord[] {
  return Array.from({ length: RECORDS }, (_, index) =>
    engineRecord(firstId + index, { amountMinor: 1_000 + index, reference: `R${index}`, description: `line ${index}` }),
  );
}

function runOf(...filters: RuleGroup[]) {
  const rules = filters.map((each, index) => engineRule(index + 1, [], { filters: each }));
  const facts = { types: UNDECLARED, signConvention: 'same', separations: new Set<string>() } as const;
  return findMatches({ ...facts, rules, sideA: side(1), sideB: side(100_001) }, UNWATCHED);
}

test('a rule refused for its wide alternatives is told to make rules of them, which then run', () => {
  const refused = runOf({ operand: 'or', rules: [SAME_REFERENCE, NEAR] });
  if (refused.ok) throw new Error('the rule is refused');
  expect(refused.error.code).toBe('too_many_candidates');
  expect(refused.error.message).toMatch(/about 8\d million pairs .*Give each alternative of its `or` group a rule of its own/);
  expect(refused.error.message).not.toContain('Add a condition');

  const asked = runOf({ rules: [SAME_REFERENCE] }, NEAR);
  expect(asked.ok && asked.value.rules.map(({ matches }) => matches)).toEqual([RECORDS, 0]);
  const alone = runOf(NEAR);
  expect(alone.ok && alone.value.matches.length).toBe(RECORDS);
});

test('an alternative that nothing narrows is still told what to add', () => {
  const open: RuleGroup = { rules: [{ key: 'description', value: 'description', operand: 'contains' }] };
  const refused = runOf({ operand: 'or', rules: [SAME_REFERENCE, open] });
  expect(refused.ok ? '' : refused.error.message).toContain('Add a condition that the amounts are equal');
});
