import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openBook } from '../../../src-main/book/store/book.ts';
import { completeRestore, prepareRestore } from '../../../src-main/book/work/restore-book.ts';
import { NO_WORDS } from '../../../src-main/book/work/restore-questions.ts';
import { CHECKS, verifyBook } from '../../../src-main/book/work/verify-book.ts';
import { writeBackup } from '../../../src-main/book/work/write-backup.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { TEST_START_MS, testFolder } from '../../support/books/backend.ts';
import { closedJuneBook } from '../../support/books/june-book.ts';
import { changeAtRandom, seededNumbers, tablesOfBook } from '../../support/inputs/random-changes.ts';
import { runs } from '../../support/long.ts';

const SEED = 20_261_127;
const by = { atMs: TEST_START_MS, actor: 'cli' };

interface Made {
  readonly folder: string;
  readonly backup: string;
}

let template: Promise<Made> | null = null;

/** The closed book of a company with its June signed, and a backup of it; made once. */
async function make(): Promise<Made> {
  const book = await closedJuneBook();
  const kept = mkdtempSync(path.join(tmpdir(), 'tieout-restore-'));
  const written = await writeBackup({ dataFolder: book.folder, kind: 'by_hand', ...by, out: path.join(kept, 'backup.sqlite') });
  assert(written.ok, written.ok ? '' : written.error.message);
  await book.close();
  cpSync(book.folder, path.join(kept, 'book'), { recursive: true });
  return { folder: path.join(kept, 'book'), backup: written.value.file };
}

/** A folder with the book, and a copy of its backup beside it, with the note of its digest or without. */
async function copied(isNoted: boolean): Promise<{ readonly folder: string; readonly file: string }> {
  const { folder: from, backup } = await (template ??= make());
  const place = testFolder();
  cpSync(from, path.join(place, 'book'), { recursive: true });
  const file = path.join(place, 'backup.sqlite');
  copyFileSync(backup, file);
  if (isNoted) copyFileSync(`${backup}.json`, `${file}.json`);
  return { folder: path.join(place, 'book'), file };
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(folder, name)).isFile())
    // SQLite's own: whoever reads a book makes it.
    .filter((name) => !name.endsWith('-shm') && !name.endsWith('-wal'))
    .toSorted()
    .map((name) => [name, readFileSync(path.join(folder, name)).toString('base64')]);

/** What a restore says of a file; the folder has to be as it was. Null where it would be restored. */
function refusal(file: string, folder: string): { readonly code: string; readonly message: string } | null {
  const before = filesIn(folder);
  const prepared = prepareRestore(file, folder);
  if (prepared.ok) {
    rmSync(prepared.value.temporary);
    return null;
  }
  expect(filesIn(folder)).toEqual(before);
  return prepared.error;
}

const changed = (file: string, sql: string): void => {
  const connection = new SqliteDatabase(file);
  connection.pragma('foreign_keys = OFF');
  connection.unsafeMode(true);
  connection.exec(sql);
  connection.close();
};

/** The trigger that keeps the log from being changed stands aside and is put back, so that the schema is Tieout's. */
const inLog = (sql: string) => `
  CREATE TEMP TABLE aside AS SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit_log';
  PRAGMA writable_schema = ON;
  DELETE FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit_log';
  PRAGMA writable_schema = RESET;
  ${sql};`;

test('a backup that nothing changed is restored, from beside its note and without it', async () => {
  for (const isNoted of [true, false]) {
    const { folder, file } = await copied(isNoted);
    const prepared = prepareRestore(file, folder);
    assert(prepared.ok, prepared.ok ? '' : prepared.error.message);
    const restored = await completeRestore(prepared.value, by);
    expect(restored).toMatchObject({ ok: true, value: { records: 37 } });
  }
});

test.each<[string, string, RegExp]>([
  [
    'an amount',
    'UPDATE records SET amount = amount + 1 WHERE id = 2',
    /Row 2 of records was changed, and not by Tieout: amount is now \d+\)/,
  ],
  [
    'a line that is gone',
    'DELETE FROM records WHERE id = (SELECT min(id) FROM records WHERE id NOT IN (SELECT record_id FROM match_records))',
    /Row \d+ of records is gone/,
  ],
  [
    'a line more',
    "INSERT INTO streams(environment_id, key, name, type, created_at) SELECT environment_id, 'x', name, type, created_at FROM streams LIMIT 1",
    /Row 3 of streams was not written by Tieout/,
  ],
  ['a date', 'UPDATE records SET day = day + 1 WHERE id = 4', /Row 4 of records was changed/],
  ['what a match holds', 'DELETE FROM match_records WHERE match_id = 1', /Match 1 holds the record/],
  ['a rule', "UPDATE rules SET description = 'Another'", /Row 1 of rules was changed/],
  ['a setting', "INSERT INTO settings VALUES ('local_port', '{}')", /Row local_port of settings was not written by Tieout/],
  ['a key of the service', "INSERT INTO api_keys VALUES (9, 1, 'Mine', 'read_write', 'hash', 0, NULL, NULL, NULL)", /Row 9 of api_keys/],
  [
    'the reviewer',
    "UPDATE sign_offs SET signed_by = 'Ana Roth' WHERE kind = 'review'",
    /The signature 2 \(review, by Ana Roth\) is not the one that the audit log has/,
  ],
  [
    'the hash of what was signed',
    "UPDATE sign_offs SET covering_hash = 'abc' WHERE kind = 'close'",
    /The rows that the signature 3 .* covers are not/,
  ],
  ['the figures that were signed', "UPDATE sign_offs SET figures = '[]'", /of sign_offs was changed/],
  ['the rows that were signed', "UPDATE coverings SET body = x'00'", /covers are not those that were signed/],
  ['a signature that is gone', 'DELETE FROM sign_offs WHERE id = 2', /The signature 2 by Tom Whitfield, which the audit log has, is gone/],
  [
    'the state of a period',
    "UPDATE reconciliation_periods SET state = 'open'",
    /Row 1 of reconciliation_periods was changed: state is now open|state is now open/,
  ],
  ['the last entries of the log', inLog('DELETE FROM audit_log WHERE id > 10'), /The audit log ends with entry 10/],
  ['an entry within the log', inLog('DELETE FROM audit_log WHERE id = 5'), /entry 6 of its audit log does not follow/],
  ['all entries of the log', inLog('DELETE FROM audit_log'), /The audit log is empty/],
  ['the words of an entry', inLog("UPDATE audit_log SET actor = 'nobody' WHERE id = 4"), /entry 4 of its audit log/],
  [
    'a trigger that adds 1',
    'CREATE TRIGGER more AFTER INSERT ON records BEGIN UPDATE records SET amount = amount + 1 WHERE id = NEW.id; END',
    /a trigger more, which Tieout does not know/,
  ],
  ['a view', 'CREATE VIEW v AS SELECT 1', /a view v, which Tieout does not know/],
  ['a table', 'CREATE TABLE t(x)', /a table t, which Tieout does not know/],
  ['an index more', 'CREATE INDEX i ON records(day)', /an? index i, which Tieout does not know/],
  ['an index that is gone', 'DROP INDEX records_day', /The index records_day of the book is missing/],
  [
    'an index of other columns',
    'DROP INDEX records_day; CREATE INDEX records_day ON records(id)',
    /The index records_day of the book is not as Tieout makes it/,
  ],
  ['a trigger that is gone', 'DROP TRIGGER records_held', /The trigger records_held of the book is missing/],
  ['a table that is gone', 'DROP TABLE sign_offs', /sign_offs/],
  ['a column more', 'ALTER TABLE records ADD COLUMN more INTEGER', /records/],
  ['a reference to nothing', 'UPDATE reconciliation_periods SET reconciliation_id = 77', /rows in it name others that do not exist/],
  ['what is packed for runs', 'DELETE FROM content_digests', /changed it without Tieout/],
  ['what the book says it holds', 'UPDATE content_state SET writes = writes + 1', /says what the book holds in all was changed/],
])('a backup with changed %s is refused with a message, and the book is unchanged', async (_, sql, words) => {
  const { folder, file } = await copied(false);
  changed(file, sql);
  const refused = present(refusal(file, folder), 'refusal');
  expect(refused.code).toBe('unsound');
  expect(refused.message).toMatch(words);
  expect(refused.message).toMatch(/Nothing was changed\.$/);
});

/** All rows that Tieout reads, but for the index of words, which a restore makes anew. */
function contentOf(file: string): unknown {
  const connection = new SqliteDatabase(file, { readonly: true });
  try {
    return tablesOfBook(connection)
      .filter((name) => !name.startsWith('record_words') && !name.startsWith('search_'))
      .map((name) => [name, connection.prepare(`SELECT * FROM "${name}"`).raw().all()]);
  } finally {
    connection.close();
  }
}

test('random changes in any table of a backup are refused without its note', { timeout: 600_000 }, async () => {
  const random = seededNumbers(SEED);
  const { folder, file } = await copied(false);
  const sound = readFileSync(file);
  const connection = new SqliteDatabase(file, { readonly: true });
  // A restore makes the index of words anew where no digest of it is kept.
  const tables = tablesOfBook(connection).filter((name) => !name.startsWith('record_words'));
  connection.close();
  const missed: string[] = [];
  for (let made = 0; made < runs(200, 24);) {
    writeFileSync(file, sound);
    const change = changeAtRandom(file, random, tables);
    if (change === null) continue;
    made += 1;
    if (refusal(file, folder) === null) missed.push(change);
  }
  expect(missed).toEqual([]);
});

test('random changes of bytes are refused with the note, and without it refused or without effect', { timeout: 600_000 }, async () => {
  const random = seededNumbers(SEED + 1);
  const { folder, file } = await copied(true);
  const sound = readFileSync(file);
  const note = readFileSync(`${file}.json`);
  const content = JSON.stringify(contentOf(file));
  const missed: number[] = [];
  for (let made = 0; made < runs(400, 30); made += 1) {
    const bytes = Buffer.from(sound);
    const at = Math.floor(random() * bytes.length);
    bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(random() * 8));
    writeFileSync(file, bytes);
    writeFileSync(`${file}.json`, note);
    const refused = refusal(file, folder);
    expect([at, refused?.message, refused?.code]).toEqual([at, expect.any(String), expect.stringMatching(/^(?:unsound|newer_version)$/)]);
    rmSync(`${file}.json`);
    if (refusal(file, folder) === null && JSON.stringify(contentOf(file)) !== content) missed.push(at);
  }
  expect(missed).toEqual([]);
});

test('a changed backup with its note is refused even where no content changed, and so is one with a log beside it', async () => {
  const { folder, file } = await copied(true);
  const note = readFileSync(`${file}.json`, 'utf8');
  writeFileSync(`${file}.json`, note.replace(/"sha256":"./, '"sha256":"x'));
  expect(refusal(file, folder)?.message).toContain(`its bytes are not those whose digest is noted in ${file}.json`);
  writeFileSync(`${file}.json`, note);
  writeFileSync(`${file}-wal`, '');
  expect(refusal(file, folder)?.message).toContain(`${file}-wal lies beside it`);
});

test('a backup with changed rows is accepted on explicit request, and stays flagged; one with a trigger, another log or signature never is', async () => {
  const words = { ...NO_WORDS, acceptChanges: true };
  const { folder, file } = await copied(true);
  changed(file, "UPDATE records SET description = 'Another' WHERE id = 2");
  expect(refusal(file, folder)?.message).toContain('tieout restore --accept-changes takes this one as it is');
  const prepared = prepareRestore(file, folder, words);
  assert(prepared.ok, prepared.ok ? '' : prepared.error.message);
  expect((await completeRestore(prepared.value, by)).ok).toBe(true);
  const book = openBook(folder);
  assert(book.ok, 'it was restored');
  const detail = book.value.connection.prepare("SELECT detail FROM audit_log WHERE action = 'book.restored'").pluck().get() as string;
  const found = verifyBook(book.value, CHECKS, () => undefined).flatMap(({ findings }) => findings.map(({ message }) => message));
  book.value.close();
  expect(JSON.parse(detail)).toMatchObject({ accepted: [expect.stringContaining('Row 2 of records was changed'), expect.any(String)] });
  expect(found).toEqual([expect.stringContaining('Row 2 of records was changed')]);
  for (const sql of ['CREATE VIEW v AS SELECT 1', inLog('DELETE FROM audit_log WHERE id > 10'), 'DELETE FROM sign_offs WHERE id = 2']) {
    const other = await copied(false);
    changed(other.file, sql);
    expect([sql, prepareRestore(other.file, other.folder, words)]).toMatchObject([sql, { ok: false, error: { code: 'unsound' } }]);
  }
});
