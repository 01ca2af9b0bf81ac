import { Agent } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpServerOptions } from '../../src-main/transport/http/server.ts';
import { ask, memoryLog, startTestServer } from '../contract/support.ts';

async function start(options: Partial<HttpServerOptions> = {}) {
  const log = memoryLog();
  let nowMs = 0;
  const server = await startTestServer({ log, clock: { monotonicMs: () => nowMs }, ...options });
  onTestFinished(server.close);
  const get = (key: string, path = '/v1/data_streams', headers: Readonly<Record<string, string>> = {}) =>
    ask(server.port, path, { headers: { 'x-api-key': key, ...headers } });
  return { log, server, get, advance: (milliseconds: number) => (nowMs += milliseconds) };
}

describe('requests of one key', () => {
  it('are taken 1,000 at once and 200 a second, and 429 says when to come again', async () => {
    const { server, get, advance } = await start();
    // A thousand requests on connections of their own would take most of the time.
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const statuses = async (count: number) => {
      const seen: number[] = [];
      for (let sent = 0; sent < count; sent += 1) {
        seen.push((await ask(server.port, '/v1/data_streams', { headers: { 'x-api-key': 'stored-read' }, agent })).status);
      }
      return [200, 429].map((status) => seen.filter((each) => each === status).length);
    };
    expect(await statuses(1_001)).toEqual([1_000, 1]);
    const answer = await get('stored-read');
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.json).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(answer.json?.['message']).toContain('200 a second');
    advance(100);
    expect(await statuses(21)).toEqual([20, 1]);
  });

  it('can be given other limits, and are counted key by key', async () => {
    const { get, server } = await start({ limits: { requestsPerSecond: 1, requestBurst: 2 } });
    for (const key of ['stored-read', 'stored-write', server.apiKey]) {
      expect([(await get(key)).status, (await get(key)).status, (await get(key)).status]).toEqual([200, 200, 429]);
    }
    expect((await get('unknown')).status).toBe(401);
  });

  it('count whatever they ask for', async () => {
    const { get } = await start({ limits: { requestsPerSecond: 1, requestBurst: 1 } });
    expect((await get('stored-read', '/v1/nonsense')).status).toBe(404);
    expect((await get('stored-read', '/v1/nonsense')).status).toBe(429);
  });
});

describe('the log', () => {
  it('hears of every refusal, and never of a key', async () => {
    const { get, server, log } = await start({ limits: { requestsPerSecond: 1, requestBurst: 1 } });
    await get('wrong-secret', '/v1/data_streams?token=also-secret');
    await get('stored-read');
    await get('stored-read');
    await ask(server.port, '/v1/data_streams', { method: 'POST', headers: { 'x-api-key': 'stored-write', host: 'evil.example' } });
    await ask(server.port, '/app/book', { headers: { origin: 'http://evil.example' } });
    expect(log.lines.map(({ level, detail }) => [level, detail['status'], detail['path'], detail['caller']])).toEqual([
      ['warning', 401, '/v1/data_streams', null],
      ['warning', 429, '/v1/data_streams', 'key:2'],
      ['warning', 403, '/v1/data_streams', null],
      ['warning', 401, '/app/book', null],
    ]);
    expect(log.lines[2]?.detail).toMatchObject({ host: 'evil.example', method: 'POST' });
    expect(log.lines[3]?.detail).toMatchObject({ origin: 'http://evil.example' });
    expect(JSON.stringify(log.lines)).not.toMatch(/secret|stored-/);
  });

  it('hears of a key that may only read and wanted to write', async () => {
    const { server, log } = await start();
    const headers = { 'x-api-key': 'stored-read', 'content-type': 'application/json' };
    await ask(server.port, '/v1/data_streams', { method: 'POST', headers, body: '{}' });
    expect(log.lines.map(({ detail }) => [detail['status'], detail['caller']])).toEqual([[403, 'key:2']]);
  });

  it('hears nothing of what was let in', async () => {
    const { get, log } = await start();
    await get('stored-read');
    await get('stored-read', '/v1/nonsense');
    expect(log.lines).toEqual([]);
  });
});

describe('headers', () => {
  it('may be many, up to 16 KiB together', async () => {
    const { get } = await start();
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'x']));
    expect((await get('stored-read', '/v1/data_streams', many)).status).toBe(200);
    const large = await get('stored-read', '/v1/data_streams', { 'x-long': 'x'.repeat(17_000) });
    expect([large.status, large.json?.['code']]).toEqual([400, 'malformed_header']);
  });
});
