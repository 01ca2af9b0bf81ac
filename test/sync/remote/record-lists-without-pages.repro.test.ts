import { expect, it } from 'vitest';
import { contentOf } from '../../support/remotes/reading.ts';
import { Seeding, seedMonth } from '../../support/remotes/seeding.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';
import { bookOf, NOTHING, outcomeOf, recordsIn } from '../remote-book.ts';

it('reads the records of a batch and of a match from a bare array, and asks for no page of it', async () => {
  const remote = new SpecificationRemote({ recordLists: 'array' });
  const { bank, batch } = seedMonth(remote);
  for (let n = 0; n < 130; n += 1) new Seeding(remote).record(bank, { amount: n + 1, description: `Line ${n}`, batch });
  const { book, sync } = await bookOf(remote);
  expect(await sync()).toMatchObject({ error: null });
  expect((await book.client.get('streams.health', { key: 'bank' })).records_count).toBe(133);
  await book.client.get('records.create', {
    data_stream_key: 'bank',
    date: '2026-06-20',
    amount: 5,
    direction: 'debit',
    description: 'New',
  });
  expect(outcomeOf(await sync())).toEqual({ ...NOTHING, sent: { records: 1 } });
  expect(contentOf(remote).records.filter(({ description }) => description === 'New')).toHaveLength(1);
  expect(outcomeOf(await sync())).toEqual(NOTHING);
  expect((await recordsIn(book)).length).toBe(100);
});
