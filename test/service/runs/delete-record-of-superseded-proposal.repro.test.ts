import { expect, test } from 'vitest';
import { openJobs } from '../../../src-main/book/store/jobs.ts';
import { BY_AMOUNT_PROPOSED, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

/** Between the publish step of a run and the clearing of older proposals (or for good, when Tieout dies there) those rows are left. */
async function bookWithSupersededProposal() {
  const book = openQuietBook();
  const { reconciliation, aIds } = await setUpPair(book.client, { a: [{ amount: 100 }], b: [{ amount: 100 }] }, [BY_AMOUNT_PROPOSED]);
  const run = await book.run(reconciliation.id);
  const newer = book.database.connection
    .prepare(
      "INSERT INTO runs(reconciliation_id, kind, mode, cause, status, created_at) VALUES (?, 'batch', 'commit', 'manual', 'completed', 0)",
    )
    .run(reconciliation.id).lastInsertRowid;
  book.database.connection
    .prepare('UPDATE reconciliations SET published_run_id = ?, proposals_since = ? WHERE id = ?')
    .run(newer, newer, reconciliation.id);
  const rows = () => book.database.connection.prepare('SELECT count(*) FROM matches WHERE run_id = ?').pluck().get(run.id);
  expect(rows()).toBe(1);
  expect((await book.client.get('matches.list', {})).total_count).toBe(0);
  return { book, recordId: aIds[0] ?? 0, rows };
}

test('a record that stands in a superseded proposal can be deleted', async () => {
  const { book, recordId } = await bookWithSupersededProposal();
  await book.client.get('records.remove', { id: recordId });
  expect((await book.client.refusal('records.get', { id: recordId })).code).toBe('not_found');
});

test('superseded proposals that were left behind are cleared at the next start', async () => {
  const { book, rows } = await bookWithSupersededProposal();
  book.recover();
  expect(openJobs(book.database)).toEqual([]);
  expect(rows()).toBe(0);
});
