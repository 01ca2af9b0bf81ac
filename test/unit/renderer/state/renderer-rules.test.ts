import { describe, expect, it, test } from 'vitest';
import { conditionAt, conditionText, fieldText, outcomeText, ruleText } from '../../../../src-renderer/format/rule-words.ts';
import {
  changedCondition,
  type ConditionDraft,
  FIRST_DRAFT,
  kindOf,
  ruleOf,
  withCondition,
} from '../../../../src-renderer/state/rule-draft.ts';
import type { Condition, Rule, RuleGroup } from '../../../../src-shared/contract/index.ts';
import { contract } from '../../../../src-shared/contract/index.ts';
import { bodyOf } from '../../../../src-shared/contract/rules/rule-bodies.ts';
import { OPERANDS, TOLERANCE_UNITS, TRANSFORMS } from '../../../../src-shared/contract/rules/rule-language.ts';

const AMOUNT: Condition = { key: 'amount', value: 'amount' };
const DATE: Condition = { key: 'date', value: 'date' };
const RULE: Rule = {
  id: 1,
  reconciliation_id: 1,
  filters: {
    rules: [
      { key: 'reference', value: 'reference' },
      { ...AMOUNT, tolerance_amount: 50 },
    ],
  },
  priority: 10,
  group_by: [],
  cardinality: 'one_to_one',
  rollup: null,
  description: null,
  source: 'user',
  status: 'active',
  outcome: 'match',
  commit_certainty: ['unique', 'best', 'interchangeable'],
  method: 'conditions',
  budget: null,
  max_difference: null,
  paused: false,
  paused_reason: null,
  created_at: '2026-07-01T09:00:00.000Z',
};
const text = (filters: RuleGroup) => ruleText({ ...RULE, filters }, 2);

describe('a condition in words', () => {
  const cases: readonly [string, Condition][] = [
    ['same reference', { key: 'reference', value: 'reference' }],
    ['same signed amount', { key: 'signed_amount', value: 'signed_amount', operand: 'eq' }],
    ['reference equals description', { key: 'reference', value: 'description' }],
    ['same reference unless missing', { key: 'reference', value: 'reference', operand: 'eq_or_missing' }],
    ['order id equals external id unless missing', { key: 'metadata.order_id', value: 'external_id', operand: 'eq_or_missing' }],
    ['amount within 0.50', { ...AMOUNT, tolerance_amount: 50 }],
    ['amount within 1,234.50', { ...AMOUNT, tolerance_amount: 123_450, tolerance_unit: 'minor' }],
    ['amount within 0.5 minor units', { ...AMOUNT, tolerance_amount: 0.5 }],
    ['amount within 0.5', { ...AMOUNT, tolerance_amount: 0.5, tolerance_unit: 'dollar' }],
    ['amount within 10 % of fee', { key: 'amount', value: 'metadata.fee', tolerance_amount: 10, tolerance_unit: 'percent' }],
    ['same amount', { ...AMOUNT, tolerance_amount: 0 }],
    ['date within 1 day', { ...DATE, tolerance_amount: 1 }],
    ['date within 3 business days', { ...DATE, tolerance_amount: 3, tolerance_unit: 'business_day' }],
    ['date in the same month', { ...DATE, tolerance_unit: 'month' }],
    ['date in the same month of value date', { key: 'date', value: 'metadata.value_date', tolerance_unit: 'month' }],
    ['description within 2 typing errors', { key: 'description', value: 'description', tolerance_amount: 2 }],
    ['description contains reference', { key: 'description', value: 'reference', operand: 'contains' }],
    ['date is at least date', { ...DATE, operand: 'gte' }],
    [
      'reference (digits only) equals description (trimmed, last 6 characters)',
      {
        key: 'reference',
        value: 'description',
        transforms: { key: 'digits_only', value: ['trim', { name: 'last_n_chars', args: { n: 6 } }] },
      },
    ],
    [
      'reference (part that fits INV-(\\d+)) equals external id',
      { key: 'reference', value: 'external_id', transforms: { key: { name: 'extract', args: { pattern: 'INV-(\\d+)' } } } },
    ],
  ];
  test.each(cases)('%s', (words, condition) => {
    expect(conditionText(condition, 2)).toBe(words);
  });

  it('formats money at the scale of the reconciliation', () => {
    expect(conditionText({ ...AMOUNT, tolerance_amount: 50 }, 0)).toBe('amount within 50');
    expect(conditionText({ ...AMOUNT, tolerance_amount: 50 }, 3)).toBe('amount within 0.050');
  });

  it('has words for every operand, unit and transform', () => {
    for (const operand of OPERANDS)
      expect(conditionText({ key: 'reference', value: 'description', operand }, 2)).not.toContain('undefined');
    for (const unit of TOLERANCE_UNITS) {
      expect(conditionText({ ...AMOUNT, tolerance_amount: 1, tolerance_unit: unit }, 2)).toMatch(/within|month/);
    }
    for (const name of TRANSFORMS) {
      expect(conditionText({ key: 'reference', value: 'reference', transforms: { key: name } }, 2)).toMatch(
        /^reference \([a-z ]+\) equals/,
      );
    }
  });
});

describe('a rule in words', () => {
  it('joins conditions and names alternatives', () => {
    expect(ruleText(RULE, 2)).toBe('Same reference, amount within 0.50');
    expect(text({ operand: 'or', rules: [AMOUNT, DATE] })).toBe('Either same amount or same date');
    expect(text({ rules: [AMOUNT, { operand: 'or', rules: [DATE, { rules: [RULE.filters, DATE] }] }] })).toBe(
      'Same amount, either same date or ((same reference and amount within 0.50) and same date)',
    );
    expect(text({ operand: 'or', rules: [{ rules: [AMOUNT] }] })).toBe('Same amount');
  });

  it('says what is rolled up', () => {
    const rollup = { lookback_days: 5, date_field: 'date', group_by_kind: 'identifier', many_side: 'b' } as const;
    expect(ruleText({ ...RULE, cardinality: 'many_to_one', group_by: ['metadata.batch_id', 'currency'], rollup }, 2)).toBe(
      'Lines of side B together by batch id and currency, up to 5 days back: same reference, amount within 0.50',
    );
  });

  it('says what happens to its matches', () => {
    const said = (change: Partial<Rule>) => outcomeText({ ...RULE, ...change });
    expect(said({})).toBe('Matches; contested matches wait for you');
    expect(said({ outcome: 'propose' })).toBe('Proposes; you decide');
    expect(said({ commit_certainty: [] })).toBe('Proposes; you decide');
    expect(said({ commit_certainty: ['unique', 'best', 'interchangeable', 'contested'] })).toBe('Matches whatever fits');
    expect(said({ commit_certainty: ['unique', 'best', 'contested'] })).toBe(
      'Matches what is unique or best fit or contested; the rest waits for you',
    );
  });

  it('finds the field that a path names', () => {
    const filters: RuleGroup = { rules: [AMOUNT, { operand: 'or', rules: [{ key: 'metadata.due', value: 'date' }] }] };
    expect(conditionAt(filters, 'filters.rules.1.rules.0.key')).toEqual({ field: 'metadata.due', side: 'a' });
    expect(conditionAt(filters, 'filters.rules.1.rules.0.value')).toEqual({ field: 'date', side: 'b' });
    expect(conditionAt(filters, 'filters.rules.0.key')).toEqual({ field: 'amount', side: 'a' });
    for (const path of ['filters.rules.1.key', 'filters.rules.9.key', 'filters.rules.0.operand', 'filters.rules.0.rules.0.key', '']) {
      expect(conditionAt(filters, path)).toBeNull();
    }
  });

  it('is a body that the service accepts', () => {
    expect(contract['rules.create'].input.safeParse({ reconciliation_id: 1, ...bodyOf(RULE) }).success).toBe(true);
    expect(Object.keys(bodyOf(RULE))).not.toContain('priority');
    expect(fieldText('metadata.a.b_c')).toBe('a b c');
  });
});

describe('a rule draft', () => {
  const row = (change: Partial<ConditionDraft>): ConditionDraft => ({
    id: 1,
    key: 'amount',
    operand: 'eq',
    value: 'amount',
    tolerance: '',
    unit: 'minor',
    choice: 1,
    transforms: { key: [], value: [] },
    ...change,
  });
  const conditionOf = (change: Partial<ConditionDraft>, places = 2) =>
    ruleOf({ ...FIRST_DRAFT, conditions: [row(change)] }, places)?.filters.rules[0];

  it('is a rule that the service accepts', () => {
    const body = ruleOf({ ...FIRST_DRAFT, description: ' Three days ' }, 2);
    expect(body).toEqual({
      filters: {
        operand: 'and',
        rules: [
          { key: 'signed_amount', value: 'signed_amount' },
          { key: 'date', value: 'date', tolerance_amount: 3, tolerance_unit: 'day' },
        ],
      },
      description: 'Three days',
      outcome: 'match',
    });
    expect(contract['rules.create'].input.safeParse({ reconciliation_id: 1, ...body }).success).toBe(true);
  });

  it.each([
    ['0.50', 2, 50],
    ['0.5', 2, 50],
    ['12', 2, 1_200],
    ['0.005', 2, 0.5],
    ['0.29', 2, 29],
    ['7', 0, 7],
    ['0.050', 3, 50],
  ])('money of %s at %d places is %d minor units', (tolerance, places, minor) => {
    expect(conditionOf({ tolerance }, places)).toEqual({ ...AMOUNT, tolerance_amount: minor, tolerance_unit: 'minor' });
  });

  it('omits a tolerance when there is none', () => {
    expect(conditionOf({ tolerance: ' ' })).toEqual(AMOUNT);
    expect(conditionOf({ operand: 'gt', tolerance: '5' })).toEqual({ ...AMOUNT, operand: 'gt' });
    expect(conditionOf({ key: 'date', value: 'date', unit: 'month', tolerance: '5' })).toEqual({ ...DATE, tolerance_unit: 'month' });
  });

  it('has no rule while something is missing', () => {
    for (const change of [{ key: '' }, { value: ' ' }, { tolerance: 'a lot' }, { tolerance: '-1' }])
      expect(conditionOf(change)).toBeUndefined();
    expect(ruleOf({ ...FIRST_DRAFT, conditions: [] }, 2)).toBeNull();
    expect(ruleOf(withCondition(FIRST_DRAFT), 2)).toBeNull();
  });

  it('keeps rows apart, copies a field to the other side, and drops what no longer fits', () => {
    expect(withCondition(FIRST_DRAFT).conditions.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(changedCondition(row({ tolerance: '5' }), { key: 'signed_amount' })).toMatchObject({ value: 'signed_amount', tolerance: '5' });
    expect(changedCondition(row({ tolerance: '5' }), { key: 'date' })).toMatchObject({ value: 'date', unit: 'day', tolerance: '' });
    expect(changedCondition(row({ value: 'metadata.fee' }), { key: 'signed_amount' })).toMatchObject({ value: 'metadata.fee' });
    expect(
      changedCondition(row({ key: 'reference', value: 'reference', unit: 'edit', operand: 'contains' }), { key: 'date' }),
    ).toMatchObject({
      operand: 'eq',
      unit: 'day',
    });
    expect(kindOf({ key: 'metadata.x', value: 'date' })).toBe('date');
    expect(kindOf({ key: 'metadata.x', value: 'metadata.x' })).toBe('text');
  });
});
