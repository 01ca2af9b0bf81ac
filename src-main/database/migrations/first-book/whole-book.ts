/** Environment 0 holds streams that are being deleted, until their rows are gone. */
export const ENVIRONMENTS = `
CREATE TABLE environments(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO environments(id, name) VALUES (0, 'removed'), (1, 'live'), (2, 'test');

CREATE TABLE settings(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
INSERT INTO settings(key, value) VALUES
  ('book_id', lower(hex(randomblob(16)))), ('book_created_at', CAST(CAST(unixepoch('subsec') * 1000 AS INTEGER) AS TEXT));
`;

/** Background jobs, and the keys of clients. */
export const JOBS = `
CREATE TABLE jobs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  phase TEXT NOT NULL DEFAULT '',
  processed INTEGER NOT NULL DEFAULT 0,
  total INTEGER NOT NULL DEFAULT 0,
  payload TEXT NOT NULL,
  result TEXT,
  error_message TEXT,
  run_id INTEGER REFERENCES runs(id),
  created_at INTEGER NOT NULL,
  completed_at INTEGER
) STRICT;
CREATE INDEX jobs_open ON jobs(id) WHERE status IN ('pending', 'running');
CREATE INDEX jobs_run ON jobs(run_id) WHERE run_id IS NOT NULL;

CREATE TABLE api_keys(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  name TEXT NOT NULL,
  reconciliation_id INTEGER,
  permission TEXT NOT NULL CHECK (permission IN ('read', 'read_write')),
  hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
`;

/** Answers under an Idempotency-Key, kept for ever. `input_sha256` shows whether a repetition has the same input. */
export const ANSWERS = `
CREATE TABLE idempotent_answers(
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  operation TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  input_sha256 TEXT NOT NULL,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (environment_id, operation, idempotency_key)
) STRICT, WITHOUT ROWID;
`;

/**
 * Changes of people that can be undone, in order: `position` grows with every change, undo and redo. `steps` (JSON) are the operations that undo it,
 * `again` (JSON) the one that redoes it, null if none does. `undone` = 1 means that it was undone and can be redone. A sign-off that is newer than
 * `sign_offs` ends what can be undone: one of `period_id`, or any of `reconciliation_id` if no period is named.
 */
export const UNDO = `
CREATE TABLE undo_entries(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  position INTEGER NOT NULL,
  label TEXT NOT NULL,
  steps TEXT NOT NULL,
  again TEXT,
  undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1)),
  reconciliation_id INTEGER,
  period_id INTEGER,
  sign_offs INTEGER NOT NULL,
  actor TEXT NOT NULL,
  done_at INTEGER NOT NULL
) STRICT;
CREATE INDEX undo_entries_position ON undo_entries(environment_id, undone, position);
`;

/** The log of all changes. Each entry has the hash of the previous one, and `content`, the hash of everything that the book then held. */
export const AUDIT_LOG = `
CREATE TABLE audit_log(
  id INTEGER PRIMARY KEY,
  environment_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  detail TEXT NOT NULL,
  content TEXT,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
`;

/**
 * Digests of all content, chunk by chunk (`src-main/database/README.md`). `content_pending` has ranges of chunks that a large write left to digest later, by
 * first and last number.
 */
export const CONTENT = `
CREATE TABLE content_digests(
  tab TEXT NOT NULL,
  chunk ANY NOT NULL,
  sha256 BLOB NOT NULL,
  places BLOB NOT NULL,
  fault TEXT,
  PRIMARY KEY(tab, chunk)
) STRICT, WITHOUT ROWID;

CREATE TABLE content_pending(
  tab TEXT NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY(tab, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE content_state(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  writes INTEGER NOT NULL,
  root BLOB NOT NULL,
  sequences TEXT NOT NULL,
  entries INTEGER NOT NULL,
  head TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  checksum TEXT NOT NULL
) STRICT;
`;
