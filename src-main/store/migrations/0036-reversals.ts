/**
 * Lines of imports that say that they return or reverse another line. Frozen: a change of the schema is a new migration.
 * `mark` (JSON) is what says so. `reverses_record_id` is the line that it takes back, null while none is known; it counts only while people see that line and both are alike but
 * for their direction, so nothing has to follow edits and wipes.
 */
export const reversals = {
  version: 36,
  name: 'reversals',
  sql: `
CREATE TABLE reversals(
  record_id INTEGER PRIMARY KEY REFERENCES records(id) ON DELETE CASCADE,
  stream_id INTEGER NOT NULL,
  mark TEXT NOT NULL,
  reverses_record_id INTEGER UNIQUE REFERENCES records(id) ON DELETE SET NULL
) STRICT;
CREATE INDEX reversals_stream ON reversals(stream_id, record_id);
`,
} as const;
