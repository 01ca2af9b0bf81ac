import { describe, expect, it } from 'vitest';
import type { EngineMatch } from '../../../../src-main/domain/matching/model/match.ts';
import type { RuleGroup, SignConvention } from '../../../../src-shared/contract/index.ts';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import {
  engineRecord,
  engineRule,
  matched,
  SAME_AMOUNT,
  SAME_REFERENCE,
  WITHIN_THREE_DAYS,
} from '../../../support/inputs/matching-records.ts';

function tied(a: EngineRecord, b: EngineRecord, rules: RuleGroup['rules'], signConvention: SignConvention = 'same'): EngineMatch {
  return present(matched({ sideA: [a], sideB: [b], rules: [engineRule(1, rules)], signConvention }).matches[0], 'match');
}

describe('explanations', () => {
  it('say in a sentence what held, condition by condition', () => {
    const a = engineRecord(1, { reference: 'RCT-0601', amountMinor: 182_050, on: '2026-06-25' });
    const b = engineRecord(101, { reference: 'RCT-0601', amountMinor: 182_050, on: '2026-06-27' });
    const match = tied(a, b, [SAME_REFERENCE, SAME_AMOUNT, WITHIN_THREE_DAYS]);
    expect(match.explanation).toEqual([
      'Reference RCT-0601 is equal on both sides.',
      'Amount 1,820.50 GBP equals 1,820.50 GBP.',
      'Dates 2026-06-25 and 2026-06-27 are 2 days apart (allowed: 3).',
    ]);
    expect(match.groupKey).toBe('RCT-0601|1820.50');
  });

  it('say on which side a value is missing, and do not count it as a tie', () => {
    const rules = [{ ...SAME_REFERENCE, operand: 'eq_or_missing' as const }];
    const none = engineRecord(1);
    const some = engineRecord(101, { reference: 'R1' });
    expect(tied(engineRecord(1, { reference: 'R1' }), engineRecord(101), rules).explanation).toEqual([
      'Reference is missing on side B, so nothing speaks against.',
    ]);
    expect(tied(none, some, rules).explanation).toEqual(['Reference is missing on side A, so nothing speaks against.']);
    const neither = tied(none, engineRecord(101), rules);
    expect(neither.explanation).toEqual(['Reference is missing on both sides, so nothing speaks against.']);
    expect(neither.groupKey).toBeNull();
  });

  it('name both fields where they differ', () => {
    const a = engineRecord(1, { metadata: { order_id: 'ORD-1', total: 10, due: '2026-06-26' } });
    const match = tied(a, engineRecord(101, { reference: 'ORD-1' }), [
      { key: 'metadata.order_id', value: 'reference' },
      { key: 'metadata.total', value: 'amount' },
      { key: 'metadata.due', value: 'date', tolerance_amount: 1 },
    ]);
    expect(match.explanation).toEqual([
      'Order id ORD-1 on side A equals reference ORD-1 on side B.',
      'Total 10.00 GBP equals amount 10.00 GBP.',
      'Due 2026-06-26 and date 2026-06-25 are 1 day apart (allowed: 1).',
    ]);
    expect(match.groupKey).toBe('ORD-1|10.00');
  });

  it('give differences and tolerances in currency units', () => {
    const rules = [{ ...SAME_AMOUNT, tolerance_amount: 50 }];
    expect(tied(engineRecord(1), engineRecord(101, { amountMinor: 970 }), rules).explanation).toEqual([
      'Amount 10.00 GBP and 9.70 GBP are 0.30 apart (allowed: 0.50).',
    ]);
    const yen = { amountMinor: 1_234_567, decimalPlaces: 0, currency: 'JPY' };
    expect(tied(engineRecord(1, yen), engineRecord(101, { ...yen, amountMinor: 1_234_568 }), rules).explanation).toEqual([
      'Amount 1,234,567 JPY and 1,234,568 JPY are 1 apart (allowed: 50).',
    ]);
  });

  it('show the stored sign and that it was turned', () => {
    const rules = [{ key: 'signed_amount', value: 'signed_amount' }];
    const match = tied(engineRecord(1), engineRecord(101, { direction: 'debit' }), rules, 'opposite');
    expect(match.explanation).toEqual(['Signed amount 10.00 GBP equals -10.00 GBP with the sign turned.']);
    expect(match.groupKey).toBe('10.00');
  });

  it('speak of the first true member of an `or` only', () => {
    const rules = [{ operand: 'or' as const, rules: [SAME_REFERENCE, SAME_AMOUNT, WITHIN_THREE_DAYS] }];
    expect(tied(engineRecord(1), engineRecord(101), rules).explanation).toEqual(['Amount 10.00 GBP equals 10.00 GBP.']);
  });

  it('shorten long texts', () => {
    const text = 'x'.repeat(500);
    const match = tied(engineRecord(1, { description: text }), engineRecord(101, { description: text }), [
      { key: 'description', value: 'description' },
    ]);
    expect(match.explanation[0]?.length).toBeLessThan(130);
    expect(match.groupKey).toBe(text);
  });
});
