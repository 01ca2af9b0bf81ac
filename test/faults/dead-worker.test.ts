import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { JobQueue } from '../../src-main/backend/queue.ts';
import { jobById, openJobs } from '../../src-main/book/store/jobs.ts';
import { present } from '../../src-shared/values/assert.ts';
import { numbered, setUpPair } from '../support/books/lines.ts';
import { openQuietBook } from '../support/books/quiet-book.ts';

test('a worker that dies leaves a failed job with words, and the queue goes on', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
  const ends: string[] = [];
  const told = { resolve: () => {} };
  const nextEnd = () => new Promise<void>((resolve) => Object.assign(told, { resolve }));
  const queue = new JobQueue({
    database: book.database,
    dataFolder: book.folder,
    clock: book.clock,
    log: book.log,
    onEvent: (event) => ends.push(event.status),
    onEnded: () => told.resolve(),
  });
  const run = await book.client.get('runs.start', { id: reconciliation.id });
  const job = present(openJobs(book.database)[0], 'job');
  const first = nextEnd();
  // The queue shows its workers to nobody, but Node tells of each that begins.
  const begun: Worker[] = [];
  const note = (told: unknown): void => void begun.push((told as { readonly worker: Worker }).worker);
  subscribe('worker_threads', note);
  queue.kick();
  unsubscribe('worker_threads', note);
  await present(begun[0], 'worker of the job').terminate();
  await first;
  const words = 'Tieout failed in the middle of this job. Nothing of it was stored: try again.';
  expect(jobById(book.database, job.id)).toMatchObject({ status: 'failed', error_message: words });
  expect(await book.client.get('runs.get', { id: reconciliation.id, run_id: run.id })).toMatchObject({
    status: 'failed',
    error_message: words,
  });
  expect((await book.client.get('matches.list', {})).total_count).toBe(0);
  expect(ends).toEqual(['running', 'failed']);

  const again = await book.client.get('runs.start', { id: reconciliation.id });
  const second = nextEnd();
  queue.kick();
  await second;
  expect(await book.client.get('runs.get', { id: reconciliation.id, run_id: again.id })).toMatchObject({ status: 'completed', matches: 3 });
  await queue.close();
});

test('closing the book stops a run, which is worked out anew at the next start', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
  const options = { database: book.database, dataFolder: book.folder, clock: book.clock, log: book.log, onEvent: () => {} };
  const queue = new JobQueue({ ...options, onEnded: () => {} });
  const run = await book.client.get('runs.start', { id: reconciliation.id });
  const job = present(openJobs(book.database)[0], 'job');
  queue.kick();
  await queue.close();
  expect(jobById(book.database, job.id)?.status).toBe('pending');
  expect(await book.client.get('runs.get', { id: reconciliation.id, run_id: run.id })).toMatchObject({
    status: 'pending',
    started_at: expect.anything(),
  });
  expect((await book.client.get('matches.list', {})).total_count).toBe(0);
  book.recover();
  const ended = await new Promise<string>((resolve) => {
    const next = new JobQueue({ ...options, onEnded: (row) => resolve(row.status) });
    next.kick();
  });
  expect(ended).toBe('completed');
  expect(await book.client.get('runs.get', { id: reconciliation.id, run_id: run.id })).toMatchObject({ status: 'completed', matches: 3 });
});
