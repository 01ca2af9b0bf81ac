import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { destroyPages, pagesOfTrees } from '../support/faults/damaged-file.ts';

test('tieout verify says that a book is sound, what is wrong with one, and that there is none', async () => {
  const folder = temporaryFolder();
  const none = await runCli('verify', '--data', folder);
  expect([none.exitCode, none.stderr]).toEqual([2, `There is no book in ${folder}: give the --data folder of one.\n`]);

  await runCli('demo', '--data', folder);
  const sound = await runCli('verify', '--data', folder, '--json');
  expect(sound.exitCode).toBe(0);
  expect(sound.document).toMatchObject({ data: folder, findings: 0, is_more: false });
  expect(sound.document['checks']).toEqual(
    ['file', 'schema', 'content', 'kept_files', 'lists', 'matches', 'packs', 'search', 'audit_log', 'sign_offs', 'anchor'].map((id) => ({
      id,
      findings: [],
      is_more: false,
    })),
  );

  const connection = new SqliteDatabase(path.join(folder, 'book.sqlite'));
  connection.exec("DROP TRIGGER audit_log_no_update; UPDATE audit_log SET action = 'nothing' WHERE id = 2");
  connection.close();
  const changed = await runCli('verify', '--data', folder);
  expect(changed.exitCode).toBe(1);
  expect(changed.stdout).toContain('- The trigger audit_log_no_update of the book is missing');
  expect(changed.stdout).toContain(`The book in ${folder} has 2 faults.`);
  expect(changed.stdout).toContain('- Entry 2 of the audit log does not follow from the one before it');

  const accepted = await runCli('verify', '--data', folder, '--accept');
  expect([accepted.exitCode, accepted.stderr]).toEqual([1, expect.stringContaining('2 faults stay, since they cannot be accepted')]);
  expect((await runCli('verify', '--data', folder)).exitCode).toBe(1);

  const file = openSync(path.join(folder, 'book.sqlite'), 'r+');
  writeSync(file, Buffer.alloc(100, 0x2e), 0, 100, 0);
  closeSync(file);
  const damaged = await runCli('verify', '--data', folder, '--json');
  expect(damaged.exitCode).toBe(1);
  expect(damaged.document).toMatchObject({ findings: 1, checks: [{ id: 'file' }] });
});

describe('found once: verify loses findings', () => {
  // Each third page, from another one on: the index of words, too, is among them.
  test.each([0, 1, 2])('tieout verify names every destroyed page of a file, each third from %i on, and ends with 1', async (first) => {
    const folder = temporaryFolder();
    await runCli('demo', '--data', folder);
    const file = path.join(folder, 'book.sqlite');
    const trees = [...pagesOfTrees(file)];
    // Every third one, spread over all tables: 40 and more.
    const destroyed = trees.filter((_page, place) => place % 3 === first);
    expect(destroyed.length).toBeGreaterThan(40);
    destroyPages(
      file,
      destroyed.map(([page]) => page),
    );
    const damaged = await runCli('verify', '--data', folder, '--json');
    expect([damaged.exitCode, damaged.stderr]).toEqual([1, expect.not.stringContaining('malformed')]);
    const checks = damaged.document['checks'] as { id: string; findings: string[]; is_more: boolean }[];
    const told = checks.find(({ id }) => id === 'file')?.findings ?? [];
    const missing = destroyed.filter(([page]) => !told.some((finding) => finding.startsWith(`Page ${page} of the file`)));
    expect(missing).toEqual([]);
    expect(checks.find(({ id }) => id === 'file')?.is_more).toBe(false);
  });

  test('rows behind a damaged page are looked at as well', async () => {
    const folder = temporaryFolder();
    await runCli('demo', '--data', folder);
    const file = path.join(folder, 'book.sqlite');
    const [page = 0] = [...pagesOfTrees(file)].findLast(([, name]) => name === 'records') ?? [];
    destroyPages(file, [page]);
    const damaged = await runCli('verify', '--data', folder);
    expect(damaged.exitCode).toBe(1);
    expect(damaged.stdout).toMatch(/- Rows (\d+ to \d+|from \d+ on) of records cannot be read/);
  });
});
