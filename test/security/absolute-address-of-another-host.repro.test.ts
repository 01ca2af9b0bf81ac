import net from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
