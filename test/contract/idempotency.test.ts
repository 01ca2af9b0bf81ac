import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract, type Operation, OPERATION_IDS } from '../../src-shared/contract/index.ts';
import { pathMembers } from '../../src-shared/contract/operation.ts';
import { createParityBook, type ParityBook } from './parity-book.ts';
import { type Answer, ask, jsonHeaders, startTestServer, type TestServer } from './support.ts';

const posts = OPERATION_IDS.map((id): Operation => contract[id]).filter((spec) => spec.method === 'POST' && spec.surface === 'public');

function requestOf(spec: Operation): { path: string; body: string } {
  const inPath = pathMembers(spec.path);
  return {
    path: `/v1${inPath.reduce((path, name) => path.replace(`{${name}}`, String(spec.example[name])), spec.path)}`,
    body: JSON.stringify(Object.fromEntries(Object.entries(spec.example).filter(([name]) => !inPath.includes(name)))),
  };
}

/**
 * What of an answer a repetition has in common with the first: everything but the number of the request. What an operation
 * answers by itself tells how far it is by now.
 */
const comparable = (spec: Operation, { status, json, headers }: Answer) => ({
  status,
  location: headers.location,
  json: json === null || spec.idempotency === 'own' ? null : { ...json, request_id: undefined },
});

describe('a repeated POST with an Idempotency-Key, over HTTP', () => {
  let book: ParityBook;
  beforeAll(async () => {
    book = await createParityBook();
  });
  afterAll(() => book.remove());

  it.each(posts.map((spec) => [spec.id, spec] as const))('%s has the status and the body of the first', async (_, spec) => {
    const backend = await book.open();
    const server = await backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
    try {
      const { path, body } = requestOf(spec);
      const headers = { ...jsonHeaders(server.apiKey), 'idempotency-key': 'one' };
      const send = () => ask(Number(new URL(server.baseUrl).port), path, { method: 'POST', headers, body });
      const first = await send();
      expect(first.status).toBeLessThan(500);
      expect(first.headers['idempotent-replayed']).toBeUndefined();
      const again = await send();
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(comparable(spec, again)).toEqual(comparable(spec, first));
    } finally {
      await server.close();
      await backend.close();
    }
  });
});

describe('the header Idempotency-Key', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());
  const body = JSON.stringify({ key: 'bank', name: 'Bank' });
  const send = (key: string) =>
    ask(server.port, '/v1/data_streams', { method: 'POST', headers: { ...jsonHeaders(server.apiKey), 'idempotency-key': key }, body });

  it('has 1 to 255 characters', async () => {
    expect((await send('k'.repeat(255))).status).toBe(201);
    const answer = await send('k'.repeat(256));
    expect([answer.status, answer.json?.['code']]).toEqual([400, 'malformed_header']);
    expect(answer.json?.['message']).toBe('The header Idempotency-Key has 256 characters; give it 1 to 255, or leave it out.');
    expect([(await send('')).status, (await send('')).json?.['code']]).toEqual([400, 'malformed_header']);
  });

  it('means nothing where nothing is posted', async () => {
    const headers = { 'x-api-key': server.apiKey, 'idempotency-key': 'k'.repeat(300) };
    expect((await ask(server.port, '/v1/data_streams', { headers })).status).toBe(200);
  });
});
