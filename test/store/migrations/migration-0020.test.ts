import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 20 gives separations ids and a time of being cleared', () => {
  expect(addedBy(20)).toEqual([
    'separations: id INTEGER key 1',
    'separations: reconciliation_id INTEGER not null',
    'separations: record_key TEXT not null',
    'separations: cleared_at INTEGER',
    'CREATE UNIQUE INDEX separations_key ON separations(reconciliation_id, record_key)',
    'CREATE INDEX separations_newest ON separations(reconciliation_id, created_at, id) WHERE cleared_at IS NULL',
  ]);
});

test('what was taken apart before stays apart, numbered in the order of its time', () => {
  const folder = folderWithBookOf(19, (before) =>
    before.exec(`
      INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'R', 'batch', 'same', 0);
      INSERT INTO separations VALUES (1, '1,2', 30), (1, '3,4', 10), (1, '5,6,7', 20);`),
  );
  expect(openTestDatabase(folder).connection.prepare('SELECT * FROM separations ORDER BY id').raw().all()).toEqual([
    [1, 1, '3,4', 10, null],
    [2, 1, '5,6,7', 20, null],
    [3, 1, '1,2', 30, null],
  ]);
});
