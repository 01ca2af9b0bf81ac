import { expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { failEachStatement } from '../../support/faults/failing-statements.ts';

/** A bound on the statements of one operation, so that a loop without end is a failure. */
const MOST_STATEMENTS = 50;

/** Accounts 1 and 2 with balances, streams 1 to 3, reconciliations 1 (1 | 2) and 2 (2 | 3), both linked in stories 1 and 2. */
async function filledBook(): Promise<QuietBook> {
  const book = openQuietBook();
  const { client } = book;
  for (const name of ['Current', 'Deposit']) await client.get('bank_accounts.create', { name });
  const balances = [1, 2, 3].map((day) => ({ date: `2026-06-0${day}`, balance_type: 'other' as const, amount_cents: day }));
  for (const bank_account_id of [1, 2]) await client.get('bank_account_balances.put_many', { bank_account_id, balances });
  await client.get('bank_accounts.create', { name: 'Deleted' });
  await client.get('streams.create', { key: 'was-linked', name: 'Was linked', bank_account_id: 3 });
  await client.get('bank_accounts.remove', { id: 3, streams_to: 'none' });
  for (const id of [1, 2, 3]) await client.get('streams.create', { key: `s${id}`, name: `Stream ${id}`, bank_account_id: 2 });
  for (const id of [1, 2]) {
    await client.get('reconciliations.create', { name: `R${id}`, run_type: 'batch', side_a_stream_ids: [id], side_b_stream_ids: [id + 1] });
  }
  const links = [{ reconciliation_id: 1 }, { reconciliation_id: 2, shared_data_stream_id: 2 }];
  for (const name of ['Month end', 'Quarter end']) await client.get('stories.create', { name, links });
  return book;
}

const OPERATIONS: Readonly<Record<string, (book: QuietBook) => Promise<Outcome<unknown>>>> = {
  'bank_accounts.update': ({ client }) => client.call('bank_accounts.update', { id: 1, name: 'New' }),
  'bank_accounts.remove, with balances': ({ client }) => client.call('bank_accounts.remove', { id: 1 }),
  'bank_accounts.remove, whose streams go elsewhere': ({ client }) => client.call('bank_accounts.remove', { id: 2, streams_to: 1 }),
  'bank_accounts.restore, with its streams': ({ client }) => client.call('bank_accounts.restore', { id: 3 }),
  'bank_account_balances.put_many, new ones and known ones': ({ client }) =>
    client.call('bank_account_balances.put_many', {
      bank_account_id: 1,
      balances: ['2026-06-01', '2026-06-09', '2026-06-02'].map((date) => ({ date, balance_type: 'other' as const, amount_cents: -9 })),
    }),
  'streams.update, another account': ({ client }) => client.call('streams.update', { key: 's1', bank_account_id: 1 }),
  'stories.create': ({ client }) => client.call('stories.create', { name: 'New', links: [{ reconciliation_id: 2 }] }),
  'stories.update, name and chain': ({ client }) =>
    client.call('stories.update', { id: 1, name: 'New', links: [{ reconciliation_id: 2 }] }),
  'stories.remove': ({ client }) => client.call('stories.remove', { id: 1 }),
  'reconciliations.remove, out of two stories': ({ client }) => client.call('reconciliations.remove', { id: 1 }),
};

test.each(Object.entries(OPERATIONS))('%s: whichever statement fails, all is as it was; then it works', async (_what, act) => {
  const book = await filledBook();
  const { outcomes, isUnchanged } = await failEachStatement(book.database, () => act(book), MOST_STATEMENTS);
  // At least the change itself and its audit entry can fail.
  expect(outcomes.length).toBeGreaterThan(2);
  expect(outcomes).toEqual([...outcomes.slice(1).map(() => 'storage_full'), 'done']);
  expect(isUnchanged).toEqual(outcomes.map((outcome) => outcome !== 'done'));
  expect(firstBrokenAuditEntry(book.database)).toBeNull();
});
