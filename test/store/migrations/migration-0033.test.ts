import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 33 adds whose transactions the file of a batch holds; of batches made before nobody knows', () => {
  expect(addedBy(33)).toEqual(['import_batches: whose TEXT']);
  const folder = folderWithBookOf(32, (connection) => {
    connection.exec(`
      INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
      INSERT INTO import_batches(environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)
        VALUES (1, 1, 0, 'csv_upload', 'csv', '', 0, 0, 0, 0, '[]', 'unproved', '[]', 0);`);
  });
  expect(openTestDatabase(folder).connection.prepare('SELECT whose FROM import_batches').pluck().all()).toEqual([null]);
});
