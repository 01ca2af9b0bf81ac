/**
 * Stories: reconciliations in an ordered chain. Frozen: a change of the schema is a new migration.
 * Positions count from 1 without gaps; `shared_stream_id` is the stream that was named to connect a link to the one before, null for
 * the first. Whether both neighbours still use the stream is seen when a story is read. Instants are milliseconds UTC.
 */
export const stories = {
  version: 4,
  name: 'stories',
  sql: `
CREATE TABLE stories(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX stories_environment ON stories(environment_id, created_at, id);

CREATE TABLE story_links(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  story_id INTEGER NOT NULL REFERENCES stories(id),
  position INTEGER NOT NULL CHECK (position >= 1),
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  shared_stream_id INTEGER REFERENCES streams(id) ON DELETE SET NULL,
  UNIQUE(story_id, position)
) STRICT;
CREATE INDEX story_links_reconciliation ON story_links(reconciliation_id);
CREATE INDEX story_links_shared_stream ON story_links(shared_stream_id) WHERE shared_stream_id IS NOT NULL;
`,
} as const;
