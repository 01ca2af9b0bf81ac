import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

const STREAM = `INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5)`;
const INSERT = `INSERT INTO idempotent_answers(environment_id, operation, idempotency_key, input_sha256, answer, created_at)
  VALUES (?, ?, ?, 'ab', '{}', 7)`;

test('migration 8 adds answers to idempotency keys', () => {
  expect(addedBy(8).join('\n')).toMatchInlineSnapshot(`
    "idempotent_answers
    idempotent_answers: environment_id INTEGER not null key 1
    idempotent_answers: operation TEXT not null key 2
    idempotent_answers: idempotency_key TEXT not null key 3
    idempotent_answers: input_sha256 TEXT not null
    idempotent_answers: answer TEXT not null
    idempotent_answers: created_at INTEGER not null
    idempotent_answers: environment_id -> environments"
  `);
});

test('a book of version 7 keeps its rows, and takes answers', () => {
  const { connection } = openTestDatabase(folderWithBookOf(7, (before) => before.exec(STREAM)));
  expect(connection.prepare('SELECT key, created_at FROM streams').all()).toEqual([{ key: 'bank', created_at: 5 }]);
  connection.prepare(INSERT).run(1, 'streams.create', 'key');
  expect(connection.prepare('SELECT operation, answer FROM idempotent_answers').all()).toEqual([
    { operation: 'streams.create', answer: '{}' },
  ]);
});

test('a key has one answer in its environment and operation', () => {
  const { connection } = openTestDatabase(folderWithBookOf(8));
  const insert = connection.prepare(INSERT);
  insert.run(1, 'streams.create', 'key');
  insert.run(2, 'streams.create', 'key');
  insert.run(1, 'records.create', 'key');
  expect(() => insert.run(1, 'streams.create', 'key')).toThrow('UNIQUE constraint failed');
  expect(() => insert.run(9, 'streams.create', 'key')).toThrow('FOREIGN KEY constraint failed');
});
