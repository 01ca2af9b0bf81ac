import { expect, test } from 'vitest';
import { bookWith } from '../../support/books/book-with.ts';
import { MEMBERS_OF_NEW_MATCHES } from '../../support/books/match-members.ts';

const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5), (1, 'ledger', 'Ledger', 'csv', 5);
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'R', 'batch', 'same', 5), (1, 'S', 'batch', 'same', 5);
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
    VALUES (1, 1, 10, 1, 1, 'GBP', 2, '{}', 7), (1, 2, 10, 1, 1, 'GBP', 2, '{}', 7), (1, 1, 20, 1, 1, 'GBP', 2, '{}', 7);
  INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at, a_record_id, b_record_id)
    VALUES (1, 'matched', 'manual', 0, '[]', 2, 0, 1, 2);
  ${MEMBERS_OF_NEW_MATCHES}`;

const LOSSES: readonly (readonly [string, string, readonly (readonly number[])[]])[] = [
  [
    'a match that is deleted, in its reconciliation',
    'DELETE FROM matches',
    [
      [1, 10, 2],
      [1, 20, 1],
    ],
  ],
  [
    'a member that no longer counts',
    'UPDATE match_records SET slot = match_id WHERE record_id = 1',
    [
      [1, 10, 2],
      [1, 20, 1],
      [2, 10, 1],
    ],
  ],
  [
    'a record that moves to the day',
    'UPDATE records SET day = 20 WHERE id = 1',
    [
      [1, 10, 1],
      [1, 10, 2],
      [2, 10, 1],
    ],
  ],
  [
    'a record that moves to the stream',
    'UPDATE records SET stream_id = 2 WHERE id = 1',
    [
      [1, 10, 1],
      [1, 10, 2],
      [1, 20, 1],
    ],
  ],
  ['a reconciliation that is deleted', 'DELETE FROM matches; DELETE FROM reconciliations WHERE id = 1', [[1, 10, 2]]],
  [
    'another change of a record, or a proposal: nothing',
    "UPDATE records SET day = 10, description = 'x' WHERE id = 1",
    [
      [1, 10, 1],
      [1, 10, 2],
      [1, 20, 1],
      [2, 10, 1],
    ],
  ],
];

test.each(LOSSES)('a reconciled day is forgotten with %s', (_what, change, left) => {
  const { connection } = bookWith(BOOK);
  const known = () => connection.prepare('SELECT stream_id, day, reconciliation_id FROM reconciled_days').raw().all();
  connection.exec('INSERT INTO reconciled_days VALUES (1, 10, 1, 3), (1, 10, 2, 3), (1, 20, 1, 3), (2, 10, 1, 3)');
  connection.exec(change);
  expect(known()).toEqual(left);
});
