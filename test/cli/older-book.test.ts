import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openBook } from '../../src-main/book/store/book.ts';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';

function makeBook(folder: string): void {
  const book = openBook(folder);
  if (!book.ok) throw new Error(book.error.message);
  book.value.close();
}

/** Returns a folder with a new book. */
function folderOfBook(): string {
  const folder = temporaryFolder();
  makeBook(folder);
  return folder;
}

const addKey = (folder: string, name: string) => runCli('keys', 'add', '--data', folder, '--permission', 'read', '--name', name);

async function findings(folder: string, ...more: string[]): Promise<string[]> {
  const { document, exitCode } = await runCli('verify', '--data', folder, '--json', ...more);
  const found = (document['checks'] as { findings: string[] }[]).flatMap((check) => check.findings);
  expect(exitCode).toBe(found.length === 0 ? 0 : 1);
  return found;
}

function changed(folder: string, sql: string): void {
  const connection = new SqliteDatabase(path.join(folder, 'book.sqlite'));
  const triggers = connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit_log'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) connection.exec(`DROP TRIGGER ${name}`);
  connection.exec(sql);
  for (const trigger of triggers) connection.exec(trigger.sql);
  connection.close();
}

test('an older book in place of the newest one is found, stays found when Tieout goes on with it, and can be accepted', async () => {
  const folder = folderOfBook();
  const file = path.join(folder, 'book.sqlite');
  await addKey(folder, 'first');
  copyFileSync(file, `${file}.older`);
  await addKey(folder, 'second');
  expect(await findings(folder)).toEqual([]);
  copyFileSync(`${file}.older`, file);
  const older = [
    expect.stringMatching(/^The audit log ends with entry 1, and had 2 entries: its end was cut off, or an older book was put in place/),
  ];
  expect(await findings(folder)).toEqual(older);
  await addKey(folder, 'third');
  await addKey(folder, 'fourth');
  const other = [expect.stringMatching(/^Entry 2 of the audit log is not the one that Tieout wrote: .* another book was put in place/)];
  expect(await findings(folder)).toEqual(other);
  expect(await findings(folder, '--accept')).toEqual(other);
  expect(await findings(folder)).toEqual([]);
});

test('a log that was cut or emptied is found without what is remembered beside the book, too', async () => {
  for (const [sql, words] of [
    ['DELETE FROM audit_log WHERE id > 1', /^The audit log ends with entry 1, and had 3 entries/],
    ['DELETE FROM audit_log', /^The audit log is empty, and had 3 entries/],
  ] as const) {
    const folder = folderOfBook();
    for (const name of ['first', 'second', 'third']) await addKey(folder, name);
    changed(folder, sql);
    expect(await findings(folder)).toEqual([expect.stringMatching(words), expect.stringMatching(words)]);
    rmSync(path.join(folder, 'book.anchor'));
    expect(await findings(folder)).toEqual([expect.stringMatching(words)]);
  }
});

test('a log that was worked out anew, with all that the book says of it, is found by what is remembered beside it', async () => {
  const folder = folderOfBook();
  for (const name of ['first', 'second']) await addKey(folder, name);
  const anchor = readFileSync(path.join(folder, 'book.anchor'), 'utf8');
  // The same steps once more: everything in the book fits together, and only the key's own secret is another.
  for (const end of ['', '-wal', '-shm']) rmSync(path.join(folder, `book.sqlite${end}`), { force: true });
  for (const name of ['book.anchor', 'book.lock', 'backups']) rmSync(path.join(folder, name), { recursive: true, force: true });
  makeBook(folder);
  for (const name of ['first', 'second']) await addKey(folder, name);
  expect(await findings(folder)).toEqual([]);
  writeFileSync(path.join(folder, 'kept'), anchor);
  expect(await findings(folder, '--anchor', path.join(folder, 'kept'))).toHaveLength(1);
  expect((await runCli('verify', '--data', folder, '--anchor', path.join(folder, 'book.sqlite'))).exitCode).toBe(2);
  writeFileSync(path.join(folder, 'book.anchor'), anchor);
  expect(await findings(folder)).toEqual([
    expect.stringMatching(/^Entry 2 of the audit log is not the one that Tieout wrote: the log was worked out anew/),
  ]);
  writeFileSync(path.join(folder, 'book.anchor'), 'nonsense');
  expect(await findings(folder)).toEqual([expect.stringMatching(/^The file book\.anchor beside the book cannot be read/)]);
});
