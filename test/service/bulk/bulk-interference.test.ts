import { expect, onTestFinished, test, vi } from 'vitest';
import { present } from '../../../src-shared/values/assert.ts';
import { abandonImport } from '../../../src-main/records/work/cleanup.ts';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { publishBatch } from '../../../src-main/imports/store/import-batches.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { folderWithNewBook, openTestBook, type TestBook } from '../../support/books/backend.ts';
import { bulkItem, sendBulk, wholeBulk, workOff } from '../../support/books/bulk.ts';
import { withFailingStatement } from '../../support/faults/failing-statements.ts';
import { numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, openTestDatabase } from '../../support/books/quiet-book.ts';
import { IS_LONG, quickTest } from '../../support/long.ts';

/** Items of each of the requests in flight. */
const ITEMS = IS_LONG ? 100 : 8;

const many = (count: number, change: (index: number) => Record<string, unknown> = () => ({})) =>
  Array.from({ length: count }, (_, index) => bulkItem({ external_id: `e${index}`, ...change(index) }));

async function completed(book: TestBook, id: number): Promise<void> {
  const deadlineMs = performance.now() + 20_000;
  for (;;) {
    const { status } = await book.client.get('bulk_requests.get', { id });
    if (status === 'completed') return;
    expect(['pending', 'processing']).toContain(status);
    if (performance.now() > deadlineMs) throw new Error(`bulk request ${id} does not end: ${book.log.lines.join('\n')}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

quickTest.each([0, 1, 2])('a request that was open when the book closed, after %i steps, continues at the next start', async (steps) => {
  const folder = folderWithNewBook();
  const first = openQuietBook(folder);
  await first.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const records = many(1_000, (index) => (index % 10 === 0 ? { date: 'x' } : {}));
  await first.client.get('bulk_requests.create', { records });
  for (let step = 0; step < steps; step += 1) expect(first.bulk.step()).toBe('more');
  const before = await first.client.get('bulk_requests.get', { id: 1 });
  expect(before).toMatchObject({ status: steps === 0 ? 'pending' : 'processing' });
  expect(before.processed_items).toBe(before.successful_items + before.failed_items);
  first.database.close();
  first.jobDatabase.close();

  const second = await openTestBook(folder);
  await completed(second, 1);
  const done = await wholeBulk(second.client, { id: 1 });
  expect(done).toMatchObject({ processed_items: 1_000, successful_items: 900, failed_items: 100, skipped_items: 0 });
  expect(done.results.data.map((result) => result.index)).toEqual(records.map((_, index) => index));
  const batches = await second.client.get('import_batches.list', { key: 'bank' });
  expect(batches.data).toMatchObject([{ record_count: 900, rejected: 100 }]);
  await second.close();
  const database = openTestDatabase(folder);
  expect(database.prepare('SELECT count(*) AS n, count(DISTINCT external_id) AS d FROM records').get()).toEqual({ n: 900, d: 900 });
  expect(database.prepare('SELECT count(*) AS n FROM bulk_items').get()).toEqual({ n: 0 });
  expect(auditEntries(database, 'import_batch.created')).toHaveLength(1);
  expect(firstBrokenAuditEntry(database)).toBeNull();
});

quickTest('closing the backend between two steps loses nothing', async () => {
  const folder = folderWithNewBook();
  const first = await openTestBook(folder);
  await first.client.get('streams.create', { key: 'bank', name: 'Bank' });
  for (let request = 0; request < 5; request += 1) {
    await first.client.get('bulk_requests.create', { records: many(1_000, (index) => ({ external_id: `${request}-${index}` })) });
  }
  await new Promise((resolve) => setImmediate(resolve));
  await first.close();
  const second = await openTestBook(folder);
  for (let id = 1; id <= 5; id += 1) {
    await completed(second, id);
    expect(await second.client.get('bulk_requests.get', { id })).toMatchObject({ successful_items: 1_000 });
  }
  expect((await second.client.get('streams.get', { key: 'bank' })).record_count).toBe(5_000);
  expect(second.log.lines).toEqual([]);
});

/** A request of four items, and one step of its work in which the n-th writing statement fails. */
async function stepWithFailure(nth: number) {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await book.client.get('bulk_requests.create', {
    records: [bulkItem({ external_id: 'a' }), 'x', bulkItem({ external_id: 'a' }), bulkItem()],
  });
  let step = '';
  const { statements } = await withFailingStatement(nth, () => {
    step = book.bulk.step();
  });
  return { book, step, statements };
}

quickTest('whichever statement fails on a full disk, the request waits, and then goes in once', async () => {
  const { statements } = await stepWithFailure(Number.POSITIVE_INFINITY);
  expect(statements).toBeGreaterThan(5);
  for (let nth = 1; nth <= statements; nth += 1) {
    const { book, step } = await stepWithFailure(nth);
    expect(step).toBe('blocked');
    expect(await book.client.get('bulk_requests.get', { id: 1 })).toMatchObject({
      status: 'pending',
      processed_items: 0,
      error_message: 'The disk is full: free some space, and the request goes on by itself.',
    });
    expect((await book.client.get('records.list', {})).data).toEqual([]);
    workOff(book);
    const done = await wholeBulk(book.client, { id: 1 });
    expect(done).toMatchObject({ status: 'completed', successful_items: 2, failed_items: 1, skipped_items: 1 });
    expect((await book.client.get('streams.get', { key: 'bank' })).record_count).toBe(2);
  }
});

quickTest('the reason for waiting is shown while it lasts, and the work continues by itself', async () => {
  // The next try comes after two seconds; here nobody waits for longer than a moment.
  const { setTimeout: after } = globalThis;
  const soon = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((work: () => void, ms = 0) => after(work, Math.min(ms, 50))) as typeof after);
  onTestFinished(() => soon.mockRestore());
  const book = await openTestBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await withFailingStatement(1, async () => {
    // The first statement that fails is the one that stores the request.
    expect(await book.client.refusal('bulk_requests.create', { records: [bulkItem()] })).toMatchObject({ code: 'storage_full' });
  });
  const { id } = await book.client.get('bulk_requests.create', { records: [bulkItem()] });
  await withFailingStatement(
    1,
    async () => {
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    'forever',
  );
  expect(await book.client.get('bulk_requests.get', { id })).toMatchObject({
    status: 'pending',
    error_message: 'The disk is full: free some space, and the request goes on by itself.',
  });
  await completed(book, id);
  expect(await book.client.get('bulk_requests.get', { id })).toMatchObject({ successful_items: 1, error_message: null });
  const next = await book.client.get('bulk_requests.create', { records: [bulkItem()] });
  expect(await book.client.get('bulk_requests.get', { id: next.id })).toMatchObject({ status: 'pending', error_message: null });
});

test('items of a request whose transaction was rolled back are not those of the next request with its id', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const rolledBack = () =>
    book.database.write(() => {
      // The handler has run when the call returns its promise.
      void book.client.call('bulk_requests.create', { records: [bulkItem({ amount: 1 })] });
      throw new Error('rolled back');
    });
  expect(rolledBack).toThrow('rolled back');
  expect(await book.client.get('bulk_requests.create', { records: [bulkItem({ amount: 2 })] })).toMatchObject({ id: 1 });
  workOff(book);
  expect((await book.client.get('records.list', {})).data.map((record) => record.amount)).toEqual([2]);
});

test('a bug in the work on one request ends that one with a message; the others continue, and it can be retried', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  for (const external_id of ['a', 'b', 'c']) await book.client.get('bulk_requests.create', { records: [bulkItem({ external_id })] });
  book.database.connection.exec(
    "CREATE TEMP TRIGGER broken BEFORE INSERT ON main.records WHEN NEW.external_id = 'b' BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );
  workOff(book);
  const { data } = await book.client.get('bulk_requests.list', {});
  expect(data.map((request) => request.status)).toEqual(['completed', 'failed', 'completed']);
  expect(data[1]).toMatchObject({
    processed_items: 0,
    error_message: 'Tieout failed in the middle of this request: broken. Items without a result were not reached: retry the request.',
  });
  expect(auditEntries(book.database, 'bulk_request.failed')).toMatchObject([{ detail: { bulk_request_id: 2, reason: 'broken' } }]);
  book.database.connection.exec('DROP TRIGGER broken');
  await book.client.get('bulk_requests.retry', { id: 2 });
  workOff(book);
  expect(await book.client.get('bulk_requests.get', { id: 4 })).toMatchObject({ status: 'completed', successful_items: 1 });
});

test('a record that is being removed is waited for and is no duplicate; one that is being added is', async () => {
  for (const isPublished of [false, true]) {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    await sendBulk(book, { records: [bulkItem({ external_id: 'e' })] });
    book.database.connection.exec('UPDATE import_batches SET writing = 1');
    await book.client.get('bulk_requests.create', { records: [bulkItem(), bulkItem({ external_id: 'e' })] });
    expect(book.bulk.step()).toBe('blocked');
    expect(await book.client.get('bulk_requests.get', { id: 2 })).toMatchObject({ status: 'processing', processed_items: 1 });
    if (isPublished) book.database.write((write) => publishBatch(write, 1, {}));
    else abandonImport(book.database, { batchId: 1, streamId: 1, streamIsNew: false });
    workOff(book);
    const done = await wholeBulk(book.client, { id: 2 });
    expect(done.results.data.map((result) => result.status)).toEqual(['successful', isPublished ? 'skipped' : 'successful']);
  }
});

test('a request whose batch is undone meanwhile gets another batch', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await book.client.get('bulk_requests.create', { records: many(1_000) });
  expect(book.bulk.step()).toBe('more');
  const undone = await book.client.get('import_batches.remove', { id: 1 });
  workOff(book);
  const done = await book.client.get('bulk_requests.get', { id: 1 });
  expect(done).toMatchObject({ status: 'completed', successful_items: 1_000 });
  const { data } = await book.client.get('import_batches.list', { key: 'bank' });
  expect(data).toMatchObject([{ record_count: 1_000 - undone.records }]);
  expect((await book.client.get('streams.get', { key: 'bank' })).record_count).toBe(1_000 - undone.records);
});

test('a stream deleted while a request goes on fails the rest of its items', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await book.client.get('bulk_requests.create', { records: many(1_000) });
  expect(book.bulk.step()).toBe('more');
  const { processed_items: before } = await book.client.get('bulk_requests.get', { id: 1 });
  await book.client.get('streams.remove', { key: 'bank' });
  workOff(book);
  const done = await wholeBulk(book.client, { id: 1 });
  expect(done).toMatchObject({ status: 'completed', successful_items: before, failed_items: 1_000 - before });
  expect(done.results.data.at(-1)?.error?.code).toBe('unknown_reference');
});

test('100 requests during a run: all of them complete, and none waits for the run', { timeout: 60_000 }, async () => {
  const book = await openTestBook();
  const pair = await setUpPair(book.client, { a: numbered(200), b: numbered(200) });
  const run = await book.client.get('runs.start', { id: pair.reconciliation.id });
  const requests = await Promise.all(
    Array.from({ length: 100 }, (_, request) =>
      book.client.get('bulk_requests.create', {
        records: Array.from({ length: ITEMS }, (_item, index) => bulkItem({ external_id: `b${request}-${index}` })),
      }),
    ),
  );
  expect(new Set(requests.map((request) => request.id)).size).toBe(100);
  for (const request of requests) {
    await completed(book, request.id);
    expect(await book.client.get('bulk_requests.get', { id: request.id })).toMatchObject({ successful_items: ITEMS, failed_items: 0 });
  }
  await book.ended({ id: present((await book.client.get('runs.get', { id: pair.reconciliation.id, run_id: run.id })).id, 'run') });
  expect(await book.client.get('runs.get', { id: pair.reconciliation.id, run_id: run.id })).toMatchObject({ status: 'completed' });
  expect((await book.client.get('streams.get', { key: 'bank' })).record_count).toBe(200 + 100 * ITEMS);
  expect(book.log.lines).toEqual([]);
});
