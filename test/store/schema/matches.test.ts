import { expect, test } from 'vitest';
import { unheldMembers, unlistedMembers } from '../../../src-main/matches/store/member-faults.ts';
import { bookWith } from '../../support/books/book-with.ts';
import { MEMBERS_OF_NEW_MATCHES } from '../../support/books/match-members.ts';

/** A pair, a proposal of two to one, one of side A alone with an adjustment, and one of nothing. */
const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
    SELECT 1, 1, 20000, 100, 1, 'GBP', 2, '{}', 7 FROM json_each('[1,2,3,4,5,6,7,8,9]');
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'same', 5);
  INSERT INTO runs(reconciliation_id, kind, mode, cause, status, created_at) VALUES (1, 'batch', 'commit', 'manual', 'running', 6);
  INSERT INTO matches(reconciliation_id, run_id, status, origin, difference, explanation, record_count, adjustment_id, created_at, side_a_count,
      a_record_id, b_record_id, members) VALUES
    (1, 1, 'matched', 'rule', 4, '[]', 2, NULL, 8, 1, 1, 5, NULL), (1, 1, 'proposed', 'rule', 0, '[]', 3, NULL, 8, 2, NULL, NULL, '[2,3,-6]'),
    (1, NULL, 'matched', 'manual', 0, '[]', 2, 8, 8, 2, NULL, NULL, '[7,8]'), (1, NULL, 'matched', 'manual', 0, '[]', 0, NULL, 8, 0, NULL, NULL, '[]');
  ${MEMBERS_OF_NEW_MATCHES}`;

const opened = () => {
  const database = bookWith(BOOK);
  const book = database.connection;
  const faults = () => [...unlistedMembers(database, 9), ...unheldMembers(database, 9)];
  /** Record, slot and match of each member. */
  const links = () => book.prepare('SELECT record_id, slot, match_id FROM match_records').raw().all();
  const newMatch = (columns: string, values: string) =>
    book.transaction(() =>
      book.exec(
        `INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at, ${columns}) VALUES (1, ${values}); ${MEMBERS_OF_NEW_MATCHES}`,
      ),
    )();
  return { book, faults, links, newMatch };
};

test('what a match holds follows the match when its status changes and when it is deleted; its adjustment goes with it, and no id is given twice', () => {
  const { book, faults, links, newMatch } = opened();
  book.exec("UPDATE matches SET status = 'matched' WHERE id = 2; UPDATE matches SET status = 'proposed' WHERE id IN (1, 3)");
  expect(links()).toEqual([
    [1, 1, 1],
    [2, 0, 2],
    [3, 0, 2],
    [5, 1, 1],
    [6, 0, 2],
    [7, 3, 3],
    [8, 3, 3],
  ]);
  expect(faults()).toEqual([]);
  book.exec('DELETE FROM matches WHERE id IN (1, 3, 4)');
  expect(links().map((link) => (link as number[])[0])).toEqual([2, 3, 6]);
  expect(book.prepare('SELECT id FROM records').pluck().all()).toEqual([1, 2, 3, 4, 5, 6, 7, 9]);
  newMatch('members', "'matched', 'manual', 0, '[]', 0, 0, '[]'");
  expect(book.prepare('SELECT id FROM matches').pluck().all()).toEqual([2, 5]);
});

test('the book itself refuses a record matched twice, and to delete one that a match holds', () => {
  const { book, newMatch } = opened();
  expect(() => newMatch('a_record_id, b_record_id', "'matched', 'manual', 0, '[]', 2, 0, 4, 5")).toThrow('UNIQUE constraint failed');
  expect(() => newMatch('members', "'matched', 'manual', 0, '[]', 3, 0, '[2,3,-7]'")).toThrow('UNIQUE constraint failed');
  book.exec("UPDATE matches SET status = 'matched' WHERE id = 2");
  expect(() => newMatch('members', "'matched', 'manual', 0, '[]', 2, 0, '[4,2]'")).toThrow('UNIQUE constraint failed');
  newMatch('members', "'proposed', 'manual', 0, '[]', 2, 0, '[4,2]'");
  expect(() => book.exec("UPDATE matches SET status = 'matched' WHERE id = 5")).toThrow('UNIQUE constraint failed');
  expect(() => newMatch('a_record_id', "'matched', 'manual', 0, '[]', 2, 0, 4")).toThrow('NOT NULL constraint failed');
  expect(() => book.exec('DELETE FROM records WHERE id = 6')).toThrow('a match holds this record');
});

test('a run goes without a look at the matches', () => {
  const plan = opened().book.prepare('EXPLAIN QUERY PLAN DELETE FROM runs WHERE id = 1').all() as { readonly detail: string }[];
  expect(plan.filter(({ detail }) => detail.includes('matches') && detail.startsWith('SCAN'))).toEqual([]);
});
