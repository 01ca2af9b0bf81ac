/**
 * The rows of a file that did not go in, and recipes that were replaced. Frozen: a change of the schema is a new migration.
 * `import_rows`: of a look at a file or of its import, in the order of the file, some hundred rows a body (JSON, deflated); `first` counts from 0
 * among those of the kind. `former_recipes`: what a kept recipe said until `replaced_at`, milliseconds UTC.
 */
export const rowsAndFormerRecipes = {
  version: 29,
  name: 'rows and former recipes',
  sql: `
CREATE TABLE import_rows(
  job_id INTEGER NOT NULL REFERENCES jobs(id),
  kind TEXT NOT NULL CHECK (kind IN ('skipped', 'rejected')),
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY(job_id, kind, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE former_recipes(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  recipe_id INTEGER NOT NULL REFERENCES import_recipes(id),
  fingerprint TEXT NOT NULL,
  body TEXT NOT NULL,
  replaced_at INTEGER NOT NULL
) STRICT;
CREATE INDEX former_recipes_of ON former_recipes(recipe_id);
`,
} as const;
