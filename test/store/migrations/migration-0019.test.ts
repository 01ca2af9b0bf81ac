import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 19 adds recipes, a recipe to each import batch, and an index of the bytes of files', () => {
  expect(addedBy(19).join('\n')).toMatchInlineSnapshot(`
    "import_batches: recipe TEXT
    import_recipes
    import_recipes: id INTEGER key 1
    import_recipes: environment_id INTEGER not null
    import_recipes: name TEXT not null
    import_recipes: fingerprint TEXT not null
    import_recipes: body TEXT not null
    import_recipes: created_at INTEGER not null
    import_recipes: updated_at INTEGER not null
    import_recipes: last_used_at INTEGER
    import_recipes: environment_id -> environments
    CREATE INDEX import_batches_sha256 ON import_batches(environment_id, sha256) WHERE source <> 'bulk_api'"
  `);
});

test('a batch of a book of version 18 has no recipe', () => {
  const folder = folderWithBookOf(18, (connection) => {
    connection.exec(`
      INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
      INSERT INTO import_batches(environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)
        VALUES (1, 1, 0, 'csv_upload', 'csv', '', 0, 0, 0, 0, '[]', 'unproved', '[]', 0);`);
  });
  expect(openTestDatabase(folder).connection.prepare('SELECT id, recipe FROM import_batches').all()).toEqual([{ id: 1, recipe: null }]);
});
