import http from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import Fastify, { type FastifyRequest } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { registerGuards } from '../../src-main/transport/access/guards.ts';
import { isOwnMachine } from '../../src-main/transport/access/guards.ts';
import { createSession } from '../../src-main/transport/access/session.ts';
import { appCaller, ask, seededRandom, startTestServer, type TestServer, windowHeaders } from '../contract/support.ts';

/** 127.0.0.2 and so on belong to this machine as well, so they stand in for another machine's address. */
async function start(address: string, hostNames: readonly string[] = []): Promise<TestServer> {
  const uiFolder = mkdtempSync(path.join(tmpdir(), 'tieout-ui-'));
  writeFileSync(path.join(uiFolder, 'index.html'), '<!doctype html><title>Tieout</title>');
  const server = await startTestServer({ address, uiFolder, rules: () => ({ allowed_origins: [], host_names: [...hostNames] }) });
  onTestFinished(async () => {
    await server.close();
    rmSync(uiFolder, { recursive: true });
  });
  return server;
}

/** The status of a request to `to` that comes from `from`. */
function statusOf(server: TestServer, to: string, headers: Readonly<Record<string, string>>, from?: string, at = '/v1/data_streams') {
  return new Promise<number>((resolve, reject) => {
    const options = { host: to, port: server.port, path: at, headers: { 'x-api-key': server.apiKey, ...headers }, agent: false };
    const request = http.get(from === undefined ? options : { ...options, localAddress: from }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    request.on('error', reject);
  });
}

const named = (server: TestServer, name: string) => ({ host: `${name}:${server.port}` });

describe('127.0.0.1 only unless told otherwise', () => {
  it('no other address of this machine is answered', async () => {
    const server = await startTestServer();
    onTestFinished(server.close);
    const others = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const own = others.filter((each) => each.family === 'IPv4' && each.address !== '127.0.0.1').map((each) => each.address);
    for (const address of ['127.0.0.2', ...own]) {
      await expect(statusOf(server, address, named(server, '127.0.0.1'))).rejects.toThrow('ECONNREFUSED');
    }
  });
});

describe('Host header (DNS rebinding), when other machines may come', () => {
  it('is an address at which the request came in, or a name on the list', async () => {
    const server = await start('0.0.0.0', ['office-pc', 'books.example.com']);
    for (const name of ['127.0.0.2', 'localhost', 'office-pc', 'OFFICE-PC', 'books.example.com']) {
      expect([name, await statusOf(server, '127.0.0.2', named(server, name))]).toEqual([name, 200]);
    }
  });

  it('is no other name, address or port', async () => {
    const server = await start('0.0.0.0', ['office-pc']);
    for (const name of ['evil.example', '127.0.0.3', 'office-pc.evil.example', 'xoffice-pc', '0.0.0.0', '']) {
      expect([name, await statusOf(server, '127.0.0.2', named(server, name))]).toEqual([name, 403]);
    }
    expect(await statusOf(server, '127.0.0.2', { host: 'office-pc' })).toBe(403);
    expect(await statusOf(server, '127.0.0.2', { host: 'office-pc:1' })).toBe(403);
  });
});

describe('the window, when other machines may come', () => {
  it('is shown on the machine itself alone', async () => {
    const server = await start('0.0.0.0');
    const headers = windowHeaders(server);
    expect((await ask(server.port, '/app/book', { headers: { ...headers, ...named(server, '127.0.0.1') } })).status).toBe(200);
    for (const [to, from, status] of [
      ['127.0.0.2', '127.0.0.2', 200],
      ['127.0.0.1', '127.0.0.9', 200],
    ] as const) {
      expect(await statusOf(server, to, { ...headers, ...named(server, to) }, from, '/app/book')).toBe(status);
    }
  });

  it.each([
    ['127.0.0.1', '127.0.0.1', true],
    ['192.168.1.5', '192.168.1.5', true],
    ['::ffff:192.168.1.5', '192.168.1.5', true],
    ['::1', '::1', true],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.1', true],
    ['192.168.1.9', '192.168.1.5', false],
    ['::ffff:192.168.1.9', '::ffff:192.168.1.5', false],
    ['fe80::9', 'fe80::5', false],
    [undefined, undefined, false],
  ])('a connection from %s to %s is of this machine: %s', (remoteAddress, localAddress, isOwn) => {
    const request = { socket: { remoteAddress, localAddress } } as unknown as FastifyRequest;
    expect(isOwnMachine(request)).toBe(isOwn);
  });

  it.each([
    ['127.0.0.1', '/', 404],
    ['127.0.0.1', '/app/book', 401],
    ['192.168.1.9', '/', 403],
    ['192.168.1.9', '/app/book', 403],
    ['192.168.1.9', '/assets/index.js', 403],
    ['192.168.1.9', '/v1/records', 401],
    // A cell shows the refusal, since a spreadsheet reads nothing of another status.
    ['192.168.1.9', '/sheet/unknown/open', 200],
    ['192.168.1.9', '/sheet/unknown/open?format=json', 401],
  ])('from %s %s is answered with %i', async (remoteAddress, url, status) => {
    // A server that listens nowhere, so that a connection may come from wherever the test says.
    const app = Fastify();
    registerGuards(app, {
      serves: { programs: true, window: true },
      hasPage: false,
      port: () => 4690,
      rules: () => ({ allowed_origins: [], host_names: ['office-pc'] }),
      session: createSession(seededRandom('guards')),
      authenticate: () => null,
      sheetLink: () => null,
      windowCaller: appCaller,
      sessionCaller: null,
      limits: { requestsPerSecond: 1, requestBurst: 1, wrongKeysAtOnce: 1 },
      connections: { show: () => true },
      clock: { monotonicMs: () => 0 },
    });
    const answer = await app.inject({ url, remoteAddress, headers: { host: 'office-pc:4690' } });
    expect(answer.statusCode).toBe(status);
    await app.close();
  });
});
