import { describe, expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { type LineInput, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

/** Today is 2026-07-01. Ages: 2, 10, 40 and 100 days; the last line is not overdue. */
const LINES: LineInput[] = [
  { date: '2026-06-29', amount: 1_000, description: 'Acme Ltd', currency: 'GBP' },
  { date: '2026-06-21', amount: -250, description: 'Fee', metadata: { counterparty: 'Bank of Acme' }, currency: 'GBP' },
  { date: '2026-05-22', amount: 30, description: '50% off', currency: 'GBP' },
  { date: '2026-03-23', amount: -4_000, description: 'Rent', currency: 'GBP' },
  { date: '2026-06-30', amount: 7, description: 'Acme Ltd', currency: 'GBP' },
];
const OTHER: LineInput[] = [{ date: '2026-06-29', amount: 1_000, currency: 'GBP' }];

async function overdueBook(lines: readonly LineInput[] = LINES, overdue = lines.length - 1) {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a: lines, b: OTHER });
  for (const id of pair.aIds.slice(0, overdue)) await book.client.get('records.mark_overdue', { id, reconciliation_id: 1 });
  return { ...book, pair };
}

const create = { reconciliation_id: 1, data_stream_id: 1 };
const NONE = {
  record_count: 0,
  total_amount: 0,
  debit_count: 0,
  debit_sum: 0,
  credit_count: 0,
  credit_sum: 0,
  currency: null,
  avg_age_days: null,
  oldest_at: null,
  newest_at: null,
  totals: [],
};

describe('exceptions', () => {
  test('create, get, list, update and remove', async () => {
    const { client, database, clock } = await overdueBook();
    const created = await client.get('exceptions.create', create);
    const time = '2026-07-01T09:00:00.000Z';
    expect(created).toEqual({
      id: 1,
      reconciliation_id: 1,
      reconciliation_name: 'June',
      data_stream_id: 1,
      data_stream_name: 'Ledger',
      data_stream_key: 'ledger',
      title: 'Ledger overdue records',
      description: null,
      status: 'open',
      created_at: time,
      updated_at: time,
      opened_at: time,
      closed_at: null,
      assignees: [],
      decimal_places: 2,
      aggregates: {
        record_count: 4,
        total_amount: -3_220,
        debit_count: 2,
        debit_sum: 4_250,
        credit_count: 2,
        credit_sum: 1_030,
        currency: 'GBP',
        avg_age_days: 38,
        oldest_at: '2026-03-23T00:00:00.000Z',
        newest_at: '2026-06-29T00:00:00.000Z',
        totals: [{ currency: 'GBP', decimal_places: 2, credits: 1_030, debits: 4_250 }],
      },
      filtered_aggregates: null,
      comments: [],
    });
    expect(await client.get('exceptions.get', { id: '1' })).toEqual(created);
    expect(await client.get('exceptions.list', {})).toEqual({ data: [created], has_more: false, offset: 0, next_cursor: null });
    clock.advance(60_000);
    const later = '2026-07-01T09:01:00.000Z';
    const given = { title: ' Ask Acme ', description: 'Twice', status: 'resolved' as const };
    const changed = await client.get('exceptions.update', { id: 1, ...given });
    expect(changed).toEqual({ ...created, ...given, title: 'Ask Acme', updated_at: later, closed_at: later });
    clock.advance(60_000);
    const reopened = await client.get('exceptions.update', { id: 1, status: 'investigating' });
    const latest = '2026-07-01T09:02:00.000Z';
    expect(reopened).toEqual({ ...changed, status: 'investigating', updated_at: latest, opened_at: latest, closed_at: null });
    expect(await client.call('exceptions.remove', { id: 1 })).toEqual({ ok: true, value: null });
    expect(await client.refusal('exceptions.get', { id: 1 })).toMatchObject({ code: 'not_found' });
    const actions = database.connection.prepare("SELECT action FROM audit_log WHERE action LIKE 'exception.%' ORDER BY id").pluck().all();
    expect(actions).toEqual(['exception.created', 'exception.updated', 'exception.updated', 'exception.deleted']);
    expect(firstBrokenAuditEntry(database)).toBeNull();
  });

  test('an exception that is created as closed is closed', async () => {
    const { client } = await overdueBook();
    const made = await client.get('exceptions.create', { ...create, title: 'Old', description: 'Done', status: 'dismissed' });
    expect(made).toMatchObject({ title: 'Old', description: 'Done', status: 'dismissed', closed_at: '2026-07-01T09:00:00.000Z' });
  });

  test('at most one of a stream and a reconciliation is open or investigated', async () => {
    const { client } = await overdueBook();
    await client.get('exceptions.create', { ...create, status: 'investigating' });
    const message = 'An exception for the account Ledger in this reconciliation is open already: work on that one, or close it first.';
    for (const status of ['open', 'investigating']) {
      expect(await client.refusal('exceptions.create', { ...create, status })).toEqual({ code: 'exception_open', message });
    }
    await client.get('exceptions.create', { ...create, status: 'resolved' });
    await client.get('exceptions.create', { ...create, data_stream_id: 2 });
    expect(await client.refusal('exceptions.update', { id: 2, status: 'open' })).toEqual({ code: 'exception_open', message });
    expect((await client.get('exceptions.update', { id: 1, status: 'open' })).status).toBe('open');
    await client.get('exceptions.update', { id: 1, status: 'dismissed' });
    expect((await client.get('exceptions.update', { id: 2, status: 'open' })).status).toBe('open');
  });

  test('refusals', async () => {
    const { client, testEnvironment } = await overdueBook();
    await client.get('streams.create', { key: 'third', name: 'Third' });
    const refused = (input: object) => client.refusal('exceptions.create', { ...create, ...input });
    expect(await refused({ reconciliation_id: 9 })).toMatchObject({ code: 'unknown_reference', errors: [{ path: 'reconciliation_id' }] });
    expect(await refused({ data_stream_id: 9 })).toMatchObject({ code: 'unknown_reference', errors: [{ path: 'data_stream_id' }] });
    expect(await refused({ data_stream_id: 3 })).toMatchObject({
      code: 'stream_not_in_reconciliation',
      message: 'The account third is on no side of reconciliation 1.',
      errors: [{ path: 'data_stream_id' }],
    });
    expect(await refused({ status: 'closed' })).toMatchObject({ code: 'validation_failed', errors: [{ path: 'status' }] });
    expect(await refused({ aggregates: {} })).toMatchObject({ code: 'read_only_field' });
    expect(await testEnvironment.refusal('exceptions.create', create)).toMatchObject({ code: 'unknown_reference' });
    await client.get('exceptions.create', create);
    for (const operation of ['exceptions.get', 'exceptions.update', 'exceptions.remove'] as const) {
      expect(await client.refusal(operation, { id: 9 })).toEqual({
        code: 'not_found',
        message: 'There is no reconciliation exception 9 in this environment.',
      });
      expect(await testEnvironment.refusal(operation, { id: 1 })).toMatchObject({ code: 'not_found' });
    }
    expect((await testEnvironment.get('exceptions.list', {})).data).toEqual([]);
    expect(await client.refusal('exceptions.list', { reconciliation_id: 9 })).toMatchObject({ code: 'unknown_reference' });
    expect(await client.refusal('exceptions.list', { data_stream_id: 9 })).toMatchObject({ code: 'unknown_reference' });
    expect(await client.refusal('exceptions.list', { age_bucket: 'old' })).toMatchObject({ code: 'validation_failed' });
    expect(await client.refusal('exceptions.list', { cursor: 'x' })).toMatchObject({ code: 'validation_failed' });
  });
});

describe('aggregates', () => {
  test('are empty without overdue records', async () => {
    const { client } = await overdueBook(LINES, 0);
    expect(await client.get('exceptions.create', create)).toMatchObject({ decimal_places: 2, aggregates: NONE });
  });

  test('leave out what is matched in that reconciliation, and count it again when the match is taken apart', async () => {
    const { client, pair } = await overdueBook();
    await client.get('exceptions.create', create);
    const count = async () => (await client.get('exceptions.get', { id: 1 })).aggregates.record_count;
    const ids = [pair.aIds[0] ?? 0, pair.bIds[0] ?? 0];
    const match = await client.get('matches.create', { reconciliation_id: 1, record_ids: ids });
    expect(await count()).toBe(3);
    await client.get('matches.remove', { id: match.id });
    expect(await count()).toBe(4);
  });

  test('over several currencies and scales, the single sums are of the one with most records alone', async () => {
    const { client } = await overdueBook(
      [
        { amount: 5, currency: 'JPY' },
        { amount: -1_001, currency: 'KWD' },
        { amount: 200, currency: 'GBP' },
        { amount: 3, currency: 'GBP', decimal_places: 0 },
      ],
      4,
    );
    expect(await client.get('exceptions.create', create)).toMatchObject({
      decimal_places: 2,
      aggregates: {
        record_count: 4,
        currency: 'GBP',
        total_amount: 500,
        totals: [
          { currency: 'GBP', decimal_places: 2, credits: 500, debits: 0 },
          { currency: 'JPY', decimal_places: 0, credits: 5, debits: 0 },
          { currency: 'KWD', decimal_places: 3, credits: 0, debits: 1_001 },
        ],
      },
    });
  });

  test('a sum beyond 2^53-1 is refused, never rounded', async () => {
    const { client } = await overdueBook([{ amount: Number.MAX_SAFE_INTEGER }, { amount: 1 }], 2);
    const refusal = {
      code: 'total_out_of_range',
      message: 'A total of exception 1 is beyond 2^53-1 minor units, so it cannot be shown exactly.',
    };
    expect(await client.refusal('exceptions.create', create)).toEqual(refusal);
    expect(await client.refusal('exceptions.get', { id: 1 })).toEqual(refusal);
    expect(await client.refusal('exceptions.list', {})).toEqual(refusal);
  });
});

describe('the list', () => {
  test.each([
    [{ amount_min: 250 }, 3, -3_250],
    [{ amount_max: 250 }, 2, -220],
    [{ amount_min: 30, amount_max: 250 }, 2, -220],
    [{ date_from: '2026-06-21' }, 2, 750],
    [{ date_to: '2026-05-22' }, 2, -3_970],
    [{ direction: 'credit' as const }, 2, 1_030],
    [{ direction: 'debit' as const }, 2, -4_250],
    [{ counterparty: 'acme' }, 2, 750],
    [{ counterparty: '0%' }, 1, 30],
    [{ age_bucket: 'lt_7d' as const }, 1, 1_000],
    [{ age_bucket: '7_30d' as const }, 1, -250],
    [{ age_bucket: '30_90d' as const }, 1, 30],
    [{ age_bucket: 'gt_90d' as const }, 1, -4_000],
    [{ age_bucket: 'gt_90d' as const, date_from: '2026-03-23', direction: 'debit' as const }, 1, -4_000],
  ])('filters records by %j', async (filter, records, total) => {
    const { client } = await overdueBook();
    await client.get('exceptions.create', create);
    await client.get('exceptions.create', { ...create, data_stream_id: 2 });
    const { data } = await client.get('exceptions.list', filter);
    expect(data.map(({ id, filtered_aggregates: filtered }) => [id, filtered?.record_count, filtered?.total_amount])).toEqual([
      [1, records, total],
    ]);
    expect(data[0]?.aggregates).toMatchObject({ record_count: 4, total_amount: -3_220 });
  });

  test.each([
    ['lt_7d', '2026-06-25', '2026-06-24'],
    ['7_30d', '2026-06-24', '2026-06-25'],
    ['7_30d', '2026-06-02', '2026-06-01'],
    ['30_90d', '2026-06-01', '2026-06-02'],
    ['30_90d', '2026-04-03', '2026-04-02'],
    ['gt_90d', '2026-04-02', '2026-04-03'],
    ['lt_7d', '2026-07-05', '2026-06-01'],
  ] as const)('the bucket %s has %s and not %s', async (bucket, within, outside) => {
    const lines = [within, outside].map((date) => ({ date, amount: 1 }));
    const { client } = await overdueBook(lines, 2);
    await client.get('exceptions.create', create);
    const { data } = await client.get('exceptions.list', { age_bucket: bucket });
    expect(data[0]?.filtered_aggregates).toMatchObject({ record_count: 1, newest_at: `${within}T00:00:00.000Z` });
  });

  test('is filtered by reconciliation, stream and status, and paged newest first', async () => {
    const { client, clock } = await overdueBook();
    for (const [stream, status] of [
      [1, 'resolved'],
      [1, 'open'],
      [2, 'open'],
      [2, 'dismissed'],
      [2, 'dismissed'],
    ] as const) {
      clock.advance(1_000);
      await client.get('exceptions.create', { reconciliation_id: 1, data_stream_id: stream, status });
    }
    const ids = async (input: object) => (await client.get('exceptions.list', input)).data.map((row) => row.id);
    expect(await ids({})).toEqual([5, 4, 3, 2, 1]);
    expect(await ids({ reconciliation_id: 1, data_stream_id: 1 })).toEqual([2, 1]);
    expect(await ids({ status: 'open' })).toEqual([3, 2]);
    expect(await ids({ limit: 2, offset: 1 })).toEqual([4, 3]);
    const first = await client.get('exceptions.list', { limit: 3 });
    expect(first).toMatchObject({ has_more: true, offset: 0 });
    expect(await ids({ limit: 3, cursor: first.next_cursor })).toEqual([2, 1]);
  });
});

test('records that are wiped leave their exception, and the exception goes with the stream', async () => {
  const book = await overdueBook();
  await book.client.get('exceptions.create', create);
  await book.client.get('streams.reset', { key: 'ledger' });
  // From the publish step on, before a row has gone.
  const flipped = book.database.connection.prepare('SELECT 1 FROM wipes WHERE flipped_at IS NOT NULL');
  book.work({ isCancelled: () => flipped.get() !== undefined });
  expect((await book.client.get('exceptions.get', { id: 1 })).aggregates).toEqual(NONE);
  book.recover();
  expect(book.work()).toEqual({ end: 'completed' });
  expect(book.database.connection.prepare('SELECT count(*) FROM overdue_records').pluck().get()).toBe(0);
  book.database.connection.prepare('DELETE FROM reconciliation_streams WHERE stream_id = 1').run();
  expect(await book.client.call('streams.remove', { key: 'ledger' })).toEqual({ ok: true, value: null });
  expect((await book.client.get('exceptions.list', {})).data).toEqual([]);
  expect(book.database.connection.prepare('SELECT count(*) FROM exceptions').pluck().get()).toBe(0);
});

test('several exceptions are changed as one change, which one undo takes back; a refused one stays', async () => {
  const { client } = await overdueBook();
  await client.get('exceptions.create', create);
  await client.get('exceptions.update', { id: 1, status: 'resolved', assignee: 'Ann' });
  await client.get('exceptions.create', create);
  const answer = await client.get('exceptions.update_many', { ids: [1, 2, 9], status: 'investigating', assignee: 'Ben' });
  expect(answer.updated).toEqual([2]);
  expect(answer.refused.map(({ id, code }) => [id, code])).toEqual([
    [1, 'exception_open'],
    [9, 'not_found'],
  ]);
  expect(await client.get('exceptions.get', { id: 2 })).toMatchObject({ status: 'investigating', assignees: ['Ben'] });
  const { undo } = await client.get('undo.list', {});
  expect(undo[0]?.label).toBe('Changed 1 exception');
  await client.get('undo.take_back', {});
  expect(await client.get('exceptions.get', { id: 2 })).toMatchObject({ status: 'open', assignees: [] });
  await client.get('undo.redo', {});
  expect(await client.get('exceptions.get', { id: 2 })).toMatchObject({ status: 'investigating', assignees: ['Ben'] });
});
