import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 7 adds overdue records and exceptions', () => {
  expect(addedBy(7).join('\n')).toMatchInlineSnapshot(`
    "exceptions
    exceptions: id INTEGER key 1
    exceptions: environment_id INTEGER not null
    exceptions: reconciliation_id INTEGER not null
    exceptions: stream_id INTEGER not null
    exceptions: title TEXT not null
    exceptions: description TEXT
    exceptions: status TEXT not null
    exceptions: created_at INTEGER not null
    exceptions: updated_at INTEGER not null
    exceptions: opened_at INTEGER not null
    exceptions: closed_at INTEGER
    exceptions: stream_id -> streams on delete cascade
    exceptions: reconciliation_id -> reconciliations on delete cascade
    exceptions: environment_id -> environments
    overdue_records
    overdue_records: record_id INTEGER not null key 1
    overdue_records: reconciliation_id INTEGER not null key 2
    overdue_records: overdue_at INTEGER not null
    overdue_records: reconciliation_id -> reconciliations on delete cascade
    overdue_records: record_id -> records on delete cascade
    CREATE INDEX exceptions_environment ON exceptions(environment_id, created_at, id)
    CREATE UNIQUE INDEX exceptions_one_open ON exceptions(stream_id, reconciliation_id) WHERE status IN ('open', 'investigating')
    CREATE INDEX exceptions_reconciliation ON exceptions(reconciliation_id)
    CREATE INDEX exceptions_stream ON exceptions(stream_id)
    CREATE INDEX overdue_records_reconciliation ON overdue_records(reconciliation_id, record_id)"
  `);
});

test('a book of version 6 keeps its rows, of which none is overdue', () => {
  const folder = folderWithBookOf(6, (connection) => {
    connection.exec(`
      INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
      INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
        VALUES (1, 1, 20000, 100, 1, 'GBP', 2, '{}', 7);
      INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'any', 8);`);
  });
  const { connection } = openTestDatabase(folder);
  expect(connection.prepare('SELECT amount FROM records').pluck().all()).toEqual([100]);
  expect(connection.prepare('SELECT name FROM reconciliations').pluck().all()).toEqual(['June']);
  expect(connection.prepare('SELECT (SELECT count(*) FROM overdue_records) + (SELECT count(*) FROM exceptions)').pluck().get()).toBe(0);
});
