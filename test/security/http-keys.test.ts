import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, ask, jsonHeaders, startTestServer, type TestServer } from '../contract/support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const withoutRequestId = ({ status, json }: Answer) => ({ status, json: { ...json, request_id: '' } });

describe('/v1 and its key', () => {
  it('is open to the session key and to stored keys', async () => {
    for (const [key, actor] of [
      [server.apiKey, 'session'],
      ['stored-write', 'key:1'],
    ] as const) {
      expect((await ask(server.port, '/v1/data_streams', { headers: { 'x-api-key': key } })).json).toMatchObject({ actor });
    }
  });

  it('answers a missing and an unknown key with the same 401', async () => {
    const missing = await ask(server.port, '/v1/data_streams');
    expect(missing.status).toBe(401);
    expect(missing.json).toMatchObject({ code: 'unauthorized', status: 401 });
    for (const key of ['', 'unknown', `${server.apiKey}x`, server.apiKey.slice(0, -1), 'stored-write, stored-write']) {
      const answer = await ask(server.port, '/v1/data_streams', { headers: { 'x-api-key': key } });
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(missing));
    }
  });

  it.each(['/v1', '/v1/', '/v1/nonsense', '/%761/data_streams', '/v1/data%5fstreams'])('tells %s nothing without a key', async (path) => {
    expect([401, 404]).toContain((await ask(server.port, path)).status);
    expect((await ask(server.port, path)).text).not.toContain('streams.list');
  });

  it('does not take the key from the query', async () => {
    expect((await ask(server.port, `/v1/data_streams?x-api-key=${server.apiKey}`)).status).toBe(401);
  });

  it('refuses a write to a key that may only read, before it looks at the input', async () => {
    const answer = await ask(server.port, '/v1/data_streams', { method: 'POST', headers: jsonHeaders('stored-read'), body: '{"x":1}' });
    expect(answer.status).toBe(403);
    expect(answer.json).toMatchObject({ code: 'permission_denied' });
    expect((await ask(server.port, '/v1/data_streams', { headers: { 'x-api-key': 'stored-read' } })).status).toBe(200);
  });

  it('does not know the operations of the window', async () => {
    for (const [method, path] of [
      ['GET', '/v1/book'],
      ['POST', '/v1/imports'],
      ['GET', '/v1/events/latest'],
      ['POST', '/v1/files'],
      ['GET', '/v1/jobs/1'],
      ['DELETE', '/v1/book'],
      ['GET', '/v1/imports'],
    ] as const) {
      const answer = await ask(server.port, path, { method, headers: { 'x-api-key': server.apiKey } });
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  it('does not open /app to a key', async () => {
    const headers = { 'x-api-key': server.apiKey, 'x-tieout-window': '1' };
    expect((await ask(server.port, '/app/book', { headers })).status).toBe(401);
  });
});

describe('the name that a request is sent to', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST'])('may be %s', async (name) => {
    const headers = { host: `${name}:${server.port}`, 'x-api-key': server.apiKey };
    expect((await ask(server.port, '/v1/data_streams', { headers })).status).toBe(200);
  });

  it.each(['evil.example', '127.0.0.1', 'localhost:1', '127.0.0.1.evil.example', 'evil.example@127.0.0.1'])(
    'may not be %j, whatever the key',
    async (host) => {
      for (const path of ['/v1/data_streams', '/', '/app/book', '/nonsense']) {
        const headers = { host: host.replace('127.0.0.1.evil', `127.0.0.1:${server.port}.evil`), 'x-api-key': server.apiKey };
        const answer = await ask(server.port, path, { headers });
        expect(answer.status).toBe(403);
        expect(answer.json).toMatchObject({ message: expect.stringContaining('not served under that name') as string });
      }
    },
  );

  it('lets no other origin read', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST', 'x-api-key': server.apiKey };
    for (const method of ['OPTIONS', 'GET']) {
      const answer = await ask(server.port, '/v1/data_streams', { method, headers });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});
