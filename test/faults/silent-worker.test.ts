import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { JobQueue } from '../../src-main/backend/queue.ts';
import { abandonedBatches } from '../../src-main/imports/store/import-rows.ts';
import { type JobRow, jobById, openJobs } from '../../src-main/book/store/jobs.ts';
import { assert, present } from '../../src-shared/values/assert.ts';
import { hangHereOn, hangingInHurry } from '../support/faults/hanging.ts';
import { numbered, setUpPair } from '../support/books/lines.ts';
import { importOnThreads, openQuietBook, type QuietBook } from '../support/books/quiet-book.ts';
import { spawnCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { longTest, some } from '../support/long.ts';

const SILENCE_MS = 3_000;
const WORD = 'HANGS-FOR-EVER';
const ENDED = /^Tieout could not get on: for 3 seconds it neither got on nor could be stopped, so .*Nothing of it was stored\./;

/** A queue that waits for silent workers no longer than some seconds; `next` is fulfilled when a job has ended. */
function queueOf(book: QuietBook) {
  let tell: (job: JobRow) => void = () => undefined;
  const queue = new JobQueue({
    database: book.database,
    dataFolder: book.folder,
    clock: book.clock,
    log: book.log,
    onEvent: () => undefined,
    onEnded: (job) => tell(job),
    silenceMs: SILENCE_MS,
  });
  return { queue, next: () => new Promise<JobRow>((resolve) => void (tell = resolve)) };
}

function fileIn(folder: string, name: string, header: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `Date,${header},Amount\n2026-06-01,Rent,-9.50\n2026-06-02,Tea,-1.00\n`);
  return file;
}

async function startImport(book: QuietBook, file: string, operation: 'imports.start' | 'imports.preview' = 'imports.start') {
  const chosen = book.files.register(file);
  assert(chosen.ok, 'the file is there');
  return book.client.get(operation, { file_token: chosen.value.token, stream_key: 'bank', currency: 'USD' });
}

test.each(some(['imports.start', 'imports.preview'] as const, 1))(
  '%s that hangs is ended with words, and the next job goes on',
  async (operation) => {
    const book = openQuietBook();
    const { queue, next } = queueOf(book);
    const stopHanging = hangHereOn(WORD);
    const hanging = await startImport(book, fileIn(book.folder, 'hangs.csv', WORD), operation);
    const waiting = await startImport(book, fileIn(book.folder, 'fine.csv', 'Text'));
    const first = next();
    queue.kick();
    stopHanging();
    expect(await first).toMatchObject({ id: hanging.id, status: 'failed', error_message: expect.stringMatching(ENDED) });
    expect(jobById(book.database, hanging.id)?.error_message).toContain('Export the file anew, or in another format, and import that.');
    expect(abandonedBatches(book.database)).toEqual([]);
    expect(await next()).toMatchObject({ id: waiting.id, status: 'completed' });
    expect(book.database.connection.prepare('SELECT count(*) FROM records').pluck().get()).toBe(2);
    expect(book.log.lines.filter((line) => line.includes('silent'))).toHaveLength(1);
    await queue.close();
  },
);

longTest('a run that hangs is ended with words, and the next one matches', { timeout: 120_000 }, async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
  const { queue, next } = queueOf(book);
  const stopHanging = hangHereOn('"runId"');
  const run = await book.client.get('runs.start', { id: reconciliation.id });
  const first = next();
  queue.kick();
  stopHanging();
  expect(await first).toMatchObject({ status: 'failed', error_message: expect.stringMatching(ENDED) });
  expect(await book.client.get('runs.get', { id: reconciliation.id, run_id: run.id })).toMatchObject({
    status: 'failed',
    error_message: expect.stringMatching(ENDED),
  });
  const again = await book.client.get('runs.start', { id: reconciliation.id });
  const second = next();
  queue.kick();
  await second;
  expect(await book.client.get('runs.get', { id: reconciliation.id, run_id: again.id })).toMatchObject({ status: 'completed', matches: 3 });
  await queue.close();
});

longTest('closing the book does not wait for ever for one that hangs', { timeout: 120_000 }, async () => {
  const book = openQuietBook();
  const { queue } = queueOf(book);
  const stopHanging = hangHereOn(WORD);
  const hanging = await startImport(book, fileIn(book.folder, 'hangs.csv', WORD));
  queue.kick();
  stopHanging();
  await queue.close();
  book.recover();
  expect(jobById(book.database, hanging.id)).toMatchObject({
    status: 'failed',
    error_message: 'Tieout stopped during this import, so nothing of it was stored: import the file again.',
  });
});

longTest('the command line ends an import that hangs, says so, and leaves a book that works', { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  const data = path.join(folder, 'book');
  const run = async (file: string, env: Readonly<Record<string, string>>) => {
    const child = spawnCli(['import', file, '--data', data, '--stream', 'bank', '--currency', 'USD', '--json'], env);
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, document: JSON.parse(text) as unknown };
  };
  const ended = await run(fileIn(folder, 'hangs.csv', WORD), hangingInHurry(WORD));
  expect(ended).toMatchObject({ code: 1, document: { error: { message: expect.stringContaining('for 20 seconds it neither got on') } } });
  expect(await run(fileIn(folder, 'fine.csv', 'Text'), {})).toMatchObject({ code: 0, document: { kept: 2 } });
});

longTest('a process that is told to stop does, though an import hangs', { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  const data = path.join(folder, 'book');
  const book = openQuietBook(data);
  const file = fileIn(folder, 'hangs.csv', WORD);
  const child = spawnCli(['import', file, '--data', data, '--stream', 'bank', '--currency', 'USD', '--json'], hangingInHurry(WORD));
  const ended = once(child, 'close');
  const [told] = (await once(present(child.stderr, 'stderr'), 'data')) as [Buffer];
  expect([String(told), openJobs(book.database)]).toMatchObject(['A thread hangs.\n', [{ status: 'running' }]]);
  child.kill('SIGTERM');
  const [code] = (await ended) as [number | null];
  expect(code).not.toBe(0);
  book.recover();
  expect(openJobs(book.database)).toEqual([]);
  expect(book.database.connection.prepare('SELECT count(*) FROM records').pluck().get()).toBe(0);
});

longTest('a large file whose reading hangs on its own thread ends the import with words', { timeout: 120_000 }, async () => {
  const book = openQuietBook();
  hangHereOn(WORD);
  const file = fileIn(book.folder, 'hangs.csv', WORD);
  await expect(importOnThreads(book, { path: file }, { wholeBytes: 10, silenceMs: SILENCE_MS })).rejects.toThrow(
    'for 3 seconds it neither got on nor could be stopped while it read the file',
  );
  expect(book.database.connection.prepare('SELECT count(*) FROM records').pluck().get()).toBe(0);
});
