import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Connections, holderOfConnection } from '../../src-main/transport/access/guards.ts';
import type { HttpLimits } from '../../src-main/transport/http/server.ts';
import { ask, memoryLog, startTestServer, type TestServer, windowHeaders } from '../contract/support.ts';

async function start(limits: Partial<HttpLimits>) {
  const uiFolder = mkdtempSync(path.join(tmpdir(), 'tieout-slow-'));
  writeFileSync(path.join(uiFolder, 'index.html'), '<!doctype html><title>Tieout</title>');
  const log = memoryLog();
  const server = await startTestServer({ log, limits, uiFolder });
  onTestFinished(async () => {
    await server.close();
    rmSync(uiFolder, { recursive: true });
  });
  return { server, log };
}

/** A connection that goes on sending a header and never closes its own end. */
async function drip(server: TestServer): Promise<net.Socket> {
  const socket = net.connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(`GET /v1/records HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nx-slow: `);
  const dripping = setInterval(() => socket.write('x'), 50);
  onTestFinished(() => {
    clearInterval(dripping);
    socket.destroy();
  });
  return socket;
}

/** Settles when the server has taken the connection away, and not only ended its own half. */
const taken = (socket: net.Socket) =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve(true);
    socket.once('close', resolve);
  });

describe('connections that drip headers and never close', () => {
  it('are gone after their 408, whatever they go on sending', async () => {
    const { server } = await start({ headersTimeoutMs: 300, requestTimeoutMs: 60_000, lookEveryMs: 50, lingerMs: 150 });
    const socket = await drip(server);
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      answer += part;
    });
    await taken(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('lock nobody out, however many there are: the oldest give way', async () => {
    const { server, log } = await start({ connections: 40 });
    const slow: net.Socket[] = [];
    for (let opened = 0; opened < 100; opened += 1) slow.push(await drip(server));
    expect((await ask(server.port, '/app/book', { headers: windowHeaders(server) })).status).toBe(200);
    expect((await ask(server.port, '/v1/data_streams', { headers: { 'x-api-key': server.apiKey } })).status).toBe(200);
    expect((await ask(server.port, '/docs')).status).toBe(200);
    await Promise.all(slow.slice(0, 60).map(taken));
    await vi.waitFor(() => expect(slow.filter((socket) => !socket.destroyed).length).toBeGreaterThan(30));
    const lines = log.lines.filter(({ message }) => message.startsWith('A connection was closed'));
    expect(lines).toMatchObject([{ level: 'warning', detail: { from: 'this machine' } }]);
  });
});

/** A socket as far as the count looks at it. */
function socketFrom(remoteAddress: string, localAddress = '192.168.1.5'): net.Socket {
  const socket = new net.Socket();
  Object.defineProperties(socket, { remoteAddress: { value: remoteAddress }, localAddress: { value: localAddress } });
  return socket;
}

describe('the places of a server', () => {
  const limits = { connections: 20, connectionsPerAddress: 3, connectionsForWindow: 2 };
  const from = (address: string, connections: Connections): net.Socket => {
    const socket = socketFrom(address);
    connections.accept(socket);
    return socket;
  };
  const open = (sockets: readonly net.Socket[]) => sockets.map((socket) => !socket.destroyed);

  it('another machine has a few of: its own oldest one gives way, nobody else', () => {
    const connections = new Connections(limits, () => {});
    const [other, own] = [from('192.168.1.8', connections), from('127.0.0.1', connections)];
    const many = Array.from({ length: 5 }, () => from('192.168.1.9', connections));
    expect(open(many)).toEqual([false, false, true, true, true]);
    expect(open([other, own])).toEqual([true, true]);
    // What has shown a key stays; the newcomer is one too many.
    for (const socket of many.slice(2)) expect(connections.show(socket, 'key')).toBe(true);
    expect(open([from('192.168.1.9', connections), ...many.slice(2)])).toEqual([false, true, true, true]);
  });

  it('this machine has all of but those that are kept for the window', () => {
    const connections = new Connections(limits, () => {});
    const withKeys = Array.from({ length: 18 }, () => from('127.0.0.1', connections));
    for (const socket of withKeys) expect(connections.show(socket, 'key')).toBe(true);
    const [first, second, third] = [1, 2, 3].map(() => from('127.0.0.1', connections));
    // Two places are kept for newcomers, so the first one gives way to the third.
    expect(open([first, second, third] as net.Socket[])).toEqual([false, true, true]);
    expect(open(withKeys)).toEqual(withKeys.map(() => true));
    // One key more is answered, and its connection closed behind the answer; a window stays.
    expect(connections.show(third as net.Socket, 'key')).toBe(false);
    expect(connections.show(second as net.Socket, 'window')).toBe(true);
    expect(open([second, third, from('127.0.0.1', connections)] as net.Socket[])).toEqual([true, true, false]);
  });

  it('who fails to show a key after one that was right is a stranger again', () => {
    const connections = new Connections(limits, () => {});
    const sockets = Array.from({ length: 20 }, () => from('127.0.0.1', connections));
    for (const socket of sockets) connections.show(socket, 'key');
    connections.show(sockets[7] as net.Socket, null);
    from('127.0.0.1', connections);
    expect(sockets.findIndex((socket) => socket.destroyed)).toBe(7);
  });

  it.each([
    ['127.0.0.1', '127.0.0.1', 'this machine'],
    ['127.9.9.9', '127.0.0.1', 'this machine'],
    ['::1', '::1', 'this machine'],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.1', 'this machine'],
    ['192.168.1.5', '192.168.1.5', 'this machine'],
    ['192.168.1.9', '192.168.1.5', '192.168.1.9'],
    ['::ffff:192.168.1.9', '::ffff:192.168.1.5', '192.168.1.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8::5', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8::5', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8::5', '2001:db8:0:0'],
    ['2001:db8::1:2:3:4:9', '2001:db8::5', '2001:db8:0:1'],
    ['fe80::9%eth0', 'fe80::5', 'fe80:0:0:0'],
  ])('from %s to %s they are counted for %s', (remoteAddress, localAddress, holder) => {
    expect(holderOfConnection({ remoteAddress, localAddress })).toBe(holder);
  });
});
