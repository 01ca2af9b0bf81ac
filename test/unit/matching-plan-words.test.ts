import { describe, expect, it } from 'vitest';
import type { RuleGroup } from '../../src-shared/contract/index.ts';
import { compileRule } from '../../src-main/domain/matching/compile.ts';
import { describePlan } from '../../src-main/domain/matching/describe-plan.ts';

function plan(filters: RuleGroup): string[] {
  const compiled = compileRule(filters);
  if (!compiled.ok) throw new Error(compiled.error.map((error) => error.message).join(' '));
  return describePlan(compiled.value);
}

describe('a plan in words', () => {
  it('says what is looked up, what is searched and what is tested', () => {
    const filters: RuleGroup = {
      rules: [
        { key: 'metadata.order_id', value: 'description', transforms: { value: { name: 'extract', args: { pattern: 'ORD-\\d+' } } } },
        { key: 'amount', value: 'amount', tolerance_amount: 0.5, tolerance_unit: 'dollar' },
        { key: 'date', value: 'date', tolerance_unit: 'month' },
        { key: 'reference', value: 'reference', tolerance_amount: 2 },
        { key: 'external_id', value: 'metadata.ids', operand: 'in' },
        { key: 'direction', value: 'direction', operand: 'neq' },
      ],
    };
    expect(plan(filters)).toEqual([
      'Look up by equal currency.',
      'Look up by equal order id and description (extract ORD-\\d+).',
      'Look up by equal date month.',
      "Look up side A's external id among the members of side B's ids.",
      'Search sorted amount within 0.5 currency units.',
      "Test on each pair found: side A's reference equals side B's reference, within 2 edits.",
      "Test on each pair found: side A's direction differs from side B's direction.",
    ]);
  });

  it('shows the ways of an `or`, and says when nothing narrows the search', () => {
    const amount = { key: 'amount', value: 'amount' };
    const percent = { ...amount, tolerance_amount: 5, tolerance_unit: 'percent' as const };
    expect(plan({ operand: 'or', rules: [amount, { rules: [percent, { key: 'date', value: 'date', operand: 'gte' }] }] })).toEqual([
      'Look up by equal currency.',
      'Take what any of 2 ways finds:',
      '  Way 1:',
      '    Look up by equal amount.',
      '  Way 2:',
      '    Search sorted amount within 5 percent of the larger.',
      "    Test on each pair found: side A's date is not less than side B's date.",
    ]);
    const named = { key: 'currency', value: 'currency', operand: 'neq' as const };
    expect(plan({ rules: [named, { ...percent, tolerance_amount: 100 }] })).toEqual([
      'Nothing narrows the search: every pair is tested.',
      "Test on each pair found: side A's currency differs from side B's currency.",
      "Test on each pair found: side A's amount equals side B's amount, within 100 percent of the larger.",
    ]);
    expect(
      plan({
        rules: [
          { key: 'date', value: 'date' },
          { operand: 'or', rules: [amount, named] },
        ],
      }),
    ).toEqual([
      'Look up by equal date.',
      'Of these, one of 2 must hold:',
      '  Way 1:',
      '    Look up by equal amount.',
      '  Way 2:',
      "    Test on each pair found: side A's currency differs from side B's currency.",
    ]);
  });
});
