import { describe, expect, test, vi } from 'vitest';
import { BULK_RECORDS } from '../../../src-shared/contract/records/bulk-requests.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { bulkItem, sendBulk, wholeBulk, workOff } from '../../support/books/bulk.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { setUpPair } from '../../support/books/lines.ts';

const NOW = '2026-07-01T09:00:00.000Z';

async function bookWithBank(): Promise<QuietBook> {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await book.client.get('streams.create', { key: 'ledger', name: 'Ledger' });
  return book;
}

const caller = { environmentId: 1, environment: 'live', permission: 'read_write', surface: 'app', actor: 'app' } as const;

test('an accepted request is pending, with every field, and is worked on afterwards', async () => {
  const book = await bookWithBank();
  const outcome = await book.dispatch('bulk_requests.create', { records: [bulkItem(), bulkItem({ amount: 'x' })] }, caller);
  const summary = {
    id: 1,
    status: 'pending',
    total_items: 2,
    processed_items: 0,
    successful_items: 0,
    failed_items: 0,
    skipped_items: 0,
    url: '/v1/bulk_requests/1',
  };
  expect(outcome).toEqual({ ok: true, value: summary, meta: { location: '/v1/bulk_requests/1' } });
  const pending = {
    ...summary,
    progress: 0,
    source: 'bulk_api',
    on_conflict: 'skip',
    created_at: NOW,
    started_at: null,
    completed_at: null,
    error_message: null,
  };
  expect(await book.client.get('bulk_requests.get', { id: 1 })).toEqual({ ...pending, results: { data: [], has_more: false, offset: 0 } });
  book.clock.advance(1_000);
  workOff(book);
  expect(await book.client.get('bulk_requests.get', { id: '1' })).toEqual({
    ...pending,
    status: 'completed',
    processed_items: 2,
    successful_items: 1,
    failed_items: 1,
    progress: 100,
    started_at: '2026-07-01T09:00:01.000Z',
    completed_at: '2026-07-01T09:00:01.000Z',
    results: {
      data: [
        { index: 0, status: 'successful', record_id: 1, possible_duplicate_of: null, error: null },
        {
          index: 1,
          status: 'failed',
          record_id: null,
          possible_duplicate_of: null,
          error: expect.objectContaining({ code: 'validation_failed' }) as unknown,
        },
      ],
      has_more: false,
      offset: 0,
    },
  });
});

test.each([
  [{}, 'records is required'],
  [{ records: 5 }, 'records must be a list'],
  [{ records: [] }, 'records must have at least 1 item'],
  [{ records: Array.from({ length: BULK_RECORDS + 1 }, () => bulkItem()) }, 'records must have at most 1000 items'],
])('a fault of the request itself is refused: %#', async (input, words) => {
  const book = await bookWithBank();
  expect(await book.client.refusal('bulk_requests.create', input)).toMatchObject({
    code: 'validation_failed',
    message: `The input is not valid: ${words}.`,
    errors: [{ path: 'records' }],
  });
  expect(await book.client.get('bulk_requests.list', {})).toMatchObject({ data: [] });
});

test('an unknown member and a wrong on_conflict are refused, each with its code', async () => {
  const book = await bookWithBank();
  expect(await book.client.refusal('bulk_requests.create', { records: [bulkItem()], mode: 'x' })).toMatchObject({
    code: 'unknown_field',
    errors: [{ path: 'mode' }],
  });
  for (const wrong of ['replace', '', null, 5, ['skip']]) {
    expect(await book.client.refusal('bulk_requests.create', { records: [bulkItem()], on_conflict: wrong })).toMatchObject({
      code: 'invalid_on_conflict',
      message: 'on_conflict must be one of skip, error; left out it is skip.',
      errors: [{ path: 'on_conflict' }],
    });
  }
  expect(await book.client.get('bulk_requests.list', {})).toMatchObject({ data: [] });
});

test.each<readonly [unknown, string, string, string]>([
  [null, 'validation_failed', '', 'wrong_type'],
  [[], 'validation_failed', '', 'wrong_type'],
  [{}, 'validation_failed', 'data_stream_key', 'required'],
  [bulkItem({ date: '2026-02-30' }), 'validation_failed', 'date', 'invalid'],
  [bulkItem({ date: undefined }), 'validation_failed', 'date', 'required'],
  [bulkItem({ amount: 1.5 }), 'validation_failed', 'amount', 'wrong_type'],
  [bulkItem({ amount: 2 ** 53 }), 'validation_failed', 'amount', 'too_big'],
  [bulkItem({ amount: 0 }), 'validation_failed', 'amount', 'zero_without_direction'],
  [bulkItem({ amount: -1, direction: 'debit' }), 'validation_failed', 'amount', 'negative_with_direction'],
  [bulkItem({ currency: 'EURO' }), 'validation_failed', 'currency', 'wrong_form'],
  [bulkItem({ external_id: 'x'.repeat(256) }), 'validation_failed', 'external_id', 'too_big'],
  [bulkItem({ colour: 'red' }), 'unknown_field', 'colour', 'unknown_field'],
  [bulkItem({ status: 'reconciled' }), 'read_only_field', 'status', 'read_only_field'],
  [bulkItem({ data_stream_key: 'bnak' }), 'unknown_reference', 'data_stream_key', 'unknown_reference'],
])('a wrong item fails alone, with code and message: %j', async (wrong, code, path, fault) => {
  const book = await bookWithBank();
  const done = await sendBulk(book, { records: [bulkItem({ amount: 1 }), wrong, bulkItem({ amount: 2 })] });
  expect(done).toMatchObject({ status: 'completed', successful_items: 2, failed_items: 1, skipped_items: 0 });
  const result = present(done.results.data[1], 'result');
  expect(result).toMatchObject({ index: 1, status: 'failed', record_id: null, error: { code, differences: [] } });
  expect(result.error?.errors[0]).toMatchObject({ path, code: fault });
  expect(result.error?.message).toMatch(/^.{15,}\.$/);
  expect((await book.client.get('records.list', { sort: 'amount' })).data.map((record) => record.amount)).toEqual([1, 2]);
});

test('the sign rule, the currency and its scale are those of a single record', async () => {
  const book = await bookWithBank();
  await sendBulk(book, {
    records: [
      bulkItem({ amount: -5 }),
      bulkItem({ amount: 7, direction: 'debit' }),
      bulkItem({ amount: 0, direction: 'credit', currency: 'jpy' }),
      bulkItem({ amount: 9, decimal_places: 3, description: 'D', metadata: { a: { b: 1 } }, external_id: null }),
    ],
  });
  const { data } = await book.client.get('records.list', { sort: '-created_at' });
  expect(data.toReversed()).toMatchObject([
    { amount: 5, direction: 'debit', currency: 'USD', decimal_places: 2, description: null, metadata: {}, external_id: null },
    { amount: 7, direction: 'debit' },
    { amount: 0, direction: 'credit', currency: 'JPY', decimal_places: 0 },
    { amount: 9, decimal_places: 3, description: 'D', metadata: { a: { b: 1 } } },
  ]);
});

test('under skip a duplicate of the stream or of an earlier item is skipped; other content is told with both values', async () => {
  const book = await bookWithBank();
  await book.client.get('records.create', { data_stream_key: 'bank', date: '2026-06-10', amount: 100, external_id: 'old' });
  const done = await sendBulk(book, {
    records: [
      bulkItem({ external_id: 'old' }),
      bulkItem({ external_id: 'new', date: 'never' }),
      bulkItem({ external_id: 'new', metadata: { b: 1, a: 2 } }),
      bulkItem({ external_id: 'new', metadata: { a: 2, b: 1 } }),
      bulkItem({ external_id: 'new', amount: -250, description: 'Other' }),
      bulkItem({ external_id: 'new', data_stream_key: 'ledger' }),
      bulkItem({ external_id: '' }),
      bulkItem({ external_id: '' }),
    ],
  });
  expect(done).toMatchObject({ successful_items: 4, failed_items: 1, skipped_items: 3, processed_items: 8 });
  expect(done.results.data.map((result) => [result.status, result.record_id])).toEqual([
    ['skipped', 1],
    ['failed', null],
    ['successful', 2],
    ['skipped', 2],
    ['skipped', 2],
    ['successful', 3],
    ['successful', 4],
    ['successful', 5],
  ]);
  expect(done.results.data[0]?.error).toBeNull();
  expect(done.results.data[3]?.error).toBeNull();
  expect(done.results.data[4]?.error).toMatchObject({
    code: 'same_id_other_content',
    message:
      'external_id new exists already in the account bank, as record 2, with other content (amount, direction, description, metadata): correct the external_id, or change that record.',
    differences: [
      { field: 'amount', existing: 100, given: 250 },
      { field: 'direction', existing: 'credit', given: 'debit' },
      { field: 'description', existing: null, given: 'Other' },
      { field: 'metadata', existing: { a: 2, b: 1 }, given: {} },
    ],
  });
});

test('under error a duplicate fails, with the code that says whether its content is the same', async () => {
  const book = await bookWithBank();
  const twin = bulkItem({ external_id: 'e' });
  const done = await sendBulk(book, { records: [twin, twin, { ...twin, amount: 101 }], on_conflict: 'error' });
  expect(done).toMatchObject({ successful_items: 1, failed_items: 2, skipped_items: 0 });
  expect(done.results.data.slice(1)).toMatchObject([
    { status: 'failed', record_id: 1, error: { code: 'key_taken', errors: [{ path: 'external_id' }], differences: [] } },
    {
      status: 'failed',
      record_id: 1,
      error: { code: 'same_id_other_content', differences: [{ field: 'amount', existing: 100, given: 101 }] },
    },
  ]);
});

test('an external id that an imported record had before it was changed is free again', async () => {
  const book = await bookWithBank();
  await sendBulk(book, { records: [bulkItem({ external_id: 'e' })] });
  await book.client.get('records.update', { id: 1, external_id: 'f' });
  const done = await sendBulk(book, { records: ['g', 'e', 'f', 'h'].map((id) => bulkItem({ external_id: id })) });
  expect(done.results.data.map((result) => result.status)).toEqual(['successful', 'successful', 'skipped', 'successful']);
  const stored = await Promise.all(done.results.data.map((result) => book.client.get('records.get', { id: result.record_id ?? 0 })));
  expect(stored.map((record) => record.external_id)).toEqual(['g', 'e', 'f', 'h']);
});

test('each stream of a request has one import batch with its figures, and one audit entry', async () => {
  const book = await bookWithBank();
  await sendBulk(book, {
    records: [
      bulkItem({ amount: 500, date: '2026-06-03', external_id: 'a' }),
      bulkItem({ amount: -200, date: '2026-06-01' }),
      bulkItem({ amount: 700, currency: 'JPY', date: '2026-06-09' }),
      bulkItem({ amount: 500, date: '2026-06-03', external_id: 'a' }),
      bulkItem({ amount: 'wrong' }),
      bulkItem({ data_stream_key: 'ledger', amount: 1 }),
      bulkItem({ data_stream_key: 'nowhere' }),
    ],
  });
  const { data } = await book.client.get('import_batches.list', { key: 'bank' });
  expect(data).toEqual([
    {
      id: 1,
      data_stream_key: 'bank',
      source: 'bulk_api',
      filename: null,
      file_kept: false,
      record_count: 3,
      total_credits: 500,
      total_debits: 200,
      net_amount: 300,
      currency: 'USD',
      decimal_places: 2,
      date_range_start: '2026-06-01',
      date_range_end: '2026-06-09',
      created_at: NOW,
      records_url: '/v1/import_batches/1/records',
      format: 'json',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      byte_length: expect.any(Number) as unknown,
      kept: 3,
      skipped: 1,
      rejected: 1,
      opening_balance: null,
      closing_balance: null,
      proof: 'unproved',
      recipe: null,
      totals: [
        { currency: 'JPY', decimal_places: 0, credits: 700, debits: 0 },
        { currency: 'USD', decimal_places: 2, credits: 500, debits: 200 },
      ],
    },
  ]);
  expect((await book.client.get('import_batches.list', { key: 'ledger' })).data).toMatchObject([
    { id: 2, kept: 1, skipped: 0, rejected: 0 },
  ]);
  const records = await book.client.get('import_batches.records', { id: 1 });
  expect(records.data.map((record) => [record.id, record.import_batch_id])).toEqual([
    [3, 1],
    [2, 1],
    [1, 1],
  ]);
  expect(auditEntries(book.database, 'bulk_request.').map((entry) => entry.action)).toEqual(['bulk_request.accepted']);
  expect(
    auditEntries(book.database, 'import_batch.').map((entry) => [entry.action, entry.detail['batch_id'], entry.detail['kept']]),
  ).toEqual([
    ['import_batch.created', 1, 3],
    ['import_batch.created', 2, 1],
  ]);
  expect(firstBrokenAuditEntry(book.database)).toBeNull();
});

test('an amount that would make a total inexact fails; smaller ones are stored', async () => {
  const book = await bookWithBank();
  const done = await sendBulk(book, {
    records: [
      bulkItem({ amount: Number.MAX_SAFE_INTEGER }),
      bulkItem({ amount: 1 }),
      bulkItem({ amount: -1 }),
      bulkItem({ amount: 1, currency: 'KWD' }),
    ],
  });
  expect(done.results.data.map((result) => result.error?.code ?? result.status)).toEqual([
    'successful',
    'total_out_of_range',
    'successful',
    'successful',
  ]);
  expect(await book.client.get('import_batches.get', { id: 1 })).toMatchObject({
    currency: 'USD',
    total_credits: Number.MAX_SAFE_INTEGER,
    total_debits: 1,
    rejected: 1,
  });
});

test('the same idempotency key returns the existing request, whatever the body; environments are separate', async () => {
  const book = await bookWithBank();
  const send = (idempotencyKey: string, input: unknown, environmentId = 1) =>
    book.dispatch('bulk_requests.create', input, { ...caller, environmentId, idempotencyKey });
  expect(await send('k', { records: [bulkItem()] })).toMatchObject({ ok: true, value: { id: 1, status: 'pending' } });
  workOff(book);
  for (const body of [
    { records: [bulkItem()] },
    {},
    { records: 5, surprise: 1 },
    { records: [5, 6], on_conflict: 'error' },
    { records: [bulkItem()], on_conflict: 'x' },
  ]) {
    expect(await send('k', body)).toMatchObject({
      ok: true,
      value: { id: 1, status: 'completed', total_items: 1 },
      meta: { replayed: true, location: '/v1/bulk_requests/1' },
    });
  }
  const other = await send('k', { records: [bulkItem()] }, 2);
  expect(other).toMatchObject({ ok: true, value: { id: 2 } });
  expect(other.ok && other.meta?.replayed).toBeFalsy();
  expect(await send('K', { records: [bulkItem()] })).toMatchObject({ ok: true, value: { id: 3 } });
  workOff(book);
  expect((await book.client.get('records.list', {})).data).toHaveLength(2);
});

test('the list is newest first, by offset and by cursor, and another environment sees nothing of it', async () => {
  const book = await bookWithBank();
  for (let count = 1; count <= 5; count += 1) {
    await book.client.get('bulk_requests.create', { records: Array.from({ length: count }, () => bulkItem()) });
    if (count % 2 === 0) book.clock.advance(1);
  }
  const page = await book.client.get('bulk_requests.list', { limit: 2 });
  expect(page).toMatchObject({ data: [{ id: 5, total_items: 5, progress: 0 }, { id: 4 }], has_more: true, offset: 0 });
  const next = await book.client.get('bulk_requests.list', { limit: 2, cursor: present(page.next_cursor, 'cursor') });
  expect(next.data.map((request) => request.id)).toEqual([3, 2]);
  expect(await book.client.get('bulk_requests.list', { limit: 2, offset: 4 })).toMatchObject({ data: [{ id: 1 }], has_more: false });
  expect(await book.testEnvironment.get('bulk_requests.list', {})).toMatchObject({ data: [] });
  for (const operation of ['bulk_requests.get', 'bulk_requests.cancel', 'bulk_requests.retry'] as const) {
    expect(await book.testEnvironment.refusal(operation, { id: 1 })).toMatchObject({ code: 'not_found' });
    expect(await book.client.refusal(operation, { id: 99 })).toMatchObject({ code: 'not_found' });
  }
});

test('the times of a request are those of its first and its last step', async () => {
  const book = await bookWithBank();
  await book.client.get('bulk_requests.create', { records: Array.from({ length: 1_000 }, () => bulkItem()) });
  book.clock.advance(1_000);
  expect(book.bulk.step()).toBe('more');
  book.clock.advance(1_000);
  expect(await book.client.get('bulk_requests.get', { id: 1 })).toMatchObject({ status: 'processing', completed_at: null });
  workOff(book);
  expect(await book.client.get('bulk_requests.get', { id: 1 })).toMatchObject({
    created_at: NOW,
    started_at: '2026-07-01T09:00:01.000Z',
    completed_at: '2026-07-01T09:00:02.000Z',
  });
});

test('results come page by page', async () => {
  const book = await bookWithBank();
  const records = Array.from({ length: 60 }, (_, index) => (index % 7 === 3 ? 'wrong' : bulkItem({ amount: index + 1 })));
  const whole = await sendBulk(book, { records });
  expect(whole.results.data.map((result) => result.index)).toEqual(records.map((_, index) => index));
  for (const [limit, offset] of [
    [1, 0],
    [5, 2],
    [7, 3],
    [25, 50],
    [10, 60],
    [10, 1_000],
  ] as const) {
    const { results } = await book.client.get('bulk_requests.get', { id: 1, limit, offset });
    expect(results).toEqual({ data: whole.results.data.slice(offset, offset + limit), has_more: offset + limit < 60, offset });
  }
  expect((await book.client.get('bulk_requests.get', { id: 1 })).results.data).toHaveLength(25);
  for (const result of whole.results.data) {
    if (result.record_id === null) continue;
    expect(await book.client.get('records.get', { id: result.record_id })).toMatchObject({ amount: result.index + 1 });
  }
});

test('cancel ends a pending or a processing request; what went in stays', async () => {
  const book = await bookWithBank();
  const records = Array.from({ length: 1_000 }, (_, index) => bulkItem({ external_id: `e${index}` }));
  await book.client.get('bulk_requests.create', { records: [bulkItem({ amount: 7 })] });
  expect(await book.client.get('bulk_requests.cancel', { id: 1 })).toMatchObject({ status: 'cancelled', processed_items: 0 });
  await book.client.get('bulk_requests.create', { records });
  expect(book.bulk.step()).toBe('more');
  const cancelled = await book.client.get('bulk_requests.cancel', { id: 2 });
  expect(cancelled).toMatchObject({ status: 'cancelled', failed_items: 0 });
  expect(cancelled.processed_items).toBeGreaterThan(0);
  expect(cancelled.processed_items).toBeLessThan(1_000);
  expect(workOff(book)).toBe(0);
  expect(await book.client.get('bulk_requests.get', { id: 2 })).toMatchObject({ ...cancelled, completed_at: NOW });
  expect(await book.client.get('import_batches.get', { id: 1 })).toMatchObject({ record_count: cancelled.successful_items });
  expect(auditEntries(book.database, 'bulk_request.cancelled')).toHaveLength(2);
  expect(auditEntries(book.database, 'import_batch.created')).toMatchObject([{ detail: { kept: cancelled.successful_items } }]);
  expect(await book.client.refusal('bulk_requests.cancel', { id: 2 })).toEqual({
    code: 'conflict',
    message: 'Bulk request 2 is cancelled, so there is nothing to cancel.',
  });
});

test('retry makes a new request of what failed, was skipped or was never reached', async () => {
  const book = await bookWithBank();
  await book.client.get('records.create', { data_stream_key: 'bank', date: '2026-06-10', amount: 100, external_id: 'e1' });
  const records = Array.from({ length: 1_000 }, (_, index) =>
    bulkItem({ external_id: `e${index}`, ...(index === 2 ? { date: 'x' } : {}) }),
  );
  await book.client.get('bulk_requests.create', { records });
  expect(await book.client.refusal('bulk_requests.retry', { id: 1 })).toMatchObject({ code: 'conflict' });
  book.bulk.step();
  const cancelled = await book.client.get('bulk_requests.cancel', { id: 1 });
  expect(cancelled).toMatchObject({ failed_items: 1, skipped_items: 1 });
  const retried = await book.client.get('bulk_requests.retry', { id: 1 });
  expect(retried).toMatchObject({ id: 2, status: 'pending', total_items: 1_000 - cancelled.successful_items });
  workOff(book);
  const done = await wholeBulk(book.client, retried);
  expect(done).toMatchObject({ status: 'completed', failed_items: 1, skipped_items: 1, on_conflict: 'skip' });
  expect(done.results.data.slice(0, 2)).toMatchObject([
    { index: 0, status: 'skipped', record_id: 1 },
    { index: 1, status: 'failed' },
  ]);
  expect(book.database.prepare('SELECT count(*) AS n, count(DISTINCT external_id) AS d FROM records').get()).toEqual({ n: 999, d: 999 });
  expect(await book.client.refusal('bulk_requests.retry', { id: 2 })).toMatchObject({
    code: 'conflict',
    message: 'Bulk request 2 is completed: only a failed or cancelled one can be retried.',
  });
  expect(auditEntries(book.database, 'bulk_request.accepted').at(-1)?.detail).toMatchObject({ bulk_request_id: 2, retry_of: 1 });
});

describe('found once: refused record positions', () => {
  test('a refused record is named by its place in what was sent, also after one that was sent twice', async () => {
    const book = openQuietBook();
    const { reconciliation, aIds } = await setUpPair(book.client, { a: [{ amount: 1 }], b: [] });
    const known = aIds[0] ?? 0;
    const refused = await book.client.refusal('matches.create', {
      reconciliation_id: reconciliation.id,
      record_ids: [known, known, 998, 999],
    });
    expect(refused.errors?.map((error) => error.path)).toEqual(['record_ids.2', 'record_ids.3']);
  });
});

describe('found once: results read beside other requests', () => {
  // Each poll of an ended request compared all of its lines anew as long as other requests went on: the thread that answers did little else.
  test('possible duplicates are searched once while other requests continue, and again after any other change', async () => {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    const rent = bulkItem({ amount: -1250, description: 'Rent June' });
    await sendBulk(book, { records: [rent] });
    const again = await sendBulk(book, { records: [rent] });
    const looked = vi.spyOn(book.database, 'prepare');
    const pointsAt = async () => {
      looked.mockClear();
      const { results } = await book.client.get('bulk_requests.get', { id: again.id });
      const isLooked = looked.mock.calls.some(([sql]) => /json_each/.test(sql));
      return { isLooked, older: results.data.map((result) => result.possible_duplicate_of) };
    };
    await sendBulk(book, { records: [rent, bulkItem({ amount: 5 })] });
    expect(await pointsAt()).toEqual({ isLooked: false, older: [1] });
    await book.client.get('records.update', { id: 1, description: 'Rent July', amount: -900 });
    expect(await pointsAt()).toEqual({ isLooked: true, older: [null] });
    expect(await pointsAt()).toEqual({ isLooked: false, older: [null] });
  });
});
