import { expect, onTestFinished, test } from 'vitest';
import { openTestBook, type TestBook } from '../support/books/backend.ts';
import { SpecificationRemote } from '../support/remotes/specification-remote.ts';
import { LiveRemote } from '../support/remotes/live-remote.ts';
import { seedMonth } from '../support/remotes/seeding.ts';
import { Stranger } from '../support/remotes/stranger.ts';
import { recordsOf } from './two-books.ts';

async function started() {
  const book = await openTestBook();
  const remote = await new SpecificationRemote({ seed: 7 }).start();
  onTestFinished(() => remote.stop());
  seedMonth(remote);
  return { book, remote };
}

const run = (book: TestBook, baseUrl: string, apiKey: string, own?: typeof fetch) =>
  book.backend.sync.run({
    environment: 'live',
    baseUrl,
    apiKey,
    note: () => {},
    signal: new AbortController().signal,
    preview: false,
    ...(own === undefined ? {} : { fetch: own }),
  });

const quick =
  (status: number, body: string, type = 'application/json'): typeof fetch =>
  () =>
    Promise.resolve(new Response(body, { status, headers: { 'content-type': type } }));

const tls: typeof fetch = () => {
  const cause = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  return Promise.reject(new TypeError('fetch failed', { cause }));
};

const CASES: readonly {
  readonly name: string;
  readonly url?: string;
  readonly key?: string;
  readonly own?: typeof fetch;
  readonly code: string;
  readonly says: RegExp;
}[] = [
  { name: 'no address', url: 'the bank', code: 'invalid_url', says: /is no address of a connection/ },
  { name: 'a file', url: 'file:///v1', code: 'invalid_url', says: /is no address of a connection/ },
  { name: 'a wrong key', key: 'wrong', own: quick(401, '{"error":"Unauthorized"}'), code: 'wrong_key', says: /does not take the API key/ },
  { name: 'another service', own: quick(404, '{}'), code: 'not_a_service', says: /is no reconciliation service/ },
  { name: 'the login page of a network', own: quick(200, '<html>Log in</html>', 'text/html'), code: 'not_a_service', says: /web page/ },
  { name: 'a certificate that is not valid', own: tls, code: 'tls_failed', says: /DEPTH_ZERO_SELF_SIGNED_CERT/ },
  {
    name: 'an answer of another form',
    own: quick(200, '{"data":[{"id":"x"}]}'),
    code: 'unexpected_answer',
    says: /reconciliations, data\.0\.id/,
  },
];

for (const { name, url, key = 'k', own, code, says } of CASES) {
  test(`${name} is told in a sentence, and nothing is changed`, async () => {
    const book = await openTestBook();
    const result = await run(book, url ?? 'https://remote.test/v1', key, own);
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(result.error?.message).toMatch(says);
    expect(await recordsOf(book)).toEqual([]);
  });
}

test('the key goes to no other origin, whatever a link or a redirect says', async () => {
  const { book, remote } = await started();
  const stranger = await new Stranger().start();
  onTestFinished(() => stranger.stop());
  remote.links = { as: 'elsewhere', origin: stranger.origin };
  expect(await run(book, remote.baseUrl, remote.key)).toMatchObject({ ok: false, error: { code: 'foreign_link' } });
  remote.links = { as: 'relative' };
  remote.faults.add({ kind: 'redirect', to: `${stranger.origin}/v1/reconciliations` }, { times: 1 });
  expect(await run(book, remote.baseUrl, remote.key)).toMatchObject({ ok: false, error: { code: 'redirected' } });
  expect(stranger.log.entries).toEqual([]);
});

for (const as of ['absolute', 'query'] as const) {
  test(`links that are ${as} lead to the records`, async () => {
    const { book, remote } = await started();
    remote.links = { as };
    expect(await run(book, remote.baseUrl, remote.key)).toMatchObject({ ok: true, error: null });
    expect((await recordsOf(book)).length).toBeGreaterThan(0);
  });
}

test('an account whose answer got lost at a remote of the specification is unsure, and is not made twice', async () => {
  const { book, remote } = await started();
  await book.client.get('bank_accounts.create', { name: 'Current', currency: 'EUR' });
  remote.faults.add({ kind: 'drop-after' }, { method: 'POST', path: /bank_accounts/, times: 1 });
  expect(await run(book, remote.baseUrl, remote.key)).toMatchObject({
    ok: false,
    error: null,
    unsure: [{ resource: 'accounts', name: 'Current' }],
  });
  expect(await run(book, remote.baseUrl, remote.key)).toMatchObject({ ok: false, unsure: [{ name: 'Current' }] });
  expect([...remote.state.accounts.values()].filter(({ name }) => name === 'Current')).toHaveLength(1);
});

test('a rule that cannot be used here is kept as it came, paused with the reason, and goes back unchanged', async () => {
  const book = await openTestBook();
  const remote = await new LiveRemote({ seed: 7 }).start();
  onTestFinished(() => remote.stop());
  seedMonth(remote);
  const [rule] = remote.state.rules.values();
  const filters = { operand: 'and', rules: [{ key: 'amount', value: 'amount', operand: 'resembles' }] };
  Object.assign(rule ?? {}, { filters });
  expect(await run(book, remote.baseUrl, remote.key)).toMatchObject({ ok: true, error: null });
  const reconciliations = (await book.client.get('reconciliations.list', {})).data;
  const rules = await Promise.all(reconciliations.map(({ id }) => book.client.get('rules.list', { reconciliation_id: id })));
  const kept = rules.flat().find(({ paused }) => paused);
  expect(kept).toMatchObject({ filters, status: 'active' });
  expect(kept?.paused_reason).toMatch(/operand/);
  remote.log.clear();
  expect(await run(book, remote.baseUrl, remote.key)).toMatchObject({ ok: true });
  expect(remote.log.writes()).toEqual([]);
  expect([...remote.state.rules.values()].map((one) => one.filters)).toContainEqual(filters);
});
