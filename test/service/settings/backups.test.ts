import { readAnchor } from '../../../src-main/book/store/audit-anchor.ts';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { completeRestore, prepareRestore } from '../../../src-main/book/work/restore-book.ts';
import { type BackupRequest, type WrittenBackup, writeBackup } from '../../../src-main/book/work/write-backup.ts';
import { listBackups, newestBackup, pruneBackups } from '../../../src-main/book/store/backup-files.ts';
import { openBook } from '../../../src-main/book/store/book.ts';
import { BOOK_VERSION } from '../../../src-main/database/migrations/list.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { openTestBook, type TestBook, TEST_START_MS, testFolder } from '../../support/books/backend.ts';

const DAY_MS = 86_400_000;
const by = { atMs: TEST_START_MS, actor: 'cli' };

async function bookOf(streams: number): Promise<TestBook> {
  const book = await openTestBook();
  for (let number = 1; number <= streams; number += 1)
    await book.client.get('streams.create', { key: `s${number}`, name: `Stream ${number}` });
  return book;
}

async function backedUp(dataFolder: string, more: Partial<BackupRequest> = {}): Promise<WrittenBackup> {
  const written = await writeBackup({ dataFolder, kind: 'by_hand', ...by, ...more });
  assert(written.ok, written.ok ? '' : written.error.message);
  return written.value;
}

const keysIn = (file: string): unknown[] => {
  const connection = new SqliteDatabase(file, { readonly: true });
  const keys = connection.prepare('SELECT key FROM streams ORDER BY id').pluck().all();
  connection.close();
  return keys;
};

async function restored(file: string, folder: string) {
  const prepared = prepareRestore(file, folder);
  return prepared.ok ? completeRestore(prepared.value, by) : prepared;
}

test('a backup of a running book is one file that opens anywhere and describes its content', async () => {
  const book = await bookOf(2);
  const written = await backedUp(book.folder);
  const elsewhere = path.join(testFolder(), 'a copy.sqlite');
  copyFileSync(written.file, elsewhere);
  expect(readFileSync(elsewhere).subarray(18, 20)).toEqual(Buffer.from([1, 1]));
  expect(keysIn(elsewhere)).toEqual(['s1', 's2']);
  expect(readdirSync(path.dirname(elsewhere))).toEqual(['a copy.sqlite']);
  const [audit] = listBackups(book.folder);
  expect(audit).toMatchObject({ kind: 'by_hand', bytes: written.bytes, facts: { records: 0, audit_entries: 2, head: written.head } });
  expect(statSync(written.file)).toMatchObject({ size: written.bytes });
  expect(statSync(written.file).mode & 0o777).toBe(0o600);
});

test('a backup continues while others write, and has the content of its beginning', async () => {
  const folder = testFolder();
  const book = openBook(folder);
  assert(book.ok, 'the folder is new');
  const insert = (): void => {
    book.value.write((write) => {
      write.prepare<[string, string], unknown>('INSERT INTO settings(key, value) VALUES (?, ?)').run(`k${inserted}`, 'x'.repeat(200_000));
    });
    inserted += 1;
  };
  let inserted = 0;
  for (let count = 0; count < 20; count += 1) insert();
  let steps = 0;
  const written = await backedUp(folder, {
    onProgress: () => {
      steps += 1;
      insert();
    },
  });
  expect(steps).toBeGreaterThan(2);
  const connection = new SqliteDatabase(written.file, { readonly: true });
  expect(connection.prepare("SELECT count(*) FROM settings WHERE key LIKE 'k%'").pluck().get()).toBe(20);
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
  connection.close();
  book.value.close();
});

test('a backup that is stopped leaves nothing', async () => {
  const book = await bookOf(1);
  const stopped = await writeBackup({ dataFolder: book.folder, kind: 'daily', ...by, isStopped: () => true });
  expect(stopped).toMatchObject({ ok: false, error: { code: 'stopped' } });
  expect(readdirSync(path.join(book.folder, 'backups'))).toEqual([]);
});

test('a damaged book makes no backup', async () => {
  const book = await bookOf(30);
  await book.close();
  const file = path.join(book.folder, 'book.sqlite');
  const bytes = readFileSync(file);
  bytes.fill(0xa5, bytes.length - 3 * 4_096);
  writeFileSync(file, bytes);
  expect(await writeBackup({ dataFolder: book.folder, kind: 'daily', ...by })).toMatchObject({ ok: false, error: { code: 'unsound' } });
  expect(readdirSync(path.join(book.folder, 'backups'))).toEqual([]);
});

test('a backup is restored into an empty folder, with an entry that names where it came from', async () => {
  const book = await bookOf(2);
  const { file, head } = await backedUp(book.folder);
  const folder = path.join(testFolder(), 'new');
  expect(await restored(file, folder)).toMatchObject({ ok: true, value: { records: 0, audit_entries: 2, head, replaced: null } });
  expect(readdirSync(folder).toSorted()).toEqual(['backups', 'book.anchor', 'book.sqlite']);
  const again = await openTestBook(folder);
  expect((await again.client.get('streams.list', {})).map(({ key }) => key)).toEqual(['s1', 's2']);
  const connection = new SqliteDatabase(path.join(folder, 'book.sqlite'), { readonly: true });
  const entry = connection.prepare("SELECT previous_hash, detail FROM audit_log WHERE action = 'book.restored'").get() as Record<
    string,
    string
  >;
  connection.close();
  expect(entry['previous_hash']).toBe(head);
  expect(JSON.parse(entry['detail'] ?? '')).toEqual({
    from: path.basename(file),
    head,
    audit_entries: 2,
    replaced: null,
    replaced_head: null,
    replaced_audit_entries: null,
  });
});

test('the book that a backup replaces is backed up and can be restored', async () => {
  const book = await bookOf(1);
  const first = await backedUp(book.folder);
  await book.client.get('streams.create', { key: 'later', name: 'Later' });
  await book.close();
  writeFileSync(path.join(book.folder, 'book.anchor'), 'how far the log of the book before had come');
  const answer = await restored(first.file, book.folder);
  assert(answer.ok && answer.value.replaced !== null, 'something was replaced');
  expect(keysIn(path.join(book.folder, 'book.sqlite'))).toEqual(['s1']);
  expect(readAnchor(book.folder)).toMatchObject({ length: expect.any(Number), head: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(keysIn(answer.value.replaced)).toEqual(['s1', 'later']);
  const back = await restored(answer.value.replaced, book.folder);
  expect(back.ok).toBe(true);
  expect(keysIn(path.join(book.folder, 'book.sqlite'))).toEqual(['s1', 'later']);
});

test('a damaged book is kept as it is when a backup takes its place', async () => {
  const book = await bookOf(1);
  const { file } = await backedUp(book.folder);
  await book.close();
  writeFileSync(path.join(book.folder, 'book.sqlite'), 'no database any more '.repeat(50));
  const answer = await restored(file, book.folder);
  assert(answer.ok && answer.value.replaced !== null, 'something was replaced');
  expect(readFileSync(answer.value.replaced, 'utf8')).toMatch(/^no database any more/);
  expect(keysIn(path.join(book.folder, 'book.sqlite'))).toEqual(['s1']);
});

let template: Promise<{ readonly folder: string; readonly name: string }> | null = null;

/** A closed book with its backup, made once. */
async function madeBackup() {
  const book = await bookOf(3);
  const { file } = await backedUp(book.folder);
  await book.close();
  const folder = mkdtempSync(path.join(tmpdir(), 'tieout-backups-'));
  cpSync(book.folder, folder, { recursive: true });
  return { folder, name: path.relative(book.folder, file) };
}

/** What a restore says of a file, and that the folder is as it was. */
async function refusalOf(make: (file: string) => void): Promise<{ readonly code: string; readonly message: string }> {
  const made = await (template ??= madeBackup());
  const folder = testFolder();
  cpSync(made.folder, folder, { recursive: true });
  const file = path.join(folder, made.name);
  make(file);
  const before = readFileSync(path.join(folder, 'book.sqlite'));
  const refused = await restored(file, folder);
  expect(readFileSync(path.join(folder, 'book.sqlite'))).toEqual(before);
  expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([]);
  assert(!refused.ok, 'it is refused');
  return refused.error;
}

const changed = (sql: string) => (file: string) => {
  const connection = new SqliteDatabase(file);
  connection.exec(sql);
  connection.close();
};

test.each<[string, (file: string) => void, string, RegExp]>([
  ['cut off', (file) => truncateSync(file, statSync(file).size - 4_096), 'unsound', /cut off|damaged/],
  ['cut off in a page', (file) => truncateSync(file, statSync(file).size - 100), 'unsound', /cut off|damaged/],
  ['empty', (file) => truncateSync(file, 0), 'unsound', /not a sound book/],
  ['no database', (file) => writeFileSync(file, 'Date,Amount\n'.repeat(100)), 'unsound', /no database/],
  ['a page overwritten', (file) => overwrite(file), 'unsound', /damaged/],
  [
    'changed in its audit log',
    changed("DROP TRIGGER audit_log_no_update; UPDATE audit_log SET action = 'nothing' WHERE id = 2"),
    'unsound',
    /entry 2 of its audit log/,
  ],
  ['of another program', changed('PRAGMA application_id = 7'), 'unsound', /another program/],
  ['newer', changed(`PRAGMA user_version = ${BOOK_VERSION + 1}`), 'newer_version', /newer Tieout/],
  ['gone', (file) => rmSync(file), 'file_missing', /no file/],
])('a backup that is %s is not restored', async (_, make, code, words) => {
  const refusal = await refusalOf(make);
  expect(refusal.code).toBe(code);
  expect(refusal.message).toMatch(words);
});

function overwrite(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, 4_096 * 3, 4_096 * 6);
  writeFileSync(file, bytes);
}

test('a backup that changed after its check is not offered, and only Tieout’s own ones are cleared away', async () => {
  const book = await bookOf(1);
  const older = await backedUp(book.folder, { kind: 'daily', atMs: TEST_START_MS - 60 * DAY_MS });
  const newer = await backedUp(book.folder, { kind: 'daily' });
  writeFileSync(path.join(book.folder, 'backups', 'book-20200101-000000-daily.sqlite'), 'put there by hand');
  writeFileSync(path.join(book.folder, 'backups', 'book-20260630-000000-daily.sqlite.writing-999999999'), 'half');
  expect(newestBackup(book.folder)?.file).toBe(newer.file);
  truncateSync(newer.file, 4_096);
  expect(newestBackup(book.folder)?.file).toBe(older.file);
  pruneBackups(book.folder, TEST_START_MS);
  expect(existsSync(older.file)).toBe(true);
  expect(readdirSync(path.join(book.folder, 'backups')).filter((name) => name.includes('writing'))).toEqual([]);
  expect(listBackups(book.folder)).toHaveLength(3);
});
