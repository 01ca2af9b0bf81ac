import { expect, it } from 'vitest';
import { LiveRemote } from '../../support/remotes/live-remote.ts';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { bookOf } from '../remote-book.ts';

it.each([502, 503, 504])('tries again when a proxy answers a web page with %i', async (status) => {
  const remote = new LiveRemote();
  seedMonth(remote);
  remote.faults.add({ kind: 'portal', status }, { after: 4, times: 2 });
  const { sync } = await bookOf(remote);
  expect(await sync()).toMatchObject({ ok: true, error: null, received: { records: 6 } });
});
