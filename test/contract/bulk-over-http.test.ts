import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Backend, HttpServer } from '../../src-main/backend/types.ts';
import { createParityBook, type ParityBook } from './parity-book.ts';
import { ask, type Answer, jsonHeaders } from './support.ts';

let book: ParityBook;
let backend: Backend;
let server: HttpServer;
beforeAll(async () => {
  book = await createParityBook();
  backend = await book.open();
  server = await backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
});
afterAll(async () => {
  await backend.close();
  book.remove();
});

const item = { data_stream_key: 'bank', date: '2026-06-10', amount: 100 };

function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const port = Number(new URL(server.baseUrl).port);
  return ask(port, path, { method: 'POST', headers: { ...jsonHeaders(server.apiKey), ...headers }, body: JSON.stringify(body) });
}

test('202 with Location; the key answers the same request again, with its header, whatever the body', async () => {
  const first = await post('/v1/records/bulk', { records: [item] }, { 'idempotency-key': 'one' });
  expect(first).toMatchObject({ status: 202, json: { status: 'pending', total_items: 1 } });
  expect(first.headers['location']).toBe(first.json?.['url']);
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  for (const body of [{ records: [item] }, { records: [item, item] }, { records: [] }, { on_conflict: 'x' }]) {
    const again = await post('/v1/records/bulk', body, { 'idempotency-key': 'one' });
    expect(again).toMatchObject({ status: 202, json: { id: first.json?.['id'], total_items: 1 } });
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', location: first.headers['location'] });
  }
  const other = await post('/v1/records/bulk', { records: [item] }, { 'idempotency-key': 'two' });
  expect(other.json?.['id']).not.toBe(first.json?.['id']);
});

test.each<readonly [unknown, number, string]>([
  [{ records: [item], on_conflict: 'replace' }, 400, 'invalid_on_conflict'],
  [{ records: [] }, 422, 'validation_failed'],
  [{ records: item }, 422, 'validation_failed'],
  [{ records: [item], dry_run: true }, 422, 'unknown_field'],
  [[item], 422, 'validation_failed'],
])('%j is refused', async (body, status, code) => {
  expect(await post('/v1/records/bulk', body)).toMatchObject({ status, json: { code, status } });
});

test('cancel and retry answer 202, or 409 where the state does not allow it', async () => {
  expect(await post('/v1/bulk_requests/1/cancel', {})).toMatchObject({ status: 409, json: { code: 'conflict' } });
  expect(await post('/v1/bulk_requests/1/retry', {})).toMatchObject({ status: 409, json: { code: 'conflict' } });
  expect(await post('/v1/bulk_requests/999/retry', {})).toMatchObject({ status: 404 });
  const retried = await post('/v1/bulk_requests/2/retry', {});
  expect(retried).toMatchObject({ status: 202, json: { status: 'pending', total_items: 1 } });
  expect(retried.headers['location']).toBe(retried.json?.['url']);
});
