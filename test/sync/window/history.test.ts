import { describe, expect, test } from 'vitest';
import { assert } from '../../../src-shared/values/assert.ts';
import { syncedWindow } from './window-sync.ts';

test('the first sync backs the book up, has an entry in the history, and both sides are compared after it', async () => {
  const { here, first, remoteId, work } = await syncedWindow();
  expect(first.verified).toMatchObject({ equal: true });
  expect(first.verified?.rows.map(({ name, local }) => [name, local.count])).toEqual(
    expect.arrayContaining([
      ['The ledger', 3],
      ['The bank', 2],
    ]),
  );
  const { data } = await here.client.get('sync_runs.list', { id: String(remoteId) });
  expect(data).toMatchObject([
    { trigger: 'by_hand', is_first: true, state: 'agrees', sent_total: 8, verified: { equal: true, different: 0 } },
  ]);
  const { backups } = await here.client.get('backups.list', {});
  expect(backups.filter(({ kind }) => kind === 'before_sync').map(({ name }) => name)).toEqual([data[0]?.backup]);
  expect(first.activity.backup?.name).toBe(data[0]?.backup);

  await work('sync');
  expect((await here.client.get('backups.list', {})).backups).toHaveLength(backups.length);
});

test('each line of a sync leads to where its object is', async () => {
  const { here, remoteId, own } = await syncedWindow();
  const [run] = (await here.client.get('sync_runs.list', { id: String(remoteId) })).data;
  assert(run !== undefined, 'a sync');
  const sent = await here.client.get('sync_runs.lines', { id: String(run.id), way: 'sent' });
  expect(sent.total).toBe(run.sent_total);
  const record = sent.data.find(({ local_id: id, resource }) => resource === 'records' && id === own.ids.get('Bill 2'));
  expect(record).toMatchObject({ act: 'made', name: '02/06/2026 · Bill 2 · −20.00 EUR', data_stream_key: 'ledger' });
  expect(sent.data.find(({ resource }) => resource === 'reconciliations')).toMatchObject({ name: 'June', reconciliation_id: own.id });
  const streams = await here.client.get('sync_runs.lines', { id: String(run.id), way: 'sent', resource: 'streams' });
  expect(streams.data.map(({ name }) => name).toSorted()).toEqual(['The bank', 'The ledger']);
});

test('each object says whether it is on the remote, and why not', async () => {
  const { here, there, work, idOf, own, thereId } = await syncedWindow();
  const why = async (resource: 'records' | 'matches', id: number) =>
    (await here.client.get('syncs.why', { resource, id: String(id) }))[0]?.state;
  expect(await why('records', idOf('here', 'Invoice 1'))).toBe('synced');
  await here.client.get('records.update', { id: String(idOf('here', 'Invoice 1')), description: 'Invoice 1, corrected' });
  expect(await why('records', idOf('here', 'Invoice 1'))).toBe('changed');
  const fresh = await here.client.get('records.create', { data_stream_key: 'bank', date: '2026-06-09', amount: 1, currency: 'EUR' });
  expect(await why('records', fresh.id)).toBe('not_sent');
  const pair = (side: 'here' | 'there', transfer: string) => [idOf(side, 'Invoice 3'), idOf(side, transfer)];
  const match = await here.client.get('matches.create', { reconciliation_id: own.id, record_ids: pair('here', 'Transfer 1') });
  await there.client.get('matches.create', { reconciliation_id: thereId, record_ids: pair('there', 'Transfer 2') });
  await work('sync');
  expect(await why('matches', match.id)).toBe('to_decide');
  expect(await why('records', fresh.id)).toBe('synced');
});

test('a sync says what it moved then, whatever later syncs do with the same record', async () => {
  const { here, there, remoteId, work, idOf } = await syncedWindow();
  const firstSent = async () => {
    const run = (await here.client.get('sync_runs.list', { id: String(remoteId) })).data.at(-1);
    assert(run !== undefined, 'the first sync');
    const { data } = await here.client.get('sync_runs.lines', { id: String(run.id), way: 'sent', resource: 'records' });
    return data.map(({ act, name, local_id: id }) => ({ act, name, id }));
  };
  const lines = await firstSent();
  expect(lines).toHaveLength(5);
  await here.client.get('records.update', { id: String(idOf('here', 'Bill 2')), description: 'Bill 2, corrected' });
  await work('sync');
  await there.client.get('records.remove', { id: String(idOf('there', 'Bill 2')) });
  await work('sync');
  expect((await here.client.get('records.list', {})).data).toHaveLength(4);
  expect(await firstSent()).toEqual(lines);
});

describe('found once: failed sync counted twice', () => {
  test('a sync that the remote did not let begin is one entry of the history, and what is under way says which', async () => {
    const { here, there, remoteId, work } = await syncedWindow();
    const id = String(remoteId);
    const issued = await there.client.get('api_keys.issue', { environment: 'live', permission: 'read_write', name: 'Sync' });
    await here.client.get('sync_remotes.update', { id, api_key: issued.key });
    await there.client.get('api_keys.revoke', { id: String(issued.id) });
    const { activity } = await work('sync');
    const { data, total } = await here.client.get('sync_runs.list', { id });
    expect(activity.error?.code).toBe('wrong_key');
    expect([total, data[0]?.error?.code]).toEqual([2, 'wrong_key']);
    // Without it the schedule took the entry and what was under way for two failures, and waited twice as long.
    expect(activity.run_id).toBe(data[0]?.id);
  });
});
