/**
 * Property definitions: name and type of a metadata field of a data stream. Frozen: a change of the schema is a new migration.
 * They belong to their stream and go with it. Instants are milliseconds UTC.
 */
export const propertyDefinitions = {
  version: 5,
  name: 'property definitions',
  sql: `
CREATE TABLE property_definitions(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  stream_id INTEGER NOT NULL REFERENCES streams(id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  optional INTEGER NOT NULL CHECK (optional IN (0, 1)),
  created_at INTEGER NOT NULL,
  UNIQUE(stream_id, key)
) STRICT;
`,
} as const;
