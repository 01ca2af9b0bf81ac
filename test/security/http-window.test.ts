import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BookEvent } from '../../src-shared/contract/index.ts';
import { type Answer, ask, seededRandom, startTestServer, type TestServer, windowHeaders as headersOf } from '../contract/support.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'tieout-window-'));
const uploads: { name: string; bytes: number }[] = [];
let server: TestServer;
let uploadsBegun = 0;

beforeAll(async () => {
  const uiFolder = path.join(folder, 'ui');
  mkdirSync(path.join(uiFolder, 'assets'), { recursive: true });
  writeFileSync(path.join(folder, 'secret.txt'), 'secret');
  writeFileSync(path.join(uiFolder, '.hidden'), 'secret');
  writeFileSync(path.join(uiFolder, 'index.html'), '<!doctype html><title>Tieout</title><p>the window</p>');
  writeFileSync(path.join(uiFolder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(path.join(uiFolder, 'assets', 'index-abc123.js'), 'export {};');
  symlinkSync(path.join(folder, 'absent.txt'), path.join(uiFolder, 'assets', 'dangling.js'));
  server = await startTestServer({
    uiFolder,
    limits: { uploadBytes: 1_000_000, heartbeatMs: 20 },
    async acceptUpload(name, body) {
      uploadsBegun += 1;
      const content = await text(body);
      if (name === 'bad.csv') return { ok: false, error: { code: 'file_unreadable', message: 'The file cannot be read.' } };
      uploads.push({ name, bytes: content.length });
      return { ok: true, value: { token: 'token', name, byteLength: content.length } };
    },
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const get = (address: string, headers: Record<string, string> = {}) => ask(server.port, address, { headers });
const windowHeaders = () => headersOf(server);

const code = ({ status, json }: Answer) => [status, json?.['code']];

const upload = (name: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  ask(server.port, `/app/files?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { ...windowHeaders(), 'content-type': 'application/octet-stream', ...headers },
    body,
  });

function listen(own: TestServer, headers: Record<string, string>) {
  const parts: string[] = [];
  const response = new Promise<http.IncomingMessage>((resolve) => {
    http.get({ host: '127.0.0.1', port: own.port, path: '/app/events', headers, agent: false }, (answer) => {
      answer.setEncoding('utf8').on('data', (part: string) => parts.push(part));
      resolve(answer);
    });
  });
  return { parts, response };
}

describe('the address of the window', () => {
  const secretOf = (url: string | null | undefined) => /#token=([A-Za-z0-9_-]{43})$/.exec(url ?? '')?.[1];

  it('carries its secret behind #, which browsers send to nobody, and is good while the server lives', async () => {
    const url = new URL(server.uiUrl ?? '');
    expect([url.origin, url.pathname, url.search]).toEqual([`http://127.0.0.1:${server.port}`, '/', '']);
    const headers = { 'x-tieout-window': secretOf(server.uiUrl) ?? '' };
    for (let time = 0; time < 2; time += 1) expect((await get('/app/book', headers)).status).toBe(200);
  });

  it('for a command line leads there once, and to another secret each time', async () => {
    const seen = new Set([secretOf(server.uiUrl)]);
    for (let time = 0; time < 2; time += 1) {
      const address = new URL(server.newUiUrl() ?? '');
      expect(address.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\/[A-Za-z0-9_-]{43}$/);
      expect((await ask(server.port, address.pathname, { method: 'HEAD' })).status).toBe(404);
      const first = await get(address.pathname);
      expect([first.status, first.headers['cache-control'], first.headers['referrer-policy']]).toEqual([200, 'no-store', 'no-referrer']);
      const secret = /<meta name="secret" content="([A-Za-z0-9_-]{43})">/.exec(first.text)?.[1] ?? '';
      expect(seen).not.toContain(secret);
      seen.add(secret);
      expect((await get('/app/book', { 'x-tieout-window': secret })).status).toBe(200);
      const second = await get(address.pathname);
      expect([second.status, second.headers.location]).toEqual([401, undefined]);
      expect(second.text).toContain('Start Tieout again');
    }
  });

  it('for a command line leaves no secret in an address that the browser keeps', async () => {
    const opened = await get(new URL(server.newUiUrl() ?? '').pathname);
    expect(opened.headers.location).toBeUndefined();
    expect(opened.text).not.toContain('#token=');
    const script = /<script>(.*)<\/script>/.exec(opened.text)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(opened.headers['content-security-policy']).toContain(`script-src 'sha256-${hash}'`);
  });

  it.each(['wrong', '%00', 'x'.repeat(400)])('with the wrong ticket %j is 401', async (ticket) => {
    const answer = await get(`/open/${ticket}`);
    expect([answer.status, answer.headers.location]).toEqual([401, undefined]);
  });
});

describe('the window', () => {
  it('is a page without data, the same for everybody', async () => {
    const shown = await get('/');
    expect([shown.status, shown.headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(shown.text).toContain('the window');
    expect(shown.headers['content-security-policy']).toContain("script-src 'self'; ");
    expect(shown.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(shown.headers['cross-origin-opener-policy']).toBe('same-origin');
    expect((await get('/', windowHeaders())).text).toBe(shown.text);
  });

  it('has its page at no other address', async () => {
    expect((await get('/index.html')).status).toBe(404);
  });

  it('keeps hashed files for good, others not', async () => {
    const script = await get('/assets/index-abc123.js');
    expect([script.status, script.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(script.headers['content-type']).toMatch(/javascript/);
    expect(script.headers['x-content-type-options']).toBe('nosniff');
    expect((await get('/icon.svg')).headers['cache-control']).toBe('no-cache');
  });

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/..%5csecret.txt',
    '/assets/..%00/secret.txt',
    '/.hidden',
    '/assets/',
    '/assets',
    '//etc/passwd',
    '/assets/dangling.js',
  ])('gives out nothing at %s', async (address) => {
    const answer = await get(address, windowHeaders());
    expect(answer.status).toBe(404);
    expect(answer.text).not.toMatch(/^secret|root:/);
  });

  it('that was never built is said in a sentence', async () => {
    await expect(startTestServer({ uiFolder: path.join(folder, 'nowhere') })).rejects.toThrow('Run npm run build');
  });
});

describe('/app', () => {
  it('serves every operation to the window, with no key', async () => {
    expect((await get('/app/book', windowHeaders())).json).toMatchObject({ operation: 'book.overview', actor: 'app' });
    expect((await get('/app/records?limit=1', windowHeaders())).json).toMatchObject({ operation: 'records.list' });
  });

  it('needs the secret, in each request', async () => {
    const secret = windowHeaders()['x-tieout-window'] ?? '';
    for (const given of [undefined, '', '1', `${secret}x`, secret.slice(1), `${secret}, ${secret}`]) {
      const headers: Record<string, string> = given === undefined ? {} : { 'x-tieout-window': given };
      for (const address of ['/app/book', '/app/events', '/%61pp/book']) {
        expect([given, code(await get(address, headers))]).toEqual([given, [401, 'unauthorized']]);
      }
    }
    expect(code(await get(`/app/book?token=${secret}`))).toEqual([401, 'unauthorized']);
  });

  it('refuses other origins, also of this computer', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', `https://127.0.0.1:${server.port}`]) {
      expect(code(await get('/app/book', { ...windowHeaders(), origin }))).toEqual([403, 'permission_denied']);
      expect(code(await get('/app/events', { ...windowHeaders(), origin }))).toEqual([403, 'permission_denied']);
    }
    expect((await get('/app/book', { ...windowHeaders(), origin: `http://127.0.0.1:${server.port}` })).status).toBe(200);
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect(code(await get('/app/events', { ...windowHeaders(), 'sec-fetch-site': site }))).toEqual([403, 'permission_denied']);
    }
  });

  it('knows no secret of another server', async () => {
    const other = await startTestServer({ uiFolder: path.join(folder, 'ui'), random: seededRandom('other') });
    const answer = await ask(other.port, '/app/book', { headers: windowHeaders() });
    await other.close();
    expect(answer.status).toBe(401);
  });
});

describe('uploads', () => {
  it('answer a token, and take a name for no path', async () => {
    const answer = await upload('..\\..\\etc/pass\u0007wd.csv', 'a,b\n');
    expect([answer.status, answer.json]).toEqual([201, { token: 'token', name: 'passwd.csv', byteLength: 4 }]);
    expect((await upload('', 'x')).json).toMatchObject({ name: 'file' });
    expect((await upload('empty.csv', '')).json).toMatchObject({ byteLength: 0 });
  });

  it('pass on that a file cannot be read', async () => {
    expect((await upload('bad.csv', 'x')).json).toMatchObject({ code: 'file_unreadable', status: 422 });
  });

  it('are limited, declared or not', async () => {
    const body = Buffer.alloc(1_000_001);
    const [before, begunBefore] = [uploads.length, uploadsBegun];
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }] as Record<string, string>[]) {
      const answer = await upload('large.csv', body, headers);
      expect([answer.status, answer.json?.['code']]).toEqual([413, 'payload_too_large']);
    }
    expect(uploads).toHaveLength(before);
    // The declared one was refused before a byte of it was taken.
    expect(uploadsBegun).toBe(begunBefore + 1);
    expect((await upload('just.csv', Buffer.alloc(1_000_000))).status).toBe(201);
  });

  it('are bytes alone, and the window’s alone', async () => {
    expect((await upload('a.csv', '{}', { 'content-type': 'application/json' })).status).toBe(415);
    expect((await upload('a.csv', 'x', { 'x-tieout-window': '' })).status).toBe(401);
    expect((await upload('a.csv', 'x', { origin: 'https://evil.example' })).status).toBe(403);
  });
});

describe('the event stream', () => {
  const event: BookEvent = { kind: 'changed', revision: 7, areas: ['matches'], reconciliation_id: null };

  it('carries events and heartbeats, and forgets who leaves', async () => {
    const { parts, response } = listen(server, { ...windowHeaders(), 'sec-fetch-site': 'same-origin' });
    const stream = await response;
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers['x-content-type-options']).toBe('nosniff');
    await vi.waitFor(() => expect(server.listeners()).toBe(1));
    server.emit(event);
    await vi.waitFor(() => expect(parts.join('')).toContain(`data: ${JSON.stringify(event)}\n\n`));
    await vi.waitFor(() => expect(parts.join('')).toContain(': still here\n\n'));
    stream.destroy();
    await vi.waitFor(() => expect(server.listeners()).toBe(0));
  });

  it('is for 64 listeners at most', async () => {
    const own = await startTestServer({ uiFolder: path.join(folder, 'ui') });
    const headers = headersOf(own);
    await Promise.all(Array.from({ length: 64 }, () => listen(own, headers).response));
    expect(code(await ask(own.port, '/app/events', { headers }))).toEqual([429, 'rate_limited']);
    await own.close();
  });

  it('ends with the server', async () => {
    // Longer than the test may take: it does not wait for the listener to go by itself.
    const own = await startTestServer({ uiFolder: path.join(folder, 'ui'), limits: { closeGraceMs: 300_000 } });
    const stream = await listen(own, headersOf(own)).response;
    const ended = new Promise((resolve) => stream.once('close', resolve));
    await own.close();
    await ended;
    expect(own.listeners()).toBe(0);
  });
});
