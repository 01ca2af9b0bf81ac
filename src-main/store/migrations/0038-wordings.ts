/**
 * What other files say of lines that are here already. Frozen: a change of the schema is a new migration.
 * A wording is the line as a later file has it: `dedupe_key` is the key by which the line is known when that file comes again, `batch_id` the import that brought it.
 * `added` (JSON) is what the record took over of it; see `domain/statement/duplicates/joined-content.ts`.
 */
export const wordings = {
  version: 38,
  name: 'wordings',
  sql: `
CREATE TABLE wordings(
  id INTEGER PRIMARY KEY,
  stream_id INTEGER NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records(id) ON DELETE CASCADE,
  batch_id INTEGER NOT NULL REFERENCES import_batches(id) ON DELETE CASCADE,
  dedupe_key TEXT NOT NULL,
  day INTEGER NOT NULL,
  value_day INTEGER,
  description TEXT,
  external_id TEXT,
  metadata TEXT NOT NULL,
  added TEXT NOT NULL
) STRICT;
CREATE INDEX wordings_key ON wordings(stream_id, dedupe_key);
CREATE INDEX wordings_record ON wordings(record_id);
CREATE INDEX wordings_batch ON wordings(batch_id);
`,
} as const;
