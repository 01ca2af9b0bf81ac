import { expect, test } from 'vitest';
import type { Alarm } from '../../../src-main/platform/ports.ts';
import { systemAlarm } from '../../../src-main/platform/system.ts';
import { fill } from '../two-books.ts';
import { LINES, syncedWindow, windowSync } from './window-sync.ts';

test('one sync at a time; what is under way can be cancelled, and the next one goes on', async () => {
  const { here, there, remoteId, work } = await windowSync();
  await fill(here, LINES);
  const id = String(remoteId);
  await here.client.get('syncs.start', { id, what: 'sync' });
  expect(await here.client.call('syncs.start', { id, what: 'sync' })).toMatchObject({ ok: false, error: { code: 'sync_in_progress' } });
  expect(await here.client.call('sync_remotes.remove', { id })).toMatchObject({ ok: false, error: { code: 'sync_in_progress' } });
  await here.client.get('syncs.cancel', { id });
  const seen = async () => (await here.client.get('syncs.get', { id })).activity;
  await expect.poll(async () => (await seen())?.ended_at, { timeout: 10_000 }).not.toBeNull();
  expect(await seen()).toMatchObject({ cancelled: true, error: null, phase: 'ended' });
  expect(await here.client.call('syncs.cancel', { id })).toMatchObject({ ok: false, error: { code: 'conflict' } });
  const { activity } = await work('sync');
  expect(activity.error).toBeNull();
  expect((await there.client.get('records.list', {})).data).toHaveLength(5);
});

test('progress counts what was planned, and says what happened', async () => {
  const { here, work } = await windowSync();
  await fill(here, LINES);
  const { plan } = await work('preview');
  const planned = plan?.rows.reduce((sum, { send, receive }) => sum + send + receive, 0);
  const { activity } = await work('sync');
  expect([activity.done, activity.total]).toEqual([planned, planned]);
  const records = activity.rows.find(({ resource, stream }) => resource === 'records' && stream === null);
  expect(records).toMatchObject({ sent: { done: 5, total: 5 }, received: { done: 0, total: 0 }, state: 'done' });
  expect(activity.happened.map(({ words }) => words)).toContain('The ledger: 3 lines sent');
  expect(activity.happened[0]).toMatchObject({ mark: 'done', words: 'Done: 8 sent, 0 received' });
});

test('a remote that does not answer is said to be away', async () => {
  // Nobody waits a second or more between two tries.
  const soon: Alarm = { after: (delayMs, ring) => systemAlarm.after(delayMs / 20, ring) };
  const { here, stopServing, remoteId, work } = await syncedWindow(soon);
  await stopServing();
  const { activity } = await work('sync');
  expect(activity.error?.code).toBe('unreachable');
  const { remotes } = await here.client.get('sync_remotes.list', {});
  expect(remotes.find(({ id }) => id === remoteId)).toMatchObject({ state: 'no_network' });
}, 60_000);

test('a remote that there is not starts nothing', async () => {
  const { here, remoteId } = await windowSync();
  const { remotes } = await here.client.get('sync_remotes.list', {});
  expect(remotes).toMatchObject([{ id: remoteId, key_kept: 'encrypted_file', state: 'not_synced' }]);
  const other = await here.client.call('syncs.start', { id: String(remoteId + 1), what: 'sync' });
  expect(other).toMatchObject({ ok: false, error: { code: 'not_found' } });
});
