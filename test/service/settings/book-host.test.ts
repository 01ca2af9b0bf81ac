import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startBackend } from '../../../src-main/backend/backend.ts';
import type { Backend, BackendOptions } from '../../../src-main/backend/types.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { openTestBook, type TestBook, testClient, testClock, testFolder, testLog, testRandom } from '../../support/books/backend.ts';
import { testAlarm } from '../../support/faults/alarm.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const options = (dataFolder: string, more: Partial<BackendOptions> = {}): BackendOptions => ({
  dataFolder,
  clock: testClock(),
  random: testRandom(),
  log: testLog(),
  version: '0.0.0-test',
  ...more,
});

async function started(dataFolder: string, more: Partial<BackendOptions> = {}): Promise<Backend> {
  const backend = await startBackend(options(dataFolder, more));
  assert(backend.ok, backend.ok ? '' : backend.error.message);
  onTestFinished(() => backend.value.close());
  return backend.value;
}

const keysOf = async ({ client }: Pick<TestBook, 'client'>): Promise<string[]> =>
  (await client.get('streams.list', {})).map(({ key }) => key);
const bookFile = (folder: string): string => path.join(folder, 'book.sqlite');

/** Overwrites pages of a closed book that hold the lines of its records. */
function damage(folder: string): void {
  const connection = new SqliteDatabase(bookFile(folder));
  const pages = connection
    .prepare("SELECT pageno FROM dbstat WHERE name = 'records' AND pagetype = 'leaf' LIMIT 3")
    .pluck()
    .all() as number[];
  connection.close();
  const file = openSync(bookFile(folder), 'r+');
  for (const page of pages) writeSync(file, Buffer.alloc(4_096, 0xa5), 0, 4_096, (page - 1) * 4_096);
  closeSync(file);
}

test('a backup is made and restored while the window stays', async () => {
  const book = await openTestBook();
  await book.client.get('streams.create', { key: 'first', name: 'First' });
  const backup = await book.client.get('backups.create', {});
  expect(backup).toMatchObject({ kind: 'by_hand', is_checked: true, records: 0, audit_entries: 1 });
  await book.client.get('streams.create', { key: 'second', name: 'Second' });

  const restored = await book.client.get('backups.restore', { name: backup.name });
  expect(restored).toMatchObject({ name: backup.name, head: backup.head, audit_entries: 1 });
  expect(await keysOf(book)).toEqual(['first']);
  expect(await book.client.get('book.condition', {})).toMatchObject({ condition: 'open', message: null });
  await book.client.get('streams.create', { key: 'third', name: 'Third' });

  await book.client.get('backups.restore', { name: restored.replaced ?? '' });
  expect(await keysOf(book)).toEqual(['first', 'second']);
  const areas = book.events.flatMap((event) => (event.kind === 'changed' ? event.areas : []));
  expect(areas).toEqual(expect.arrayContaining(['backups', 'book', 'matches']));
  expect((await book.client.get('backups.list', {})).backups).toHaveLength(3);
  expect(book.log.lines).toEqual([]);
});

test('a backup that is not sound leaves the book open and as it was, and so does one that is not there', async () => {
  const book = await openTestBook();
  const { name } = await book.client.get('backups.create', {});
  truncateSync(path.join(book.folder, 'backups', name), 8_192);
  await book.client.get('streams.create', { key: 'after', name: 'After' });
  expect((await book.client.refusal('backups.restore', { name })).code).toBe('backup_unsound');
  expect((await book.client.refusal('backups.restore', { name: '../book.sqlite' })).code).toBe('not_found');
  expect((await book.client.refusal('book.start_anew', { sentence: 'start anew' })).code).toBe('conflict');
  expect(await keysOf(book)).toEqual(['after']);
});

describe('a backup is checked while the book is open', () => {
  test.each([
    ['sound', null],
    ['copied by hand', null],
    ['cut off', 'backup_unsound'],
    ['changed', 'backup_unsound'],
  ] as const)('one that is %s', async (how, refusal) => {
    const book = await openTestBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    const { name: written, records, audit_entries, head } = await book.client.get('backups.create', {});
    const name = how === 'copied by hand' ? 'by-hand.sqlite' : written;
    const file = path.join(book.folder, 'backups', name);
    if (how === 'copied by hand') copyFileSync(path.join(book.folder, 'backups', written), file);
    if (how === 'cut off') truncateSync(file, 8_192);
    if (how === 'changed') {
      const connection = new SqliteDatabase(file);
      connection.prepare("UPDATE streams SET name = 'Another'").run();
      connection.close();
    }
    const bytes = readFileSync(file);
    await book.client.get('streams.create', { key: 'after', name: 'After' });

    const checked = await book.client.call('backups.check', { name });
    expect(checked.ok ? checked.value : checked.error.code).toEqual(refusal ?? { name, records, audit_entries, head });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(await keysOf(book)).toEqual(['bank', 'after']);
    expect(readdirSync(book.folder).filter((each) => each.includes('restoring'))).toEqual([]);
  });

  test('one that is not there, or lies elsewhere', async () => {
    const book = await openTestBook();
    expect((await book.client.refusal('backups.check', { name: '../book.sqlite' })).code).toBe('not_found');
  });

  test('one of another book, which a restore would ask about', async () => {
    const [book, other] = [await openTestBook(), await openTestBook()];
    const { name } = await other.client.get('backups.create', {});
    await book.client.get('backups.create', {});
    copyFileSync(path.join(other.folder, 'backups', name), path.join(book.folder, 'backups', 'other.sqlite'));
    expect(await book.client.get('backups.check', { name: 'other.sqlite' })).toMatchObject({ name: 'other.sqlite', records: 0 });
  });
});

describe('the open book is checked', () => {
  test('one that is sound', async () => {
    const book = await openTestBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    const checked = await book.client.get('book.check', {});
    expect(checked).toMatchObject({ findings: [], is_more: false });
    expect(checked.bytes).toBeGreaterThan(0);
    expect(await keysOf(book)).toEqual(['bank']);
  });

  test('one that another program changed', async () => {
    const book = await openTestBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    const connection = new SqliteDatabase(path.join(book.folder, 'book.sqlite'));
    connection.prepare("UPDATE streams SET name = 'Another'").run();
    connection.close();
    const { findings } = await book.client.get('book.check', {});
    expect(findings.join(' ')).toContain('streams');
    expect(await keysOf(book)).toEqual(['bank']);
  });
});

test('a restore does not wait for work on the book: an import in progress ends without a trace', async () => {
  const book = await openTestBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const { name } = await book.client.get('backups.create', {});
  const lines = Array.from({ length: 20_000 }, (_, line) => `2026-06-${String((line % 28) + 1).padStart(2, '0')},${line}.00,Line ${line}`);
  const importing = book.importText('bank', `Date,Amount,Description\n${lines.join('\n')}\n`).catch(() => null);
  await book.client.get('backups.restore', { name });
  await importing;
  expect((await book.client.get('streams.list', {})).map(({ record_count: count }) => count)).toEqual([0]);
});

test.each(['missing', 'empty'] as const)('without a book (%s) a window shows what is wrong, and a backup can be restored', async (how) => {
  const before = await openTestBook();
  await before.client.get('streams.create', { key: 'kept', name: 'Kept' });
  const { name } = await before.client.get('backups.create', {});
  await before.close();
  if (how === 'missing') rmSync(bookFile(before.folder));
  else truncateSync(bookFile(before.folder), 0);

  const backend = await started(before.folder, { whenUnsound: 'rescue' });
  const client = testClient(backend);
  const condition = await client.get('book.condition', {});
  expect(condition).toMatchObject({ condition: how, newest_backup: { name } });
  expect(condition.command).toBe(`tieout restore ${path.join(before.folder, 'backups', name)} --data ${before.folder}`);
  const refusal = await client.refusal('streams.list', {});
  expect(refusal.code).toBe('book_unavailable');
  expect(refusal.message).toContain(condition.command);
  expect(refusal.message).toContain(condition.message);
  expect((await client.refusal('backups.create', {})).code).toBe('conflict');
  await client.get('backups.restore', { name });
  expect(await keysOf({ client })).toEqual(['kept']);
  expect(await client.get('book.condition', {})).toMatchObject({ condition: 'open' });
});

test('a new book replaces an old one only on explicit request, and the rest of the old one is kept', async () => {
  const before = await openTestBook();
  await before.close();
  writeFileSync(bookFile(before.folder), 'no database '.repeat(100));
  const backend = await started(before.folder, { whenUnsound: 'rescue' });
  const client = testClient(backend);
  expect(await client.get('book.condition', {})).toMatchObject({ condition: 'damaged', newest_backup: null });
  expect((await client.refusal('book.start_anew', { sentence: 'yes' })).code).toBe('sentence_missing');
  expect(await client.get('book.start_anew', { sentence: ' Start anew ' })).toMatchObject({ condition: 'open' });
  expect(await client.get('streams.list', {})).toEqual([]);
  const kept = readdirSync(path.join(before.folder, 'backups')).find((each) => each.endsWith('.damaged'));
  expect(readFileSync(path.join(before.folder, 'backups', kept ?? ''), 'utf8')).toMatch(/^no database/);
});

test('a damaged book is opened for reading alone, stays as it is, and says how to go back', async () => {
  const before = await openTestBook();
  await before.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const { name } = await before.client.get('backups.create', {});
  const lines = Array.from({ length: 1_000 }, (_, line) => `2026-06-${String((line % 28) + 1).padStart(2, '0')},${line}.00,Line ${line}`);
  await before.importText('bank', `Date,Amount,Description\n${lines.join('\n')}\n`);
  await before.close();
  damage(before.folder);
  const bytes = readFileSync(bookFile(before.folder));

  expect(await startBackend(options(before.folder))).toMatchObject({ ok: false, error: { code: 'damaged' } });
  const backend = await started(before.folder, { whenUnsound: 'read' });
  const client = testClient(backend);
  const condition = await client.get('book.condition', {});
  expect(condition).toMatchObject({ condition: 'read_only', newest_backup: { name } });
  expect(condition.command).toMatch(/^tieout restore .* --replace$/);
  expect(await keysOf({ client })).toEqual(['bank']);
  const refusal = await client.refusal('streams.create', { key: 'new', name: 'New' });
  expect(refusal.code).toBe('book_read_only');
  expect(refusal.message).toMatch(/is damaged .*tieout restore .* --replace$/);
  expect(readFileSync(bookFile(before.folder))).toEqual(bytes);

  await client.get('backups.restore', { name });
  expect(await client.get('book.condition', {})).toMatchObject({ condition: 'open' });
  await client.get('streams.create', { key: 'new', name: 'New' });
});

test('a changed book is backed up automatically once a day', async () => {
  const alarm = testAlarm();
  const book = await openTestBook(undefined, alarm);
  const kinds = async () => (await book.client.get('backups.list', {})).backups.map(({ kind }) => kind);
  const madeOne = async (count: number) => {
    const told = () => book.events.filter((event) => event.kind === 'changed' && event.areas.includes('backups')).length;
    for (let tries = 0; tries < 1_000 && told() < count; tries += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  // Nothing was ever written in it.
  alarm.advance(20_000);
  expect(await kinds()).toEqual([]);
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  alarm.advance(20_000);
  await madeOne(1);
  expect(await kinds()).toEqual(['daily']);
  await book.client.get('streams.create', { key: 'cards', name: 'Cards' });
  alarm.advance(20_000);
  book.clock.advance(86_400_000);
  alarm.advance(3_700_000);
  await madeOne(2);
  expect(await kinds()).toEqual(['daily', 'daily']);
  // The next day nothing has changed but that a backup was made.
  book.clock.advance(86_400_000);
  alarm.advance(3_700_000);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await kinds()).toEqual(['daily', 'daily']);
});

test('the file of the book has all changes once it was idle, and when it is closed', async () => {
  const alarm = testAlarm();
  const book = await openTestBook(undefined, alarm);
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  alarm.advance(5_000);
  const copy = path.join(testFolder(), 'by-hand.sqlite');
  copyFileSync(bookFile(book.folder), copy);
  const connection = new SqliteDatabase(copy, { readonly: true });
  expect(connection.prepare('SELECT key FROM streams').pluck().all()).toEqual(['bank']);
  connection.close();
  expect(statSync(`${bookFile(book.folder)}-wal`).size).toBe(0);
});

describe('found once: book update unaudited', () => {
  test('a new name of the book is an entry of the audit log', async () => {
    const book = openQuietBook();
    await book.client.get('book.update', { name: 'Our books' });
    const entries = book.database.connection.prepare('SELECT action, actor, detail FROM audit_log').all();
    expect(entries).toEqual([{ action: 'book.updated', actor: 'app', detail: '{"change":{"name":"Our books"}}' }]);
  });
});
