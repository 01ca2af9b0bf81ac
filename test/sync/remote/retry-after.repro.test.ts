import { expect, it } from 'vitest';
import type { Fault } from '../../support/remotes/faults.ts';
import { LiveRemote } from '../../support/remotes/live-remote.ts';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { bookOf } from '../remote-book.ts';

async function waitsWith(fault: Fault): Promise<number[]> {
  const remote = new LiveRemote();
  seedMonth(remote);
  remote.faults.add(fault, { after: 4, times: 1 });
  const { sync, waits } = await bookOf(remote);
  expect(await sync()).toMatchObject({ ok: true });
  // Others wait for hours.
  return waits.filter((wait) => wait <= 600_000);
}

it('waits as many seconds as a busy remote asks for, also more than a minute', async () => {
  expect(Math.max(...(await waitsWith({ kind: 'too-many', seconds: 90 })))).toBe(90_000);
});

it('waits until the time that a busy remote names, by the clock of the remote', async () => {
  const longest = Math.max(...(await waitsWith({ kind: 'too-many', seconds: 90, as: 'date' })));
  expect(longest).toBeGreaterThan(80_000);
  expect(longest).toBeLessThan(95_000);
});
