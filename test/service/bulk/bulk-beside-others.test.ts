import { expect, onTestFinished, test } from 'vitest';
import { BulkProcessor, FairTurns } from '../../../src-main/records/operations/bulk-processor.ts';
import { failureOfInput } from '../../../src-main/transport/validation/validation.ts';
import { contract } from '../../../src-shared/contract/index.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { bulkItem, wholeBulk } from '../../support/books/bulk.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const WAIT_MS = 20_000;
const QUESTIONS = 8;

test('while others ask, a bulk request is worked on in a thread of its own, with the same results', async () => {
  const { client, database, folder, clock, log } = openQuietBook();
  await client.get('streams.create', { key: 'bank', name: 'Bank' });
  // Only work in this thread asks this one what is wrong with an item.
  let askedHere = 0;
  const failureOf = (item: unknown) => {
    askedHere += 1;
    return failureOfInput(contract['records.create'], item);
  };
  const bulk = new BulkProcessor({ database, clock, log, failureOf, changed: () => {}, dataFolder: folder });
  onTestFinished(() => bulk.close());
  const ended = async (from: number) => {
    const items = Array.from({ length: 50 }, (_, index) => bulkItem({ external_id: `e${from + index}`, amount: from + index + 1 }));
    const records = [...items, bulkItem({ amount: 'no amount' }), bulkItem({ external_id: 'e1' })];
    const { id } = await client.get('bulk_requests.create', { records });
    bulk.kick();
    const deadlineMs = performance.now() + WAIT_MS;
    while ((await client.get('bulk_requests.get', { id, limit: 1 })).status !== 'completed') {
      assert(performance.now() < deadlineMs, `it ends within ${WAIT_MS} ms`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return wholeBulk(client, { id });
  };
  const alone = await ended(1);
  expect(askedHere).toBe(1);
  const endedBesideOthers = (from: number) => {
    for (let question = 0; question < QUESTIONS; question += 1) bulk.asked('records.list');
    return ended(from);
  };
  const beside = await endedBesideOthers(101);
  // Another one goes to the thread that waits, and closing ends it.
  const more = await endedBesideOthers(201);
  expect(askedHere).toBe(1);
  expect(alone).toMatchObject({ successful_items: 50, failed_items: 1, skipped_items: 1 });
  for (const each of [beside, more]) {
    expect(each.results.data.map(({ status }) => status)).toEqual(alone.results.data.map(({ status }) => status));
    expect(each.results.data[50]?.error).toEqual(alone.results.data[50]?.error);
  }
  expect(log.lines).toEqual([]);
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
