import net from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startTestServer } from '../contract/support.ts';

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
