import { expect, test } from 'vitest';
import { FairTurns } from '../../../src-main/records/operations/bulk-processor.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { openTestBook } from '../../support/books/backend.ts';
import { bulkItem, wholeBulk } from '../../support/books/bulk.ts';

const WAIT_MS = 20_000;
const QUESTIONS = 8;

test('while others ask, a bulk request is worked on in a thread of its own, with the same results', async () => {
  const book = await openTestBook();
  const { client } = book;
  await client.get('streams.create', { key: 'bank', name: 'Bank' });
  const ended = async (id: number) => {
    const deadlineMs = performance.now() + WAIT_MS;
    for (;;) {
      const { status } = await client.get('bulk_requests.get', { id, limit: 1 });
      if (status === 'completed') return wholeBulk(client, { id });
      assert(performance.now() < deadlineMs, `it ends within ${WAIT_MS} ms: ${book.log.lines.join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const hasThread = () => book.log.lines.some((line) => line.includes('Bulk requests have a thread of their own'));
  const items = (from: number) => [
    ...Array.from({ length: 50 }, (_, index) => bulkItem({ external_id: `e${from + index}`, amount: from + index + 1 })),
    bulkItem({ amount: 'no amount' }),
    bulkItem({ external_id: 'e1' }),
  ];
  const alone = await ended((await client.get('bulk_requests.create', { records: items(1) })).id);
  expect(hasThread()).toBe(false);
  for (let question = 0; question < QUESTIONS; question += 1) await client.get('records.list', {});
  const beside = await ended((await client.get('bulk_requests.create', { records: items(101) })).id);
  expect(hasThread()).toBe(true);
  expect(alone).toMatchObject({ status: 'completed', successful_items: 50, failed_items: 1, skipped_items: 1 });
  expect(beside).toMatchObject({ status: 'completed', successful_items: 50, failed_items: 1, skipped_items: 1 });
  expect(beside.results.data.map(({ status }) => status)).toEqual(alone.results.data.map(({ status }) => status));
  expect(beside.results.data[50]?.error).toEqual(alone.results.data[50]?.error);
  // Another one goes to the thread that waits, and closing the book ends it.
  const more = await ended((await client.get('bulk_requests.create', { records: items(201) })).id);
  expect(more).toMatchObject({ successful_items: 50 });
});

test('a part of a bulk request is followed by a pause longer than itself while others ask, and by a short one while nobody does', () => {
  let atMs = 0;
  const turns = new FairTurns({ nowMs: () => 0, today: () => 0, monotonicMs: () => atMs });
  const part = () => turns.held(() => (atMs += 40));
  part();
  const unasked = turns.pauseMs();
  for (let question = 0; question < QUESTIONS; question += 1) turns.asked();
  part();
  const asked = turns.pauseMs();
  expect(asked).toBe(60);
  expect(unasked).toBeLessThan(10);
  atMs += 1_000;
  part();
  expect(turns.pauseMs()).toBe(unasked);
});
