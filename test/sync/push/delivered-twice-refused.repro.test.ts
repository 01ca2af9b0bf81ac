import { expect, it } from 'vitest';
import { LiveRemote } from '../../support/remotes/live-remote.ts';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { bookOf } from '../remote-book.ts';

it('does not call refused what the network delivered twice and the remote made the first time', async () => {
  const remote = new LiveRemote();
  seedMonth(remote);
  const { book, sync, verify } = await bookOf(remote);
  await sync();
  await book.client.get('streams.create', { key: 'till', name: 'Till', type: 'csv' });
  remote.faults.add({ kind: 'twice' }, { method: 'POST', path: /data_streams$/ });
  expect(await sync()).toMatchObject({ error: null, refused: [], unsure: [], sent: { streams: 1 } });
  expect(await verify()).toEqual({ ok: true, value: { equal: true, differences: [] } });
});

it('still says what a remote refuses', async () => {
  const remote = new LiveRemote();
  seedMonth(remote);
  const { book, sync } = await bookOf(remote);
  await sync();
  await book.client.get('streams.create', { key: 'till', name: 'Till', type: 'csv' });
  remote.faults.add({ kind: 'status', status: 409 }, { method: 'POST', path: /data_streams$/ });
  expect(await sync()).toMatchObject({ refused: [{ resource: 'streams', name: 'Till', status: 409 }], sent: { streams: 0 } });
});
