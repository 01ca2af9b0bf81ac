import { expect, test } from 'vitest';
import { bookWith } from '../../support/books/book-with.ts';

const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5), (1, 'ledger', 'Ledger', 'csv', 5);
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
    SELECT 1, iif(value = 3, 2, 1), 10, 1, 1, 'GBP', 2, '{}', 7 FROM json_each('[1,2,3,4]')`;

/** A pack of the first stream that is ready, one of it under construction, and one of the other stream. */
const PACKS = `
  INSERT INTO column_packs(stream_id, first_id, last_id, ready, format, records, changes, body, checksum)
    VALUES (1, 0, 2, 1, 1, 2, 0, '', 0), (1, 0, 4, 0, 1, 0, 0, '', 0), (2, 0, 4, 1, 1, 1, 0, '', 0)`;

const opened = () => bookWith(`${BOOK}; ${PACKS}`).connection;
type Book = ReturnType<typeof opened>;
const changes = (book: Book) => book.prepare('SELECT pack_id, record_id FROM column_changes').raw().all();
const packs = (book: Book) => book.prepare('SELECT id, changes FROM column_packs').raw().all();
const isStale = (book: Book) => book.prepare('SELECT is_stale FROM column_state').pluck().get();

test.each([
  [
    'an edit',
    'UPDATE records SET amount = 2 WHERE id = 1',
    [
      [1, 1],
      [2, 1],
    ],
  ],
  ['an edit of a value date', 'UPDATE records SET value_day = 2 WHERE id = 3', [[3, 3]]],
  ['an edit of what no pack has', "UPDATE records SET dedupe_key = 'x' WHERE id = 1", []],
  ['a delete', 'DELETE FROM records WHERE id = 3', [[3, 3]]],
  [
    'a move to another stream',
    'UPDATE records SET stream_id = 2 WHERE id = 4',
    [
      [2, 4],
      [3, 4],
    ],
  ],
  [
    'an edit of several, one of them twice',
    'UPDATE records SET day = 11 WHERE id < 3; UPDATE records SET day = 12 WHERE id = 1',
    [
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
    ],
  ],
] as const)('%s is noted for the packs that cover the record', (_what, change, noted) => {
  const book = opened();
  book.exec(change);
  expect(changes(book)).toEqual(noted);
  expect(isStale(book)).toBe(0);
});

test('a pack of which much changed goes, and the book knows that there is something to pack; so it does when a stream goes', () => {
  const book = opened();
  book.exec('UPDATE column_packs SET records = 10000, changes = 1249 WHERE id = 1; UPDATE records SET day = 11 WHERE id = 1');
  expect(packs(book)).toEqual([
    [1, 1_250],
    [2, 1],
    [3, 0],
  ]);
  book.exec('UPDATE records SET day = 12 WHERE id = 1');
  expect([packs(book), isStale(book)]).toEqual([
    [
      [2, 2],
      [3, 0],
    ],
    1,
  ]);
  book.exec('UPDATE column_state SET is_stale = 0; DELETE FROM column_packs WHERE id = 2');
  expect(isStale(book)).toBe(0);
  book.exec('DELETE FROM records WHERE stream_id = 2; DELETE FROM streams WHERE id = 2');
  expect([packs(book), isStale(book)]).toEqual([[], 1]);
});
