import { that } from '../that.ts';
import type { Answer } from '../../contract/support.ts';
import type { Line } from '../line.ts';
import { type Body, bodyOf, bulk, listOf, newPair, newRecord, newRule, newStream, type Pair, run, until } from '../make.ts';
import type { Service } from '../service.ts';

const BULK = 1_000;
/** Longer than what a continuous reconciliation waits after a change, and shorter. */
const [QUIET_MS, SHORT_MS] = [2_500, 1_500];

const item = (key: string, change: Body = {}) => ({ data_stream_key: key, date: '2026-06-10', amount: 100, currency: 'GBP', ...change });
const items = (key: string, count: number) => Array.from({ length: count }, () => item(key));
const sum = (request: Body) => Number(request['successful_items']) + Number(request['failed_items']) + Number(request['skipped_items']);

/** A request of two items behind a large one, and its cancelling, which comes before it is reached. */
export async function cancelled(service: Service): Promise<{ readonly answer: Answer; readonly id: string; readonly key: string }> {
  const { key } = await newStream(service);
  return service.slowly(async () => {
    bodyOf(await service.post('/records/bulk', { records: items('nowhere', BULK) }), 202);
    const id = String(bodyOf(await service.post('/records/bulk', { records: items(key, 2) }), 202)['id']);
    return { id, key, answer: await service.post(`/bulk_requests/${id}/cancel`) };
  });
}

const bulkLines: readonly Line[] = [
  {
    id: 'bulk.cancel',
    says: 'an open request is cancelled (202): nothing more of it goes in, the figures add up, and a retry does what was not reached',
    operations: ['bulk_requests.cancel', 'bulk_requests.get', 'bulk_requests.retry'],
    slow: true,
    async proves(service) {
      const { answer, id, key } = await cancelled(service);
      that(bodyOf(answer, 202)).toMatchObject({ id: Number(id), status: 'cancelled', total_items: 2, url: `/v1/bulk_requests/${id}` });
      const path = `/bulk_requests/${id}`;
      const ended = bodyOf(await service.get(path), 200);
      that([ended['status'], ended['processed_items'], typeof ended['completed_at']]).toEqual(['cancelled', sum(ended), 'string']);
      that(bodyOf(await service.post(`${path}/cancel`), 409)).toMatchObject({ code: 'conflict' });
      const left = 2 - Number(ended['successful_items']);
      const again = bodyOf(await service.post(`${path}/retry`), 202);
      that(again).toMatchObject({ total_items: left });
      await until(service, `/bulk_requests/${String(again['id'])}`, ['completed']);
      that(listOf(await service.get(`/records?data_stream_key=${key}`)).length).toBe(2);
    },
  },
  {
    id: 'bulk.states',
    says: 'pending, processing, completed; processed = successful + failed + skipped at all times, and = total in the end',
    operations: ['bulk_requests.create', 'bulk_requests.get'],
    slow: true,
    async proves(service) {
      const { key } = await newStream(service);
      const seen = await service.slowly(async () => {
        bodyOf(await service.post('/records/bulk', { records: items(key, BULK / 2) }), 202);
        const last = String(bodyOf(await service.post('/records/bulk', { records: items(key, BULK) }), 202)['id']);
        const states: string[] = [];
        for (let status = ''; status !== 'completed';) {
          const request = bodyOf(await service.get(`/bulk_requests/${last}?limit=1`), 200);
          status = String(request['status']);
          that(request['processed_items']).toBe(sum(request));
          if (states.at(-1) !== status) states.push(status);
          that(states.length).toBeLessThanOrEqual(3);
          if (status === 'completed') that([request['processed_items'], request['progress']]).toEqual([BULK, 100]);
        }
        return states;
      });
      that(seen).toEqual(['pending', 'processing', 'completed']);
    },
  },
];

const wipes: readonly Line[] = [
  {
    id: 'stream.delete.async_required',
    says: 'above 10,000 records a delete in the request is 409 and changes nothing; async=true is 202, pending, running, completed',
    operations: ['streams.remove', 'streams.operation', 'streams.health'],
    codes: ['async_required'],
    slow: true,
    async proves(service) {
      const { key, id } = await newStream(service);
      const counts = [...Array.from({ length: 10 }, () => BULK), 1];
      const sent = await Promise.all(counts.map((count) => service.post('/records/bulk', { records: items(key, count) })));
      for (const answer of sent) {
        await until(service, `/bulk_requests/${String(bodyOf(answer, 202)['id'])}?limit=1`, ['completed']);
      }
      const refused = bodyOf(await service.remove(`/data_streams/${key}`), 409);
      that(refused).toMatchObject({ code: 'async_required', message: that.stringContaining('10000') as string });
      that(bodyOf(await service.get(`/data_streams/${key}/health`), 200)).toMatchObject({
        records_count: 10_001,
        import_batches_count: 11,
        import_batches_record_sum: 10_001,
        orphan_records_count: 0,
        bulk_requests: { pending: 0, processing: 0, completed: 11, failed: 0, cancelled: 0, stuck: 0 },
      });
      const answer = await service.remove(`/data_streams/${key}?async=true`);
      const operation = bodyOf(answer, 202);
      const path = `/data_streams/${key}/operations/${String(operation['id'])}`;
      that(answer.headers.location).toBe(`/v1${path}`);
      that(operation).toMatchObject({ kind: 'delete', data_stream_id: id, data_stream_key: key, completed_at: null, error_message: null });
      that(['pending', 'running']).toContain(operation['status']);
      const seen = [String(operation['status'])];
      for (let progress = 0; seen.at(-1) !== 'completed';) {
        const now = bodyOf(await service.get(path), 200);
        that(Number(now['progress'])).toBeGreaterThanOrEqual(progress);
        progress = Number(now['progress']);
        if (seen.at(-1) !== now['status']) seen.push(String(now['status']));
        if (now['status'] === 'completed')
          that([progress, typeof now['started_at'], typeof now['completed_at']]).toEqual([100, 'string', 'string']);
      }
      that(['pending running completed', 'running completed']).toContain(seen.join(' '));
      that((await service.get(`/data_streams/${key}`)).status).toBe(404);
      that((await service.get(`/records?data_stream_key=${key}`)).status).toBe(404);
    },
  },
  {
    id: 'stream.reset.keeps',
    says: 'a reset keeps properties and links; matches that lose a record are dissolved, their other records turn unreconciled',
    operations: ['streams.reset', 'streams.operation', 'property_definitions.list'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      const left = await newRecord(service, pair.a.key);
      const right = await newRecord(service, pair.b.key);
      const body = { reconciliation_id: String(pair.id), record_ids: [left['id'], right['id']] };
      const match = bodyOf(await service.post('/reconciliation_matches', body), 201);
      const definition = { data_stream_key: pair.b.key, key: 'order', name: 'Order', type: 'string' };
      bodyOf(await service.post('/data_stream_property_definitions', definition), 201);
      const answer = await service.post(`/data_streams/${pair.b.key}/reset`);
      that(answer.headers.location).toBe(`/v1/data_streams/${pair.b.key}/operations/${String(bodyOf(answer, 202)['id'])}`);
      await until(service, String(answer.headers.location).slice(3), ['completed']);
      that((await service.get(`/records/${String(right['id'])}`)).status).toBe(404);
      that((await service.get(`/reconciliation_matches/${String(match['id'])}`)).status).toBe(404);
      that(bodyOf(await service.get(`/records/${String(left['id'])}`), 200)).toMatchObject({ status: 'unreconciled', matched_records: [] });
      that(listOf(await service.get(`/data_stream_property_definitions?data_stream_key=${pair.b.key}`)).length).toBe(1);
      that(bodyOf(await service.get(`/reconciliations/${pair.id}`), 200)).toMatchObject({ side_b_streams: [{ key: pair.b.key }] });
    },
  },
];

const runsOf = async (service: Service, { id }: Pair) => listOf(await service.get(`/reconciliations/${id}/runs`));
const WAIT_MS = 20_000;
const ENDED = ['completed', 'failed', 'cancelled'];

/** Waits until that many runs have ended, each of which starts once no other work is open. */
async function ended(service: Service, pair: Pair, count: number): Promise<Body[]> {
  const deadlineMs = performance.now() + WAIT_MS;
  for (;;) {
    const found = await runsOf(service, pair);
    if (found.length >= count && found.every((each) => ENDED.includes(String(each['status'])))) return found;
    that(performance.now(), `${count} runs have ended within ${WAIT_MS} ms`).toBeLessThan(deadlineMs);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const runs: readonly Line[] = [
  {
    id: 'run.start',
    says: '202 with the run, whose address is in Location; it is the current run, and a second one is refused meanwhile',
    operations: ['runs.start', 'reconciliations.get', 'runs.cancel', 'runs.get', 'matches.list'],
    codes: ['run_in_progress'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      await newRule(service, pair);
      await newRecord(service, pair.a.key);
      await newRecord(service, pair.b.key);
      const { started, path } = await service.held(async () => {
        const answer = await service.post(`/reconciliations/${pair.id}/runs`, {});
        const first = bodyOf(answer, 202);
        const address = `/reconciliations/${pair.id}/runs/${String(first['id'])}`;
        that(answer.headers.location).toBe(`/v1${address}`);
        that(first).toMatchObject({ mode: 'commit', kind: 'batch', trigger: 'manual', completed_at: null });
        that(bodyOf(await service.post(`/reconciliations/${pair.id}/runs`), 409)).toMatchObject({ code: 'run_in_progress' });
        const current = { current_run: { id: first['id'] }, last_run: null };
        that(bodyOf(await service.get(`/reconciliations/${pair.id}`), 200)).toMatchObject(current);
        bodyOf(await service.post(`${address}/cancel`), 202);
        return { started: first, path: address };
      });
      that(await until(service, path, ENDED)).toMatchObject({ status: 'cancelled' });
      that(bodyOf(await service.get(`/reconciliations/${pair.id}`), 200)).toMatchObject({
        current_run: null,
        last_run: { id: started['id'] },
      });
      that(listOf(await service.get(`/reconciliation_matches?reconciliation_id=${pair.id}`))).toEqual([]);
    },
  },
  {
    id: 'run.dry.counts',
    says: 'a dry run keeps its counts, and is the last run once it has ended; each match says why, a sentence for each condition',
    operations: ['runs.start', 'runs.get', 'reconciliations.get', 'matches.list'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      const rules = [
        { key: 'amount', value: 'amount' },
        { key: 'date', value: 'date' },
      ];
      const rule = await newRule(service, pair, { filters: { rules } });
      for (const { key } of [pair.a, pair.b]) for (const amount of [1, 2]) await newRecord(service, key, { amount });
      await newRecord(service, pair.a.key, { amount: 3 });
      const dry = await run(service, pair, { mode: 'dry_run' });
      const figures = {
        total_records: 5,
        processed_records: 5,
        matches: 2,
        proposed_matches: 0,
        matched_records: 4,
        matched_side_a: 2,
        matched_side_b: 2,
      };
      that(dry).toMatchObject({ mode: 'dry_run', status: 'completed', ...figures });
      that((dry['rule_summary'] as Record<string, Body>)[String(rule['id'])]).toMatchObject({ matches: 2, records: 4, proposed: 0 });
      that(bodyOf(await service.get(`/reconciliations/${pair.id}`), 200)).toMatchObject({ last_run: { id: dry['id'] } });
      that(await run(service, pair)).toMatchObject({ mode: 'commit', ...figures });
      const page = bodyOf(await service.get(`/reconciliation_matches?reconciliation_id=${pair.id}&limit=1`), 200);
      that([page['total_count'], page['has_more']]).toEqual([2, true]);
      for (const match of page['data'] as Body[]) {
        that((match['explanation'] as string[]).length).toBe(2);
        that(match).toMatchObject({ certainty: 'unique', reconciliation_rule_id: rule['id'] });
        that(String(match['group_key']).split('|').length).toBe(2);
      }
    },
  },
  {
    id: 'run.continuous',
    says: 'new records start a run by themselves, once nothing has changed for a while; a batch reconciliation waits to be asked',
    operations: ['runs.list', 'reconciliations.create', 'rules.create', 'bulk_requests.create'],
    slow: true,
    async proves(service) {
      const [batch, pair] = [await newPair(service), await newPair(service, { run_type: 'continuous' })];
      for (const each of [batch, pair]) await newRule(service, each);
      service.pass(QUIET_MS);
      for (const each of [batch, pair]) for (const { key } of [each.a, each.b]) await bulk(service, [item(key)]);
      that(await runsOf(service, pair)).toEqual([]);
      service.pass(SHORT_MS);
      that(await runsOf(service, pair), 'not at once').toEqual([]);
      await newRecord(service, pair.a.key, { amount: 7 });
      service.pass(SHORT_MS);
      that(await runsOf(service, pair), 'a change puts it off').toEqual([]);
      service.pass(QUIET_MS - SHORT_MS);
      const [first, ...others] = await runsOf(service, pair);
      that(others).toEqual([]);
      that(first).toMatchObject({ kind: 'continuous', trigger: 'record_created', mode: 'commit' });
      await newRecord(service, pair.a.key, { amount: 9 });
      await newRecord(service, pair.b.key, { amount: 8 });
      service.pass(QUIET_MS);
      that((await runsOf(service, pair)).filter((each) => !ENDED.includes(String(each['status']))).length).toBeLessThanOrEqual(1);
      that(await ended(service, pair, 2)).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
      service.pass(QUIET_MS);
      that((await runsOf(service, pair)).length, 'none without a change').toBe(2);
      that(listOf(await service.get(`/reconciliation_matches?reconciliation_id=${pair.id}`)).length).toBe(1);
      that(await runsOf(service, batch)).toEqual([]);
    },
  },
  {
    id: 'run.continuous.rule',
    says: 'an activated rule starts one as well',
    operations: ['runs.list', 'rules.update'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service, { run_type: 'continuous' });
      for (const { key } of [pair.a, pair.b]) await newRecord(service, key);
      const rule = await newRule(service, pair, { filters: { rules: [{ key: 'description', value: 'description' }] } });
      service.pass(QUIET_MS);
      await ended(service, pair, 1);
      const filters = { rules: [{ key: 'amount', value: 'amount' }] };
      bodyOf(await service.patch(`/reconciliation_rules/${String(rule['id'])}`, { filters }), 200);
      service.pass(QUIET_MS);
      const after = await ended(service, pair, 2);
      that(after[0]).toMatchObject({ kind: 'continuous', trigger: 'rule_activated', matched_records: 2 });
    },
  },
];

export const backgroundLines: readonly Line[] = [...bulkLines, ...wipes, ...runs];
