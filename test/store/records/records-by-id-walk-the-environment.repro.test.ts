import { expect, test } from 'vitest';
import type { Database } from '../../../src-main/database/database.ts';
import { recordsById } from '../../../src-main/records/store/records.ts';
import { testFolder } from '../../support/books/backend.ts';
import { openTestDatabase } from '../../support/books/quiet-book.ts';

test('a few records are looked up by their ids, not found by walking all of the environment', () => {
  const database = openTestDatabase(testFolder());
  const asked: string[] = [];
  const watched = Object.create(database, {
    prepare: {
      value: (sql: string) => {
        asked.push(sql);
        return database.prepare(sql);
      },
    },
  }) as Database;
  recordsById(watched, 1, [1, 2]);
  const plan = asked.flatMap((sql) => database.connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('[1,2]', 1) as { detail: string }[]);
  const steps = plan.map(({ detail }) => detail);
  expect(steps).toContain('SEARCH r USING INTEGER PRIMARY KEY (rowid=?)');
  expect(steps.filter((step) => step.includes('environment_id'))).toEqual([]);
});
