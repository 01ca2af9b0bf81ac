import net from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDispatch } from '../../src-main/transport/dispatch.ts';
import type { HttpLimits } from '../../src-main/transport/http/server.ts';
import { ask, echoHandlers, memoryLog, startTestServer } from '../contract/support.ts';

async function start(limits: Partial<HttpLimits>) {
  const log = memoryLog();
  const server = await startTestServer({ log, limits });
  onTestFinished(server.close);
  return { server, log };
}

/** As often as a test can wait for. */
const LOOK_EVERY_MS = 50;

/** Sends the first bytes, then one more each 100 ms, for ever; answers what came back when the server has cut it off. */
function drip(port: number, first: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(first));
    const dripping = setInterval(() => socket.write('x'), 100);
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      answer += part;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(dripping);
      resolve(answer);
    });
  });
}

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;

describe('request-time limits (slow-loris)', () => {
  it('headers that do not end are cut off with 408, and logged', async () => {
    const { server, log } = await start({ headersTimeoutMs: 300, requestTimeoutMs: 60_000, lookEveryMs: LOOK_EVERY_MS });
    const answer = await drip(server.port, `GET /v1/records HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nx-slow: `);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(bodyOf(answer)).toMatchObject({ code: 'request_timeout', status: 408 });
    expect(log.lines).toMatchObject([{ level: 'warning', detail: { status: 408, code: 'request_timeout' } }]);
  });

  it('a body that does not end is cut off with 408, and its key is not told to the log', async () => {
    const { server, log } = await start({ headersTimeoutMs: 300, requestTimeoutMs: 400, lookEveryMs: LOOK_EVERY_MS });
    const head = [
      'POST /v1/data_streams HTTP/1.1',
      `host: 127.0.0.1:${server.port}`,
      'x-api-key: stored-write',
      'content-type: application/json',
      'content-length: 100000',
    ];
    const answer = await drip(server.port, `${head.join('\r\n')}\r\n\r\n{`);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(JSON.stringify(log.lines)).not.toContain('stored-write');
  });

  it('a connection that says nothing is closed', async () => {
    const { server } = await start({ headersTimeoutMs: 300, lookEveryMs: LOOK_EVERY_MS });
    const socket = net.connect(server.port, '127.0.0.1');
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect(socket.destroyed).toBe(true);
  });

  it('a client that reads nothing of a large answer is let go, and its place is free again', async () => {
    const handlers = echoHandlers({ 'streams.list': () => ({ ok: true, value: 'x'.repeat(16_000_000) }) });
    const server = await startTestServer({ dispatch: createDispatch(handlers, memoryLog()), limits: { connections: 1, silenceMs: 300 } });
    onTestFinished(server.close);
    const socket = net.connect(server.port, '127.0.0.1').pause();
    socket.write(`GET /v1/data_streams HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nx-api-key: ${server.apiKey}\r\n\r\n`);
    await new Promise((resolve) => socket.once('readable', resolve));
    const answered = () => ask(server.port, '/docs').then(({ status }) => status);
    await expect(answered()).rejects.toThrow(/hang up|ECONNRESET/);
    await vi.waitFor(async () => expect(await answered()).toBe(200), 10_000);
    socket.destroy();
  });

  it('others are answered meanwhile, and of connections without end the oldest are not kept', async () => {
    const { server } = await start({ connections: 3 });
    const open = Array.from({ length: 4 }, () => net.connect(server.port, '127.0.0.1').on('error', () => {}));
    await Promise.all(open.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    for (const socket of open) socket.write('GET /v1/records HTTP/1.1\r\nx-slow: ');
    await vi.waitFor(() => expect(open.map((socket) => socket.resume().destroyed)).toEqual([true, false, false, false]));
    expect((await ask(server.port, '/v1/data_streams', { headers: { 'x-api-key': server.apiKey } })).status).toBe(200);
    for (const socket of open) socket.destroy();
  });
});

describe('the log', () => {
  it('hears of bodies that are too large and of bytes that are no request', async () => {
    const { server, log } = await start({ bodyBytes: 100 });
    const headers = { 'x-api-key': 'stored-write', 'content-type': 'application/json' };
    const answer = await ask(server.port, '/v1/data_streams', { method: 'POST', headers, body: JSON.stringify({ key: 'x'.repeat(200) }) });
    expect(answer.status).toBe(413);
    expect(
      await new Promise((resolve) => net.connect(server.port, '127.0.0.1').once('close', resolve).resume().end('nonsense\r\n\r\n')),
    ).toBe(false);
    expect(log.lines.map(({ detail }) => [detail['status'], detail['caller'] ?? detail['code']])).toEqual([
      [413, 'key:1'],
      [400, 'malformed_header'],
    ]);
  });
});
