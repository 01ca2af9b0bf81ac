import { expect, it } from 'vitest';
import { some } from '../support/long.ts';
import { BAD_CONNECTION } from '../support/remotes/faults.ts';
import { LiveRemote } from '../support/remotes/live-remote.ts';
import { contentOf } from '../support/remotes/reading.ts';
import { Seeding, seedMonth } from '../support/remotes/seeding.ts';
import { SpecificationRemote } from '../support/remotes/specification-remote.ts';
import { bookOf, NOTHING, outcomeOf, recordsAt, recordsIn } from './remote-book.ts';

it.each(some([1, 2, 3, 4, 5, 6], 3))('gets there with a live remote, seed %i', async (seed) => {
  const remote = new LiveRemote({ seed });
  const seeded = seedMonth(remote);
  const { book, sync, verify } = await bookOf(remote);
  remote.faults.addAnyOf(BAD_CONNECTION, { chance: 0.25 });
  const draft = new Seeding(remote);
  await sync();
  for (let n = 0; n < 3; n += 1) {
    draft.record(seeded.bank, { amount: 100 + n, description: `There ${n}` });
    const body = {
      data_stream_key: 'ledger',
      date: `2026-06-2${n}`,
      amount: 10 + n,
      direction: 'credit',
      description: `Here ${n}`,
    } as const;
    await book.client.get('records.create', body).catch(() => null);
    await sync();
  }
  remote.faults.clear();
  expect(await sync()).toMatchObject({ error: null, refused: [], unsure: [], conflicts: [] });
  expect(outcomeOf(await sync())).toEqual(NOTHING);
  const withoutMade = ({ external_id, ...rest }: { external_id: string | null }) => ({
    ...rest,
    external_id: external_id?.startsWith('tieout-') === true ? null : external_id,
  });
  expect(await recordsIn(book)).toEqual(
    recordsAt(remote)
      .map(withoutMade)
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  );
  expect(await verify()).toMatchObject({ value: { equal: true } });
});

it.each(some([1, 2, 3, 4, 5], 3))('gets there with a remote of the specification, seed %i', async (seed) => {
  const remote = new SpecificationRemote({ seed });
  seedMonth(remote);
  const { book, sync } = await bookOf(remote);
  remote.faults.addAnyOf(BAD_CONNECTION, { chance: 0.25 });
  await sync();
  for (let n = 0; n < 3; n += 1) {
    await book.client
      .get('records.create', {
        data_stream_key: 'ledger',
        date: `2026-06-2${n}`,
        amount: 10 + n,
        direction: 'credit',
        description: `New ${n}`,
      })
      .catch(() => null);
    await sync();
  }
  remote.faults.clear();
  const last = await sync();
  expect(last).toMatchObject({ error: null, refused: [], unsure: [] });
  expect(outcomeOf(await sync())).toEqual(NOTHING);
  const there = contentOf(remote).records.filter(({ description }) => description?.startsWith('New') === true);
  const here = (await recordsIn(book)).filter(({ description }) => description?.startsWith('New') === true);
  expect(there.map(({ description }) => description).toSorted()).toEqual(here.map(({ description }) => description).toSorted());
  expect(new Set(here.map(({ description }) => description)).size).toBe(here.length);
});
