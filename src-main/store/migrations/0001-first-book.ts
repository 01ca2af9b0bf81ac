/**
 * The first book. Frozen: a change of the schema is a new migration.
 * Amounts are magnitudes in minor units; direction 1 is credit, 0 debit; days count from 1970-01-01; instants are
 * milliseconds UTC. `writing = 1` marks a batch or run whose rows are not yet visible.
 */
export const firstBook = {
  version: 1,
  name: 'first book',
  sql: `
CREATE TABLE environments(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO environments(id, name) VALUES (1, 'live'), (2, 'test');

CREATE TABLE settings(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE streams(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  type TEXT NOT NULL,
  bank_account_id INTEGER,
  currency TEXT,
  reference_field TEXT,
  literal_debit_credit INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  UNIQUE(environment_id, key)
) STRICT;

CREATE TABLE import_batches(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  stream_id INTEGER NOT NULL REFERENCES streams(id),
  writing INTEGER NOT NULL,
  source TEXT NOT NULL,
  filename TEXT,
  format TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  byte_length INTEGER NOT NULL,
  kept INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  totals TEXT NOT NULL,
  date_start INTEGER,
  date_end INTEGER,
  opening_balance INTEGER,
  closing_balance INTEGER,
  proof TEXT NOT NULL,
  problems TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX import_batches_stream ON import_batches(stream_id, created_at, id);
CREATE INDEX import_batches_writing ON import_batches(id) WHERE writing = 1;

CREATE TABLE records(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL,
  stream_id INTEGER NOT NULL REFERENCES streams(id),
  batch_id INTEGER REFERENCES import_batches(id),
  day INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  direction INTEGER NOT NULL CHECK (direction IN (0, 1)),
  currency TEXT NOT NULL,
  decimal_places INTEGER NOT NULL,
  description TEXT,
  external_id TEXT,
  metadata TEXT NOT NULL,
  dedupe_key TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX records_dedupe ON records(stream_id, dedupe_key);
CREATE INDEX records_external ON records(stream_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX records_day ON records(stream_id, day, id);
CREATE INDEX records_batch ON records(batch_id, id);
CREATE INDEX records_created ON records(environment_id, created_at, id);

CREATE TABLE reconciliations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  name TEXT NOT NULL,
  run_type TEXT NOT NULL,
  sign_convention TEXT NOT NULL,
  published_run_id INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reconciliations_environment ON reconciliations(environment_id, created_at, id);

CREATE TABLE reconciliation_streams(
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  stream_id INTEGER NOT NULL REFERENCES streams(id),
  side TEXT NOT NULL CHECK (side IN ('a', 'b')),
  PRIMARY KEY(reconciliation_id, stream_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX reconciliation_streams_stream ON reconciliation_streams(stream_id);

CREATE TABLE rules(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  priority INTEGER NOT NULL,
  filters TEXT NOT NULL,
  description TEXT,
  source TEXT NOT NULL,
  status TEXT NOT NULL,
  outcome TEXT NOT NULL,
  commit_certainty TEXT NOT NULL,
  cardinality TEXT NOT NULL,
  group_by TEXT NOT NULL,
  rollup TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX rules_reconciliation ON rules(reconciliation_id, priority, id);

CREATE TABLE runs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  writing INTEGER NOT NULL DEFAULT 0,
  kind TEXT NOT NULL,
  mode TEXT NOT NULL,
  cause TEXT NOT NULL,
  status TEXT NOT NULL,
  total_records INTEGER NOT NULL DEFAULT 0,
  processed_records INTEGER NOT NULL DEFAULT 0,
  matched_records INTEGER NOT NULL DEFAULT 0,
  matches INTEGER NOT NULL DEFAULT 0,
  matched_side_a INTEGER NOT NULL DEFAULT 0,
  matched_side_b INTEGER NOT NULL DEFAULT 0,
  proposed_matches INTEGER NOT NULL DEFAULT 0,
  rule_summary TEXT NOT NULL DEFAULT '{}',
  error_message TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  completed_at INTEGER
) STRICT;
CREATE INDEX runs_reconciliation ON runs(reconciliation_id, id);
CREATE INDEX runs_writing ON runs(id) WHERE writing = 1;
CREATE UNIQUE INDEX runs_one_at_a_time ON runs(reconciliation_id) WHERE status IN ('pending', 'running');

CREATE TABLE matches(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  run_id INTEGER REFERENCES runs(id),
  rule_id INTEGER,
  status TEXT NOT NULL CHECK (status IN ('matched', 'proposed')),
  origin TEXT NOT NULL,
  certainty TEXT,
  difference INTEGER NOT NULL,
  group_key TEXT,
  explanation TEXT NOT NULL,
  record_count INTEGER NOT NULL,
  confirmed_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX matches_reconciliation ON matches(reconciliation_id, status, id);
CREATE INDEX matches_newest ON matches(reconciliation_id, id);
CREATE INDEX matches_run ON matches(run_id);

CREATE TABLE match_records(
  match_id INTEGER NOT NULL REFERENCES matches(id) ON DELETE CASCADE,
  record_id INTEGER NOT NULL REFERENCES records(id),
  reconciliation_id INTEGER NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('a', 'b')),
  counted INTEGER NOT NULL CHECK (counted IN (0, 1)),
  PRIMARY KEY(match_id, record_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX match_records_counted ON match_records(record_id, reconciliation_id) WHERE counted = 1;
CREATE INDEX match_records_record ON match_records(record_id, reconciliation_id);

CREATE TABLE dissolved_matches(
  match_id INTEGER PRIMARY KEY,
  reconciliation_id INTEGER NOT NULL,
  displaced_by INTEGER,
  body TEXT NOT NULL,
  dissolved_at INTEGER NOT NULL
) STRICT;
CREATE INDEX dissolved_matches_displaced ON dissolved_matches(displaced_by) WHERE displaced_by IS NOT NULL;

CREATE TABLE separations(
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  record_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY(reconciliation_id, record_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_exclusions(
  run_id INTEGER NOT NULL REFERENCES runs(id),
  record_id INTEGER NOT NULL,
  PRIMARY KEY(run_id, record_id)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE audit_log(
  id INTEGER PRIMARY KEY,
  environment_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  detail TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
`,
} as const;
