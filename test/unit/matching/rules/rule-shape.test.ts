import { describe, expect, test } from 'vitest';
import { type Comparison, ruleShape } from '../../../../src-main/domain/matching/rules/rule-shape.ts';
import type { Condition, RuleGroup } from '../../../../src-shared/contract/index.ts';

const AMOUNT: Condition = { key: 'amount', value: 'amount' };
const DATE: Condition = { key: 'date', value: 'date', tolerance_amount: 3 };
const REFERENCE: Condition = { key: 'reference', value: 'description' };

function shape(filters: RuleGroup, rest: Partial<Comparison> = {}): string {
  return ruleShape({ filters, cardinality: 'one_to_one', group_by: [], rollup: null, ...rest });
}

describe('the same shape', () => {
  const cases: readonly [string, RuleGroup, RuleGroup][] = [
    ['the order of conditions', { rules: [AMOUNT, DATE] }, { rules: [DATE, AMOUNT] }],
    ['the order of members', { rules: [{ key: 'date', value: 'date' }] }, { rules: [{ value: 'date', key: 'date' }] }],
    ['`and` and `eq` said or left out', { rules: [AMOUNT, DATE] }, { operand: 'and', rules: [{ ...AMOUNT, operand: 'eq' }, DATE] }],
    ['the usual unit', { rules: [DATE] }, { rules: [{ ...DATE, tolerance_unit: 'day' }] }],
    ['a tolerance of nothing', { rules: [AMOUNT] }, { rules: [{ ...AMOUNT, tolerance_amount: 0, tolerance_unit: 'minor' }] }],
    [
      'the way to write transforms',
      { rules: [{ ...REFERENCE, transforms: { key: 'lowercase', value: ['trim', { name: 'first_n_chars', args: { n: 3 } }] } }] },
      {
        rules: [
          {
            ...REFERENCE,
            transforms: { value: [{ name: 'trim' }, { args: { n: 3 }, name: 'first_n_chars' }], key: [{ name: 'lowercase' }] },
          },
        ],
      },
    ],
    ['no transforms', { rules: [REFERENCE] }, { rules: [{ ...REFERENCE, transforms: { key: null, value: [] } }] }],
    [
      'the amount of a month',
      { rules: [{ key: 'date', value: 'date', tolerance_unit: 'month' }] },
      { rules: [{ key: 'date', value: 'date', tolerance_unit: 'month', tolerance_amount: 2 }] },
    ],
    ['a condition said twice', { rules: [AMOUNT, DATE] }, { rules: [AMOUNT, DATE, { ...AMOUNT }] }],
    ['a group within one of its kind', { rules: [AMOUNT, DATE, REFERENCE] }, { rules: [AMOUNT, { rules: [REFERENCE, DATE] }] }],
    ['a group of one', { rules: [AMOUNT, DATE] }, { rules: [AMOUNT, { operand: 'or', rules: [DATE] }] }],
    ['`or` over one', { rules: [AMOUNT] }, { operand: 'or', rules: [AMOUNT] }],
    [
      'the order of groups',
      { operand: 'or', rules: [{ rules: [AMOUNT, DATE] }, { rules: [REFERENCE, DATE] }] },
      { operand: 'or', rules: [{ rules: [DATE, REFERENCE] }, { rules: [DATE, AMOUNT] }] },
    ],
  ];
  test.each(cases)('whatever %s', (_what, left, right) => {
    expect(shape(left)).toBe(shape(right));
  });
});

describe('another shape', () => {
  const cases: readonly [string, RuleGroup, RuleGroup][] = [
    ['another field', { rules: [AMOUNT] }, { rules: [{ ...AMOUNT, value: 'signed_amount' }] }],
    ['the sides exchanged', { rules: [REFERENCE] }, { rules: [{ key: 'description', value: 'reference' }] }],
    ['another tolerance', { rules: [DATE] }, { rules: [{ ...DATE, tolerance_amount: 4 }] }],
    ['no tolerance', { rules: [DATE] }, { rules: [{ key: 'date', value: 'date' }] }],
    ['another operand', { rules: [REFERENCE] }, { rules: [{ ...REFERENCE, operand: 'eq_or_missing' }] }],
    [
      'the order of transforms',
      { rules: [{ ...REFERENCE, transforms: { key: ['trim', 'lowercase'] } }] },
      { rules: [{ ...REFERENCE, transforms: { key: ['lowercase', 'trim'] } }] },
    ],
    [
      'transforms of the other side',
      { rules: [{ ...REFERENCE, transforms: { key: 'trim' } }] },
      { rules: [{ ...REFERENCE, transforms: { value: 'trim' } }] },
    ],
    ['a month', { rules: [{ key: 'date', value: 'date' }] }, { rules: [{ key: 'date', value: 'date', tolerance_unit: 'month' }] }],
    ['`or` in the place of `and`', { rules: [AMOUNT, DATE] }, { operand: 'or', rules: [AMOUNT, DATE] }],
    ['a condition more', { rules: [AMOUNT] }, { rules: [AMOUNT, DATE] }],
    [
      'what two metadata fields hold',
      { rules: [{ key: 'metadata.x', value: 'metadata.x' }] },
      { rules: [{ key: 'metadata.x', value: 'metadata.x', tolerance_unit: 'minor' }] },
    ],
    [
      'conditions in other groups',
      { rules: [AMOUNT, { operand: 'or', rules: [DATE, REFERENCE] }] },
      { rules: [DATE, { operand: 'or', rules: [AMOUNT, REFERENCE] }] },
    ],
  ];
  test.each(cases)('for %s', (_what, left, right) => {
    expect(shape(left)).not.toBe(shape(right));
  });

  test('for another cardinality, rollup and order of group_by', () => {
    const filters = { rules: [AMOUNT] };
    const rolled = {
      cardinality: 'many_to_one',
      group_by: ['date', 'currency'],
      rollup: { group_by_kind: 'date', lookback_days: 3, date_field: 'date', many_side: 'a' },
    } as const;
    const many = (rest: object) => shape(filters, { ...rolled, group_by: [...rolled.group_by], ...rest });
    const shapes = [shape(filters), many({}), many({ group_by: ['currency', 'date'] }), many({ rollup: { group_by_kind: 'identifier' } })];
    expect(new Set(shapes).size).toBe(4);
    expect(many({ rollup: { many_side: 'a', date_field: 'date', lookback_days: 3, group_by_kind: 'date' } })).toBe(many({}));
  });
});
