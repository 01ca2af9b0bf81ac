import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import { STATEMENT_LIMITS } from '../../src-main/domain/statement/model/limits.ts';
import { zipOf } from '../support/inputs/zips.ts';
import { runCli, spawnCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { importHere, openQuietBook } from '../support/books/quiet-book.ts';
import { longTest, quickTest } from '../support/long.ts';

/** A statement in an archive was refused, with the advice to unpack it. */

const JUNE = 'Date,Description,Amount\n2026-06-01,Rent,-9.50\n2026-06-02,Tea,-1.00\n';
const JULY = 'Date,Description,Amount\n2026-07-01,Rent,-9.50\n2026-07-02,Tea,-1.25\n';

function imports() {
  const folder = temporaryFolder();
  const book = path.join(folder, 'book');
  return {
    run: (name: string, content: string | Uint8Array, ...more: string[]) => {
      const file = path.join(folder, name);
      writeFileSync(file, content);
      return runCli('import', file, '--data', book, '--stream', 'bank', '--currency', 'GBP', '--json', ...more);
    },
    stored: (): unknown => {
      const connection = new SqliteDatabase(path.join(book, 'book.sqlite'), { readonly: true });
      const rows = connection.prepare('SELECT filename, byte_length FROM import_batches ORDER BY id').raw().all();
      connection.close();
      return rows;
    },
  };
}

quickTest('the one file of an archive is read as if it had been given, and known again', async () => {
  const { run, stored } = imports();
  const first = await run('june.zip', zipOf([{ name: 'out/june.csv', content: JUNE }]));
  expect([first.exitCode, first.document]).toMatchObject([0, { kept: 2, format: 'csv', same_file: null }]);
  expect(first.document['problems']).toMatchObject([{ code: 'unpacked', message: 'june.csv was read out of the archive june.zip.' }]);
  expect(stored()).toEqual([['june.csv', JUNE.length]]);
  for (const [name, content] of [
    ['june.csv', JUNE],
    ['june.csv.gz', gzipSync(JUNE)],
  ] as const) {
    const again = await run(name, content);
    expect([again.exitCode, again.document]).toMatchObject([0, { kept: 0, skipped: 2, same_file: { filename: 'june.csv' } }]);
  }
});

quickTest('each file of a zip archive with several is an import of its own, in the order of their names', async () => {
  const { run, stored } = imports();
  const parts = [
    { name: '2026-07.csv', content: JULY },
    { name: '2026-06.csv', content: JUNE },
    { name: 'readme.txt', content: 'Hello' },
  ];
  const { exitCode, document } = await run('year.zip', zipOf(parts));
  expect(exitCode).toBe(1);
  expect(document).toMatchObject({
    kept: 4,
    failing: 1,
    files: [{ result: { kept: 2 } }, { result: { kept: 2 } }, { result: { kept: 0, problems: [{ severity: 'fatal' }] } }],
  });
  expect((document['files'] as { file: string }[]).map(({ file }) => path.basename(file))).toEqual([
    'year.zip: 2026-06.csv',
    'year.zip: 2026-07.csv',
    'year.zip: readme.txt',
  ]);
  expect(stored()).toEqual([
    ['2026-06.csv', JUNE.length],
    ['2026-07.csv', JULY.length],
  ]);
});

quickTest('what cannot be unpacked is named, and nothing is stored', async () => {
  const { run, stored } = imports();
  const cut = await run('june.csv.gz', gzipSync(JUNE).subarray(0, 50));
  expect([cut.exitCode, cut.document]).toMatchObject([1, { kept: 0, batch_id: null }]);
  expect(cut.document['problems']).toMatchObject([
    { severity: 'fatal', message: expect.stringMatching(/^june\.csv\.gz: The gzip archive is cut off or damaged\./) },
  ]);
  expect(stored()).toEqual([]);
});

quickTest('a table in an archive is read in stretches where it is larger than what is held', () => {
  const book = openQuietBook();
  const file = path.join(book.folder, 'june.csv.gz');
  writeFileSync(file, gzipSync(JUNE));
  const phases = new Set<string>();
  const told = { wholeBytes: 10, onStep: (phase: string) => void phases.add(phase) };
  expect(importHere(book, { path: file, currency: 'GBP' }, told).result).toMatchObject({ kept: 2, same_file: null });
  expect(importHere(book, { path: file }, told).result).toMatchObject({ kept: 0, skipped: 2, same_file: { filename: 'june.csv' } });
  expect([...phases]).toContain('indexing');
});

longTest('a table in an archive that is too large to be held is read as a large file is', { timeout: 120_000 }, async () => {
  const { run, stored } = imports();
  const text = 'a line with much to say '.repeat(40);
  const rows = Array.from({ length: 20_000 }, (_, index) => `2026-06-${10 + (index % 20)},${text}${index},-${index + 1}.25`);
  const wide = `Date,Description,Amount\n${rows.join('\n')}\n`;
  expect(wide.length).toBeGreaterThan(STATEMENT_LIMITS.wholeBytes);
  const first = await run('many.csv.gz', gzipSync(wide));
  expect([first.exitCode, first.document]).toMatchObject([0, { kept: 20_000, same_file: null }]);
  expect(stored()).toEqual([['many.csv', wide.length]]);
  const again = await run('many.zip', zipOf([{ name: 'many.csv', content: wide }]));
  expect([again.exitCode, again.document]).toMatchObject([0, { kept: 0, skipped: 20_000, same_file: { filename: 'many.csv' } }]);
});

quickTest('an archive of very many files is refused as the window refuses it', async () => {
  const { run, stored } = imports();
  const parts = Array.from({ length: 2_000 }, (_, index) => ({ name: `${index}.csv`, content: JUNE }));
  const answer = await run('many.zip', zipOf(parts));
  const message = expect.stringMatching(/many\.zip holds 2,000 files, and up to 100 of one archive are taken at once/);
  expect([answer.exitCode, answer.document]).toMatchObject([1, { error: { code: 'file_unreadable', message } }]);
  expect(() => stored()).toThrow('Cannot open database');
});

quickTest('a signal ends an import of many files after the one under way', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'many.zip');
  const parts = Array.from({ length: 100 }, (_, index) => ({ name: `${1_000 + index}.csv`, content: JUNE }));
  writeFileSync(file, zipOf(parts));
  const child = spawnCli(['import', file, '--data', path.join(folder, 'book'), '--stream', 'bank', '--currency', 'GBP', '--json']);
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  // The folder holds the book once the first file can be under way.
  await expect.poll(() => existsSync(path.join(folder, 'book', 'book.sqlite')), { timeout: 20_000 }).toBe(true);
  await expect.poll(() => batchesIn(path.join(folder, 'book', 'book.sqlite')), { timeout: 20_000 }).toBeGreaterThan(0);
  child.kill('SIGTERM');
  const code = await new Promise((resolve) => child.once('close', resolve));
  const { files } = JSON.parse(text) as { files: { error: { code: string } | null }[] };
  expect([code, files.length, files.at(-1)?.error?.code]).toEqual([1, 100, 'cancelled']);
});

/** Returns how many imports a book has published; 0 where it cannot be read yet. */
function batchesIn(book: string): number {
  try {
    const connection = new SqliteDatabase(book, { readonly: true });
    const count = Number(connection.prepare('SELECT count(*) FROM import_batches WHERE writing = 0').pluck().get());
    connection.close();
    return count;
  } catch {
    return 0;
  }
}
