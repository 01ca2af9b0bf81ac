import { describe, expect, test } from 'vitest';
import { ApiKeys } from '../../../src-main/book/operations/api-keys.ts';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { testClock, testFolder, testRandom } from '../../support/books/backend.ts';
import { openQuietBook, openTestDatabase } from '../../support/books/quiet-book.ts';

function book() {
  const database = openTestDatabase(testFolder());
  const clock = testClock();
  return { database, clock, keys: new ApiKeys(database, clock, testRandom()) };
}

test('a key is shown once, stored as a hash, and grants its environment and permission', () => {
  const { database, keys } = book();
  const issued = keys.issue('test', 'read', 'Spreadsheet');
  expect(issued).toMatchObject({ id: 1, environment: 'test', permission: 'read', name: 'Spreadsheet' });
  expect(keys.authenticate(issued.key)).toEqual({
    environmentId: 2,
    environment: 'test',
    permission: 'read',
    surface: 'public',
    actor: 'key:1',
  });
  expect(keys.authenticate(`${issued.key}x`)).toBeNull();
  expect(keys.authenticate('')).toBeNull();
  const { hash } = database.connection.prepare('SELECT hash FROM api_keys').get() as { hash: string };
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  const stored = JSON.stringify(database.connection.prepare('SELECT * FROM audit_log').all()) + hash;
  expect(stored).not.toContain(issued.key);
  expect(keys.issue('test', 'read', 'Another').key).not.toBe(issued.key);
});

test('a revoked key is refused; keys are listed and revoked in their own environment', () => {
  const { database, keys } = book();
  const { id, key } = keys.issue('live', 'read_write', 'Sync');
  expect(keys.list('test')).toEqual([]);
  expect(keys.revoke('test', id)).toBe(false);
  expect(keys.authenticate(key)).not.toBeNull();
  expect(keys.revoke('live', id)).toBe(true);
  expect(keys.revoke('live', id)).toBe(false);
  expect(keys.authenticate(key)).toBeNull();
  expect(keys.list('live')).toMatchObject([{ id, name: 'Sync', revoked_at: '2026-07-01T09:00:00.000Z' }]);
  expect(firstBrokenAuditEntry(database)).toBeNull();
});

test('the last use is kept, at most once a minute', () => {
  const { clock, keys } = book();
  const { key } = keys.issue('live', 'read', 'Sync');
  const lastUse = () => keys.list('live')[0]?.last_used_at;
  expect(lastUse()).toBeNull();
  keys.authenticate(key);
  expect(lastUse()).toBe('2026-07-01T09:00:00.000Z');
  clock.advance(59_000);
  keys.authenticate(key);
  expect(lastUse()).toBe('2026-07-01T09:00:00.000Z');
  clock.advance(2_000);
  keys.authenticate(key);
  expect(lastUse()).toBe('2026-07-01T09:01:01.000Z');
});

describe('over the service', () => {
  test('keys are issued, listed and revoked, of every environment', async () => {
    const { client, database } = openQuietBook();
    const issued = await client.get('api_keys.issue', { environment: 'test', permission: 'read', name: ' Spreadsheet ' });
    expect(issued).toEqual({
      id: 1,
      key: expect.stringMatching(/^tieout_test_/),
      environment: 'test',
      permission: 'read',
      name: 'Spreadsheet',
      reconciliation_id: null,
    });
    await client.get('api_keys.issue', { environment: 'live', permission: 'read_write', name: 'Sync' });
    const listed = {
      id: 1,
      name: 'Spreadsheet',
      environment: 'test',
      permission: 'read',
      reconciliation_id: null,
      created_at: '2026-07-01T09:00:00.000Z',
      last_used_at: null,
      revoked_at: null,
    };
    expect(await client.get('api_keys.list', { environment: 'test' })).toEqual([listed]);
    expect((await client.get('api_keys.list', {})).map((key) => key.id)).toEqual([1, 2]);
    expect(JSON.stringify(await client.get('api_keys.list', {}))).not.toContain(issued.key);
    expect(await client.call('api_keys.revoke', { id: 1 })).toEqual({ ok: true, value: null });
    expect(await client.get('api_keys.list', { environment: 'test' })).toEqual([{ ...listed, revoked_at: '2026-07-01T09:00:00.000Z' }]);
    expect(await client.get('environments.list', {})).toEqual([
      { name: 'live', live_keys: 1, live_links: 0 },
      { name: 'test', live_keys: 0, live_links: 0 },
    ]);
    const actors = database.connection.prepare("SELECT actor FROM audit_log WHERE action LIKE 'api_key.%'").pluck().all();
    expect(actors).toEqual(['app', 'app', 'app']);
    expect(firstBrokenAuditEntry(database)).toBeNull();
  });

  test('refusals', async () => {
    const { client } = openQuietBook();
    expect(await client.refusal('api_keys.revoke', { id: 1 })).toEqual({ code: 'not_found', message: 'There is no API key 1.' });
    await client.get('api_keys.issue', { environment: 'live', permission: 'read', name: 'Sync' });
    await client.get('api_keys.revoke', { id: 1 });
    expect(await client.refusal('api_keys.revoke', { id: 1 })).toEqual({
      code: 'conflict',
      message: 'The API key Sync was revoked already, so there is nothing to do.',
    });
    const refused = (input: object) =>
      client.refusal('api_keys.issue', { environment: 'live', permission: 'read', name: 'Sync', ...input });
    for (const input of [{ name: ' ' }, { permission: 'write' }, { environment: 'stage' }]) {
      expect(await refused(input)).toMatchObject({ code: 'validation_failed', errors: [{ path: Object.keys(input)[0] }] });
    }
  });
});
