import { expect, test } from 'vitest';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { MEMBERS_OF_NEW_MATCHES } from '../../support/books/match-members.ts';

const RECORDS = 45_000;
/** A reconciliation whose older records are matched, so that a list of the open ones by date walks past them. */
const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'a', 'A', 'csv', 0), (1, 'b', 'B', 'csv', 0);
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'R', 'batch', 'same', 0);
  INSERT INTO reconciliation_streams VALUES (1, 1, 'a'), (1, 2, 'b');
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECORDS})
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
    SELECT 1, 1, i / 50, i, 1, 'GBP', 2, '{}', i FROM n;
  INSERT INTO matches(id, reconciliation_id, status, origin, difference, explanation, record_count, created_at, side_a_count, members)
    SELECT id, 1, 'matched', 'manual', 0, '[]', 1, 0, 1, json_array(id) FROM records WHERE id < 44000;
  ${MEMBERS_OF_NEW_MATCHES}`;

test('days are noted once a list of open records had to scan far, not again soon, and change no result', async () => {
  const { client, database, reconciledDays, clock } = openQuietBook();
  database.connection.exec(BOOK);
  const list = () => client.get('records.list', { reconciliation_id: 1, side: 'a', status: 'unreconciled', sort: 'date', limit: 3 });
  const noted = () => database.connection.prepare('SELECT count(*), max(day) FROM reconciled_days').raw().get();
  const first = await list();
  expect(first.data.map(({ id }) => id)).toEqual([44_049, 44_048, 44_047]);
  while (reconciledDays.step());
  expect(noted()).toEqual([880, 879]);
  expect(await list()).toEqual(first);
  database.connection.exec('DELETE FROM reconciled_days');
  expect(await list()).toEqual(first);
  expect(reconciledDays.step()).toBe(false);
  expect(noted()).toEqual([0, null]);
  // Each look at this clock is a millisecond.
  for (let ms = 0; ms < 5_000; ms += 1) clock.monotonicMs();
  await list();
  expect(reconciledDays.step()).toBe(true);
});

test('a book that cannot be written leaves the list as it was', async () => {
  const { client, database, reconciledDays, log } = openQuietBook();
  database.connection.exec(BOOK);
  database.connection.exec("CREATE TRIGGER broken BEFORE INSERT ON reconciled_days BEGIN SELECT raise(ABORT, 'no room'); END");
  const list = () => client.get('records.list', { reconciliation_id: 1, side: 'a', status: 'unreconciled', sort: 'date', limit: 3 });
  const first = await list();
  expect(first.data).toHaveLength(3);
  await expect.poll(() => log.lines.filter((line) => line.includes('reconciled days'))).toHaveLength(1);
  expect(reconciledDays.step()).toBe(false);
  expect(await list()).toEqual(first);
});
