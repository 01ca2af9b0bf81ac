import { expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { failEachStatement } from '../../support/faults/failing-statements.ts';

/** A bound on the statements of one operation, so that a loop without end is a failure. */
const MOST_STATEMENTS = 20;

const OPERATIONS: Readonly<Record<string, (book: QuietBook) => Promise<Outcome<unknown>>>> = {
  'records.mark_overdue': ({ client }) => client.call('records.mark_overdue', { id: 2, reconciliation_id: 1 }),
  'reconciliations.mark_overdue, again': ({ client }) =>
    client.call('reconciliations.mark_overdue', { rid: 1, id: 1, overdue_at: '2026-01-01T00:00:00Z' }),
  'records.clear_overdue': ({ client }) => client.call('records.clear_overdue', { id: 1, reconciliation_id: 1 }),
  'exceptions.create': ({ client }) => client.call('exceptions.create', { reconciliation_id: 1, data_stream_id: 2 }),
  'exceptions.update': ({ client }) => client.call('exceptions.update', { id: 1, status: 'resolved' }),
  'exceptions.remove': ({ client }) => client.call('exceptions.remove', { id: 1 }),
  'streams.reset, its start': ({ client }) => client.call('streams.reset', { key: 'bank' }),
  'api_keys.issue': ({ client }) => client.call('api_keys.issue', { environment: 'test', permission: 'read', name: 'Sync' }),
  'api_keys.revoke': ({ client }) => client.call('api_keys.revoke', { id: 1 }),
};

test.each(Object.entries(OPERATIONS))('%s: whichever statement fails, all is as it was; then it works', async (_what, act) => {
  const book = openQuietBook();
  await setUpPair(book.client, { a: numbered(2), b: numbered(2) });
  await book.client.get('records.mark_overdue', { id: 1, reconciliation_id: 1 });
  await book.client.get('exceptions.create', { reconciliation_id: 1, data_stream_id: 1 });
  await book.client.get('api_keys.issue', { environment: 'live', permission: 'read', name: 'First' });
  const { outcomes, isUnchanged } = await failEachStatement(book.database, () => act(book), MOST_STATEMENTS);
  expect(outcomes.length).toBeGreaterThan(2);
  expect(outcomes).toEqual([...outcomes.slice(1).map(() => 'storage_full'), 'done']);
  expect(isUnchanged).toEqual(outcomes.map((outcome) => outcome !== 'done'));
  expect(firstBrokenAuditEntry(book.database)).toBeNull();
});
