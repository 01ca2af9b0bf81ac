import { expect, it } from 'vitest';
import { Seeding, seedMonth } from '../support/remotes/seeding.ts';
import { SpecificationRemote } from '../support/remotes/specification-remote.ts';
import { bookOf, recordsIn } from './remote-book.ts';

/** Such a remote names streams by its reconciliations alone. */
async function monthWithCards() {
  const remote = new SpecificationRemote();
  const { bank } = seedMonth(remote);
  const seed = new Seeding(remote);
  const cards = seed.stream('cards', { name: 'Cards' });
  const paired = seed.reconciliation('Cards and bank', [cards], [bank]);
  const synced = await bookOf(remote);
  await synced.sync();
  const add = (amount: number) =>
    synced.book.client.get('records.create', { data_stream_key: 'cards', date: '2026-06-09', amount, currency: 'EUR' });
  await add(1_111);
  await synced.sync();
  remote.state.reconciliations.delete(paired.id);
  return { remote, cards, add, ...synced };
}

it('keeps a stream with its lines that the remote took out of its last reconciliation, and goes on with it', async () => {
  const { remote, cards, add, book, sync, verify } = await monthWithCards();
  const before = await recordsIn(book);
  expect(before.filter(({ stream }) => stream === 'cards')).toHaveLength(1);
  expect(await sync()).toMatchObject({ error: null, refused: [] });
  expect(await recordsIn(book)).toEqual(before);
  await add(2_222);
  expect(await sync()).toMatchObject({ error: null, refused: [], sent: { records: 1 } });
  expect(remote.state.recordsOfStream(cards.id)).toHaveLength(2);
  expect(await sync()).toMatchObject({ sent: { records: 0 }, received: { records: 0 } });
  expect(await verify()).toMatchObject({ value: { equal: true } });
});

it('lets a stream go that the remote deleted', async () => {
  const { remote, cards, book, sync } = await monthWithCards();
  for (const { id } of remote.state.recordsOfStream(cards.id)) remote.state.records.delete(id);
  remote.state.streams.delete(cards.id);
  expect(await sync()).toMatchObject({ error: null });
  expect((await recordsIn(book)).filter(({ stream }) => stream === 'cards')).toEqual([]);
});
