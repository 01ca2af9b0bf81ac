import { that } from '../that.ts';
import type { Answer } from '../../contract/support.ts';
import { publicOperations } from '../coverage.ts';
import type { Line } from '../line.ts';
import { type Body, bodyOf, byAmount, newMatch, newPair, newRecord, newRule, newStream } from '../make.ts';
import type { Service } from '../service.ts';
import { fileOf } from './imported-file-lines.ts';

const item = { data_stream_key: 'bank', date: '2026-06-10', amount: 10, direction: 'credit', currency: 'GBP' };

type OperationId = Line['operations'][number];
interface Post {
  readonly path: string;
  readonly body?: Body;
  /** The same address with another body; operations that take none have only the one. */
  readonly other?: Body;
}
const post = (path: string, body: Body, change: Body): Post => ({ path, body, other: { ...body, ...change } });

/** The address of a new period. */
async function newPeriod(service: Service): Promise<string> {
  const made = await service.post('/reconciliation_periods', { reconciliation_id: (await newPair(service)).id });
  return `/reconciliation_periods/${String(bodyOf(made, 201)['id'])}`;
}

/** A request of each operation that makes or changes something, which does so but once. */
const POSTS: Readonly<Partial<Record<OperationId, (service: Service) => Promise<Post>>>> = {
  'streams.create': async ({ unique }) => post('/data_streams', { key: unique('once'), name: 'Once' }, { name: 'Twice' }),
  'streams.reset': async (service) => ({ path: `/data_streams/${(await newStream(service)).key}/reset` }),
  'records.create': async () => post('/records', item, { amount: 11 }),
  'records.mark_overdue': async () => post('/records/1/mark_overdue', { reconciliation_id: 1 }, { overdue_at: '2026-06-30T12:00:00Z' }),
  'reconciliations.mark_overdue': async () => post('/reconciliations/1/records/1/mark_overdue', {}, { overdue_at: '2026-06-30T12:00:00Z' }),
  'bulk_requests.cancel': async () => ({ path: '/bulk_requests/1/cancel' }),
  'bulk_requests.retry': async () => ({ path: '/bulk_requests/2/retry' }),
  'reconciliations.create': async (service) => {
    const { a, b } = await newPair(service);
    return post('/reconciliations', { name: 'Once', side_a_stream_ids: [a.id], side_b_stream_ids: [b.id] }, { name: 'Twice' });
  },
  'runs.start': async (service) => {
    const pair = await newPair(service);
    await newRule(service, pair);
    return post(`/reconciliations/${pair.id}/runs`, { mode: 'dry_run' }, { mode: 'commit' });
  },
  'runs.cancel': async () => ({ path: '/reconciliations/1/runs/1/cancel' }),
  'rules.create': async (service) => {
    const { id } = await newPair(service);
    return post('/reconciliation_rules', { reconciliation_id: String(id), filters: byAmount }, { priority: 3 });
  },
  'rules.activate': async (service) => ({ path: `/reconciliation_rules/${service.proposedRule()}/activate` }),
  'rules.dismiss': async (service) => ({ path: `/reconciliation_rules/${service.proposedRule()}/dismiss` }),
  'proposals.create': async (service) => ({ path: `/reconciliations/${(await newPair(service)).id}/proposals` }),
  'rules.preview': async (service) => {
    const { id } = await newPair(service);
    return post('/reconciliation_rules/preview', { reconciliation_id: String(id), filters: byAmount }, { sample: 1 });
  },
  'rules.backtest': async (service) => {
    const rule = await newRule(service, await newPair(service));
    return post(`/reconciliation_rules/${String(rule['id'])}/backtest`, {}, { examples: 1 });
  },
  'rules.backtest_unsaved': async (service) => {
    const { id } = await newPair(service);
    return post('/reconciliation_rules/backtest', { reconciliation_id: String(id), filters: byAmount }, { examples: 1 });
  },
  'matches.create': async (service) => {
    const pair = await newPair(service);
    const record_ids = [(await newRecord(service, pair.a.key))['id'], (await newRecord(service, pair.b.key))['id']];
    return post('/reconciliation_matches', { reconciliation_id: pair.id, record_ids }, { create_adjustment: true });
  },
  'matches.confirm': async (service) => ({ path: `/reconciliation_matches/${String((await newMatch(service)).match['id'])}/confirm` }),
  'stories.create': async () => post('/reconciliation_stories', { name: 'Once' }, { name: 'Twice' }),
  'exceptions.create': async (service) => {
    const pair = await newPair(service);
    return post('/reconciliation_exceptions', { reconciliation_id: pair.id, data_stream_id: pair.a.id }, { title: 'Twice' });
  },
  'property_definitions.create': async (service) => {
    const { key } = await newStream(service);
    const body = { data_stream_key: key, key: 'once', name: 'Once', type: 'string' };
    return post('/data_stream_property_definitions', body, { name: 'Twice' });
  },
  'periods.create': async (service) =>
    post('/reconciliation_periods', { reconciliation_id: (await newPair(service)).id }, { bank_side: 'a' }),
  'periods.prepare': async (service) => post(`${await newPeriod(service)}/prepare`, { by: 'Amira' }, { by: 'Ben' }),
  'periods.review': async (service) => post(`${await newPeriod(service)}/review`, { by: 'Amira' }, { by: 'Ben' }),
  'periods.close': async (service) => post(`${await newPeriod(service)}/close`, { by: 'Amira' }, { by: 'Ben' }),
  'periods.reopen': async (service) => post(`${await newPeriod(service)}/reopen`, { reason: 'Once' }, { reason: 'Twice' }),
  'open_items.put_many': async (service) => {
    const { a, id } = await newPair(service);
    const record_ids = [String((await newRecord(service, a.key))['id'])];
    return post(
      `/reconciliations/${id}/open_items`,
      { changes: [{ record_ids, owner: 'Amira' }] },
      { changes: [{ record_ids, owner: 'Ben' }] },
    );
  },
  'imported_files.create': async (service) => {
    const { key } = await newStream(service);
    return post('/imported_files', fileOf(key), { closing_balance: 2 });
  },
  'imported_files.add_lines': async (service) => {
    const { key } = await newStream(service);
    const { id } = bodyOf(await service.post('/imported_files', fileOf(key)), 201);
    const [one, other] = [await newRecord(service, key), await newRecord(service, key)];
    return post(`/imported_files/${String(id)}/lines`, { record_ids: [String(one['id'])] }, { record_ids: [String(other['id'])] });
  },
  'bank_accounts.create': async () => post('/bank_accounts', { name: 'Once' }, { name: 'Twice' }),
  'bank_account_balances.put': async () =>
    post(
      '/bank_account_balances',
      { bank_account_id: '1', date: '2026-06-28', balance_type: 'other', amount_cents: 1 },
      { amount_cents: 2 },
    ),
  'bank_account_balances.put_many': async () =>
    post(
      '/bank_account_balances/bulk',
      { bank_account_id: '1', balances: [{ date: '2026-06-28', balance_type: 'other', amount_cents: 1 }] },
      { balances: [{ date: '2026-06-28', balance_type: 'other', amount_cents: 2 }] },
    ),
};

/** What the second of two equal requests must be like: the first one's answer, marked. */
function isReplay(again: Answer, first: Answer): void {
  that([again.status, again.json]).toEqual([first.status, first.json]);
  that([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
  that(again.headers.location).toBe(first.headers.location);
}

const everyPost: readonly Line[] = publicOperations
  .filter((spec) => spec.method === 'POST' && spec.idempotency !== 'own')
  .map((spec) => ({
    id: `idempotency.${spec.id}`,
    says: 'the same key and body answer what was answered first, a refusal too, and do nothing again; another body is 422',
    operations: [spec.id as OperationId],
    codes: ['idempotency_mismatch'],
    ...(spec.idempotency === 'after' ? { slow: true as const } : {}),
    async proves(service) {
      const make = POSTS[spec.id as OperationId];
      if (make === undefined) throw new Error(`there is a request of ${spec.id}`);
      const { path, body, other } = await make(service);
      const options = { headers: { 'idempotency-key': service.unique(spec.id) } };
      const first = await service.post(path, body, options);
      that(first.status).not.toBe(422);
      const again = await service.post(path, body, options);
      if (first.status < 400) isReplay(again, first);
      else
        that([again.status, again.json?.['code'], again.headers['idempotent-replayed']]).toEqual([
          first.status,
          first.json?.['code'],
          'true',
        ]);
      if (other === undefined) return;
      that(bodyOf(await service.post(path, other, options), 422)).toMatchObject({ code: 'idempotency_mismatch' });
    },
  }));

const keyed: readonly Line[] = [
  {
    id: 'idempotency.bulk',
    says: 'the same key answers the request there is, whatever the body, and makes no other',
    operations: ['bulk_requests.create'],
    async proves(service) {
      const headers = { 'idempotency-key': service.unique('bulk') };
      const first = await service.post('/records/bulk', { records: [item] }, { headers });
      const again = await service.post('/records/bulk', { records: [item, item] }, { headers });
      that(bodyOf(again, 202)['id']).toBe(bodyOf(first, 202)['id']);
      that(bodyOf(again, 202)['total_items']).toBe(1);
      that([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    },
  },
  {
    id: 'idempotency.environment',
    says: 'a key of another environment is another key',
    operations: ['bulk_requests.create'],
    async proves(service) {
      const headers = { 'idempotency-key': service.unique('bulk') };
      const live = bodyOf(await service.post('/records/bulk', { records: [item] }, { headers }), 202);
      const test = await service.post('/records/bulk', { records: [item] }, { headers, key: 'test' });
      that(test.headers['idempotent-replayed']).toBeUndefined();
      that(bodyOf(test, 202)['id']).not.toBe(live['id']);
    },
  },
  {
    id: 'idempotency.same_body',
    says: 'on every other POST the same key and body answer what was answered first, and do nothing again',
    operations: ['records.create'],
    async proves(service) {
      const headers = { 'idempotency-key': service.unique('record') };
      const first = await service.post('/records', item, { headers });
      const again = await service.post('/records', item, { headers });
      that(bodyOf(again, 201)).toEqual(bodyOf(first, 201));
      that(again.headers['idempotent-replayed']).toBe('true');
    },
  },
  {
    id: 'idempotency.other_body',
    says: 'on every other POST the same key with another body is 422',
    operations: ['records.create'],
    codes: ['idempotency_mismatch'],
    async proves(service) {
      const headers = { 'idempotency-key': service.unique('record') };
      bodyOf(await service.post('/records', item, { headers }), 201);
      const again = await service.post('/records', { ...item, amount: 11 }, { headers });
      that(bodyOf(again, 422)).toMatchObject({ code: 'idempotency_mismatch' });
    },
  },
  {
    id: 'idempotency.form',
    says: 'a key of more than 255 characters is 400',
    operations: ['records.create'],
    codes: ['malformed_header'],
    async proves(service) {
      const answer = await service.post('/records', item, { headers: { 'idempotency-key': 'k'.repeat(256) } });
      that(bodyOf(answer, 400)).toMatchObject({ code: 'malformed_header' });
    },
  },
  {
    id: 'idempotency.operation',
    says: 'a key of another operation, and one of another environment, is another key',
    operations: ['records.create', 'bank_accounts.create'],
    async proves(service) {
      const options = { headers: { 'idempotency-key': service.unique('shared') } };
      bodyOf(await service.post('/records', item, options), 201);
      const other = await service.post('/bank_accounts', { name: 'Shared key' }, options);
      that([other.status, other.headers['idempotent-replayed']]).toEqual([201, undefined]);
      const test = await service.post('/bank_accounts', { name: 'Elsewhere' }, { ...options, key: 'test' });
      await service.remove(`/bank_accounts/${String(test.json?.['id'])}`, { key: 'test' });
      that([test.status, test.headers['idempotent-replayed']]).toEqual([201, undefined]);
    },
  },
];

export const idempotencyLines: readonly Line[] = [...keyed, ...everyPost];
