import { describe, expect, it, onTestFinished } from 'vitest';
import { contentOf } from '../../support/remotes/reading.ts';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';
import { Stranger } from '../../support/remotes/stranger.ts';
import { bookOf, type BookOfRemote, movedIn, NOTHING, outcomeOf, recordsIn } from '../remote-book.ts';

async function month(options: ConstructorParameters<typeof SpecificationRemote>[0] = {}) {
  const remote = new SpecificationRemote(options);
  const seeded = seedMonth(remote);
  return { remote, seeded, ...(await bookOf(remote)) };
}

/** Records in batches; the others of the month are in none, and cannot be listed. */
const LISTED = ['B-1', 'B-4', null];

const CHARGE = { data_stream_key: 'bank', date: '2026-06-20', amount: 300, direction: 'debit', description: 'Charge' } as const;

const externalIds = async ({ book }: Pick<BookOfRemote, 'book'>) =>
  (await recordsIn(book)).map(({ external_id }) => external_id).toSorted();

it('asks without changing anything in a preview, and counts what then comes', async () => {
  const { remote, book, sync } = await month();
  const preview = await sync({ preview: true });
  expect(remote.log.writes()).toEqual([]);
  expect(await recordsIn(book)).toEqual([]);
  const result = await sync();
  expect(preview.remote.kind).toBe('specification');
  expect(movedIn(preview.received)).toEqual(movedIn(result.received));
  expect(movedIn(preview.sent)).toEqual(movedIn(result.sent));
});

it('brings what can be listed, and nothing twice', async () => {
  const { remote, book, sync, verify } = await month();
  const before = contentOf(remote);
  const result = await sync();
  expect(outcomeOf(result)).toMatchObject({
    error: null,
    sent: {},
    received: { streams: 2, reconciliations: 1, rules: 2, stories: 1 },
    refused: [],
    unsure: [],
  });
  expect(await externalIds({ book })).toEqual(expect.arrayContaining(LISTED));
  expect(outcomeOf(await sync())).toEqual(NOTHING);
  expect(contentOf(remote)).toEqual(before);
  expect(await verify()).toMatchObject({ ok: true });
});

it('keeps a rule that it does not understand, paused with the reason, and never sends it back otherwise', async () => {
  const { remote, seeded, book, sync } = await month();
  await sync();
  const [reconciliation] = (await book.client.get('reconciliations.list', {})).data;
  const rules = await book.client.get('rules.list', { reconciliation_id: reconciliation?.id ?? 0 });
  expect(rules.find(({ description }) => description === 'By ear')).toMatchObject({ paused: true, paused_reason: expect.any(String) });
  await sync();
  expect(remote.state.rules.get(seeded.strange.id)?.filters).toEqual(seeded.strange.filters);
});

it.each(['relative', 'absolute', 'query'] as const)('follows links that are %s', async (as) => {
  const { book, sync } = await month({ links: { as } });
  expect(await sync()).toMatchObject({ error: null });
  expect(await externalIds({ book })).toEqual(expect.arrayContaining(LISTED));
});

it('sends debits as negative amounts, and records without an external_id under one that stays', async () => {
  const { remote, book, sync } = await month();
  await sync();
  await book.client.get('records.create', CHARGE);
  await book.client.get('records.create', CHARGE);
  expect(outcomeOf(await sync())).toEqual({ ...NOTHING, sent: { records: 2 } });
  const sent = contentOf(remote).records.filter(({ description }) => description === 'Charge');
  expect(sent.map(({ amount }) => amount)).toEqual([-300, -300]);
  expect(new Set(sent.map(({ external_id }) => external_id)).size).toBe(2);
  const bodies = remote.log.writes().map(({ body }) => JSON.stringify(body));
  expect(bodies.filter((body) => body.includes('direction') || body.includes('null'))).toEqual([]);
  expect(outcomeOf(await sync())).toEqual(NOTHING);
  expect(await recordsIn(book)).toHaveLength((await externalIds({ book })).length);
});

it('says what the remote cannot take', async () => {
  const { remote, book, sync } = await month();
  await sync();
  await book.client.get('streams.create', { key: 'cash', name: 'Cash' });
  const listed = (await book.client.get('records.list', { external_id: 'B-4' })).data[0];
  await book.client.get('records.update', { id: listed?.id ?? 0, description: 'Yen' });
  const before = contentOf(remote);
  const result = await sync();
  expect(result).toMatchObject({ ok: true, error: null });
  expect(result.remote.cannot_move).toEqual(
    expect.arrayContaining([
      { resource: 'streams', name: 'Cash', reason: expect.any(String) },
      { resource: 'records', name: expect.stringContaining('Yen'), reason: expect.any(String) },
    ]),
  );
  expect(contentOf(remote)).toEqual(before);
});

it('sends names, rules, stories, accounts, balances and overdue marks', async () => {
  const { remote, book, sync } = await month();
  await sync();
  const { client } = book;
  const [reconciliation] = (await client.get('reconciliations.list', {})).data;
  const id = reconciliation?.id ?? 0;
  const rules = await client.get('rules.list', { reconciliation_id: id });
  await client.get('streams.update', { key: 'bank', name: 'Main bank' });
  await client.get('rules.update', { id: rules.find(({ description }) => description === 'Amount')?.id ?? 0, priority: 7 });
  await client.get('stories.create', { name: 'Month end', links: [{ reconciliation_id: id, position: 1, role: 'origin' }] });
  const account = await client.get('bank_accounts.create', { name: 'Savings', currency: 'EUR' });
  const balance = { bank_account_id: account.id, date: '2026-06-30', balance_type: 'closing_ledger', amount_cents: 77 } as const;
  await client.get('bank_account_balances.put', balance);
  const yen = (await client.get('records.list', { external_id: 'B-4' })).data[0];
  await client.get('records.mark_overdue', { id: yen?.id ?? 0, reconciliation_id: id });
  const result = await sync();
  expect(outcomeOf(result)).toEqual({ ...NOTHING, sent: { changes: 2, stories: 1, accounts: 1, balances: 1, overdue: 1 } });
  const content = contentOf(remote);
  expect(content.streams).toContainEqual({ key: 'bank', name: 'Main bank', type: 'csv' });
  expect(content.rules).toContainEqual(expect.objectContaining({ description: 'Amount', priority: 7 }));
  expect(content.stories).toContainEqual({ name: 'Month end', chain: ['Bank and ledger'] });
  expect(content.balances).toContainEqual({ account: 'Savings', date: '2026-06-30', balance_type: 'closing_ledger', amount_cents: 77 });
  expect(content.overdue).toMatchObject([{ record: { external_id: 'B-4' } }]);
  expect(outcomeOf(await sync())).toEqual(NOTHING);
});

it('sends a match, and takes none apart', async () => {
  const { remote, book, sync } = await month();
  await sync();
  const { client } = book;
  const [reconciliation] = (await client.get('reconciliations.list', {})).data;
  const ledger = await client.get('records.create', {
    data_stream_key: 'ledger',
    date: '2026-06-15',
    amount: 5000,
    currency: 'JPY',
    decimal_places: 2,
    external_id: 'L-9',
  });
  const yen = (await client.get('records.list', { external_id: 'B-4' })).data[0];
  const match = await client.get('matches.create', { reconciliation_id: reconciliation?.id ?? 0, record_ids: [yen?.id ?? 0, ledger.id] });
  expect(outcomeOf(await sync())).toEqual({ ...NOTHING, sent: { records: 1, matches: 1 } });
  const isIt = ({ records }: { records: readonly ({ external_id: string | null } | null)[] }) =>
    records.some((record) => record?.external_id === 'L-9');
  expect(contentOf(remote).matches.filter(isIt)).toHaveLength(1);
  await client.get('matches.remove', { id: match.id });
  const result = await sync();
  expect(result.remote.cannot_move).toContainEqual({ resource: 'matches', name: expect.any(String), reason: expect.any(String) });
  expect(contentOf(remote).matches.filter(isIt)).toHaveLength(1);
});

it('never sends the key to where a link leads', async () => {
  const stranger = await new Stranger().start();
  onTestFinished(() => stranger.stop());
  const { remote, sync } = await month({ links: { as: 'elsewhere', origin: stranger.origin } });
  expect((await sync()).error?.message).toContain(new URL(stranger.origin).host);
  expect(stranger.log.withKey(remote.key)).toEqual([]);
});

it.each([301, 302, 307, 308] as const)('never sends the key to where a redirect of %i leads', async (status) => {
  const stranger = await new Stranger().start();
  onTestFinished(() => stranger.stop());
  const { remote, book, sync } = await month();
  remote.faults.add({ kind: 'redirect', to: stranger.origin, status }, { after: 3 });
  expect((await sync()).error).toMatchObject({ message: expect.stringContaining(new URL(stranger.origin).host) });
  expect(stranger.log.entries).toEqual([]);
  remote.faults.clear();
  expect(await sync()).toMatchObject({ error: null });
  expect(await externalIds({ book })).toEqual(expect.arrayContaining(LISTED));
});

it('doubles nothing when answers are lost, and says where nobody can know', async () => {
  const { remote, book, sync } = await month();
  await sync();
  await book.client.get('records.create', CHARGE);
  await book.client.get('bank_accounts.create', { name: 'Savings', currency: 'EUR' });
  remote.faults.add({ kind: 'drop-after' }, { method: 'POST', path: /bulk$/, times: 1 });
  remote.faults.add({ kind: 'drop-after' }, { method: 'POST', path: /bank_accounts$/ });
  const first = await sync();
  expect(first).toMatchObject({ ok: false, error: null, unsure: [{ resource: 'accounts', name: 'Savings', reason: expect.any(String) }] });
  remote.faults.clear();
  expect((await sync()).unsure).toHaveLength(1);
  const content = contentOf(remote);
  expect(content.records.filter(({ description }) => description === 'Charge')).toHaveLength(1);
  expect(content.accounts.filter(({ name }) => name === 'Savings')).toHaveLength(1);
});

it.each([
  ['a guest network', { kind: 'portal' }],
  ['500', { kind: 'status', status: 500 }],
  ['503', { kind: 'status', status: 503 }],
  ['429', { kind: 'too-many', seconds: 1 }],
  ['a body that is cut off', { kind: 'truncate' }],
  ['a dropped connection', { kind: 'drop-before' }],
  ['a field of a wrong type', { kind: 'wrong-type', field: 'id' }],
] as const)('changes nothing when all it meets is %s, says so, and goes on later', async (_, fault) => {
  const { remote, book, sync } = await month();
  remote.faults.add(fault);
  const failed = await sync();
  expect(failed).toMatchObject({ ok: false, error: { code: expect.any(String), message: expect.stringMatching(/\w+ .+/) } });
  expect([await recordsIn(book), remote.log.writes()]).toEqual([[], []]);
  expect(remote.log.entries.length).toBeLessThanOrEqual(6);
  remote.faults.clear();
  expect(await sync()).toMatchObject({ error: null });
});

describe('found once: matched without batch', () => {
  it('brings a record that has no batch, when a match of the remote shows it', async () => {
    const remote = new SpecificationRemote();
    const { match } = seedMonth(remote);
    const { book, sync, verify } = await bookOf(remote);
    const preview = await sync({ preview: true });
    const result = await sync();
    expect(result).toMatchObject({ ok: true, received: { matches: 1 }, remote: { cannot_move: [] } });
    expect(result.received).toEqual(preview.received);
    expect((await recordsIn(book)).map(({ external_id }) => external_id)).toContain('L-1');
    const asked = remote.log.entries.length;
    expect(outcomeOf(await sync())).toEqual(NOTHING);
    // A match that both sides know is not looked into again.
    const later = remote.log.lines().slice(asked);
    expect(later.filter((line) => line.includes(`reconciliation_match_id=${match.id}`))).toEqual([]);
    expect(await verify()).toEqual({ ok: true, value: { equal: true, differences: [] } });
  });
});
