import { expect, test } from 'vitest';
import { insertJob } from '../../../src-main/store/book/jobs.ts';
import { deleteImportRows, importRows, insertImportRows, KEPT_ROWS_OF } from '../../../src-main/store/imports/import-rows.ts';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

const RECIPE = `INSERT INTO import_recipes(environment_id, name, fingerprint, body, created_at, updated_at) VALUES (1, 'Bank', 'f', '{}', 5, 5);`;

test('migration 29 adds the rows of files that did not go in, and recipes that were replaced', () => {
  expect(addedBy(29)).toEqual([
    'former_recipes',
    'former_recipes: id INTEGER key 1',
    'former_recipes: recipe_id INTEGER not null',
    'former_recipes: fingerprint TEXT not null',
    'former_recipes: body TEXT not null',
    'former_recipes: replaced_at INTEGER not null',
    'former_recipes: recipe_id -> import_recipes',
    'import_rows',
    'import_rows: job_id INTEGER not null key 1',
    'import_rows: kind TEXT not null key 2',
    'import_rows: first INTEGER not null key 3',
    'import_rows: count INTEGER not null',
    'import_rows: body BLOB not null',
    'import_rows: job_id -> jobs',
    'CREATE INDEX former_recipes_of ON former_recipes(recipe_id)',
  ]);
});

test('recipes of a book of version 28 have no former ones', async () => {
  const database = openTestDatabase(folderWithBookOf(28, (connection) => connection.exec(RECIPE)));
  expect(database.connection.prepare('SELECT count(*) FROM former_recipes').pluck().get()).toBe(0);
  expect(database.connection.prepare('SELECT name FROM import_recipes').pluck().all()).toEqual(['Bank']);
});

test('rows of the newest files alone are kept, and of one file those of its last reading', () => {
  const database = openTestDatabase(folderWithBookOf(29));
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
