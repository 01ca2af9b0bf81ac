import path from 'node:path';
import { expect, test } from 'vitest';
import { destroyPages, pagesOfTrees } from '../support/faults/damaged-file.ts';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';

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
