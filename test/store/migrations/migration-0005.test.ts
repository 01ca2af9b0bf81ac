import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

const STREAMS = `INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5), (1, 'ledger', 'L', 'csv', 6)`;

test('migration 5 adds property definitions', () => {
  expect(addedBy(5).join('\n')).toMatchInlineSnapshot(`
    "property_definitions
    property_definitions: id INTEGER key 1
    property_definitions: stream_id INTEGER not null
    property_definitions: key TEXT not null
    property_definitions: name TEXT not null
    property_definitions: type TEXT not null
    property_definitions: optional INTEGER not null
    property_definitions: created_at INTEGER not null
    property_definitions: stream_id -> streams on delete cascade"
  `);
});

test('a book of version 4 keeps its rows, and takes definitions for its streams', () => {
  const { connection } = openTestDatabase(folderWithBookOf(4, (before) => before.exec(STREAMS)));
  expect(connection.prepare('SELECT key, created_at FROM streams ORDER BY id').all()).toEqual([
    { key: 'bank', created_at: 5 },
    { key: 'ledger', created_at: 6 },
  ]);
  connection.exec(
    "INSERT INTO property_definitions(stream_id, key, name, type, optional, created_at) VALUES (1, 'order_id', 'Order', 'string', 1, 7)",
  );
  expect(connection.pragma('foreign_key_check')).toEqual([]);
});

test('a key is once in a stream, and definitions go with their stream', () => {
  const { connection } = openTestDatabase(folderWithBookOf(5, (before) => before.exec(STREAMS)));
  const insert = connection.prepare(
    "INSERT INTO property_definitions(stream_id, key, name, type, optional, created_at) VALUES (?, ?, 'Order', 'string', ?, 0)",
  );
  insert.run(1, 'order_id', 1);
  insert.run(1, 'branch', 0);
  insert.run(2, 'order_id', 1);
  expect(() => insert.run(1, 'order_id', 1)).toThrow('UNIQUE constraint failed');
  expect(() => insert.run(1, 'other', 2)).toThrow('CHECK constraint failed');
  expect(() => insert.run(9, 'order_id', 1)).toThrow('FOREIGN KEY constraint failed');
  connection.exec('DELETE FROM streams WHERE id = 1');
  expect(connection.prepare('SELECT stream_id, key FROM property_definitions').all()).toEqual([{ stream_id: 2, key: 'order_id' }]);
});
