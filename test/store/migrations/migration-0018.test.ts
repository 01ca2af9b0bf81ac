import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

const BOOK = `
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'R', 'batch', 'same', 5);
  INSERT INTO rules(reconciliation_id, priority, filters, source, status, outcome, commit_certainty, cardinality, group_by, created_at)
    VALUES (1, 10, '{}', 'ai', 'proposed', 'match', '[]', 'one_to_one', '[]', 7);
  INSERT INTO runs(reconciliation_id, kind, mode, cause, status, created_at) VALUES (1, 'batch', 'commit', 'manual', 'completed', 7);`;

test('migration 18 adds what a run proposed, and that a person changed a rule', () => {
  expect(addedBy(18)).toEqual(['rules: edited INTEGER not null 0', 'runs: proposals TEXT']);
});

test('rules and runs of a book of version 17 are untouched and proposed nothing', () => {
  const { connection } = openTestDatabase(folderWithBookOf(17, (before) => before.exec(BOOK)));
  expect(connection.prepare('SELECT edited FROM rules').pluck().all()).toEqual([0]);
  expect(connection.prepare('SELECT proposals FROM runs').pluck().all()).toEqual([null]);
  expect(() => connection.exec('UPDATE rules SET edited = 2')).toThrow('CHECK constraint failed');
});
