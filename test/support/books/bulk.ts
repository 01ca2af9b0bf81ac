import type { BulkRequest, BulkRequestDetail } from '../../../src-shared/contract/index.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import type { TestClient } from './backend.ts';
import type { QuietBook } from './quiet-book.ts';

type BulkInput = { readonly records: readonly unknown[]; readonly on_conflict?: unknown };

/** Returns a valid item with the given changes. */
export function bulkItem(change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { data_stream_key: 'bank', date: '2026-06-10', amount: 100, ...change };
}

/** Works until nothing is left to do; returns the number of steps. */
export function workOff(book: QuietBook): number {
  for (let steps = 0; steps < 10_000; steps += 1) {
    const step = book.bulk.step();
    assert(step !== 'blocked', 'nothing is in the way');
    if (step === 'idle') return steps;
  }
  throw new Error('bulk requests come to no end');
}

/** Sends a bulk request and does its work; returns it with all its results. */
export async function sendBulk(book: QuietBook, input: BulkInput): Promise<BulkRequestDetail> {
  const accepted = await book.client.get('bulk_requests.create', { ...input, records: [...input.records] });
  workOff(book);
  return wholeBulk(book.client, accepted);
}

/** Returns a bulk request with all its results, read page by page. */
export async function wholeBulk(client: Pick<TestClient, 'get'>, { id }: Pick<BulkRequest, 'id'>): Promise<BulkRequestDetail> {
  const first = await client.get('bulk_requests.get', { id, limit: 100 });
  const data = [...first.results.data];
  for (let hasMore = first.results.has_more; hasMore;) {
    const { results } = await client.get('bulk_requests.get', { id, limit: 100, offset: data.length });
    assert(results.data.length > 0, 'a page after which there is more is not empty');
    data.push(...results.data);
    hasMore = results.has_more;
  }
  return { ...first, results: { data, has_more: false, offset: 0 } };
}
