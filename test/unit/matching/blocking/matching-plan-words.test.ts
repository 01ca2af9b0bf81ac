import { describe, expect, it, test } from 'vitest';
import type { UsedPlan } from '../../../../src-main/domain/matching/blocking/plan.ts';
import { findMatches } from '../../../../src-main/domain/matching/engine.ts';
import { describeChosen, describePlan, describeRollup } from '../../../../src-main/domain/matching/explanation/describe-plan.ts';
import type { EngineInput } from '../../../../src-main/domain/matching/model/input.ts';
import { MATCH_LIMITS, type MatchLimits } from '../../../../src-main/domain/matching/model/limits.ts';
import type { EngineRule } from '../../../../src-main/domain/matching/model/rule.ts';
import { compileRule } from '../../../../src-main/domain/matching/rules/compile.ts';
import { rolledRule } from '../../../../src-main/domain/matching/rules/grouping-rule.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import type { Condition, RuleGroup } from '../../../../src-shared/contract/index.ts';
import {
  engineRecord,
  engineRule,
  matched,
  SAME_AMOUNT,
  SAME_REFERENCE,
  UNWATCHED,
  WITHIN_THREE_DAYS,
} from '../../../support/inputs/matching-records.ts';

const DEPENDS = 'Which of these it searches, and which it tests on the pairs found, depends on the records.';

function plan(filters: RuleGroup): string[] {
  const compiled = compileRule(filters);
  if (!compiled.ok) throw new Error(compiled.error.map((error) => error.message).join(' '));
  return describePlan(compiled.value, null);
}

describe('a rule alone in words', () => {
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
      DEPENDS,
    ]);
  });

  it('counts one of a unit as one', () => {
    const day = { key: 'date', value: 'date', tolerance_amount: 1 };
    const edit = { key: 'reference', value: 'reference', tolerance_amount: 1 };
    expect(plan({ rules: [day, edit] })).toEqual([
      'Look up by equal currency.',
      'Search sorted date within 1 day.',
      "Test on each pair found: side A's reference equals side B's reference, within 1 edit.",
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
      DEPENDS,
    ]);
  });
});

const NEAR: Condition = { ...SAME_AMOUNT, tolerance_amount: 5 };
const SAME_TEXT: Condition = { key: 'description', value: 'description' };
const IN_LIST: Condition = { key: 'reference', value: 'metadata.list', operand: 'in' };
const LATER: Condition = { key: 'date', value: 'date', operand: 'gte' };

/** What each of so many records a side has; the same on both sides. */
function sides(count: number, given: (index: number) => Partial<EngineRecord>): Pick<EngineInput, 'sideA' | 'sideB'> {
  const side = (firstId: number) => Array.from({ length: count }, (_, index) => engineRecord(firstId + index, given(index)));
  return { sideA: side(1), sideB: side(100_001) };
}

/** The words for what a run over records does with a rule. */
function said(records: Pick<EngineInput, 'sideA' | 'sideB'>, rule: EngineRule, limits?: MatchLimits): string[] {
  const input: EngineInput = { ...records, rules: [rule], signConvention: 'same', types: UNDECLARED, separations: new Set() };
  const plans: UsedPlan[] = [];
  const found = findMatches(input, { ...UNWATCHED, onPlan: (_, plan) => plans.push(plan) }, limits);
  const compiled = compileRule(rule.filters);
  if (!found.ok || !compiled.ok) throw new Error('the rule can run');
  const used = plans[0] ?? null;
  if (rule.cardinality === 'one_to_one') return describePlan(compiled.value, used);
  return describeRollup(rolledRule(rule, compiled.value, UNDECLARED, 'same'), used);
}

const ofRule = (...rules: RuleGroup['rules']) => engineRule(1, rules);
const either = (...rules: RuleGroup['rules']): RuleGroup => ({ operand: 'or', rules });

const FAR_AMOUNTS = sides(40, (index) => ({ amountMinor: 1_000 * (index + 1) }));
const FAR_DAYS = sides(40, (index) => ({ day: 20_000 + 10 * index }));
const ALIKE = sides(40, (index) => ({ amountMinor: 1_000 + (index % 4), reference: `R${index}`, metadata: { list: [`R${index}`] } }));

describe('the plan for some records in words', () => {
  it('of two tolerances says which one is searched and which one tested', () => {
    const rule = ofRule(NEAR, WITHIN_THREE_DAYS);
    expect(said(FAR_AMOUNTS, rule)).toEqual([
      'Look up by equal currency.',
      'Search sorted amount within 5 minor units.',
      "Test on each pair found: side A's date equals side B's date, within 3 days.",
    ]);
    expect(said(FAR_DAYS, rule)).toEqual([
      'Look up by equal currency.',
      'Search sorted date within 3 days.',
      "Test on each pair found: side A's amount equals side B's amount, within 5 minor units.",
    ]);
  });

  it('says that amounts are searched day by day, and tests what else there is', () => {
    const both = sides(600, (index) => ({ amountMinor: 1_000 + (index % 40), day: 20_000 + (index % 30) }));
    expect(said(both, ofRule(NEAR, WITHIN_THREE_DAYS, LATER))).toEqual([
      'Look up by equal currency.',
      'Search date day by day within 3 days, and on each day sorted amount within 5 minor units.',
      "Test on each pair found: side A's date is not less than side B's date.",
    ]);
  });

  it('of a list and a tolerance says which one is used', () => {
    const rule = ofRule(NEAR, IN_LIST);
    const lists = { ...FAR_AMOUNTS, sideB: FAR_AMOUNTS.sideB.map((record) => ({ ...record, metadata: { list: ['same'] } })) };
    const listed = { ...lists, sideA: lists.sideA.map((record) => ({ ...record, reference: 'same' })) };
    expect(said(ALIKE, rule)).toEqual([
      'Look up by equal currency.',
      "Look up side A's reference among the members of side B's list.",
      "Test on each pair found: side A's amount equals side B's amount, within 5 minor units.",
    ]);
    expect(said(listed, rule)).toEqual([
      'Look up by equal currency.',
      'Search sorted amount within 5 minor units.',
      "Test on each pair found: side A's reference is in side B's list.",
    ]);
  });

  it('tests the ways of an `or` where few pairs are left without them', () => {
    const month: Condition = { key: 'date', value: 'date', tolerance_unit: 'month' };
    const monday: Condition = { key: 'date', value: 'date', tolerance_amount: 0, tolerance_unit: 'business_day' };
    expect(said(FAR_AMOUNTS, ofRule(SAME_AMOUNT, either(SAME_REFERENCE, { rules: [month, either(monday, LATER)] })))).toEqual([
      'Look up by equal currency.',
      'Look up by equal amount.',
      'Test on each pair found: one of 2 ways must hold:',
      '  Way 1:',
      "    Side A's reference equals side B's reference.",
      '  Way 2:',
      "    Side A's date is in the month of side B's date.",
      '    One of 2 ways must hold:',
      '      Way 1:',
      "        Side A's date is the same business day as side B's date.",
      '      Way 2:',
      "        Side A's date is not less than side B's date.",
    ]);
  });

  it('goes through the `or` that leaves fewer pairs and tests the other; what its ways share is said once', () => {
    const references = either(SAME_REFERENCE, IN_LIST);
    const texts = either(SAME_TEXT, { rules: [NEAR] });
    const direction: Condition = { key: 'direction', value: 'direction' };
    const isDifferent: Condition = { key: 'reference', value: 'description', operand: 'neq' };
    const told = sides(40, (index) => ({ reference: `R${index}`, description: 'same', metadata: { list: [`R${index}`] } }));
    expect(said(told, ofRule(texts, direction, references, isDifferent))).toEqual([
      'Look up by equal currency.',
      'Look up by equal direction.',
      'Take what any of 2 ways finds:',
      '  Way 1:',
      '    Look up by equal reference.',
      '  Way 2:',
      "    Look up side A's reference among the members of side B's list.",
      "Test on each pair found: side A's reference differs from side B's description.",
      'Test on each pair found: one of 2 ways must hold:',
      '  Way 1:',
      "    Side A's description equals side B's description.",
      '  Way 2:',
      "    Side A's amount equals side B's amount, within 5 minor units.",
    ]);
  });

  it('says what each way of an `or` does with what stands around it', () => {
    expect(said(FAR_DAYS, ofRule(NEAR, either(SAME_TEXT, WITHIN_THREE_DAYS, LATER)))).toEqual([
      'Look up by equal currency.',
      'Search sorted amount within 5 minor units.',
      'Test on each pair found: one of 3 ways must hold:',
      '  Way 1:',
      "    Side A's description equals side B's description.",
      '  Way 2:',
      "    Side A's date equals side B's date, within 3 days.",
      '  Way 3:',
      "    Side A's date is not less than side B's date.",
    ]);
    expect(said(FAR_DAYS, ofRule(NEAR, either(SAME_TEXT, WITHIN_THREE_DAYS)))).toEqual([
      'Look up by equal currency.',
      'Take what any of 2 ways finds:',
      '  Way 1:',
      '    Look up by equal description.',
      '    Search sorted amount within 5 minor units.',
      '  Way 2:',
      '    Search sorted date within 3 days.',
      "    Test on each pair found: side A's amount equals side B's amount, within 5 minor units.",
    ]);
    expect(said(FAR_DAYS, engineRule(1, [], { filters: either(SAME_AMOUNT, either(SAME_TEXT, LATER)) }))).toEqual([
      'Look up by equal currency.',
      'Take what any of 2 ways finds:',
      '  Way 1:',
      '    Look up by equal amount.',
      '  Way 2:',
      '    Take what any of 2 ways finds:',
      '      Way 1:',
      '        Look up by equal description.',
      '      Way 2:',
      '        Nothing narrows the search: every pair is tested.',
      "        Test on each pair found: side A's date is not less than side B's date.",
    ]);
  });

  it('says that too many pairs are tested when they are looked at, unless none has to be', () => {
    const few = { ...MATCH_LIMITS, tests: 10 };
    const late = 'The search finds about 0 million pairs, too many to test them all: each is tested when it is looked at.';
    expect(said(ALIKE, ofRule(NEAR, LATER), few)).toEqual([
      'Look up by equal currency.',
      'Search sorted amount within 5 minor units.',
      "Test on each pair found: side A's date is not less than side B's date.",
      late,
    ]);
    expect(said(ALIKE, ofRule(NEAR), few)).toEqual(['Look up by equal currency.', 'Search sorted amount within 5 minor units.']);
    const used = { chosen: { exact: [], listed: null, swept: [], tested: [] }, pairs: 81_400_000, isTestedLate: true };
    expect(describeChosen(used).at(-1)).toBe(late.replace(' 0 ', ' 81 '));
  });

  it('says what could be used where a side has no records', () => {
    const records = { ...FAR_DAYS, sideB: [] };
    expect(said(records, ofRule(NEAR, WITHIN_THREE_DAYS))).toEqual([
      'Look up by equal currency.',
      'Search sorted amount within 5 minor units.',
      'Search sorted date within 3 days.',
      DEPENDS,
    ]);
  });
});

describe('how sums find their records in words', () => {
  const signed: Condition = { key: 'signed_amount', value: 'signed_amount', tolerance_amount: 5 };
  const roll = (kind: 'date' | 'identifier' | 'subset', groupBy: readonly string[], ...rules: RuleGroup['rules']) =>
    engineRule(1, rules, {
      cardinality: 'many_to_one',
      groupBy,
      rollup: { group_by_kind: kind, lookback_days: 3, date_field: 'date' },
    });

  it('by identifier is what was chosen for the groups', () => {
    const rule = roll('identifier', ['metadata.batch'], signed, WITHIN_THREE_DAYS);
    const keyed = sides(40, (index) => ({ day: 20_000 + 10 * index, metadata: { batch: `B${index}` } }));
    const heading = [
      "Sum side A's records with equal batch.",
      'Test on each group: its date from the date on side B up to 3 days back.',
      'Look up by equal currency.',
    ];
    expect(said(keyed, rule)).toEqual([
      ...heading,
      'Search sorted date within 3 days.',
      "Test on each pair found: side A's signed amount equals side B's signed amount, within 5 minor units.",
    ]);
    // No record has a key, so that there is no group.
    expect(said(FAR_DAYS, rule)).toEqual([
      ...heading,
      'Search sorted signed amount within 5 minor units.',
      'Search sorted date within 3 days.',
      DEPENDS,
    ]);
  });

  it.each([
    ['date', ['date', 'metadata.store'], "Sum side A's records over consecutive days of date, from the date on side B up to 3 days back."],
    [
      'subset',
      ['metadata.store'],
      'Look for 2 to 6 records of side A with equal store that add up, from the date on side B up to 3 days back.',
    ],
  ] as const)(
    'by %s is the same whatever the records are: where the totals lie is searched, what else is not equal is tested',
    (kind, by, first) => {
      expect(said(FAR_AMOUNTS, roll(kind, by, signed, WITHIN_THREE_DAYS, either(SAME_TEXT, LATER)))).toEqual([
        first,
        'Look up by equal currency.',
        'Look up by equal store.',
        'Search sorted signed amount within 5 minor units.',
        "Test on each pair found: side A's date equals side B's date, within 3 days.",
        'Test on each pair found: one of 2 ways must hold:',
        '  Way 1:',
        "    Side A's description equals side B's description.",
        '  Way 2:',
        "    Side A's date is not less than side B's date.",
      ]);
    },
  );
});

describe('found once: plan of no records', () => {
  // Where no record had a value to sweep along, the range of values was asked for its width: the run failed.
  test('a rule with an amount tolerance and a date window runs over no records, and over none on a side', () => {
    const rules = [engineRule(1, [{ ...SAME_AMOUNT, tolerance_amount: 20 }, WITHIN_THREE_DAYS])];
    expect(matched({ sideA: [], sideB: [], rules }).matches).toEqual([]);
    expect(matched({ sideA: [engineRecord(1)], sideB: [], rules }).matches).toEqual([]);
    expect(matched({ sideA: [], sideB: [engineRecord(2)], rules }).matches).toEqual([]);
  });
});

describe('found once: wide list refused', () => {
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
});
