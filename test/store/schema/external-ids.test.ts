import { expect, test } from 'vitest';
import { recordOfExternalId } from '../../../src-main/records/store/bulk-requests.ts';
import { externalIdTaken } from '../../../src-main/records/store/records.ts';
import { bookWith } from '../../support/books/book-with.ts';

/** By key, by another key, without a key, with a key of something else, and in another stream. */
const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5), (1, 'other', 'Other', 'csv', 5);
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, external_id, metadata, dedupe_key, created_at) VALUES
    (1, 1, 20000, 100, 1, 'GBP', 2, 'a', '{}', 'x:a', 7), (1, 1, 20000, 100, 1, 'GBP', 2, 'b', '{}', 'x:c', 7),
    (1, 1, 20000, 100, 1, 'GBP', 2, 'd', '{}', NULL, 7), (1, 1, 20000, 100, 1, 'GBP', 2, NULL, '{}', 'f:e:1', 7),
    (1, 2, 20000, 100, 1, 'GBP', 2, 'f', '{}', 'x:f', 7);`;

test('an external id is found whatever the key says, and only in its stream', () => {
  const database = bookWith(BOOK);
  const found = (stream: number, id: string) => recordOfExternalId(database, stream, id)?.id ?? null;
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => found(1, id))).toEqual([1, 2, null, 3, null, null]);
  expect([found(2, 'f'), found(2, 'a')]).toEqual([5, null]);
  const taken = (id: string, except: number | null) => externalIdTaken(database, 1, id, except);
  expect([taken('a', null), taken('a', 1), taken('b', null), taken('c', null), taken('d', null), taken('d', 2), taken('d', 3)]).toEqual([
    true,
    false,
    true,
    false,
    true,
    true,
    false,
  ]);
  database.connection.exec("UPDATE records SET external_id = 'z' WHERE id = 1");
  expect([found(1, 'a'), found(1, 'z')]).toEqual([null, 1]);
});
