/**
 * Sync with remote instances. `seed` is what made external ids begin from; it is the same for all remotes of a book. A link says that an object here and one
 * there are the same, and by two hashes what both sides agreed on last; `remote_key` is the id there, of a stream its key. `agreed` has a short hash of each
 * field then, so that edits of different fields are merged; null where it is not known, as of two that agree in other words. An intent is written before its
 * request is sent and goes with the answer: what stands here was sent as `sent_as`, and nobody knows what became of it. Where no sync can find out (`is_unsure`),
 * a person says it: `choice` is `send_again`, or the id under which it is there. A conflict stands until a sync finds it no more.
 * A remote is known by `instance_id` and `remote_environment` where it tells them; `agreed_entries` and `agreed_head` are how far its history had come at the last
 * sync, and `own_instance` is which copy of this book synced with it. `key_suffix` tells the keys of two remotes at one address apart. A sync that stops with a
 * question leaves it in `question`, and a person's word in `answer`.
 * A sync that was undone has `undone_at`; what it had done here stands in `sync_undone` until a person has said whether it holds after all.
 * What one sync moved stands in `sync_moves`, many lines a row, and what it did not in `sync_lines`. The key of a remote is not in the book, which is copied to
 * backups.
 */
export const SYNC = `
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
