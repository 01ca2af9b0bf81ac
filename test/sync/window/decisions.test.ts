import { expect, test } from 'vitest';
import { assert } from '../../../src-shared/values/assert.ts';
import { quickTest, some } from '../../support/long.ts';
import { contentOf, expectEqual } from '../two-books.ts';
import { syncedWindow } from './window-sync.ts';

quickTest('a conflict shows both sides and what each choice leads to, and a choice can be taken back', async () => {
  const window = await syncedWindow();
  const { here, there, work, idOf, own, thereId, remoteId } = window;
  const pair = (side: 'here' | 'there', transfer: string) => [idOf(side, 'Invoice 1'), idOf(side, transfer)];
  await here.client.get('matches.create', { reconciliation_id: own.id, record_ids: pair('here', 'Transfer 1') });
  await there.client.get('matches.create', { reconciliation_id: thereId, record_ids: pair('there', 'Transfer 2') });
  await work('sync');

  const { data, undecided } = await here.client.get('sync_conflicts.list', { id: String(remoteId) });
  const [conflict] = data;
  assert(conflict !== undefined, 'a conflict');
  expect(conflict).toMatchObject({ kind: 'match', title: 'Invoice 1', words: 'Matched to different lines', changes_figures: true });
  expect(undecided).toBe(1);
  const shown = await here.client.get('sync_conflicts.get', { id: String(conflict.id) });
  expect(shown.here.lines.map(({ description, side, differs }) => [description, side, differs])).toEqual([
    ['Invoice 1', 'a', false],
    ['Transfer 1', 'b', true],
  ]);
  expect(shown.here.sums.at(-1)).toMatchObject({ label: 'Left over', money: { amount: 0 } });
  expect(shown.there.sums.at(-1)).toMatchObject({ label: 'Left over', money: { amount: 3000 } });
  const openB = (choice: string) =>
    shown.outcomes.find((each) => each.choice === choice)?.effects.find(({ label }) => label === 'Open, side B');
  // Open here: Transfer 2 of -20.00; with theirs Transfer 1 of 10.00; with neither both.
  expect(openB('keep_local')).toMatchObject({ words: '1 line', money: { amount: -2000 }, moves: false });
  expect(openB('take_remote')).toMatchObject({ words: '1 line', money: { amount: 1000 }, moves: true });
  expect(openB('neither')).toMatchObject({ words: '2 lines', money: { amount: -1000 }, moves: true });

  const choose = (choice: string | null) => here.client.get('sync_conflicts.choose', { id: String(conflict.id), choice });
  expect(await choose('take_remote')).toMatchObject({ choice: 'take_remote' });
  expect(await choose(null)).toMatchObject({ choice: null, decided_at: null });
  await work('sync');
  expect((await here.client.get('sync_conflicts.list', { id: String(remoteId) })).undecided).toBe(1);
  const refused = await here.client.call('sync_conflicts.choose', { id: String(conflict.id), choice: 'both' });
  expect(refused).toMatchObject({ ok: false, error: { code: 'conflict' } });

  await choose('take_remote');
  const { verified } = await work('sync');
  expect(verified?.equal).toBe(true);
  expect(await contentOf(here)).toEqual(await contentOf(there));
  expect((await here.client.get('sync_conflicts.list', { id: String(remoteId) })).total).toBe(0);
});

test('what a choice promises is what the next sync brings', async () => {
  for (const choice of some(['keep_local', 'take_remote', 'neither'], 2)) {
    const { here, there, work, idOf, own, thereId, remoteId } = await syncedWindow();
    const pair = (side: 'here' | 'there', transfer: string) => [idOf(side, 'Invoice 1'), idOf(side, transfer)];
    await here.client.get('matches.create', { reconciliation_id: own.id, record_ids: pair('here', 'Transfer 1') });
    await there.client.get('matches.create', { reconciliation_id: thereId, record_ids: pair('there', 'Transfer 2') });
    await work('sync');
    const [conflict] = (await here.client.get('sync_conflicts.list', { id: String(remoteId) })).data;
    const { outcomes } = await here.client.get('sync_conflicts.get', { id: String(conflict?.id) });
    const effects = outcomes.find((each) => each.choice === choice)?.effects ?? [];
    await here.client.get('sync_conflicts.choose', { id: String(conflict?.id), choice });
    await work('sync');
    for (const side of ['a', 'b'] as const) {
      const summary = await here.client.get('reconciliations.summary', { id: String(own.id) });
      const total = summary[side === 'a' ? 'side_a' : 'side_b'].totals[0];
      const promised = effects.find(({ label }) => label === `Open, side ${side.toUpperCase()}`);
      expect([choice, side, promised?.money?.amount]).toEqual([choice, side, total?.unmatched_net]);
    }
  }
});

quickTest('a record, a name, a balance and a rule are shown field by field', async () => {
  const window = await syncedWindow();
  const { here, there, work, idOf, remoteId } = window;
  const account = await here.client.get('bank_accounts.create', { name: 'Current', currency: 'EUR' });
  const balance = { date: '2026-06-30', balance_type: 'closing_ledger' } as const;
  await here.client.get('bank_account_balances.put', { bank_account_id: account.id, ...balance, amount_cents: 100 });
  await work('sync');
  const [theirs] = await there.client.get('bank_accounts.list', {});
  await here.client.get('bank_account_balances.put', { bank_account_id: account.id, ...balance, amount_cents: 150 });
  await there.client.get('bank_account_balances.put', { bank_account_id: theirs?.id ?? 0, ...balance, amount_cents: 170 });
  await here.client.get('records.update', { id: String(idOf('here', 'Bill 2')), amount: 2100, direction: 'debit' });
  await there.client.get('records.remove', { id: String(idOf('there', 'Bill 2')) });
  await here.client.get('streams.update', { key: 'bank', name: 'Bank H' });
  await there.client.get('streams.update', { key: 'bank', name: 'Bank T' });
  await work('sync');
  const { data } = await here.client.get('sync_conflicts.list', { id: String(remoteId) });
  expect(data.map(({ kind, title, words }) => [kind, title, words])).toEqual([
    ['record', 'Bill 2', 'Changed here, deleted there'],
    ['balance', 'Current', 'Balance changed on both sides'],
    ['name', 'Bank H', 'Account changed on both sides'],
  ]);
  const [record, money, name] = await Promise.all(data.map(({ id }) => here.client.get('sync_conflicts.get', { id: String(id) })));
  expect(record?.there.is_gone).toBe(true);
  expect(record?.here.fields).toContainEqual({ name: 'amount', words: '−21.00 EUR', differs: false });
  expect(money?.outcomes.map(({ effects }) => effects[0]?.money?.amount)).toEqual([150, 170]);
  expect(name?.here.fields).toContainEqual({ name: 'name', words: 'Bank H', differs: true });
  for (const { id } of data) await here.client.get('sync_conflicts.choose', { id: String(id), choice: 'keep_local' });
  await work('sync');
  await expectEqual(window);
});
