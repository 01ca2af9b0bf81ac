import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bulkItem, wholeBulk, workOff } from '../../support/books/bulk.ts';
import { copiesOf, importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { operationSteps, undoSteps } from '../../support/books/wipes.ts';
import { addLines, numbered } from '../../support/books/lines.ts';

const ITEMS = 1_000;
const items = () => Array.from({ length: ITEMS }, (_, index) => bulkItem({ external_id: `e${index}`, amount: index + 1 }));

const requested = copiesOf(async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await book.client.get('bulk_requests.create', { records: items() });
  return book;
});

/** A bank that a bulk request fills, after its first transaction. */
async function filling() {
  const book = await requested();
  expect(book.bulk.step()).toBe('more');
  return { book, id: 1 };
}

const processed = async (book: QuietBook, id: number) => (await book.client.get('bulk_requests.get', { id })).processed_items;
const recordIds = (book: QuietBook) => book.database.connection.prepare('SELECT id FROM records ORDER BY id').pluck().all() as number[];

/** Runs the steps of a wipe with a transaction of the bulk request before the one numbered `moment`; answers what was processed at the publish step. */
async function interleaved(book: QuietBook, id: number, steps: ReturnType<typeof operationSteps>, moment: number) {
  let step = 0;
  let atPublishing = 0;
  for (const state of steps) {
    if (state === 'published') atPublishing = await processed(book, id);
    if (step === moment) book.bulk.step();
    const detail = await book.client.get('bulk_requests.get', { id });
    expect(detail.successful_items + detail.failed_items + detail.skipped_items).toBe(detail.processed_items);
    step += 1;
  }
  workOff(book);
  return { atPublishing, steps: step };
}

const WIPES = {
  reset: (book: QuietBook) => operationSteps(book, 'bank', 'reset'),
  undo: (book: QuietBook) => undoSteps(book, 1),
} as const;

describe.each(Object.entries(WIPES))('a %s while a bulk request fills the stream', (_kind, wipe) => {
  test('items stored before the publish step are removed, the rest is stored, and each item says what happened', async () => {
    let moments = 1;
    for (let moment = 0; moment < moments; moment += 1) {
      const { book, id } = await filling();
      const { atPublishing, steps } = await interleaved(book, id, wipe(book), moment);
      moments = steps;
      const done = await wholeBulk(book.client, { id });
      expect(done).toMatchObject({ status: 'completed', processed_items: ITEMS, successful_items: ITEMS });
      expect(done.results.data.map((result) => result.index)).toEqual(items().map((_, index) => index));
      const left = done.results.data.slice(atPublishing).map((result) => result.record_id);
      expect(left.length).toBeGreaterThan(0);
      expect(recordIds(book)).toEqual(left);
      const { data } = await book.client.get('import_batches.list', { key: 'bank' });
      expect(data).toMatchObject([{ record_count: left.length }]);
      expect(data[0]?.total_credits).toBe(
        items()
          .slice(atPublishing)
          .reduce((sum, each) => sum + Number(each['amount']), 0),
      );
      expect(book.database.connection.pragma('foreign_key_check')).toEqual([]);
    }
    expect(moments).toBeGreaterThan(4);
  });
});

test('a delete while a bulk request fills the stream: nothing is left in it, and each item after the publish step fails with its code', async () => {
  let moments = 1;
  for (let moment = 0; moment < moments; moment += 1) {
    const { book, id } = await filling();
    const { atPublishing, steps } = await interleaved(book, id, operationSteps(book, 'bank', 'delete'), moment);
    moments = steps;
    const done = await wholeBulk(book.client, { id });
    expect(done).toMatchObject({ status: 'completed', successful_items: atPublishing, failed_items: ITEMS - atPublishing });
    expect(new Set(done.results.data.slice(atPublishing).map((result) => result.error?.code))).toEqual(new Set(['unknown_reference']));
    expect(recordIds(book)).toEqual([]);
    for (const table of ['streams', 'import_batches', 'wipes']) {
      expect(book.database.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
    }
  }
  expect(moments).toBeGreaterThan(4);
});

test('the retry of a request whose stream is gone fails item by item; once the stream is made again, it accepts them', async () => {
  for (const isMadeAnew of [false, true]) {
    const { book, id } = await filling();
    await book.client.get('bulk_requests.cancel', { id });
    const before = await processed(book, id);
    await book.client.get('streams.remove', { key: 'bank' });
    if (isMadeAnew) await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    const retried = await book.client.get('bulk_requests.retry', { id });
    workOff(book);
    const done = await wholeBulk(book.client, retried);
    const rest = ITEMS - before;
    expect(done).toMatchObject({ status: 'completed', total_items: rest, processed_items: rest });
    expect(done[isMadeAnew ? 'successful_items' : 'failed_items']).toBe(rest);
    expect(new Set(done.results.data.map((result) => result.error?.code))).toEqual(new Set([isMadeAnew ? undefined : 'unknown_reference']));
    expect(recordIds(book)).toHaveLength(isMadeAnew ? rest : 0);
  }
});

test('a request that is cancelled and retried between any two transactions of a reset stores what it had not reached', async () => {
  let moments = 1;
  for (let moment = 0; moment < moments; moment += 1) {
    const { book, id } = await filling();
    let step = 0;
    let retriedId = 0;
    let reached = 0;
    let isBefore = true;
    for (const state of operationSteps(book, 'bank', 'reset')) {
      if (step === moment) {
        await book.client.get('bulk_requests.cancel', { id });
        reached = await processed(book, id);
        retriedId = (await book.client.get('bulk_requests.retry', { id })).id;
        isBefore = state === 'preparing';
        if (isBefore) workOff(book);
      }
      step += 1;
    }
    moments = step;
    workOff(book);
    const done = await wholeBulk(book.client, { id: retriedId });
    expect(done).toMatchObject({ status: 'completed', total_items: ITEMS - reached, successful_items: ITEMS - reached });
    expect(recordIds(book)).toEqual(isBefore ? [] : done.results.data.map((result) => result.record_id));
  }
});

test('a file imported between any two transactions of a reset is complete after it, or removed with it', async () => {
  const file = (book: QuietBook) => {
    const to = path.join(book.folder, 'june.csv');
    writeFileSync(to, 'Date,Description,Amount\n2026-06-01,One,-1.00\n2026-06-02,Two,2.00\n2026-06-03,Three,3.00\n');
    return to;
  };
  let moments = 1;
  const outcomes = new Set<string>();
  for (let moment = 0; moment < moments; moment += 1) {
    const book = openQuietBook();
    importHere(book, { path: file(book) });
    let step = 0;
    let phase = '';
    let kept = 0;
    for (const state of operationSteps(book, 'bank', 'reset')) {
      if (step === moment) {
        kept = importHere(book, { path: file(book) }).result?.kept ?? -1;
        phase = state;
      }
      step += 1;
    }
    moments = step;
    const { record_count: count } = await book.client.get('streams.get', { key: 'bank' });
    expect(recordIds(book)).toHaveLength(count);
    outcomes.add(`${phase === 'preparing' ? 'before' : 'after'}: kept ${kept}, left ${count}`);
  }
  expect(outcomes).toEqual(new Set(['before: kept 0, left 0', 'after: kept 3, left 3']));
});

describe('found once: bulk skips wiped record', () => {
  test('a bulk item with the external_id of a wiped line, which is not cleared yet, goes in', async () => {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    await addLines(book.client, 'bank', numbered(3));
    for (const step of operationSteps(book, 'bank', 'reset')) {
      if (step !== 'published') continue;
      const item = { data_stream_key: 'bank', date: '2026-06-10', amount: 500, external_id: 'x2' };
      const { id } = await book.client.get('bulk_requests.create', { records: [item] });
      expect(book.bulk.step()).toBe('idle');
      expect(await book.client.get('bulk_requests.get', { id })).toMatchObject({ successful_items: 1, skipped_items: 0 });
    }
    expect((await book.client.get('records.list', { data_stream_key: 'bank' })).data.map((record) => record.amount)).toEqual([500]);
  });
});
