import { describe, expect, it } from 'vitest';
import type { Condition, RuleGroup } from '../../../../src-shared/contract/index.ts';
import { RULE_LIMITS } from '../../../../src-shared/contract/rules/rule-language.ts';
import { compileRule } from '../../../../src-main/domain/matching/rules/compile.ts';
import { presetRules } from '../../../../src-shared/contract/rules/rule-presets.ts';

function faults(...rules: RuleGroup['rules']): string[] {
  const result = compileRule({ rules });
  return result.ok ? [] : result.error.map((error) => `${error.path} ${error.code}`);
}

function kindOf(condition: Condition): unknown {
  const result = compileRule({ rules: [condition] });
  return result.ok ? result.value.leaves[0]?.kind : result.error;
}

const amount = { key: 'amount', value: 'amount' };

describe('compileRule', () => {
  it('types the conditions and takes an absent operand for `and`', () => {
    const result = compileRule({
      rules: [
        { key: 'metadata.a.b', value: 'amount' },
        { operand: 'or', rules: [{ key: 'date', value: 'metadata.due', tolerance_amount: 3 }] },
      ],
    });
    expect(result).toMatchObject({ ok: true, value: { namesCurrency: false, root: { operand: 'and' } } });
    expect(result.ok && result.value.leaves.map((leaf) => leaf.kind)).toEqual(['number', 'date']);
  });

  it('accepts the default rules', () => {
    expect(presetRules('amount_and_date').map((rule) => compileRule(rule.filters).ok)).toEqual([true, true, true]);
    expect(presetRules('amount_and_date').map((rule) => rule.outcome)).toEqual(['match', 'match', 'propose']);
    expect(presetRules('amount_and_date')[1]?.commit_certainty).toEqual(['unique', 'interchangeable']);
  });

  it('names the place and what is allowed there', () => {
    const result = compileRule({ rules: [{ rules: [{ key: 'amout', value: 'amount' }] }] });
    expect(result.ok ? [] : result.error).toEqual([
      {
        path: 'filters.rules.0.rules.0.key',
        code: 'unknown_field',
        message:
          '`amout` is not a field of side A. Allowed: reference, amount, signed_amount, date, value_date, currency, direction, description, external_id, data_stream_key, metadata.<key>.',
      },
    ]);
    expect(faults({ key: 'x', value: 'metadata.' })).toEqual(['filters.rules.0.key unknown_field', 'filters.rules.0.value unknown_field']);
    expect(faults({ key: 'constructor', value: 'toString' })).toHaveLength(2);
  });

  it('refuses tolerances that mean nothing', () => {
    const cases: [Condition, string][] = [
      [{ key: 'reference', value: 'reference', tolerance_amount: 1.5 }, 'tolerance_amount fractional_edit'],
      [{ key: 'reference', value: 'reference', tolerance_amount: 101 }, 'tolerance_amount invalid_tolerance'],
      [{ key: 'direction', value: 'direction', tolerance_unit: 'day' }, 'tolerance_unit unit_not_allowed'],
      [{ key: 'date', value: 'date', tolerance_amount: 0.5, tolerance_unit: 'business_day' }, 'tolerance_amount fractional_day'],
      [{ key: 'date', value: 'metadata.due', tolerance_amount: 1, tolerance_unit: 'edit' }, 'tolerance_unit unit_not_allowed'],
      [{ ...amount, tolerance_unit: 'month' }, 'tolerance_unit unit_not_allowed'],
      [{ ...amount, tolerance_amount: 1e-30 }, 'tolerance_amount invalid_tolerance'],
      [{ ...amount, operand: 'gt', tolerance_unit: 'minor' }, 'tolerance_unit tolerance_not_allowed'],
      [{ key: 'date', value: 'date', tolerance_amount: 1.5 }, 'tolerance_amount fractional_day'],
      [{ key: 'date', value: 'date', tolerance_amount: 1, tolerance_unit: 'minor' }, 'tolerance_unit unit_not_allowed'],
      [{ ...amount, tolerance_amount: 1, tolerance_unit: 'day' }, 'tolerance_unit unit_not_allowed'],
      [{ ...amount, tolerance_amount: -1 }, 'tolerance_amount invalid_tolerance'],
      [{ ...amount, tolerance_amount: Number.NaN }, 'tolerance_amount invalid_tolerance'],
      [{ ...amount, tolerance_amount: 0, operand: 'eq_or_missing' }, 'tolerance_amount tolerance_not_allowed'],
      [{ key: 'metadata.a', value: 'metadata.b', tolerance_amount: 2 }, 'tolerance_unit unit_required'],
      [{ key: 'amount', value: 'date' }, 'value incomparable_fields'],
    ];
    for (const [condition, fault] of cases) expect(faults(condition)).toEqual([`filters.rules.0.${fault}`]);
  });

  it('takes the kind of two metadata fields from the unit', () => {
    const both = { key: 'metadata.a', value: 'metadata.b' };
    expect(kindOf(both)).toBe('text');
    expect(kindOf({ ...both, tolerance_amount: 2, tolerance_unit: 'minor' })).toBe('number');
    expect(kindOf({ ...both, tolerance_amount: 2, tolerance_unit: 'day' })).toBe('date');
  });

  it('refuses operands that mean nothing', () => {
    const wrong = { key: 'amount', value: 'amount', operand: 'like' } as unknown as Condition;
    expect(faults(wrong)).toEqual(['filters.rules.0.operand unknown_operand']);
    expect(faults({ ...amount, tolerance_unit: 'week' } as unknown as Condition)).toEqual(['filters.rules.0.tolerance_unit unknown_unit']);
    expect(faults({ ...amount, operand: 'contains' })).toEqual(['filters.rules.0.operand operand_not_allowed']);
    expect(faults({ key: 'metadata.a', value: 'metadata.b', operand: 'gt' })).toEqual(['filters.rules.0.operand type_required']);
    expect(faults({ key: 'description', value: 'date', operand: 'in' })).toEqual(['filters.rules.0.value incomparable_fields']);
    for (const operand of ['contains', 'in', 'not_in', 'neq', 'gt'] as const) {
      expect(faults({ key: 'description', value: 'reference', operand })).toEqual([]);
    }
    expect(kindOf({ key: 'amount', value: 'reference', operand: 'in' })).toBe('number');
    expect(kindOf({ key: 'metadata.paid', value: 'date', operand: 'lte' })).toBe('date');
  });

  it('refuses transforms that mean nothing, at their own place', () => {
    const reference = { key: 'reference', value: 'reference' };
    const withKey = (key: unknown) => faults({ ...reference, transforms: { key } } as unknown as Condition);
    const at = 'filters.rules.0.transforms.key';
    expect(withKey('shout')).toEqual([`${at} unknown_transform`]);
    expect(withKey(['trim', { name: 'first_n_chars' }])).toEqual([`${at}.1 missing_argument`]);
    expect(withKey({ name: 'first_n_chars', args: { n: 0 } })).toEqual([`${at}.args.n invalid_argument`]);
    expect(withKey({ name: 'trim', args: { n: 2 } })).toEqual([`${at}.args.n argument_not_allowed`]);
    expect(withKey({ name: 'extract' })).toEqual([`${at} missing_argument`]);
    expect(withKey({ name: 'extract', args: { pattern: '(' } })).toEqual([`${at}.args.pattern invalid_pattern`]);
    expect(withKey({ name: 'extract', args: { pattern: '(a+)+$' } })).toEqual([`${at}.args.pattern dangerous_pattern`]);
    expect(withKey('negate')).toEqual([`${at} transform_not_allowed`]);
    expect(withKey(Array.from({ length: 17 }, () => 'trim'))).toEqual([`${at} too_many_transforms`]);
    expect(faults({ key: 'amount', value: 'amount', transforms: { value: 'trim' } })).toEqual([
      'filters.rules.0.transforms.value transform_not_allowed',
    ]);
    expect(faults({ key: 'metadata.a', value: 'amount', transforms: { key: ['absolute', 'trim'] } })).toEqual([
      `${at}.1 transform_not_allowed`,
    ]);
  });

  it('lets a changed text be read as what it is compared with', () => {
    const digits = { name: 'extract', args: { pattern: '([0-9.]+)' } } as const;
    expect(kindOf({ key: 'description', value: 'amount', transforms: { key: digits } })).toBe('number');
    expect(kindOf({ key: 'description', value: 'amount', transforms: { key: [digits, 'negate'] } })).toBe('number');
    expect(kindOf({ key: 'description', value: 'reference', transforms: { key: digits }, tolerance_amount: 1 })).toBe('text');
  });

  it('takes what property definitions declare', () => {
    const types = { a: new Map([['n', 'number'] as const, ['s', 'string'] as const]), b: new Map([['d', 'datetime'] as const]) };
    const compiled = (condition: Condition) => compileRule({ rules: [condition] }, types);
    expect(compiled({ key: 'metadata.n', value: 'metadata.x', operand: 'gt' })).toMatchObject({
      ok: true,
      value: { leaves: [{ kind: 'number' }] },
    });
    expect(compiled({ key: 'metadata.x', value: 'metadata.d', tolerance_amount: 2 })).toMatchObject({
      ok: true,
      value: { leaves: [{ kind: 'date', tolerance: { unit: 'day' } }] },
    });
    expect(compiled({ key: 'metadata.s', value: 'amount' })).toMatchObject({ ok: false, error: [{ code: 'incomparable_fields' }] });
  });

  it('bounds depth and number of conditions', () => {
    const nested = (depth: number): RuleGroup => (depth === 1 ? { rules: [amount] } : { rules: [nested(depth - 1)] });
    expect(compileRule(nested(RULE_LIMITS.depth)).ok).toBe(true);
    const deep = compileRule(nested(RULE_LIMITS.depth + 1));
    expect(deep.ok ? [] : deep.error.map((error) => error.code)).toEqual(['too_deep']);
    const halves = Array.from({ length: 2 }, (): RuleGroup => ({
      operand: 'or',
      rules: Array.from({ length: RULE_LIMITS.leaves / 2 }, () => amount),
    }));
    expect(faults(...halves)).toEqual([]);
    expect(faults(...halves, amount)).toEqual(['filters too_many_conditions']);
    expect(faults({ rules: [] })).toEqual(['filters.rules.0.rules empty_group']);
  });

  it('reports every fault at once', () => {
    expect(faults({ key: 'nope', value: 'amount' }, { key: 'reference', value: 'reference', tolerance_amount: 1.5 })).toHaveLength(2);
  });
});
