/**
 * Overdue records, and exceptions about them. A mark is a fact about a record in a reconciliation; whether the record is
 * matched there is derived as ever. At most one exception of a stream and a reconciliation is open or investigated.
 */
export const overdue = {
  version: 7,
  name: 'overdue records and exceptions',
  sql: `
CREATE TABLE overdue_records(
  record_id INTEGER NOT NULL REFERENCES records(id) ON DELETE CASCADE,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  overdue_at INTEGER NOT NULL,
  PRIMARY KEY(record_id, reconciliation_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX overdue_records_reconciliation ON overdue_records(reconciliation_id, record_id);

CREATE TABLE exceptions(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  stream_id INTEGER NOT NULL REFERENCES streams(id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL CHECK (status IN ('open', 'investigating', 'dismissed', 'resolved')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  closed_at INTEGER
) STRICT;
CREATE INDEX exceptions_environment ON exceptions(environment_id, created_at, id);
CREATE INDEX exceptions_reconciliation ON exceptions(reconciliation_id);
CREATE INDEX exceptions_stream ON exceptions(stream_id);
CREATE UNIQUE INDEX exceptions_one_open ON exceptions(stream_id, reconciliation_id) WHERE status IN ('open', 'investigating');
`,
} as const;
