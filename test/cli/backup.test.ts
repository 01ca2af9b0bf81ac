import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { runCli, serveCli, temporaryFolder } from '../support/processes/run-cli.ts';

const actionsIn = (folder: string): unknown[] => {
  const connection = new SqliteDatabase(path.join(folder, 'book.sqlite'), { readonly: true });
  const actions = connection.prepare('SELECT action FROM audit_log ORDER BY id').pluck().all();
  connection.close();
  return actions;
};

let sample: string | null = null;

async function newSample(): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-sample-'));
  expect((await runCli('demo', '--data', folder)).exitCode).toBe(0);
  return folder;
}

/** A copy of the sample book, which is made once. */
async function sampleBook(): Promise<string> {
  sample ??= await newSample();
  const folder = path.join(temporaryFolder(), 'a book');
  cpSync(sample, folder, { recursive: true });
  return folder;
}

test('tieout backup while Tieout runs, and tieout restore into an empty folder', async () => {
  const folder = await sampleBook();
  const served = await serveCli(folder);
  const headers = { 'x-api-key': served.printed.api_key, 'content-type': 'application/json' };
  const stream = JSON.stringify({ key: 'later', name: 'Later' });
  expect((await fetch(`${served.printed.base_url}/data_streams`, { method: 'POST', headers, body: stream })).status).toBe(201);

  const out = path.join(temporaryFolder(), 'june.sqlite');
  const backup = await runCli('backup', '--data', folder, '--out', out, '--json');
  expect(backup.exitCode).toBe(0);
  expect(backup.document).toEqual({
    file: out,
    bytes: statSync(out).size,
    sha256: createHash('sha256').update(readFileSync(out)).digest('hex'),
    records: 554,
    audit_entries: 5,
    head: expect.stringMatching(/^[\da-f]{64}$/),
  });
  const inUse = await runCli('restore', out, '--data', folder, '--replace', '--json');
  expect([inUse.exitCode, inUse.document]).toMatchObject([3, { error: { code: 'folder_in_use' } }]);
  await served.stop('SIGTERM');
  expect(actionsIn(folder).at(-1)).toBe('book.backed_up');

  const elsewhere = path.join(temporaryFolder(), 'new');
  const restored = await runCli('restore', out, '--data', elsewhere, '--json');
  expect(restored.exitCode).toBe(0);
  const { records, audit_entries, head } = backup.document;
  expect(restored.document).toEqual({ data: elsewhere, file: out, records, audit_entries, head, replaced: null });
  expect((await runCli('verify', '--data', elsewhere)).exitCode).toBe(0);
  expect(actionsIn(elsewhere).at(-1)).toBe('book.restored');
});

test('a folder with a book is only given another one with --replace, and what was there can be had back', async () => {
  const folder = await sampleBook();
  const first = await runCli('backup', '--data', folder, '--json');
  const file = String(first.document['file']);
  const refused = await runCli('restore', file, '--data', folder);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain(`tieout restore "${file}" --data "${folder}" --replace`);
  const replaced = await runCli('restore', file, '--data', folder, '--replace', '--json');
  expect(replaced.exitCode).toBe(0);
  expect(existsSync(String(replaced.document['replaced']))).toBe(true);
  const itself = await runCli('restore', path.join(folder, 'book.sqlite'), '--data', folder, '--replace', '--json');
  expect([itself.exitCode, itself.document]).toMatchObject([2, { error: { code: 'same_file' } }]);
});

test('every command says that a book is gone or empty, with the command that brings the newest backup back', async () => {
  const folder = await sampleBook();
  const file = String((await runCli('backup', '--data', folder, '--json')).document['file']);
  const book = path.join(folder, 'book.sqlite');
  const command = `tieout restore "${file}" --data "${folder}"`;
  truncateSync(book, 1);
  for (const args of [['serve'], ['keys', 'list'], ['verify'], ['demo'], ['backup']]) {
    const empty = await runCli(...args, '--data', folder, '--json');
    expect([args, empty.exitCode, empty.document]).toMatchObject([args, 3, { error: { code: 'book_empty' } }]);
    expect(empty.stderr).toContain(command);
  }
  rmSync(book);
  const missing = await runCli('import', path.join(folder, 'none.csv'), '--stream', 'bank', '--data', folder, '--json');
  expect([missing.exitCode, missing.document]).toMatchObject([3, { error: { code: 'book_missing' } }]);
  expect(missing.stderr).toContain(command);
  expect(existsSync(book)).toBe(false);
  expect((await runCli('restore', file, '--data', folder)).exitCode).toBe(0);
  expect((await runCli('verify', '--data', folder)).exitCode).toBe(0);
});

test('a damaged book is served for reading, other commands leave it alone, and all name the way back', async () => {
  const folder = await sampleBook();
  const file = String((await runCli('backup', '--data', folder, '--json')).document['file']);
  const connection = new SqliteDatabase(path.join(folder, 'book.sqlite'));
  const root = Number(connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'import_rows'").pluck().get());
  connection.close();
  const bytes = Buffer.alloc(4_096, 0xa5);
  const handle = await open(path.join(folder, 'book.sqlite'), 'r+');
  await handle.write(bytes, 0, bytes.length, (root - 1) * bytes.length);
  await handle.close();
  const command = `tieout restore "${file}" --data "${folder}" --replace`;
  const keys = await runCli('demo', '--data', folder, '--json');
  expect([keys.exitCode, keys.document]).toMatchObject([3, { error: { code: 'damaged' } }]);
  expect(keys.stderr).toContain(command);
  const served = await serveCli(folder);
  const headers = { 'x-api-key': served.printed.api_key, 'content-type': 'application/json' };
  expect((await fetch(`${served.printed.base_url}/data_streams`, { headers })).status).toBe(200);
  const body = JSON.stringify({ key: 'later', name: 'Later' });
  const refused = await fetch(`${served.printed.base_url}/data_streams`, { method: 'POST', headers, body });
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'book_read_only' }]);
  await served.stop('SIGTERM');
  expect((await runCli('restore', file, '--data', folder, '--replace')).exitCode).toBe(0);
  expect((await runCli('verify', '--data', folder)).exitCode).toBe(0);
  expect(readdirSync(path.join(folder, 'backups')).some((name) => name.endsWith('.damaged'))).toBe(true);
});

test('what cannot be backed up, or restored, is said in a sentence', async () => {
  const folder = await sampleBook();
  const none = path.join(temporaryFolder(), 'none');
  expect(await runCli('backup', '--data', none, '--json')).toMatchObject({ exitCode: 2, document: { error: { code: 'no_book' } } });
  const there = path.join(temporaryFolder(), 'there.txt');
  writeFileSync(there, 'Dear');
  expect(await runCli('backup', '--data', folder, '--out', there, '--json')).toMatchObject({
    exitCode: 2,
    document: { error: { code: 'file_exists' } },
  });
  const nowhere = path.join(temporaryFolder(), 'no', 'folder.sqlite');
  expect(await runCli('backup', '--data', folder, '--out', nowhere, '--json')).toMatchObject({
    exitCode: 2,
    document: { error: { code: 'no_folder' } },
  });
  expect(await runCli('restore', there, '--data', none, '--json')).toMatchObject({ exitCode: 1, document: { error: { code: 'unsound' } } });
  expect(await runCli('restore', `${there}x`, '--data', none, '--json')).toMatchObject({
    exitCode: 2,
    document: { error: { code: 'file_missing' } },
  });
  const into = temporaryFolder();
  const placed = await runCli('backup', '--data', folder, '--out', into, '--json');
  expect(path.dirname(String(placed.document['file']))).toBe(into);
  copyFileSync(String(placed.document['file']), path.join(into, 'copy.sqlite'));
  // With the note of its digest.
  expect(readdirSync(into).toSorted()).toEqual(
    ['copy.sqlite', path.basename(String(placed.document['file'])), `${path.basename(String(placed.document['file']))}.json`].toSorted(),
  );
});

test('a backup of another book ends with the exit code of a question, and a changed one is refused in a sentence', async () => {
  const [folder, other] = [await sampleBook(), await newSample()];
  const file = path.join(temporaryFolder(), 'other.sqlite');
  expect((await runCli('backup', '--data', other, '--out', file)).exitCode).toBe(0);
  const asked = await runCli('restore', file, '--data', folder, '--replace', '--json');
  expect([asked.exitCode, asked.document]).toMatchObject([4, { error: { code: 'asks', questions: [{ about: 'another_book' }] } }]);
  expect(asked.stderr).toMatch(
    /nothing was changed: it is a backup of another book\.[^]*If that is right, restore it with --another-book\.\n$/,
  );
  expect((await runCli('restore', file, '--data', folder, '--replace', '--another-book')).exitCode).toBe(0);
  const connection = new SqliteDatabase(file);
  connection.exec('UPDATE records SET amount = amount + 1 WHERE id = 2');
  connection.close();
  const changed = await runCli('restore', file, '--data', folder, '--replace', '--json');
  expect([changed.exitCode, changed.document]).toMatchObject([1, { error: { code: 'unsound' } }]);
  expect(changed.stderr).toMatch(
    /something changed it without Tieout \(Row 2 of records was changed, and not by Tieout: amount is now \d+; its bytes are not those/,
  );
  expect((await runCli('restore', file, '--data', folder, '--replace', '--lose-sign-offs', 'all')).exitCode).toBe(2);
  rmSync(other, { recursive: true });
});

test('a restore that is refused leaves no new folder, no lock, and nothing in a folder that was there', async () => {
  const root = temporaryFolder();
  const backup = path.join(root, 'no-backup.sqlite');
  writeFileSync(backup, 'this is no book');
  const data = path.join(root, 'new', 'book');
  expect((await runCli('restore', backup, '--data', data)).exitCode).toBe(1);
  expect((await runCli('restore', `${backup}x`, '--data', data)).exitCode).toBe(2);
  expect(readdirSync(root)).toEqual(['no-backup.sqlite']);
  const there = path.join(root, 'there');
  mkdirSync(there);
  writeFileSync(path.join(there, 'notes.txt'), 'mine');
  expect((await runCli('restore', backup, '--data', there)).exitCode).toBe(1);
  expect(readdirSync(there)).toEqual(['notes.txt']);
});
