import { expect, test } from 'vitest';
import { assert } from '../../../src-shared/values/assert.ts';
import { fill } from '../two-books.ts';
import { LINES, syncedWindow, windowSync } from './window-sync.ts';

test('a preview adds up on both sides, says what is behind each figure, and writes nothing', async () => {
  const { here, there, asked, work, remoteId } = await windowSync();
  await fill(here, LINES);
  await fill(there, {
    ledger: [
      ['L1', '2026-06-01', 1000, 'Invoice 1'],
      ['L9', '2026-06-09', 9, 'Nine'],
    ],
    bank: [],
  });
  asked.length = 0;
  const { plan } = await work('preview');
  assert(plan !== null, 'there is a plan');
  for (const { resource, here: own, there: theirs, send, receive, agree, to_decide, stays_here, stays_there } of plan.rows) {
    if (own === null || agree === null || theirs === null) continue;
    expect([resource, own]).toEqual([resource, send + agree + to_decide + stays_here]);
    expect([resource, theirs]).toEqual([resource, receive + agree + to_decide + stays_there]);
  }
  const lines = plan.rows.find(({ resource }) => resource === 'records');
  expect(lines).toMatchObject({ here: 5, send: 4, agree: 1, receive: 1, there: 2 });
  expect(plan).toMatchObject({ is_first: true, kind: 'tieout' });
  expect(plan.recognised).toContainEqual({ resource: 'records', by: 'external_id', count: 1 });
  for (const [part, count] of [
    ['send', 4],
    ['receive', 1],
  ] as const) {
    const behind = await here.client.get('syncs.plan_lines', { id: String(remoteId), resource: 'records', part });
    expect([behind.total, behind.data.length]).toEqual([count, count]);
  }
  const [line] = (await here.client.get('syncs.plan_lines', { id: String(remoteId), resource: 'records', part: 'send' })).data;
  expect(line).toMatchObject({ data_stream_key: 'ledger', act: 'made' });
  expect((await there.client.get('records.list', {})).data).toHaveLength(2);
  expect(await here.client.get('sync_runs.list', { id: String(remoteId) })).toEqual({ total: 0, data: [] });
});

test('what one side changed or deleted agrees, and counts as a change', async () => {
  const { here, there, work, idOf } = await syncedWindow();
  await here.client.get('records.update', { id: String(idOf('here', 'Bill 2')), description: 'Bill 2, corrected' });
  await there.client.get('records.remove', { id: String(idOf('there', 'Invoice 3')) });
  const { plan } = await work('preview');
  const of = (name: string) => plan?.rows.find(({ resource }) => resource === name);
  expect(of('records')).toMatchObject({ here: 4, send: 0, agree: 4, to_decide: 0, receive: 0, there: 4 });
  expect(of('changes')).toMatchObject({ send: 1, receive: 1 });
});

test('accounts that may be one are asked about, and those that a person says are one stay one', async () => {
  const { here, there, work } = await windowSync();
  const own = await here.client.get('bank_accounts.create', { name: 'Petty cash', currency: 'GBP' });
  const theirs = await there.client.get('bank_accounts.create', { name: 'Café petty cash', currency: 'GBP' });
  await there.client.get('bank_accounts.create', { name: 'Savings', currency: 'GBP' });
  const { plan } = await work('preview');
  expect(plan?.uncertain).toMatchObject([{ resource: 'accounts', local_id: own.id, remote_key: String(theirs.id) }]);
  await work('sync', [{ resource: 'accounts', local_id: own.id, remote_key: String(theirs.id) }]);
  const names = async (book: typeof here) => (await book.client.get('bank_accounts.list', {})).map(({ name }) => name).toSorted();
  expect(await names(here)).toEqual(['Petty cash', 'Savings']);
  expect(await names(there)).toEqual(['Café petty cash', 'Savings']);
  // A later change goes on to the other side, name and all.
  await here.client.get('bank_accounts.update', { id: String(own.id), name: 'Petty cash, shop' });
  await work('sync');
  expect(await names(there)).toEqual(['Petty cash, shop', 'Savings']);
});
