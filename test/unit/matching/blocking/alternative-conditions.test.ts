import { describe, expect, test } from 'vitest';
import { affectedRows } from '../../../../src-main/domain/matching/blocking/affected-records.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import { columnsOfRecords } from '../../../../src-main/domain/records/record-columns.ts';
import {
  engineRecord,
  engineRule,
  matched,
  pairsOf,
  SAME_AMOUNT,
  SAME_REFERENCE,
  WITHIN_THREE_DAYS,
} from '../../../support/inputs/matching-records.ts';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import type { RuleGroup } from '../../../../src-shared/contract/index.ts';

// The ways of an `or` lie in orders of their own, but what the first had joined by place was taken as joined by the second as well: records that
// another way connects with a change were not looked at again, and stayed without their partner.
test('a change reaches through every way of an `or`', () => {
  const sideA = columnsOfRecords([engineRecord(1, { on: '2026-06-25' })]);
  const sideB = columnsOfRecords([
    engineRecord(101, { on: '2026-06-25', amountMinor: 1002 }),
    engineRecord(102, { on: '2026-06-25' }),
    engineRecord(103, { on: '2026-07-07' }),
  ]);
  const rule = engineRule(1, [], { filters: { operand: 'or', rules: [WITHIN_THREE_DAYS, SAME_AMOUNT] } });
  const affected = affectedRows(
    { rules: [rule], types: UNDECLARED, signConvention: 'same', sideA, sideB },
    { a: Uint8Array.of(0), b: Uint8Array.of(1, 0, 0) },
  );
  expect(affected).toEqual({ ok: true, value: { a: Uint8Array.of(1), b: Uint8Array.of(1, 1, 1) } });
});

describe('found once: one way or hides the next', () => {
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
});
