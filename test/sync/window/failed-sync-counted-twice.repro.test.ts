import { expect, test } from 'vitest';
import { syncedWindow } from './window-sync.ts';

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
