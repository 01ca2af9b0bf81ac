/**
 * Groups that a person took apart get an id, so that one can be named, and stay as cleared when a person lets them be matched
 * again, so that this can be undone. Older ones are numbered in the order in which they were taken apart.
 */
export const separationsWithIds = {
  version: 20,
  name: 'separations with ids',
  sql: `
ALTER TABLE separations RENAME TO separations_by_key;
CREATE TABLE separations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  record_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  cleared_at INTEGER
) STRICT;
INSERT INTO separations(reconciliation_id, record_key, created_at)
  SELECT reconciliation_id, record_key, created_at FROM separations_by_key ORDER BY created_at, reconciliation_id, record_key;
DROP TABLE separations_by_key;
CREATE UNIQUE INDEX separations_key ON separations(reconciliation_id, record_key);
CREATE INDEX separations_newest ON separations(reconciliation_id, created_at, id) WHERE cleared_at IS NULL;
`,
} as const;
