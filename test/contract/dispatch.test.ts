import { describe, expect, it } from 'vitest';
import { createDispatch, createIpcHandler } from '../../src-main/transport/dispatch.ts';
import { contract, type Operation, OPERATION_IDS } from '../../src-shared/contract/index.ts';
import { appCaller, echoHandlers, memoryLog, publicCaller, readCaller } from './support.ts';

const dispatch = createDispatch(echoHandlers(), memoryLog());

function throwing(error: unknown) {
  const log = memoryLog();
  const handlers = echoHandlers({
    'streams.list': () => {
      throw error;
    },
  });
  return { log, answer: createDispatch(handlers, log)('streams.list', {}, publicCaller) };
}

describe('dispatch', () => {
  it.each(OPERATION_IDS)('%s runs its example for the window', async (id) => {
    expect(await dispatch(id, contract[id].example, appCaller)).toMatchObject({ ok: true, value: { operation: id, actor: 'app' } });
  });

  it.each(OPERATION_IDS)('%s is open to a key only as its surface and permission say', async (id) => {
    const { surface, permission }: Operation = contract[id];
    const answer = await dispatch(id, contract[id].example, readCaller);
    const expected = surface === 'app' ? 'not_found' : permission === 'read_write' ? 'permission_denied' : 'ok';
    expect(answer.ok ? 'ok' : answer.error.code).toBe(expected);
  });

  it.each(['', 'streams', 'streams.drop', '__proto__', 'constructor', 'toString'])('%j is no operation', async (name) => {
    expect(await dispatch(name, {}, appCaller)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('refuses before it looks at the input', async () => {
    const bad = { nonsense: 1 };
    expect(await dispatch('records.create', bad, readCaller)).toMatchObject({ error: { code: 'permission_denied' } });
    expect(await dispatch('book.overview', bad, publicCaller)).toMatchObject({ error: { code: 'not_found' } });
    expect(await dispatch('records.create', bad, publicCaller)).toMatchObject({ error: { code: 'unknown_field' } });
  });

  it('gives the handler the parsed input', async () => {
    expect(await dispatch('records.get', { id: '12' }, publicCaller)).toMatchObject({ value: { input: { id: 12 } } });
  });

  it('passes on what a handler answers, failures and meta alike', async () => {
    const failure = { ok: false, error: { code: 'key_taken', message: 'Taken.' } };
    const replay = { ok: true, value: 1, meta: { replayed: true } };
    const handlers = echoHandlers({ 'streams.create': () => failure, 'streams.list': async () => replay });
    const run = createDispatch(handlers, memoryLog());
    expect(await run('streams.create', { key: 'a', name: 'A' }, publicCaller)).toEqual(failure);
    expect(await run('streams.list', {}, publicCaller)).toEqual(replay);
  });

  it('turns a throw into internal_error: the stack to the log, its id to the caller', async () => {
    const { log, answer } = throwing(new Error('secret detail'));
    const outcome = await answer;
    expect(outcome).toMatchObject({ ok: false, error: { code: 'internal_error' } });
    expect(JSON.stringify(outcome)).not.toMatch(/secret detail|\.ts/);
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]?.detail['error']).toMatch(/secret detail\n\s+at /);
    expect(JSON.stringify(outcome)).toContain(String(log.lines[0]?.detail['request_id']));
  });

  it('catches a promise that rejects, with whatever', async () => {
    const run = createDispatch(echoHandlers({ 'streams.list': () => Promise.reject(new Error('later')) }), memoryLog());
    expect(await run('streams.list', {}, publicCaller)).toMatchObject({ error: { code: 'internal_error' } });
    expect(await throwing(undefined).answer).toMatchObject({ error: { code: 'internal_error' } });
  });

  it.each(['SQLITE_FULL', 'ENOSPC'])('tells a full disk (%s) in a sentence', async (code) => {
    const outcome = await throwing(Object.assign(new Error('database or disk is full'), { code })).answer;
    expect(outcome).toMatchObject({ error: { code: 'storage_full', message: expect.stringContaining('Free some space') as string } });
  });
});

describe('the IPC handler', () => {
  it('runs an operation for its caller and answers what structured clone carries', async () => {
    const handler = createIpcHandler(dispatch, appCaller);
    const outcome = await handler('records.get', { id: '1' });
    expect(outcome).toMatchObject({ ok: true, value: { actor: 'app', input: { id: 1 } } });
    expect(structuredClone(outcome)).toEqual(outcome);
  });

  it.each([undefined, null, 5, {}, ['records.get']])('%j names no operation', async (operation) => {
    expect(await createIpcHandler(dispatch, appCaller)(operation, {})).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });
});
