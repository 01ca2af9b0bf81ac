import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDispatch } from '../../src-main/transport/dispatch.ts';
import { ask, echoHandlers, jsonHeaders, memoryLog, startTestServer, type TestServer } from '../contract/support.ts';

let server: TestServer;
const log = memoryLog();
beforeAll(async () => {
  const handlers = echoHandlers({
    'streams.list': () => {
      throw new Error('secret detail');
    },
    'runs.start': () => ({ ok: true, value: {}, meta: { location: '/v1/reconciliations/1/runs/9', replayed: true } }),
    'records.get': () => ({ ok: false, error: { code: 'not_found', message: 'There is no record 5.' } }),
  });
  server = await startTestServer({ dispatch: createDispatch(handlers, log), log, limits: { bodyBytes: 10_000 } });
});
afterAll(() => server.close());

const post = (body: string | Buffer, headers: Record<string, string> = jsonHeaders(server.apiKey), path = '/v1/data_streams') =>
  ask(server.port, path, { method: 'POST', headers, body });

const get = (path: string) => ask(server.port, path, { headers: { 'x-api-key': server.apiKey } });

/** Bytes as they are, and all that comes back. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(server.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      answer += part;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
  });
}

describe('bodies', () => {
  it.each(['{', '\u0000', "{'a':1}", '{"a":1}}', '[1,]'])('%j is malformed JSON', async (body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: 'malformed_json' });
  });

  it('that are not UTF-8 are malformed', async () => {
    expect((await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).json).toMatchObject({ code: 'malformed_json' });
  });

  it.each(['[]', 'null', '5', '"text"'])('%s is no object', async (body) => {
    const answer = await post(body);
    expect([answer.status, answer.json?.['code']]).toEqual([422, 'validation_failed']);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream', 'multipart/form-data; boundary=x', ''])(
    'of type %j are not taken',
    async (type) => {
      const answer = await post('{"key":"a","name":"A"}', { 'x-api-key': server.apiKey, ...(type === '' ? {} : { 'content-type': type }) });
      expect([answer.status, answer.json?.['code']]).toEqual([415, 'unsupported_media_type']);
    },
  );

  it('over the limit are refused with it, declared or not', async () => {
    const body = JSON.stringify({ key: 'a', name: 'x'.repeat(10_000) });
    for (const extra of [{}, { 'transfer-encoding': 'chunked' }] as Record<string, string>[]) {
      const answer = await post(body, { ...jsonHeaders(server.apiKey), ...extra });
      expect([answer.status, answer.json?.['code']]).toEqual([413, 'payload_too_large']);
      expect(answer.json?.['message']).toContain('10000 bytes');
    }
  });

  it('nested without end are refused', async () => {
    const answer = await post(`{"key":${'['.repeat(4_000)}${']'.repeat(4_000)}}`);
    expect([answer.status, answer.json?.['code']]).toEqual([422, 'validation_failed']);
  });

  it('may be empty where nothing is needed, with or without a type', async () => {
    for (const headers of [jsonHeaders(server.apiKey), { 'x-api-key': server.apiKey }]) {
      const answer = await post('', headers, '/v1/reconciliation_matches/1/confirm');
      expect([answer.status, answer.json?.['input']]).toEqual([200, { id: 1, create_adjustment: false }]);
    }
  });

  it('with __proto__ change nothing', async () => {
    const answer = await post('{"key":"a","name":"A","__proto__":{"polluted":1}}');
    expect([answer.status, answer.json?.['code']]).toEqual([422, 'unknown_field']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('addresses and methods', () => {
  it.each([
    ['DELETE', '/v1/data_streams', 'GET, HEAD, POST'],
    ['PUT', '/v1/records/1', 'DELETE, GET, HEAD, PATCH'],
    ['OPTIONS', '/v1/records', 'GET, HEAD, POST'],
    ['GET', '/v1/reconciliation_matches/1/confirm', 'POST'],
    ['POST', '/v1/openapi.json', 'GET, HEAD'],
  ])('%s %s is 405 with what is allowed', async (method, path, allow) => {
    const answer = await ask(server.port, path, { method, headers: { 'x-api-key': server.apiKey } });
    expect([answer.status, answer.headers.allow, answer.json?.['code']]).toEqual([405, allow, 'method_not_allowed']);
  });

  it('405 comes before the body is judged', async () => {
    const answer = await ask(server.port, '/v1/records/1', { method: 'POST', headers: { ...jsonHeaders(server.apiKey) }, body: '{' });
    expect(answer.status).toBe(405);
  });

  it.each(['/', '/nonsense', '/v1/nonsense', '/v1/records/', '/v1/records/1/2/3', '/v1/records/%zz', '/v1/../v1/book', '/v1//records'])(
    '%s is 404',
    async (path) => {
      const answer = await ask(server.port, path, { headers: { 'x-api-key': server.apiKey } });
      expect([answer.status, answer.json?.['code']]).toEqual([404, 'not_found']);
    },
  );

  it('an id that cannot be one is 404, a query that cannot be is 422', async () => {
    expect((await get('/v1/reconciliations/abc')).status).toBe(404);
    expect((await get('/v1/reconciliations?limit=')).status).toBe(422);
    expect((await get('/v1/reconciliations?limit=101')).status).toBe(422);
    expect((await get('/v1/reconciliations?limit=1&limit=1')).status).toBe(422);
    expect((await get('/v1/reconciliations?nonsense=1')).json).toMatchObject({ code: 'unknown_field' });
  });
});

describe('answers', () => {
  it('a failure has the members of RFC 9457 and the plain strings', async () => {
    const answer = await ask(server.port, '/v1/records/5?', { headers: { 'x-api-key': server.apiKey } });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json).toEqual({
      type: 'urn:tieout:error:not_found',
      title: 'Not found',
      status: 404,
      detail: 'There is no record 5.',
      instance: '/v1/records/5',
      code: 'not_found',
      message: 'There is no record 5.',
      error: 'There is no record 5.',
      errors: [],
      request_id: answer.headers['x-request-id'],
    });
    const headers = { 'x-api-key': server.apiKey, accept: 'application/problem+json' };
    expect((await ask(server.port, '/v1/records/5', { headers })).headers['content-type']).toBe('application/problem+json; charset=utf-8');
  });

  it('a bug shows no inner detail', async () => {
    const answer = await ask(server.port, '/v1/data_streams', { headers: { 'x-api-key': server.apiKey } });
    expect(answer.status).toBe(500);
    expect(answer.text).not.toMatch(/secret detail|\.ts/);
    expect(JSON.stringify(log.lines)).toContain('secret detail');
  });

  it('carries status, Location and Idempotent-Replayed', async () => {
    const answer = await post('{}', jsonHeaders(server.apiKey), '/v1/reconciliations/1/runs');
    expect(answer.status).toBe(202);
    expect(answer.headers).toMatchObject({ location: '/v1/reconciliations/1/runs/9', 'idempotent-replayed': 'true' });
  });

  it('204 has no body', async () => {
    const answer = await ask(server.port, '/v1/records/7', { method: 'DELETE', headers: { 'x-api-key': server.apiKey } });
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([204, '', undefined]);
  });

  it('carries the same guards on every answer', async () => {
    for (const path of ['/v1/records', '/v1/nonsense', '/nonsense', '/v1/records/%zz', `/v1/records/${'x'.repeat(600)}`]) {
      const { headers } = await ask(server.port, path, { headers: { 'x-api-key': server.apiKey } });
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
      expect(headers['x-request-id']).toMatch(/^req_[0-9a-f]{16}$/);
    }
  });

  it('a request that names no host is refused', async () => {
    expect(await raw('GET /v1/records HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('bytes that are no request, and headers without end, are answered and cut off', async () => {
    expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*malformed_header/);
    expect(await raw(`GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/malformed_header/);
  });
});

describe('a request that could be read in two ways', () => {
  const head = () =>
    `host: 127.0.0.1:${server.port}\r\nx-api-key: ${server.apiKey}\r\ncontent-type: application/json\r\nconnection: close\r\n`;

  it.each([
    ['a length and chunks', 'content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'content-length: 2\r\ncontent-length: 40\r\n\r\n{}'],
    ['a length that is none', 'content-length: +2\r\n\r\n{}'],
    ['a coding that is not known', 'transfer-encoding: xchunked\r\n\r\n{}'],
    ['a header over two lines', 'x-folded: a\r\n b\r\ncontent-length : 2\r\n\r\n{}'],
    ['two hosts, the second of them ours', null],
  ])('(%s) is not answered as one', async (_, rest) => {
    const request =
      rest === null
        ? `GET /v1/records HTTP/1.1\r\nhost: evil.example\r\n${head()}\r\n`
        : `POST /v1/data_streams HTTP/1.1\r\n${head()}${rest}`;
    expect(await raw(request)).toMatch(/^HTTP\/1\.1 (?:400|403) /);
  });
});

describe('the server', () => {
  it('listens on loopback alone and says in a sentence when the port is taken', async () => {
    await expect(startTestServer({ port: server.port })).rejects.toThrow(`Port ${server.port} is in use.`);
  });

  it('answers what is under way before it closes, but waits for nothing long', async () => {
    const gate = Promise.withResolvers<void>();
    const soonCame = Promise.withResolvers<void>();
    const neverCame = Promise.withResolvers<void>();
    const handlers = echoHandlers({
      'streams.list': async () => {
        soonCame.resolve();
        await gate.promise;
        return { ok: true, value: 'late' };
      },
      'reconciliations.list': () => {
        neverCame.resolve();
        return new Promise(() => {});
      },
    });
    const own = await startTestServer({ dispatch: createDispatch(handlers, memoryLog()), limits: { closeGraceMs: 400 } });
    const headers = { 'x-api-key': own.apiKey };
    const soon = ask(own.port, '/v1/data_streams', { headers });
    const never = ask(own.port, '/v1/reconciliations', { headers }).catch((error: unknown) => String(error));
    await Promise.all([soonCame.promise, neverCame.promise]);
    const closed = own.close();
    gate.resolve();
    await closed;
    expect((await soon).text).toBe('"late"');
    expect(await never).toContain('socket hang up');
  });

  it('closes even with connections kept open', async () => {
    const own = await startTestServer({ limits: { closeGraceMs: 100 } });
    const idle = net.connect(own.port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    await own.close();
    idle.destroy();
    await expect(ask(own.port, '/')).rejects.toThrow('ECONNREFUSED');
  });
});
