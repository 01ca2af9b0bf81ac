/**
 * Deleting and resetting streams. Environment 0 is nobody's: a stream that is being deleted stands in it until its rows are
 * gone. `wiped_by` names the operation that took a batch out of sight. Batches and runs with ids below 0 gather the loose
 * records and the matches of a wipe; nobody sees them.
 */
export const streamOperations = {
  version: 3,
  name: 'stream operations',
  sql: `
INSERT INTO environments(id, name) VALUES (0, 'removed');

ALTER TABLE import_batches ADD COLUMN wiped_by INTEGER;
CREATE INDEX import_batches_wiped ON import_batches(wiped_by) WHERE wiped_by IS NOT NULL;

CREATE TABLE stream_operations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  stream_id INTEGER NOT NULL,
  stream_key TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('delete', 'reset')),
  status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed')),
  actor TEXT NOT NULL,
  processed INTEGER NOT NULL DEFAULT 0,
  total INTEGER NOT NULL DEFAULT 0,
  error_message TEXT,
  wiped_at INTEGER,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  completed_at INTEGER
) STRICT;
CREATE INDEX stream_operations_stream ON stream_operations(environment_id, stream_key, id);
CREATE UNIQUE INDEX stream_operations_open ON stream_operations(stream_id) WHERE status IN ('pending', 'running');
`,
} as const;
