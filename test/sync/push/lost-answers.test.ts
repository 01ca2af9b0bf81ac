import { describe, expect, it } from 'vitest';
import { IS_LONG } from '../../support/long.ts';
import type { Fault } from '../../support/remotes/faults.ts';
import { LiveRemote } from '../../support/remotes/live-remote.ts';
import { contentOf } from '../../support/remotes/reading.ts';
import type { Remote } from '../../support/remotes/remote.ts';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';
import { bookOf, type BookOfRemote, NOTHING, outcomeOf } from '../remote-book.ts';

type Client = BookOfRemote['book']['client'];
type Listed = Exclude<keyof ReturnType<typeof contentOf>, 'properties'>;

const reconciliationOf = async (client: Client): Promise<number> => (await client.get('reconciliations.list', {})).data[0]?.id ?? 0;
const streamId = async (client: Client, key: string): Promise<number> => (await client.get('streams.get', { key })).id;

/** What makes one more object of each kind here, that goes there by one POST. */
const MAKE: Readonly<Record<string, { readonly listed: Listed | 'definitions'; readonly make: (client: Client) => Promise<unknown> }>> = {
  streams: { listed: 'streams', make: (client) => client.get('streams.create', { key: 'till', name: 'Till' }) },
  accounts: { listed: 'accounts', make: (client) => client.get('bank_accounts.create', { name: 'Savings' }) },
  'an account without a currency': { listed: 'accounts', make: (client) => client.get('bank_accounts.create', { name: 'No currency' }) },
  properties: {
    listed: 'definitions',
    make: (client) => client.get('property_definitions.create', { data_stream_key: 'bank', key: 'branch', name: 'Branch', type: 'string' }),
  },
  reconciliations: {
    listed: 'reconciliations',
    make: async (client) =>
      client.get('reconciliations.create', {
        name: 'The other way round',
        run_type: 'batch',
        side_a_stream_ids: [await streamId(client, 'ledger')],
        side_b_stream_ids: [await streamId(client, 'bank')],
      }),
  },
  rules: {
    listed: 'rules',
    make: async (client) =>
      client.get('rules.create', {
        reconciliation_id: await reconciliationOf(client),
        filters: { operand: 'and', rules: [{ key: 'reference', value: 'reference' }] },
      }),
  },
  'a rule for groups': {
    listed: 'rules',
    make: async (client) =>
      client.get('rules.create', {
        reconciliation_id: await reconciliationOf(client),
        filters: { operand: 'and', rules: [{ key: 'currency', value: 'currency' }] },
        cardinality: 'many_to_one',
        group_by: ['date'],
        rollup: { group_by_kind: 'date', lookback_days: 3, date_field: 'date' },
      }),
  },
  stories: {
    listed: 'stories',
    make: async (client) =>
      client.get('stories.create', { name: 'Month end', links: [{ reconciliation_id: await reconciliationOf(client) }] }),
  },
  balances: {
    listed: 'balances',
    make: async (client) => {
      const [account] = await client.get('bank_accounts.list', {});
      await client.get('bank_account_balances.put', {
        bank_account_id: account?.id ?? 0,
        date: '2026-07-31',
        balance_type: 'closing_ledger',
        amount_cents: 7,
      });
    },
  },
  records: {
    listed: 'records',
    make: (client) => client.get('records.create', { data_stream_key: 'bank', date: '2026-07-01', amount: 3, currency: 'USD' }),
  },
  matches: {
    listed: 'matches',
    make: async (client) => {
      const open = (await client.get('records.list', { status: 'unreconciled', limit: 100 })).data;
      const of = (key: string) => open.find((record) => record.data_stream_key === key && record.currency === 'USD')?.id ?? 0;
      await client.get('matches.create', { reconciliation_id: await reconciliationOf(client), record_ids: [of('bank'), of('ledger')] });
    },
  },
};

const LOST: Readonly<Record<string, Fault>> = {
  'whose connection broke': { kind: 'drop-after' },
  'that came as 503': { kind: 'status', status: 503, handled: true },
  'that came as 500': { kind: 'status', status: 500, handled: true },
  'that was cut off': { kind: 'truncate' },
};

/** What the specification has a POST for. */
const SPECIFIED: ReadonlySet<string> = new Set(['stories', 'records', 'matches']);

const count = (remote: Remote, listed: Listed | 'definitions'): number =>
  listed === 'definitions' ? remote.state.definitions.size : contentOf(remote)[listed].length;

const WAYS = Object.keys(LOST);

/** Each kind with one way to lose the answer, another each; the long run has all of them. */
const CASES = Object.keys(MAKE).flatMap((name, place) =>
  (IS_LONG ? WAYS : WAYS.filter((_, at) => at === place % WAYS.length)).flatMap((lost) => [
    { name, lost, kind: 'live' as const },
    ...(SPECIFIED.has(name) ? [{ name, lost, kind: 'specification' as const }] : []),
  ]),
);

it.each(CASES)('makes $name once at a remote ($kind) after an answer $lost', async ({ name, lost, kind }) => {
  const remote = kind === 'live' ? new LiveRemote() : new SpecificationRemote();
  seedMonth(remote);
  const { book, sync } = await bookOf(remote);
  await sync();
  const { listed, make } = MAKE[name] ?? { listed: 'rules' as const, make: () => Promise.resolve() };
  await make(book.client);
  const before = count(remote, listed);
  const fault = LOST[lost];
  if (fault !== undefined) remote.faults.add(fault, { method: 'POST', times: 1 });
  await sync();
  expect(remote.log.entries.some((entry) => entry.fault !== null)).toBe(true);
  await sync();
  expect(count(remote, listed)).toBe(before + 1);
  expect(outcomeOf(await sync())).toEqual(NOTHING);
});

describe('found once: delivered twice refused', () => {
  it('does not call refused what the network delivered twice and the remote made the first time', async () => {
    const remote = new LiveRemote();
    seedMonth(remote);
    const { book, sync, verify } = await bookOf(remote);
    await sync();
    await book.client.get('streams.create', { key: 'till', name: 'Till', type: 'csv' });
    remote.faults.add({ kind: 'twice' }, { method: 'POST', path: /data_streams$/ });
    expect(await sync()).toMatchObject({ error: null, refused: [], unsure: [], sent: { streams: 1 } });
    expect(await verify()).toEqual({ ok: true, value: { equal: true, differences: [] } });
  });

  it('still says what a remote refuses', async () => {
    const remote = new LiveRemote();
    seedMonth(remote);
    const { book, sync } = await bookOf(remote);
    await sync();
    await book.client.get('streams.create', { key: 'till', name: 'Till', type: 'csv' });
    remote.faults.add({ kind: 'status', status: 409 }, { method: 'POST', path: /data_streams$/ });
    expect(await sync()).toMatchObject({ refused: [{ resource: 'streams', name: 'Till', status: 409 }], sent: { streams: 0 } });
  });
});

describe('found once: lost balance unsure for good', () => {
  it('sends a balance again whose answers were lost, since the same balance twice is one', async () => {
    const remote = new SpecificationRemote();
    seedMonth(remote);
    const { book, sync } = await bookOf(remote);
    const { id } = await book.client.get('bank_accounts.create', { name: 'Savings', currency: 'EUR' });
    await sync();
    await book.client.get('bank_account_balances.put', {
      bank_account_id: id,
      date: '2026-06-30',
      balance_type: 'closing_ledger',
      amount_cents: 500,
    });
    remote.faults.add({ kind: 'drop-after' }, { method: 'POST', path: /bank_account_balances/ });
    expect(await sync()).toMatchObject({ error: { code: 'unreachable' } });
    remote.faults.clear();
    expect(await sync()).toMatchObject({ error: null, unsure: [], sent: { balances: 1 } });
    expect(contentOf(remote).balances.filter(({ amount_cents: cents }) => cents === 500)).toHaveLength(1);
  });
});
