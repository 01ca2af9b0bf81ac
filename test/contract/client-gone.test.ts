import http from 'node:http';
import { expect, it } from 'vitest';
import type { Caller } from '../../src-main/service/handler.ts';
import { createDispatch } from '../../src-main/transport/dispatch.ts';
import { present } from '../../src-shared/values/assert.ts';
import { ask, echoHandlers, jsonHeaders, memoryLog, startTestServer } from './support.ts';

const BODY = JSON.stringify({ reconciliation_id: 1, filters: { rules: [{ key: 'amount', value: 'amount' }] } });

it('a handler is told when the client goes away, and not before it has its answer', async () => {
  const signals: AbortSignal[] = [];
  let asked = () => {};
  const gone = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const handlers = echoHandlers({
    'rules.get': ({ gone: signal }: Caller) => {
      signals.push(present(signal, 'signal'));
      return { ok: true, value: { isGone: signal?.aborted } };
    },
    'rules.preview': ({ gone: signal }: Caller) =>
      new Promise(() => {
        request.destroy();
        signal?.addEventListener('abort', asked);
      }),
  });
  const server = await startTestServer({ dispatch: createDispatch(handlers, memoryLog()) });
  expect((await ask(server.port, '/v1/reconciliation_rules/1', { headers: { 'x-api-key': server.apiKey } })).json).toEqual({
    isGone: false,
  });
  expect(signals).toHaveLength(1);
  const request = http.request({
    host: '127.0.0.1',
    port: server.port,
    path: '/v1/reconciliation_rules/preview',
    method: 'POST',
    headers: jsonHeaders(server.apiKey),
    agent: false,
  });
  request.on('error', () => {});
  request.end(BODY);
  await gone;
  await server.close();
});
