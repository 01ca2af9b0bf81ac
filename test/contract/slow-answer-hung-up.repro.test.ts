import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createDispatch } from '../../src-main/transport/dispatch.ts';
import { ask, echoHandlers, memoryLog, startTestServer } from './support.ts';

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
