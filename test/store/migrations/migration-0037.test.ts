import { expect, test } from 'vitest';
import { CHECKS } from '../../../src-main/jobs/checks/list.ts';
import { verifyBook } from '../../../src-main/jobs/checks/verify-book.ts';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 37 adds value dates of records, by which day a stream is read, and lets edits of value dates outdate packs and bases', () => {
  expect(addedBy(37)).toEqual([
    'records: value_day INTEGER',
    "streams: read_by TEXT not null 'booking_date'",
    expect.stringMatching(/^CREATE TRIGGER column_packs_edited AFTER UPDATE OF stream_id, day, value_day,/),
    expect.stringMatching(/^CREATE TRIGGER run_bases_edited AFTER UPDATE OF stream_id, day, value_day,/),
  ]);
});

test('records of an older book have no value date, their stream is read by booking date, and digests cover the new columns', () => {
  const folder = folderWithBookOf(36, (connection) => {
    connection.exec(`INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
      INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT 1, 1, 20600, i, 1, 'USD', 2, '{}', 0 FROM n`);
  });
  const database = openTestDatabase(folder);
  const findings = () => verifyBook(database, CHECKS, () => undefined).flatMap((checked) => checked.findings.map(({ message }) => message));
  // A book that was never digested is stated as it is found, and what it lacks until then is no fault of its rows.
  expect(findings().filter((message) => /value_day|read_by/.test(message))).toEqual([]);
  expect(database.connection.prepare('SELECT count(*) FROM records WHERE value_day IS NOT NULL').pluck().get()).toBe(0);
  expect(database.connection.prepare('SELECT read_by FROM streams').pluck().all()).toEqual(['booking_date']);
  database.connection.exec('UPDATE records SET value_day = 7 WHERE id = 200');
  expect(findings()).toContainEqual(expect.stringMatching(/^Row 200 of records was changed, and not by Tieout: value_day is now 7:/));
});
