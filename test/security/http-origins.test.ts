import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, memoryLog, startTestServer, type TestServer } from '../contract/support.ts';

const ADDIN = 'https://addin.example.com';
const log = memoryLog();
let allowed = [ADDIN, 'http://localhost:3000'];
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ log, rules: () => ({ allowed_origins: allowed, host_names: [] }) });
});
afterAll(() => server.close());

const get = (headers: Readonly<Record<string, string>>, path = '/v1/data_streams') => ask(server.port, path, { headers });
const withKey = (headers: Readonly<Record<string, string>> = {}) => get({ 'x-api-key': server.apiKey, ...headers });
const preflight = (origin: string, headers: Readonly<Record<string, string>> = {}, path = '/v1/data_streams') =>
  ask(server.port, path, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST', ...headers } });
const granted = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control'));

describe('Origin allow-list', () => {
  it('no Origin is no page, and passes', async () => {
    const answer = await withKey();
    expect([answer.status, granted(answer.headers)]).toEqual([200, []]);
    // A cache must not hand this answer to a page.
    expect(answer.headers.vary).toContain('Origin');
  });

  it('an Origin on the list is told so by its own name, and may read what the answer says in headers', async () => {
    for (const origin of allowed) {
      const answer = await withKey({ origin });
      expect(answer.status).toBe(200);
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      expect(answer.headers['access-control-expose-headers']).toBe(
        'Location, ETag, Idempotent-Replayed, Retry-After, Not-Searched, X-Request-Id',
      );
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
      expect(answer.headers.vary).toContain('Origin');
    }
  });

  it('an answer that is packed depends on both headers', async () => {
    const answer = await withKey({ origin: ADDIN, 'accept-encoding': 'gzip' });
    expect(answer.headers.vary).toBe('Origin');
    const long = await get({ origin: ADDIN, 'accept-encoding': 'gzip' }, '/docs');
    expect([long.headers['content-encoding'], long.headers.vary]).toEqual(['gzip', 'Origin, Accept-Encoding']);
  });

  it('a refusal can be read by a page on the list', async () => {
    const answer = await get({ origin: ADDIN });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([401, ADDIN]);
  });

  it.each([
    'https://evil.example',
    'null',
    '*',
    '',
    'http://addin.example.com',
    'https://addin.example.com:8443',
    'https://addin.example.com.evil.example',
    'https://addin.example.com/',
    'HTTPS://ADDIN.EXAMPLE.COM',
    'https://addin.example.com, https://evil.example',
    'http://localhost:3001',
    'http://localhost',
  ])('the Origin %j is refused with its own code, with a key or without, and logged', async (origin) => {
    for (const headers of [{ origin }, { origin, 'x-api-key': server.apiKey }] as Record<string, string>[]) {
      const before = log.lines.length;
      const answer = await get(headers);
      expect([answer.status, answer.json?.['code']]).toEqual([403, 'origin_not_allowed']);
      expect(granted(answer.headers)).toEqual([]);
      expect(log.lines.slice(before)).toMatchObject([{ level: 'warning', detail: { status: 403, origin } }]);
    }
    const asked = await preflight(origin);
    expect([asked.status, granted(asked.headers)]).toEqual([403, []]);
  });

  it('the page itself is no exception: it calls /app', async () => {
    expect((await withKey({ origin: `http://127.0.0.1:${server.port}` })).status).toBe(403);
  });

  it('null is refused even where somebody put it on the list', async () => {
    const own = await startTestServer({ rules: () => ({ allowed_origins: ['null'], host_names: [] }) });
    const answer = await ask(own.port, '/v1/data_streams', { headers: { origin: 'null', 'x-api-key': own.apiKey } });
    await own.close();
    expect([answer.status, granted(answer.headers)]).toEqual([403, []]);
  });

  it('is asked for at every request', async () => {
    const before = allowed;
    allowed = [];
    expect((await withKey({ origin: ADDIN })).status).toBe(403);
    allowed = before;
    expect((await withKey({ origin: ADDIN })).status).toBe(200);
  });

  it('holds for the documentation too', async () => {
    expect((await get({ origin: 'https://evil.example' }, '/docs')).status).toBe(403);
    expect((await get({}, '/docs')).status).toBe(200);
  });
});

describe('a preflight', () => {
  it('of a page on the list is answered without a key', async () => {
    const answer = await preflight(ADDIN, { 'access-control-request-headers': 'x-api-key,content-type,idempotency-key,if-none-match' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ADDIN,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'X-API-KEY, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match',
      'access-control-max-age': '300',
    });
    expect(answer.headers.vary?.split(', ')).toEqual(['Origin', 'Access-Control-Request-Method', 'Access-Control-Request-Headers']);
  });

  it('is answered alike for every address, so that it tells nothing', async () => {
    const shown = async (path: string) => {
      const { status, headers } = await preflight(ADDIN, {}, path);
      return { status, granted: granted(headers).map((name) => headers[name]) };
    };
    expect(await shown('/v1/nonsense')).toEqual(await shown('/v1/data_streams'));
    expect(await shown('/v1/records/1')).toEqual(await shown('/v1/data_streams'));
  });

  it('comes after the Host', async () => {
    const answer = await preflight(ADDIN, { host: 'evil.example' });
    expect([answer.status, granted(answer.headers)]).toEqual([403, []]);
  });

  it('without an Origin or a method to ask for is an ordinary request', async () => {
    expect((await ask(server.port, '/v1/data_streams', { method: 'OPTIONS' })).status).toBe(401);
    expect((await ask(server.port, '/v1/data_streams', { method: 'OPTIONS', headers: { origin: ADDIN } })).status).toBe(401);
  });

  it('opens nothing of the window', async () => {
    const answer = await preflight(ADDIN, {}, '/app/book');
    expect([answer.status, granted(answer.headers)]).toEqual([401, []]);
  });
});
