import { expect, test } from 'vitest';
import { setTimeout as wait } from 'node:timers/promises';
import { JobQueue } from '../../src-main/backend/queue.ts';
import { jobById, openJobs } from '../../src-main/book/store/jobs.ts';
import { present } from '../../src-shared/values/assert.ts';
import { numbered, setUpPair } from '../support/books/lines.ts';
import { openQuietBook } from '../support/books/quiet-book.ts';
import { withFailingStatement } from '../support/faults/failing-statements.ts';

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
