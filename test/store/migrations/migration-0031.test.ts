import { expect, test } from 'vitest';
import { findMatch } from '../../../src-main/store/matches/matches.ts';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

const BOOK = `
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'same', 5);
  INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at, members)
    VALUES (1, 'matched', 'manual', 396, '["x"]', 0, 7, '[]');`;

test('migration 31 keeps why a match differs, which older ones do not say', () => {
  expect(addedBy(31)).toEqual([
    'matches: difference_code TEXT',
    'matches: difference_note TEXT',
    'CREATE INDEX matches_differing ON matches(reconciliation_id, status, id, run_id) WHERE difference <> 0',
  ]);
  const database = openTestDatabase(folderWithBookOf(30, (before) => before.exec(BOOK)));
  expect(findMatch(database, 1, 1)).toMatchObject({ difference: 396, difference_code: null, difference_note: null });
});
