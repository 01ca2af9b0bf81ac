import { expect, test } from 'vitest';
import { findMatches } from '../../../../src-main/domain/matching/engine.ts';
import { MATCH_LIMITS } from '../../../../src-main/domain/matching/model/limits.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import { engineRecord, engineRule, UNWATCHED } from '../../../support/inputs/matching-records.ts';

const RECORDS = 11_000;

function side(firstId: number, metadata: (index: number) => EngineRecord['metadata']): EngineRecord[] {
  return Array.from({ length: RECORDS }, (_, index) =>
    engineRecord(firstId + index, { amountMinor: 1_000 + index, metadata: metadata(index) }),
  );
}

test('a list that leaves sixty million pairs is no reason to refuse a rule, as an equality is none', () => {
  const sideA = side(1, (index) => ({ code: index % 2 === 0 ? 'x' : 'y' }));
  const sideB = side(100_001, () => ({ codes: ['x', 'z'] }));
  const rules = [engineRule(1, [{ key: 'metadata.code', value: 'metadata.codes', operand: 'in' }])];
  const facts = { types: UNDECLARED, signConvention: 'same', separations: new Set<string>() } as const;
  // Few tests are enough to see that it runs.
  const result = findMatches({ ...facts, rules, sideA, sideB }, UNWATCHED, { ...MATCH_LIMITS, tests: 500_000 });
  if (!result.ok) throw new Error(result.error.message);
  expect(result.value.matches.length).toBeGreaterThan(500);
  for (const { aIds } of result.value.matches) expect((aIds[0] ?? 0) % 2).toBe(1);
});
