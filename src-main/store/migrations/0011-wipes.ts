/**
 * Wipes: what is taken out of sight by one flip, with the matches that hold some of it. A wipe of a stream, or of one batch, marks matches
 * in `wiped_matches` beforehand, in short transactions; the marks mean nothing until `flipped_at` is set, and from then on the matches
 * are gone for everyone. `import_batches.wiped_by` names the wipe now; loose records of a wiped stream, and
 * the adjustments of marked matches, stand in the batch -wipe.
 * Counts are of rows cleared so far; instants are milliseconds UTC. Matches of a reset or delete that was under way when the book was
 * opened for this are cleared here: they were out of sight, in runs below 0, and the audit log has them.
 */
export const wipes = {
  version: 11,
  name: 'wipes',
  sql: `
CREATE TABLE wipes(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  stream_id INTEGER NOT NULL,
  stream_key TEXT NOT NULL,
  batch_id INTEGER,
  operation_id INTEGER UNIQUE,
  actor TEXT NOT NULL,
  flipped_at INTEGER,
  records INTEGER NOT NULL DEFAULT 0,
  matches INTEGER NOT NULL DEFAULT 0,
  proposals INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX wipes_flipped ON wipes(id) WHERE flipped_at IS NOT NULL;

CREATE TABLE wiped_matches(
  match_id INTEGER NOT NULL REFERENCES matches(id) ON DELETE CASCADE,
  wipe_id INTEGER NOT NULL REFERENCES wipes(id),
  adjustment_id INTEGER,
  PRIMARY KEY(match_id, wipe_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX wiped_matches_wipe ON wiped_matches(wipe_id, match_id);
CREATE INDEX wiped_matches_adjusted ON wiped_matches(wipe_id, adjustment_id) WHERE adjustment_id IS NOT NULL;

CREATE INDEX records_loose ON records(stream_id, id) WHERE batch_id IS NULL;

INSERT INTO wipes(id, environment_id, stream_id, stream_key, operation_id, actor, flipped_at)
  SELECT id, environment_id, stream_id, stream_key, id, actor, wiped_at FROM stream_operations
  WHERE status = 'running' AND wiped_at IS NOT NULL;
DELETE FROM matches WHERE run_id < 0;
DELETE FROM runs WHERE id < 0;
`,
} as const;
