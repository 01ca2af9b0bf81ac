import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openJobs, updateJob } from '../../../src-main/book/store/jobs.ts';
import { openTestBook, type TestBook } from '../../support/books/backend.ts';
import { BY_AMOUNT, setUpPair } from '../../support/books/lines.ts';
import { undoHere } from '../../support/books/wipes.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { IS_LONG, quickTest } from '../../support/long.ts';

/** It is being stored long enough for others to come in between. */
const LARGE = IS_LONG ? 20_000 : 6_000;
const HEADER = 'Date,Description,Amount';
const row = (day: number, words: string, amount: string) => `2026-06-${String(day).padStart(2, '0')},${words},${amount}`;
const fileOf = (rows: readonly string[]) => `${HEADER}\n${rows.join('\n')}\n`;
const JUNE = [row(1, 'Rent', '-900.00'), row(2, 'Coffee', '-3.50'), row(2, 'Coffee', '-3.50'), row(4, 'Takings', '120.00')];

const count = async (book: Pick<TestBook, 'client'>, key = 'bank') => (await book.client.get('streams.get', { key })).record_count;
function write(book: QuietBook, name: string, text: string): string {
  const file = path.join(book.folder, name);
  writeFileSync(file, text);
  return file;
}

quickTest('an import makes stream and batch; the same file again adds nothing; equal lines are kept', async () => {
  const book = await openTestBook();
  const first = await book.importText('bank', fileOf(JUNE), { stream_name: 'Current account', currency: 'GBP' });
  expect(first).toMatchObject({ status: 'completed', error_message: null, progress: 100 });
  expect(first.import_result).toMatchObject({
    stream: 'bank',
    rows: 4,
    kept: 4,
    skipped: 0,
    rejected: 0,
    total_credits: 12_000,
    total_debits: 90_700,
    currency: 'GBP',
    date_range_start: '2026-06-01',
    date_range_end: '2026-06-04',
  });
  expect(await book.client.get('streams.get', { key: 'bank' })).toMatchObject({ name: 'Current account', currency: 'GBP', type: 'csv' });
  const again = await book.importText('bank', fileOf(JUNE), { currency: undefined });
  expect(again.import_result).toMatchObject({ kept: 0, skipped: 4, currency: 'GBP' });
  expect(await count(book)).toBe(4);
  const batch = await book.client.get('import_batches.get', { id: first.import_result?.batch_id ?? 0 });
  expect(batch).toMatchObject({
    kept: 4,
    record_count: 4,
    total_credits: 12_000,
    total_debits: 90_700,
    net_amount: -78_700,
    source: 'csv_upload',
  });
  const records = await book.client.get('import_batches.records', { id: batch.id, limit: 3 });
  expect([records.data.length, records.has_more]).toEqual([3, true]);
  const overview = await book.client.get('book.overview', {});
  expect(overview.streams).toMatchObject([
    { date_range_start: '2026-06-01', date_range_end: '2026-06-04', last_filename: 'statement-2.csv' },
  ]);
  expect(book.log.lines).toEqual([]);
});

quickTest('an overlapping file adds only what is new, also after lines were edited and matched', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: [{ amount: 12_000 }], b: [] }, [BY_AMOUNT]);
  importHere(book, { path: write(book, 'one.csv', fileOf(JUNE)) });
  const lines = await book.client.get('records.list', { data_stream_key: 'bank', sort: 'date' });
  await book.client.get('records.update', { id: lines.data[0]?.id ?? 0, amount: -1, description: 'Edited', date: '2025-01-01' });
  expect(await book.run(reconciliation.id)).toMatchObject({ matches: 1 });
  const overlapping = [...JUNE, row(2, 'Coffee', '-3.50'), row(5, 'Bus', '-2.00')];
  const second = importHere(book, { path: write(book, 'two.csv', fileOf(overlapping)) });
  // A third coffee of that day and the bus are new.
  expect(second.result).toMatchObject({ rows: 6, kept: 2, skipped: 4 });
  expect(await count(book)).toBe(6);
});

test('a deleted line comes back with the file, an edited one does not come twice', async () => {
  const book = openQuietBook();
  const file = write(book, 'one.csv', fileOf(JUNE));
  importHere(book, { path: file });
  const lines = await book.client.get('records.list', { data_stream_key: 'bank', sort: 'date' });
  await book.client.get('records.remove', { id: lines.data[0]?.id ?? 0 });
  expect(importHere(book, { path: file }).result).toMatchObject({ kept: 1, skipped: 3 });
});

quickTest('a preview and a dry run store nothing', async () => {
  const book = await openTestBook();
  const dry = await book.importText('bank', fileOf(JUNE), { dry_run: true });
  expect(dry.import_result).toMatchObject({ kept: 4, batch_id: null });
  expect(await book.client.get('streams.list', {})).toEqual([]);
  const file = path.join(book.folder, 'look at me.csv');
  writeFileSync(file, fileOf(JUNE));
  const chosen = book.backend.registerFile(file);
  const token = chosen.ok ? chosen.value.token : '';
  const preview = await book.ended(await book.client.get('imports.preview', { file_token: token }));
  expect(preview.preview).toMatchObject({ can_import: true, suggestion: { stream_key: 'look-at-me', stream_name: 'Look at me' } });
  expect(preview.preview?.rows.map((shown) => shown.outcome)).toEqual(['new', 'new', 'new', 'new']);
  expect(await book.client.get('streams.list', {})).toEqual([]);
});

test('rejected rows hold the file back until a person accepts them', async () => {
  const book = openQuietBook();
  const file = write(book, 'bad.csv', fileOf([...JUNE, row(7, 'Broken', 'twelve')]));
  const held = importHere(book, { path: file });
  expect(held.result).toMatchObject({ rows: 5, kept: 0, rejected: 1, batch_id: null });
  expect(held.result?.problems).toContainEqual(expect.objectContaining({ row: 6, column: 'Amount', severity: 'rejected' }));
  expect(await book.client.get('streams.list', {})).toEqual([]);
  expect(importHere(book, { path: file, acceptRejected: true }).result).toMatchObject({ kept: 4, rejected: 1 });
  expect(await count(book)).toBe(4);
});

quickTest.each([
  ['missing', null],
  ['empty', ''],
  ['binary', '\u0000\u0001\u0002PNG\u0000'.repeat(50)],
  ['not a table', 'just some words\nand more words\n'],
])('a file that is %s gives one fatal problem, and nothing is stored', async (_what, text) => {
  const book = openQuietBook();
  const file = text === null ? path.join(book.folder, 'gone.csv') : write(book, 'odd.csv', text);
  const { end, result } = importHere(book, { path: file });
  expect(end).toEqual({ end: 'completed' });
  expect(result).toMatchObject({ rows: 0, kept: 0, batch_id: null, problems_total: 1 });
  expect(result?.problems[0]).toMatchObject({ severity: 'fatal', message: expect.stringMatching(/\.$/) });
  expect(await book.client.get('streams.list', {})).toEqual([]);
});

quickTest('an import cancelled in the middle leaves nothing, not even the stream it made', async () => {
  const book = openQuietBook();
  const rows = Array.from({ length: 4_500 }, (_, index) => row((index % 28) + 1, `Line ${index}`, `${index + 1}.00`));
  const file = write(book, 'long.csv', fileOf(rows));
  let stored = 0;
  const seen: Promise<number>[] = [];
  const { end } = importHere(
    book,
    { path: file },
    {
      onStep: (phase, processed) => {
        if (phase !== 'storing') return;
        stored = processed;
        seen.push(count(book));
      },
      isCancelled: () => stored >= 2_000,
    },
  );
  expect(end).toEqual({ end: 'cancelled' });
  // While it was written nobody saw a line of it.
  expect(new Set(await Promise.all(seen))).toEqual(new Set([0]));
  expect(await book.client.get('streams.list', {})).toEqual([]);
  expect(
    book.database.connection.prepare('SELECT (SELECT count(*) FROM records) + (SELECT count(*) FROM import_batches)').pluck().get(),
  ).toBe(0);
  expect(importHere(book, { path: file }).result).toMatchObject({ kept: 4_500 });
});

test('a cancel that comes when the last line is stored comes too late: the import is complete', async () => {
  const book = openQuietBook();
  importHere(book, { path: write(book, 'one.csv', fileOf(JUNE)) });
  const before = await book.client.get('streams.list', {});
  let isCancelled = false;
  importHere(
    book,
    { path: write(book, 'two.csv', fileOf([row(9, 'New', '1.00')])) },
    {
      onStep: (phase) => {
        isCancelled ||= phase === 'storing';
      },
      isCancelled: () => isCancelled,
    },
  );
  expect((await book.client.get('streams.list', {}))[0]?.record_count).toBe((before[0]?.record_count ?? 0) + 1);
});

quickTest('undo of an import: preview, undo, and import again', async () => {
  const book = openQuietBook();
  const { reconciliation, aIds } = await setUpPair(book.client, { a: [{ amount: 12_000 }, { amount: 5 }], b: [{ amount: 5 }] }, [
    BY_AMOUNT,
  ]);
  const file = write(book, 'one.csv', fileOf(JUNE));
  const batchId = importHere(book, { path: file }).result?.batch_id ?? 0;
  await book.run(reconciliation.id);
  const matches = await book.client.get('matches.list', {});
  expect(matches.total_count).toBe(2);
  const told = {
    import_batch_id: batchId,
    records: 4,
    records_kept: 0,
    matches_dissolved: 1,
    balances_removed: 0,
    balances_kept: 0,
    file_removed: false,
    shared_with: [],
  };
  expect(await book.client.get('import_batches.remove', { id: batchId, preview: true })).toEqual({ ...told, preview: true });
  expect(await book.client.get('matches.list', {})).toEqual(matches);
  expect(await book.client.get('import_batches.remove', { id: batchId })).toEqual({ ...told, preview: false });
  expect(await count(book)).toBe(1);
  expect((await book.client.get('matches.list', {})).total_count).toBe(1);
  expect(await book.client.get('records.get', { id: aIds[0] ?? 0 })).toMatchObject({ status: 'unreconciled' });
  expect((await book.client.refusal('import_batches.get', { id: batchId })).code).toBe('not_found');
  expect((await book.client.refusal('import_batches.remove', { id: batchId })).code).toBe('not_found');
  // It is forgotten: the same lines come in again, and nothing was separated.
  expect(importHere(book, { path: file }).result).toMatchObject({ kept: 4, skipped: 0 });
  await book.run(reconciliation.id);
  expect((await book.client.get('matches.list', {})).total_count).toBe(2);
});

test('an undo in the middle of a run takes its records out of that run', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: [{ amount: 12_000 }, { amount: 5 }], b: [{ amount: 5 }] }, [BY_AMOUNT]);
  const batchId = importHere(book, { path: write(book, 'one.csv', fileOf(JUNE)) }).result?.batch_id ?? 0;
  let isUndone = false;
  const run = await book.run(reconciliation.id, {
    onStep: (phase) => {
      if (phase !== 'matching' || isUndone) return;
      isUndone = true;
      undoHere(book, batchId);
    },
  });
  expect(isUndone).toBe(true);
  expect(run).toMatchObject({ status: 'completed', matches: 1 });
  expect((await book.client.get('matches.list', {})).total_count).toBe(1);
});

test('after a crash, an import in progress ends with a message, and its rows are removed', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'other', name: 'Other' });
  const { connection } = book.database;
  connection.exec(`
    INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 0);
    INSERT INTO import_batches(environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)
      VALUES (1, 2, 1, 'csv_upload', 'csv', '', 0, 0, 0, 0, '[]', 'unproved', '[]', 0);
    INSERT INTO records(environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, metadata, dedupe_key, created_at)
      VALUES (1, 2, 1, 20000, 100, 1, 'USD', 2, '{}', 'f:1', 0);
    INSERT INTO jobs(environment_id, kind, status, payload, result, created_at)
      VALUES (1, 'import', 'running', '{}', '{"open":{"batchId":1,"streamId":2,"streamIsNew":true}}', 0);`);
  expect(await count(book)).toBe(0);
  expect((await book.client.get('records.list', {})).data).toEqual([]);
  expect((await book.client.get('import_batches.list', { key: 'bank' })).data).toEqual([]);
  book.database.close();
  book.jobDatabase.close();
  const again = await openTestBook(book.folder);
  expect((await again.client.get('streams.list', {})).map((stream) => stream.key)).toEqual(['other']);
  expect(await again.client.get('jobs.get', { id: 1 })).toMatchObject({
    status: 'failed',
    error_message: 'Tieout stopped during this import, so nothing of it was stored: import the file again.',
    import_result: null,
  });
});

test('a job that is pending is cancelled at once; one that ended stays as it is', async () => {
  const book = openQuietBook();
  const file = write(book, 'one.csv', fileOf(JUNE));
  const chosen = book.files.register(file);
  const token = chosen.ok ? chosen.value.token : '';
  const job = await book.client.get('imports.start', { file_token: token, stream_key: 'bank' });
  expect(job).toMatchObject({ status: 'pending', kind: 'import', progress: 0 });
  expect(await book.client.get('jobs.cancel', { id: job.id })).toMatchObject({ status: 'cancelled', error_message: null });
  expect(openJobs(book.database)).toEqual([]);
  book.database.write((write) => updateJob(write, job.id, { status: 'completed' }));
  expect(await book.client.get('jobs.cancel', { id: job.id })).toMatchObject({ status: 'completed' });
});

test('refusals: an unknown token, a reserved key, an unknown job', async () => {
  const book = openQuietBook();
  expect(await book.client.refusal('imports.start', { file_token: 'x', stream_key: 'bank' })).toEqual({
    code: 'file_unreadable',
    message: 'The chosen file is not known any more: choose it again.',
  });
  expect((await book.client.refusal('imports.preview', { file_token: 'x' })).code).toBe('file_unreadable');
  const chosen = book.files.register(write(book, 'one.csv', fileOf(JUNE)));
  const token = chosen.ok ? chosen.value.token : '';
  expect(await book.client.refusal('imports.start', { file_token: token, stream_key: 'adjustments' })).toMatchObject({
    code: 'reserved_key',
    message: 'adjustments is reserved for Tieout: choose another account.',
    errors: [{ path: 'stream_key' }],
  });
  expect(await book.client.refusal('jobs.get', { id: 5 })).toEqual({
    code: 'not_found',
    message: 'There is no job 5 in this environment.',
  });
  expect((await book.client.refusal('jobs.cancel', { id: 5 })).code).toBe('not_found');
});

test('interactive reads and writes succeed while a worker imports in chunks', async () => {
  const book = await openTestBook();
  await book.client.get('streams.create', { key: 'other', name: 'Other' });
  const rows = Array.from({ length: LARGE }, (_, index) => row((index % 28) + 1, `Line ${index}`, `${index + 1}.00`));
  const progress = { isOver: false };
  const importing = book.importText('bank', fileOf(rows)).finally(() => {
    progress.isOver = true;
  });
  let written = 0;
  while (!progress.isOver) {
    written += 1;
    await book.client.get('records.create', { data_stream_key: 'other', date: '2026-06-01', amount: written });
    await book.client.get('records.list', { data_stream_key: 'other', limit: 5 });
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect((await importing).import_result).toMatchObject({ kept: LARGE });
  // None of them waits for the whole import.
  expect(written).toBeGreaterThan(5);
  expect(await count(book, 'other')).toBe(written);
});
