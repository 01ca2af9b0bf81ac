import { describe, expect, it, test } from 'vitest';
import {
  changedGrouping,
  choicesOf,
  type ConditionDraft,
  draftOf,
  faultsAfter,
  FIRST_DRAFT,
  FIRST_GROUPING,
  groupingOf,
  isGroupingWritten,
  placeFaults,
  type RuleDraft,
  ruleOf,
  withCondition,
} from '../../../../src-renderer/state/rule-draft.ts';
import { checkRule } from '../../../../src-main/rules/operations/rule-input.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import { contract, type RuleBody } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { FIRST_NOTATION, inNotation } from '../../../../src-shared/values/notation.ts';

const first = (draft: RuleDraft): ConditionDraft => present(draft.conditions[0], 'condition');

function filled(draft: RuleDraft, change: Partial<ConditionDraft>): RuleDraft {
  return {
    ...draft,
    conditions: draft.conditions.map((row) => (row.key === '' ? { ...row, key: 'reference', value: 'description', ...change } : row)),
  };
}

/** Returns the service's errors about a body; none when it is valid. */
function saidOf(body: RuleBody | null): readonly string[] {
  const given = present(body, 'body');
  expect(contract['rules.create'].input.safeParse({ reconciliation_id: 1, ...given }).success).toBe(true);
  return (checkRule(given, UNDECLARED)?.error.errors ?? []).map(({ path }) => path);
}

describe('alternatives in a rule draft', () => {
  it('are neighbouring rows of which one must hold', () => {
    const draft = filled(withCondition(FIRST_DRAFT, first(FIRST_DRAFT)), {});
    expect(draft.conditions.map(({ id, choice }) => [id, choice])).toEqual([
      [1, 1],
      [3, 1],
      [2, 2],
    ]);
    expect(choicesOf(draft).map((rows) => rows.length)).toEqual([2, 1]);
    const body = ruleOf(draft, 2);
    expect(body?.filters).toEqual({
      operand: 'and',
      rules: [
        {
          operand: 'or',
          rules: [
            { key: 'signed_amount', value: 'signed_amount' },
            { key: 'reference', value: 'description' },
          ],
        },
        { key: 'date', value: 'date', tolerance_amount: 3, tolerance_unit: 'day' },
      ],
    });
    expect(saidOf(body)).toEqual([]);
  });

  it('are one condition again once the others are removed', () => {
    const draft = filled(withCondition(FIRST_DRAFT, first(FIRST_DRAFT)), {});
    const left = { ...draft, conditions: draft.conditions.filter(({ id }) => id !== 1) };
    expect(ruleOf(left, 2)?.filters.rules[0]).toEqual({ key: 'reference', value: 'description' });
  });
});

describe('transforms of values', () => {
  const withSteps = (...value: ConditionDraft['transforms']['value']) =>
    filled(withCondition(FIRST_DRAFT), { transforms: { key: [{ name: 'trim', n: '', pattern: '' }], value } });

  it('are applied in order, with their arguments', () => {
    const body = ruleOf(
      withSteps(
        { name: 'extract', n: '', pattern: 'INV-(\\d+)' },
        { name: 'last_n_chars', n: '4', pattern: '' },
        { name: 'digits_only', n: '', pattern: '' },
      ),
      2,
    );
    expect(body?.filters.rules[2]).toEqual({
      key: 'reference',
      value: 'description',
      transforms: {
        key: ['trim'],
        value: [{ name: 'extract', args: { pattern: 'INV-(\\d+)' } }, { name: 'last_n_chars', args: { n: 4 } }, 'digits_only'],
      },
    });
    expect(saidOf(body)).toEqual([]);
  });

  test.each([
    { name: 'extract', n: '', pattern: '' },
    { name: 'first_n_chars', n: '', pattern: '' },
    { name: 'last_n_chars', n: '0', pattern: '' },
    { name: 'last_n_chars', n: 'x', pattern: '' },
  ] as const)('wait for what $name needs: $n', (step) => {
    expect(ruleOf(withSteps(step), 2)).toBeNull();
  });
});

describe('certainties that count at once', () => {
  it('are sent only when they are not the default', () => {
    expect(ruleOf(FIRST_DRAFT, 2)).not.toHaveProperty('commit_certainty');
    expect(ruleOf({ ...FIRST_DRAFT, certainties: ['interchangeable', 'best', 'unique'] }, 2)).not.toHaveProperty('commit_certainty');
    expect(ruleOf({ ...FIRST_DRAFT, certainties: ['unique'] }, 2)).toMatchObject({ commit_certainty: ['unique'] });
    expect(ruleOf({ ...FIRST_DRAFT, certainties: [] }, 2)).toMatchObject({ commit_certainty: [] });
    expect(ruleOf({ ...FIRST_DRAFT, outcome: 'propose', certainties: ['unique'] }, 2)).not.toHaveProperty('commit_certainty');
  });
});

describe('several lines to one', () => {
  const grouped = (change: Partial<typeof FIRST_GROUPING>) => changedGrouping({ ...FIRST_GROUPING, isGrouped: true }, change);
  const bodyOf = (change: Partial<typeof FIRST_GROUPING>) => ruleOf({ ...FIRST_DRAFT, grouping: grouped(change) }, 2);

  test.each([
    [
      { groupBy: ['metadata.batch_id'] },
      { cardinality: 'many_to_one', group_by: ['metadata.batch_id'], rollup: { group_by_kind: 'identifier', many_side: 'a' } },
    ],
    [
      { kind: 'date', days: '3', groupBy: ['currency'] },
      {
        cardinality: 'many_to_one',
        group_by: ['date', 'currency'],
        rollup: { group_by_kind: 'date', many_side: 'a', lookback_days: 3, date_field: 'date' },
      },
    ],
    [
      { kind: 'subset', side: 'b', most: '12' },
      {
        cardinality: 'many_to_one',
        group_by: [],
        rollup: { group_by_kind: 'subset', many_side: 'b', lookback_days: 5, date_field: 'date', max_records: 12 },
      },
    ],
  ] as const)('are what the service takes: %j', (change, members) => {
    const body = bodyOf(change);
    expect(body).toMatchObject(members);
    expect(saidOf(body)).toEqual([]);
  });

  it('are incomplete until everything is given', () => {
    expect(bodyOf({})).toBeNull();
    expect(bodyOf({ groupBy: ['reference'], days: '-1' })).toBeNull();
    expect(isGroupingWritten({ ...grouped({ kind: 'subset' }), days: '' })).toBe(false);
    expect(groupingOf(FIRST_GROUPING)).toEqual({});
  });

  it('forget the fields of the other side', () => {
    const before = grouped({ groupBy: ['metadata.batch_id'] });
    expect(changedGrouping(before, { days: '3' }).groupBy).toEqual(['metadata.batch_id']);
    expect(changedGrouping(before, { side: 'b' }).groupBy).toEqual([]);
  });
});

describe('errors of the service', () => {
  const grouping = { ...FIRST_GROUPING, isGrouped: true, groupBy: ['reference'], days: '4', dateField: 'description' };
  const steps = { key: [], value: [{ name: 'extract', n: '', pattern: '(' }] } as const;
  const draft: RuleDraft = { ...filled(withCondition(FIRST_DRAFT, first(FIRST_DRAFT)), { transforms: steps }), grouping };

  it('belong to their row and field', () => {
    const errors = present(checkRule(present(ruleOf(draft, 2), 'body'), UNDECLARED)?.error.errors, 'errors');
    const faults = placeFaults(draft, [...errors, { path: 'priority', code: 'x', message: 'Something else.' }]);
    expect([...faults.keys()]).toEqual(['row 3', 'rollup.date_field', 'rule']);
    expect(faults.get('row 3')?.join()).toContain('(');
    // The path of row 10 does not match row 1.
    const many = Array.from({ length: 11 }, () => 0).reduce((grown) => withCondition(grown), FIRST_DRAFT);
    const at = (path: string) => [...placeFaults(many, [{ path, code: 'x', message: 'm' }]).keys()];
    expect([at('filters.rules.1.key'), at('filters.rules.10.key'), at('filters')]).toEqual([['row 2'], ['row 11'], ['rule']]);
  });

  it('disappear with a change of their subject, and stay with any other', () => {
    const faults = new Map([
      ['row 1', ['a']],
      ['row 3', ['b']],
      ['rollup.date_field', ['c']],
      ['rule', ['d']],
    ]);
    const keys = (after: RuleDraft) => [...faultsAfter(faults, draft, after).keys()];
    expect(keys({ ...draft, description: 'x' })).toEqual(['row 1', 'row 3', 'rollup.date_field']);
    expect(keys({ ...draft, conditions: draft.conditions.map((row) => (row.id === 3 ? { ...row, value: 'date' } : row)) })).toEqual([
      'row 1',
      'rollup.date_field',
    ]);
    expect(keys({ ...draft, grouping: FIRST_GROUPING })).toEqual(['row 1', 'row 3']);
  });
});

describe('a stored rule in the form', () => {
  const stored = (filters: RuleBody['filters'], more: Partial<RuleBody> = {}): RuleBody => ({ filters, description: 'Of June', ...more });
  const amount = { key: 'signed_amount', value: 'signed_amount', tolerance_amount: 50, tolerance_unit: 'minor' } as const;
  const prepared = {
    key: 'reference',
    value: 'description',
    transforms: { key: ['trim', { name: 'last_n_chars', args: { n: 4 } }], value: [{ name: 'extract', args: { pattern: 'INV-\\d+' } }] },
  } as const satisfies object;

  it.each<[string, RuleBody]>([
    ['a plain one', stored({ operand: 'and', rules: [amount, { key: 'date', value: 'date', operand: 'gte' }] })],
    [
      'alternatives',
      stored({
        rules: [
          { operand: 'or', rules: [amount, prepared as never] },
          { key: 'date', value: 'date' },
        ],
      }),
    ],
    ['a month', stored({ rules: [{ key: 'date', value: 'date', tolerance_unit: 'month' }] }, { outcome: 'propose' })],
    ['certainties', stored({ rules: [amount] }, { commit_certainty: ['unique'] })],
    [
      'a group',
      stored(
        { rules: [{ key: 'date', value: 'date' }] },
        {
          cardinality: 'many_to_one',
          group_by: ['reference'],
          rollup: { group_by_kind: 'identifier', many_side: 'b', lookback_days: 4, date_field: 'value_date' },
        },
      ),
    ],
  ])('%s comes back as it was', (_, body) => {
    const draft = present(draftOf(body, 2), 'draft');
    const written = present(ruleOf(draft, 2), 'rule');
    expect(draftOf(written, 2)).toEqual(draft);
    expect(written).toMatchObject({
      description: 'Of June',
      outcome: body.outcome ?? 'match',
      ...(body.rollup ? { rollup: body.rollup } : {}),
    });
  });

  it.each<[string, RuleBody]>([
    ['a choice of groups', stored({ rules: [{ operand: 'or', rules: [{ operand: 'and', rules: [amount, amount] }, amount] }] })],
    ['a choice at the top', stored({ operand: 'or', rules: [amount, { key: 'date', value: 'date' }] })],
    ['all of a group', stored({ rules: [{ operand: 'and', rules: [amount, amount] }] })],
    ['evidence', stored({ rules: [amount] }, { method: 'evidence', budget: 10 })],
  ])('%s is not shown, as the form could not keep it', (_, body) => {
    expect(draftOf(body, 2)).toBeNull();
  });
});

describe('the tolerance of a condition takes the decimal mark of the book, and shows it', () => {
  const COMMA = { ...FIRST_NOTATION, decimal: ',', groups: '.' } as const;
  const within = (tolerance: string, unit: ConditionDraft['unit']): unknown => {
    const row = { ...first(FIRST_DRAFT), key: 'signed_amount', value: 'signed_amount', tolerance, unit };
    const rule = ruleOf({ ...FIRST_DRAFT, description: 'Of June', conditions: [row] }, 2);
    return rule === null ? null : Reflect.get(present(rule.filters.rules[0], 'condition'), 'tolerance_amount');
  };

  it.each([
    ['0.50', 'minor', 50, 50],
    ['0,50', 'minor', 50, 50],
    ['1.234', 'minor', 123.4, 123_400],
    ['1,234', 'minor', 123_400, 123.4],
    ['1.234,50', 'minor', 123_450, 123_450],
    ['1,234.50', 'minor', 123_450, 123_450],
    ['0,5', 'percent', 0.5, 0.5],
    ['2', 'percent', 2, 2],
    ['', 'minor', undefined, undefined],
    ['0,5,0', 'minor', null, null],
    ['-1', 'minor', null, null],
    ['some', 'minor', null, null],
  ] as const)('“%s” in %s', (typed, unit, withPoint, withComma) => {
    expect(inNotation(FIRST_NOTATION, () => within(typed, unit))).toBe(withPoint);
    expect(inNotation(COMMA, () => within(typed, unit))).toBe(withComma);
  });

  it.each([
    ['minor', 50, '0,50'],
    ['minor', 123_450, '1234,50'],
    ['percent', 0.5, '0,5'],
    ['day', 3, '3'],
  ] as const)('%s %s is shown as %s, and is the same again', (unit, amount, text) => {
    const key = unit === 'day' ? 'date' : 'signed_amount';
    const body: RuleBody = {
      filters: { rules: [{ key, value: key, tolerance_amount: amount, tolerance_unit: unit }] },
      description: 'Of June',
    };
    inNotation(COMMA, () => {
      const draft = present(draftOf(body, 2), 'draft');
      expect(first(draft).tolerance).toBe(text);
      expect(present(ruleOf(draft, 2), 'rule').filters.rules).toEqual(body.filters.rules);
    });
  });
});
