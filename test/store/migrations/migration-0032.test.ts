import { expect, test } from 'vitest';
import { findMatch } from '../../../src-main/store/matches/matches.ts';
import { isInUse, listRules } from '../../../src-main/store/reconciliations/rules.ts';
import { folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

const BOOK = `
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'same', 5);
  INSERT INTO rules(reconciliation_id, priority, filters, description, source, status, outcome, commit_certainty, cardinality, group_by, rollup, created_at)
    VALUES (1, 10, '{"rules":[{"key":"amount","value":"amount"}]}', NULL, 'default', 'active', 'match', '["unique"]', 'one_to_one', '[]', NULL, 6);
  INSERT INTO matches(reconciliation_id, status, origin, certainty, difference, explanation, record_count, created_at, members)
    VALUES (1, 'matched', 'rule', 'best', 0, '["x"]', 0, 7, '[]');`;

test('migration 32 leaves rules of conditions in use, and matches without a likelihood', () => {
  const database = openTestDatabase(folderWithBookOf(31, (before) => before.exec(BOOK)));
  const [rule] = listRules(database, 1);
  expect(rule).toMatchObject({ method: 'conditions', budget: null, max_difference: null, paused: 0, paused_reason: null });
  expect(rule !== undefined && isInUse(rule)).toBe(true);
  expect(findMatch(database, 1, 1)).toMatchObject({ likelihood: null, evidence: null, confirmed_by: null, confirmed_in_bulk: 0 });
});
