import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

const BOOK = `
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'same', 5);
  INSERT INTO runs(reconciliation_id, kind, mode, cause, status, created_at) VALUES (1, 'batch', 'dry_run', 'manual', 'completed', 6);
  INSERT INTO rules(reconciliation_id, priority, filters, source, status, outcome, commit_certainty, cardinality, group_by, created_at)
    VALUES (1, 10, '{}', 'user', 'active', 'match', '[]', 'one_to_one', '[]', 7);`;

test('migration 9 adds what reviewing rules needs', () => {
  expect(addedBy(9).join('\n')).toMatchInlineSnapshot(`
    "dismissed_shapes
    dismissed_shapes: reconciliation_id INTEGER not null key 1
    dismissed_shapes: shape TEXT not null key 2
    dismissed_shapes: dismissed_at INTEGER not null
    dismissed_shapes: reconciliation_id -> reconciliations on delete cascade
    removed_rules
    removed_rules: rule_id INTEGER key 1
    removed_rules: reconciliation_id INTEGER not null
    removed_rules: body TEXT not null
    removed_rules: removed_at INTEGER not null
    removed_rules: reconciliation_id -> reconciliations on delete cascade
    rules: confidence TEXT
    rules: sample_match_rate TEXT
    would_be_matches
    would_be_matches: run_id INTEGER not null key 1
    would_be_matches: position INTEGER not null key 2
    would_be_matches: body TEXT not null
    would_be_matches: run_id -> runs on delete cascade
    CREATE INDEX removed_rules_reconciliation ON removed_rules(reconciliation_id)"
  `);
});

test('a book of version 8 keeps its rules, of which no cold start was sure', () => {
  const { connection } = openTestDatabase(folderWithBookOf(8, (before) => before.exec(BOOK)));
  expect(connection.prepare('SELECT id, priority, confidence, sample_match_rate FROM rules').all()).toEqual([
    { id: 1, priority: 10, confidence: null, sample_match_rate: null },
  ]);
  expect(() => connection.exec("UPDATE rules SET confidence = 'certain'")).toThrow('CHECK constraint failed');
});

test('what was dismissed, removed and would be matched goes with the reconciliation and the run', () => {
  const { connection } = openTestDatabase(folderWithBookOf(9, (before) => before.exec(BOOK)));
  connection.exec(`
    INSERT INTO dismissed_shapes VALUES (1, '{}', 8);
    INSERT INTO removed_rules VALUES (4, 1, '{}', 8);
    INSERT INTO would_be_matches VALUES (1, 0, '{}');`);
  expect(() => connection.exec("INSERT INTO dismissed_shapes VALUES (1, '{}', 9)")).toThrow('UNIQUE constraint failed');
  expect(() => connection.exec("INSERT INTO removed_rules VALUES (4, 2, '{}', 9)")).toThrow('constraint failed');
  connection.exec('DELETE FROM runs; DELETE FROM rules; DELETE FROM reconciliations;');
  for (const table of ['dismissed_shapes', 'removed_rules', 'would_be_matches']) {
    expect(connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
  }
});
