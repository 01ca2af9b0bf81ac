import { expect, test } from 'vitest';
import { affectedRows } from '../../../../src-main/domain/matching/blocking/affected-records.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import { columnsOfRecords } from '../../../../src-main/domain/records/record-columns.ts';
import { engineRecord, engineRule, SAME_AMOUNT, WITHIN_THREE_DAYS } from '../../../support/inputs/matching-records.ts';

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
