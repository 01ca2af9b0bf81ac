import { expect, it } from 'vitest';
import { contentOf } from '../../support/remotes/reading.ts';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';
import { bookOf } from '../remote-book.ts';

it('makes no account twice where the remote answers 500 although it was made', async () => {
  const remote = new SpecificationRemote();
  seedMonth(remote);
  const { book, sync } = await bookOf(remote);
  await sync();
  await book.client.get('bank_accounts.create', { name: 'Savings' });
  remote.faults.add({ kind: 'status', status: 500, handled: true }, { method: 'POST', times: 1 });
  expect(await sync()).toMatchObject({ error: null, unsure: [{ resource: 'accounts', name: 'Savings' }] });
  await sync();
  expect(contentOf(remote).accounts.filter(({ name }) => name === 'Savings')).toHaveLength(1);
});
