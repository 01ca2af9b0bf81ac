import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 3 adds operations of streams, and who wiped a batch', () => {
  expect(addedBy(3).join('\n')).toMatchInlineSnapshot(`
    "import_batches: wiped_by INTEGER
    stream_operations
    stream_operations: id INTEGER key 1
    stream_operations: environment_id INTEGER not null
    stream_operations: stream_id INTEGER not null
    stream_operations: stream_key TEXT not null
    stream_operations: kind TEXT not null
    stream_operations: status TEXT not null
    stream_operations: actor TEXT not null
    stream_operations: processed INTEGER not null 0
    stream_operations: total INTEGER not null 0
    stream_operations: error_message TEXT
    stream_operations: wiped_at INTEGER
    stream_operations: created_at INTEGER not null
    stream_operations: started_at INTEGER
    stream_operations: completed_at INTEGER
    stream_operations: environment_id -> environments
    CREATE INDEX import_batches_wiped ON import_batches(wiped_by) WHERE wiped_by IS NOT NULL
    CREATE UNIQUE INDEX stream_operations_open ON stream_operations(stream_id) WHERE status IN ('pending', 'running')
    CREATE INDEX stream_operations_stream ON stream_operations(environment_id, stream_key, id)"
  `);
});

test('a book of version 2 keeps its rows, and gets the environment of nobody', () => {
  const folder = folderWithBookOf(2, (connection) => {
    connection.exec(`
      INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
      INSERT INTO import_batches(environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)
        VALUES (1, 1, 0, 'csv_upload', 'csv', 'ab', 1, 1, 0, 0, '[]', 'proved', '[]', 6);
      INSERT INTO records(environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, metadata, created_at)
        VALUES (1, 1, 1, 20000, 100, 1, 'GBP', 2, '{}', 7);`);
  });
  const { connection } = openTestDatabase(folder);
  expect(connection.prepare('SELECT id, name FROM environments ORDER BY id').all()).toEqual([
    { id: 0, name: 'removed' },
    { id: 1, name: 'live' },
    { id: 2, name: 'test' },
  ]);
  expect(connection.prepare('SELECT stream_id, kept, wiped_by FROM import_batches').all()).toEqual([
    { stream_id: 1, kept: 1, wiped_by: null },
  ]);
  expect(connection.prepare('SELECT batch_id, amount FROM records').all()).toEqual([{ batch_id: 1, amount: 100 }]);
  expect(connection.prepare('SELECT count(*) FROM stream_operations').pluck().get()).toBe(0);
});
