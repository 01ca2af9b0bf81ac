import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { listBackups } from '../../../src-main/book/store/backup-files.ts';
import { BOOK_FILE } from '../../../src-main/book/store/book-folder.ts';
import { migrate, openBook } from '../../../src-main/book/store/book.ts';
import { Database } from '../../../src-main/database/database.ts';
import { contentFaults } from '../../../src-main/database/digests/whole-content.ts';
import { BOOK_VERSION, MIGRATIONS } from '../../../src-main/database/migrations/list.ts';
import { folderWithNewBook } from '../../support/books/backend.ts';
import { NEXT_MIGRATIONS, NEXT_VERSION } from '../../support/books/next-version.ts';
import { openTestDatabase } from '../../support/books/quiet-book.ts';
import { longTest } from '../../support/long.ts';

const RECORDS = 300;

/** A closed book of today's version with records that Tieout wrote. */
function folderWithData(): string {
  const folder = folderWithNewBook();
  const database = openTestDatabase(folder);
  database.write((write) => {
    write.prepare("INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5)").run();
    write
      .prepare(
        `INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECORDS}) SELECT 1, 1, 20600, i, 1, 'USD', 2, '{}', 0 FROM n`,
      )
      .run();
  });
  database.close();
  return folder;
}

/** The book without a look at its version, as `migrate` gets it. */
function opened(folder: string): Database {
  const database = new Database(path.join(folder, BOOK_FILE), { synchronous: 'FULL' });
  onTestFinished(() => database.close());
  return database;
}

const versionOf = ({ connection }: Pick<Database, 'connection'>) => connection.pragma('user_version', { simple: true });
const faultsOf = ({ connection }: Database) => [...contentFaults(connection)].map(({ words }) => words);
const count = ({ connection }: Database, table: string) => connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get();

test('migrations are contiguous from 1', () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, position) => position + 1));
});

test('a book is backed up as it is, brought to the next version with its rows, and its content stated anew', () => {
  const folder = folderWithData();
  const database = opened(folder);
  migrate(database, true, NEXT_MIGRATIONS);
  expect([versionOf(database), count(database, 'records'), count(database, 'notes')]).toEqual([NEXT_VERSION, RECORDS, RECORDS]);
  expect(faultsOf(database)).toEqual([]);
  database.connection.exec("UPDATE notes SET text = 'x' WHERE record_id = 200; UPDATE streams SET colour = 'red'");
  expect(faultsOf(database)).toEqual([
    'Row 200 of notes was changed, and not by Tieout: text is now x',
    'Row 1 of streams was changed, and not by Tieout: colour is now red',
  ]);

  const backups = listBackups(folder);
  expect(backups).toMatchObject([{ kind: 'before_migration', facts: { records: RECORDS, audit_entries: 0, head: null } }]);
  const backup = new SqliteDatabase(backups[0]?.file ?? '', { readonly: true });
  onTestFinished(() => void backup.close());
  expect(versionOf({ connection: backup })).toBe(BOOK_VERSION);
  expect(() => backup.prepare('SELECT * FROM notes')).toThrow('no such table');
});

test('a copy is brought up without a backup, and a book of the newest version is left alone', () => {
  const folder = folderWithData();
  const database = opened(folder);
  migrate(database, false, NEXT_MIGRATIONS);
  const changes = () => database.connection.prepare('SELECT total_changes()').pluck().get();
  const before = changes();
  migrate(database, true, NEXT_MIGRATIONS);
  expect(changes()).toBe(before);
  expect(listBackups(folder)).toEqual([]);
});

test('what was changed without Tieout before the migration stays noted after it', () => {
  const folder = folderWithData();
  const changed = new SqliteDatabase(path.join(folder, BOOK_FILE));
  changed.exec('UPDATE records SET amount = 7 WHERE id = 200');
  changed.close();
  const database = opened(folder);
  migrate(database, true, NEXT_MIGRATIONS);
  expect(faultsOf(database)).toEqual([
    expect.stringMatching(/^Row 200 of records was changed, and not by Tieout: amount is now 7 \(found when /),
  ]);
});

test('a migration that fails in the middle leaves the book as it was, and its backup', () => {
  const folder = folderWithData();
  const broken = NEXT_MIGRATIONS.map((migration) =>
    migration.version === NEXT_VERSION ? { ...migration, sql: `${migration.sql}; INSERT INTO notes SELECT * FROM nowhere` } : migration,
  );
  const database = opened(folder);
  expect(() => migrate(database, true, broken)).toThrow('no such table: nowhere');
  database.close();
  expect(listBackups(folder)).toHaveLength(1);
  const book = openBook(folder);
  const same = book.ok ? book.value : undefined;
  onTestFinished(() => same?.close());
  expect(same && [versionOf(same), count(same, 'records'), faultsOf(same)]).toEqual([BOOK_VERSION, RECORDS, []]);
  expect(() => same?.connection.prepare('SELECT * FROM notes')).toThrow('no such table');
});

/** What a process says next. */
const said = async (child: ChildProcessByStdio<Writable, Readable, null>) => String((await once(child.stdout, 'data'))[0]).trim();

longTest('of two processes that bring up the same book at once one does it, and both go on with it', async () => {
  const folder = folderWithData();
  const program = path.resolve(import.meta.dirname, '../../support/books/next-version.ts');
  const children = [1, 2].map(() =>
    spawn(process.execPath, [program, path.join(folder, BOOK_FILE)], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  onTestFinished(() => children.forEach((child) => child.kill()));
  expect(await Promise.all(children.map(said))).toEqual(['ready', 'ready']);
  const ends = children.map(said);
  for (const child of children) child.stdin.write('go\n');
  expect(await Promise.all(ends)).toEqual([`${RECORDS} notes`, `${RECORDS} notes`]);
  const database = opened(folder);
  expect([versionOf(database), count(database, 'notes'), faultsOf(database)]).toEqual([NEXT_VERSION, RECORDS, []]);
});
