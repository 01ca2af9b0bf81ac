/**
 * Batches of records. `writing = 1` marks a batch whose rows are not visible; `wiped_by` names the wipe that hid it. A batch with an id below 0
 * gathers the records of a wipe that had no batch.
 *
 * For a batch from a file: `recipe` is the recipe with which it was read, even if the kept recipe changes later. `whose` (JSON) has `accounts`, the
 * account numbers as the file writes them, and `holders`; null if the file states neither. `periods` is a JSON list of {account, firstDay, lastDay,
 * openingMinor, closingMinor}, one for each statement, also for a file without new lines; null for a batch without a file, whose period is that of
 * its records. `currency` is that of all of its balances; for a bulk request, that of its first record.
 */
export const IMPORT_BATCHES = `
CREATE TABLE import_batches(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  stream_id INTEGER NOT NULL REFERENCES streams(id),
  writing INTEGER NOT NULL,
  wiped_by INTEGER,
  source TEXT NOT NULL,
  filename TEXT,
  format TEXT NOT NULL,
  recipe TEXT,
  whose TEXT,
  sha256 TEXT NOT NULL,
  byte_length INTEGER NOT NULL,
  kept INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  totals TEXT NOT NULL,
  date_start INTEGER,
  date_end INTEGER,
  periods TEXT,
  currency TEXT,
  opening_balance INTEGER,
  closing_balance INTEGER,
  proof TEXT NOT NULL,
  problems TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX import_batches_stream ON import_batches(stream_id, created_at, id);
CREATE INDEX import_batches_writing ON import_batches(id) WHERE writing = 1;
CREATE INDEX import_batches_wiped ON import_batches(wiped_by) WHERE wiped_by IS NOT NULL;
CREATE INDEX import_batches_source ON import_batches(environment_id, source, id);
CREATE INDEX import_batches_sha256 ON import_batches(environment_id, sha256) WHERE source <> 'bulk_api';
`;

/**
 * Recipes with which tables are read. `body` is the recipe as in its file; `fingerprint` is that of the header, and several recipes may share it.
 * `former_recipes` keeps the body of a kept recipe until `replaced_at`.
 */
export const IMPORT_RECIPES = `
CREATE TABLE import_recipes(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  name TEXT NOT NULL COLLATE NOCASE,
  fingerprint TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_used_at INTEGER,
  UNIQUE(environment_id, name)
) STRICT;

CREATE TABLE former_recipes(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  recipe_id INTEGER NOT NULL REFERENCES import_recipes(id),
  fingerprint TEXT NOT NULL,
  body TEXT NOT NULL,
  replaced_at INTEGER NOT NULL
) STRICT;
CREATE INDEX former_recipes_of ON former_recipes(recipe_id);
`;

/**
 * The rows of a file that an import (or its preview) did not take, in the order of the file, some hundred rows in each body (deflated JSON). `first`
 * counts from 0 among the rows of the same kind.
 */
export const IMPORT_ROWS = `
CREATE TABLE import_rows(
  job_id INTEGER NOT NULL REFERENCES jobs(id),
  kind TEXT NOT NULL CHECK (kind IN ('skipped', 'rejected')),
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY(job_id, kind, first)
) STRICT, WITHOUT ROWID;
`;

/**
 * Bulk requests. `bulk_items` holds the items as sent until the request is completed, in pieces: JSON arrays of the items from the place `first` on.
 * The pieces are stored before their request, which names them by `body_id`; pieces without a request are those of a killed process. `bulk_results`
 * has the result of `items` consecutive items from the place `item` on, from 0 without a gap, written in the transaction that inserted their records.
 * A row with several items means that all were inserted, with consecutive record ids from `record_id` on. `bulk_request_streams` has the streams that
 * a request names and, after its first item there, the import batch that it fills in each.
 */
export const BULK_REQUESTS = `
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
  body_id INTEGER NOT NULL,
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
CREATE UNIQUE INDEX bulk_requests_body ON bulk_requests(body_id);

CREATE TABLE bulk_items(
  body_id INTEGER NOT NULL,
  first INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY(body_id, first)
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
`;
