import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';
import { MEMBERS_OF_NEW_MATCHES } from '../../support/match-members.ts';

/** A pair, a proposal of two to one, one of side A alone, an older pair whose record of side A was let go to the first, and one of nothing. */
const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
    SELECT 1, 1, 20000, 100, 1, 'GBP', 2, '{}', 7 FROM json_each('[1,2,3,4,5,6,7,8,9]');
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'same', 5);
  INSERT INTO runs(reconciliation_id, kind, mode, cause, status, created_at) VALUES (1, 'batch', 'commit', 'manual', 'running', 6);
  INSERT INTO matches(reconciliation_id, run_id, rule_id, status, origin, certainty, difference, group_key, explanation, record_count, adjustment_id, created_at) VALUES
    (1, 1, 3, 'matched', 'rule', 'unique', 4, 'k', '["Amount is equal."]', 2, NULL, 8), (1, 1, 3, 'proposed', 'rule', 'best', 0, NULL, '[]', 3, NULL, 8),
    (1, NULL, NULL, 'matched', 'manual', NULL, 0, NULL, '[]', 2, 8, 8), (1, NULL, NULL, 'matched', 'manual', NULL, 0, NULL, '[]', 2, NULL, 8),
    (1, NULL, NULL, 'matched', 'manual', NULL, 0, NULL, '[]', 0, NULL, 8);
  INSERT INTO match_records VALUES (1, 1, 1, 'a', 1), (1, 5, 1, 'b', 1), (2, 6, 1, 'b', 0), (2, 3, 1, 'a', 0), (2, 2, 1, 'a', 0),
    (3, 7, 1, 'a', 1), (3, 8, 1, 'a', 1), (4, 1, 1, 'a', 0), (4, 9, 1, 'b', 1);`;

const opened = () => openTestDatabase(folderWithBookOf(20, (before) => before.exec(BOOK))).connection;
type Book = ReturnType<typeof opened>;

/** Record, slot, match and side of each member. */
const links = (book: Book) => book.prepare('SELECT record_id, slot, match_id, side FROM match_records').raw().all();
const newMatch = (book: Book, columns: string, values: string) =>
  book.transaction(() =>
    book.exec(
      `INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at, ${columns}) VALUES (1, ${values}); ${MEMBERS_OF_NEW_MATCHES}`,
    ),
  )();

test('migration 21 lets a match say what it holds, in a B-tree by record with one place to count in', () => {
  expect(addedBy(21).join('\n')).toMatchInlineSnapshot(`
    "match_records: record_id INTEGER not null key 1
    match_records: reconciliation_id INTEGER not null key 2
    match_records: slot INTEGER not null key 3
    match_records: match_id INTEGER not null
    matches: side_a_count INTEGER not null 0
    matches: a_record_id INTEGER
    matches: b_record_id INTEGER
    matches: members TEXT
    run_facts
    run_facts: run_id INTEGER key 1
    run_facts: body TEXT not null
    run_facts: run_id -> runs on delete cascade
    run_separations
    run_separations: run_id INTEGER not null key 1
    run_separations: record_key TEXT not null key 2
    run_separations: run_id -> runs on delete cascade
    CREATE INDEX matches_status ON matches(reconciliation_id, status, id, run_id, record_count, side_a_count)
    CREATE TRIGGER matches_counted AFTER UPDATE OF status ON matches WHEN NEW.status <> OLD.status BEGIN
      UPDATE match_records SET slot = iif(NEW.status = 'matched', 0, NEW.id) WHERE match_id = NEW.id AND reconciliation_id = NEW.reconciliation_id
        AND record_id IN (SELECT abs(value) FROM json_each(coalesce(NEW.members, json_array(NEW.a_record_id, NEW.b_record_id))));
    END
    CREATE TRIGGER matches_gone AFTER DELETE ON matches BEGIN
      DELETE FROM match_records WHERE match_id = OLD.id AND reconciliation_id = OLD.reconciliation_id
        AND record_id IN (SELECT abs(value) FROM json_each(coalesce(OLD.members, json_array(OLD.a_record_id, OLD.b_record_id))));
      DELETE FROM records WHERE id = OLD.adjustment_id;
    END
    CREATE TRIGGER matches_members AFTER INSERT ON matches WHEN NEW.members IS NOT NULL BEGIN
      INSERT INTO match_records(record_id, reconciliation_id, slot, match_id, side)
      SELECT abs(value), NEW.reconciliation_id, iif(NEW.status = 'matched', 0, NEW.id), NEW.id, iif(value > 0, 'a', 'b') FROM json_each(NEW.members);
    END
    CREATE TRIGGER matches_pair AFTER INSERT ON matches WHEN NEW.members IS NULL BEGIN
      INSERT INTO match_records(record_id, reconciliation_id, slot, match_id, side) VALUES
        (NEW.a_record_id, NEW.reconciliation_id, iif(NEW.status = 'matched', 0, NEW.id), NEW.id, 'a'),
        (NEW.b_record_id, NEW.reconciliation_id, iif(NEW.status = 'matched', 0, NEW.id), NEW.id, 'b');
    END
    CREATE TRIGGER reconciled_days_let_go AFTER UPDATE OF slot ON match_records WHEN OLD.slot = 0
    BEGIN
      DELETE FROM reconciled_days WHERE stream_id = (SELECT stream_id FROM records WHERE id = OLD.record_id)
        AND day = (SELECT day FROM records WHERE id = OLD.record_id) AND reconciliation_id = OLD.reconciliation_id;
    END
    CREATE TRIGGER reconciled_days_lost AFTER DELETE ON match_records WHEN OLD.slot = 0
    BEGIN
      DELETE FROM reconciled_days WHERE stream_id = (SELECT stream_id FROM records WHERE id = OLD.record_id)
        AND day = (SELECT day FROM records WHERE id = OLD.record_id) AND reconciliation_id = OLD.reconciliation_id;
    END
    CREATE TRIGGER records_held BEFORE DELETE ON records WHEN EXISTS (SELECT 1 FROM match_records WHERE record_id = OLD.id)
    BEGIN SELECT RAISE(ABORT, 'a match holds this record'); END"
  `);
});

test('a book of version 20 keeps its matches and what they hold', () => {
  const book = opened();
  expect(book.prepare('SELECT id, side_a_count, a_record_id, b_record_id, members FROM matches ORDER BY id').raw().all()).toEqual([
    [1, 1, 1, 5, null],
    [2, 2, null, null, '[2,3,-6]'],
    [3, 2, null, null, '[7,8]'],
    [4, 1, 1, 9, null],
    [5, 0, null, null, '[]'],
  ]);
  expect(links(book)).toEqual([
    [1, 0, 1, 'a'],
    [1, 4, 4, 'a'],
    [2, 2, 2, 'a'],
    [3, 2, 2, 'a'],
    [5, 0, 1, 'b'],
    [6, 2, 2, 'b'],
    [7, 0, 3, 'a'],
    [8, 0, 3, 'a'],
    [9, 0, 4, 'b'],
  ]);
  expect(book.prepare('SELECT * FROM matches WHERE id = 1').get()).toMatchObject({
    run_id: 1,
    rule_id: 3,
    certainty: 'unique',
    difference: 4,
    group_key: 'k',
    explanation: '["Amount is equal."]',
  });
});

test('what a match holds follows the match, whatever changes or deletes it; its adjustment goes with it', () => {
  const book = opened();
  book.exec("UPDATE matches SET status = 'matched' WHERE id = 2; UPDATE matches SET status = 'proposed' WHERE id = 1");
  expect(links(book).slice(0, 4)).toEqual([
    [1, 1, 1, 'a'],
    [1, 4, 4, 'a'],
    [2, 0, 2, 'a'],
    [3, 0, 2, 'a'],
  ]);
  book.exec('DELETE FROM matches WHERE id IN (3, 4)');
  expect(links(book).map((link) => (link as number[])[0])).toEqual([1, 2, 3, 5, 6]);
  expect(book.prepare('SELECT id FROM records').pluck().all()).toEqual([1, 2, 3, 4, 5, 6, 7, 9]);
});

test('the book itself refuses a record matched twice, and to delete one that a match holds', () => {
  const book = opened();
  expect(() => newMatch(book, 'a_record_id, b_record_id', "'matched', 'manual', 0, '[]', 2, 0, 4, 5")).toThrow('UNIQUE constraint failed');
  expect(() => newMatch(book, 'members', "'matched', 'manual', 0, '[]', 3, 0, '[2,3,-7]'")).toThrow('UNIQUE constraint failed');
  book.exec("UPDATE matches SET status = 'matched' WHERE id = 2");
  expect(() => newMatch(book, 'members', "'matched', 'manual', 0, '[]', 2, 0, '[4,2]'")).toThrow('UNIQUE constraint failed');
  newMatch(book, 'members', "'proposed', 'manual', 0, '[]', 2, 0, '[4,2]'");
  expect(() => book.exec("UPDATE matches SET status = 'matched' WHERE id = 6")).toThrow('UNIQUE constraint failed');
  expect(() => newMatch(book, 'a_record_id', "'matched', 'manual', 0, '[]', 2, 0, 4")).toThrow('NOT NULL constraint failed');
  expect(() => book.exec('DELETE FROM records WHERE id = 6')).toThrow('a match holds this record');
});
