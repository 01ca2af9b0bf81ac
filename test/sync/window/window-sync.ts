import { setTimeout as pause } from 'node:timers/promises';
import type { Alarm } from '../../../src-main/platform/ports.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import type { Input, Output, SyncActivity } from '../../../src-shared/contract/index.ts';
import { fill, twoBooks, type TwoBooks } from '../two-books.ts';

export interface WindowSync extends TwoBooks {
  readonly remoteId: number;
  /** Does something and waits for its end. */
  readonly work: (
    what: Input<'syncs.start'>['what'],
    same?: { resource: 'accounts' | 'reconciliations'; local_id: number; remote_key: string }[],
  ) => Promise<Output<'syncs.get'> & { readonly activity: SyncActivity }>;
}

/** Two books, the other one added as a remote by the operations of the window. */
export async function windowSync(alarm?: Alarm): Promise<WindowSync> {
  const books = await twoBooks(alarm);
  const { client } = books.here;
  const { id } = await client.get('sync_remotes.create', { name: 'Head office', base_url: books.baseUrl, api_key: books.apiKey });
  return {
    ...books,
    remoteId: id,
    work: async (what, same) => {
      await client.get('syncs.start', { id: String(id), what, ...(same === undefined ? {} : { same }) });
      for (;;) {
        const seen = await client.get('syncs.get', { id: String(id) });
        const { activity } = seen;
        assert(activity !== null, 'what was started is seen');
        if (activity.ended_at !== null) return { ...seen, activity };
        await pause(10);
      }
    },
  };
}

type Lines = Parameters<typeof fill>[1];

export const LINES: Lines = {
  ledger: [
    ['L1', '2026-06-01', 1000, 'Invoice 1'],
    ['L2', '2026-06-02', -2000, 'Bill 2'],
    [null, '2026-06-03', 3000, 'Invoice 3'],
  ],
  bank: [
    ['B1', '2026-06-01', 1000, 'Transfer 1'],
    ['B2', '2026-06-02', -2000, 'Transfer 2'],
  ],
};

/** The same lines on both sides, synced once. */
export async function syncedWindow(alarm?: Alarm) {
  const window = await windowSync(alarm);
  const own = await fill(window.here, LINES);
  const first = await window.work('sync');
  const [theirs] = (await window.there.client.get('reconciliations.list', {})).data;
  assert(first.activity.error === null && theirs !== undefined, 'the first sync came to its end');
  const thereIds = new Map(
    (await window.there.client.get('records.list', { limit: 100 })).data.map(({ id, description }) => [description, id]),
  );
  const idOf = (side: 'here' | 'there', name: string): number => (side === 'here' ? own.ids : thereIds).get(name) ?? 0;
  return { ...window, first, own, thereId: theirs.id, idOf };
}
