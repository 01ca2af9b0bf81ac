/**
 * Records of a batch by day, and no trigger on the insertion of records. Frozen: a change of the schema is a new migration.
 * A statement with a trigger may have to be taken back halfway, so SQLite copies every page it touches aside first, row by row: with ten
 * indices that took longer than all the rest. A record that comes back under its old id is noted in `search_changes` by the code that brings it.
 */
export const batchesByDay = {
  version: 14,
  name: 'batches by day',
  sql: `
DROP TRIGGER records_words_restored;
CREATE INDEX records_batch_day ON records(batch_id, day) WHERE batch_id IS NOT NULL;
`,
} as const;
