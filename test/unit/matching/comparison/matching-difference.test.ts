import { describe, expect, it } from 'vitest';
import { leavesNoDifference } from '../../../../src-main/domain/matching/engine.ts';
import { compileRule } from '../../../../src-main/domain/matching/rules/compile.ts';
import type { Condition, RuleGroup, SignConvention } from '../../../../src-shared/contract/index.ts';

const AMOUNT: Condition = { key: 'amount', value: 'amount' };
const DIRECTION: Condition = { key: 'direction', value: 'direction' };
const SIGNED: Condition = { key: 'signed_amount', value: 'signed_amount' };
const DATE: Condition = { key: 'date', value: 'date', tolerance_amount: 3 };

function isWithout(rules: RuleGroup['rules'], convention: SignConvention, operand?: RuleGroup['operand']): boolean {
  const compiled = compileRule({ rules, ...(operand === undefined ? {} : { operand }) });
  if (!compiled.ok) throw new Error('the rule is a rule');
  return leavesNoDifference(compiled.value, convention);
}

describe('a rule leaves no difference', () => {
  it('where it ties equal amounts of one direction, or the convention asks for no direction', () => {
    expect(isWithout([AMOUNT, DIRECTION, DATE], 'same')).toBe(true);
    expect(isWithout([DATE, { rules: [AMOUNT, DIRECTION] }], 'same')).toBe(true);
    expect(isWithout([AMOUNT], 'any')).toBe(true);
    for (const convention of ['same', 'opposite', 'any'] as const) expect(isWithout([SIGNED], convention)).toBe(true);
  });

  it('and may leave one where the directions, the amounts or the conditions that hold can differ', () => {
    expect(isWithout([AMOUNT], 'same')).toBe(false);
    expect(isWithout([AMOUNT, DIRECTION], 'opposite')).toBe(false);
    expect(isWithout([{ ...AMOUNT, tolerance_amount: 1 }, DIRECTION], 'same')).toBe(false);
    expect(isWithout([{ ...AMOUNT, operand: 'gte' }, DIRECTION], 'same')).toBe(false);
    expect(isWithout([{ ...AMOUNT, transforms: { key: ['negate'] } }, DIRECTION], 'same')).toBe(false);
    expect(isWithout([AMOUNT, DIRECTION], 'same', 'or')).toBe(false);
    expect(isWithout([DATE, { operand: 'or', rules: [SIGNED, DIRECTION] }], 'same')).toBe(false);
    expect(isWithout([{ key: 'amount', value: 'signed_amount' }, DIRECTION], 'same')).toBe(false);
  });
});
