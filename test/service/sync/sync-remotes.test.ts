import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ServiceContext } from '../../../src-main/service/context.ts';
import type { Caller } from '../../../src-main/service/handler.ts';
import type { SyncLife } from '../../../src-main/sync/operations/sync-life.ts';
import { syncRemoteHandlers } from '../../../src-main/sync/operations/sync-remotes.ts';
import { openSyncKeys } from '../../../src-main/sync/runner/sync-keys.ts';
import type { Errors, Failure, Input, Output, SyncActivity } from '../../../src-shared/contract/index.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { emptyResult } from '../../../src-main/sync/work/sync-result.ts';
import { failed, success } from '../../../src-shared/values/result.ts';
import { folderWithNewBook, testClock, testFolder, testLog, testRandom } from '../../support/books/backend.ts';
import { openTestDatabase } from '../../support/books/quiet-book.ts';

const KEY = 'sk_live_0123456789abcdef';
const HEAD_OFFICE = { name: 'Head office', base_url: 'https://head.office/v1/', api_key: KEY };

type Operation = keyof ReturnType<typeof syncRemoteHandlers>;

/** The handlers on a book, with a remote that answers as the test says. */
function remotes(folder = folderWithNewBook()) {
  const database = openTestDatabase(folder);
  const clock = testClock();
  const log = testLog();
  const activities = new Map<number, SyncActivity>();
  const told: string[] = [];
  const probes: string[] = [];
  const state = { answer: null as string | null, nextAtMs: null as number | null, revision: 0 };
  const keys = openSyncKeys({ dataFolder: folder, secrets: null, random: testRandom(), configFolder: testFolder() });
  const sync: Partial<SyncLife> = {
    keys,
    probe: async (_, { baseUrl, apiKey }) => {
      probes.push(`${baseUrl} ${apiKey}`);
      if (state.answer !== null) return failed({ code: 'remote_unusable', message: state.answer });
      const probe = { base_url: baseUrl.replace(/\/$/, ''), kind: 'specification', may_write: null, version: null, cannot: [] } as const;
      return success({ probe: { ...probe, cannot: [], known_as: null }, identity: null });
    },
    activity: (id) => activities.get(id) ?? null,
    nextAtMs: () => state.nextAtMs,
    rescheduled: () => told.push('rescheduled'),
  };
  const context: Partial<ServiceContext> = {
    database,
    clock,
    log,
    random: testRandom(),
    sync: sync as SyncLife,
    changed: (areas) => {
      state.revision += 1;
      told.push(areas.join());
    },
    dataRevision: () => state.revision,
  };
  const handlers = syncRemoteHandlers(context as ServiceContext);
  const caller = (environment: 'live' | 'test'): Caller => ({
    environmentId: environment === 'live' ? 1 : 2,
    environment,
    permission: 'read_write',
    surface: 'app',
    actor: 'app',
  });
  async function get<K extends Operation>(operation: K, input: Input<K>, environment: 'live' | 'test' = 'live'): Promise<Output<K>> {
    const answer = await handlers[operation](caller(environment), input as never);
    assert(answer.ok, answer.ok ? '' : answer.error.message);
    return answer.value as Output<K>;
  }
  async function refusal<K extends Operation>(operation: K, input: Input<K>): Promise<Failure<Errors<K>>> {
    const answer = await handlers[operation](caller('live'), input as never);
    assert(!answer.ok, `${operation} is refused`);
    return answer.error as Failure<Errors<K>>;
  }
  const audit = () =>
    database
      .prepare<[], { action: string; detail: string }>("SELECT action, detail FROM audit_log WHERE action LIKE 'sync_remote.%' ORDER BY id")
      .all();
  const ran = (id: number, error: object | null) => {
    const nowMs = clock.nowMs();
    database.write((write) => {
      write
        .prepare<unknown[], unknown>(
          "INSERT INTO sync_runs(remote_id, what, started_by, started_at, ended_at, result) VALUES (?, 'sync', 'by_hand', ?, ?, ?)",
        )
        .run(id, nowMs, nowMs, JSON.stringify({ ...emptyResult('https://head.office/v1', false), error }));
      if (error === null) write.prepare<unknown[], unknown>('UPDATE sync_remotes SET last_synced_at = ? WHERE id = ?').run(nowMs, id);
    });
    state.revision += 1;
    clock.advance(1_000);
  };
  const underWay = (id: number, activity: Partial<SyncActivity>) =>
    activities.set(id, {
      what: 'sync',
      run_id: 1,
      ended_at: null,
      done: 0,
      total: null,
      waits: null,
      error: null,
      ...activity,
    } as SyncActivity);
  const only = async () => {
    const { remotes: all } = await get('sync_remotes.list', {});
    const [one] = all;
    assert(one !== undefined && all.length === 1, 'one remote');
    return one;
  };
  return { folder, database, state, told, probes, keys, log, activities, get, refusal, audit, ran, underWay, only };
}

test('a remote that answers is added, with its key outside of the book', async () => {
  const { get, told, audit, keys, folder, database } = remotes();
  expect(await get('sync_remotes.list', {})).toEqual({ keys_kept: 'encrypted_file', remotes: [] });
  const added = await get('sync_remotes.create', HEAD_OFFICE);
  expect(added).toEqual({
    id: 1,
    name: 'Head office',
    base_url: 'https://head.office/v1',
    kind: 'specification',
    created_at: '2026-07-01T09:00:00.000Z',
    key_kept: 'encrypted_file',
    every_minutes: null,
    when_online: false,
    next_at: null,
    last_synced_at: null,
    state: 'not_synced',
    message: null,
    waiting: 0,
    to_decide: 0,
    progress: null,
    question: null,
  });
  expect(told).toEqual(['sync', 'rescheduled']);
  expect(await keys.read({ environment: 'live', baseUrl: 'https://head.office/v1' })).toBe(KEY);
  expect(audit().map(({ action }) => action)).toEqual(['sync_remote.added']);
  database.connection.pragma('wal_checkpoint(TRUNCATE)');
  expect(JSON.stringify([added, audit()]) + readFileSync(path.join(folder, 'book.sqlite'), 'latin1')).not.toContain(KEY);
  const seed = database.prepare<[], { seed: string }>('SELECT seed FROM sync_remotes').get()?.seed;
  expect(seed).toMatch(/^[0-9a-f]{16}$/);
  await get('sync_remotes.create', { ...HEAD_OFFICE, base_url: 'https://other/v1', every_minutes: 60, when_online: true });
  // External ids of a book begin alike for all its remotes.
  expect(database.prepare<[], { seed: string }>('SELECT DISTINCT seed FROM sync_remotes').all()).toEqual([{ seed }]);
});

test('a remote that does not answer is not added, and its message about the key is not passed on', async () => {
  const { get, refusal, state, audit, keys } = remotes();
  state.answer = `The key ${KEY} is not valid.`;
  const refused = { code: 'remote_unusable', message: 'The key … is not valid.' };
  expect(await refusal('sync_remotes.probe', HEAD_OFFICE)).toEqual(refused);
  expect(await refusal('sync_remotes.create', HEAD_OFFICE)).toEqual(refused);
  expect((await get('sync_remotes.list', {})).remotes).toEqual([]);
  expect(audit()).toEqual([]);
  expect(await keys.where({ environment: 'live', baseUrl: 'https://head.office/v1' })).toBe('none');
});

test('an address exists once in an environment, and the key of the first one stays', async () => {
  const { get, refusal, keys } = remotes();
  await get('sync_remotes.create', HEAD_OFFICE);
  expect(
    await refusal('sync_remotes.create', { ...HEAD_OFFICE, name: 'Again', base_url: 'https://head.office/v1', api_key: 'other' }),
  ).toEqual({
    code: 'conflict',
    message: 'https://head.office/v1 is there already, as Head office: give that connection a new API key, or remove it first.',
  });
  await get('sync_remotes.create', { ...HEAD_OFFICE, api_key: 'of-the-test' }, 'test');
  expect(await keys.read({ environment: 'live', baseUrl: 'https://head.office/v1' })).toBe(KEY);
  expect(await keys.read({ environment: 'test', baseUrl: 'https://head.office/v1' })).toBe('of-the-test');
  expect((await get('sync_remotes.list', {}, 'test')).remotes.map(({ id }) => id)).toEqual([2]);
});

test('name and schedule change without a probe; a new key is tried first', async () => {
  const { get, refusal, state, probes, keys, audit, told } = remotes();
  const { id } = await get('sync_remotes.create', HEAD_OFFICE);
  probes.length = 0;
  const changed = await get('sync_remotes.update', { id, name: 'Renamed', every_minutes: 240, when_online: true });
  expect(changed).toMatchObject({ name: 'Renamed', every_minutes: 240, when_online: true });
  expect(await get('sync_remotes.update', { id, every_minutes: null })).toMatchObject({ every_minutes: null, when_online: true });
  expect(probes).toEqual([]);
  state.answer = 'The key is not valid.';
  expect((await refusal('sync_remotes.update', { id, name: 'Not this', api_key: 'new' })).code).toBe('remote_unusable');
  expect((await get('sync_remotes.list', {})).remotes[0]?.name).toBe('Renamed');
  state.answer = null;
  await get('sync_remotes.update', { id, api_key: 'new' });
  expect(await keys.read({ environment: 'live', baseUrl: 'https://head.office/v1' })).toBe('new');
  expect(audit().map(({ action }) => action)).toEqual(['sync_remote.added', ...Array<string>(3).fill('sync_remote.updated')]);
  expect(audit().at(-1)?.detail).toBe('{"sync_remote_id":1,"change":{},"has_new_key":true}');
  expect(told.filter((what) => what === 'rescheduled').length).toBe(4);
  expect((await refusal('sync_remotes.update', { id: 9 })).code).toBe('not_found');
});

test('a remote goes with its key and what is known of it, but not while a sync is under way', async () => {
  const { get, refusal, underWay, activities, keys, database, audit } = remotes();
  const { id } = await get('sync_remotes.create', HEAD_OFFICE);
  database.write((write) => write.prepare<[], unknown>("INSERT INTO sync_links VALUES (1, 'records', 1, '1', '', '', NULL)").run());
  underWay(id, {});
  expect(await refusal('sync_remotes.remove', { id })).toEqual({
    code: 'sync_in_progress',
    message: 'A sync with Head office is under way: wait for its end, or cancel it first.',
  });
  activities.clear();
  expect(await get('sync_remotes.remove', { id })).toBeNull();
  expect((await get('sync_remotes.list', {})).remotes).toEqual([]);
  expect(database.prepare<[], unknown>('SELECT * FROM sync_links').all()).toEqual([]);
  expect(await keys.where({ environment: 'live', baseUrl: 'https://head.office/v1' })).toBe('none');
  expect(audit().at(-1)).toEqual({
    action: 'sync_remote.removed',
    detail: '{"sync_remote_id":1,"name":"Head office","base_url":"https://head.office/v1"}',
  });
  expect((await refusal('sync_remotes.remove', { id })).code).toBe('not_found');
});

test('the state shows the most important of: running, failed, decisions for a person, waiting', async () => {
  const { get, state, underWay, activities, ran, only, database } = remotes();
  const { id } = await get('sync_remotes.create', HEAD_OFFICE);
  underWay(id, { what: 'preview' });
  expect(await only()).toMatchObject({ state: 'under_way', progress: null });
  underWay(id, { done: 946, total: 1_304 });
  expect(await only()).toMatchObject({ state: 'under_way', progress: 72 });
  const waits = { since: '', tries: 3, of: 8, next_at: '2026-07-01T09:15:12.000Z', gives_up_at: '', reason: 'It does not answer.' };
  underWay(id, { done: 1, total: 2, waits });
  expect(await only()).toMatchObject({ state: 'no_network', message: 'It does not answer.', next_at: waits.next_at, progress: 50 });
  activities.clear();
  ran(id, { code: 'unreachable', message: 'It cannot be reached.' });
  expect(await only()).toMatchObject({ state: 'no_network', message: 'It cannot be reached.' });
  ran(id, { code: 'remote_failed', message: 'It broke.' });
  expect(await only()).toMatchObject({ state: 'failed', message: 'It broke.' });
  ran(id, { code: 'cancelled', message: 'Stopped.' });
  expect(await only()).toMatchObject({ state: 'not_synced', message: null });
  ran(id, null);
  expect(await only()).toMatchObject({ state: 'agrees', waiting: 0, last_synced_at: '2026-07-01T09:00:03.000Z' });
  database.write((write) => write.prepare<[], unknown>("INSERT INTO stories(environment_id, name, created_at) VALUES (1, 'x', 0)").run());
  // Counted once for each change that is told.
  expect((await only()).waiting).toBe(0);
  state.revision += 1;
  expect(await only()).toMatchObject({ state: 'waiting', waiting: 1 });
  database.write((write) =>
    write
      .prepare<[], unknown>(
        "INSERT INTO sync_conflicts(id, remote_id, kind, resource, what, local, remote, choices, detail, seen_at) VALUES (1, 1, 'match', 'matches', '', '', '', '[]', '{}', 0)",
      )
      .run(),
  );
  expect(await only()).toMatchObject({ state: 'to_decide', to_decide: 1, waiting: 1 });
  state.nextAtMs = 0;
  expect((await only()).next_at).toBe('1970-01-01T00:00:00.000Z');
});

test('a sync that ended before the book had an entry of it tells why', async () => {
  const { get, underWay, ran, only } = remotes();
  const { id } = await get('sync_remotes.create', HEAD_OFFICE);
  ran(id, null);
  underWay(id, { run_id: null, ended_at: '2026-07-01T10:00:00.000Z', error: { code: 'tls_failed', message: 'No safe connection.' } });
  expect(await only()).toMatchObject({ state: 'no_network', message: 'No safe connection.' });
  underWay(id, { run_id: null, ended_at: '2026-07-01T08:00:00.000Z', error: { code: 'tls_failed', message: 'No safe connection.' } });
  expect(await only()).toMatchObject({ state: 'agrees', message: null });
});
