import { expect, it } from 'vitest';
import { LiveRemote } from '../support/remotes/live-remote.ts';
import { contentOf } from '../support/remotes/reading.ts';
import { seedMonth, Seeding } from '../support/remotes/seeding.ts';
import { SpecificationRemote } from '../support/remotes/specification-remote.ts';
import { bookOf, movedIn, NOTHING, outcomeOf } from './remote-book.ts';

const FILTERS = { operand: 'and' as const, rules: [{ key: 'reference', value: 'reference' }] };
const ROLLUP = { group_by_kind: 'date' as const, lookback_days: 3, date_field: 'date' };

/** Rules of the book, and how a remote may tell of the same rule: fields that mean nothing are null there, or left out. */
const SAME: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>])[] = [
  ['has all its fields', {}, {}],
  ['has no method', {}, { method: undefined }],
  ['has a method that is null', {}, { method: null }],
  ['has no cardinality', {}, { cardinality: undefined }],
  ['has a cardinality that is null', {}, { cardinality: null }],
  ['has no group_by', {}, { group_by: undefined }],
  ['has a group_by that is null', {}, { group_by: null }],
  ['has no rollup and no description', {}, { rollup: undefined, description: undefined }],
  ['has an empty description', {}, { description: '' }],
  ['leaves out all it can', {}, { cardinality: undefined, group_by: undefined, rollup: undefined, description: undefined }],
  [
    'rolls up and does not say which side is many',
    { cardinality: 'many_to_one', group_by: ['date'], rollup: ROLLUP },
    { cardinality: 'many_to_one', group_by: ['date'], rollup: ROLLUP },
  ],
];

it.each(SAME)('knows a rule again that %s at the remote', async (_, own, theirs) => {
  const remote = new LiveRemote();
  const { main } = seedMonth(remote);
  const { book, sync, verify } = await bookOf(remote);
  await sync();
  const [reconciliation] = (await book.client.get('reconciliations.list', {})).data;
  await book.client.get('rules.create', { reconciliation_id: reconciliation?.id ?? 0, filters: FILTERS, priority: 30, ...own });
  Object.assign(new Seeding(remote).rule(main, { filters: FILTERS, priority: 30 }), theirs);
  expect(outcomeOf(await sync())).toEqual(NOTHING);
  expect(outcomeOf(await sync())).toEqual(NOTHING);
  expect(contentOf(remote).rules).toHaveLength(3);
  expect(await verify()).toMatchObject({ value: { equal: true } });
});

it('takes a property that says nothing of optional for an optional one', async () => {
  const remote = new LiveRemote();
  seedMonth(remote);
  const { book, sync } = await bookOf(remote);
  await sync();
  const definition = { data_stream_key: 'bank', key: 'branch', name: 'Branch', type: 'string' } as const;
  await book.client.get('property_definitions.create', definition);
  const id = remote.state.nextId();
  remote.state.definitions.set(id, { id, ...definition, optional: undefined as unknown as boolean });
  expect(outcomeOf(await sync())).toEqual(NOTHING);
});

it('says of a proposed rule, here or there, that it does not move', async () => {
  for (const remote of [new LiveRemote(), new SpecificationRemote()]) {
    const { main } = seedMonth(remote);
    new Seeding(remote).rule(main, { status: 'proposed', source: 'ai', description: 'Found there', filters: FILTERS });
    const { book, sync } = await bookOf(remote);
    const preview = await sync({ preview: true });
    const result = await sync();
    for (const { remote: said, received } of [preview, result]) {
      expect(movedIn(received)).toMatchObject({ rules: 2 });
      expect(said.cannot_move).toContainEqual({ resource: 'rules', name: 'Found there', reason: expect.stringContaining('proposed') });
    }
    const [reconciliation] = (await book.client.get('reconciliations.list', {})).data;
    expect(await book.client.get('rules.list', { reconciliation_id: reconciliation?.id ?? 0 })).toHaveLength(2);
  }
});
