import { describe, expect, test } from 'vitest';
import { quickTest, some } from '../support/long.ts';
import { contentOf, expectEmpty, expectEqual, fill, recordsOf, twoBooks } from './two-books.ts';

const LINES = {
  ledger: [
    ['L1', '2026-06-01', 1250, 'Invoice 1'],
    ['L2', '2026-06-02', 700, 'Invoice 2'],
  ],
  bank: [
    ['B1', '2026-06-03', 1250, 'Transfer 1'],
    ['B2', '2026-06-03', 700, 'Transfer 2'],
  ],
} as const;

const CHOICES = ['keep_local', 'take_remote'] as const;

async function synced() {
  const books = await twoBooks();
  const own = await fill(books.here, LINES);
  const account = await books.here.client.get('bank_accounts.create', { name: 'Current', currency: 'EUR' });
  const balance = { date: '2026-06-30', balance_type: 'closing_ledger', amount_cents: 100 } as const;
  await books.here.client.get('bank_account_balances.put', { ...balance, bank_account_id: account.id });
  const filters = { operand: 'and' as const, rules: [{ key: 'signed_amount', value: 'signed_amount' }] };
  const rule = await books.here.client.get('rules.create', { reconciliation_id: own.id, filters, description: 'By amount' });
  expect(await books.sync()).toMatchObject({ ok: true, error: null });
  const there = new Map((await recordsOf(books.there)).map(({ description, id }) => [description ?? '', id]));
  const id = (side: 'here' | 'there', description: string): number => (side === 'here' ? own.ids : there).get(description) ?? 0;
  const [reconciliation] = (await books.there.client.get('reconciliations.list', {})).data;
  return { ...books, id, own, account, balance, rule, thereId: reconciliation?.id ?? 0 };
}

for (const choice of some(CHOICES, 1)) {
  test(`name, rule, balance and record changed on both sides are conflicts, shown each time, and end as chosen: ${choice}`, async () => {
    const books = await synced();
    const { here, there, sync, resolve, id } = books;
    const sides = [
      [here, 'here', 'H'],
      [there, 'there', 'T'],
    ] as const;
    for (const [book, side, mark] of sides) {
      await book.client.get('streams.update', { key: 'bank', name: `Bank ${mark}` });
      const [reconciliation] = (await book.client.get('reconciliations.list', {})).data;
      const [rule] = await book.client.get('rules.list', { reconciliation_id: reconciliation?.id ?? 0 });
      await book.client.get('rules.update', { id: rule?.id ?? 0, description: `Rule ${mark}` });
      const [account] = await book.client.get('bank_accounts.list', {});
      const amount_cents = side === 'here' ? 1 : 2;
      await book.client.get('bank_account_balances.put', { ...books.balance, bank_account_id: account?.id ?? 0, amount_cents });
      await book.client.get('records.update', { id: id(side, 'Invoice 1'), description: `Invoice ${mark}` });
    }
    await here.client.get('records.remove', { id: id('here', 'Invoice 2') });
    await there.client.get('records.update', { id: id('there', 'Invoice 2'), amount: 701 });

    const first = await sync();
    expect(first.conflicts.map(({ kind }) => kind).toSorted()).toEqual(['balance', 'name', 'record', 'record', 'rule']);
    expect(first).toMatchObject({ ok: false, error: null, sent: { changes: 0 }, received: { changes: 0 } });
    expect((await sync()).conflicts).toEqual(first.conflicts);

    for (const conflict of first.conflicts) {
      expect(conflict.choices).toEqual(['keep_local', 'take_remote']);
      await resolve(conflict.id, choice);
    }
    expect(await sync()).toMatchObject({ ok: true, error: null, conflicts: [] });
    const streams = (await contentOf(there)).streams;
    expect(streams).toContain(choice === 'keep_local' ? 'bank Bank H' : 'bank Bank T');
    expect(await contentOf(here)).toEqual(await contentOf(there));
    expect((await recordsOf(here)).length).toBe(choice === 'keep_local' ? 3 : 4);
    expectEmpty(await sync());
    await expectEqual(books);
  });
}

for (const choice of ['keep_local', 'take_remote', 'neither'] as const) {
  quickTest(`the same record matched differently is a conflict, and the loser's match is taken apart: ${choice}`, async () => {
    const books = await synced();
    const { here, there, sync, resolve, id, own, thereId } = books;
    await here.client.get('matches.create', { reconciliation_id: own.id, record_ids: [id('here', 'Invoice 1'), id('here', 'Transfer 1')] });
    await there.client.get('matches.create', {
      reconciliation_id: thereId,
      record_ids: [id('there', 'Invoice 1'), id('there', 'Transfer 2')],
    });

    const { conflicts, sent, received } = await sync();
    expect(conflicts).toMatchObject([{ kind: 'match', choices: ['keep_local', 'take_remote', 'neither'] }]);
    expect([sent.matches, received.matches]).toEqual([0, 0]);

    await resolve(conflicts[0]?.id ?? 0, choice);
    expect(await sync()).toMatchObject({ ok: true, conflicts: [] });
    const matched = (await recordsOf(here)).filter(({ status }) => status === 'reconciled').map(({ description }) => description);
    const kept = { keep_local: ['Invoice 1', 'Transfer 1'], take_remote: ['Invoice 1', 'Transfer 2'], neither: [] };
    expect(matched.toSorted()).toEqual(kept[choice]);
    expect(await contentOf(here)).toEqual(await contentOf(there));
    expectEmpty(await sync());
    await expectEqual(books);
  });
}

for (const choice of some(CHOICES.toReversed(), 1)) {
  test(`what a closed period refuses is a conflict, and the side that closed it keeps what it signed: ${choice}`, async () => {
    const books = await synced();
    const { here, there, sync, resolve, own } = books;
    const balances = (['bank', 'books'] as const).map((side) => ({ side, opening: 0, stated_closing: 0 }));
    const period = await here.client.get('periods.create', { reconciliation_id: own.id, from: '2026-06-01', to: '2026-06-30', balances });
    await here.client.get('periods.prepare', { id: period.id, by: 'Amira' });
    await here.client.get('periods.review', { id: period.id, by: 'Ben' });
    await here.client.get('periods.close', { id: period.id, by: 'Ben', unexplained_reason: 'A test' });
    await there.client.get('records.create', {
      data_stream_key: 'bank',
      date: '2026-06-20',
      amount: 5,
      currency: 'EUR',
      external_id: 'late',
    });

    const first = await sync();
    expect(first.conflicts).toMatchObject([{ kind: 'closed_period', choices: ['keep_local', 'take_remote'] }]);
    expect(first.remote.cannot_move).toMatchObject([{ resource: 'periods' }]);
    expect((await sync()).conflicts).toMatchObject([{ id: first.conflicts[0]?.id }]);

    await resolve(first.conflicts[0]?.id ?? 0, choice);
    if (choice === 'take_remote') await here.client.get('periods.reopen', { id: period.id, by: 'Ben', reason: 'A line came late' });
    expect(await sync()).toMatchObject({ ok: true, error: null, conflicts: [] });
    expect((await recordsOf(here)).length).toBe(choice === 'keep_local' ? 4 : 5);
    await expectEqual(books);
  });
}

describe('found once: records of a match decided one by one', () => {
  const LINES = { ledger: [['L1', '2026-06-01', 1250, 'Invoice 1']], bank: [['B1', '2026-06-03', 1250, 'Transfer 1']] } as const;

  test('of a match here both records were deleted there: what was decided of one stands until the other is decided too', async () => {
    const books = await twoBooks();
    const { here, there, sync, resolve } = books;
    const { id, ids } = await fill(here, LINES);
    await sync();
    await here.client.get('matches.create', { reconciliation_id: id, record_ids: [...ids.values()] });
    for (const record of await recordsOf(there)) await there.client.get('records.remove', { id: record.id });

    const first = await sync();
    expect(first.conflicts.map(({ kind }) => kind)).toEqual(['record', 'record']);
    const [one, other] = first.conflicts;
    await resolve(one?.id ?? 0, 'keep_local');
    const second = await sync();
    expect(second.conflicts).toEqual([other]);
    await resolve(other?.id ?? 0, 'keep_local');
    expect(await sync()).toMatchObject({ ok: true, error: null, conflicts: [] });
    expect((await recordsOf(there)).map(({ status }) => status)).toEqual(['reconciled', 'reconciled']);
    await expectEqual(books);
  });
});
