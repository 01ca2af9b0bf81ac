import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { assert, present } from '../../src-shared/values/assert.ts';
import { openTestBook, testClock, testFolder, testLog, testRandom } from '../support/books/backend.ts';
import { IS_LONG } from '../support/long.ts';
import { canMount, mount, unmount } from '../support/faults/small-disk.ts';
import { importHere, openQuietBook } from '../support/books/quiet-book.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { JobQueue } from '../../src-main/backend/queue.ts';
import { jobById, openJobs } from '../../src-main/book/store/jobs.ts';
import { numbered, setUpPair } from '../support/books/lines.ts';
import { withFailingStatement } from '../support/faults/failing-statements.ts';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { startBackend } from '../../src-main/backend/backend.ts';

/** More than fits on the disk, and more than the book may grow by. */
const [ROWS, IN_BOOK] = IS_LONG ? [12_000, 5_000] : [8_000, 1_500];

const DISK_FULL = 'The disk is full. Nothing of this was stored: free some space and try again.';

function longFile(folder: string, lines: number): string {
  const file = path.join(folder, 'long.csv');
  const rows = Array.from(
    { length: lines },
    (_, index) => `2026-06-${String((index % 30) + 1).padStart(2, '0')},Line ${index} ${'x'.repeat(80)},${index + 1}.00`,
  );
  writeFileSync(file, `Date,Description,Amount\n${rows.join('\n')}\n`);
  return file;
}

test('a job that cannot make the book larger is rolled back, and works once it can', async () => {
  const book = openQuietBook();
  const file = longFile(book.folder, IN_BOOK);
  const { connection } = book.jobDatabase;
  const pages = Number(connection.pragma('page_count', { simple: true }));
  connection.pragma(`max_page_count = ${pages + 40}`);
  expect(() => importHere(book, { path: file })).toThrow('database or disk is full');
  book.recover();
  expect(await book.client.get('streams.list', {})).toEqual([]);
  expect(book.database.connection.prepare('SELECT count(*) FROM records').pluck().get()).toBe(0);
  connection.pragma('max_page_count = 1000000');
  expect(importHere(book, { path: file }).result).toMatchObject({ kept: IN_BOOK, skipped: 0 });
});

test.each(IS_LONG && canMount() ? ['2300k'] : [])(
  'on a real disk of %s an import fails with its sentence, and succeeds once there is room',
  async (size) => {
    const disk = testFolder();
    mount(disk, `size=${size}`);
    onTestFinished(() => void unmount(disk));
    const file = longFile(testFolder(), ROWS);
    const book = await openTestBook(path.join(disk, 'data'));
    await book.client.get('streams.create', { key: 'other', name: 'Other' });
    const start = async () => {
      const chosen = book.backend.registerFile(file);
      assert(chosen.ok, 'the file was just written');
      return book.client.get('imports.start', { file_token: chosen.value.token, stream_key: 'bank', currency: 'USD' });
    };
    const job = await start();
    // What the worker cannot even take back on a full disk is taken back when there is room; the book answers all the while.
    await expect.poll(() => book.log.lines.length, { timeout: 10_000 }).toBeGreaterThan(0);
    const streams = async () => (await book.client.get('streams.list', {})).map((stream) => [stream.key, stream.record_count]);
    expect(await streams()).toContainEqual(['other', 0]);
    mount(disk, 'remount,size=64m');
    expect(await book.ended(job)).toMatchObject({ status: 'failed', error_message: DISK_FULL, import_result: null });
    // The end is told at once; what was written is taken back by the queue's next try.
    await expect.poll(streams, { timeout: 10_000 }).toEqual([['other', 0]]);
    const again = await book.ended(await start());
    expect(again.import_result).toMatchObject({ kept: ROWS, skipped: 0 });
    await book.close();
  },
);

describe('found once: full disk at job end', () => {
  test('a job that cannot be started on a full disk is started later, and nothing is thrown where nobody listens', async () => {
    const book = openQuietBook();
    const { reconciliation } = await setUpPair(book.client, { a: numbered(2), b: numbered(2) });
    const run = await book.client.get('runs.start', { id: reconciliation.id });
    const job = present(openJobs(book.database)[0], 'job');
    let resolveEnded = () => {};
    const ended = new Promise<void>((resolve) => {
      resolveEnded = resolve;
    });
    const queue = new JobQueue({
      database: book.database,
      dataFolder: book.folder,
      clock: book.clock,
      log: book.log,
      onEvent: () => {},
      onEnded: resolveEnded,
      retryAfterMs: 20,
    });
    await withFailingStatement(1, () => queue.kick());
    expect(jobById(book.database, job.id)?.status).toBe('pending');
    expect(book.log.lines.join()).toContain('database or disk is full');
    await Promise.race([ended, wait(15_000, undefined, { ref: false })]);
    expect(jobById(book.database, job.id)?.status).toBe('completed');
    expect(await book.client.get('runs.get', { id: reconciliation.id, run_id: run.id })).toMatchObject({ status: 'completed', matches: 2 });
    await queue.close();
  });
});

describe('found once: full disk waits forever', () => {
  /** More than fits. */
  const ROWS = IS_LONG ? 12_000 : 6_000;

  // When even the end of a job could not be stored, whoever waited for it heard nothing: the command ended with exit code 13.
  test.each(canMount() ? ['1300k'] : [])('a command on a full disk of %s says so and ends', async (size) => {
    const disk = temporaryFolder();
    mount(disk, `size=${size}`);
    onTestFinished(() => void unmount(disk));
    const file = path.join(temporaryFolder(), 'long.csv');
    const rows = Array.from(
      { length: ROWS },
      (_, index) => `2026-06-${String((index % 30) + 1).padStart(2, '0')},Line ${index} ${'x'.repeat(80)},${index + 1}.00`,
    );
    writeFileSync(file, `Date,Description,Amount\n${rows.join('\n')}\n`);
    const command = ['import', file, '--data', path.join(disk, 'book'), '--stream', 's', '--currency', 'USD', '--json'];
    const full = await runCli(...command);
    expect(full.exitCode).toBe(3);
    expect(full.document).toMatchObject({ error: { code: 'storage_full' } });
    mount(disk, 'remount,size=64m');
    const roomy = await runCli(...command);
    expect(roomy.document).toMatchObject({ kept: ROWS, skipped: 0, batch_id: expect.any(Number) as number });
  });
});

describe('found once: start on full disk', () => {
  test('a start that cannot clear up on a full disk is refused in a sentence and gives the folder back', async () => {
    const folder = testFolder();
    const before = openQuietBook(folder);
    const { reconciliation } = await setUpPair(before.client, { a: numbered(1), b: numbered(1) });
    await before.client.get('runs.start', { id: reconciliation.id });
    before.database.close();
    before.jobDatabase.close();

    await withFailingStatement(1, async () => {
      const refused = await startBackend({ dataFolder: folder, clock: testClock(), random: testRandom(), log: testLog(), version: '0' });
      expect(refused).toMatchObject({ ok: false, error: { code: 'storage_full', message: expect.stringContaining('The disk is full') } });
    });
    expect(existsSync(path.join(folder, 'book.sqlite'))).toBe(true);
    const book = await openTestBook(folder);
    expect((await book.client.get('book.overview', {})).streams).toHaveLength(2);
  });
});
