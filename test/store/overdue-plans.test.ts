import { expect, test } from 'vitest';
import { pageRecords, type RecordFilter } from '../../src-main/store/records.ts';
import type { ReadHandle } from '../../src-main/store/database.ts';
import { testFolder } from '../support/backend.ts';
import { openTestDatabase } from '../support/quiet-book.ts';

/** How SQLite would find a page of these records. */
function planOf(filter: Omit<RecordFilter, 'environmentId'>): string {
  const database = openTestDatabase(testFolder());
  let plan = '';
  const reader: ReadHandle = {
    first: database.first.bind(database),
    each: database.each.bind(database),
    prepare: database.prepare.bind(database),
    all: (compilable) => {
      const { sql, parameters } = compilable.compile();
      const steps = database.connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
      plan = steps.map((step) => step.detail).join('\n');
      return [];
    },
  };
  pageRecords(reader, { environmentId: 1, ...filter }, { sort: 'created_at', descending: true, limit: 25, offset: 0 });
  return plan;
}

test.each([[{ overdue: true }], [{ overdue: true, reconciliationId: 1, streamIds: [1, 2] }]])(
  'overdue records are found by their marks, never by a look at every record: %j',
  (filter) => {
    const plan = planOf(filter);
    expect(plan).toMatch(/^SEARCH r USING INTEGER PRIMARY KEY/);
    expect(plan).toContain('overdue_records USING COVERING INDEX overdue_records_reconciliation');
    expect(plan).not.toMatch(/SCAN r\b|records_created/);
  },
);
