import { expect, it } from 'vitest';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';
import { bookOf } from '../remote-book.ts';

it('makes an account that was refused for its key, once there is another key', async () => {
  const remote = new SpecificationRemote();
  seedMonth(remote);
  const { book, sync } = await bookOf(remote);
  await sync();
  await book.client.get('bank_accounts.create', { name: 'Savings', currency: 'EUR' });
  remote.faults.add({ kind: 'status', status: 403 }, { method: 'POST', path: /bank_accounts$/ });
  expect(await sync()).toMatchObject({ error: { code: 'key_not_allowed' } });
  remote.faults.clear();
  expect(await sync()).toMatchObject({ error: null, unsure: [], sent: { accounts: 1 } });
});
