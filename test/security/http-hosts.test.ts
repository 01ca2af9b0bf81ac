import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTestServer, type TestServer } from '../contract/support.ts';

/**
 * A request may carry its host in the address itself (`GET http://host/path`), and then that one counts (RFC 9112, 3.2.2). Only the
 * header was looked at, so `GET http://evil.example/v1/records` with our own name as Host was answered.
 */
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

function statusOf(target: string, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const head = `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${server.apiKey}\r\nconnection: close\r\n\r\n`;
    const socket = net.connect(server.port, '127.0.0.1', () => socket.write(head));
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      answer += part;
    });
    socket.on('close', () => resolve(answer.slice(9, 12))).on('error', reject);
  });
}

it('the host in the address counts, not the header', async () => {
  const own = `127.0.0.1:${server.port}`;
  expect(await statusOf('/v1/data_streams', own)).toBe('200');
  expect(await statusOf(`http://${own}/v1/data_streams`, own)).toBe('200');
  for (const target of ['http://evil.example', `http://evil.example:${server.port}`, `http://${own}@evil.example`, 'http://127.0.0.1']) {
    expect([target, await statusOf(`${target}/v1/data_streams`, own)]).toEqual([target, '403']);
  }
});

describe('found once: duplicate host', () => {
  /** What comes back for a request with these lines of headers. */
  async function answerTo(port: number, apiKey: string, hosts: readonly string[]): Promise<string> {
    const head = ['GET /v1/data_streams HTTP/1.1', ...hosts, `x-api-key: ${apiKey}`, 'connection: close'].join('\r\n');
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n`));
      let answer = '';
      socket.setEncoding('utf8').on('data', (part: string) => {
        answer += part;
      });
      socket.on('close', () => resolve(answer)).on('error', reject);
    });
  }

  it('a request that names its host twice is refused, since whoever stands between may read the other one', async () => {
    const server = await startTestServer();
    onTestFinished(server.close);
    const own = `host: 127.0.0.1:${server.port}`;
    for (const hosts of [
      [own, 'host: evil.example'],
      [own, own],
      [own, 'Host:'],
      [own, `HOST: localhost:${server.port}`],
    ]) {
      const answer = await answerTo(server.port, server.apiKey, hosts);
      expect([hosts, answer.split(' ')[1]]).toEqual([hosts, '400']);
      expect(answer).toContain('The header Host is given more than once; give it once.');
      expect(answer).toContain('"code":"malformed_header"');
    }
    expect(await answerTo(server.port, server.apiKey, ['host: evil.example', own])).toMatch(/^HTTP\/1\.1 400 /);
    expect(await answerTo(server.port, server.apiKey, [own])).toMatch(/^HTTP\/1\.1 200 /);
  });
});
