import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'same', 5);
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
    VALUES (1, 1, 20000, 100, 1, 'GBP', 2, '{}', 7), (1, 1, 20000, 100, 1, 'GBP', 2, '{}', 7), (1, 1, 20000, 5, 1, 'GBP', 2, '{}', 7);
  INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at)
    VALUES (1, 'matched', 'manual', 0, '[]', 2, 8), (1, 'matched', 'manual', 0, '[]', 1, 8);
  INSERT INTO match_records VALUES (1, 1, 1, 'a', 1), (1, 3, 1, 'b', 1), (2, 2, 1, 'a', 1);`;

test('migration 10 adds the record that makes a match balance', () => {
  expect(addedBy(10).join('\n')).toMatchInlineSnapshot(`
    "matches: adjustment_id INTEGER
    CREATE INDEX matches_adjusted ON matches(reconciliation_id, id) WHERE adjustment_id IS NOT NULL
    CREATE TRIGGER matches_adjustment_goes AFTER DELETE ON matches WHEN OLD.adjustment_id IS NOT NULL
    BEGIN DELETE FROM records WHERE id = OLD.adjustment_id; END"
  `);
});

test('a book of version 9 keeps its matches, none of which has an adjustment', () => {
  const { connection } = openTestDatabase(folderWithBookOf(9, (before) => before.exec(BOOK)));
  expect(connection.prepare('SELECT id, adjustment_id FROM matches').all()).toEqual([
    { id: 1, adjustment_id: null },
    { id: 2, adjustment_id: null },
  ]);
});

test('whatever deletes a match, its adjustment goes with it, and nothing else', () => {
  const { connection } = openTestDatabase(folderWithBookOf(10, (before) => before.exec(BOOK)));
  const records = () => connection.prepare('SELECT id FROM records ORDER BY id').pluck().all();
  connection.exec('UPDATE matches SET adjustment_id = 3 WHERE id = 1');
  connection.exec('DELETE FROM matches WHERE id = 2');
  expect(records()).toEqual([1, 2, 3]);
  connection.exec('DELETE FROM matches');
  expect(records()).toEqual([1, 2]);
});
