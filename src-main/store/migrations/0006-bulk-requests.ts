/**
 * Bulk requests. Frozen: a change of the schema is a new migration.
 * `bulk_items` holds the items as they were sent, a JSON array, until the request is completed. `bulk_results` says what became of
 * `items` items from the place `item` on, from 0 without a gap, in the transaction that put them into the book; more than one stand in a row
 * when all of them went in, and then their record ids are consecutive from `record_id` on. `bulk_request_streams` says which streams a
 * request names and, from its first item there, which import batch it fills in each. Instants are milliseconds UTC.
 */
export const bulkRequests = {
  version: 6,
  name: 'bulk requests',
  sql: `
CREATE TABLE bulk_requests(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'completed', 'failed', 'cancelled')),
  on_conflict TEXT NOT NULL CHECK (on_conflict IN ('skip', 'error')),
  actor TEXT NOT NULL,
  idempotency_key TEXT,
  total INTEGER NOT NULL,
  processed INTEGER NOT NULL DEFAULT 0,
  successful INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  sha256 TEXT NOT NULL,
  byte_length INTEGER NOT NULL,
  error_message TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  completed_at INTEGER,
  CHECK (processed = successful + failed + skipped AND processed <= total),
  CHECK (status <> 'completed' OR processed = total)
) STRICT;
CREATE INDEX bulk_requests_open ON bulk_requests(id) WHERE status IN ('pending', 'processing');
CREATE INDEX bulk_requests_newest ON bulk_requests(environment_id, created_at, id);
CREATE UNIQUE INDEX bulk_requests_idempotency ON bulk_requests(environment_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE bulk_items(
  bulk_request_id INTEGER PRIMARY KEY REFERENCES bulk_requests(id),
  body TEXT NOT NULL
) STRICT;

CREATE TABLE bulk_results(
  bulk_request_id INTEGER NOT NULL REFERENCES bulk_requests(id),
  item INTEGER NOT NULL,
  items INTEGER NOT NULL CHECK (items = 1 OR status = 'successful'),
  status TEXT NOT NULL CHECK (status IN ('successful', 'failed', 'skipped')),
  record_id INTEGER,
  error TEXT,
  PRIMARY KEY(bulk_request_id, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE bulk_request_streams(
  bulk_request_id INTEGER NOT NULL REFERENCES bulk_requests(id),
  stream_id INTEGER NOT NULL,
  batch_id INTEGER,
  PRIMARY KEY(bulk_request_id, stream_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bulk_request_streams_stream ON bulk_request_streams(stream_id);
`,
} as const;
