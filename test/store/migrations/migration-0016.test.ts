import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 16 adds what the file of a batch covers; older batches know nothing of it', () => {
  expect(addedBy(16)).toEqual(['import_batches: periods TEXT']);
  const folder = folderWithBookOf(15, (before) =>
    before.exec(`
      INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 1);
      INSERT INTO import_batches(environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)
        VALUES (1, 1, 0, 'csv_upload', 'csv', '', 0, 0, 0, 0, '[]', 'unproved', '[]', 7);`),
  );
  expect(openTestDatabase(folder).connection.prepare('SELECT id, periods FROM import_batches').all()).toEqual([{ id: 1, periods: null }]);
});
