import { expect, it } from 'vitest';
import { openBook } from '../../src-main/book/store/book.ts';
import { intentsOf } from '../../src-main/sync/store/links.ts';
import { assert } from '../../src-shared/values/assert.ts';
import { contentOf } from '../support/remotes/reading.ts';
import { seedMonth } from '../support/remotes/seeding.ts';
import { SpecificationRemote } from '../support/remotes/specification-remote.ts';
import { bookOf } from './remote-book.ts';

const LOST = { method: 'POST', path: /bank_accounts$/, times: 1 } as const;

/** A remote with a lost answer: whether the account that was sent is there is said by `kind`. */
async function lost(kind: 'drop-after' | 'drop-before') {
  const remote = new SpecificationRemote();
  seedMonth(remote);
  const own = await bookOf(remote);
  const { client } = own.book;
  await own.sync();
  const account = await client.get('bank_accounts.create', { name: 'Savings', currency: 'EUR' });
  await client.get('bank_account_balances.put', {
    bank_account_id: account.id,
    date: '2026-06-30',
    balance_type: 'closing_ledger',
    amount_cents: 500,
  });
  remote.faults.add({ kind }, LOST);
  expect(await own.sync()).toMatchObject({ error: null, unsure: [{ resource: 'accounts', name: 'Savings' }] });
  const [remoteRow] = (await client.get('sync_remotes.list', {})).remotes;
  assert(remoteRow !== undefined, 'a sync keeps its remote');
  const list = () => client.get('sync_unsure.list', { id: remoteRow.id });
  const stands = async () => (await client.get('sync_remotes.list', {})).remotes[0];
  const [unsure] = await list();
  assert(unsure !== undefined, 'it is unsure');
  return {
    ...own,
    remote,
    client,
    account,
    unsure,
    list,
    stands,
    settle: (choice: string | null) => client.call('sync_unsure.settle', { id: unsure.id, choice }),
    there: () => contentOf(remote).accounts.filter(({ name }) => name === 'Savings'),
    keyThere: () => String([...remote.state.accounts.values()].find(({ name }) => name === 'Savings')?.id),
    balances: () => [...remote.state.balances.values()].filter(({ amount_cents: cents }) => cents === 500),
  };
}

it('lists what is unsure, counts it as to decide, and tells a preview the same', async () => {
  const { sync, client, unsure, account, stands, list, remote } = await lost('drop-after');
  expect(unsure).toMatchObject({ local_id: account.id, name: 'Savings', sent_as: 'Savings, EUR', choice: null, decided_at: null });
  expect(await stands()).toMatchObject({ state: 'to_decide', to_decide: 1, waiting: 0 });
  const [why] = await client.get('syncs.why', { resource: 'accounts', id: account.id });
  expect(why).toMatchObject({ state: 'unsure', words: expect.stringContaining(unsure.sent_at) });
  const [run] = (await client.get('sync_runs.list', { id: unsure.remote_id })).data;
  expect(run).toMatchObject({ state: 'to_decide', to_decide: 1 });
  const preview = await sync({ preview: true });
  expect(preview).toMatchObject({ sent: { accounts: 0, balances: 0 }, unsure: [{ name: 'Savings' }] });
  expect(await list()).toEqual([unsure]);
  const id = unsure.remote_id;
  await client.get('sync_remotes.update', { id, api_key: remote.key });
  await client.get('syncs.start', { id, what: 'preview' });
  await expect
    .poll(async () => (await client.get('syncs.get', { id })).plan?.rows.find(({ resource }) => resource === 'accounts'))
    .toMatchObject({
      here: 1,
      send: 0,
      to_decide: 1,
      there: null,
    });
});

it('links what is there under an id, without sending it, and sends its balance there', async () => {
  const { sync, client, account, settle, there, keyThere, balances, list, stands, remote } = await lost('drop-after');
  expect(await settle(keyThere())).toMatchObject({ ok: true, value: { choice: keyThere(), decided_at: expect.any(String) } });
  expect(await stands()).toMatchObject({ state: 'waiting', to_decide: 0 });
  const preview = await sync({ preview: true });
  remote.log.clear();
  const result = await sync();
  expect(result).toMatchObject({ ok: true, sent: { accounts: 0, balances: 1 }, unsure: [] });
  expect([preview.sent, preview.unsure]).toEqual([result.sent, []]);
  expect(remote.log.writes().filter(({ path }) => path.endsWith('bank_accounts'))).toEqual([]);
  expect([there().length, await list()]).toEqual([1, []]);
  expect(balances().map(({ bank_account_id: id }) => String(id))).toEqual([keyThere()]);
  expect(await client.get('syncs.why', { resource: 'accounts', id: account.id })).toMatchObject([{ state: 'synced' }]);
  expect(await sync()).toMatchObject({ ok: true, sent: { accounts: 0, balances: 0, changes: 0 } });
});

it('sends again what is not there, and waits again when that answer is lost too', async () => {
  const { sync, settle, there, list, remote, stands } = await lost('drop-before');
  expect(there()).toEqual([]);
  await settle('send_again');
  expect(await stands()).toMatchObject({ to_decide: 0 });
  expect(await sync({ preview: true })).toMatchObject({ sent: { accounts: 1, balances: 1 }, unsure: [] });
  remote.faults.add({ kind: 'drop-before' }, LOST);
  expect(await sync()).toMatchObject({ unsure: [{ name: 'Savings' }] });
  expect(await list()).toMatchObject([{ choice: null }]);
  expect(await sync()).toMatchObject({ unsure: [{ name: 'Savings' }] });
  await settle('send_again');
  expect(await sync()).toMatchObject({ ok: true, sent: { accounts: 1, balances: 1 }, unsure: [] });
  expect([there().length, await list()]).toEqual([1, []]);
});

it('takes back what was said, and refuses an id that is none, or that of another account', async () => {
  const { sync, client, settle, list, account, remote } = await lost('drop-after');
  await settle('send_again');
  expect(await settle(null)).toMatchObject({ ok: true, value: { choice: null, decided_at: null } });
  expect(await sync()).toMatchObject({ unsure: [{ name: 'Savings' }] });
  for (const choice of ['0', '-1', '1.5', 'N', '']) {
    expect(await settle(choice)).toMatchObject({ ok: false, error: { message: expect.stringContaining('a whole number from 1 on') } });
  }
  await client.get('bank_accounts.create', { name: 'Deposit', currency: 'EUR' });
  await sync();
  const taken = String([...remote.state.accounts.values()].find(({ name }) => name === 'Deposit')?.id);
  expect(await settle(taken)).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: expect.stringContaining('that of Deposit') },
  });
  expect(await list()).toMatchObject([{ local_id: account.id, choice: null }]);
});

it('knows it by what was sent, whatever it is called here meanwhile', async () => {
  const { sync, client, settle, account, keyThere, list } = await lost('drop-after');
  await client.get('bank_accounts.update', { id: String(account.id), name: 'Reserve' });
  expect(await sync()).toMatchObject({ unsure: [{ name: 'Reserve' }] });
  expect(await list()).toMatchObject([{ name: 'Reserve', sent_as: 'Savings, EUR' }]);
  await settle(keyThere());
  const result = await sync();
  expect(result).toMatchObject({ unsure: [], sent: { accounts: 0, balances: 1 } });
  // There it has the old name, and the remote has no way to change it.
  expect(result.remote.cannot_move).toContainEqual(expect.objectContaining({ resource: 'accounts', name: 'Reserve' }));
});

it('leaves nothing of an account that was deleted here', async () => {
  const { sync, client, book, account, list, stands, settle, unsure } = await lost('drop-after');
  await client.get('bank_accounts.remove', { id: String(account.id), streams_to: 'none' });
  expect(await list()).toEqual([]);
  expect(await stands()).toMatchObject({ to_decide: 0 });
  expect(await settle('send_again')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(await sync()).toMatchObject({ ok: true, unsure: [] });
  const opened = openBook(book.folder);
  assert(opened.ok, 'the book is read beside its service');
  expect(intentsOf(opened.value, unsure.remote_id)).toEqual([]);
  opened.value.close();
});
