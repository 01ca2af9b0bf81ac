import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { openTestBook } from '../../support/books/backend.ts';
import { addLines, BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, numbered, setUpPair } from '../../support/books/lines.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { dumpBook } from '../../support/faults/failing-statements.ts';

/** A stream of many records without the service's own checks of each. */
function fillStream(book: QuietBook, key: string, count: number): void {
  const stream = book.database.connection.prepare('SELECT id FROM streams WHERE key = ?').pluck().get(key);
  book.database.connection
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, external_id, metadata, dedupe_key, created_at)
       SELECT 1, ?, 20600, i, 1, 'USD', 2, 'm' || i, '{}', 'x:m' || i, 0 FROM n`,
    )
    .run(count, stream);
}

const rows = (book: QuietBook, table: string) => book.database.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
const audited = (book: QuietBook, action: string) =>
  (book.database.connection.prepare('SELECT detail FROM audit_log WHERE action = ? ORDER BY id').pluck().all(action) as string[]).map(
    (detail) => JSON.parse(detail) as unknown,
  );

function importFile(book: QuietBook) {
  const file = path.join(book.folder, 'june.csv');
  writeFileSync(file, 'Date,Description,Amount\n2026-06-01,One,-1.00\n2026-06-02,Two,2.00\n');
  return importHere(book, { path: file });
}

async function bankOnly() {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  return book;
}

describe('deleting a stream within the request', () => {
  test('its records, batches and key go, nothing of others does, and the audit log says so', async () => {
    const book = await bankOnly();
    importFile(book);
    await addLines(book.client, 'bank', numbered(2));
    await book.client.get('streams.create', { key: 'other', name: 'Other' });
    const [kept] = await addLines(book.client, 'other', numbered(1));
    expect(await book.client.call('streams.remove', { key: 'bank' })).toEqual({ ok: true, value: null });
    expect((await book.client.get('streams.list', {})).map((stream) => stream.key)).toEqual(['other']);
    expect((await book.client.get('records.list', {})).data).toEqual([kept]);
    expect(rows(book, 'records')).toBe(1);
    expect(rows(book, 'import_batches')).toBe(0);
    expect(rows(book, 'streams')).toBe(1);
    expect(audited(book, 'stream.deleted')).toEqual([{ stream: 'bank', stream_id: 1, operation_id: 1 }]);
    expect(audited(book, 'stream.cleared')).toEqual([
      { stream: 'bank', stream_id: 1, operation_id: 1, records: 4, matches_dissolved: 0, proposals_dropped: 0 },
    ]);
    expect(firstBrokenAuditEntry(book.database)).toBeNull();
    await book.client.get('streams.create', { key: 'bank', name: 'A new one' });
    expect(await book.client.get('streams.get', { key: 'bank' })).toMatchObject({ id: 3, record_count: 0 });
  });

  test('a stream that a reconciliation uses stays', async () => {
    const book = openQuietBook();
    await setUpPair(book.client, { a: numbered(1), b: numbered(1) });
    const before = JSON.stringify(dumpBook(book.database));
    for (const input of [{ key: 'bank' }, { key: 'bank', async: true }]) {
      expect(await book.client.refusal('streams.remove', input)).toEqual({
        code: 'stream_in_use',
        message: 'The account bank is used by the reconciliation June: take it out there, or delete that first.',
      });
    }
    expect(JSON.stringify(dumpBook(book.database))).toBe(before);
  });

  test('10,000 records go at once; one more needs async=true', async () => {
    const book = await bankOnly();
    fillStream(book, 'bank', 10_001);
    const before = JSON.stringify(dumpBook(book.database));
    expect(await book.client.refusal('streams.remove', { key: 'bank' })).toEqual({
      code: 'async_required',
      message: 'The account bank has 10001 records, and only up to 10000 are deleted within a request: add async=true.',
    });
    expect(JSON.stringify(dumpBook(book.database))).toBe(before);
    const { data } = await book.client.get('records.list', { limit: 1 });
    await book.client.get('records.remove', { id: data[0]?.id ?? 0 });
    expect(await book.client.call('streams.remove', { key: 'bank' })).toEqual({ ok: true, value: null });
    expect(rows(book, 'records')).toBe(0);
  });

  test('refusals', async () => {
    const book = await bankOnly();
    const { client } = book;
    for (const operation of ['streams.remove', 'streams.reset', 'streams.health'] as const) {
      expect(await client.refusal(operation, { key: 'none' })).toEqual({
        code: 'not_found',
        message: 'There is no account none in this environment.',
      });
    }
    for (const operation of ['streams.remove', 'streams.reset'] as const) {
      expect(await client.refusal(operation, { key: 'adjustments' })).toEqual({
        code: 'reserved_key',
        message: 'The account adjustments is Tieout’s own: it cannot be deleted or reset.',
      });
      expect(await book.testEnvironment.refusal(operation, { key: 'bank' })).toMatchObject({ code: 'not_found' });
    }
    expect(await client.refusal('streams.operation', { key: 'bank', id: 1 })).toMatchObject({ code: 'not_found' });
    expect(await client.refusal('streams.remove', { key: 'bank', async: 'maybe' })).toMatchObject({ code: 'validation_failed' });
    await client.get('streams.reset', { key: 'bank' });
    for (const operation of ['streams.remove', 'streams.reset'] as const) {
      expect(await client.refusal(operation, { key: 'bank' })).toEqual({
        code: 'conflict',
        message: 'The account bank is being reset, as operation 1: wait until that has ended.',
      });
    }
    expect(await client.refusal('streams.operation', { key: 'other', id: 1 })).toMatchObject({ code: 'not_found' });
    expect(await book.testEnvironment.refusal('streams.operation', { key: 'bank', id: 1 })).toMatchObject({ code: 'not_found' });
    expect(await client.refusal('jobs.get', { id: 1 })).toMatchObject({ code: 'not_found' });
  });

  test('an import that is under way is waited for', async () => {
    const book = await bankOnly();
    importFile(book);
    book.database.connection.prepare('UPDATE import_batches SET writing = 1').run();
    expect(await book.client.refusal('streams.remove', { key: 'bank' })).toEqual({
      code: 'conflict',
      message: 'A file is being imported into the account bank: try again when it has ended.',
    });
  });
});

describe('deleting a stream as an operation', () => {
  test('202 with the operation and where to poll it, which can be asked for when the stream is gone', async () => {
    const book = await bankOnly();
    fillStream(book, 'bank', 10_001);
    const started = await book.client.call('streams.remove', { key: 'bank', async: true });
    const pending = {
      id: 1,
      data_stream_id: 1,
      data_stream_key: 'bank',
      kind: 'delete',
      status: 'pending',
      progress: 0,
      error_message: null,
      started_at: null,
      completed_at: null,
      created_at: '2026-07-01T09:00:00.000Z',
      requested_by_user_id: null,
    };
    expect(started).toEqual({ ok: true, value: pending, meta: { location: '/v1/data_streams/bank/operations/1' } });
    const seen = new Set<number>();
    const polled: { readonly status: string; readonly processed: number; readonly total: number }[] = [];
    const steps = {
      onStep: (phase: string) => {
        if (phase !== 'clearing') return;
        const row = book.database.connection.prepare('SELECT status, processed, total FROM stream_operations').get();
        polled.push(row as (typeof polled)[number]);
        seen.add(book.database.connection.prepare('SELECT count(*) FROM streams WHERE environment_id = 1').pluck().get() as number);
      },
    };
    expect(book.work(steps)).toEqual({ end: 'completed' });
    expect([...seen]).toEqual([0]);
    const processed = polled.map((row) => row.processed);
    expect(processed).toEqual(processed.toSorted((left, right) => left - right));
    expect(new Set(processed).size).toBe(processed.length);
    expect([processed[0], processed.at(-1)]).toEqual([10_001, 20_002]);
    expect(new Set(polled.map((row) => `${row.status} ${row.total}`))).toEqual(new Set(['running 20002']));
    const time = '2026-07-01T09:00:00.000Z';
    const completed = { ...pending, status: 'completed', progress: 100, started_at: time, completed_at: time };
    expect(await book.client.get('streams.operation', { key: 'bank', id: 1 })).toEqual(completed);
    expect(await book.client.refusal('streams.get', { key: 'bank' })).toMatchObject({ code: 'not_found' });
    expect(rows(book, 'records')).toBe(0);
    expect(rows(book, 'streams')).toBe(0);
  });

  test('a reconciliation that took the stream meanwhile fails the operation, and the stream is as it was', async () => {
    const book = await bankOnly();
    const [line] = await addLines(book.client, 'bank', numbered(1));
    const operation = await book.client.get('streams.remove', { key: 'bank', async: true });
    await book.client.get('streams.create', { key: 'ledger', name: 'Ledger' });
    await book.client.get('reconciliations.create', { name: 'June', side_a_stream_ids: [1], side_b_stream_ids: [2], run_type: 'batch' });
    const message = 'The account bank is used by the reconciliation June: take it out there, or delete that first.';
    expect(book.work()).toEqual({ end: 'failed', message });
    expect(await book.client.get('streams.operation', { key: 'bank', id: operation?.id ?? 0 })).toMatchObject({
      status: 'failed',
      progress: 0,
      error_message: message,
      completed_at: '2026-07-01T09:00:00.000Z',
    });
    expect((await book.client.get('records.list', { data_stream_key: 'bank' })).data).toEqual([line]);
    expect(await book.client.call('streams.reset', { key: 'bank' })).toMatchObject({ ok: true });
  });
});

/** Two matches of which one is proposed, an open line, and an import: then the bank is reset. */
async function matchedPair() {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a: numbered(3), b: numbered(2) }, [BY_EXTERNAL_ID]);
  await book.run(pair.reconciliation.id);
  importFile(book);
  return { book, pair };
}

describe('resetting a stream', () => {
  test('the stream and its links stay, records go, matches are dissolved and their other records are free again', async () => {
    const { book, pair } = await matchedPair();
    const { client } = book;
    const stream = await client.get('streams.get', { key: 'bank' });
    expect(await client.call('streams.reset', { key: 'bank' })).toMatchObject({
      ok: true,
      value: { kind: 'reset', status: 'pending' },
      meta: { location: '/v1/data_streams/bank/operations/1' },
    });
    expect(book.work()).toEqual({ end: 'completed' });
    expect(await client.get('streams.get', { key: 'bank' })).toEqual({ ...stream, record_count: 0 });
    expect((await client.get('matches.list', {})).total_count).toBe(0);
    const ledger = await client.get('records.list', { data_stream_key: 'ledger' });
    expect(ledger.data.map(({ status, matched_records }) => [status, matched_records])).toEqual(pair.a.map(() => ['unreconciled', []]));
    expect(await client.get('streams.health', { key: 'bank' })).toMatchObject({ records_count: 0, import_batches_count: 0 });
    expect(rows(book, 'records')).toBe(3);
    expect(rows(book, 'matches')).toBe(0);
    expect(book.database.connection.prepare('SELECT count(*) FROM runs WHERE id < 0').pluck().get()).toBe(0);
    expect(audited(book, 'matches.dissolved')).toEqual([
      {
        reconciliation_id: pair.reconciliation.id,
        stream: 'bank',
        operation_id: 1,
        matches: 2,
        proposals: 0,
        records_unreconciled: 2,
        match_ids: [1, 2],
      },
    ]);
    expect(audited(book, 'stream.reset')).toEqual([{ stream: 'bank', stream_id: 2, operation_id: 1 }]);
    expect(audited(book, 'stream.cleared')).toMatchObject([{ stream: 'bank', records: 4, matches_dissolved: 2, proposals_dropped: 0 }]);
    expect(firstBrokenAuditEntry(book.database)).toBeNull();
    // What was wiped comes in again, and is matched again.
    await addLines(client, 'bank', numbered(2));
    expect(await book.run(pair.reconciliation.id)).toMatchObject({ status: 'completed', matches: 2 });
    expect(importFile(book).result).toMatchObject({ kept: 2, skipped: 0 });
  });

  test('from the publish step on it is invisible, and its lines can be imported again at once', async () => {
    const { book, pair } = await matchedPair();
    await book.client.get('streams.reset', { key: 'bank' });
    // The publish step alone: the work is interrupted before the first row goes.
    let phase = '';
    book.work({ onStep: (at) => (phase = at), isCancelled: () => phase === 'clearing' });
    expect(rows(book, 'records')).toBe(7);
    expect((await book.client.get('records.list', { data_stream_key: 'bank' })).data).toEqual([]);
    expect((await book.client.get('matches.list', {})).total_count).toBe(0);
    expect((await book.client.get('runs.list', { id: pair.reconciliation.id })).data.map((run) => run.id)).toEqual([1]);
    expect((await book.client.get('reconciliations.list', {})).data[0]?.last_run?.id).toBe(1);
    expect((await book.client.get('import_batches.list', { key: 'bank' })).data).toEqual([]);
    expect(await book.client.get('reconciliations.summary', { id: pair.reconciliation.id })).toMatchObject({
      matches: 0,
      side_b: { records: 0 },
    });
    const [again] = await addLines(book.client, 'bank', numbered(1));
    const ids = [pair.aIds[0] ?? 0, again?.id ?? 0];
    await book.client.get('matches.create', { reconciliation_id: pair.reconciliation.id, record_ids: ids });
    book.recover();
    expect(book.work()).toEqual({ end: 'completed' });
    expect(rows(book, 'records')).toBe(4);
    expect((await book.client.get('records.list', { data_stream_key: 'bank' })).data).toMatchObject([
      { id: again?.id, status: 'reconciled' },
    ]);
  });

  test('proposals go too', async () => {
    const book = openQuietBook();
    const { reconciliation } = await setUpPair(book.client, { a: numbered(2), b: numbered(2) }, [BY_AMOUNT_PROPOSED]);
    await book.run(reconciliation.id);
    await book.client.get('streams.reset', { key: 'ledger' });
    book.work();
    expect((await book.client.get('matches.list', {})).total_count).toBe(0);
    expect(audited(book, 'matches.dissolved')).toMatchObject([{ matches: 0, proposals: 2, records_unreconciled: 0 }]);
  });

  test('a run under way leaves the wiped records alone, whether the reset comes before or after it has written', async () => {
    for (const phase of ['matching', 'writing']) {
      const book = openQuietBook();
      const { reconciliation } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) }, [BY_EXTERNAL_ID]);
      const operation = await book.client.get('streams.reset', { key: 'bank' });
      let done = false;
      const run = await book.run(reconciliation.id, {
        onStep: (at) => {
          if (at !== phase || done) return;
          done = true;
          book.workOperation(operation.id);
        },
      });
      expect(done).toBe(true);
      expect(run).toMatchObject({ status: 'completed', matches: 0, matched_records: 0 });
      expect(rows(book, 'matches')).toBe(0);
      expect(rows(book, 'records')).toBe(3);
      expect(rows(book, 'run_exclusions')).toBe(0);
    }
  });
});

describe('health', () => {
  test('counts records, batches and what is of no batch, and says when something came in last', async () => {
    const book = await bankOnly();
    const bulk = { pending: 0, processing: 0, completed: 0, failed: 0, cancelled: 0, stuck: 0 };
    expect(await book.client.get('streams.health', { key: 'bank' })).toEqual({
      records_count: 0,
      import_batches_count: 0,
      import_batches_record_sum: 0,
      orphan_records_count: 0,
      bulk_requests: bulk,
      last_ingestion_at: null,
    });
    await addLines(book.client, 'bank', numbered(3));
    book.clock.advance(60_000);
    importFile(book);
    expect(await book.client.get('streams.health', { key: 'bank' })).toEqual({
      records_count: 5,
      import_batches_count: 1,
      import_batches_record_sum: 2,
      orphan_records_count: 3,
      bulk_requests: bulk,
      last_ingestion_at: '2026-07-01T09:01:00.000Z',
    });
  });
});

test('health counts the bulk requests that name the stream, and those that do not go on', async () => {
  const book = await bankOnly();
  const { connection } = book.database;
  const insert = connection.prepare(
    `INSERT INTO bulk_requests(environment_id, status, on_conflict, actor, total, processed, successful, body_id, sha256, byte_length, created_at, started_at)
     VALUES (1, ?, 'skip', 'app', 1, ?, ?, (SELECT count(*) + 1 FROM bulk_requests), '', 2, ?, ?)`,
  );
  const name = connection.prepare('INSERT INTO bulk_request_streams(bulk_request_id, stream_id) VALUES (?, ?)');
  const nowMs = book.clock.nowMs();
  const minutesAgo = (minutes: number) => nowMs - minutes * 60_000;
  const add = (status: string, createdAtMs: number, startedAtMs: number | null, streamId = 1) => {
    const done = status === 'completed' ? 1 : 0;
    name.run(insert.run(status, done, done, createdAtMs, startedAtMs).lastInsertRowid, streamId);
  };
  add('pending', minutesAgo(15), null);
  add('pending', minutesAgo(16), null);
  add('processing', minutesAgo(60), minutesAgo(1));
  add('processing', minutesAgo(60), minutesAgo(30));
  for (const status of ['completed', 'completed', 'failed', 'cancelled']) add(status, minutesAgo(60), minutesAgo(60));
  add('failed', minutesAgo(60), minutesAgo(60), 2);
  const { bulk_requests: bulk } = await book.client.get('streams.health', { key: 'bank' });
  expect(bulk).toEqual({ pending: 2, processing: 2, completed: 2, failed: 1, cancelled: 1, stuck: 2 });
});

test('a worker does it, and everyone is told of changed data', async () => {
  const book = await openTestBook();
  await setUpPair(book.client, { a: numbered(2), b: numbered(2) });
  await book.run(1);
  const { id } = await book.client.get('streams.reset', { key: 'bank' });
  await expect
    .poll(async () => (await book.client.get('streams.operation', { key: 'bank', id })).status, { timeout: 20_000 })
    .toBe('completed');
  await expect
    .poll(() => book.events.at(-1), { timeout: 20_000 })
    .toMatchObject({ kind: 'changed', areas: ['imports', 'records', 'streams', 'matches', 'bank_accounts'] });
  expect(book.events.filter((event) => event.kind === 'job' && event.job_kind === 'stream_operation').length).toBeGreaterThan(1);
  expect((await book.client.get('streams.get', { key: 'bank' })).record_count).toBe(0);
});
