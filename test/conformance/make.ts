import { that } from './that.ts';
import { present } from '../../src-shared/values/assert.ts';
import type { Answer } from '../contract/support.ts';
import type { Service } from './service.ts';

/** An answer's object with members of any kind. */
export type Body = Readonly<Record<string, unknown>>;

const WAIT_MS = 20_000;

/** The body of an answer that has the status; the test fails on another. */
export function bodyOf(answer: Answer, status: number): Body {
  that(answer.status, answer.text.slice(0, 500)).toBe(status);
  return present(answer.json, 'the answer has a body');
}

export function listOf(answer: Answer): Body[] {
  that(answer.status, answer.text.slice(0, 500)).toBe(200);
  const json: unknown = answer.json;
  if (Array.isArray(json)) return json as Body[];
  return present(answer.json, 'the answer has a body')['data'] as Body[];
}

export async function newStream(service: Service, more: Body = {}): Promise<{ id: number; key: string }> {
  const key = service.unique('stream');
  const { id } = bodyOf(await service.post('/data_streams', { key, name: key, ...more }), 201);
  return { id: Number(id), key };
}

export async function newRecord(service: Service, key: string, more: Body = {}): Promise<Body> {
  const record = { data_stream_key: key, date: '2026-06-10', amount: 1250, direction: 'credit', currency: 'GBP', ...more };
  return bodyOf(await service.post('/records', record), 201);
}

export interface Pair {
  readonly id: number;
  readonly a: { id: number; key: string };
  readonly b: { id: number; key: string };
}

/** A batch reconciliation of two new streams. */
export async function newPair(service: Service, more: Body = {}): Promise<Pair> {
  const [a, b] = [await newStream(service), await newStream(service)];
  const body = { name: service.unique('pair'), run_type: 'batch', side_a_stream_ids: [a.id], side_b_stream_ids: [b.id], ...more };
  const { id } = bodyOf(await service.post('/reconciliations', body), 201);
  return { id: Number(id), a, b };
}

interface Matched extends Pair {
  readonly match: Body;
  readonly left: Body;
  readonly right: Body;
}

/** A pair with one record on each side, matched by hand. */
export async function newMatch(service: Service): Promise<Matched> {
  const pair = await newPair(service);
  const left = await newRecord(service, pair.a.key);
  const right = await newRecord(service, pair.b.key, { external_id: 'R-1', description: 'Right' });
  const body = { reconciliation_id: String(pair.id), record_ids: [String(left['id']), String(right['id'])] };
  return { ...pair, left, right, match: bodyOf(await service.post('/reconciliation_matches', body), 201) };
}

/** Asks until the answer's status is one of the given. */
export async function until(service: Service, path: string, statuses: readonly string[]): Promise<Body> {
  const deadlineMs = performance.now() + WAIT_MS;
  // Each question takes the service some time from the work that is waited for.
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 1.5, 40)) {
    const body = bodyOf(await service.get(path), 200);
    that(Object.keys(body)).toContain('status');
    if (statuses.includes(String(body['status']))) return body;
    that(performance.now(), `${path} is ${String(body['status'])} within ${WAIT_MS} ms`).toBeLessThan(deadlineMs);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** A bulk request that was worked off. */
export async function bulk(service: Service, records: readonly unknown[], more: Body = {}): Promise<Body> {
  const { id } = bodyOf(await service.post('/records/bulk', { records, ...more }), 202);
  return until(service, `/bulk_requests/${String(id)}`, ['completed', 'failed']);
}

export const byAmount = { operand: 'and', rules: [{ key: 'amount', value: 'amount' }] };

/** A rule, by amount unless it says otherwise. */
export async function newRule(service: Service, { id }: { readonly id: number }, more: Body = {}): Promise<Body> {
  return bodyOf(await service.post('/reconciliation_rules', { reconciliation_id: String(id), filters: byAmount, ...more }), 201);
}

/** Runs and waits for the end. */
export async function run(service: Service, { id }: { readonly id: number }, body: Body = {}): Promise<Body> {
  const started = bodyOf(await service.post(`/reconciliations/${id}/runs`, body), 202);
  return until(service, `/reconciliations/${id}/runs/${String(started['id'])}`, ['completed', 'failed', 'cancelled']);
}
