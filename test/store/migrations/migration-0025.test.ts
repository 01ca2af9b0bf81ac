import { expect, test } from 'vitest';
import { findMatch } from '../../../src-main/store/matches/matches.ts';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

const BOOK = `
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'same', 5);
  INSERT INTO matches(reconciliation_id, status, origin, certainty, difference, explanation, record_count, created_at, members)
    VALUES (1, 'matched', 'rule', 'best', 0, '["x"]', 0, 7, '[]');`;

test('migration 25 keeps the margin of a match, which older ones do not have', () => {
  expect(addedBy(25)).toEqual(['matches: margin TEXT']);
  const database = openTestDatabase(folderWithBookOf(24, (before) => before.exec(BOOK)));
  expect(findMatch(database, 1, 1)).toMatchObject({ certainty: 'best', margin: null });
});
