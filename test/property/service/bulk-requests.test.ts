import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BulkRequestDetail } from '../../../src-shared/contract/index.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { bulkItem, wholeBulk } from '../../support/books/bulk.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { runs } from '../../support/long.ts';

const STREAMS = ['bank', 'ledger'];
/** Few ids and amounts, so that the same comes again; some items are wrong in one way or another. */
const item = fc.record({
  stream: fc.constantFrom(...STREAMS, 'nowhere'),
  id: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { freq: 4 }),
  amount: fc.constantFrom(1, 2, -2, 0),
  fault: fc.option(fc.constantFrom<Record<string, unknown>>({ date: '2026-02-30' }, { amount: 'x' }, { surprise: 1 }, { currency: '' }), {
    freq: 5,
  }),
});
type Item = typeof item extends fc.Arbitrary<infer T> ? T : never;
const request = fc.record({
  onConflict: fc.constantFrom('skip' as const, 'error' as const),
  items: fc.array(item, { minLength: 1, maxLength: 60 }),
  /** After how many steps it is cancelled and retried; null lets it be. */
  cancelAfter: fc.option(fc.nat({ max: 2 }), { freq: 3 }),
});

const wire = (each: Item) => bulkItem({ data_stream_key: each.stream, external_id: each.id, amount: each.amount, ...each.fault });

/** What must become of an item, said in another way than the service does it: a map by stream and id. */
function expected(each: Item, onConflict: 'skip' | 'error', model: Map<string, number>): string {
  if (each.fault !== null) return 'failed';
  if (each.stream === 'nowhere' || each.amount === 0) return 'failed';
  const key = `${each.stream} ${each.id}`;
  const there = each.id === null ? undefined : model.get(key);
  if (there === undefined) {
    if (each.id !== null) model.set(key, each.amount);
    return 'successful';
  }
  const isSame = there === each.amount;
  if (onConflict === 'error') return isSame ? 'failed key_taken' : 'failed same_id_other_content';
  return isSame ? 'skipped' : 'skipped same_id_other_content';
}

function told(result: BulkRequestDetail['results']['data'][number]): string {
  const code = result.error?.code ?? '';
  return ['key_taken', 'same_id_other_content'].includes(code) ? `${result.status} ${code}` : result.status;
}

function accounted(detail: BulkRequestDetail): void {
  const { processed_items: processed, results } = detail;
  expect(detail.successful_items + detail.failed_items + detail.skipped_items).toBe(processed);
  expect(results.data.map((result) => result.index)).toEqual(Array.from({ length: processed }, (_, index) => index));
  for (const status of ['successful', 'failed', 'skipped'] as const) {
    expect(results.data.filter((result) => result.status === status)).toHaveLength(detail[`${status}_items`]);
  }
  expect(detail.status === 'completed' ? processed : detail.total_items).toBe(detail.total_items);
}

test('whatever is sent, the counts add up after every step, and items fare as in a map by stream and id', async () => {
  const book = openQuietBook();
  for (const key of STREAMS) await book.client.get('streams.create', { key, name: key });
  const { client, database } = book;
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 4 }), async (requests) => {
      database.connection.exec('DELETE FROM records; DELETE FROM bulk_request_streams; DELETE FROM import_batches;');
      const model = new Map<string, number>();
      let wentIn = 0;
      const worked = async (id: number, cancelAfter: number | null) => {
        for (let step = 0; ; step += 1) {
          const detail = await wholeBulk(client, { id });
          accounted(detail);
          const isOpen = detail.status === 'pending' || detail.status === 'processing';
          if (!isOpen) return { detail, isCancelled: false };
          if (step === cancelAfter) {
            await client.get('bulk_requests.cancel', { id });
            return { detail, isCancelled: true };
          }
          assert(book.bulk.step() !== 'blocked', 'nothing is in the way');
        }
      };
      const check = async (id: number, items: readonly Item[], onConflict: 'skip' | 'error', cancelAfter: number | null) => {
        const { detail, isCancelled } = await worked(id, cancelAfter);
        const { data } = detail.results;
        expect(data.map(told)).toEqual(items.slice(0, data.length).map((each) => expected(each, onConflict, model)));
        wentIn += detail.successful_items;
        return { isCancelled, left: items.filter((_each, place) => data[place]?.status !== 'successful') };
      };
      for (const { onConflict, items, cancelAfter } of requests) {
        const { id } = await client.get('bulk_requests.create', { records: items.map(wire), on_conflict: onConflict });
        const ended = await check(id, items, onConflict, cancelAfter);
        if (!ended.isCancelled) continue;
        const retried = await client.get('bulk_requests.retry', { id });
        expect(retried.total_items).toBe(ended.left.length);
        await check(retried.id, ended.left, onConflict, null);
      }
      const count = database.prepare<[], { n: number }>('SELECT count(*) AS n FROM records').get()?.n;
      expect(count).toBe(wentIn);
      const batches = await Promise.all(STREAMS.map((key) => client.get('import_batches.list', { key })));
      expect(batches.flatMap((page) => page.data).reduce((sum, batch) => sum + batch.record_count, 0)).toBe(wentIn);
    }),
    { numRuns: runs(40) },
  );
});
