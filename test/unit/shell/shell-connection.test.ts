import { expect, test, vi } from 'vitest';
import { silentLog } from '../../../src-main/platform/system.ts';
import { success } from '../../../src-shared/values/result.ts';
import { type BackendConnection, connectBackend } from '../../../src-main/shell/backend-connection.ts';

/** A backend of a few lines: answers, crashes and events on demand. */
const WORKER = `
import { parentPort, workerData } from 'node:worker_threads';
if (workerData.dataFolder === 'failing') parentPort.postMessage({ kind: 'failed', failure: { code: 'folder_in_use', message: 'In use.' } });
else {
  parentPort.postMessage({ kind: 'ready' });
  parentPort.on('message', (message) => {
    if (message.operation === 'crash') throw new Error('on purpose');
    if (message.operation === 'event') parentPort.postMessage({ kind: 'event', event: message.input });
    if (message.operation === 'print') parentPort.postMessage({ kind: 'print', id: 7, html: message.input });
    if (message.operation === 'seal') parentPort.postMessage({ kind: 'seal', id: 8, text: message.input });
    if (message.kind === 'sealed') parentPort.postMessage(message.sealed === null ? { kind: 'event', event: [message.id, null] } : { kind: 'unseal', id: 9, sealed: message.sealed });
    if (message.kind === 'unsealed') parentPort.postMessage({ kind: 'event', event: [message.id, message.text, workerData.hasSecrets] });
    if (message.kind === 'printed') parentPort.postMessage({ kind: 'event', event: [message.id, new TextDecoder().decode(message.pdf.value)] });
    if (message.kind === 'request') parentPort.postMessage({ kind: 'answer', id: message.id, outcome: { ok: true, value: message.input } });
    if (message.kind === 'register-file') parentPort.postMessage({ kind: 'file', id: message.id, outcome: { ok: true, value: { token: message.path, name: 'n', byteLength: 1 } } });
    if (message.kind === 'close' && workerData.dataFolder !== 'deaf') { parentPort.postMessage({ kind: 'closed', id: message.id }); parentPort.close(); }
  });
}`;
const script = new URL(`data:text/javascript,${encodeURIComponent(WORKER)}`);

function connect(dataFolder: string, closeLimitMs?: number): { connection: BackendConnection; events: unknown[]; fatal: Promise<string> } {
  const events: unknown[] = [];
  const { promise: fatal, resolve } = Promise.withResolvers<string>();
  const connection = connectBackend({
    script,
    data: { dataFolder, userFolder: dataFolder, version: '1', environment: 'live' },
    printer: { pdfOf: (html) => Promise.resolve(success(new TextEncoder().encode(`printed ${html}`))) },
    secrets: {
      encrypt: async (text) => (text === 'broken' ? Promise.reject(new Error('locked')) : new TextEncoder().encode(`sealed ${text}`)),
      decrypt: async (sealed) => new TextDecoder().decode(sealed).replace('sealed ', ''),
    },
    listeners: [(event) => events.push(event)],
    onFatal: resolve,
    log: silentLog,
    ...(closeLimitMs === undefined ? {} : { closeLimitMs }),
  });
  return { connection, events, fatal };
}

test('answers go to whoever asked, in any order, and events come along', async () => {
  const { connection, events } = connect('book');
  const answers = await Promise.all([connection.request('a', 1), connection.request('event', 'news'), connection.request('a', 3)]);
  expect(answers).toEqual([1, 'news', 3].map((value) => ({ ok: true, value })));
  expect(events).toEqual(['news']);
  expect(await connection.registerFile('place')).toEqual({ ok: true, value: { token: 'place', name: 'n', byteLength: 1 } });
  await connection.close();
  expect(await connection.request('a', 1)).toMatchObject({ ok: false, error: { code: 'internal_error' } });
});

test('what the backend wants printed is printed by the main thread', async () => {
  const { connection, events } = connect('book');
  await connection.request('print', '<p>');
  await vi.waitFor(() => expect(events).toEqual([[7, 'printed <p>']]));
  await connection.close();
});

test('secrets are sealed and opened by the main thread; a store that fails is none', async () => {
  const { connection, events } = connect('book');
  await connection.request('seal', 'key');
  await vi.waitFor(() => expect(events).toEqual([[9, 'key', true]]));
  await connection.request('seal', 'broken');
  await vi.waitFor(() => expect(events[1]).toEqual([8, null]));
  await connection.close();
});

test('a crash answers everyone who waits and is healed once; the second is told', async () => {
  const { connection, fatal } = connect('book');
  const lost = await Promise.all([connection.request('crash', 0), connection.request('a', 1)]);
  expect(lost.map((outcome) => outcome.ok)).toEqual([false, false]);
  expect(lost[0]).toMatchObject({ error: { message: expect.stringContaining('try again') } });
  expect(await connection.request('a', 2)).toEqual({ ok: true, value: 2 });
  expect((await connection.request('crash', 0)).ok).toBe(false);
  expect(await fatal).toContain('stopped twice');
  expect((await connection.request('a', 3)).ok).toBe(false);
});

test('a book that cannot be opened is told in the words of the backend', async () => {
  const { connection, fatal } = connect('failing');
  expect(await fatal).toBe('In use.');
  await connection.close();
});

test('closing does not wait for ever', async () => {
  const { connection } = connect('deaf', 50);
  await connection.request('a', 1);
  await connection.close();
  expect((await connection.request('a', 1)).ok).toBe(false);
});
