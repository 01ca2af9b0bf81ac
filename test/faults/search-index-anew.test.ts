import { describe, expect, test } from 'vitest';
import type { Database } from '../../src-main/database/database.ts';
import { searchQuery, indexSlice, isSearchable, notSearched } from '../../src-main/records/store/record-search.ts';
import { present } from '../../src-shared/values/assert.ts';
import { testFolder } from '../support/books/backend.ts';
import { openQuietBook, openTestDatabase } from '../support/books/quiet-book.ts';
import { some } from '../support/long.ts';

const RECORDS = 2_500;
/** One slice, and no step more than a slice must take. */
const AT_ONCE = () => true;
/** A bound on the transactions, so that a loop without end is a failure. */
const MOST_TRANSACTIONS = 150;
/** Rows that one transaction may at most write, whatever the size of the book. */
const MOST_ROWS = 2_100;

const ADD = (count: number, word: string) => `
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, description, external_id, metadata, created_at)
    SELECT 1, 1, 1, i, 1, 'USD', 2, '${word} number' || i, '${word}-' || i, '{"note":"a' || (i * 7919) || '"}', i FROM n`;

function scene(): Database {
  const database = openTestDatabase(testFolder());
  database.connection.exec(`INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 0)`);
  database.connection.exec(ADD(RECORDS, 'old'));
  while (indexSlice(database, () => false));
  // Edited and deleted, and not indexed yet: what is noted of that is emptied as well.
  database.connection.exec(`UPDATE records SET description = 'edited ' || id WHERE id % 2 = 0; DELETE FROM records WHERE id % 5 = 3`);
  return database;
}

function found(database: Database, word: string): number[] {
  const query = present(searchQuery(word), 'query');
  return database
    .prepare<[string], number>('SELECT r.id FROM record_words w JOIN records r ON r.id = w.rowid WHERE record_words MATCH ? ORDER BY r.id')
    .pluck()
    .all(query);
}

function expected(database: Database, word: string): number[] {
  const sql = `SELECT id FROM records WHERE description || ' ' || external_id LIKE ? ORDER BY id`;
  return database.prepare<[string], number>(sql).pluck().all(`%${word}%`);
}

const WORDS = ['old', 'edited', 'new', 'late', 'number'];
const WAYS: Readonly<Record<string, string>> = {
  'made another way': 'UPDATE search_state SET recipe = 77',
  'of another book': `UPDATE search_state SET through = ${RECORDS * 10}`,
  damaged: 'UPDATE search_state SET recipe = 0, through = 0',
};

describe.each(some(Object.entries(WAYS), 1))('an index %s', (_what, spoil) => {
  test('is emptied and filled in short transactions, each of which may be the last before a restart', () => {
    let database = scene();
    const total = () => database.prepare<[], number>('SELECT total_changes()').pluck().get() ?? 0;
    database.connection.exec(spoil);
    let isMore = true;
    let emptied = 0;
    for (let transactions = 0; isMore; transactions += 1) {
      expect(transactions).toBeLessThan(MOST_TRANSACTIONS);
      const before = total();
      isMore = indexSlice(database, AT_ONCE);
      expect(total() - before).toBeLessThan(MOST_ROWS);
      const { path } = database;
      database.close();
      database = openTestDatabase(path.slice(0, path.lastIndexOf('/')));
      const isReady = isSearchable(database);
      emptied += isReady ? 0 : 1;
      const sought = (isReady ? found(database, 'number').length : 0) + notSearched(database);
      expect(sought).toBeGreaterThanOrEqual(expected(database, 'number').length);
      if (transactions === 2) database.connection.exec(ADD(20, 'new'));
      if (transactions % 7 === 1) {
        database.connection.exec(`UPDATE records SET description = 'late number' || id WHERE id = ${transactions * 9 + 1};
          DELETE FROM records WHERE id = ${transactions * 5 + 2}`);
      }
      isMore = isMore || notSearched(database) > 0;
    }
    expect(emptied).toBeGreaterThan(5);
    for (const word of WORDS) expect({ word, ids: found(database, word) }).toEqual({ word, ids: expected(database, word) });
    expect(expected(database, 'late').length).toBeGreaterThan(1);
    database.connection.exec("INSERT INTO record_words(record_words) VALUES ('integrity-check')");
  });
});

test('a search meanwhile answers at once, finds nothing and says so', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  book.database.connection.exec(ADD(RECORDS, 'old'));
  while (book.search.step());
  book.database.connection.exec('UPDATE search_state SET recipe = 77');
  expect(indexSlice(book.database, AT_ONCE)).toBe(true);
  expect(isSearchable(book.database)).toBe(false);
  // Nothing of its own is indexed while another connection holds the lock.
  book.jobDatabase.connection.exec('BEGIN IMMEDIATE');
  book.database.write = () => {
    throw new Error('database is locked');
  };
  const page = await book.client.get('records.list', { q: 'old' });
  expect(page).toMatchObject({ data: [], has_more: false, next_cursor: null, not_searched: RECORDS });
  book.jobDatabase.connection.exec('ROLLBACK');
});
