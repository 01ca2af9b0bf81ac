import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { contentOf } from '../../support/remotes/reading.ts';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';
import { bookOf } from '../remote-book.ts';

it('is sure of an account that was never sent, since no connection was made', async () => {
  const remote = new SpecificationRemote();
  seedMonth(remote);
  const { book, sync } = await bookOf(remote);
  await sync();
  await book.client.get('bank_accounts.create', { name: 'Savings', currency: 'EUR' });
  const refusing: typeof fetch = async (input, init) => {
    if (init?.method === 'POST')
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
    return fetch(input, init);
  };
  const broken = await book.backend.sync.run({
    environment: 'live',
    baseUrl: remote.baseUrl,
    apiKey: remote.key,
    preview: false,
    note: () => {},
    wait: () => pause(1),
    fetch: refusing,
    signal: new AbortController().signal,
  });
  expect(broken).toMatchObject({ error: { code: 'unreachable' }, unsure: [] });
  expect(await sync()).toMatchObject({ ok: true, error: null, sent: { accounts: 1 } });
  expect(contentOf(remote).accounts.filter(({ name }) => name === 'Savings')).toHaveLength(1);
});

describe('found once: refused account unsure for good', () => {
  it('makes an account that was refused for its key, once there is another key', async () => {
    const remote = new SpecificationRemote();
    seedMonth(remote);
    const { book, sync } = await bookOf(remote);
    await sync();
    await book.client.get('bank_accounts.create', { name: 'Savings', currency: 'EUR' });
    remote.faults.add({ kind: 'status', status: 403 }, { method: 'POST', path: /bank_accounts$/ });
    expect(await sync()).toMatchObject({ error: { code: 'key_not_allowed' } });
    remote.faults.clear();
    expect(await sync()).toMatchObject({ error: null, unsure: [], sent: { accounts: 1 } });
  });
});
