import {
  DISSOLVED_MATCHES,
  DUE_RUNS,
  EVIDENCE,
  MATCH_RECORDS,
  MATCHES,
  OPEN_ITEM_NOTES,
  OVERDUE,
  PERIODS,
  RECONCILED_DAYS,
  RECONCILIATIONS,
  RULES,
  RUN_BASES,
  RUNS,
  SEPARATIONS,
  SIGN_OFFS,
  WIPES,
} from './first-book/reconciliations.ts';
import {
  BANK_ACCOUNTS,
  BULK_REQUESTS,
  COLUMN_PACKS,
  IMPORT_BATCHES,
  IMPORT_RECIPES,
  IMPORT_ROWS,
  LISTED_RECORDS,
  RECORD_WORDS,
  RECORDS,
  REVERSALS,
  STORIES,
  STREAM_OPERATIONS,
  STREAMS,
  WORDINGS,
} from './first-book/records.ts';

/** Environment 0 holds streams that are being deleted, until their rows are gone. */
const ENVIRONMENTS = `
CREATE TABLE environments(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO environments(id, name) VALUES (0, 'removed'), (1, 'live'), (2, 'test');

CREATE TABLE settings(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
INSERT INTO settings(key, value) VALUES
  ('book_id', lower(hex(randomblob(16)))), ('book_created_at', CAST(CAST(unixepoch('subsec') * 1000 AS INTEGER) AS TEXT));
`;

/** Background jobs, and the keys of clients. */
const JOBS = `
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
  permission TEXT NOT NULL CHECK (permission IN ('read', 'read_write')),
  hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
`;

/** Answers under an Idempotency-Key, kept for ever. `input_sha256` shows whether a repetition has the same input. */
const ANSWERS = `
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
const UNDO = `
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
const AUDIT_LOG = `
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
const CONTENT = `
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

/**
 * Sync with remote instances. `seed` is the seed of generated external ids, the same for all remotes of a book.
 *
 * A link pairs a local and a remote object, with two hashes of the state on which both sides last agreed. `remote_key` is the remote id, or the key
 * of a stream. `agreed` has a short hash of each agreed field, so that edits of different fields can be merged; null if unknown.
 *
 * An intent is written before its request is sent and deleted with the answer: an intent that is left was sent as `sent_as`, with an unknown outcome.
 * If no sync can find it out (`is_unsure`), a person does: `choice` is `send_again` or the remote id. A conflict stays until a sync no longer finds
 * it.
 *
 * A remote is known by `instance_id` and `remote_environment` if it states them. `agreed_entries` and `agreed_head` are the state of its history at
 * the last sync, and `own_instance` is the copy of this book that synced. `key_suffix` distinguishes the keys of two remotes at one address.
 * `question` is the question with which a sync stopped, and `answer` a person's answers.
 *
 * An undone sync has `undone_at`; `sync_undone` has what it had done here until a person decides about it. `sync_moves` has the moved lines of each
 * sync, many per row, and `sync_lines` those that did not move. The key of a remote is not in the book, because the book is copied to backups.
 */
const SYNC = `
CREATE TABLE sync_remotes(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  name TEXT NOT NULL,
  base_url TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('specification', 'live', 'tieout')),
  seed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_synced_at INTEGER,
  every_minutes INTEGER,
  when_online INTEGER NOT NULL DEFAULT 0 CHECK (when_online IN (0, 1)),
  verified TEXT,
  instance_id TEXT,
  book_id TEXT,
  remote_environment TEXT,
  agreed_entries INTEGER,
  agreed_head TEXT,
  own_instance TEXT,
  key_suffix TEXT NOT NULL DEFAULT '',
  question TEXT,
  answer TEXT,
  UNIQUE(environment_id, base_url, key_suffix)
) STRICT;

CREATE TABLE sync_links(
  remote_id INTEGER NOT NULL REFERENCES sync_remotes(id) ON DELETE CASCADE,
  resource TEXT NOT NULL,
  local_id INTEGER NOT NULL,
  remote_key TEXT NOT NULL,
  local_hash TEXT NOT NULL,
  remote_hash TEXT NOT NULL,
  agreed TEXT,
  PRIMARY KEY(remote_id, resource, local_id),
  UNIQUE(remote_id, resource, remote_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE sync_intents(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  remote_id INTEGER NOT NULL REFERENCES sync_remotes(id) ON DELETE CASCADE,
  resource TEXT NOT NULL,
  local_id INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  sent_as TEXT NOT NULL,
  is_unsure INTEGER NOT NULL DEFAULT 0 CHECK (is_unsure IN (0, 1)),
  choice TEXT,
  decided_at INTEGER,
  UNIQUE(remote_id, resource, local_id)
) STRICT;

CREATE TABLE sync_conflicts(
  id INTEGER PRIMARY KEY,
  remote_id INTEGER NOT NULL REFERENCES sync_remotes(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('match', 'rule', 'name', 'balance', 'record', 'closed_period', 'overlap')),
  resource TEXT NOT NULL,
  local_id INTEGER,
  remote_key TEXT,
  what TEXT NOT NULL,
  local TEXT NOT NULL,
  remote TEXT NOT NULL,
  choices TEXT NOT NULL,
  choice TEXT,
  decided_at INTEGER,
  detail TEXT NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sync_conflicts_remote ON sync_conflicts(remote_id, resource);

CREATE TABLE sync_runs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  remote_id INTEGER NOT NULL REFERENCES sync_remotes(id) ON DELETE CASCADE,
  what TEXT NOT NULL CHECK (what IN ('sync', 'repair')),
  started_by TEXT NOT NULL CHECK (started_by IN ('by_hand', 'schedule', 'network', 'command')),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  backup TEXT,
  result TEXT,
  verified TEXT,
  undone_at INTEGER
) STRICT;
CREATE INDEX sync_runs_remote ON sync_runs(remote_id, id);

CREATE TABLE sync_undone(
  remote_id INTEGER NOT NULL REFERENCES sync_remotes(id) ON DELETE CASCADE,
  resource TEXT NOT NULL,
  local_id INTEGER,
  remote_key TEXT NOT NULL,
  remote_hash TEXT NOT NULL,
  what TEXT NOT NULL CHECK (what IN ('made', 'gone', 'changed')),
  PRIMARY KEY(remote_id, resource, remote_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE sync_moves(
  run_id INTEGER NOT NULL REFERENCES sync_runs(id) ON DELETE CASCADE,
  way TEXT NOT NULL CHECK (way IN ('sent', 'received')),
  counted TEXT NOT NULL,
  place INTEGER NOT NULL,
  count INTEGER NOT NULL CHECK (count > 0),
  lines TEXT NOT NULL,
  PRIMARY KEY(run_id, way, counted, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE sync_lines(
  run_id INTEGER NOT NULL REFERENCES sync_runs(id) ON DELETE CASCADE,
  counted TEXT NOT NULL,
  place INTEGER NOT NULL,
  act TEXT NOT NULL CHECK (act IN ('stays', 'refused', 'unsure')),
  resource TEXT NOT NULL,
  local_id INTEGER,
  name TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY(run_id, counted, place)
) STRICT, WITHOUT ROWID;
`;

/**
 * The first schema, with one file of `first-book/` for each part. Frozen: a change of the schema is a new migration.
 *
 * Amounts are magnitudes in minor units unless a table says otherwise; direction 1 is credit, 0 debit; days count from 1970-01-01; instants are
 * milliseconds UTC. `writing = 1` marks a batch or run whose rows are not yet visible.
 */
export const firstBook = {
  version: 1,
  name: 'first book',
  sql: [
    ENVIRONMENTS,
    JOBS,
    ANSWERS,
    UNDO,
    AUDIT_LOG,
    CONTENT,
    STREAMS,
    STREAM_OPERATIONS,
    BANK_ACCOUNTS,
    STORIES,
    IMPORT_BATCHES,
    IMPORT_RECIPES,
    IMPORT_ROWS,
    BULK_REQUESTS,
    RECORDS,
    LISTED_RECORDS,
    REVERSALS,
    WORDINGS,
    RECORD_WORDS,
    COLUMN_PACKS,
    RECONCILIATIONS,
    RULES,
    SEPARATIONS,
    OVERDUE,
    PERIODS,
    SIGN_OFFS,
    OPEN_ITEM_NOTES,
    DUE_RUNS,
    RUNS,
    RUN_BASES,
    EVIDENCE,
    MATCHES,
    MATCH_RECORDS,
    DISSOLVED_MATCHES,
    RECONCILED_DAYS,
    WIPES,
    SYNC,
  ].join(''),
} as const;
