/**
 * Digests of all content, chunk by chunk (`content/README.md`), and the hash of it in every entry of the audit log; older entries have none. `content_pending`: stretches
 * of chunks that a large write left to be digested after it, by their first and last number. What an
 * older book holds is stated as it is found, once it is at its newest version.
 */
export const contentDigests = {
  version: 35,
  name: 'content digests',
  sql: `
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
ALTER TABLE audit_log ADD COLUMN content TEXT;
`,
} as const;
