import { expect, test } from 'vitest';
import { unheldMembers, unlistedMembers } from '../../../src-main/store/matches/member-faults.ts';
import { addedBy, folderWithBookOf, shapeOfVersion } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

/** A pair of a published run, a group and a pair of one that was writing when the book was closed, a match of a person, and a deleted newest one. */
const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
    SELECT 1, 1, 20000, 100, 1, 'GBP', 2, '{}', 7 FROM json_each('[1,2,3,4,5,6,7,8,9,10]');
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'same', 5);
  INSERT INTO runs(reconciliation_id, kind, mode, cause, status, writing, created_at) VALUES
    (1, 'batch', 'commit', 'manual', 'completed', 0, 6), (1, 'batch', 'commit', 'manual', 'running', 1, 6);
  INSERT INTO matches(reconciliation_id, run_id, rule_id, status, origin, certainty, difference, group_key, explanation, record_count, adjustment_id,
      created_at, side_a_count, a_record_id, b_record_id, members, confirmed_at) VALUES
    (1, 1, 3, 'matched', 'rule', 'unique', 4, 'k', '["Amount is equal."]', 2, NULL, 8, 1, 1, 2, NULL, 9),
    (1, 2, 3, 'proposed', 'rule', 'best', 0, NULL, '[]', 3, NULL, 8, 2, NULL, NULL, '[3,4,-5]', NULL),
    (1, NULL, NULL, 'matched', 'manual', NULL, 0, NULL, '[]', 2, 7, 8, 2, NULL, NULL, '[6,7]', NULL),
    (1, 2, 3, 'matched', 'rule', 'best', 0, NULL, '', 2, NULL, 8, 1, 8, 9, NULL, NULL),
    (1, NULL, NULL, 'matched', 'manual', NULL, 0, NULL, '[]', 1, NULL, 8, 1, NULL, NULL, '[10]', NULL);
  DELETE FROM matches WHERE id = 5;
  UPDATE matches SET margin = '3' WHERE id = 1;
  INSERT INTO wipes(environment_id, stream_id, stream_key, actor) VALUES (1, 1, 'bank', 'app');
  INSERT INTO wiped_matches VALUES (1, 1, NULL), (3, 1, 7);`;

const opened = () => openTestDatabase(folderWithBookOf(25, (before) => before.exec(BOOK)));

test('migration 26 lets a run keep where its matches are, and takes an index and two triggers from them', () => {
  expect(addedBy(26).join('\n')).toMatchInlineSnapshot(`
    "runs: first_match_id INTEGER
    runs: last_match_id INTEGER
    CREATE TRIGGER matches_gone AFTER DELETE ON matches BEGIN
      DELETE FROM match_records WHERE record_id = OLD.a_record_id AND reconciliation_id = OLD.reconciliation_id
        AND slot = iif(OLD.status = 'matched', 0, OLD.id) AND match_id = OLD.id;
      DELETE FROM match_records WHERE record_id = OLD.b_record_id AND reconciliation_id = OLD.reconciliation_id
        AND slot = iif(OLD.status = 'matched', 0, OLD.id) AND match_id = OLD.id;
      DELETE FROM match_records WHERE OLD.status = 'matched' AND record_id = OLD.a_record_id AND reconciliation_id = OLD.reconciliation_id
        AND slot = OLD.id AND match_id = OLD.id;
      DELETE FROM match_records WHERE OLD.status = 'matched' AND record_id = OLD.b_record_id AND reconciliation_id = OLD.reconciliation_id
        AND slot = OLD.id AND match_id = OLD.id;
    END
    CREATE TRIGGER matches_gone_whole AFTER DELETE ON matches WHEN OLD.members IS NOT NULL OR OLD.adjustment_id IS NOT NULL BEGIN
      DELETE FROM match_records WHERE match_id = OLD.id AND reconciliation_id = OLD.reconciliation_id
        AND record_id IN (SELECT abs(value) FROM json_each(coalesce(OLD.members, json_array(OLD.a_record_id, OLD.b_record_id))));
      DELETE FROM records WHERE id = OLD.adjustment_id;
    END"
  `);
  const after = new Set(shapeOfVersion(26));
  expect(
    shapeOfVersion(25)
      .filter((line) => !after.has(line) && /^CREATE (INDEX|TRIGGER)/.test(line))
      .map((line) => line.split(' ', 3).join(' ')),
  ).toEqual(['CREATE INDEX matches_run', 'CREATE TRIGGER matches_gone', 'CREATE TRIGGER matches_members', 'CREATE TRIGGER matches_pair']);
});

test('a book of version 25 keeps its matches, what they hold and what marks them, and gives no id twice', () => {
  const database = opened();
  const { connection } = database;
  expect([...unlistedMembers(database, 9), ...unheldMembers(database, 9)]).toEqual([]);
  expect(connection.prepare('SELECT * FROM matches WHERE id = 1').get()).toEqual({
    id: 1,
    reconciliation_id: 1,
    run_id: 1,
    rule_id: 3,
    status: 'matched',
    origin: 'rule',
    certainty: 'unique',
    cohort: null,
    difference: 4,
    group_key: 'k',
    explanation: '["Amount is equal."]',
    record_count: 2,
    confirmed_at: 9,
    confirmed_by: null,
    confirmed_in_bulk: 0,
    likelihood: null,
    evidence: null,
    created_at: 8,
    adjustment_id: null,
    side_a_count: 1,
    a_record_id: 1,
    b_record_id: 2,
    members: null,
    margin: '3',
    difference_code: null,
    difference_note: null,
  });
  expect(connection.prepare('SELECT id, members, adjustment_id FROM matches WHERE id > 1 ORDER BY id').raw().all()).toEqual([
    [2, '[3,4,-5]', null],
    [3, '[6,7]', 7],
    [4, null, null],
  ]);
  expect(connection.prepare('SELECT * FROM wiped_matches ORDER BY match_id').raw().all()).toEqual([
    [1, 1, null],
    [3, 1, 7],
  ]);
  expect(connection.prepare('SELECT id, first_match_id, last_match_id FROM runs ORDER BY id').raw().all()).toEqual([
    [1, null, null],
    [2, 2, 4],
  ]);
  expect(connection.pragma('foreign_key_check')).toEqual([]);
  connection.exec(`INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at, members)
    VALUES (1, 'matched', 'manual', 0, '[]', 0, 0, '[]')`);
  expect(connection.prepare('SELECT max(id) FROM matches').pluck().get()).toBe(6);
});

test('what a match holds follows it when it is deleted or changes its status, a pair and any other; what another holds stays', () => {
  const database = opened();
  const { connection } = database;
  connection.exec("UPDATE matches SET status = 'proposed' WHERE id IN (1, 3); UPDATE matches SET status = 'matched' WHERE id = 2");
  expect([...unlistedMembers(database, 9), ...unheldMembers(database, 9)]).toEqual([]);
  expect(connection.prepare('SELECT record_id, slot FROM match_records ORDER BY record_id').raw().all()).toEqual([
    [1, 1],
    [2, 1],
    [3, 0],
    [4, 0],
    [5, 0],
    [6, 3],
    [7, 3],
    [8, 0],
    [9, 0],
  ]);
  connection.exec('DELETE FROM matches WHERE id IN (1, 2, 3)');
  expect(connection.prepare('SELECT record_id FROM match_records').pluck().all()).toEqual([8, 9]);
  expect(connection.prepare('SELECT count(*) FROM records WHERE id = 7').pluck().get()).toBe(0);
});

test('a run goes without a look at the matches', () => {
  const { connection } = opened();
  const plan = connection.prepare('EXPLAIN QUERY PLAN DELETE FROM runs WHERE id = 1').all() as { readonly detail: string }[];
  expect(plan.filter(({ detail }) => detail.includes('matches') && detail.startsWith('SCAN'))).toEqual([]);
});
