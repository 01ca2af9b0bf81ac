import { describe, expect, it } from 'vitest';
import type { Condition, RuleGroup } from '../../src-shared/contract/index.ts';
import { RULE_LIMITS } from '../../src-shared/contract/rules.ts';
import { compileRule } from '../../src-main/domain/matching/compile.ts';
import { defaultRules } from '../../src-main/domain/matching/default-rules.ts';

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
    expect(defaultRules().map((rule) => compileRule(rule.filters).ok)).toEqual([true, true, true]);
    expect(defaultRules().map((rule) => rule.outcome)).toEqual(['match', 'match', 'propose']);
    expect(defaultRules()[1]?.commit_certainty).toEqual(['unique', 'interchangeable']);
  });

  it('names the place and what is allowed there', () => {
    const result = compileRule({ rules: [{ rules: [{ key: 'amout', value: 'amount' }] }] });
    expect(result.ok ? [] : result.error).toEqual([
      {
        path: 'filters.rules.0.rules.0.key',
        code: 'unknown_field',
        message:
          '`amout` is not a field of side A. Allowed: reference, amount, signed_amount, date, currency, direction, description, external_id, data_stream_key, metadata.<key>.',
      },
    ]);
    expect(faults({ key: 'x', value: 'metadata.' })).toEqual(['filters.rules.0.key unknown_field', 'filters.rules.0.value unknown_field']);
    expect(faults({ key: 'constructor', value: 'toString' })).toHaveLength(2);
  });

  it('refuses tolerances that mean nothing', () => {
    const cases: [Condition, string][] = [
      [{ key: 'reference', value: 'reference', tolerance_amount: 1 }, 'tolerance_amount tolerance_not_allowed'],
      [{ key: 'direction', value: 'direction', tolerance_unit: 'day' }, 'tolerance_unit tolerance_not_allowed'],
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
    expect(faults({ key: 'nope', value: 'amount' }, { key: 'reference', value: 'reference', tolerance_amount: 1 })).toHaveLength(2);
  });
});
