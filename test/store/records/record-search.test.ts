import { expect, test } from 'vitest';
import { pageRecords } from '../../../src-main/records/store/record-pages.ts';
import { indexSlice } from '../../../src-main/records/store/record-search.ts';
import { testFolder } from '../../support/books/backend.ts';
import { openTestDatabase } from '../../support/books/quiet-book.ts';

/** More than are sorted whatever is asked, so that those with the word are looked up one by one. */
const RECORDS = 12_000;

test('words that very many records have find none that has them not', () => {
  const database = openTestDatabase(testFolder());
  database.connection.exec(`
    INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 0);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECORDS})
    INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, description, metadata, created_at)
      SELECT 1, 1, 1, 1, 1, 'USD', 2, iif(i % 2, 'card', 'cash'), '{}', i FROM n`);
  while (indexSlice(database, () => false));
  const page = { sort: 'created_at', descending: false, limit: 100, offset: 0 } as const;
  for (const word of ['card', 'cash']) {
    const rows = pageRecords(database, { environmentId: 1, words: `"${word}" *` }, page, { sortedHits: 5_000 });
    expect(new Set(rows.map((row) => row.description))).toEqual(new Set([word]));
    expect(rows).toHaveLength(101);
  }
});
