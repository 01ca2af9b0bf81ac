import { expect, test } from 'vitest';
import { recoverAfterStart } from '../../../src-main/jobs/queue/recover.ts';
import { testClock } from '../../support/backend.ts';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

const RECORD = `INSERT INTO records(environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, metadata, created_at)`;

test('migration 11 adds wipes, the matches that they mark, and an index of loose records', () => {
  expect(addedBy(11).join('\n')).toMatchInlineSnapshot(`
    "wiped_matches
    wiped_matches: match_id INTEGER not null key 1
    wiped_matches: wipe_id INTEGER not null key 2
    wiped_matches: adjustment_id INTEGER
    wiped_matches: wipe_id -> wipes
    wiped_matches: match_id -> matches on delete cascade
    wipes
    wipes: id INTEGER key 1
    wipes: environment_id INTEGER not null
    wipes: stream_id INTEGER not null
    wipes: stream_key TEXT not null
    wipes: batch_id INTEGER
    wipes: operation_id INTEGER
    wipes: actor TEXT not null
    wipes: flipped_at INTEGER
    wipes: records INTEGER not null 0
    wipes: matches INTEGER not null 0
    wipes: proposals INTEGER not null 0
    wipes: environment_id -> environments
    CREATE INDEX records_loose ON records(stream_id, id) WHERE batch_id IS NULL
    CREATE INDEX wiped_matches_adjusted ON wiped_matches(wipe_id, adjustment_id) WHERE adjustment_id IS NOT NULL
    CREATE INDEX wiped_matches_wipe ON wiped_matches(wipe_id, match_id)
    CREATE INDEX wipes_flipped ON wipes(id) WHERE flipped_at IS NOT NULL"
  `);
});

test('a reset that was under way in a book of version 10 goes on: its matches are gone, its records go', () => {
  const folder = folderWithBookOf(10, (connection) => {
    connection.exec(`
      INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
      INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'same', 5);
      INSERT INTO stream_operations(environment_id, stream_id, stream_key, kind, status, actor, total, wiped_at, created_at, started_at)
        VALUES (1, 1, 'bank', 'reset', 'running', 'app', 2, 8, 7, 7);
      INSERT INTO import_batches(id, environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at, wiped_by)
        VALUES (-1, 1, 1, 1, 'wipe', '', '', 0, 0, 0, 0, '[]', 'unproved', '[]', 6, 1);
      ${RECORD} VALUES (1, 1, -1, 20000, 100, 1, 'GBP', 2, '{}', 7), (1, 1, NULL, 20000, 200, 1, 'GBP', 2, '{}', 9);
      INSERT INTO runs(id, reconciliation_id, writing, kind, mode, cause, status, created_at) VALUES (-1, 1, 1, 'wipe', 'commit', '1', 'wipe', 8);
      INSERT INTO matches(reconciliation_id, run_id, status, origin, difference, explanation, record_count, created_at)
        VALUES (1, -1, 'matched', 'manual', 0, '[]', 2, 0);
      INSERT INTO match_records VALUES (1, 1, 1, 'a', 1);`);
  });
  const database = openTestDatabase(folder);
  const { connection } = database;
  for (const table of ['matches', 'match_records', 'runs']) {
    expect(connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
  }
  expect(connection.prepare('SELECT id, stream_key, operation_id, actor, flipped_at FROM wipes').all()).toEqual([
    { id: 1, stream_key: 'bank', operation_id: 1, actor: 'app', flipped_at: 8 },
  ]);
  expect(connection.prepare('SELECT wiped_by FROM import_batches').pluck().all()).toEqual([1]);
  recoverAfterStart(database, testClock());
  expect(connection.prepare("SELECT count(*) FROM jobs WHERE kind = 'stream_operation' AND status = 'pending'").pluck().get()).toBe(1);
});

test('an operation has one wipe, and a mark stands once and goes with its match', () => {
  const { connection } = openTestDatabase(folderWithBookOf(11));
  const wipe = connection.prepare(
    "INSERT INTO wipes(environment_id, stream_id, stream_key, operation_id, actor) VALUES (1, 1, 'bank', ?, 'app')",
  );
  wipe.run(1);
  wipe.run(null);
  wipe.run(null);
  expect(() => wipe.run(1)).toThrow('UNIQUE constraint failed');
  connection.exec(`
    INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'same', 5);
    INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at, members)
      VALUES (1, 'matched', 'manual', 0, '[]', 0, 0, '[]');`);
  const mark = connection.prepare('INSERT INTO wiped_matches(match_id, wipe_id) VALUES (?, ?)');
  mark.run(1, 1);
  mark.run(1, 2);
  expect(() => mark.run(1, 1)).toThrow('UNIQUE constraint failed');
  expect(() => mark.run(1, 9)).toThrow('FOREIGN KEY constraint failed');
  connection.exec('DELETE FROM matches');
  expect(connection.prepare('SELECT count(*) FROM wiped_matches').pluck().get()).toBe(0);
});
