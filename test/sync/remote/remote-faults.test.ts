import { describe, expect, it, onTestFinished } from 'vitest';
import { BAD_CONNECTION, type Fault } from '../../support/remotes/faults.ts';
import { LiveRemote } from '../../support/remotes/live-remote.ts';
import { contentOf } from '../../support/remotes/reading.ts';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';
import { Stranger } from '../../support/remotes/stranger.ts';
import { asking } from '../asking.ts';
import { bookOf } from '../remote-book.ts';

const ACCOUNT = 'POST /bank_accounts';

async function remoteWith(...faults: Fault[]) {
  const remote = new SpecificationRemote();
  const ask = await asking(remote);
  for (const fault of faults) remote.faults.add(fault, { times: 1 });
  return { remote, ask, made: () => contentOf(remote).accounts.length };
}

it('drops a connection before anything is done', async () => {
  const { remote, ask, made } = await remoteWith({ kind: 'drop-before' });
  await expect(ask(ACCOUNT, { name: 'A' })).rejects.toThrow('fetch failed');
  expect(made()).toBe(0);
  expect(remote.log.entries).toMatchObject([{ fault: 'drop-before', status: null }]);
  expect(await ask(ACCOUNT, { name: 'A' })).toMatchObject({ status: 200 });
});

it('drops a connection after it is done', async () => {
  const { ask, made } = await remoteWith({ kind: 'drop-after' });
  await expect(ask(ACCOUNT, { name: 'A' })).rejects.toThrow('fetch failed');
  expect(made()).toBe(1);
});

it('delays', async () => {
  const { ask } = await remoteWith({ kind: 'delay', ms: 60 });
  const before = performance.now();
  expect(await ask(ACCOUNT, { name: 'A' })).toMatchObject({ status: 200 });
  expect(performance.now() - before).toBeGreaterThan(50);
});

it('handles twice', async () => {
  const { ask, made } = await remoteWith({ kind: 'twice' });
  expect(await ask(ACCOUNT, { name: 'A' })).toMatchObject({ status: 200 });
  expect(made()).toBe(2);
});

it('truncates what it answers', async () => {
  const { ask, made } = await remoteWith({ kind: 'truncate' });
  await expect(ask(ACCOUNT, { name: 'A' })).rejects.toThrow('terminated');
  expect(made()).toBe(1);
});

it('asks to wait, in seconds and by date', async () => {
  const { ask, made } = await remoteWith({ kind: 'too-many', seconds: 2 }, { kind: 'too-many', seconds: 90, as: 'date' });
  const first = await ask(ACCOUNT, { name: 'A' });
  expect(first).toMatchObject({ status: 429, body: { error: expect.any(String) } });
  expect(first.headers.get('retry-after')).toBe('2');
  const second = await ask(ACCOUNT, { name: 'A' });
  const wait = Date.parse(second.headers.get('retry-after') ?? '') - Date.now();
  expect(wait).toBeGreaterThan(80_000);
  expect(wait).toBeLessThan(91_000);
  expect(made()).toBe(0);
});

it('breaks, before and after it is done', async () => {
  const { ask, made } = await remoteWith({ kind: 'status', status: 500, handled: true }, { kind: 'status', status: 503 });
  expect(await ask(ACCOUNT, { name: 'A' })).toMatchObject({ status: 500, body: { error: expect.any(String) } });
  expect(made()).toBe(1);
  expect(await ask(ACCOUNT, { name: 'A' })).toMatchObject({ status: 503 });
  expect(made()).toBe(1);
});

it('is hidden by the page of a guest network', async () => {
  const { remote } = await remoteWith({ kind: 'portal' });
  const answer = await fetch(`${remote.baseUrl}/reconciliations`, { headers: { 'x-api-key': remote.key } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html']);
  expect(await answer.text()).toContain('<!doctype html>');
});

it('redirects to another origin, which sees who brings the key along', async () => {
  const stranger = await new Stranger().start();
  onTestFinished(() => stranger.stop());
  const { remote, ask } = await remoteWith(
    { kind: 'redirect', to: stranger.origin },
    { kind: 'redirect', to: stranger.origin, status: 302 },
  );
  const answer = await ask('GET /reconciliations?limit=5');
  expect([answer.status, answer.headers.get('location')]).toEqual([307, `${stranger.origin}/v1/reconciliations?limit=5`]);
  // What `fetch` does by itself.
  await fetch(`${remote.baseUrl}/reconciliations`, { headers: { 'x-api-key': remote.key } });
  await fetch(`${stranger.origin}/quiet`);
  expect(stranger.log.lines()).toEqual(['GET /v1/reconciliations', 'GET /quiet']);
  expect(stranger.log.withKey(remote.key)).toHaveLength(1);
});

it('answers a field of a wrong type', async () => {
  const remote = new LiveRemote();
  const ask = await asking(remote);
  seedMonth(remote);
  remote.faults.add({ kind: 'wrong-type', field: 'amount' }, { times: 1 });
  remote.faults.add({ kind: 'wrong-type', field: 'date', value: null }, { times: 1 });
  const wrong = (await ask('GET /records?data_stream_key=bank')).body as { data: { amount: unknown }[] };
  expect(wrong.data.map(({ amount }) => typeof amount)).toEqual(['string', 'number', 'number', 'number']);
  expect((await ask('GET /records?data_stream_key=bank')).body).toMatchObject({ data: [{ date: null }, { date: '2026-06-30' }, {}, {}] });
});

it('hangs until the other side gives up', async () => {
  const { remote, made } = await remoteWith({ kind: 'hang' });
  const headers = { 'x-api-key': remote.key, 'content-type': 'application/json' };
  const asked = fetch(`${remote.baseUrl}/bank_accounts`, {
    method: 'POST',
    headers,
    body: '{"name":"A"}',
    signal: AbortSignal.timeout(80),
  });
  await expect(asked).rejects.toThrow('timeout');
  expect(made()).toBe(0);
});

it('meets the requests that a fault is for, after some and for some', async () => {
  const { remote, ask } = await remoteWith();
  remote.faults.add({ kind: 'status', status: 503 }, { method: 'GET', path: /stories/, after: 1, times: 2 });
  const statuses: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    expect((await ask('GET /reconciliations')).status).toBe(200);
    statuses.push((await ask('GET /reconciliation_stories')).status);
  }
  expect(statuses).toEqual([200, 503, 503, 200, 200]);
});

async function metWith(seed: number): Promise<(string | null)[]> {
  const remote = new LiveRemote({ seed });
  const ask = await asking(remote);
  remote.faults.addAnyOf(BAD_CONNECTION, { chance: 0.5 });
  for (let n = 0; n < 60; n += 1)
    await ask(n % 2 === 0 ? 'GET /data_streams' : ACCOUNT, n % 2 === 0 ? undefined : { name: `A${n}` }).catch(() => null);
  return remote.log.entries.map(({ fault }) => fault);
}

it('draws the same faults from the same seed', async () => {
  const first = await metWith(7);
  expect(first).toHaveLength(60);
  expect(new Set(first).size).toBe(BAD_CONNECTION.length + 1);
  expect(await metWith(7)).toEqual(first);
  expect(await metWith(8)).not.toEqual(first);
});

it('holds the same after the same, and comes back at its address as it was', async () => {
  const [first, second] = [new SpecificationRemote(), new SpecificationRemote()];
  seedMonth(first);
  seedMonth(second);
  expect(contentOf(first)).toEqual(contentOf(second));
  expect([...first.state.records.values()]).toEqual([...second.state.records.values()]);
  const ask = await asking(first);
  const port = Number(new URL(first.origin).port);
  await first.stop();
  await expect(ask('GET /reconciliation_stories')).rejects.toThrow('fetch failed');
  await first.start(port);
  expect((await ask('GET /reconciliation_stories')).body).toMatchObject({ data: [{ name: 'From bank to ledger' }] });
});

it('writes down what arrives, and what of it may change something', async () => {
  const { remote, ask } = await remoteWith();
  await ask('GET /reconciliations?limit=5');
  await ask(ACCOUNT, { name: 'A' });
  expect(remote.log.lines()).toEqual(['GET /v1/reconciliations?limit=5', 'POST /v1/bank_accounts']);
  expect(remote.log.writes()).toMatchObject([
    { method: 'POST', body: { name: 'A' }, headers: { 'x-api-key': remote.key }, status: 200, fault: null },
  ]);
  remote.log.clear();
  expect(remote.log.entries).toEqual([]);
});

describe('found once: broke after it was done', () => {
  it('makes no account twice where the remote answers 500 although it was made', async () => {
    const remote = new SpecificationRemote();
    seedMonth(remote);
    const { book, sync } = await bookOf(remote);
    await sync();
    await book.client.get('bank_accounts.create', { name: 'Savings' });
    remote.faults.add({ kind: 'status', status: 500, handled: true }, { method: 'POST', times: 1 });
    expect(await sync()).toMatchObject({ error: null, unsure: [{ resource: 'accounts', name: 'Savings' }] });
    await sync();
    expect(contentOf(remote).accounts.filter(({ name }) => name === 'Savings')).toHaveLength(1);
  });
});

describe('found once: broken read', () => {
  const READS = [
    /reconciliations/,
    /reconciliation_rules/,
    /reconciliation_stories/,
    /reconciliation_matches/,
    /records/,
    /import_batches/,
  ];

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
});

describe('found once: proxy error page', () => {
  it.each([502, 503, 504])('tries again when a proxy answers a web page with %i', async (status) => {
    const remote = new LiveRemote();
    seedMonth(remote);
    remote.faults.add({ kind: 'portal', status }, { after: 4, times: 2 });
    const { sync } = await bookOf(remote);
    expect(await sync()).toMatchObject({ ok: true, error: null, received: { records: 6 } });
  });
});

describe('found once: retry after', () => {
  async function waitsWith(fault: Fault): Promise<number[]> {
    const remote = new LiveRemote();
    seedMonth(remote);
    remote.faults.add(fault, { after: 4, times: 1 });
    const { sync, waits } = await bookOf(remote);
    expect(await sync()).toMatchObject({ ok: true });
    // Others wait for hours.
    return waits.filter((wait) => wait <= 600_000);
  }

  it('waits as many seconds as a busy remote asks for, also more than a minute', async () => {
    expect(Math.max(...(await waitsWith({ kind: 'too-many', seconds: 90 })))).toBe(90_000);
  });

  it('waits until the time that a busy remote names, by the clock of the remote', async () => {
    const longest = Math.max(...(await waitsWith({ kind: 'too-many', seconds: 90, as: 'date' })));
    expect(longest).toBeGreaterThan(80_000);
    expect(longest).toBeLessThan(95_000);
  });
});

describe('found once: unknown path', () => {
  const ANSWERS: readonly Fault[] = [
    { kind: 'portal', status: 404 },
    { kind: 'portal', status: 405 },
    { kind: 'status', status: 403 },
    { kind: 'status', status: 401 },
    { kind: 'status', status: 405 },
    { kind: 'status', status: 501 },
  ];

  it.each(ANSWERS)('takes a remote that answers paths it has not with %o for one of the specification', async (fault) => {
    const remote = new SpecificationRemote();
    seedMonth(remote);
    remote.faults.add(fault, { path: /\/v1\/(?:openapi\.json|data_streams)$/ });
    const { sync } = await bookOf(remote);
    expect(await sync()).toMatchObject({ error: null, remote: { kind: 'specification' }, received: { streams: 2 } });
  });
});
