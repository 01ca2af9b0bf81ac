import { expect, test } from 'vitest';
import { remoteById } from '../../../src-main/sync/store/remotes.ts';
import { countWaiting } from '../../../src-main/sync/store/conflicts.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const REMOTE = 1;
const LINES = [
  { amount: 100, currency: 'USD' },
  { amount: 200, currency: 'USD' },
];
const IDS: Readonly<Record<string, string>> = {
  streams: "SELECT id FROM streams WHERE type <> 'adjustment'",
  accounts: 'SELECT id FROM bank_accounts',
  reconciliations: 'SELECT id FROM reconciliations',
  rules: 'SELECT id FROM rules',
  records: "SELECT id FROM records WHERE stream_id IN (SELECT id FROM streams WHERE type <> 'adjustment')",
  matches: 'SELECT id FROM matches',
};

/** Writes with plain SQL what sync leaves behind. */
function run(book: QuietBook, sql: string, ...values: readonly (string | number | null)[]): void {
  book.database.write((write) => write.prepare<unknown[], unknown>(sql).run(...values));
}

function addRemote({ database, clock }: QuietBook): void {
  database.write((write) =>
    write
      .prepare<unknown[], unknown>(
        "INSERT INTO sync_remotes(id, environment_id, name, base_url, kind, seed, created_at) VALUES (?, 1, 'Head office', 'https://a/v1', 'tieout', 's', ?)",
      )
      .run(REMOTE, clock.nowMs()),
  );
}

/** As after a sync that moved everything. */
function synced(book: QuietBook): void {
  book.clock.advance(60_000);
  const atMs = book.clock.nowMs();
  run(book, 'DELETE FROM sync_links');
  for (const [resource, ids] of Object.entries(IDS)) {
    run(
      book,
      `INSERT INTO sync_links(remote_id, resource, local_id, remote_key, local_hash, remote_hash) SELECT 1, ?, id, id, '', '' FROM (${ids})`,
      resource,
    );
  }
  run(
    book,
    "INSERT INTO sync_runs(remote_id, what, started_by, started_at, ended_at, result) VALUES (1, 'sync', 'by_hand', ?, ?, '{}')",
    atMs,
    atMs + 10,
  );
  run(book, 'UPDATE sync_remotes SET last_synced_at = ?', atMs + 10);
  book.clock.advance(60_000);
}

const waiting = ({ database }: QuietBook): number => countWaiting(database, present(remoteById(database, 1, REMOTE), 'remote'));

async function bookWithTwoStreams() {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a: LINES, b: LINES }, []);
  addRemote(book);
  return { book, ...pair };
}

test('before the first sync all of the book waits', async () => {
  const { book } = await bookWithTwoStreams();
  // Two streams, four records, a reconciliation.
  expect(waiting(book)).toBe(7);
  await book.testEnvironment.get('streams.create', { key: 'elsewhere', name: 'Elsewhere' });
  expect(waiting(book)).toBe(7);
});

test('after a sync nothing waits; what is new, changed or gone since does, each object once', async () => {
  const { book, aIds, bIds, reconciliation } = await bookWithTwoStreams();
  const { client } = book;
  synced(book);
  expect(waiting(book)).toBe(0);
  await client.get('records.update', { id: aIds[0] ?? 0, description: 'changed' });
  await client.get('records.update', { id: aIds[0] ?? 0, description: 'changed again' });
  expect(waiting(book)).toBe(1);
  await client.get('records.create', { data_stream_key: 'ledger', date: '2026-06-11', amount: 5, currency: 'USD' });
  expect(waiting(book)).toBe(2);
  await client.get('records.remove', { id: bIds[1] ?? 0 });
  expect(waiting(book)).toBe(3);
  await client.get('reconciliations.update', { id: reconciliation.id, name: 'Renamed' });
  await client.get('streams.update', { key: 'ledger', name: 'Renamed' });
  await client.get('bank_accounts.create', { name: 'Current' });
  expect(waiting(book)).toBe(6);
  synced(book);
  expect(waiting(book)).toBe(0);
});

test('a match waits, taken apart it waits again; what only Tieout made to balance it does not', async () => {
  const { book, aIds, bIds, reconciliation } = await bookWithTwoStreams();
  synced(book);
  const ids = [aIds[0] ?? 0, bIds[1] ?? 0];
  const match = await book.client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: ids, create_adjustment: true });
  expect(waiting(book)).toBe(1);
  synced(book);
  await book.client.get('matches.remove', { id: match.id });
  expect(waiting(book)).toBe(1);
});

test('what sync changed, what a person has to decide, and what the remote does not take wait for nothing', async () => {
  const { book, aIds, bIds } = await bookWithTwoStreams();
  synced(book);
  await book.client.get('records.update', { id: aIds[0] ?? 0, description: 'by sync' });
  run(book, 'DROP TRIGGER audit_log_no_update');
  run(book, "UPDATE audit_log SET actor = 'sync'");
  expect(waiting(book)).toBe(0);
  run(book, "DELETE FROM sync_links WHERE resource = 'records' AND local_id IN (?, ?)", aIds[1] ?? 0, bIds[1] ?? 0);
  expect(waiting(book)).toBe(2);
  run(book, "INSERT INTO sync_lines VALUES (1, 'records', 1, 'refused', 'records', ?, 'a line', 'why')", aIds[1] ?? 0);
  expect(waiting(book)).toBe(1);
  run(
    book,
    "INSERT INTO sync_conflicts(id, remote_id, kind, resource, local_id, what, local, remote, choices, detail, seen_at) VALUES (1, 1, 'record', 'records', ?, '', '', '', '[]', '{}', 0)",
    bIds[1] ?? 0,
  );
  expect(waiting(book)).toBe(0);
  // Once it is decided the next sync carries it out.
  run(book, "UPDATE sync_conflicts SET choice = 'keep_local'");
  expect(waiting(book)).toBe(1);
});

test('an overdue mark waits although its record is there', async () => {
  const { book, aIds, reconciliation } = await bookWithTwoStreams();
  synced(book);
  await book.client.get('records.mark_overdue', {
    id: aIds[0] ?? 0,
    reconciliation_id: reconciliation.id,
    overdue_at: '2026-06-30T00:00:00.000Z',
  });
  expect(waiting(book)).toBe(1);
});
