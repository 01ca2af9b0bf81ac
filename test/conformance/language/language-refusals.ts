import type { Refusal } from '../refusals.ts';

const AMOUNT = { key: 'amount', value: 'amount' };
const DATE = { key: 'date', value: 'date' };
const TEXT = { key: 'description', value: 'description' };

/** A rule that cannot mean anything: refused at the place of its fault, with what is allowed there. */
function wrong(id: string, body: object, path: string, words: readonly string[], code: Refusal['code'] = 'invalid_rule'): Refusal {
  return {
    id: `language.${id}`,
    operation: 'rules.create',
    request: 'POST /reconciliation_rules',
    body: { reconciliation_id: '2', filters: { rules: [AMOUNT] }, ...body },
    status: 422,
    code,
    path,
    words,
  };
}

const condition = (id: string, leaf: object, member: string, words: readonly string[], code?: Refusal['code']) =>
  wrong(id, { filters: { rules: [leaf] } }, `filters.rules.0${member}`, words, code);

function nested(depth: number): object {
  return depth === 1 ? { rules: [AMOUNT] } : { rules: [nested(depth - 1)] };
}

const many = { cardinality: 'many_to_one', group_by: ['date'] };

export const LANGUAGE_REFUSALS: readonly Refusal[] = [
  condition('field.unknown', { key: 'amount', value: 'total' }, '.value', ['total', 'amount']),
  condition('tolerance.operand', { ...AMOUNT, operand: 'gt', tolerance_amount: 1 }, '.tolerance_amount', ['eq']),
  condition(
    'tolerance.unit',
    { ...AMOUNT, tolerance_amount: 1, tolerance_unit: 'week' },
    '.tolerance_unit',
    ['minor'],
    'validation_failed',
  ),
  condition('tolerance.type', { ...TEXT, tolerance_amount: 1, tolerance_unit: 'day' }, '.tolerance_unit', ['day']),
  condition('tolerance.day.fraction', { ...DATE, tolerance_amount: 1.5 }, '.tolerance_amount', ['whole']),
  condition('transform.unknown', { ...TEXT, transforms: { key: 'reverse' } }, '.transforms.key', ['lowercase'], 'validation_failed'),
  condition('transform.args', { ...TEXT, transforms: { key: { name: 'first_n_chars' } } }, '.transforms.key', ['n']),
  condition(
    'transform.pattern',
    { ...TEXT, transforms: { key: { name: 'extract', args: { pattern: '(a+)+b' } } } },
    '.transforms.key.args.pattern',
    [],
  ),
  wrong('depth', { filters: nested(9) }, `filters${'.rules.0'.repeat(8)}`, ['8']),
  wrong(
    'leaves',
    { filters: { rules: [{ rules: Array.from({ length: 33 }, () => AMOUNT) }, { rules: Array.from({ length: 32 }, () => AMOUNT) }] } },
    'filters',
    ['64'],
  ),
  wrong(
    'rollup.lookback',
    { ...many, rollup: { lookback_days: 0, date_field: 'date' } },
    'rollup.lookback_days',
    ['at least 1'],
    'validation_failed',
  ),
  wrong('rollup.together', { ...many, rollup: { lookback_days: 3 } }, 'rollup.date_field', ['date_field', 'lookback_days']),
  wrong('rollup.together.date_field', { ...many, rollup: { date_field: 'date' } }, 'rollup.lookback_days', ['date_field', 'lookback_days']),
  wrong('rollup.kind', { ...many, rollup: { group_by_kind: 'week' } }, 'rollup.group_by_kind', ['identifier'], 'validation_failed'),
  wrong('rollup.many_side', { ...many, rollup: { many_side: 'both' } }, 'rollup.many_side', ['a'], 'validation_failed'),
  wrong('group_by.date', { ...many, group_by: ['amount'], rollup: { lookback_days: 3, date_field: 'date' } }, 'group_by.0', ['date']),
  wrong('group_by.required', { cardinality: 'many_to_one', rollup: { group_by_kind: 'identifier' } }, 'group_by', ['group_by']),
];
