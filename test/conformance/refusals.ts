import type { ErrorCode, OperationId } from '../../src-shared/contract/index.ts';
import { LANGUAGE_REFUSALS } from './language/language-refusals.ts';
import type { Method } from '../../src-shared/contract/operation.ts';

export interface Refusal {
  readonly id: string;
  readonly operation: OperationId;
  readonly request: `${Method} /${string}`;
  readonly body?: unknown;
  readonly status: number;
  readonly code: ErrorCode;
  /** The field that `errors` names, dotted; null where the fault is in no field. */
  readonly path: string | null;
  /** Parts of the sentence: the field, the limit. */
  readonly words: readonly string[];
}

const record = { data_stream_key: 'bank', date: '2026-06-10', amount: 100 };
const long = (length: number) => 'x'.repeat(length);
const condition = { key: 'amount', value: 'amount' };
const rule = { reconciliation_id: '1', filters: { rules: [condition] } };
const balance = { bank_account_id: '1', date: '2026-06-30', balance_type: 'other', amount_cents: 1 };
const nowhere = 999_999;

/** A wrong record: the change to a right one, the code of its fault is that of the whole. */
function wrongRecord(id: string, change: object, path: string, words: readonly string[], code: ErrorCode = 'validation_failed'): Refusal {
  const body = { ...record, ...change };
  return { id: `record.${id}`, operation: 'records.create', request: 'POST /records', body, status: 422, code, path, words };
}

/** A wrong query of GET /records. */
function wrongQuery(id: string, query: string, path: string, words: readonly string[], code: ErrorCode = 'validation_failed'): Refusal {
  return { id: `records.query.${id}`, operation: 'records.list', request: `GET /records?${query}`, status: 422, code, path, words };
}

function wrongRule(id: string, body: object, path: string, words: readonly string[], code: ErrorCode = 'validation_failed'): Refusal {
  const whole = { ...rule, ...body };
  return {
    id: `rule.${id}`,
    operation: 'rules.create',
    request: 'POST /reconciliation_rules',
    body: whole,
    status: 422,
    code,
    path,
    words,
  };
}

function wrong(
  operation: OperationId,
  id: string,
  request: Refusal['request'],
  body: unknown,
  path: string,
  words: readonly string[],
): Refusal {
  return { id, operation, request, body, status: 422, code: 'validation_failed', path, words };
}

function absent(operation: OperationId, request: Refusal['request']): Refusal {
  return { id: `not_found.${operation}`, operation, request, status: 404, code: 'not_found', path: null, words: [] };
}

const records: readonly Refusal[] = [
  wrongRecord('date.exists', { date: '2026-02-30' }, 'date', ['date', 'exists']),
  wrongRecord('date.form', { date: '30/06/2026' }, 'date', ['date', 'YYYY-MM-DD']),
  wrongRecord('date.required', { date: undefined }, 'date', ['date is required']),
  wrongRecord('amount.required', { amount: undefined }, 'amount', ['amount is required']),
  wrongRecord('amount.whole', { amount: 12.5 }, 'amount', ['amount', 'whole number']),
  wrongRecord('amount.safe', { amount: 9_007_199_254_740_992 }, 'amount', ['9007199254740991']),
  wrongRecord('amount.number', { amount: '100' }, 'amount', ['amount must be a number']),
  wrongRecord('amount.zero_needs_direction', { amount: 0 }, 'amount', ['direction']),
  wrongRecord('amount.negative_with_direction', { amount: -5, direction: 'debit' }, 'amount', ['amount', 'direction']),
  wrongRecord('direction.values', { direction: 'up' }, 'direction', ['credit, debit']),
  wrongRecord('currency.letters', { currency: 'EURO' }, 'currency', ['three-letter']),
  wrongRecord('description.length', { description: long(2_001) }, 'description', ['2000']),
  wrongRecord('external_id.length', { external_id: long(256) }, 'external_id', ['255']),
  wrongRecord('metadata.object', { metadata: [] }, 'metadata', ['metadata must be an object']),
  wrongRecord('metadata.size', { metadata: { note: long(16_384) } }, 'metadata', ['16384 bytes']),
  wrongRecord('metadata.key_length', { metadata: { [long(101)]: 1 } }, `metadata.${long(101)}`, ['100']),
  wrongRecord('stream.required', { data_stream_key: undefined }, 'data_stream_key', ['data_stream_key is required']),
  wrongRecord('stream.exists', { data_stream_key: 'nowhere' }, 'data_stream_key', ['nowhere'], 'unknown_reference'),
  wrongRecord('unknown_field', { colour: 'red' }, 'colour', ['colour', 'not known'], 'unknown_field'),
  wrongRecord('status.read_only', { status: 'reconciled' }, 'status', ['status', 'read-only'], 'read_only_field'),
  wrongRecord('id.read_only', { id: 5 }, 'id', ['id', 'read-only'], 'read_only_field'),
  wrongRecord('external_id.taken', { external_id: 'bank-1' }, 'external_id', ['bank-1'], 'key_taken'),
];

const queries: readonly Refusal[] = [
  wrongQuery('limit.least', 'limit=0', 'limit', ['at least 1']),
  wrongQuery('limit.most', 'limit=101', 'limit', ['at most 100']),
  wrongQuery('limit.empty', 'limit=', 'limit', ['limit must be a number']),
  wrongQuery('offset.least', 'offset=-1', 'offset', ['at least 0']),
  wrongQuery('unknown', 'limt=5', 'limt', ['limt'], 'unknown_field'),
  wrongQuery('repeated', 'limit=5&limit=6', 'limit', ['more than once']),
  wrongQuery('date_from', 'date_from=yesterday', 'date_from', ['YYYY-MM-DD']),
  wrongQuery('status', 'status=lost', 'status', ['reconciled']),
  wrongQuery('direction', 'direction=up', 'direction', ['credit']),
  wrongQuery('side', 'reconciliation_id=1&side=c', 'side', ['a, b']),
  wrongQuery('sort', 'sort=colour', 'sort', ['created_at']),
  wrongQuery('amount_min', 'amount_min=1.5', 'amount_min', ['amount_min']),
  wrongQuery('currency', 'currency=POUND', 'currency', ['three-letter']),
  wrongQuery('reconciliation_id.form', 'reconciliation_id=one', 'reconciliation_id', ['digits']),
];

const streams: readonly Refusal[] = [
  wrong('streams.create', 'stream.key.required', 'POST /data_streams', { name: 'x' }, 'key', ['key is required']),
  wrong('streams.create', 'stream.key.letters', 'POST /data_streams', { key: 'Big', name: 'x' }, 'key', ['a-z 0-9']),
  wrong('streams.create', 'stream.key.start', 'POST /data_streams', { key: '-a', name: 'x' }, 'key', ['start with']),
  wrong('streams.create', 'stream.key.length', 'POST /data_streams', { key: long(101), name: 'x' }, 'key', ['100']),
  wrong('streams.create', 'stream.name.required', 'POST /data_streams', { key: 'named' }, 'name', ['name is required']),
  wrong(
    'streams.create',
    'stream.bank_feed.account',
    'POST /data_streams',
    { key: 'feed', name: 'x', type: 'bank_feed' },
    'bank_account_id',
    ['bank_account_id'],
  ),
  { ...wrong('streams.create', 'stream.key.taken', 'POST /data_streams', { key: 'bank', name: 'x' }, 'key', ['bank']), code: 'key_taken' },
  {
    ...wrong(
      'streams.create',
      'stream.account.exists',
      'POST /data_streams',
      { key: 'f', name: 'x', bank_account_id: nowhere },
      'bank_account_id',
      [String(nowhere)],
    ),
    code: 'unknown_reference',
  },
  {
    ...wrong('streams.update', 'stream.key.immutable', 'PATCH /data_streams/bank', { id: 5 }, 'id', ['read-only']),
    code: 'read_only_field',
  },
  {
    id: 'stream.delete.in_use',
    operation: 'streams.remove',
    request: 'DELETE /data_streams/bank',
    status: 409,
    code: 'stream_in_use',
    path: null,
    words: ['bank'],
  },
];

const bulk: readonly Refusal[] = [
  wrong('bulk_requests.create', 'bulk.records.required', 'POST /records/bulk', {}, 'records', ['records is required']),
  wrong('bulk_requests.create', 'bulk.records.list', 'POST /records/bulk', { records: record }, 'records', ['a list']),
  wrong('bulk_requests.create', 'bulk.records.least', 'POST /records/bulk', { records: [] }, 'records', ['at least 1']),
  wrong(
    'bulk_requests.create',
    'bulk.records.most',
    'POST /records/bulk',
    { records: Array.from({ length: 1_001 }, () => record) },
    'records',
    ['1000'],
  ),
  {
    ...wrong('bulk_requests.create', 'bulk.unknown_field', 'POST /records/bulk', { records: [record], mode: 1 }, 'mode', ['mode']),
    code: 'unknown_field',
  },
  {
    ...wrong('bulk_requests.create', 'bulk.on_conflict', 'POST /records/bulk', { records: [record], on_conflict: 'merge' }, 'on_conflict', [
      'skip',
      'error',
    ]),
    status: 400,
    code: 'invalid_on_conflict',
  },
  {
    id: 'bulk.cancel.state',
    operation: 'bulk_requests.cancel',
    request: 'POST /bulk_requests/1/cancel',
    status: 409,
    code: 'conflict',
    path: null,
    words: ['completed'],
  },
  {
    id: 'bulk.retry.state',
    operation: 'bulk_requests.retry',
    request: 'POST /bulk_requests/1/retry',
    status: 409,
    code: 'conflict',
    path: null,
    words: ['completed'],
  },
];

const rules: readonly Refusal[] = [
  wrongRule('reconciliation.required', { reconciliation_id: undefined }, 'reconciliation_id', ['required']),
  wrongRule('reconciliation.exists', { reconciliation_id: nowhere }, 'reconciliation_id', [String(nowhere)], 'unknown_reference'),
  wrongRule('filters.required', { filters: undefined }, 'filters', ['filters is required']),
  wrongRule('filters.empty', { filters: { rules: [] } }, 'filters.rules', ['at least 1']),
  wrongRule('filters.operand', { filters: { operand: 'xor', rules: [condition] } }, 'filters.operand', ['and']),
  wrongRule('condition.operand', { filters: { rules: [{ ...condition, operand: 'like' }] } }, 'filters.rules.0.operand', ['eq']),
  wrongRule('condition.tolerance', { filters: { rules: [{ ...condition, tolerance_amount: -1 }] } }, 'filters.rules.0.tolerance_amount', [
    'at least 0',
  ]),
  wrongRule(
    'condition.unknown_field',
    { filters: { rules: [{ ...condition, x: 1 }] } },
    'filters.rules.0.x',
    ['not known'],
    'unknown_field',
  ),
  wrongRule('cardinality', { cardinality: 'two_to_two' }, 'cardinality', ['one_to_one']),
  wrongRule('many_to_one.rollup', { cardinality: 'many_to_one' }, 'rollup', ['rollup'], 'invalid_rule'),
  wrongRule('source.read_only', { source: 'user' }, 'source', ['read-only'], 'read_only_field'),
  wrongRule('status.read_only', { status: 'active' }, 'status', ['read-only'], 'read_only_field'),
  wrong('rules.list', 'rule.list.reconciliation.required', 'GET /reconciliation_rules', undefined, 'reconciliation_id', ['required']),
  {
    ...wrong('rules.update', 'rule.patch.many_to_one', 'PATCH /reconciliation_rules/1', { cardinality: 'many_to_one' }, 'rollup', [
      'rollup',
    ]),
    code: 'invalid_rule',
  },
  {
    id: 'rule.activate.state',
    operation: 'rules.activate',
    request: 'POST /reconciliation_rules/1/activate',
    status: 409,
    code: 'rule_not_proposed',
    path: null,
    words: [],
  },
  {
    id: 'rule.dismiss.state',
    operation: 'rules.dismiss',
    request: 'POST /reconciliation_rules/1/dismiss',
    status: 409,
    code: 'rule_not_proposed',
    path: null,
    words: [],
  },
];

const matching: readonly Refusal[] = [
  wrong(
    'reconciliations.create',
    'reconciliation.name.required',
    'POST /reconciliations',
    { side_a_stream_ids: [1], side_b_stream_ids: [2] },
    'name',
    ['required'],
  ),
  wrong(
    'reconciliations.create',
    'reconciliation.side.empty',
    'POST /reconciliations',
    { name: 'x', side_a_stream_ids: [], side_b_stream_ids: [2] },
    'side_a_stream_ids',
    ['at least 1'],
  ),
  wrong(
    'reconciliations.create',
    'reconciliation.run_type',
    'POST /reconciliations',
    { name: 'x', run_type: 'hourly', side_a_stream_ids: [1], side_b_stream_ids: [2] },
    'run_type',
    ['continuous'],
  ),
  wrong(
    'reconciliations.create',
    'reconciliation.sign_convention',
    'POST /reconciliations',
    { name: 'x', sign_convention: 'odd', side_a_stream_ids: [1], side_b_stream_ids: [2] },
    'sign_convention',
    ['opposite'],
  ),
  wrong('runs.start', 'run.mode', 'POST /reconciliations/1/runs', { mode: 'maybe' }, 'mode', ['commit']),
  {
    id: 'run.cancel.state',
    operation: 'runs.cancel',
    request: 'POST /reconciliations/1/runs/1/cancel',
    status: 409,
    code: 'conflict',
    path: null,
    words: ['completed'],
  },
  wrong('matches.create', 'match.records.required', 'POST /reconciliation_matches', { reconciliation_id: '1' }, 'record_ids', ['required']),
  wrong(
    'matches.create',
    'match.records.least',
    'POST /reconciliation_matches',
    { reconciliation_id: '1', record_ids: ['1'] },
    'record_ids',
    ['at least 2'],
  ),
  {
    ...wrong(
      'matches.create',
      'match.reconciliation.exists',
      'POST /reconciliation_matches',
      { reconciliation_id: String(nowhere), record_ids: ['1', '7'] },
      'reconciliation_id',
      [String(nowhere)],
    ),
    code: 'unknown_reference',
  },
  wrong('matches.list', 'match.list.status', 'GET /reconciliation_matches?status=lost', undefined, 'status', ['matched']),
  wrong('records.mark_overdue', 'overdue.reconciliation.required', 'POST /records/1/mark_overdue', {}, 'reconciliation_id', ['required']),
  wrong('records.mark_overdue', 'overdue.at', 'POST /records/1/mark_overdue', { reconciliation_id: 1, overdue_at: 'soon' }, 'overdue_at', [
    'date-time',
  ]),
  {
    ...wrong(
      'records.mark_overdue',
      'overdue.reconciliation.exists',
      'POST /records/1/mark_overdue',
      { reconciliation_id: nowhere },
      'reconciliation_id',
      [String(nowhere)],
    ),
    code: 'unknown_reference',
  },
];

const others: readonly Refusal[] = [
  wrong('bank_accounts.create', 'bank_account.name.required', 'POST /bank_accounts', {}, 'name', ['required']),
  wrong('bank_accounts.create', 'bank_account.currency.upper_case', 'POST /bank_accounts', { name: 'x', currency: 'gbp' }, 'currency', [
    'upper case',
  ]),
  wrong(
    'bank_account_balances.put',
    'balance.type.required',
    'POST /bank_account_balances',
    { ...balance, balance_type: undefined },
    'balance_type',
    ['balance_type is required'],
  ),
  wrong(
    'bank_account_balances.put',
    'balance.type.values',
    'POST /bank_account_balances',
    { ...balance, balance_type: 'closing' },
    'balance_type',
    ['closing_ledger'],
  ),
  wrong(
    'bank_account_balances.put',
    'balance.account.required',
    'POST /bank_account_balances',
    { ...balance, bank_account_id: undefined },
    'bank_account_id',
    ['required'],
  ),
  wrong('bank_account_balances.put', 'balance.date.required', 'POST /bank_account_balances', { ...balance, date: undefined }, 'date', [
    'required',
  ]),
  wrong(
    'bank_account_balances.put',
    'balance.amount.required',
    'POST /bank_account_balances',
    { ...balance, amount_cents: undefined },
    'amount_cents',
    ['required'],
  ),
  {
    ...wrong(
      'bank_account_balances.put',
      'balance.account.exists',
      'POST /bank_account_balances',
      { ...balance, bank_account_id: String(nowhere) },
      'bank_account_id',
      [String(nowhere)],
    ),
    code: 'unknown_reference',
  },
  wrong(
    'bank_account_balances.put_many',
    'balance.bulk.most',
    'POST /bank_account_balances/bulk',
    {
      bank_account_id: '1',
      balances: Array.from({ length: 1_001 }, () => ({ date: '2026-06-30', balance_type: 'other', amount_cents: 1 })),
    },
    'balances',
    ['1000'],
  ),
  wrong('stories.create', 'story.name.required', 'POST /reconciliation_stories', { links: [] }, 'name', ['required']),
  {
    ...wrong(
      'stories.create',
      'story.continuation.stream',
      'POST /reconciliation_stories',
      { name: 'x', links: [{ reconciliation_id: '1' }, { reconciliation_id: '2' }] },
      'links.1.shared_data_stream_id',
      ['shared_data_stream_id'],
    ),
    code: 'invalid_story',
  },
  wrong(
    'property_definitions.create',
    'property_definition.type.required',
    'POST /data_stream_property_definitions',
    { data_stream_key: 'bank', key: 'a', name: 'A' },
    'type',
    ['type is required'],
  ),
  wrong('exceptions.list', 'exception.age_bucket', 'GET /reconciliation_exceptions?age_bucket=old', undefined, 'age_bucket', ['lt_7d']),
  wrong(
    'exceptions.create',
    'exception.status',
    'POST /reconciliation_exceptions',
    { reconciliation_id: 1, data_stream_id: 1, status: 'gone' },
    'status',
    ['investigating'],
  ),
  {
    ...wrong(
      'exceptions.create',
      'exception.open_already',
      'POST /reconciliation_exceptions',
      { reconciliation_id: '1', data_stream_id: '2' },
      '',
      [],
    ),
    code: 'exception_open',
    path: null,
  },
];

const missing: readonly Refusal[] = [
  absent('records.get', `GET /records/${nowhere}`),
  { ...absent('records.get', 'GET /records/abc'), id: 'path.id.digits' },
  { ...absent('records.list', 'GET /records?data_stream_key=nowhere'), id: 'records.query.data_stream_key.exists' },
  absent('records.remove', `DELETE /records/${nowhere}`),
  absent('streams.get', 'GET /data_streams/nowhere'),
  absent('streams.health', 'GET /data_streams/nowhere/health'),
  absent('streams.operation', `GET /data_streams/spare/operations/${nowhere}`),
  absent('import_batches.get', `GET /import_batches/${nowhere}`),
  absent('import_batches.records', `GET /import_batches/${nowhere}/records`),
  absent('import_batches.remove', `DELETE /import_batches/${nowhere}`),
  absent('import_batches.list', 'GET /data_streams/nowhere/import_batches'),
  absent('coverage.of_stream', 'GET /data_streams/nowhere/coverage'),
  absent('coverage.of_account', `GET /bank_accounts/${nowhere}/coverage`),
  absent('bulk_requests.get', `GET /bulk_requests/${nowhere}`),
  absent('reconciliations.get', `GET /reconciliations/${nowhere}`),
  absent('reconciliations.remove', `DELETE /reconciliations/${nowhere}`),
  absent('rules.get', `GET /reconciliation_rules/${nowhere}`),
  absent('rules.remove', `DELETE /reconciliation_rules/${nowhere}`),
  absent('runs.get', `GET /reconciliations/1/runs/${nowhere}`),
  absent('proposals.create', `POST /reconciliations/${nowhere}/proposals`),
  absent('proposals.agent_status', `GET /reconciliations/${nowhere}/agent_status`),
  absent('runs.list', `GET /reconciliations/${nowhere}/runs`),
  absent('runs.would_be_matches', `GET /reconciliations/1/runs/${nowhere}/would_be_matches`),
  absent('matches.get', `GET /reconciliation_matches/${nowhere}`),
  absent('matches.confirm', `POST /reconciliation_matches/${nowhere}/confirm`),
  absent('matches.remove', `DELETE /reconciliation_matches/${nowhere}`),
  absent('stories.get', `GET /reconciliation_stories/${nowhere}`),
  absent('stories.remove', `DELETE /reconciliation_stories/${nowhere}`),
  absent('bank_accounts.get', `GET /bank_accounts/${nowhere}`),
  absent('bank_accounts.remove', `DELETE /bank_accounts/${nowhere}`),
  absent('exceptions.get', `GET /reconciliation_exceptions/${nowhere}`),
  absent('exceptions.remove', `DELETE /reconciliation_exceptions/${nowhere}`),
  absent('property_definitions.get', `GET /data_stream_property_definitions/${nowhere}`),
  absent('property_definitions.remove', `DELETE /data_stream_property_definitions/${nowhere}`),
];

/** Each wrong thing that the specification and what completes it speak of. None of these requests changes anything. */
export const REFUSALS: readonly Refusal[] = [
  ...records,
  ...queries,
  ...streams,
  ...bulk,
  ...rules,
  ...LANGUAGE_REFUSALS,
  ...matching,
  ...others,
  ...missing,
];
