import { describe, expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../src-main/book/store/audit.ts';
import { dumpBook, thrownWithFailingStatement, withFailingStatement } from '../support/faults/failing-statements.ts';
import { addLines, BY_EXTERNAL_ID, numbered, setUpPair } from '../support/books/lines.ts';
import { copiesOf, openQuietBook, type QuietBook } from '../support/books/quiet-book.ts';
import { IS_LONG, quickTest, some } from '../support/long.ts';

/** A bound on the statements of one operation, so that a loop without end is a failure. */
const MOST_STATEMENTS = 60;
/** Each statement is tried in the long tests, every fourth one in `npm test`. */
const STRIDE = IS_LONG ? 1 : 4;
const FULL = 'SqliteError: database or disk is full';

/** What people can see of the records of a book, whatever is left to be cleared away. */
async function seen({ client }: QuietBook): Promise<string> {
  const lists = [
    await client.get('streams.list', {}),
    await client.get('records.list', { limit: 100 }),
    await client.get('matches.list', { limit: 100 }),
    await client.get('reconciliations.list', {}),
  ];
  return JSON.stringify(lists);
}

const count = (book: QuietBook, table: string) => book.database.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
const statusOf = (book: QuietBook) =>
  book.database.connection.prepare('SELECT status FROM stream_operations ORDER BY id DESC LIMIT 1').pluck().get();

const reconciled = copiesOf(async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) }, [BY_EXTERNAL_ID]);
  await book.run(reconciliation.id);
  await book.client.get('streams.create', { key: 'loose', name: 'Loose' });
  await addLines(book.client, 'loose', numbered(3));
  return book;
});

const CASES = {
  reset: { call: (book: QuietBook) => book.client.get('streams.reset', { key: 'bank' }), left: 6, matches: 0 },
  delete: { call: (book: QuietBook) => book.client.get('streams.remove', { key: 'loose', async: true }), left: 6, matches: 3 },
} as const;

describe.each(some(Object.entries(CASES), 1))('a %s', (_kind, { call, left, matches }) => {
  test.each(some(['once', 'forever'] as const, 1))(
    'is seen as a whole or not at all, whichever statement fails (%s), and a restart goes on',
    async (how) => {
      const before: string[] = [];
      const tries: { readonly thrown: string; readonly whole: boolean }[] = [];
      for (let nth = 1; nth <= MOST_STATEMENTS; nth += STRIDE) {
        const book = await reconciled();
        const was = await seen(book);
        await call(book);
        const { failed, thrown } = await thrownWithFailingStatement(nth, () => book.work(), how);
        const now = await seen(book);
        before.push(now === was ? 'untouched' : 'wiped');
        book.recover();
        expect(await seen(book)).toBe(now);
        if (failed && statusOf(book) !== 'completed') book.work();
        expect(statusOf(book)).toBe('completed');
        tries.push({ thrown, whole: count(book, 'records') === left && count(book, 'matches') === matches });
        expect(firstBrokenAuditEntry(book.database)).toBeNull();
        expect(count(book, 'streams')).toBe(_kind === 'delete' ? 2 : 3);
        if (!failed) break;
      }
      expect(tries.length).toBeGreaterThan(10 / STRIDE);
      expect(tries).toEqual(tries.map((_, index) => ({ thrown: index === tries.length - 1 ? '' : FULL, whole: true })));
      expect(before.indexOf('wiped')).toBeGreaterThan(3 / STRIDE);
      expect(before.lastIndexOf('untouched')).toBe(before.indexOf('wiped') - 1);
    },
  );
});

test.each(some(['once', 'forever'] as const, 1))(
  'a delete within the request happens as a whole or not at all, whichever statement fails (%s)',
  async (how) => {
    const outcomes: string[] = [];
    for (let nth = 1; nth <= MOST_STATEMENTS; nth += STRIDE) {
      const book = await reconciled();
      const was = JSON.stringify(dumpBook(book.database));
      let code = 'done';
      const { failed } = await withFailingStatement(
        nth,
        async () => {
          const answered = await book.client.call('streams.remove', { key: 'loose' });
          if (!answered.ok) code = answered.error.code;
        },
        how,
      );
      const shown = [
        (await book.client.get('records.list', { limit: 100 })).data.length,
        (await book.client.get('streams.list', {})).length,
      ];
      book.recover();
      const isUntouched = JSON.stringify(dumpBook(book.database)) === was;
      if (statusOf(book) === 'running') book.work();
      outcomes.push(
        `${code}, ${isUntouched && String(shown) === '9,3' ? 'untouched' : `shown ${shown}, left ${[count(book, 'records'), count(book, 'streams')]}`}`,
      );
      if (!failed) break;
    }
    expect(outcomes.length).toBeGreaterThan(8 / STRIDE);
    expect(new Set(outcomes)).toEqual(new Set(['storage_full, untouched', 'done, shown 6,2, left 6,2']));
    expect(outcomes.at(-1)).toBe('done, shown 6,2, left 6,2');
  },
);

test('an operation that broke before its publish step has failed, with words, and the stream is as it was', async () => {
  const book = await reconciled();
  const was = await seen(book);
  const { id } = await book.client.get('streams.reset', { key: 'bank' });
  expect(book.queue.cancel(1)).toBe(false);
  const job = book.database.connection.prepare("SELECT id FROM jobs WHERE kind = 'stream_operation'").pluck().get() as number;
  expect(book.queue.cancel(job)).toBe(true);
  expect(await book.client.get('streams.operation', { key: 'bank', id })).toMatchObject({
    status: 'failed',
    error_message: 'The account was not changed: Tieout was stopped before that began.',
    completed_at: '2026-07-01T09:00:00.000Z',
  });
  expect(await seen(book)).toBe(was);
});

quickTest('stopped in the middle of many rows, a reset goes on after a restart where it was', async () => {
  const book = await reconciled();
  const insert = book.database.connection.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
     INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
     SELECT 1, 2, 20600, i, 1, 'USD', 2, '{}', 0 FROM n`,
  );
  insert.run();
  await book.client.get('streams.reset', { key: 'bank' });
  let cleared = 0;
  expect(book.work({ onStep: (phase) => (cleared += phase === 'clearing' ? 1 : 0), isCancelled: () => cleared > 2 })).toEqual({
    end: 'cancelled',
  });
  const rest = count(book, 'records') as number;
  expect(rest).toBeGreaterThan(6);
  expect(rest).toBeLessThan(5_009);
  const hidden = await seen(book);
  book.recover();
  expect(statusOf(book)).toBe('running');
  expect(await seen(book)).toBe(hidden);
  expect(book.work()).toEqual({ end: 'completed' });
  expect(count(book, 'records')).toBe(6);
  expect(await book.client.get('streams.operation', { key: 'bank', id: 1 })).toMatchObject({ status: 'completed', progress: 100 });
});
