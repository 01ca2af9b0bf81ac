import net from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OTHER_MACHINES_SENTENCE } from '../../src-shared/contract/book/local-port.ts';
import { ask, windowHeaders } from '../contract/support.ts';
import { openTestBook, type TestBook, testFolder } from '../support/books/backend.ts';

/** A book as a window opens it: the address for other programs is as the settings say. */
async function openDesktop(folder = testFolder()): Promise<TestBook> {
  const book = await openTestBook(folder);
  await book.backend.openLocalPort();
  return book;
}

async function switchedOn(book: TestBook) {
  const state = await book.client.get('local_port.update', { enabled: true, port: null });
  const port = Number(new URL(state.base_url ?? '').port);
  const issued = await book.client.get('api_keys.issue', { environment: 'live', permission: 'read', name: 'Sheet' });
  return { port, key: issued.key, keyId: issued.id };
}

const list = (port: number, headers: Readonly<Record<string, string>>) => ask(port, '/v1/data_streams', { headers });

describe('off by default in the desktop app and switched on in settings', () => {
  it('is off at first, answers when it is switched on, and refuses connections when it is switched off', async () => {
    const book = await openDesktop();
    expect(await book.client.get('local_port.get', {})).toEqual({
      enabled: false,
      port: 4690,
      address: '127.0.0.1',
      host_names: [],
      allowed_origins: [],
      status: 'off',
      served_by: 'settings',
      base_url: null,
      docs_url: null,
      other_urls: [],
      message: null,
    });
    const { port, key } = await switchedOn(book);
    expect((await list(port, { 'x-api-key': key })).status).toBe(200);
    expect((await ask(port, '/docs')).status).toBe(200);
    expect(await book.client.get('local_port.update', { enabled: false })).toMatchObject({ enabled: false, status: 'off', base_url: null });
    await expect(list(port, { 'x-api-key': key })).rejects.toThrow('ECONNREFUSED');
    expect(book.events.filter((event) => event.kind === 'changed' && event.areas.includes('local_port'))).toHaveLength(3);
  });

  it('is on again after a restart, until it is switched off', async () => {
    const first = await openDesktop();
    const { port } = await switchedOn(first);
    await first.client.get('local_port.update', { port });
    await first.close();
    await expect(list(port, {})).rejects.toThrow('ECONNREFUSED');
    const second = await openDesktop(first.folder);
    expect(await second.client.get('local_port.get', {})).toMatchObject({ status: 'on', base_url: `http://127.0.0.1:${port}/v1` });
    expect((await list(port, {})).status).toBe(401);
  });

  it('stays closed for a command that serves nothing, whatever the settings say', async () => {
    const book = await openTestBook();
    expect(await book.client.get('local_port.update', { enabled: true, port: null })).toMatchObject({ enabled: true, status: 'off' });
  });

  it('the window has an address of its own, which answers nothing under /v1 and /docs', async () => {
    const book = await openDesktop();
    const uiFolder = path.join(book.folder, 'ui');
    mkdirSync(uiFolder);
    writeFileSync(path.join(uiFolder, 'index.html'), '<!doctype html><title>Tieout</title>');
    const server = await book.backend.serveHttp({ port: 0, uiFolder, programs: false, environment: 'live' });
    onTestFinished(server.close);
    const { port, key } = await switchedOn(book);
    for (const headers of [{}, { 'x-api-key': key }, { 'x-api-key': server.apiKey }] as Record<string, string>[]) {
      for (const address of ['/v1', '/v1/data_streams', '/v1/openapi.json', '/docs']) {
        expect([address, (await ask(server.port, address, { headers })).status]).toEqual([address, 404]);
      }
    }
    const window = windowHeaders(server);
    expect((await ask(server.port, '/app/local_port', { headers: window })).json).toMatchObject({ status: 'on', served_by: 'settings' });
    await book.client.get('local_port.update', { host_names: ['books.example.com'] });
    const named = { ...window, host: `books.example.com:${server.port}` };
    expect((await ask(server.port, '/app/book', { headers: named })).status).toBe(403);
    // And the address for programs has no window, no session key, and nothing of the settings.
    for (const address of ['/', '/app/book', '/app/local_port', '/app/events']) {
      expect([address, (await ask(port, address, { headers: window })).status]).toEqual([address, 404]);
    }
    expect((await list(port, { 'x-api-key': server.apiKey })).status).toBe(401);
    expect((await ask(port, '/v1/local_port', { headers: { 'x-api-key': key } })).status).toBe(404);
    expect((await ask(port, '/v1/api_keys', { headers: { 'x-api-key': key } })).status).toBe(404);
  });

  it('tieout serve is its own word: its address is on, and the settings neither open nor close anything', async () => {
    const book = await openTestBook();
    const server = await book.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
    expect((await list(server.port, { 'x-api-key': server.apiKey })).status).toBe(200);
    for (const enabled of [true, false]) {
      expect(await book.client.get('local_port.update', { enabled, port: null })).toMatchObject({
        enabled,
        status: 'on',
        served_by: 'command',
        base_url: server.baseUrl,
        docs_url: server.baseUrl.replace('/v1', '/docs'),
      });
    }
    await server.close();
    expect(await book.client.get('local_port.get', {})).toMatchObject({ status: 'off', served_by: 'settings' });
  });
});

describe('127.0.0.1 only unless told otherwise in words', () => {
  it('another address needs the sentence', async () => {
    const book = await openDesktop();
    for (const sentence of [undefined, '', 'yes', `${OTHER_MACHINES_SENTENCE} and more`]) {
      const refused = await book.client.refusal('local_port.update', { enabled: true, port: null, address: '0.0.0.0', sentence });
      expect(refused).toMatchObject({ code: 'sentence_missing', errors: [{ path: 'sentence', code: 'sentence_missing' }] });
      expect(refused.message).toContain(OTHER_MACHINES_SENTENCE);
    }
    expect(await book.client.get('local_port.get', {})).toMatchObject({ enabled: false, address: '127.0.0.1' });
    const state = await book.client.get('local_port.update', {
      enabled: true,
      port: null,
      address: '0.0.0.0',
      sentence: ` ${OTHER_MACHINES_SENTENCE.toUpperCase()}.`,
    });
    const port = Number(new URL(state.base_url ?? '').port);
    expect(state).toMatchObject({ status: 'on', address: '0.0.0.0', base_url: `http://127.0.0.1:${port}/v1` });
    for (const url of state.other_urls) expect(url).toMatch(new RegExp(`^http://[0-9.]+:${port}/v1$`));
    // Back again without a word.
    expect(await book.client.get('local_port.update', { address: '127.0.0.1' })).toMatchObject({ status: 'on', other_urls: [] });
  });
});

describe('Host header checked (DNS rebinding)', () => {
  it('a foreign name is refused with 403, and logged', async () => {
    const book = await openDesktop();
    const { port, key } = await switchedOn(book);
    const answer = await list(port, { 'x-api-key': key, host: `books.example.com:${port}` });
    expect([answer.status, answer.json?.['code']]).toEqual([403, 'permission_denied']);
    expect(book.log.lines.join('\n')).toContain('"host":"books.example.com:');
    await book.client.get('local_port.update', { host_names: ['books.example.com'] });
    expect((await list(port, { 'x-api-key': key, host: `books.example.com:${port}` })).status).toBe(200);
  });
});

describe('Origin allow-list with CORS for add-ins', () => {
  it('is edited in the settings and holds at once, without a restart', async () => {
    const book = await openDesktop();
    const { port, key } = await switchedOn(book);
    const headers = { 'x-api-key': key, origin: 'https://addin.example.com' };
    const refused = await list(port, headers);
    expect([refused.status, refused.json?.['code']]).toEqual([403, 'origin_not_allowed']);
    expect(book.log.lines.join('\n')).toContain('"origin":"https://addin.example.com"');
    await book.client.get('local_port.update', { allowed_origins: ['https://addin.example.com'] });
    const allowed = await list(port, headers);
    expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([200, 'https://addin.example.com']);
    await book.client.get('local_port.update', { allowed_origins: [] });
    expect((await list(port, headers)).status).toBe(403);
  });

  it('holds for tieout serve as well, beside the origins of its command line', async () => {
    const book = await openTestBook();
    const server = await book.backend.serveHttp({
      port: 0,
      uiFolder: null,
      environment: 'live',
      allowedOrigins: ['https://line.example.com'],
    });
    onTestFinished(server.close);
    await book.client.get('local_port.update', { allowed_origins: ['https://set.example.com'] });
    const status = async (origin: string) => (await list(server.port, { 'x-api-key': server.apiKey, origin })).status;
    expect(await status('https://line.example.com')).toBe(200);
    expect(await status('https://set.example.com')).toBe(200);
    expect(await status('https://evil.example')).toBe(403);
  });
});

describe('body, header and request-time limits', () => {
  it('a body over 32 MiB is refused before it is sent, headers over 16 KiB before they are looked at, and both are logged', async () => {
    const book = await openDesktop();
    const { port, key } = await switchedOn(book);
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': String(32 * 1024 * 1024 + 1) };
    const large = await ask(port, '/v1/records/bulk', { method: 'POST', headers });
    expect([large.status, large.json?.['code']]).toEqual([413, 'payload_too_large']);
    const long = await list(port, { 'x-api-key': key, 'x-long': 'x'.repeat(17_000) });
    expect([long.status, long.json?.['code']]).toEqual([400, 'malformed_header']);
    expect(book.log.lines.map((line) => /"status":(\d+)/.exec(line)?.[1])).toEqual(['413', '400']);
    // How long a request may take is tried in http-slow.test.ts, with limits that a test can wait for.
  });
});

describe('rate limit', () => {
  it('answers 429 with Retry-After, and logs it', async () => {
    const book = await openTestBook();
    const limits = { requestsPerSecond: 1, requestBurst: 1 };
    const server = await book.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live', limits });
    onTestFinished(server.close);
    const { key } = await book.client.get('api_keys.issue', { environment: 'live', permission: 'read', name: 'Busy' });
    const headers = { 'x-api-key': key };
    const answers = [await list(server.port, headers), await list(server.port, headers), await list(server.port, headers)];
    const late = answers.find(({ status }) => status === 429);
    expect(late?.headers['retry-after']).toBe('1');
    expect(late?.json).toMatchObject({ code: 'rate_limited' });
    expect(book.log.lines.join('\n')).toContain('"status":429');
  });
});

describe('keys hashed, per environment, read or read_write', () => {
  it('a key is nowhere in the folder of the book, and stands for its environment and permission', async () => {
    const book = await openDesktop();
    const { port, key } = await switchedOn(book);
    const { key: testKey } = await book.client.get('api_keys.issue', { environment: 'test', permission: 'read_write', name: 'T' });
    const create = (apiKey: string) =>
      ask(port, '/v1/data_streams', {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ key: 'from-outside', name: 'From outside' }),
      });
    expect((await create(key)).json).toMatchObject({ status: 403, code: 'permission_denied' });
    expect((await create(testKey)).status).toBe(201);
    expect((await list(port, { 'x-api-key': testKey })).text).toContain('from-outside');
    expect((await list(port, { 'x-api-key': key })).text).toBe('[]');
    expect(book.log.lines.join('\n')).not.toContain(key);
    const { readdirSync, readFileSync } = await import('node:fs');
    for (const file of readdirSync(book.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
      const bytes = readFileSync(path.join(file.parentPath, file.name)).toString('latin1');
      expect([file.name, bytes.includes(key) || bytes.includes(testKey)]).toEqual([file.name, false]);
    }
  });

  it('a missing, an unknown and a revoked key are answered with the same 401, and each is logged', async () => {
    const book = await openDesktop();
    const { port, key, keyId } = await switchedOn(book);
    expect((await list(port, { 'x-api-key': key })).status).toBe(200);
    await book.client.get('api_keys.revoke', { id: keyId });
    const before = book.log.lines.length;
    const answers = [await list(port, {}), await list(port, { 'x-api-key': 'unknown' }), await list(port, { 'x-api-key': key })];
    const [missing, ...others] = answers.map(({ status, json }) => ({ status, ...json, request_id: '' }));
    expect(missing).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(others).toEqual([missing, missing]);
    expect(book.log.lines.slice(before)).toHaveLength(3);
    expect(book.log.lines.join('\n')).not.toContain(key);
  });
});

describe('a port that cannot be had', () => {
  async function taken(): Promise<number> {
    const holder = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    onTestFinished(() => void holder.close());
    return (holder.address() as net.AddressInfo).port;
  }

  it('is told in a sentence, and what was on stays on where it was', async () => {
    const book = await openDesktop();
    const inUse = await taken();
    expect(await book.client.refusal('local_port.update', { enabled: true, port: inUse })).toMatchObject({
      code: 'port_in_use',
      message: `Port ${inUse} is in use. Choose another port, let Tieout take a free one, or close the program that uses it.`,
      errors: [{ path: 'port', code: 'port_in_use' }],
    });
    expect(await book.client.get('local_port.get', {})).toMatchObject({ enabled: false, port: 4690, status: 'off' });
    const { port } = await switchedOn(book);
    const before = await book.client.get('local_port.get', {});
    expect(await book.client.refusal('local_port.update', { port: inUse })).toMatchObject({ code: 'port_in_use' });
    expect(await book.client.get('local_port.get', {})).toEqual(before);
    expect((await list(port, {})).status).toBe(401);
  });

  it('an address that this machine does not have is told, and the same port answers again at the old one', async () => {
    const book = await openDesktop();
    const { port } = await switchedOn(book);
    await book.client.get('local_port.update', { port });
    // TEST-NET-1, which no machine has.
    const input = { address: '192.0.2.1', sentence: OTHER_MACHINES_SENTENCE };
    expect(await book.client.refusal('local_port.update', input)).toMatchObject({
      code: 'address_not_here',
      errors: [{ path: 'address', code: 'address_not_here' }],
    });
    expect(await book.client.get('local_port.get', {})).toMatchObject({ address: '127.0.0.1', status: 'on' });
    expect((await list(port, {})).status).toBe(401);
  });

  it('is told when the book is opened, and can be tried again', async () => {
    const first = await openDesktop();
    const { port } = await switchedOn(first);
    await first.client.get('local_port.update', { port });
    await first.close();
    const holder = net.createServer().listen(port, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const second = await openDesktop(first.folder);
    const failedState = await second.client.get('local_port.get', {});
    expect(failedState).toMatchObject({ enabled: true, status: 'failed', base_url: null });
    expect(failedState.message).toContain(`Port ${port} is in use.`);
    expect(second.log.lines.join('\n')).toContain('The local address could not be opened');
    // The lists can be edited all the same.
    expect(await second.client.get('local_port.update', { host_names: ['pc'] })).toMatchObject({ status: 'failed', host_names: ['pc'] });
    await new Promise((resolve) => holder.close(resolve));
    expect(await second.client.get('local_port.update', { enabled: true })).toMatchObject({ status: 'on', message: null });
  });

  it('a change that is asked for while the book opens waits for that', async () => {
    const first = await openDesktop();
    await switchedOn(first);
    await first.close();
    const second = await openTestBook(first.folder);
    const opening = second.backend.openLocalPort();
    expect(await second.client.get('local_port.update', { enabled: false })).toMatchObject({ status: 'off' });
    await opening;
    expect(await second.client.get('local_port.get', {})).toMatchObject({ enabled: false, status: 'off' });
  });

  it('moves to another port at once: the new one answers, the old one does not', async () => {
    const book = await openDesktop();
    const { port: old } = await switchedOn(book);
    const holder = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as net.AddressInfo;
    await new Promise((resolve) => holder.close(resolve));
    expect(await book.client.get('local_port.update', { port })).toMatchObject({ status: 'on', base_url: `http://127.0.0.1:${port}/v1` });
    expect((await list(port, {})).status).toBe(401);
    await expect(list(old, {})).rejects.toThrow('ECONNREFUSED');
  });
});
