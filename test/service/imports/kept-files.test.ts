import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CHECKS, verifyBook } from '../../../src-main/book/work/verify-book.ts';
import { completeRestore, prepareRestore } from '../../../src-main/book/work/restore-book.ts';
import { keptFileOfHash, sha256Of } from '../../../src-main/imports/store/kept-files.ts';
import { writeBackup } from '../../../src-main/book/work/write-backup.ts';
import { present } from '../../../src-shared/values/assert.ts';
import type { Call } from '../../../src-shared/contract/index.ts';
import { openTestBook, TEST_START_MS, type TestBook, testFolder } from '../../support/books/backend.ts';
import { openTestDatabase } from '../../support/books/quiet-book.ts';
import { type DrawnText, pdfOf } from '../../support/pdf-writer.ts';

const CSV = 'Date,Description,Amount,Currency\n2026-06-15,Rent,-10.00,EUR\n2026-06-16,Sale,5.00,EUR\n';

/** A statement of two lines with running balances. */
function statement(): Buffer {
  const row = (y: number, ...cells: readonly string[]): DrawnText[] =>
    cells.flatMap((text, index) => (text === '' ? [] : [{ x: [40, 110, 400, 475, 550][index] ?? 0, y, text, isRight: index > 1 }]));
  return pdfOf([
    [
      ...row(40, 'Harbour Test Bank, currency: EUR'),
      ...row(80, 'Date', 'Details', 'Paid out', 'Paid in', 'Balance'),
      ...row(100, '', 'Opening balance', '', '', '100.00'),
      ...row(120, '15/06/2026', 'Rent', '10.00', '', '90.00'),
      ...row(140, '16/06/2026', 'Sale', '', '5.00', '95.00'),
      ...row(160, '', 'Closing balance', '', '', '95.00'),
    ],
  ]);
}

async function imported(book: TestBook, name: string, content: string | Buffer, input: Partial<Call<'imports.start'>> = {}) {
  const file = path.join(book.folder, name);
  writeFileSync(file, content);
  const chosen = book.backend.registerFile(file);
  const token = chosen.ok ? chosen.value.token : '';
  const job = await book.ended(
    await book.client.get('imports.start', { file_token: token, stream_key: 'bank', keep_file: true, ...input }),
  );
  return present(job.import_result, 'result');
}

async function keptContent(book: TestBook, id: number): Promise<Buffer> {
  return Buffer.from((await book.client.get('import_batches.file', { id })).content, 'base64');
}

test.each([
  ['june.csv', CSV, 'application/octet-stream'],
  ['june.pdf', statement(), 'application/pdf'],
])('%s is kept byte by byte, and goes with its import', async (name, content, type) => {
  const book = await openTestBook();
  const { batch_id: id } = await imported(book, name, content);
  expect(await book.client.get('import_batches.get', { id: id ?? 0 })).toMatchObject({ file_kept: true });
  expect(await book.client.get('import_batches.file', { id: id ?? 0 })).toMatchObject({ file_name: name, content_type: type });
  expect(await keptContent(book, id ?? 0)).toEqual(Buffer.from(content));
  expect(await book.client.get('import_batches.remove', { id: id ?? 0, preview: true })).toMatchObject({ file_removed: true });
  expect(await book.client.get('import_batches.remove', { id: id ?? 0 })).toMatchObject({ file_removed: true });
  expect(await book.client.call('import_batches.file', { id: id ?? 0 })).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(openTestDatabase(book.folder).prepare('SELECT count(*) AS n FROM kept_files').get()).toEqual({ n: 0 });
});

test('no file is kept unless a person says so, and the next file of the account begins with what was said last', async () => {
  const book = await openTestBook();
  const suggested = async (): Promise<boolean> => {
    const chosen = book.backend.registerFile(path.join(book.folder, 'june.csv'));
    const read = await book.client.get('imports.preview', { file_token: chosen.ok ? chosen.value.token : '', stream_key: 'bank' });
    return present((await book.ended(read)).preview, 'preview').suggestion.keep_file;
  };
  const { batch_id: id } = await imported(book, 'june.csv', CSV, { keep_file: false });
  expect(await book.client.get('import_batches.get', { id: id ?? 0 })).toMatchObject({ file_kept: false });
  expect(await book.client.call('import_batches.file', { id: id ?? 0 })).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(await suggested()).toBe(false);
  await imported(book, 'july.csv', CSV.replaceAll('-06-', '-07-'));
  expect(await suggested()).toBe(true);
});

test('each line of a PDF says where it is on its page', async () => {
  const book = await openTestBook();
  expect(await imported(book, 'june.pdf', statement())).toMatchObject({ kept: 2 });
  const { data } = await book.client.get('records.list', { data_stream_key: 'bank' });
  expect(data.map(({ metadata }) => metadata['pdf_place'])).toEqual([expect.stringMatching(/^1 /), expect.stringMatching(/^1 /)]);
});

test('a line that a CSV file brought first gets its place on the page from the PDF, and loses it with the PDF', async () => {
  const book = await openTestBook();
  await imported(book, 'june.csv', CSV);
  const places = async () => {
    const { data } = await book.client.get('records.list', { data_stream_key: 'bank' });
    return data.map(({ metadata, other_files: files }) => [metadata['pdf_place'] ?? null, files.map(({ import_batch_id: id }) => id)]);
  };
  expect(await places()).toEqual([
    [null, []],
    [null, []],
  ]);
  const pdf = await imported(book, 'june.pdf', statement(), { accept_target: true });
  expect(pdf).toMatchObject({ kept: 0, skipped: 2 });
  const placed = [expect.stringMatching(/^1 /), [pdf.batch_id]];
  expect(await places()).toEqual([placed, placed]);
  await imported(book, 'again.pdf', statement(), { accept_target: true });
  expect(await places()).toEqual([placed, placed]);
  expect(verifyBook(openTestDatabase(book.folder), CHECKS, () => undefined).flatMap(({ findings }) => findings)).toEqual([]);
  await book.client.get('import_batches.remove', { id: pdf.batch_id ?? 0 });
  expect((await places()).map(([place]) => place)).toEqual([null, null]);
});

test('a backup has the kept files, and a restore brings them back', async () => {
  const book = await openTestBook();
  const { batch_id: id } = await imported(book, 'june.pdf', statement());
  const by = { atMs: TEST_START_MS, actor: 'cli' };
  const file = path.join(testFolder(), 'backup.sqlite');
  expect(await writeBackup({ dataFolder: book.folder, kind: 'by_hand', ...by, out: file })).toMatchObject({ ok: true });
  const elsewhere = path.join(testFolder(), 'book');
  const prepared = prepareRestore(file, elsewhere);
  expect(prepared.ok && (await completeRestore(prepared.value, by))).toMatchObject({ ok: true });
  const restored = openTestDatabase(elsewhere);
  expect(restored.prepare<[], { id: number; bytes: number }>('SELECT batch_id AS id, byte_length AS bytes FROM kept_files').all()).toEqual([
    { id, bytes: statement().length },
  ]);
  expect(verifyBook(restored, CHECKS, () => undefined).flatMap(({ findings }) => findings)).toEqual([]);
});

test.each([
  ["UPDATE kept_files SET content = x'00'", 'is not the one that was imported'],
  ["UPDATE kept_files SET sha256 = '0'", 'is not the one that was imported'],
  ['DELETE FROM kept_files', 'is gone'],
])('verify finds what another program did to a kept file: %s', async (sql, words) => {
  const book = await openTestBook();
  await imported(book, 'june.csv', CSV);
  const database = openTestDatabase(book.folder);
  const found = () => verifyBook(database, CHECKS, () => undefined).find(({ check }) => check.id === 'kept_files')?.findings ?? [];
  expect(found()).toEqual([]);
  database.connection.exec(sql);
  expect(found().map(({ message }) => message)).toEqual([expect.stringContaining(words)]);
});

test('a file that took the place of a kept one is not given out, though the hash beside it was changed as well', async () => {
  const book = await openTestBook();
  const { batch_id: id } = await imported(book, 'june.csv', CSV);
  const forged = Buffer.from(CSV.replace('-10.00', '-90.00'));
  openTestDatabase(book.folder)
    .prepare('UPDATE kept_files SET content = ?, sha256 = ?, byte_length = ?, is_packed = 0')
    .run(forged, sha256Of(forged), forged.length);
  expect(await book.client.call('import_batches.file', { id: id ?? 0 })).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: expect.stringContaining('is not the one that was imported') },
  });
});

test('a file that two imports kept is found by its hash while one of them is as it was', async () => {
  const book = await openTestBook();
  const first = await imported(book, 'june.csv', CSV);
  const second = await imported(book, 'june.csv', CSV, { stream_key: 'savings' });
  const database = openTestDatabase(book.folder);
  const damage = database.prepare("UPDATE kept_files SET content = x'00' WHERE batch_id = ?");
  const found = () => keptFileOfHash(database, sha256Of(Buffer.from(CSV)));
  damage.run(first.batch_id);
  expect(Buffer.from(found() ?? [])).toEqual(Buffer.from(CSV));
  damage.run(second.batch_id);
  // A close pack says so in place of the file.
  expect(found()).toBe('changed');
  database.prepare('DELETE FROM kept_files').run();
  expect(found()).toBe('gone');
  expect(keptFileOfHash(database, sha256Of(Buffer.from('another')))).toBeNull();
});

test('a PDF that is in another account already waits for a person', async () => {
  const book = await openTestBook();
  await imported(book, 'june.pdf', statement());
  const held = await imported(book, 'june.pdf', statement(), { stream_key: 'savings' });
  expect(held).toMatchObject({ batch_id: null, misfits: [{ about: 'same_file', stream: 'bank' }] });
  expect(await imported(book, 'june.pdf', statement(), { stream_key: 'savings', accept_target: true })).toMatchObject({ kept: 2 });
});
