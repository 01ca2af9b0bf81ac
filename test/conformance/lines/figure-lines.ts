import { that } from '../that.ts';
import type { Line } from '../line.ts';
import { type Body, bodyOf, bulk, listOf, newMatch, newPair, newRecord, newStream, type Pair } from '../make.ts';
import type { Service } from '../service.ts';

async function overdue(service: Service, pair: Pair, more: Body): Promise<Body> {
  const record = await newRecord(service, pair.a.key, more);
  return bodyOf(await service.post(`/records/${String(record['id'])}/mark_overdue`, { reconciliation_id: pair.id }), 200);
}

async function open(service: Service, pair: Pair, more: Body = {}): Promise<Body> {
  const body = { reconciliation_id: String(pair.id), data_stream_id: String(pair.a.id), ...more };
  return bodyOf(await service.post('/reconciliation_exceptions', body), 201);
}

const EXCEPTION =
  'id reconciliation_id reconciliation_name data_stream_id data_stream_name data_stream_key title description status created_at updated_at opened_at closed_at assignees decimal_places aggregates filtered_aggregates comments';

/** The day that many days before the clock's. */
const ago = (days: number) => new Date(Date.UTC(2026, 6, 1 - days)).toISOString().slice(0, 10);
const BUCKETS = [
  ['lt_7d', [0, 6]],
  ['7_30d', [7, 29]],
  ['30_90d', [30, 89]],
  ['gt_90d', [90, 400]],
] as const;

const exceptions: readonly Line[] = [
  {
    id: 'exception.body',
    says: "every field; the title is the stream's name with its words; an end has its time, and a new beginning takes it away",
    operations: ['exceptions.create', 'exceptions.update'],
    async proves(service) {
      const pair = await newPair(service);
      const made = await open(service, pair);
      that(Object.keys(made).toSorted()).toEqual(EXCEPTION.split(' ').toSorted());
      that(made).toMatchObject({
        reconciliation_id: pair.id,
        data_stream_id: pair.a.id,
        data_stream_key: pair.a.key,
        data_stream_name: pair.a.key,
        title: `${pair.a.key} overdue records`,
        description: null,
        status: 'open',
        closed_at: null,
        filtered_aggregates: null,
        aggregates: { record_count: 0, total_amount: 0, avg_age_days: null, oldest_at: null, newest_at: null },
      });
      const path = `/reconciliation_exceptions/${String(made['id'])}`;
      const change = { title: 'Late', description: 'Asked the bank', status: 'dismissed' };
      that(bodyOf(await service.patch(path, change), 200)).toMatchObject({ ...change, closed_at: that.any(String) as string });
      that(bodyOf(await service.patch(path, { status: 'investigating' }), 200)).toMatchObject({ closed_at: null });
      const second = await service.post('/reconciliation_exceptions', {
        reconciliation_id: pair.id,
        data_stream_id: pair.a.id,
        title: 'Own',
        description: 'Words',
      });
      that(bodyOf(second, 422), 'an investigated one counts').toMatchObject({ code: 'exception_open' });
    },
  },
  {
    id: 'exception.figures',
    says: 'over overdue and unmatched records alone: counts, sums, the signed total, average age, oldest and newest; sums of the currency of most of them, and of each',
    operations: ['exceptions.create', 'exceptions.get', 'exceptions.list'],
    async proves(service) {
      const pair = await newPair(service);
      await overdue(service, pair, { amount: 250, direction: 'debit', date: ago(10) });
      await overdue(service, pair, { amount: 100, direction: 'credit', date: ago(21) });
      const matched = await overdue(service, pair, { amount: 5 });
      await newRecord(service, pair.a.key, { amount: 999 });
      const other = await newRecord(service, pair.b.key, { amount: 5 });
      const record_ids = [matched['id'], other['id']];
      bodyOf(await service.post('/reconciliation_matches', { reconciliation_id: pair.id, record_ids }), 201);
      const made = await open(service, pair);
      const figures = { record_count: 2, total_amount: -150, debit_count: 1, debit_sum: 250, credit_count: 1, credit_sum: 100 };
      that(made['aggregates']).toEqual({
        ...figures,
        currency: 'GBP',
        avg_age_days: 15.5,
        oldest_at: `${ago(21)}T00:00:00.000Z`,
        newest_at: `${ago(10)}T00:00:00.000Z`,
        totals: [{ currency: 'GBP', decimal_places: 2, credits: 100, debits: 250 }],
      });
      const path = `/reconciliation_exceptions/${String(made['id'])}`;
      const [listed] = listOf(await service.get(`/reconciliation_exceptions?reconciliation_id=${pair.id}&direction=credit`));
      that(listed?.['aggregates']).toMatchObject(figures);
      that(listed?.['filtered_aggregates']).toMatchObject({ record_count: 1, total_amount: 100, debit_count: 0 });
      await overdue(service, pair, { amount: 2_000, currency: 'KWD', decimal_places: 3, date: ago(10) });
      const mixed = bodyOf(await service.get(path), 200);
      that(mixed['decimal_places']).toBe(2);
      that(mixed['aggregates']).toMatchObject({ record_count: 3, currency: 'GBP', total_amount: -150, credit_sum: 100, debit_sum: 250 });
      that((mixed['aggregates'] as Body)['totals']).toEqual([
        { currency: 'GBP', decimal_places: 2, credits: 100, debits: 250 },
        { currency: 'KWD', decimal_places: 3, credits: 2_000, debits: 0 },
      ]);
    },
  },
  {
    id: 'exception.out_of_range',
    says: 'figures past 2^53-1 are refused, never rounded',
    operations: ['exceptions.get'],
    codes: ['total_out_of_range'],
    async proves(service) {
      const pair = await newPair(service);
      const path = `/reconciliation_exceptions/${String((await open(service, pair))['id'])}`;
      for (const amount of [Number.MAX_SAFE_INTEGER, 1]) await overdue(service, pair, { amount });
      const answer = await service.get(path);
      // It would stand in the way of every list.
      await service.remove(path);
      that(bodyOf(answer, 422)).toMatchObject({ code: 'total_out_of_range' });
    },
  },
  {
    id: 'exceptions.filter.age_bucket.bounds',
    says: 'the buckets begin at 0, 7, 30 and 90 days, and each day is in one of them',
    operations: ['exceptions.list'],
    async proves(service) {
      const pair = await newPair(service);
      for (const [, days] of BUCKETS) for (const age of days) await overdue(service, pair, { amount: age + 1, date: ago(age) });
      await open(service, pair);
      for (const [bucket, [youngest, oldest]] of BUCKETS) {
        const [found] = listOf(await service.get(`/reconciliation_exceptions?reconciliation_id=${pair.id}&age_bucket=${bucket}`));
        that(found?.['filtered_aggregates'], bucket).toMatchObject({ record_count: 2, credit_sum: youngest + oldest + 2 });
      }
    },
  },
];

const definitions: readonly Line[] = [
  {
    id: 'property_definition.patch',
    says: 'PATCH takes name and optional, and neither key nor type',
    operations: ['property_definitions.update'],
    async proves(service) {
      const { key } = await newStream(service);
      const body = { data_stream_key: key, key: 'due', name: 'Due', type: 'date', optional: false };
      const made = bodyOf(await service.post('/data_stream_property_definitions', body), 201);
      that(Object.keys(made).toSorted()).toEqual(['data_stream_key', 'id', 'key', 'name', 'optional', 'type']);
      that(made).toMatchObject(body);
      const path = `/data_stream_property_definitions/${String(made['id'])}`;
      that(bodyOf(await service.patch(path, { name: 'Due on', optional: true }), 200)).toEqual({ ...made, name: 'Due on', optional: true });
      for (const change of [{ key: 'other' }, { type: 'string' }]) that((await service.patch(path, change)).status).toBe(422);
      that(bodyOf(await service.post('/data_stream_property_definitions', body), 422)).toMatchObject({ code: 'key_taken' });
    },
  },
  {
    id: 'property_definition.typed',
    says: 'definitions give metadata fields a type for conditions: without one an ordering is refused',
    operations: ['rules.create', 'property_definitions.create', 'rules.preview'],
    codes: ['invalid_rule'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      await newRecord(service, pair.a.key, { metadata: { weight: '10' } });
      await newRecord(service, pair.b.key, { metadata: { weight: '9' } });
      const filters = {
        rules: [
          { key: 'amount', value: 'amount' },
          { key: 'metadata.weight', value: 'metadata.weight', operand: 'gt' },
        ],
      };
      const body = { reconciliation_id: String(pair.id), filters };
      that(bodyOf(await service.post('/reconciliation_rules', body), 422)).toMatchObject({ code: 'invalid_rule' });
      for (const { key } of [pair.a, pair.b]) {
        const definition = { data_stream_key: key, key: 'weight', name: 'Weight', type: 'number' };
        bodyOf(await service.post('/data_stream_property_definitions', definition), 201);
      }
      that(bodyOf(await service.post('/reconciliation_rules/preview', body), 200)).toMatchObject({ matches: 1 });
    },
  },
];

const batches: readonly Line[] = [
  {
    id: 'import_batch.currencies',
    says: 'a batch over several currencies has the single total of one of them, which it names, and totals for each; one batch for each stream',
    operations: ['bulk_requests.create', 'import_batches.list', 'import_batches.get'],
    async proves(service) {
      const [{ key }, other] = [await newStream(service), await newStream(service)];
      await bulk(service, [
        { data_stream_key: key, date: '2026-06-10', amount: 100, currency: 'GBP' },
        { data_stream_key: key, date: '2026-06-08', amount: -30, currency: 'GBP' },
        { data_stream_key: key, date: '2026-06-12', amount: 5, currency: 'JPY' },
        { data_stream_key: other.key, date: '2026-06-10', amount: 1, currency: 'KWD' },
      ]);
      const [batch, ...more] = listOf(await service.get(`/data_streams/${key}/import_batches`));
      that(more).toEqual([]);
      that(batch).toMatchObject({
        record_count: 3,
        currency: 'GBP',
        decimal_places: 2,
        total_credits: 100,
        total_debits: 30,
        net_amount: 70,
        date_range_start: '2026-06-08',
        date_range_end: '2026-06-12',
        totals: [
          { currency: 'GBP', decimal_places: 2, credits: 100, debits: 30 },
          { currency: 'JPY', decimal_places: 0, credits: 5, debits: 0 },
        ],
      });
      that(bodyOf(await service.get(`/import_batches/${String(batch?.['id'])}`), 200)).toEqual(batch);
      const [single] = listOf(await service.get(`/data_streams/${other.key}/import_batches`));
      that(single).toMatchObject({ record_count: 1, decimal_places: 3, total_credits: 1 });
    },
  },
  {
    id: 'import_batch.out_of_range',
    says: 'an item that would take the totals of its batch past 2^53-1 fails, and the others go in',
    operations: ['bulk_requests.create', 'bulk_requests.get', 'import_batches.list'],
    async proves(service) {
      const { key } = await newStream(service);
      const item = { data_stream_key: key, date: '2026-06-10', amount: Number.MAX_SAFE_INTEGER };
      const request = await bulk(service, [item, { ...item, amount: 1 }, { ...item, amount: -1 }]);
      that(request).toMatchObject({ status: 'completed', successful_items: 2, failed_items: 1 });
      that(((request['results'] as Body)['data'] as Body[])[1]).toMatchObject({ status: 'failed', error: { code: 'total_out_of_range' } });
      const [batch] = listOf(await service.get(`/data_streams/${key}/import_batches`));
      that(batch).toMatchObject({ total_credits: Number.MAX_SAFE_INTEGER, total_debits: 1, net_amount: Number.MAX_SAFE_INTEGER - 1 });
    },
  },
  {
    id: 'import_batch.nacha',
    says: 'the source of a batch from a NACHA file is nacha_upload, and the filter of records finds it',
    operations: ['import_batches.list', 'records.list'],
    async proves(service) {
      const [batch, ...more] = listOf(await service.get('/data_streams/ach/import_batches'));
      that(more).toEqual([]);
      that(batch).toMatchObject({ source: 'nacha_upload', format: 'nacha', filename: 'payments.ach', record_count: 1, total_debits: 5000 });
      const records = listOf(await service.get('/records?source=nacha_upload'));
      that(records).toMatchObject([{ data_stream_key: 'ach', import_batch_id: batch?.['id'], amount: 5000, direction: 'debit' }]);
    },
  },
  {
    id: 'import_batch.file',
    says: 'a batch made from a file keeps its name, format, hash, length and counts',
    operations: ['import_batches.get'],
    async proves(service) {
      that(bodyOf(await service.get('/import_batches/1'), 200)).toMatchObject({
        source: 'csv_upload',
        filename: 'june.csv',
        format: 'csv',
        sha256: that.stringMatching(/^[0-9a-f]{64}$/) as string,
        byte_length: that.any(Number) as number,
        kept: 2,
        skipped: 0,
        rejected: 0,
        record_count: 2,
        total_credits: 31_050,
        total_debits: 120_000,
        net_amount: -88_950,
      });
    },
  },
  {
    id: 'stream.health.figures',
    says: 'records, batches and their sum, records of no batch, bulk requests by state, when something came in last',
    operations: ['streams.health'],
    async proves(service) {
      const { key } = await newStream(service);
      const states = { pending: 0, processing: 0, completed: 0, failed: 0, cancelled: 0, stuck: 0 };
      const empty = bodyOf(await service.get(`/data_streams/${key}/health`), 200);
      that(empty).toEqual({
        records_count: 0,
        import_batches_count: 0,
        import_batches_record_sum: 0,
        orphan_records_count: 0,
        bulk_requests: states,
        last_ingestion_at: null,
      });
      await newRecord(service, key);
      const item = { data_stream_key: key, date: '2026-06-10', amount: 1 };
      await bulk(service, [item, item]);
      that(bodyOf(await service.get(`/data_streams/${key}/health`), 200)).toEqual({
        records_count: 3,
        import_batches_count: 1,
        import_batches_record_sum: 2,
        orphan_records_count: 1,
        bulk_requests: { ...states, completed: 1 },
        last_ingestion_at: '2026-07-01T09:00:00.000Z',
      });
    },
  },
];

const matched: readonly Line[] = [
  {
    id: 'record.matched.first',
    says: 'the other members of both sides, the first 100, and how many there are; of proposals none',
    operations: ['records.get', 'records.list', 'matches.create'],
    async proves(service) {
      const pair = await newPair(service);
      const request = await bulk(service, [
        ...Array.from({ length: 102 }, () => ({ data_stream_key: pair.a.key, date: '2026-06-10', amount: 1, currency: 'GBP' })),
        { data_stream_key: pair.b.key, date: '2026-06-10', amount: 102, currency: 'GBP' },
      ]);
      const results = bodyOf(await service.get(`/bulk_requests/${String(request['id'])}?limit=100`), 200)['results'] as Body;
      const rest = bodyOf(await service.get(`/bulk_requests/${String(request['id'])}?limit=100&offset=100`), 200)['results'] as Body;
      const record_ids = [...(results['data'] as Body[]), ...(rest['data'] as Body[])].map((result) => String(result['record_id']));
      const match = bodyOf(await service.post('/reconciliation_matches', { reconciliation_id: pair.id, record_ids }), 201);
      that(match).toMatchObject({ record_count: 103, difference: 0 });
      const record = bodyOf(await service.get(`/records/${String(record_ids[0])}`), 200);
      const others = record['matched_records'] as Body[];
      that([others.length, record['matched_records_total']]).toEqual([100, 102]);
      that(others.map((other) => String(other['id']))).not.toContain(record_ids[0]);
      that(others.map((other) => other['data_stream_key'])).toContain(pair.a.key);
      const page = bodyOf(await service.get(`/records?reconciliation_match_id=${String(match['id'])}`), 200);
      that([(page['data'] as Body[]).length, page['has_more']], 'a page holds 25 unless it is asked for more').toEqual([25, true]);
    },
  },
  {
    id: 'record.status.reconciliation',
    says: 'with reconciliation_id status, matched_records and days_unreconciled speak of that reconciliation alone',
    operations: ['records.list', 'records.get'],
    async proves(service) {
      const { id, a, b, left, right } = await newMatch(service);
      const body = { name: 'Second', run_type: 'batch', side_a_stream_ids: [a.id], side_b_stream_ids: [b.id] };
      const second = bodyOf(await service.post('/reconciliations', body), 201)['id'];
      const listed = async (query: string) => listOf(await service.get(`/records?reconciliation_id=${query}`));
      that((await listed(`${id}&side=a`))[0]).toMatchObject({ id: left['id'], status: 'reconciled', days_unreconciled: null });
      that((await listed(`${String(second)}&side=a`))[0]).toMatchObject({
        id: left['id'],
        status: 'unreconciled',
        days_unreconciled: 21,
        matched_records: [],
        matched_records_total: 0,
      });
      that((await listed(`${String(second)}&status=unreconciled`)).length).toBe(2);
      that(await listed(`${id}&status=unreconciled`)).toEqual([]);
      that(bodyOf(await service.get(`/records/${String(right['id'])}`), 200)).toMatchObject({ status: 'reconciled' });
      const again = { reconciliation_id: String(second), record_ids: [left['id'], right['id']] };
      bodyOf(await service.post('/reconciliation_matches', again), 201);
      const both = bodyOf(await service.get(`/records/${String(left['id'])}`), 200)['matched_records'] as Body[];
      that(both.map((each) => each['reconciliation_id']).toSorted()).toEqual([id, second].toSorted());
    },
  },
  {
    id: 'balance.bulk.answer',
    says: 'balances in bulk are answered as {count, balances}; each kind of balance is taken',
    operations: ['bank_account_balances.put_many'],
    async proves(service) {
      const types =
        'opening_ledger closing_ledger current_ledger opening_available opening_available_next_business_day closing_available current_available previously_closed_book other';
      const { id } = bodyOf(await service.post('/bank_accounts', { name: service.unique('kinds') }), 201);
      const balances = types.split(' ').map((balance_type, index) => ({ date: '2026-06-30', balance_type, amount_cents: 4 - index }));
      const answer = bodyOf(await service.post('/bank_account_balances/bulk', { bank_account_id: String(id), balances }), 201);
      that(Object.keys(answer)).toEqual(['count', 'balances']);
      that(answer).toMatchObject({ count: 9, balances: balances.map((balance) => ({ ...balance, bank_account_id: id })) });
    },
  },
];

export const figureLines: readonly Line[] = [...exceptions, ...definitions, ...batches, ...matched];
