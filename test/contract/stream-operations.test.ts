import { expect, test } from 'vitest';
import { openTestBook } from '../support/books/backend.ts';

async function served() {
  const { backend, client } = await openTestBook();
  const server = await backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
  const ask = (method: string, path: string) => fetch(`${server.baseUrl}${path}`, { method, headers: { 'x-api-key': server.apiKey } });
  await client.get('streams.create', { key: 'bank', name: 'Bank' });
  return { client, ask };
}

test('a delete within the request is 204 without a body', async () => {
  const { client, ask } = await served();
  const answer = await ask('DELETE', '/data_streams/bank');
  expect([answer.status, await answer.text(), answer.headers.get('location')]).toEqual([204, '', null]);
  expect(await client.get('streams.list', {})).toEqual([]);
});

test('a delete with async=true is 202 with the operation, which its Location answers', async () => {
  const { ask } = await served();
  const answer = await ask('DELETE', '/data_streams/bank?async=true');
  expect([answer.status, answer.headers.get('location')]).toEqual([202, '/v1/data_streams/bank/operations/1']);
  expect(await answer.json()).toMatchObject({ id: 1, kind: 'delete', status: 'pending', data_stream_key: 'bank' });
  const poll = async () => (await (await ask('GET', '/data_streams/bank/operations/1')).json()) as unknown;
  await expect.poll(poll, { timeout: 20_000 }).toMatchObject({ status: 'completed', progress: 100 });
  expect((await ask('GET', '/data_streams/bank')).status).toBe(404);
});

test('a reset is 202 with the operation', async () => {
  const { ask } = await served();
  const answer = await ask('POST', '/data_streams/bank/reset');
  expect([answer.status, answer.headers.get('location')]).toEqual([202, '/v1/data_streams/bank/operations/1']);
});

test.each(['maybe', '2', ''])('async=%s is 422', async (text) => {
  const { ask } = await served();
  expect((await ask('DELETE', `/data_streams/bank?async=${text}`)).status).toBe(422);
});
