import { expect, test } from 'vitest';
import type { TestBook } from '../../support/books/backend.ts';
import { contentOf, expectEmpty, expectEqual, recordsOf } from '../two-books.ts';
import { syncedWindow } from './window-sync.ts';

test('a comparison names the lines that differ, and a repair syncs them as the plain changes that they are', async () => {
  const window = await syncedWindow();
  const { here, there, work, idOf, remoteId } = window;
  const fresh = { date: '2026-06-20', amount: 5, currency: 'EUR' };
  await there.client.get('records.create', { data_stream_key: 'ledger', ...fresh, external_id: 'T', description: 'New there' });
  await here.client.get('records.create', { data_stream_key: 'ledger', ...fresh, external_id: 'H', description: 'New here' });
  await there.client.get('records.update', { id: String(idOf('there', 'Invoice 1')), description: 'Invoice one' });

  const { verified } = await work('verify');
  expect(verified?.equal).toBe(false);
  const ledger = verified?.rows.find(({ name }) => name === 'The ledger');
  expect(ledger?.differences.map(({ side, line }) => [side, line.name.split(' · ')[1]]).toSorted()).toEqual([
    ['both', 'Invoice 1'],
    ['here', 'New here'],
    ['there', 'New there'],
  ]);
  expect(verified?.rows.find(({ name }) => name === 'The bank')).toMatchObject({ equal: true, differences: [] });

  await here.client.get('streams.update', { key: 'bank', name: 'Bank, renamed' });
  await work('repair');
  const { data } = await here.client.get('sync_runs.list', { id: String(remoteId) });
  expect(data[0]).toMatchObject({ what: 'repair', sent_total: 2, received_total: 2, to_decide: 0, verified: { equal: true } });
  expect((await there.client.get('streams.get', { key: 'bank' })).name).toBe('Bank, renamed');
  expect(await contentOf(here)).toEqual(await contentOf(there));
  await expectEqual(window);
});

/** Edits, deletions and additions of a line that is on both sides, as a person makes them on one side. */
const ACTS = {
  deleted: (book: TestBook, id: number) => book.client.get('records.remove', { id }),
  edited: (book: TestBook, id: number) => book.client.get('records.update', { id, description: 'Edited' }),
  nothing: () => Promise.resolve(),
} as const;
type Act = keyof typeof ACTS;

const lines = async (book: TestBook) => (await recordsOf(book)).map(({ description }) => description).toSorted();

test.for([
  ['deleted', 'nothing', 'gone'],
  ['nothing', 'deleted', 'gone'],
  ['deleted', 'deleted', 'gone'],
  ['edited', 'nothing', 'edited'],
  ['nothing', 'edited', 'edited'],
  ['edited', 'edited', 'edited'],
] as const satisfies (readonly [Act, Act, string])[])(
  'a line that was %s here and %s there is %s after a repair, and nothing comes back',
  async ([own, theirs, end]) => {
    const window = await syncedWindow();
    const { here, there, repair, idOf } = window;
    await ACTS[own](here, idOf('here', 'Transfer 2'));
    await ACTS[theirs](there, idOf('there', 'Transfer 2'));
    expect(await repair()).toMatchObject({ ok: true, conflicts: [], received: { records: 0 }, sent: { records: 0 } });
    const left = (await lines(here)).filter((name) => name === 'Transfer 2' || name === 'Edited');
    expect(left).toEqual(end === 'gone' ? [] : ['Edited']);
    expect(await lines(there)).toEqual(await lines(here));
    await expectEqual(window);
    expectEmpty(await repair());
  },
);

test.for([
  ['edited', 'deleted'],
  ['deleted', 'edited'],
] as const)('a line that was %s here and %s there is put to a person by a repair, and stays as it is', async ([own, theirs]) => {
  const { here, there, repair, idOf } = await syncedWindow();
  await ACTS[own](here, idOf('here', 'Transfer 2'));
  await ACTS[theirs](there, idOf('there', 'Transfer 2'));
  const before = { here: await lines(here), there: await lines(there) };
  for (let times = 0; times < 2; times += 1) {
    const moved = { records: 0, changes: 0 };
    expect(await repair()).toMatchObject({ conflicts: [{ kind: 'record' }], received: moved, sent: moved });
    expect({ here: await lines(here), there: await lines(there) }).toEqual(before);
  }
});

test('a match that one side took apart stays apart, and one that one side made goes over', async () => {
  const window = await syncedWindow();
  const { here, there, repair, idOf, own, thereId } = window;
  const pair = (side: 'here' | 'there', one: string, other: string) => [idOf(side, one), idOf(side, other)];
  const { id } = await here.client.get('matches.create', {
    reconciliation_id: own.id,
    record_ids: pair('here', 'Invoice 1', 'Transfer 1'),
  });
  await repair();
  await here.client.get('matches.remove', { id });
  await there.client.get('matches.create', { reconciliation_id: thereId, record_ids: pair('there', 'Bill 2', 'Transfer 2') });
  expect(await repair()).toMatchObject({ ok: true, sent: { unmatched: 1, matches: 0 }, received: { matches: 1 } });
  await expectEqual(window);
  expect(await contentOf(here)).toEqual(await contentOf(there));
});

test('a line that somebody edits while the repair syncs goes with its second look', async () => {
  const window = await syncedWindow();
  const { here, there, repair, idOf, asked } = window;
  await here.client.get('records.update', { id: idOf('here', 'Transfer 1'), description: 'In other words' });
  let isEdited = false;
  const own: typeof fetch = async (input, init) => {
    asked.push({ method: init?.method ?? 'GET', url: String(input), key: null });
    const answer = await fetch(input, init);
    // The sync has compared by the time at which it sends something.
    if (!isEdited && init?.method === 'PATCH') {
      isEdited = true;
      await there.client.get('records.update', { id: idOf('there', 'Transfer 2'), description: 'Edited meanwhile' });
    }
    return answer;
  };
  expect(await repair({ fetch: own })).toMatchObject({ ok: true, sent: { changes: 1 }, received: { changes: 1 } });
  await expectEqual(window);
  expect(await contentOf(here)).toEqual(await contentOf(there));
});
