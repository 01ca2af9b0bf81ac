import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5), (1, 'ledger', 'Ledger', 'csv', 5);
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'R', 'batch', 'same', 5), (1, 'S', 'batch', 'same', 5);
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
    VALUES (1, 1, 10, 1, 1, 'GBP', 2, '{}', 7), (1, 2, 10, 1, 1, 'GBP', 2, '{}', 7), (1, 1, 20, 1, 1, 'GBP', 2, '{}', 7);
  INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at) VALUES (1, 'matched', 'manual', 0, '[]', 2, 0);
  INSERT INTO match_records VALUES (1, 1, 1, 'a', 1), (1, 2, 1, 'b', 1);`;

test('migration 17 adds reconciled days, and what forgets them', () => {
  const added = addedBy(17);
  expect(added.filter((line) => !line.startsWith('CREATE TRIGGER'))).toEqual([
    'reconciled_days',
    'reconciled_days: stream_id INTEGER not null key 1',
    'reconciled_days: day INTEGER not null key 2',
    'reconciled_days: reconciliation_id INTEGER not null key 3',
    'reconciled_days: through INTEGER not null',
    'reconciled_days: reconciliation_id -> reconciliations on delete cascade',
    'reconciled_days: stream_id -> streams on delete cascade',
  ]);
  const triggers = added.filter((line) => line.startsWith('CREATE TRIGGER')).map((line) => /^CREATE TRIGGER (.*? ON \w+)/.exec(line)?.[1]);
  expect(triggers).toEqual([
    'reconciled_days_let_go AFTER UPDATE OF counted, record_id, reconciliation_id ON match_records',
    'reconciled_days_lost AFTER DELETE ON match_records',
    'reconciled_days_moved AFTER UPDATE OF day, stream_id ON records',
  ]);
});

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

test.each(LOSSES)('what a book of version 16 comes to know is forgotten with %s', (_what, change, left) => {
  const { connection } = openTestDatabase(folderWithBookOf(16, (before) => before.exec(BOOK)));
  const known = () => connection.prepare('SELECT stream_id, day, reconciliation_id FROM reconciled_days').raw().all();
  expect(known()).toEqual([]);
  connection.exec('INSERT INTO reconciled_days VALUES (1, 10, 1, 3), (1, 10, 2, 3), (1, 20, 1, 3), (2, 10, 1, 3)');
  connection.exec(change);
  expect(known()).toEqual(left);
});
