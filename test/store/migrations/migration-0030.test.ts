import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 30 adds when a bank account was deleted, and what was linked to it', () => {
  expect(addedBy(30)).toEqual(['bank_accounts: deleted_at INTEGER', 'bank_accounts: deleted_links TEXT']);
});

test('recipes of a book of version 29 name no sheet, also former ones and those of batches', () => {
  const folder = folderWithBookOf(29, (connection) => {
    connection.exec(`
      INSERT INTO import_recipes(id, environment_id, name, fingerprint, body, created_at, updated_at) VALUES (1, 1, 'Bank', 'f', '{"name":"Bank"}', 5, 5);
      INSERT INTO former_recipes(recipe_id, fingerprint, body, replaced_at) VALUES (1, 'f', '{"name":"Former"}', 5);
      INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
      INSERT INTO import_batches(environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at, recipe)
        VALUES (1, 1, 0, 'csv_upload', 'csv', '', 0, 0, 0, 0, '[]', 'unproved', '[]', 0, '{"name":"Batch"}'),
          (1, 1, 0, 'csv_upload', 'ofx', '', 0, 0, 0, 0, '[]', 'unproved', '[]', 0, NULL);
      INSERT INTO bank_accounts(environment_id, name, created_at, updated_at) VALUES (1, 'Current', 5, 5);`);
  });
  const all = (sql: string) => openTestDatabase(folder).connection.prepare(sql).pluck().all();
  expect(
    all('SELECT body FROM import_recipes UNION ALL SELECT body FROM former_recipes UNION ALL SELECT recipe FROM import_batches'),
  ).toEqual(['{"name":"Bank","sheet":null}', '{"name":"Former","sheet":null}', '{"name":"Batch","sheet":null}', null]);
  expect(all('SELECT count(*) FROM bank_accounts WHERE deleted_at IS NULL')).toEqual([1]);
});
