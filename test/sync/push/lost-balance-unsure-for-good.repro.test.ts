import { expect, it } from 'vitest';
import { contentOf } from '../../support/remotes/reading.ts';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';
import { bookOf } from '../remote-book.ts';

it('sends a balance again whose answers were lost, since the same balance twice is one', async () => {
  const remote = new SpecificationRemote();
  seedMonth(remote);
  const { book, sync } = await bookOf(remote);
  const { id } = await book.client.get('bank_accounts.create', { name: 'Savings', currency: 'EUR' });
  await sync();
  await book.client.get('bank_account_balances.put', {
    bank_account_id: id,
    date: '2026-06-30',
    balance_type: 'closing_ledger',
    amount_cents: 500,
  });
  remote.faults.add({ kind: 'drop-after' }, { method: 'POST', path: /bank_account_balances/ });
  expect(await sync()).toMatchObject({ error: { code: 'unreachable' } });
  remote.faults.clear();
  expect(await sync()).toMatchObject({ error: null, unsure: [], sent: { balances: 1 } });
  expect(contentOf(remote).balances.filter(({ amount_cents: cents }) => cents === 500)).toHaveLength(1);
});
