import { that } from '../that.ts';
import type { Line } from '../line.ts';
import { type Body, bodyOf, bulk, listOf, newMatch, newPair, newRecord, newStream, until } from '../make.ts';
import type { Service } from '../service.ts';

const TODAY = '2026-07-01';

/** Ids of GET /records with this query, whose totals are those of the records listed. */
async function found(service: Service, query: string): Promise<unknown[]> {
  const records = listOf(await service.get(`/records?${query}`));
  const filter = query
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('sort='))
    .join('&');
  const totals = bodyOf(await service.get(`/records/totals?${filter}`), 200)['totals'] as Body[];
  const sum = (side: 'credit' | 'debit'): number =>
    records.reduce((total, { direction, amount }) => total + (direction === side ? Number(amount) : 0), 0);
  const ofAll = (field: string): number => totals.reduce((total, each) => total + Number(each[field]), 0);
  that([ofAll('record_count'), ofAll('credit_sum'), ofAll('debit_sum')], query).toEqual([records.length, sum('credit'), sum('debit')]);
  return records.map((record) => record['id']);
}

/** A filter leads to the one record that has it and not to the other, of two in a stream. */
function filterLine(name: string, value: string | ((record: Body) => string), wanted: Body, other: Body): Line {
  return {
    id: `records.filter.${name}`,
    says: `${name} narrows the list`,
    operations: ['records.list', 'records.totals'],
    async proves(service) {
      const { key } = await newStream(service);
      const hit = await newRecord(service, key, wanted);
      await newRecord(service, key, other);
      const text = typeof value === 'string' ? value : value(hit);
      that(await found(service, `data_stream_key=${key}&${name}=${text}`)).toEqual([hit['id']]);
    },
  };
}

/** What is answered of a record that is made with these fields. */
function madeLine(id: string, says: string, given: Body, expected: Body): Line {
  return {
    id: `record.rule.${id}`,
    says,
    operations: ['records.create', 'records.get'],
    async proves(service) {
      const { key } = await newStream(service);
      const made = bodyOf(await service.post('/records', { data_stream_key: key, date: '2026-06-10', ...given }), 201);
      that(made).toMatchObject(expected);
      that(bodyOf(await service.get(`/records/${String(made['id'])}`), 200)).toEqual(made);
    },
  };
}

const filters: readonly Line[] = [
  filterLine('external_id', 'E-7', { external_id: 'E-7' }, { external_id: 'E-8' }),
  filterLine('direction', 'debit', { direction: 'debit' }, { direction: 'credit' }),
  filterLine('currency', 'eur', { currency: 'EUR' }, { currency: 'GBP' }),
  filterLine('date_from', '2026-06-10', { date: '2026-06-10' }, { date: '2026-06-09' }),
  filterLine('date_to', '2026-06-10', { date: '2026-06-10' }, { date: '2026-06-11' }),
  filterLine('value_date_from', '2026-06-10', { value_date: '2026-06-10' }, { value_date: '2026-06-09' }),
  filterLine('value_date_to', '2026-06-10', { value_date: '2026-06-10' }, { value_date: '2026-06-11' }),
  {
    id: 'records.filter.reversal',
    says: 'reversal leaves the lines that return another one or are returned, or all others',
    operations: ['records.list', 'records.totals'],
    async proves(service) {
      const { key } = await newStream(service);
      const plain = await newRecord(service, key, {});
      that(await found(service, `data_stream_key=${key}&reversal=true`)).toEqual([]);
      that(await found(service, `data_stream_key=${key}&reversal=false`)).toEqual([plain['id']]);
    },
  },
  filterLine('amount_min', '500', { amount: 500 }, { amount: 499 }),
  filterLine('amount_max', '500', { amount: 500 }, { amount: 501 }),
];

const made: readonly Line[] = [
  madeLine(
    'sign.debit',
    'without a direction a negative amount is a debit of that magnitude',
    { amount: -5 },
    { amount: 5, direction: 'debit' },
  ),
  madeLine('sign.credit', 'without a direction a positive amount is a credit', { amount: 5 }, { amount: 5, direction: 'credit' }),
  madeLine('zero', 'an amount of 0 is allowed with a direction', { amount: 0, direction: 'debit' }, { amount: 0, direction: 'debit' }),
  madeLine('currency.default', 'the currency is USD unless it is given', { amount: 5 }, { currency: 'USD', decimal_places: 2 }),
  madeLine('currency.upper_case', 'a currency may be given in lower case', { amount: 5, currency: 'gbp' }, { currency: 'GBP' }),
  madeLine('exponent.JPY', 'decimal places default to those of the currency: JPY 0', { amount: 5, currency: 'JPY' }, { decimal_places: 0 }),
  madeLine('exponent.KWD', 'KWD 3', { amount: 5, currency: 'KWD' }, { decimal_places: 3 }),
  madeLine('exponent.given', 'decimal places that are given are kept', { amount: 5, decimal_places: 4 }, { decimal_places: 4 }),
  madeLine(
    'nulls',
    'what has no value is null',
    { amount: 5 },
    { external_id: null, description: null, metadata: {}, matched_records: [] },
  ),
  madeLine(
    'days',
    'days_unreconciled counts from the date',
    { amount: 5, date: '2026-06-21' },
    { status: 'unreconciled', days_unreconciled: 10 },
  ),
  madeLine('days.future', 'and is not below 0', { amount: 5, date: '2026-07-09' }, { days_unreconciled: 0 }),
];

const status: readonly Line[] = [
  {
    id: 'record.rule.status',
    says: 'a record in a match is reconciled, days_unreconciled is null, and the others are listed; and so on both sides',
    operations: ['records.get', 'matches.create'],
    async proves(service) {
      const { left, right, id } = await newMatch(service);
      const body = bodyOf(await service.get(`/records/${String(left['id'])}`), 200);
      that(body).toMatchObject({ status: 'reconciled', days_unreconciled: null });
      that(body['matched_records']).toMatchObject([{ id: right['id'], reconciliation_id: id, external_id: 'R-1', description: 'Right' }]);
    },
  },
  {
    id: 'records.filter.status',
    says: 'status takes reconciled and unreconciled, also as matched and unmatched',
    operations: ['records.list', 'records.totals'],
    async proves(service) {
      const { a, left } = await newMatch(service);
      const open = await newRecord(service, a.key);
      for (const word of ['reconciled', 'matched'])
        that(await found(service, `data_stream_key=${a.key}&status=${word}`)).toEqual([left['id']]);
      for (const word of ['unreconciled', 'unmatched'])
        that(await found(service, `data_stream_key=${a.key}&status=${word}`)).toEqual([open['id']]);
    },
  },
  {
    id: 'records.filter.reconciliation_match_id',
    says: 'answers the records of a match',
    operations: ['records.list', 'records.totals'],
    async proves(service) {
      const { match, left, right } = await newMatch(service);
      that((await found(service, `reconciliation_match_id=${String(match['id'])}`)).toSorted()).toEqual(
        [left['id'], right['id']].toSorted(),
      );
    },
  },
  {
    id: 'records.filter.side',
    says: 'reconciliation_id and side answer the records of one side',
    operations: ['records.list', 'records.totals'],
    async proves(service) {
      const { id, left, right } = await newMatch(service);
      that(await found(service, `reconciliation_id=${id}&side=a`)).toEqual([left['id']]);
      that(await found(service, `reconciliation_id=${id}&side=b`)).toEqual([right['id']]);
      that(await found(service, `reconciliation_id=${id}`)).toEqual([right['id'], left['id']]);
    },
  },
  {
    id: 'records.filter.q',
    says: 'all words of q occur, in description, external_id or metadata values; the last one as a prefix',
    operations: ['records.list', 'records.totals'],
    async proves(service) {
      const { key } = await newStream(service);
      const hit = await newRecord(service, key, { description: 'Rent for June', external_id: 'LEASE-9', metadata: { tenant: 'Ackroyd' } });
      await newRecord(service, key, { description: 'Rent' });
      for (const words of ['rent jun', 'LEASE rent', 'june ackr']) {
        that(await found(service, `data_stream_key=${key}&q=${encodeURIComponent(words)}`)).toEqual([hit['id']]);
      }
      that(await found(service, `data_stream_key=${key}&q=${encodeURIComponent('jun rent')}`)).toEqual([]);
    },
  },
  {
    id: 'records.filter.created',
    says: 'created_after and created_before are inclusive bounds',
    operations: ['records.list', 'records.totals'],
    async proves(service) {
      const { key } = await newStream(service);
      const record = await newRecord(service, key);
      const [at, second] = [String(record['created_at']), 1_000];
      const moved = (milliseconds: number) => new Date(Date.parse(at) + milliseconds).toISOString();
      const listed = (query: string) => found(service, `data_stream_key=${key}&${query}`);
      for (const name of ['created_after', 'created_before']) that(await listed(`${name}=${at}`)).toEqual([record['id']]);
      that(await listed(`created_after=${moved(second)}`)).toEqual([]);
      that(await listed(`created_before=${moved(-second)}`)).toEqual([]);
    },
  },
  {
    id: 'records.filter.bulk',
    says: 'bulk_request_id and source answer what one request, and what bulk requests, brought',
    operations: ['records.list', 'records.totals'],
    async proves(service) {
      const { key } = await newStream(service);
      await newRecord(service, key);
      const request = await bulk(service, [item(key)]);
      const [result = {}] = results(request);
      that(await found(service, `data_stream_key=${key}&bulk_request_id=${String(request['id'])}`)).toEqual([result['record_id']]);
      that(await found(service, `data_stream_key=${key}&source=bulk_api`)).toEqual([result['record_id']]);
    },
  },
  {
    id: 'records.filter.import_batch_id',
    says: 'answers the records of an import',
    operations: ['records.list', 'records.totals'],
    async proves(service) {
      const records = listOf(await service.get('/records?import_batch_id=1'));
      that(records.map((record) => record['import_batch_id'])).toEqual([1, 1]);
      that((await found(service, 'import_batch_id=1')).length).toBe(2);
    },
  },
  {
    id: 'records.totals',
    says: 'totals stand for each currency, with what is reconciled and what is not; a filter that finds nothing has none',
    operations: ['records.totals'],
    async proves(service) {
      const { a, left } = await newMatch(service);
      await newRecord(service, a.key, { amount: 700, direction: 'debit', currency: 'EUR' });
      const totals = async (query: string) => bodyOf(await service.get(`/records/totals?data_stream_key=${a.key}${query}`), 200)['totals'];
      that(await totals('&status=reconciled')).toMatchObject([{ currency: left['currency'], record_count: 1, unreconciled_count: 0 }]);
      that(await totals('&currency=EUR')).toMatchObject([
        { currency: 'EUR', record_count: 1, credit_sum: 0, debit_sum: 700, reconciled_count: 0, unreconciled_net: -700 },
      ]);
      that(await totals('&q=nowhere')).toEqual([]);
    },
  },
  {
    id: 'records.sort',
    says: 'sort takes created_at, date and amount, each with - for descending; newest created first without it',
    operations: ['records.list', 'records.totals'],
    async proves(service) {
      const { key } = await newStream(service);
      const first = (await newRecord(service, key, { amount: 2, date: '2026-06-03' }))['id'];
      const second = (await newRecord(service, key, { amount: 3, date: '2026-06-01' }))['id'];
      const third = (await newRecord(service, key, { amount: 1, date: '2026-06-02' }))['id'];
      const sorted = (sort: string) => found(service, `data_stream_key=${key}${sort}`);
      that(await sorted('')).toEqual([third, second, first]);
      // The clock of the ground stands still, so that all are alike in this.
      that(await sorted('&sort=created_at')).toEqual([third, second, first]);
      that(await sorted('&sort=date')).toEqual([second, third, first]);
      that(await sorted('&sort=-date')).toEqual([first, third, second]);
      that(await sorted('&sort=amount')).toEqual([third, first, second]);
      that(await sorted('&sort=-amount')).toEqual([second, first, third]);
    },
  },
  {
    id: 'record.patch',
    says: 'changes a record: an amount keeps the direction, a negative one makes it a debit',
    operations: ['records.update'],
    async proves(service) {
      const { key } = await newStream(service);
      const path = `/records/${String((await newRecord(service, key, { amount: 5, direction: 'debit' }))['id'])}`;
      that(bodyOf(await service.patch(path, { amount: 7 }), 200)).toMatchObject({ amount: 7, direction: 'debit' });
      that(bodyOf(await service.patch(path, { direction: 'credit' }), 200)).toMatchObject({ direction: 'credit' });
      that(bodyOf(await service.patch(path, { amount: -8 }), 200)).toMatchObject({ amount: 8, direction: 'debit' });
    },
  },
  {
    id: 'record.delete',
    says: 'is 204 without a body, and the record is gone',
    operations: ['records.remove', 'records.get'],
    codes: ['not_found'],
    async proves(service) {
      const path = `/records/${String((await newRecord(service, 'spare'))['id'])}`;
      const answer = await service.remove(path);
      that([answer.status, answer.text]).toEqual([204, '']);
      that((await service.get(path)).status).toBe(404);
    },
  },
  {
    id: 'record.reconciled',
    says: 'is neither changed nor deleted while it is reconciled',
    operations: ['records.update', 'records.remove'],
    codes: ['record_reconciled'],
    async proves(service) {
      const { left } = await newMatch(service);
      const path = `/records/${String(left['id'])}`;
      that(bodyOf(await service.patch(path, { amount: 7 }), 409)).toMatchObject({ code: 'record_reconciled' });
      that(bodyOf(await service.remove(path), 409)).toMatchObject({ code: 'record_reconciled' });
    },
  },
  ...(['records.mark_overdue', 'reconciliations.mark_overdue'] as const).map((operation): Line => {
    const mark = (service: Service, id: number, record: Body, more: Body = {}) =>
      operation === 'records.mark_overdue'
        ? service.post(`/records/${String(record['id'])}/mark_overdue`, { reconciliation_id: id, ...more })
        : service.post(`/reconciliations/${id}/records/${String(record['id'])}/mark_overdue`, more);
    return {
      id: `overdue.${operation}`,
      says: 'the record is overdue there, now or since the given time; not when matched there, nor of another stream',
      operations: [operation, 'records.list'],
      codes: ['record_reconciled', 'stream_not_in_reconciliation'],
      async proves(service) {
        const { id, a, left } = await newMatch(service);
        const open = await newRecord(service, a.key);
        const elsewhere = await newRecord(service, (await newStream(service)).key);
        const now = { reconciliation_id: id, overdue_at: `${TODAY}T09:00:00.000Z` };
        that(bodyOf(await mark(service, id, open), 200)).toMatchObject({ id: open['id'], overdue: [now] });
        const at = { overdue_at: '2026-06-30T12:00:00Z' };
        that(bodyOf(await mark(service, id, open, at), 200)).toMatchObject({ overdue: [{ overdue_at: '2026-06-30T12:00:00.000Z' }] });
        that(bodyOf(await mark(service, id, left), 409)).toMatchObject({ code: 'record_reconciled' });
        that(bodyOf(await mark(service, id, elsewhere), 422)).toMatchObject({ code: 'stream_not_in_reconciliation' });
        that(await found(service, `data_stream_key=${a.key}&overdue=true`)).toEqual([open['id']]);
      },
    };
  }),
];

const item = (key: string, change: Body = {}) => ({ data_stream_key: key, date: '2026-06-10', amount: 100, ...change });
const results = (request: Body) => (request['results'] as Body)['data'] as Body[];

const bulkLines: readonly Line[] = [
  {
    id: 'bulk.accepted',
    says: '202 with the summary; the location is the polling address',
    operations: ['bulk_requests.create'],
    async proves(service) {
      const { key } = await newStream(service);
      const answer = await service.post('/records/bulk', { records: [item(key)] });
      const body = bodyOf(answer, 202);
      that(body).toMatchObject({ total_items: 1, url: `/v1/bulk_requests/${String(body['id'])}` });
      that(answer.headers.location).toBe(body['url']);
    },
  },
  {
    id: 'bulk.items',
    says: 'each item succeeds or fails by itself, with its code and sentence; the figures add up',
    operations: ['bulk_requests.create', 'bulk_requests.get'],
    async proves(service) {
      const { key } = await newStream(service);
      const request = await bulk(service, [item(key), item(key, { date: 'soon' }), item('nowhere'), item(key, { amount: -3 })]);
      that(request).toMatchObject({
        status: 'completed',
        total_items: 4,
        processed_items: 4,
        successful_items: 2,
        failed_items: 2,
        skipped_items: 0,
      });
      that(results(request).map((result) => result['status'])).toEqual(['successful', 'failed', 'failed', 'successful']);
      that(results(request)[1]).toMatchObject({
        index: 1,
        record_id: null,
        error: { code: 'validation_failed', errors: [{ path: 'date' }] },
      });
      that(results(request)[2]).toMatchObject({ error: { code: 'unknown_reference' } });
      that(listOf(await service.get(`/records?data_stream_key=${key}`)).map((record) => record['direction'])).toEqual(['debit', 'credit']);
    },
  },
  {
    id: 'bulk.skip',
    says: 'skip counts an external_id that is there, or comes twice, as skipped; other content is told',
    operations: ['bulk_requests.create', 'bulk_requests.get'],
    async proves(service) {
      const { key } = await newStream(service);
      const there = await newRecord(service, key, { external_id: 'X', amount: 100, currency: 'USD' });
      const request = await bulk(service, [
        item(key, { external_id: 'X' }),
        item(key, { external_id: 'Y' }),
        item(key, { external_id: 'Y', amount: 9 }),
      ]);
      that(request).toMatchObject({ on_conflict: 'skip', successful_items: 1, skipped_items: 2, failed_items: 0 });
      that(results(request)[0]).toMatchObject({ status: 'skipped', record_id: there['id'] });
      that(results(request)[2]).toMatchObject({ status: 'skipped', error: { code: 'same_id_other_content' } });
    },
  },
  {
    id: 'bulk.error',
    says: 'error reports an external_id that is there as failed',
    operations: ['bulk_requests.create', 'bulk_requests.get'],
    async proves(service) {
      const { key } = await newStream(service);
      await newRecord(service, key, { external_id: 'X' });
      const request = await bulk(service, [item(key, { external_id: 'X' }), item(key)], { on_conflict: 'error' });
      that(request).toMatchObject({ on_conflict: 'error', successful_items: 1, failed_items: 1, skipped_items: 0 });
    },
  },
  {
    id: 'bulk.no_external_id',
    says: 'items without an external_id are no duplicates of each other',
    operations: ['bulk_requests.create'],
    async proves(service) {
      const { key } = await newStream(service);
      that(await bulk(service, [item(key), item(key)])).toMatchObject({ successful_items: 2 });
    },
  },
  {
    id: 'bulk.batch',
    says: 'an accepted request makes an import batch of each stream',
    operations: ['bulk_requests.create', 'import_batches.list', 'import_batches.records'],
    async proves(service) {
      const { key } = await newStream(service);
      await bulk(service, [item(key), item(key, { amount: -30, date: '2026-06-12' })]);
      const [batch = {}] = listOf(await service.get(`/data_streams/${key}/import_batches`));
      const figures = { record_count: 2, total_credits: 100, total_debits: 30, net_amount: 70, decimal_places: 2 };
      that(batch).toMatchObject({
        source: 'bulk_api',
        filename: null,
        ...figures,
        date_range_start: '2026-06-10',
        date_range_end: '2026-06-12',
      });
      that(batch['records_url']).toBe(`/v1/import_batches/${String(batch['id'])}/records`);
      that(listOf(await service.get(`/import_batches/${String(batch['id'])}/records`)).length).toBe(2);
    },
  },
  {
    id: 'bulk.retry',
    says: 'a cancelled request is tried again as a new one with what was never reached',
    operations: ['bulk_requests.retry'],
    slow: true,
    async proves(service) {
      const body = bodyOf(await service.post('/bulk_requests/2/retry'), 202);
      that(body).toMatchObject({ total_items: 1 });
      that(body['id']).not.toBe(2);
      await until(service, `/bulk_requests/${String(body['id'])}`, ['completed']);
    },
  },
  {
    id: 'bulk.results.page',
    says: 'results are a page of the items',
    operations: ['bulk_requests.get'],
    async proves(service) {
      const body = bodyOf(await service.get('/bulk_requests/1?limit=1&offset=1'), 200);
      that(body['results']).toMatchObject({ has_more: true, offset: 1, data: [{ index: 1 }] });
    },
  },
  {
    id: 'import_batch.undo',
    says: 'DELETE undoes an import; with preview=true it only tells what it would do',
    operations: ['import_batches.remove'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      await bulk(service, [item(pair.a.key)]);
      const [batch = {}] = listOf(await service.get(`/data_streams/${pair.a.key}/import_batches`));
      const path = `/import_batches/${String(batch['id'])}`;
      const told = {
        import_batch_id: batch['id'],
        records: 1,
        records_kept: 0,
        matches_dissolved: 0,
        balances_removed: 0,
        balances_kept: 0,
        file_removed: false,
        shared_with: [],
      };
      that(bodyOf(await service.remove(`${path}?preview=true`), 200)).toEqual({ ...told, preview: true });
      that((await service.get(path)).status).toBe(200);
      that(bodyOf(await service.remove(path), 200)).toEqual({ ...told, preview: false });
      that((await service.get(path)).status).toBe(404);
    },
  },
];

export const recordLines: readonly Line[] = [...made, ...status, ...filters, ...bulkLines];
