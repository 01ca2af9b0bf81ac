import { expect, test } from 'vitest';
import { entriesOfNobody, fingerprintOf, KeysOfStream, wronglyListed } from '../../../src-main/records/store/listed-records.ts';
import { pageRecords } from '../../../src-main/records/store/record-pages.ts';
import { externalIdTaken, isDedupeKeyTaken } from '../../../src-main/records/store/records.ts';
import { bookWith } from '../../support/books/book-with.ts';

/** Two records that stand in the indices. */
const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, external_id, metadata, dedupe_key, created_at) VALUES
    (1, 1, 20000, 300, 1, 'GBP', 2, 'a', '{}', 'x:a', 7), (1, 1, 20000, 100, 1, 'GBP', 2, NULL, '{}', 'f:b:1', 7);`;

/** Two more as an import leaves them. */
const LISTED = `
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, external_id, metadata, dedupe_key, created_at, key_print) VALUES
    (1, 1, 20000, 200, 1, 'GBP', 2, 'c', '{}', 'x:c', 7, ${fingerprintOf('x:c')}), (1, 1, 20000, 400, 1, 'GBP', 2, 'd', '{}', 'x:d', 7, ${fingerprintOf('x:d')});
  INSERT INTO listed_keys SELECT stream_id, key_print, id FROM records WHERE key_print IS NOT NULL;
  INSERT INTO listed_amounts SELECT environment_id, currency, direction, amount, id, stream_id, batch_id, day, created_at FROM records WHERE key_print IS NOT NULL;`;

function opened() {
  const database = bookWith(BOOK + LISTED);
  const byAmount = (descending: boolean) =>
    pageRecords(database, { environmentId: 1 }, { sort: 'amount', descending, limit: 9, offset: 0 }).map(({ amount }) => amount);
  const has = (key: string) => new KeysOfStream(database, 1).ofThem([{ key, print: fingerprintOf(key) }], new Set())[0];
  const faults = () => [...entriesOfNobody(database, 9), ...wronglyListed(database)];
  return { database, byAmount, has, faults };
}

test('records of the indices and listed ones are found by key and id, and sorted by amount together', () => {
  const { database, byAmount, has, faults } = opened();
  expect(byAmount(false)).toEqual([100, 200, 300, 400]);
  expect(byAmount(true)).toEqual([400, 300, 200, 100]);
  expect(['x:a', 'f:b:1', 'x:c', 'x:d', 'x:e'].map(has)).toEqual([true, true, true, true, false]);
  expect(['a', 'c', 'e'].map((id) => externalIdTaken(database, 1, id, null))).toEqual([true, true, false]);
  expect(['x:a', 'x:c', 'x:e'].map((key) => isDedupeKeyTaken(database, 1, key))).toEqual([true, true, false]);
  expect(faults()).toEqual([]);
});

test('lists follow records that are edited, deleted and given another key', () => {
  const { database, byAmount, has, faults } = opened();
  database.connection.exec('UPDATE records SET amount = 50, day = 3, direction = 0 WHERE id = 3');
  expect([byAmount(false), faults()]).toEqual([[50, 100, 300, 400], []]);
  database.connection.exec("UPDATE records SET dedupe_key = 'x:z' WHERE id = 4");
  expect([byAmount(false), faults(), has('x:d'), has('x:z')]).toEqual([[50, 100, 300, 400], [], false, true]);
  database.connection.exec('UPDATE records SET dedupe_key = NULL WHERE id = 3');
  expect([byAmount(false), faults(), has('x:c')]).toEqual([[50, 100, 300, 400], [], false]);
  database.connection.exec('DELETE FROM records WHERE id IN (3, 4)');
  expect([byAmount(false), faults()]).toEqual([[100, 300], []]);
  expect(
    database.connection.prepare('SELECT (SELECT count(*) FROM listed_keys) + (SELECT count(*) FROM listed_amounts)').pluck().get(),
  ).toBe(0);
});

test('a key that a record of the indices has cannot be given to a listed one', () => {
  const { database, faults } = opened();
  expect(() => database.connection.exec("UPDATE records SET dedupe_key = 'x:a' WHERE id = 3")).toThrow('UNIQUE');
  expect(faults()).toEqual([]);
});
