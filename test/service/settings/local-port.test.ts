import { describe, expect, test } from 'vitest';
import type { Call } from '../../../src-shared/contract/index.ts';
import { LOCAL_PORT_AT_FIRST, storedLocalPort } from '../../../src-main/book/operations/local-port.ts';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { setSetting } from '../../../src-main/book/store/settings.ts';
import { ask } from '../../contract/support.ts';
import { withFailingStatement } from '../../support/faults/failing-statements.ts';
import { openTestBook } from '../../support/books/backend.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test('is kept in the book, each change with its audit entry', async () => {
  const { client, database } = openQuietBook();
  const input = { port: 5000, allowed_origins: [' https://Addin.Example.com/ ', 'https://addin.example.com'], host_names: [' Office-PC '] };
  const kept = {
    enabled: false,
    port: 5000,
    address: '127.0.0.1',
    host_names: ['office-pc'],
    allowed_origins: ['https://addin.example.com'],
  };
  expect(await client.get('local_port.update', input)).toMatchObject(kept);
  expect(storedLocalPort(database)).toEqual(kept);
  const entry = database.connection.prepare("SELECT actor, detail FROM audit_log WHERE action = 'local_port.updated'").get();
  expect(entry).toMatchObject({ actor: 'app', detail: JSON.stringify(kept) });
  expect(firstBrokenAuditEntry(database)).toBeNull();
});

test.each(['', 'on', '{}', '{"enabled":true}', 'null', JSON.stringify({ ...LOCAL_PORT_AT_FIRST, enabled: 'yes' })])(
  'an unreadable setting (%j) counts as the initial one',
  (text) => {
    const { database } = openQuietBook();
    database.write((write) => setSetting(write, 'local_port', text));
    expect(storedLocalPort(database)).toEqual(LOCAL_PORT_AT_FIRST);
  },
);

describe('refusals name the field', () => {
  test.each([
    ['*', '* would let in every page.'],
    ['null', 'null is what any page can claim to be.'],
    ['http://addin.example.com', 'is not safe'],
    ['http://localhost', 'is not safe'],
    ['ftp://addin.example.com', 'is not safe'],
    ['https://addin.example.com/path', 'is more than an origin'],
    ['https://addin.example.com?x', 'is more than an origin'],
    ['https://user@addin.example.com', 'is more than an origin'],
    ['https://*.example.com', 'is a pattern'],
    ['addin.example.com', 'is no origin'],
    ['', 'Nothing is no origin'],
  ])('the origin %j', async (origin, words) => {
    const { client } = openQuietBook();
    const refused = await client.refusal('local_port.update', { allowed_origins: ['https://good.example.com', origin] });
    expect(refused).toMatchObject({ code: 'validation_failed', errors: [{ path: 'allowed_origins.1', code: 'invalid_origin' }] });
    expect(refused.message).toContain(words);
    expect(await client.get('local_port.get', {})).toMatchObject({ allowed_origins: [] });
  });

  test.each(['office pc', '*.example.com', 'pc:80', '-pc', 'http://pc', '', `${'a'.repeat(300)}`])('the name %j', async (name) => {
    const { client } = openQuietBook();
    const refused = await client.refusal('local_port.update', { host_names: [name] });
    expect(refused).toMatchObject({ code: 'validation_failed', errors: [{ path: 'host_names.0', code: 'invalid_host_name' }] });
  });

  test.each(['localhost', 'example.com', '127.0.0.1:80', '300.1.1.1', ''])('the address %j', async (address) => {
    const { client } = openQuietBook();
    const refused = await client.refusal('local_port.update', { address });
    expect(refused).toMatchObject({ code: 'validation_failed', errors: [{ path: 'address', code: 'invalid_address' }] });
  });

  test.each([0, 65_536, 1.5, '4690'])('the port %j', async (port) => {
    const { client } = openQuietBook();
    expect(await client.refusal('local_port.update', { port })).toMatchObject({ code: 'validation_failed', errors: [{ path: 'port' }] });
  });
});

test('whichever statement fails, settings and server are as they were', async () => {
  const { client, backend } = await openTestBook();
  await backend.openLocalPort();
  const shown = async () => {
    const state = await client.get('local_port.get', {});
    const port = new URL(state.base_url ?? 'http://127.0.0.1:1').port;
    const answered = await ask(Number(port), '/v1/data_streams').then(
      ({ status }) => status,
      () => null,
    );
    return { ...state, answered };
  };
  const changes: [Call<'local_port.update'>, number | null][] = [
    [{ enabled: true, port: null }, null],
    [{ enabled: false }, 401],
  ];
  for (const [change, answered] of changes) {
    const before = await shown();
    expect(before.answered).toBe(answered);
    const outcomes: string[] = [];
    for (let nth = 1; outcomes.at(-1) !== 'done' && nth <= 9; nth += 1) {
      await withFailingStatement(nth, async () => {
        const outcome = await client.call('local_port.update', change);
        outcomes.push(outcome.ok ? 'done' : outcome.error.code);
      });
      const isDone = outcomes.at(-1) === 'done';
      expect(JSON.stringify(await shown()) === JSON.stringify(before)).toBe(!isDone);
    }
    // The setting itself, its audit entry, and the digests of both.
    expect(outcomes.length).toBeGreaterThan(2);
    expect(outcomes).toEqual([...outcomes.slice(1).map(() => 'storage_full'), 'done']);
  }
});

test('changes that come at once are done one after another', async () => {
  const { client, backend } = await openTestBook();
  await backend.openLocalPort();
  const changes: Call<'local_port.update'>[] = [
    { enabled: true, port: null },
    { enabled: false },
    { enabled: true },
    { host_names: ['pc'] },
    { enabled: false },
  ];
  const states = await Promise.all(changes.map((input) => client.get('local_port.update', input)));
  expect(states.map(({ status }) => status)).toEqual(['on', 'off', 'on', 'on', 'off']);
  expect(await client.get('local_port.get', {})).toMatchObject({ enabled: false, port: null, host_names: ['pc'], status: 'off' });
});
