import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

const RECONCILIATION = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'same', 6);
  INSERT INTO reconciliation_streams VALUES (1, 1, 'a');`;

test('migration 4 adds stories and their links', () => {
  expect(addedBy(4).join('\n')).toMatchInlineSnapshot(`
    "stories
    stories: id INTEGER key 1
    stories: environment_id INTEGER not null
    stories: name TEXT not null
    stories: created_at INTEGER not null
    stories: environment_id -> environments
    story_links
    story_links: id INTEGER key 1
    story_links: story_id INTEGER not null
    story_links: position INTEGER not null
    story_links: reconciliation_id INTEGER not null
    story_links: shared_stream_id INTEGER
    story_links: shared_stream_id -> streams on delete set null
    story_links: reconciliation_id -> reconciliations
    story_links: story_id -> stories
    CREATE INDEX stories_environment ON stories(environment_id, created_at, id)
    CREATE INDEX story_links_reconciliation ON story_links(reconciliation_id)
    CREATE INDEX story_links_shared_stream ON story_links(shared_stream_id) WHERE shared_stream_id IS NOT NULL"
  `);
});

test('a book of version 3 keeps its rows, and takes stories of its reconciliations', () => {
  const { connection } = openTestDatabase(folderWithBookOf(3, (before) => before.exec(RECONCILIATION)));
  expect(connection.prepare('SELECT id, name, created_at FROM reconciliations').all()).toEqual([{ id: 1, name: 'June', created_at: 6 }]);
  expect(connection.prepare('SELECT * FROM reconciliation_streams').all()).toEqual([{ reconciliation_id: 1, stream_id: 1, side: 'a' }]);
  connection.exec(`
    INSERT INTO stories(environment_id, name, created_at) VALUES (1, 'Month end', 7);
    INSERT INTO story_links(story_id, position, reconciliation_id) VALUES (1, 1, 1);`);
  expect(connection.pragma('foreign_key_check')).toEqual([]);
});

test('a position is taken once in a story, and a stream that goes leaves its link', () => {
  const { connection } = openTestDatabase(folderWithBookOf(4, (before) => before.exec(RECONCILIATION)));
  connection.exec("INSERT INTO stories(environment_id, name, created_at) VALUES (1, 'Month end', 7), (1, 'Quarter end', 8)");
  const insert = connection.prepare('INSERT INTO story_links(story_id, position, reconciliation_id, shared_stream_id) VALUES (?, ?, ?, ?)');
  insert.run(1, 1, 1, 1);
  insert.run(2, 1, 1, null);
  expect(() => insert.run(1, 1, 1, null)).toThrow('UNIQUE constraint failed');
  expect(() => insert.run(1, 2, 9, null)).toThrow('FOREIGN KEY constraint failed');
  expect(() => insert.run(1, 0, 1, null)).toThrow('CHECK constraint failed');
  connection.exec('DELETE FROM reconciliation_streams; DELETE FROM streams;');
  expect(connection.prepare('SELECT story_id, shared_stream_id FROM story_links ORDER BY id').all()).toEqual([
    { story_id: 1, shared_stream_id: null },
    { story_id: 2, shared_stream_id: null },
  ]);
});
