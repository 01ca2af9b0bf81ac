import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../../src-main/store/migrations/list.ts';
import { insertAdjustment } from '../../../src-main/store/reconciliations/adjustments.ts';
import { addedBy, folderWithBookOf, shapeOfVersion } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'adjustments', 'Adjustments', 'api', 5);
  INSERT INTO import_batches(environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)
    VALUES (1, 1, 0, 'csv_upload', 'csv', '', 0, 0, 0, 0, '[]', 'unproved', '[]', 7);
  INSERT INTO records(environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, description, metadata, created_at)
    VALUES (1, 1, 1, 20000, 100, 1, 'GBP', 2, 'Rent', '{}', 7), (1, 1, NULL, 20000, 5, 1, 'GBP', 2, 'Tea', '{}', 7);
  UPDATE search_state SET through = 1;`;

test('migration 14 adds an index of the records of batches', () => {
  expect(addedBy(14)).toEqual(['CREATE INDEX records_batch_day ON records(batch_id, day) WHERE batch_id IS NOT NULL']);
});

/**
 * One would make SQLite copy each page aside before it is written, record by record: three times the time of an insertion. Matches are
 * written many by one statement, which copies each page once anyway.
 */
test('no trigger watches the insertion of records, or of members of matches', () => {
  const watching = (version: number) =>
    shapeOfVersion(version).filter((line) => /^CREATE TRIGGER \w+ (?:BEFORE|AFTER) INSERT ON (?:records|match_records)\b/.test(line));
  expect(watching(MIGRATIONS.length)).toEqual([]);
  expect(watching(13)).toHaveLength(1);
});

test('a record that comes back under an id that the index of words is past is noted; others are not', () => {
  const database = openTestDatabase(folderWithBookOf(13, (before) => before.exec(BOOK)));
  const changes = () => database.connection.prepare('SELECT gone, record_id FROM search_changes').raw().all();
  expect(database.connection.prepare('SELECT id FROM records INDEXED BY records_batch_day WHERE batch_id = 1').pluck().all()).toEqual([1]);
  const adjustment = {
    environment_id: 1,
    stream_id: 1,
    day: 20_000,
    amount: 1,
    direction: 1,
    currency: 'GBP',
    decimal_places: 2,
    description: 'Difference',
    created_at: 8,
  };
  database.connection.exec('DELETE FROM records; DELETE FROM search_changes');
  database.write((write) => insertAdjustment(write, { ...adjustment, id: 2 }));
  database.write((write) => insertAdjustment(write, adjustment));
  expect(changes()).toEqual([]);
  database.write((write) => insertAdjustment(write, { ...adjustment, id: 1 }));
  expect(changes()).toEqual([[0, 1]]);
});
