/**
 * Sync with remote instances. `seed` is what made external ids begin from; it is the same for all remotes of a book. A link says that an object here and one
 * there are the same, and by two hashes what both sides agreed on last; `remote_key` is the id there, of a stream its key. An intent is written before its
 * request is sent and goes with the answer: what stands here was sent, and nobody knows what became of it. A conflict stands until a sync finds it no more.
 */
export const SYNC = `
CREATE TABLE sync_remotes(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  base_url TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('specification', 'live', 'tieout')),
  seed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_synced_at INTEGER,
  UNIQUE(environment_id, base_url)
) STRICT;

CREATE TABLE sync_links(
  remote_id INTEGER NOT NULL REFERENCES sync_remotes(id) ON DELETE CASCADE,
  resource TEXT NOT NULL,
  local_id INTEGER NOT NULL,
  remote_key TEXT NOT NULL,
  local_hash TEXT NOT NULL,
  remote_hash TEXT NOT NULL,
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
  UNIQUE(remote_id, resource, local_id)
) STRICT;

CREATE TABLE sync_conflicts(
  id INTEGER PRIMARY KEY,
  remote_id INTEGER NOT NULL REFERENCES sync_remotes(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('match', 'rule', 'name', 'balance', 'record', 'closed_period')),
  resource TEXT NOT NULL,
  local_id INTEGER,
  remote_key TEXT,
  what TEXT NOT NULL,
  local TEXT NOT NULL,
  remote TEXT NOT NULL,
  choices TEXT NOT NULL,
  choice TEXT,
  seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sync_conflicts_remote ON sync_conflicts(remote_id, resource);

CREATE TABLE sync_runs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  remote_id INTEGER NOT NULL REFERENCES sync_remotes(id) ON DELETE CASCADE,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  result TEXT
) STRICT;
CREATE INDEX sync_runs_remote ON sync_runs(remote_id, id);
`;
