import { describe, expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../src-main/book/store/audit.ts';
import type { Database } from '../../src-main/database/database.ts';
import type { Caller } from '../../src-main/service/handler.ts';
import { bulkItem, wholeBulk, workOff } from '../support/books/bulk.ts';
import { addLines, BY_EXTERNAL_ID, numbered, setUpPair } from '../support/books/lines.ts';
import { copiesOf, openQuietBook, type QuietBook } from '../support/books/quiet-book.ts';
import { some } from '../support/long.ts';

/** A bound on the transactions of one operation, so that a loop without end is a failure. */
const MOST_TRANSACTIONS = 40;
const DEAD = 'the process is dead';

/** The process dies before its n-th transaction from here on: what is committed stays, and nothing comes after it. */
function diesAfter(book: QuietBook, transactions: number): { readonly died: () => boolean } {
  let left = transactions;
  let hasDied = false;
  for (const database of [book.database, book.jobDatabase] as Database[]) {
    const write = database.write.bind(database);
    database.write = (work) => {
      if (database.connection.inTransaction) return write(work);
      left -= 1;
      hasDied ||= left < 0;
      if (left < 0) throw new Error(DEAD);
      return write(work);
    };
  }
  return { died: () => hasDied };
}

function restarted(book: QuietBook): QuietBook {
  book.database.close();
  book.jobDatabase.close();
  const again = openQuietBook(book.folder);
  again.recover();
  return again;
}

const count = (book: QuietBook, table: string) => book.database.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;

/** A bulk-made batch of three matched lines and two loose ones in `bank`; three loose lines in `unused`. */
const scene = copiesOf(async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(5), b: numbered(2) }, [BY_EXTERNAL_ID]);
  await book.client.get('bulk_requests.create', {
    records: [3, 4, 5].map((place) => bulkItem({ external_id: `x${place}`, amount: place })),
  });
  workOff(book);
  await book.run(reconciliation.id);
  await book.client.get('streams.create', { key: 'unused', name: 'Unused' });
  await addLines(book.client, 'unused', numbered(3));
  return book;
});

async function seen({ client }: QuietBook): Promise<string> {
  return JSON.stringify([
    await client.get('streams.list', {}),
    await client.get('records.list', { limit: 100 }),
    await client.get('matches.list', { limit: 100 }),
    await client.get('import_batches.list', { key: 'bank' }),
  ]);
}

/** Works what is open, as the queue does; what dies, dies. */
function workOpen(book: QuietBook): void {
  const open = book.database.connection.prepare("SELECT count(*) FROM jobs WHERE status IN ('pending', 'running')").pluck().get() as number;
  if (open > 0) book.work();
}

interface Case {
  readonly start: (book: QuietBook) => Promise<unknown>;
  readonly records: number;
  readonly matches: number;
}

const CASES: Readonly<Record<string, Case>> = {
  reset: { start: async ({ client }) => client.call('streams.reset', { key: 'bank' }), records: 8, matches: 0 },
  delete: { start: async ({ client }) => client.call('streams.remove', { key: 'unused', async: true }), records: 10, matches: 5 },
  'delete within the request': { start: async ({ client }) => client.call('streams.remove', { key: 'unused' }), records: 10, matches: 5 },
  'undo of an import': { start: async ({ client }) => client.call('import_batches.remove', { id: 1 }), records: 10, matches: 2 },
};

describe.each(some(Object.entries(CASES), 2))('a %s', (_kind, { start, records, matches }) => {
  test('stopped after any of its transactions, is whole after a restart or has not happened', async () => {
    const outcomes: string[] = [];
    for (let transactions = 0; transactions < MOST_TRANSACTIONS; transactions += 1) {
      const book = await scene();
      const before = await seen(book);
      const { died } = diesAfter(book, transactions);
      await start(book);
      try {
        workOpen(book);
      } catch (error) {
        if (!String(error).includes(DEAD)) throw error;
      }
      const again = restarted(book);
      const afterStart = await seen(again);
      workOpen(again);
      const after = await seen(again);
      const isUndone = after === before;
      expect([before, after]).toContain(afterStart);
      expect([count(again, 'records'), count(again, 'matches')]).toEqual(isUndone ? [13, 5] : [records, matches]);
      expect([count(again, 'wipes'), count(again, 'wiped_matches')]).toEqual([0, 0]);
      expect(again.database.connection.prepare("SELECT count(*) FROM stream_operations WHERE status <> 'completed'").pluck().get()).toBe(0);
      expect(again.database.connection.pragma('foreign_key_check')).toEqual([]);
      expect(firstBrokenAuditEntry(again.database)).toBeNull();
      outcomes.push(isUndone ? 'not happened' : 'whole');
      if (!died()) break;
    }
    expect(outcomes.length).toBeGreaterThan(4);
    expect(outcomes[0]).toBe('not happened');
    expect(outcomes.at(-1)).toBe('whole');
    // Once it has happened after n transactions, it has after more of them.
    expect(outcomes.lastIndexOf('not happened')).toBe(outcomes.indexOf('whole') - 1);
  });
});

const CALLER: Caller = {
  environmentId: 1,
  environment: 'live',
  permission: 'read_write',
  surface: 'public',
  actor: 'key 1',
  idempotencyKey: 'once',
};

test('a bulk request stopped after any of its transactions goes on; its key is answered with it, and its counters add up', async () => {
  const records = Array.from({ length: 60 }, (_, index) =>
    bulkItem({ external_id: `b${index % 50}`, ...(index % 9 === 0 ? { date: 'x' } : {}) }),
  );
  const outcomes: number[] = [];
  for (let transactions = 0; transactions < MOST_TRANSACTIONS; transactions += 1) {
    const book = await scene();
    const { died } = diesAfter(book, transactions);
    const request = { records, on_conflict: 'skip' as const };
    await book.dispatch('bulk_requests.create', request, CALLER);
    let steps = 0;
    try {
      while (book.bulk.step() === 'more') steps += 1;
    } catch (error) {
      if (!String(error).includes(DEAD)) throw error;
    }
    const again = restarted(book);
    const before = await again.client.call('bulk_requests.get', { id: 2 });
    expect(before.ok ? before.value.processed_items : 0).toBe(
      before.ok ? before.value.successful_items + before.value.failed_items + before.value.skipped_items : 0,
    );
    await again.dispatch('bulk_requests.create', request, CALLER);
    expect((await again.client.get('bulk_requests.list', {})).data).toHaveLength(2);
    workOff(again);
    const done = await wholeBulk(again.client, { id: 2 });
    expect(done).toMatchObject({ status: 'completed', total_items: 60, processed_items: 60, failed_items: 7 });
    expect(done.results.data.map((result) => result.index)).toEqual(records.map((_, index) => index));
    expect(count(again, 'records')).toBe(13 + done.successful_items);
    outcomes.push(steps);
    if (!died()) break;
  }
  expect(outcomes.length).toBeGreaterThan(2);
});
