import { gunzipSync, gzipSync } from 'node:zlib';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { LIMITS } from '../../src-shared/contract/common.ts';
import { createDispatch } from '../../src-main/transport/dispatch.ts';
import { ask, echoHandlers, memoryLog, startTestServer, type TestServer } from './support.ts';
import net from 'node:net';

let server: TestServer;
let name = 'first';
const changes: unknown[] = [];
const long = 'x'.repeat(5_000);
beforeAll(async () => {
  const handlers = echoHandlers({
    'streams.get': () => ({ ok: true, value: { name } }),
    'streams.update': (_caller, input) => {
      changes.push(input);
      name = String((input as { name?: unknown }).name);
      return { ok: true, value: { name } };
    },
    'streams.list': () => ({ ok: true, value: [{ name: long }] }),
    'periods.report': () => ({
      ok: true,
      value: { file_name: 'Büro-2026-06.csv', content_type: 'text/csv; charset=utf-8', encoding: 'utf8', fingerprint: 'f', content: 'a,b' },
    }),
    'rules.get': () => ({ ok: false, error: { code: 'not_found', message: `There is no rule ${long}.` } }),
  });
  server = await startTestServer({ dispatch: createDispatch(handlers, memoryLog()) });
});
afterAll(() => server.close());

const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  ask(server.port, path, { method, headers: { 'x-api-key': server.apiKey, ...headers } });

/** The bytes as they came. */
async function bytesOf(
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ headers: http.IncomingHttpHeaders; body: Buffer }> {
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port: server.port, path, headers: { 'x-api-key': server.apiKey, ...headers }, agent: false }, resolve)
      .on('error', reject);
  });
  return { headers: answer.headers, body: await buffer(answer) };
}

describe('gzip', () => {
  it('packs what is over 1 KiB for who takes it', async () => {
    const { headers, body } = await bytesOf('/v1/data_streams', { 'accept-encoding': 'gzip, deflate' });
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Origin, Accept-Encoding', 'content-length': String(body.length) });
    expect(body.length).toBeLessThan(1_000);
    expect(JSON.parse(gunzipSync(body).toString('utf8'))).toEqual([{ name: long }]);
  });

  it('packs failures as well', async () => {
    const { headers, body } = await bytesOf('/v1/reconciliation_rules/1', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(body).toString('utf8'))).toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['/v1/data_streams', {}],
    ['/v1/data_streams', { 'accept-encoding': 'gzip;q=0' }],
    ['/v1/data_streams/bank', { 'accept-encoding': 'gzip' }],
  ])('leaves %s for %o as it is', async (path, headers) => {
    expect((await bytesOf(path, headers)).headers['content-encoding']).toBeUndefined();
  });
});

describe('ETag', () => {
  it('answers 304 until the thing changes', async () => {
    const first = await get('/v1/data_streams/bank');
    const tag = first.headers.etag ?? '';
    expect(tag).toMatch(/^W\/"[\w-]+"$/);
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const again = await get('/v1/data_streams/bank', { 'if-none-match': known });
      expect([again.status, again.text, again.headers.etag, again.headers['content-type']]).toEqual([304, '', tag, undefined]);
    }
    name = 'second';
    const changed = await get('/v1/data_streams/bank', { 'if-none-match': tag });
    expect([changed.status, changed.json]).toEqual([200, { name: 'second' }]);
    expect(changed.headers.etag).not.toBe(tag);
  });

  it('is on the document of OpenAPI, the same packed or not', async () => {
    const plain = await get('/v1/openapi.json');
    const packed = await bytesOf('/v1/openapi.json', { 'accept-encoding': 'gzip' });
    expect(packed.headers.etag).toBe(plain.headers.etag);
    expect((await get('/v1/openapi.json', { 'if-none-match': plain.headers.etag ?? '', 'accept-encoding': 'gzip' })).status).toBe(304);
  });

  it('is not on refusals, nor on changes', async () => {
    expect((await get('/v1/reconciliation_rules/1')).headers.etag).toBeUndefined();
    const headers = { 'x-api-key': server.apiKey, 'content-type': 'application/json', 'if-none-match': '*' };
    const body = JSON.stringify({ name: 'B' });
    const changed = await ask(server.port, '/v1/data_streams/bank', { method: 'PATCH', headers, body });
    expect([changed.status, changed.headers.etag]).toEqual([200, undefined]);
  });
});

describe('If-Match', () => {
  const patch = (to: string, headers: Readonly<Record<string, string>> = {}) =>
    ask(server.port, '/v1/data_streams/bank', {
      method: 'PATCH',
      headers: { 'x-api-key': server.apiKey, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name: to }),
    });

  it('lets a change through while the thing is as it was read, and refuses it after', async () => {
    const { etag = '' } = (await get('/v1/data_streams/bank')).headers;
    changes.length = 0;
    expect((await patch('third', { 'if-match': etag })).status).toBe(200);
    const late = await patch('fourth', { 'if-match': etag });
    expect([late.status, late.json]).toMatchObject([
      412,
      { code: 'precondition_failed', message: expect.stringMatching(/has changed since/) },
    ]);
    expect(changes).toHaveLength(1);
    expect((await patch('fifth', { 'if-match': '*' })).status).toBe(200);
    const listed = `"other", ${(await get('/v1/data_streams/bank')).headers.etag}`;
    expect((await patch('fifth', { 'if-match': listed })).status).toBe(200);
    expect((await patch('sixth')).status).toBe(200);
  });

  it('lets one of two changes through that were made to the same state', async () => {
    const { etag = '' } = (await get('/v1/data_streams/bank')).headers;
    const both = await Promise.all([patch('left', { 'if-match': etag }), patch('right', { 'if-match': etag })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  });

  it('refuses a request whose address cannot be read, instead of ignoring the header', async () => {
    const headers = { 'x-api-key': server.apiKey, 'content-type': 'application/json', 'if-match': '"any"' };
    const answer = await ask(server.port, '/v1/reconciliations/1/runs/1/cancel', { method: 'POST', headers, body: '{}' });
    expect([answer.status, answer.json]).toMatchObject([412, { code: 'precondition_failed' }]);
  });

  it('leaves it to the change to say that the thing is not there', async () => {
    const headers = { 'x-api-key': server.apiKey, 'if-match': '"any"' };
    expect((await ask(server.port, '/v1/reconciliation_rules/1', { method: 'DELETE', headers })).status).not.toBe(412);
  });
});

describe('HEAD', () => {
  it.each(['/v1/data_streams', '/v1/data_streams/bank', '/v1/openapi.json', '/v1/reconciliation_rules/1', '/v1/nonsense'])(
    '%s has the status and headers of GET, and no body',
    async (path) => {
      const whole = await get(path);
      const head = await get(path, {}, 'HEAD');
      expect([head.status, head.text]).toEqual([whole.status, '']);
      for (const header of ['content-type', 'etag', 'content-length'] as const) expect(head.headers[header]).toBe(whole.headers[header]);
    },
  );

  it('knows 304 too, and needs the key', async () => {
    const { etag = '' } = (await get('/v1/data_streams/bank')).headers;
    expect((await get('/v1/data_streams/bank', { 'if-none-match': etag }, 'HEAD')).status).toBe(304);
    expect((await ask(server.port, '/v1/data_streams', { method: 'HEAD' })).status).toBe(401);
  });
});

describe('found once: slow answer hung up', () => {
  /** The undo of a large import took longer than a connection may be silent, and its client was hung up on. */
  test('a request that is worked on for longer than a connection may be silent is answered', async () => {
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      return { ok: true, value: [] };
    };
    const handlers = echoHandlers({ 'streams.list': slow });
    const server = await startTestServer({ dispatch: createDispatch(handlers, memoryLog()), limits: { silenceMs: 100 } });
    onTestFinished(server.close);
    const answer = await ask(server.port, '/v1/data_streams', { headers: { 'x-api-key': server.apiKey } });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: '[]' });
  });

  test('one whose body stays away is still let go', async () => {
    const server = await startTestServer({ limits: { silenceMs: 100 } });
    onTestFinished(server.close);
    const socket = net.connect(server.port, '127.0.0.1');
    const head = `POST /v1/data_streams HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nx-api-key: ${server.apiKey}\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}content-length: 100\r\n\r\n{`);
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect(socket.destroyed).toBe(true);
  });
});

describe('a key', () => {
  const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  it.each([
    ['as a bearer token', { authorization: 'Bearer stored-read' }, 200],
    ['as a bearer token in other letters', { authorization: 'bearer  stored-read' }, 200],
    ['as the password of a sign-in', { authorization: basic('', 'stored-read') }, 200],
    ['as the password beside any name', { authorization: basic('ann', 'stored-read') }, 200],
    ['in its own header, which counts first', { 'x-api-key': 'stored-read', authorization: 'Bearer nonsense' }, 200],
    ['that is wrong in its own header', { 'x-api-key': 'nonsense', authorization: 'Bearer stored-read' }, 401],
    ['that is a wrong password', { authorization: basic('ann', 'nonsense') }, 401],
    ['as the user name alone', { authorization: basic('stored-read', '') }, 401],
    ['in a scheme that is not known', { authorization: 'Digest stored-read' }, 401],
    ['that is not given', {}, 401],
  ])('%s', async (_, headers, status) => {
    const answer = await ask(server.port, '/v1/data_streams', { headers: headers as Record<string, string> });
    expect(answer.status).toBe(status);
    const ways = answer.headers['www-authenticate'];
    expect(ways).toBe(status === 401 ? 'Basic realm="Tieout", charset="UTF-8", Bearer realm="Tieout"' : undefined);
  });
});

describe('a report', () => {
  const report = '/v1/reconciliation_periods/1/report?format=csv';

  it.each([{}, { accept: '*/*' }, { accept: 'text/html, */*;q=0.8' }])('is the file itself for %j', async (headers) => {
    const { headers: answered, text } = await get(report, headers as Record<string, string>);
    expect([answered['content-type'], text]).toEqual(['text/csv; charset=utf-8', 'a,b']);
    expect(answered['content-disposition']).toBe(`attachment; filename="B_ro-2026-06.csv"; filename*=UTF-8''B%C3%BCro-2026-06.csv`);
  });

  it('is a member of JSON for a client that asks for JSON', async () => {
    expect((await get(report, { accept: 'application/json' })).json).toMatchObject({ encoding: 'utf8', content: 'a,b' });
  });
});

describe('a body that is packed', () => {
  const body = Buffer.from(JSON.stringify({ name: 'packed' }));
  const send = (content: Buffer, coding: string) =>
    ask(server.port, '/v1/data_streams/bank', {
      method: 'PATCH',
      headers: {
        'x-api-key': server.apiKey,
        'content-type': 'application/json',
        'content-encoding': coding,
        'content-length': String(content.length),
      },
      body: content,
    });

  it('is unpacked', async () => {
    changes.length = 0;
    for (const [content, coding] of [
      [gzipSync(body), 'gzip'],
      [gzipSync(body), 'X-GZIP'],
      [body, 'identity'],
    ] as const) {
      expect((await send(content, coding)).status).toBe(200);
    }
    expect(changes).toHaveLength(3);
    for (const change of changes) expect(change).toMatchObject({ name: 'packed' });
  });

  it('is refused with a reason where it is not what its header says, or too large once it is unpacked', async () => {
    changes.length = 0;
    expect(await send(body, 'gzip')).toMatchObject({ status: 400, json: { code: 'malformed_json' } });
    expect(await send(gzipSync(body).subarray(0, 12), 'gzip')).toMatchObject({ status: 400, json: { code: 'malformed_json' } });
    expect(await send(body, 'br')).toMatchObject({ status: 415, json: { code: 'unsupported_media_type' } });
    const large = gzipSync(Buffer.alloc(LIMITS.bodyBytes + 1, ' '));
    expect(large.length).toBeLessThan(LIMITS.bodyBytes / 100);
    expect(await send(large, 'gzip')).toMatchObject({ status: 413, json: { code: 'payload_too_large' } });
    expect(changes).toEqual([]);
  });
});
