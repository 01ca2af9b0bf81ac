import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 6 adds bulk requests with their items, results and streams', () => {
  expect(addedBy(6).join('\n')).toMatchInlineSnapshot(`
    "bulk_items
    bulk_items: bulk_request_id INTEGER key 1
    bulk_items: body TEXT not null
    bulk_items: bulk_request_id -> bulk_requests
    bulk_request_streams
    bulk_request_streams: bulk_request_id INTEGER not null key 1
    bulk_request_streams: stream_id INTEGER not null key 2
    bulk_request_streams: batch_id INTEGER
    bulk_request_streams: bulk_request_id -> bulk_requests
    bulk_requests
    bulk_requests: id INTEGER key 1
    bulk_requests: environment_id INTEGER not null
    bulk_requests: status TEXT not null
    bulk_requests: on_conflict TEXT not null
    bulk_requests: actor TEXT not null
    bulk_requests: idempotency_key TEXT
    bulk_requests: total INTEGER not null
    bulk_requests: processed INTEGER not null 0
    bulk_requests: successful INTEGER not null 0
    bulk_requests: failed INTEGER not null 0
    bulk_requests: skipped INTEGER not null 0
    bulk_requests: sha256 TEXT not null
    bulk_requests: byte_length INTEGER not null
    bulk_requests: error_message TEXT
    bulk_requests: created_at INTEGER not null
    bulk_requests: started_at INTEGER
    bulk_requests: completed_at INTEGER
    bulk_requests: environment_id -> environments
    bulk_results
    bulk_results: bulk_request_id INTEGER not null key 1
    bulk_results: item INTEGER not null key 2
    bulk_results: items INTEGER not null
    bulk_results: status TEXT not null
    bulk_results: record_id INTEGER
    bulk_results: error TEXT
    bulk_results: bulk_request_id -> bulk_requests
    CREATE INDEX bulk_request_streams_stream ON bulk_request_streams(stream_id)
    CREATE UNIQUE INDEX bulk_requests_idempotency ON bulk_requests(environment_id, idempotency_key) WHERE idempotency_key IS NOT NULL
    CREATE INDEX bulk_requests_newest ON bulk_requests(environment_id, created_at, id)
    CREATE INDEX bulk_requests_open ON bulk_requests(id) WHERE status IN ('pending', 'processing')"
  `);
});

const REQUEST = `INSERT INTO bulk_requests(environment_id, status, on_conflict, actor, total, sha256, byte_length, created_at)
  VALUES (1, 'pending', 'skip', 'app', 3, 'a', 2, 5);`;

test('a book of version 5 keeps its rows, and takes bulk requests', () => {
  const folder = folderWithBookOf(5, (connection) => {
    connection.exec(`
      INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
      INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
        VALUES (1, 1, 20600, 100, 1, 'EUR', 2, '{}', 6);`);
  });
  const { connection } = openTestDatabase(folder);
  expect(connection.prepare('SELECT key FROM streams').pluck().all()).toEqual(['bank']);
  expect(connection.prepare('SELECT id, day, amount FROM records').all()).toEqual([{ id: 1, day: 20600, amount: 100 }]);
  connection.exec(`${REQUEST}
    INSERT INTO bulk_items VALUES (1, '[]');
    INSERT INTO bulk_request_streams VALUES (1, 1, NULL);
    INSERT INTO bulk_results VALUES (1, 0, 2, 'successful', 7, NULL), (1, 2, 1, 'failed', NULL, '{}');`);
  expect(connection.pragma('foreign_key_check')).toEqual([]);
});

test.each([
  ['counts that do not add up', 'UPDATE bulk_requests SET processed = 1'],
  ['more processed than there are', 'UPDATE bulk_requests SET processed = 4, successful = 4'],
  ['completed before the last item', "UPDATE bulk_requests SET status = 'completed', processed = 2, skipped = 2"],
  ['a state of another name', "UPDATE bulk_requests SET status = 'done'"],
  ['one result for several items that failed', "INSERT INTO bulk_results VALUES (1, 0, 2, 'failed', NULL, '{}')"],
])('the book itself refuses %s', (_what, sql) => {
  const { connection } = openTestDatabase(folderWithBookOf(6, (book) => book.exec(REQUEST)));
  expect(() => connection.exec(sql)).toThrow('CHECK constraint failed');
});

test('an idempotency key stands once in an environment', () => {
  const { connection } = openTestDatabase(folderWithBookOf(6));
  const insert = connection.prepare(
    `INSERT INTO bulk_requests(environment_id, status, on_conflict, actor, idempotency_key, total, sha256, byte_length, created_at)
     VALUES (?, 'pending', 'skip', 'app', ?, 1, 'a', 2, 5)`,
  );
  insert.run(1, 'k');
  insert.run(2, 'k');
  insert.run(1, null);
  insert.run(1, null);
  expect(() => insert.run(1, 'k')).toThrow('UNIQUE constraint failed');
});
