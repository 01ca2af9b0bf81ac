/**
 * Recipes by which tables are read. Frozen: a change of the schema is a new migration.
 * `body` is the recipe as its file says it; `fingerprint` is of its header, and several may have the same one. A batch keeps the recipe by
 * which it was read, whatever becomes of the kept one. Batches are found by the bytes of their file as well. Instants are milliseconds UTC.
 */
export const importRecipes = {
  version: 19,
  name: 'import recipes',
  sql: `
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
ALTER TABLE import_batches ADD COLUMN recipe TEXT;

CREATE INDEX import_batches_sha256 ON import_batches(environment_id, sha256) WHERE source <> 'bulk_api';
`,
} as const;
