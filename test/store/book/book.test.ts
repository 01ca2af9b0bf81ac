import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { BOOK_FILE } from '../../../src-main/book/store/book-folder.ts';
import { openBook } from '../../../src-main/book/store/book.ts';
import { BOOK_VERSION } from '../../../src-main/database/migrations/list.ts';
import { testFolder } from '../../support/books/backend.ts';
import { openTestDatabase } from '../../support/books/quiet-book.ts';

const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** A folder whose book.sqlite is whatever `make` writes; closed, so that all of it is in the one file. */
function folderWith(make: (connection: SqliteDatabase.Database) => void): { folder: string; file: string; before: string } {
  const folder = testFolder();
  const file = path.join(folder, BOOK_FILE);
  const connection = new SqliteDatabase(file);
  make(connection);
  connection.close();
  return { folder, file, before: digest(file) };
}

test('a fresh book is marked as ours, of the newest version, in WAL with foreign keys on', () => {
  const { connection } = openTestDatabase(testFolder());
  const pragma = (name: string) => connection.pragma(name, { simple: true });
  expect(pragma('application_id')).toBe(0x5469_654f);
  expect(pragma('user_version')).toBe(BOOK_VERSION);
  expect(pragma('journal_mode')).toBe('wal');
  expect(pragma('foreign_keys')).toBe(1);
  expect(pragma('synchronous')).toBe(2);
  expect(pragma('integrity_check')).toBe('ok');
});

test('every table of ours is STRICT; those of the index of words are made by SQLite', () => {
  const { connection } = openTestDatabase(testFolder());
  const tables = connection.pragma('table_list') as { schema: string; name: string; type: string; strict: number }[];
  const own = tables.filter((table) => table.schema === 'main' && table.type === 'table' && !table.name.startsWith('sqlite_'));
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((table) => table.strict !== 1)).toEqual([]);
});

test('foreign keys hold: a record of no stream is refused', () => {
  const { connection } = openTestDatabase(testFolder());
  const insert = connection.prepare(
    `INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
     VALUES (1, 99, 1, 1, 1, 'USD', 2, '{}', 0)`,
  );
  expect(() => insert.run()).toThrow('FOREIGN KEY constraint failed');
});

test('a folder that is missing is made, and an opened book opens again unchanged', () => {
  const folder = path.join(testFolder(), 'deep', 'er');
  openTestDatabase(folder).close();
  const before = digest(path.join(folder, BOOK_FILE));
  openTestDatabase(folder).close();
  expect(digest(path.join(folder, BOOK_FILE))).toBe(before);
});

test('a book of a newer version is refused in one sentence, and its file stays as it is', () => {
  const { folder, file, before } = folderWith((connection) => {
    connection.exec('CREATE TABLE future(id INTEGER)');
    connection.pragma(`application_id = ${0x5469_654f}`);
    connection.pragma(`user_version = ${BOOK_VERSION + 3}`);
  });
  const refused = openBook(folder);
  expect(refused).toEqual({
    ok: false,
    error: {
      code: 'newer_version',
      message:
        `The book in ${folder} was written by a newer Tieout (book version ${BOOK_VERSION + 3}, this one reads up to ${BOOK_VERSION}): ` +
        'update Tieout, or choose another data folder. Nothing was changed.',
    },
  });
  expect(digest(file)).toBe(before);
});

test('the database of another program is refused, and its file stays as it is', () => {
  const { folder, file, before } = folderWith((connection) =>
    connection.exec('CREATE TABLE photos(id INTEGER); INSERT INTO photos VALUES (1)'),
  );
  expect(openBook(folder)).toMatchObject({
    ok: false,
    error: { code: 'other_program', message: `${file} is a database of another program: choose another data folder. Nothing was changed.` },
  });
  expect(digest(file)).toBe(before);
});

test('a file that is no database is refused in words, and stays as it is', () => {
  const folder = testFolder();
  const file = path.join(folder, BOOK_FILE);
  writeFileSync(file, 'Date,Amount\n2026-06-01,12.00\n'.repeat(200));
  const before = digest(file);
  const refused = openBook(folder);
  expect(refused).toMatchObject({ ok: false, error: { code: 'damaged' } });
  expect(refused.ok ? '' : refused.error.message).toMatch(/is not a book of Tieout or is damaged .*No backup of it is kept there/);
  expect(digest(file)).toBe(before);
});

test('a book whose schema page is damaged is refused in words', () => {
  const folder = testFolder();
  openTestDatabase(folder).close();
  const file = path.join(folder, BOOK_FILE);
  const bytes = readFileSync(file);
  bytes.fill(0xa5, 100, 4_000);
  writeFileSync(file, bytes);
  expect(openBook(folder)).toMatchObject({ ok: false, error: { code: 'damaged' } });
});

test('a data folder that cannot be one is refused in words', () => {
  const folder = path.join(testFolder(), 'occupied');
  writeFileSync(folder, 'a file, not a folder');
  const refused = openBook(folder);
  expect(refused).toMatchObject({ ok: false, error: { code: 'folder_unusable' } });
  expect(refused.ok ? '' : refused.error.message).toContain('The data folder cannot be used');
});

test('a folder in the place of the book is refused in words', () => {
  const folder = testFolder();
  mkdirSync(path.join(folder, BOOK_FILE));
  expect(openBook(folder)).toMatchObject({ ok: false, error: { code: 'folder_unusable' } });
});
