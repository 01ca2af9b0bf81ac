import { expect, it, onTestFinished, vi } from 'vitest';
import { LiveRemote } from '../../support/remotes/live-remote.ts';
import { contentOf } from '../../support/remotes/reading.ts';
import { Seeding, seedMonth } from '../../support/remotes/seeding.ts';
import { Stranger } from '../../support/remotes/stranger.ts';
import { bookOf, movedIn, NOTHING, outcomeOf, recordsAt, recordsIn } from '../remote-book.ts';

async function month(options: ConstructorParameters<typeof LiveRemote>[0] = {}) {
  const remote = new LiveRemote(options);
  const seeded = seedMonth(remote);
  return { remote, seeded, ...(await bookOf(remote)) };
}

it('asks without changing anything in a preview, and counts what then comes', async () => {
  const { remote, book, sync } = await month();
  const preview = await sync({ preview: true });
  expect(remote.log.writes()).toEqual([]);
  expect(await recordsIn(book)).toEqual([]);
  const result = await sync();
  expect(preview.remote.kind).toBe('live');
  expect(movedIn(preview.received)).toEqual(movedIn(result.received));
  expect(movedIn(preview.sent)).toEqual(movedIn(result.sent));
});

it('brings everything, records without a batch too, and nothing twice', async () => {
  const { remote, book, sync, verify } = await month();
  const before = contentOf(remote);
  expect(outcomeOf(await sync())).toEqual({
    ...NOTHING,
    received: { streams: 2, records: 6, reconciliations: 1, rules: 2, matches: 1, stories: 1, accounts: 1, balances: 1 },
  });
  expect(await recordsIn(book)).toEqual(recordsAt(remote));
  expect(outcomeOf(await sync())).toEqual(NOTHING);
  expect(contentOf(remote)).toEqual(before);
  expect(await verify()).toEqual({ ok: true, value: { equal: true, differences: [] } });
  const { data } = await book.client.get('matches.list', {});
  expect(data).toMatchObject([{ status: 'matched', record_count: 2 }]);
});

it('pages through many records by cursor', async () => {
  const { remote, seeded, book, sync, verify } = await month();
  const seed = new Seeding(remote);
  for (let n = 0; n < 450; n += 1) seed.record(seeded.bank, { amount: n, description: `Line ${n}` });
  expect((await sync()).received.records).toBe(456);
  expect((await book.client.get('streams.health', { key: 'bank' })).records_count).toBe(454);
  expect(await verify()).toMatchObject({ value: { equal: true } });
  expect(remote.log.lines().filter((line) => line.includes('offset'))).toEqual([]);
});

it('takes yen with two places for no change', async () => {
  const { remote, book, sync } = await month();
  await sync();
  const { client } = book;
  await client.get('records.create', {
    data_stream_key: 'bank',
    date: '2026-06-20',
    amount: 900,
    currency: 'JPY',
    direction: 'credit',
    external_id: 'Y-1',
  });
  expect(outcomeOf(await sync())).toEqual({ ...NOTHING, sent: { records: 1 } });
  expect(JSON.stringify(remote.log.writes().map(({ body }) => body))).not.toContain('decimal_places');
  expect(outcomeOf(await sync())).toEqual(NOTHING);
  expect((await client.get('records.list', { external_id: 'Y-1' })).data).toMatchObject([{ amount: 900, decimal_places: 0 }]);
});

it('sends what is new: streams as api, reconciliations, rules, matches, marks', async () => {
  const { remote, book, sync, verify } = await month();
  await sync();
  const { client } = book;
  const cash = await client.get('streams.create', { key: 'cash', name: 'Cash', type: 'csv' });
  const bank = await client.get('streams.get', { key: 'bank' });
  const made = await client.get('reconciliations.create', {
    name: 'Cash and bank',
    run_type: 'batch',
    side_a_stream_ids: [cash.id],
    side_b_stream_ids: [bank.id],
  });
  await client.get('rules.create', {
    reconciliation_id: made.id,
    filters: { rules: [{ key: 'amount', value: 'amount' }] },
    description: 'By amount',
  });
  const paid = await client.get('records.create', { data_stream_key: 'cash', date: '2026-06-30', amount: 999, direction: 'debit' });
  const open = await client.get('records.create', { data_stream_key: 'cash', date: '2026-06-30', amount: 1, direction: 'debit' });
  const lost = (await client.get('records.list', { q: 'batch' })).data[0];
  await client.get('matches.create', { reconciliation_id: made.id, record_ids: [paid.id, lost?.id ?? 0] });
  await client.get('records.mark_overdue', { id: open.id, reconciliation_id: made.id });
  expect(outcomeOf(await sync())).toEqual({
    ...NOTHING,
    sent: { streams: 1, records: 2, reconciliations: 1, rules: 1, matches: 1, overdue: 1 },
  });
  const content = contentOf(remote);
  expect(content.streams).toContainEqual({ key: 'cash', name: 'Cash', type: 'api' });
  expect(content.reconciliations).toContainEqual({ name: 'Cash and bank', a: ['cash'], b: ['bank'] });
  expect(content.overdue).toMatchObject([{ record: { amount: -1 }, reconciliation: 'Cash and bank' }]);
  expect(outcomeOf(await sync())).toEqual(NOTHING);
  expect(await verify()).toEqual({ ok: true, value: { equal: true, differences: [] } });
  expect(await client.get('streams.get', { key: 'cash' })).toMatchObject({ type: 'csv' });
});

it('sends and brings changes, deletes and matches that were taken apart', async () => {
  const { remote, seeded, book, sync, verify } = await month();
  await sync();
  const { client } = book;
  const [yen, lost] = await Promise.all(
    ['B-4', undefined].map(async (external_id) =>
      external_id === undefined
        ? ((await client.get('records.list', { q: 'batch' })).data[0]?.id ?? 0)
        : ((await client.get('records.list', { external_id })).data[0]?.id ?? 0),
    ),
  );
  await client.get('records.update', { id: yen ?? 0, description: 'Yen', amount: 4000 });
  await client.get('records.remove', { id: lost ?? 0 });
  remote.state.removeMatch(seeded.match);
  remote.state.putRecord({ ...seeded.sold, description: 'Changed there' });
  expect(outcomeOf(await sync())).toEqual({ ...NOTHING, sent: { changes: 2 }, received: { changes: 1, unmatched: 1 } });
  expect(remote.state.records.get(seeded.yen.id)).toMatchObject({ description: 'Yen', amount: 4000 });
  expect(remote.state.records.has(seeded.lost.id)).toBe(false);
  expect(await recordsIn(book)).toEqual(recordsAt(remote));
  expect(outcomeOf(await sync())).toEqual(NOTHING);
  expect(await verify()).toMatchObject({ value: { equal: true } });
});

it('takes a match apart there that was taken apart here', async () => {
  const { remote, book, sync } = await month();
  await sync();
  const [match] = (await book.client.get('matches.list', {})).data;
  await book.client.get('matches.remove', { id: match?.id ?? 0 });
  expect(outcomeOf(await sync())).toEqual({ ...NOTHING, sent: { unmatched: 1 } });
  expect(contentOf(remote).matches).toMatchObject([{ status: 'proposed' }]);
});

it.each(['keep_local', 'take_remote'] as const)(
  'asks about a record that both sides changed, and does what is chosen: %s',
  async (choice) => {
    const { remote, seeded, book, sync, resolve } = await month();
    await sync();
    const yen = (await book.client.get('records.list', { external_id: 'B-4' })).data[0];
    await book.client.get('records.update', { id: yen?.id ?? 0, description: 'Here' });
    remote.state.putRecord({ ...seeded.yen, description: 'There' });
    const result = await sync();
    expect(result).toMatchObject({ ok: false, conflicts: [{ kind: 'record', choices: ['keep_local', 'take_remote'] }] });
    expect((await sync()).conflicts).toEqual(result.conflicts);
    await resolve(result.conflicts[0]?.id ?? 0, choice);
    expect(await sync()).toMatchObject({ ok: true, conflicts: [] });
    expect(remote.state.records.get(seeded.yen.id)?.description).toBe(choice === 'keep_local' ? 'Here' : 'There');
    expect(await recordsIn(book)).toEqual(recordsAt(remote));
  },
);

it('recognises at the first sync what is on both sides', async () => {
  const { remote, book, sync, verify } = await month();
  const { client } = book;
  const bank = await client.get('streams.create', { key: 'bank', name: 'Bank', type: 'csv' });
  const ledger = await client.get('streams.create', { key: 'ledger', name: 'Ledger' });
  await client.get('records.create', {
    data_stream_key: 'bank',
    date: '2026-06-01',
    amount: 120_000,
    direction: 'debit',
    description: 'Rent June',
    external_id: 'B-1',
  });
  await client.get('records.create', {
    data_stream_key: 'bank',
    date: '2026-06-30',
    amount: 999,
    direction: 'credit',
    description: 'No batch',
  });
  await client.get('reconciliations.create', {
    name: 'Bank and ledger',
    run_type: 'batch',
    side_a_stream_ids: [bank.id],
    side_b_stream_ids: [ledger.id],
  });
  await client.get('bank_accounts.create', { name: 'Current account', currency: 'USD' });
  expect(outcomeOf(await sync())).toEqual({ ...NOTHING, received: { records: 4, rules: 2, matches: 1, stories: 1, balances: 1 } });
  expect(remote.log.writes()).toEqual([]);
  expect(await recordsIn(book)).toEqual(recordsAt(remote));
  expect(await verify()).toMatchObject({ value: { equal: true } });
});

it('doubles nothing when answers are lost', async () => {
  const { remote, book, sync } = await month();
  await sync();
  const { client } = book;
  const before = contentOf(remote);
  await client.get('streams.create', { key: 'cash', name: 'Cash' });
  await client.get('records.create', { data_stream_key: 'cash', date: '2026-06-20', amount: 3, direction: 'debit' });
  await client.get('records.create', { data_stream_key: 'cash', date: '2026-06-20', amount: 3, direction: 'debit' });
  await client.get('bank_accounts.create', { name: 'Savings' });
  const [reconciliation] = (await client.get('reconciliations.list', {})).data;
  await client.get('stories.create', {
    name: 'Month end',
    links: [{ reconciliation_id: reconciliation?.id ?? 0, position: 1, role: 'origin' }],
  });
  remote.faults.addAnyOf([{ kind: 'drop-after' }, { kind: 'status', status: 503, handled: true }], { method: 'POST', times: 4 });
  const result = await sync();
  expect(result).toMatchObject({ error: null, unsure: [], refused: [] });
  await sync();
  const content = contentOf(remote);
  expect(content.streams).toHaveLength(before.streams.length + 1);
  expect(content.records).toHaveLength(before.records.length + 2);
  expect(content.accounts).toHaveLength(before.accounts.length + 1);
  expect(content.stories).toHaveLength(before.stories.length + 1);
});

it('never sends the key to where a redirect leads', async () => {
  const stranger = await new Stranger().start();
  onTestFinished(() => stranger.stop());
  const { remote, sync } = await month();
  remote.faults.add({ kind: 'redirect', to: stranger.origin }, { path: /records/ });
  expect((await sync()).error).toMatchObject({ code: 'redirected' });
  expect(stranger.log.entries).toEqual([]);
});

it('ends at once when it is cancelled while the remote says nothing', async () => {
  const { remote, book, sync } = await month();
  remote.faults.add({ kind: 'hang' }, { path: /records/ });
  const person = new AbortController();
  const cancelled = sync({ signal: person.signal });
  await vi.waitFor(() => expect(remote.log.entries.at(-1)?.fault).toBe('hang'), 10_000);
  person.abort();
  expect((await cancelled).error).toMatchObject({ code: 'cancelled' });
  remote.faults.clear();
  expect(await sync()).toMatchObject({ ok: true });
  expect(await recordsIn(book)).toEqual(recordsAt(remote));
});

it.each([
  ['wrong-type', { kind: 'wrong-type', field: 'amount' }, 'records'],
  ['a missing name', { kind: 'wrong-type', field: 'name', value: null }, 'name'],
] as const)('names the field that does not fit: %s', async (_, fault, named) => {
  const { remote, book, sync } = await month();
  remote.faults.add(fault);
  expect((await sync()).error).toMatchObject({
    code: 'unexpected_answer',
    message: expect.stringContaining(named),
    field: expect.any(String),
  });
  expect(await recordsIn(book)).toEqual([]);
});

it('does not take a wrong key', async () => {
  const { remote, sync } = await month();
  expect((await sync({ apiKey: 'another' })).error).toMatchObject({ code: 'wrong_key' });
  expect(remote.log.entries).toHaveLength(1);
});
