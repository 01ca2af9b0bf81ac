import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, description, metadata, created_at)
    VALUES (1, 1, 20000, 100, 1, 'GBP', 2, 'Rent', '{}', 7), (1, 1, 20000, 5, 1, 'GBP', 2, 'Tea', '{}', 7);`;

test('migration 13 adds indices for pages, and the index of words with what it has to catch up with', () => {
  expect(addedBy(13).filter((line) => !line.startsWith('record_words_'))).toMatchInlineSnapshot(`
    [
      "record_words",
      "record_words: words",
      "record_words: record_words",
      "record_words: rank",
      "search_changes",
      "search_changes: gone INTEGER not null key 1",
      "search_changes: record_id INTEGER not null key 2",
      "search_state",
      "search_state: id INTEGER key 1",
      "search_state: recipe INTEGER not null",
      "search_state: through INTEGER not null",
      "CREATE INDEX import_batches_source ON import_batches(environment_id, source, id)",
      "CREATE INDEX records_all_amount ON records(environment_id, currency, direction, amount, id, stream_id, batch_id, day, created_at)",
      "CREATE INDEX records_all_created ON records(environment_id, currency, direction, created_at, id, stream_id, batch_id, amount, day)",
      "CREATE INDEX records_all_day ON records(environment_id, currency, direction, day, id, stream_id, batch_id, amount, created_at)",
      "CREATE INDEX records_batch_created ON records(batch_id, created_at, id)",
      "CREATE INDEX records_day ON records(stream_id, day, id, batch_id, direction, currency, amount, created_at)",
      "CREATE INDEX records_stream_created ON records(stream_id, created_at, id, batch_id, direction, currency, amount, day)",
      "CREATE TRIGGER records_words_edited AFTER UPDATE OF description, external_id, metadata ON records
    WHEN NEW.id <= (SELECT through FROM search_state)
    BEGIN INSERT INTO search_changes(gone, record_id) VALUES (0, NEW.id) ON CONFLICT DO NOTHING; END",
      "CREATE TRIGGER records_words_gone AFTER DELETE ON records
    WHEN OLD.id <= (SELECT through FROM search_state)
    BEGIN INSERT INTO search_changes(gone, record_id) VALUES (1, OLD.id) ON CONFLICT DO NOTHING; END",
      "CREATE TRIGGER records_words_restored AFTER INSERT ON records
    WHEN NEW.id <= (SELECT through FROM search_state)
    BEGIN INSERT INTO search_changes(gone, record_id) VALUES (0, NEW.id) ON CONFLICT DO NOTHING; END",
    ]
  `);
});

test('a book of version 12 keeps its records, none of which is indexed yet', () => {
  const { connection } = openTestDatabase(folderWithBookOf(12, (before) => before.exec(BOOK)));
  expect(connection.prepare('SELECT id, description FROM records').all()).toEqual([
    { id: 1, description: 'Rent' },
    { id: 2, description: 'Tea' },
  ]);
  expect(connection.prepare('SELECT recipe, through FROM search_state').all()).toEqual([{ recipe: 0, through: 0 }]);
});

test('what happens to records that were indexed is remembered, and nothing of those that were not', () => {
  const { connection } = openTestDatabase(folderWithBookOf(13, (before) => before.exec(BOOK)));
  const changes = () => connection.prepare('SELECT gone, record_id FROM search_changes').raw().all();
  connection.exec(
    "UPDATE search_state SET through = 1; UPDATE records SET description = 'x', amount = 3; DELETE FROM records WHERE id = 2",
  );
  expect(changes()).toEqual([[0, 1]]);
  connection.exec('UPDATE records SET amount = 4; DELETE FROM records WHERE id = 1');
  expect(changes()).toEqual([
    [0, 1],
    [1, 1],
  ]);
});
