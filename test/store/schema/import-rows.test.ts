import { expect, test } from 'vitest';
import { insertJob } from '../../../src-main/book/store/jobs.ts';
import { deleteImportRows, importRows, insertImportRows, KEPT_ROWS_OF } from '../../../src-main/imports/store/import-rows.ts';
import { bookWith } from '../../support/books/book-with.ts';

test('rows of the newest files alone are kept, and of one file those of its last reading', () => {
  const database = bookWith();
  const put = (jobId: number, count: number) =>
    database.write((write) => {
      deleteImportRows(write, jobId);
      insertImportRows(write, { job_id: jobId, kind: 'skipped', first: 0, count, body: new Uint8Array([1]) });
    });
  const jobs = Array.from({ length: KEPT_ROWS_OF + 2 }, (_, index) =>
    database.write((write) => insertJob(write, { environmentId: 1, kind: 'import', payload: '{}', runId: null, createdAtMs: index })),
  );
  for (const job of jobs) put(job, 3);
  put(jobs.at(-1) ?? 0, 4);
  const kept = jobs.filter((job) => importRows(database, job, 'skipped', 0, 1).length > 0);
  expect(kept).toEqual(jobs.slice(-KEPT_ROWS_OF));
  expect(importRows(database, jobs.at(-1) ?? 0, 'skipped', 0, 10).map(({ count }) => count)).toEqual([4]);
});
