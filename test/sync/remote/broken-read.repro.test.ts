import { expect, it } from 'vitest';
import { LiveRemote } from '../../support/remotes/live-remote.ts';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';
import { bookOf } from '../remote-book.ts';

const READS = [/reconciliations/, /reconciliation_rules/, /reconciliation_stories/, /reconciliation_matches/, /records/, /import_batches/];

it.each([500, 520].flatMap((status) => READS.map((path) => ({ status, path }))))(
  'asks once more what broke with $status at $path',
  async ({ status, path }) => {
    const remote = new SpecificationRemote();
    seedMonth(remote);
    remote.faults.add({ kind: 'status', status }, { method: 'GET', path, times: 1 });
    const { sync, waits } = await bookOf(remote);
    expect(await sync()).toMatchObject({ error: null, refused: [] });
    expect(remote.log.entries.some(({ fault }) => fault !== null)).toBe(true);
    expect(waits.length).toBeGreaterThan(0);
  },
);

it('asks six times, and then says what the remote answers', async () => {
  const remote = new LiveRemote();
  seedMonth(remote);
  remote.faults.add({ kind: 'status', status: 500 }, { method: 'GET', path: /reconciliation_rules/ });
  const { sync } = await bookOf(remote);
  expect((await sync()).error).toMatchObject({ code: 'read_refused', message: expect.stringContaining('500') });
  expect(remote.log.entries.filter(({ path }) => path.includes('reconciliation_rules'))).toHaveLength(6);
});

it('sends a change that broke there once more', async () => {
  const remote = new LiveRemote();
  const { yen } = seedMonth(remote);
  const { book, sync } = await bookOf(remote);
  await sync();
  const [own] = (await book.client.get('records.list', { external_id: 'B-4' })).data;
  await book.client.get('records.update', { id: own?.id ?? 0, description: 'Yen' });
  remote.faults.add({ kind: 'status', status: 500 }, { method: 'PATCH', times: 1 });
  expect(await sync()).toMatchObject({ ok: true, sent: { changes: 1 } });
  expect(remote.state.records.get(yen.id)?.description).toBe('Yen');
});
