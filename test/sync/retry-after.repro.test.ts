import { expect, it } from 'vitest';
import { TEST_START_MS } from '../support/books/backend.ts';
import type { Fault } from '../support/remotes/faults.ts';
import { LiveRemote } from '../support/remotes/live-remote.ts';
import { seedMonth } from '../support/remotes/seeding.ts';
import { bookOf } from './remote-book.ts';

async function waitsWith(fault: Fault): Promise<number[]> {
  const remote = new LiveRemote();
  seedMonth(remote);
  remote.faults.add(fault, { after: 4, times: 1 });
  const { sync, waits } = await bookOf(remote);
  expect(await sync()).toMatchObject({ ok: true });
  return waits;
}

it('waits as many seconds as a busy remote asks for, also more than a minute', async () => {
  expect(Math.max(...(await waitsWith({ kind: 'too-many', seconds: 90 })))).toBe(90_000);
});

it('waits until the time that a busy remote names', async () => {
  // By the clock of the machine, which stands still in a test.
  const seconds = Math.round((TEST_START_MS - Date.now()) / 1000) + 40;
  const waits = await waitsWith({ kind: 'too-many', seconds, as: 'date' });
  expect(Math.max(...waits)).toBeGreaterThan(30_000);
  expect(Math.max(...waits)).toBeLessThan(50_000);
});
