import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Call, contract, type OperationId } from '../../../src-shared/contract/index.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { bulkItem, sendBulk } from '../../support/books/bulk.ts';
import { addLines, BY_EXTERNAL_ID, type LineInput, numbered, setUpPair } from '../../support/books/lines.ts';
import { copiesOf, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { runs } from '../../support/long.ts';

/** Lists of records have a test of their own, with filters and words. */
const ELSEWHERE = new Set<OperationId>(['records.list', 'periods.open_items', 'figures.items', 'history.list']);
const MATCHED = 9;

/** Lines that no rule pairs, to be matched by hand. */
const loose = (side: string, from: number, count: number): LineInput[] =>
  Array.from({ length: count }, (_, index) => ({ amount: 7, external_id: `loose ${side}${from + index}` }));

const fileNumber = (index: number) => ({
  data_stream_key: 'ledger',
  source: 'csv_upload' as const,
  filename: `file ${index}.csv`,
  format: 'csv',
  sha256: String(index).padStart(64, '0'),
  byte_length: 0,
  kept: 0,
  skipped: 0,
  rejected: 0,
  recipe: null,
  accounts: [],
  holders: [],
  created_at: '2026-07-01T09:00:00.000Z',
  currency: null,
  opening_balance: null,
  closing_balance: null,
  proof: 'unproved' as const,
  totals: [],
  date_range_start: null,
  date_range_end: null,
  periods: null,
  balances: [],
});

async function overdueElsewhere(book: QuietBook, index: number): Promise<void> {
  const { client } = book;
  const { reconciliation } = await client.get('reconciliations.set_up', {
    name: `R${index}`,
    side_a_keys: ['ledger'],
    side_b_keys: ['bank'],
  });
  const [line] = await addLines(client, 'bank', [{ amount: 3, date: '2026-06-01' }]);
  await client.get('records.mark_overdue', { id: present(line, 'line').id, reconciliation_id: reconciliation.id });
  await client.get('exceptions.create', { reconciliation_id: reconciliation.id, data_stream_id: 2 });
}

/** Some rows of every list there is. */
const filled = copiesOf(async () => {
  const book = openQuietBook();
  const { client, clock } = book;
  const linesOf = (side: string) => [...numbered(MATCHED), ...loose(side, 0, 3)];
  const { reconciliation, aIds, bIds } = await setUpPair(client, { a: linesOf('a'), b: linesOf('b') }, [BY_EXTERNAL_ID]);
  await client.get('runs.start', { id: reconciliation.id, mode: 'dry_run' });
  book.work();
  for (let run = 0; run < 5; run += 1) await book.run(reconciliation.id);
  for (const place of [MATCHED, MATCHED + 1]) {
    const ids = [aIds[place], bIds[place]].map((id) => present(id, 'line'));
    await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: ids });
  }
  for (let index = 0; index < 5; index += 1) {
    clock.advance(index % 2);
    await overdueElsewhere(book, index);
    const wrong = index === 2 ? [bulkItem({ amount: 'x' }), bulkItem({ external_id: 'bulk 1' })] : [];
    await sendBulk(book, {
      records: [...Array.from({ length: 8 }, (_, place) => bulkItem({ external_id: `bulk ${index * 5 + place}` })), ...wrong],
    });
  }
  for (let index = 0; index < 5; index += 1) await takeApart(book, 500 + index);
  for (let index = 0; index < 5; index += 1) await client.get('periods.create', { reconciliation_id: reconciliation.id });
  return book;
});

async function bookOfLists(): Promise<QuietBook> {
  const book = await filled();
  // What is added comes after what is there.
  book.clock.advance(10);
  for (let index = 0; index < 7; index += 1) await book.client.get('imported_files.create', fileNumber(index));
  return book;
}

interface Listed {
  readonly operation: OperationId;
  readonly input: object;
  /** Ids of all rows in the order of the list. */
  readonly sql: string;
  /** Adds a row to the list, whose place is at its start. */
  readonly add?: (book: QuietBook, index: number) => Promise<unknown>;
}

const matchByHand = async (book: QuietBook, index: number) => {
  const [a] = await addLines(book.client, 'ledger', loose('a', 100 + index, 1));
  const [b] = await addLines(book.client, 'bank', loose('b', 100 + index, 1));
  const ids = [present(a, 'line').id, present(b, 'line').id];
  return book.client.get('matches.create', { reconciliation_id: 1, record_ids: ids });
};
async function takeApart(book: QuietBook, index: number): Promise<void> {
  const { id } = await matchByHand(book, index);
  await book.client.get('matches.remove', { id });
}
const bulk = (book: QuietBook, index: number) => sendBulk(book, { records: [bulkItem({ external_id: `more ${index}` })] });

const LISTS: readonly Listed[] = [
  { operation: 'matches.list', input: {}, sql: 'SELECT id FROM matches ORDER BY id DESC', add: matchByHand },
  {
    operation: 'matches.list',
    input: { reconciliation_id: 1, status: 'matched' },
    sql: 'SELECT id FROM matches ORDER BY id DESC',
    add: matchByHand,
  },
  {
    operation: 'matches.lines',
    input: { reconciliation_id: 1 },
    sql: 'SELECT l.record_id FROM match_records l JOIN matches m ON m.id = l.match_id WHERE m.reconciliation_id = 1 ORDER BY m.id, l.side, l.record_id',
  },
  { operation: 'runs.list', input: { id: 1 }, sql: 'SELECT id FROM runs ORDER BY id DESC', add: (book) => book.run(1) },
  {
    operation: 'runs.would_be_matches',
    input: { id: 1, run_id: 1 },
    sql: "SELECT body ->> '$.group_key' AS id FROM would_be_matches WHERE run_id = 1 ORDER BY position",
  },
  {
    operation: 'reconciliations.list',
    input: {},
    sql: 'SELECT id FROM reconciliations ORDER BY created_at DESC, id DESC',
    add: (book, index) => overdueElsewhere(book, 100 + index),
  },
  {
    operation: 'exceptions.list',
    input: {},
    sql: 'SELECT id FROM exceptions ORDER BY created_at DESC, id DESC',
    add: (book, index) => overdueElsewhere(book, 1000 + index),
  },
  {
    operation: 'import_batches.list',
    input: { key: 'bank' },
    sql: "SELECT b.id FROM import_batches b JOIN streams s ON s.id = b.stream_id WHERE s.key = 'bank' ORDER BY b.created_at DESC, b.id DESC",
    add: bulk,
  },
  {
    operation: 'import_batches.records',
    input: { id: 3 },
    sql: 'SELECT id FROM records WHERE batch_id = 3 ORDER BY created_at DESC, id DESC',
    add: bulk,
  },
  {
    operation: 'separations.list',
    input: { reconciliation_id: 1 },
    sql: 'SELECT id FROM separations ORDER BY created_at DESC, id DESC',
    add: (book, index) => takeApart(book, 2000 + index),
  },
  {
    operation: 'periods.list',
    input: {},
    sql: 'SELECT id FROM reconciliation_periods ORDER BY first_day DESC, id DESC',
    // Each follows the last one.
    add: ({ client }) => client.get('periods.create', { reconciliation_id: 1 }),
  },
  {
    operation: 'imported_files.list',
    input: { key: 'ledger' },
    sql: "SELECT b.id FROM import_batches b JOIN streams s ON s.id = b.stream_id WHERE s.key = 'ledger' AND b.source = 'csv_upload' ORDER BY b.id",
  },
  { operation: 'bulk_requests.list', input: {}, sql: 'SELECT id FROM bulk_requests ORDER BY created_at DESC, id DESC', add: bulk },
];

interface Page {
  readonly data: readonly { readonly id?: number; readonly record_id?: number; readonly group_key?: string }[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

function ask(book: QuietBook, { operation, input }: Listed, more: object): Promise<Page> {
  return book.client.get(operation, { ...input, ...more } as Call<never>) as Promise<Page>;
}
const named = (page: Page) => page.data.map((row) => row.id ?? row.record_id ?? row.group_key);
const whole = (book: QuietBook, { sql }: Listed) => book.database.prepare<[], number | string>(sql).pluck().all();
const limits = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });

test('every list that has a cursor is tested here or has a test of its own', () => {
  const withCursor = Object.values(contract).filter(({ input }) => 'cursor' in input.shape);
  const tested = new Set([...ELSEWHERE, ...LISTS.map(({ operation }) => operation)]);
  expect(new Set(withCursor.map(({ id }) => id))).toEqual(tested);
});

test.each(LISTS)('$operation $input: every row exactly once under any limits, by cursor also while rows are added', async (list) => {
  const book = await bookOfLists();
  let added = 0;
  expect(whole(book, list).length).toBeGreaterThan(4);
  await fc.assert(
    fc.asyncProperty(limits, async (sizes) => {
      const expected = whole(book, list);
      const byOffset: unknown[] = [];
      for (let hasMore = true, turn = 0; hasMore; turn += 1) {
        assert(turn < 500, 'a list comes to an end');
        const page = await ask(book, list, { limit: sizes[turn % sizes.length], offset: byOffset.length });
        byOffset.push(...named(page));
        hasMore = page.has_more;
      }
      expect(byOffset).toEqual(expected);
      const byCursor: unknown[] = [];
      let cursor: string | null | undefined;
      for (let turn = 0; cursor !== null; turn += 1) {
        assert(turn < 500, 'a list comes to an end');
        const page = await ask(book, list, { limit: sizes[turn % sizes.length], ...(cursor === undefined ? {} : { cursor }) });
        byCursor.push(...named(page));
        expect(page.has_more).toBe(page.next_cursor !== null);
        cursor = page.next_cursor;
        if (turn % 4 === 0) await list.add?.(book, (added += 1));
      }
      expect(byCursor).toEqual(expected);
    }),
    { numRuns: runs(6, 2) },
  );
});

test('results of a bulk request: every item exactly once under any limits', async () => {
  const book = await bookOfLists();
  await fc.assert(
    fc.asyncProperty(limits, async (sizes) => {
      const seen: number[] = [];
      for (let hasMore = true, turn = 0; hasMore; turn += 1) {
        const { results } = await book.client.get('bulk_requests.get', { id: 3, limit: sizes[turn % sizes.length], offset: seen.length });
        seen.push(...results.data.map((result) => result.index));
        hasMore = results.has_more;
      }
      expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }),
    { numRuns: runs(15) },
  );
});

test('windows of lines and of matches: every row exactly once under any limits and in any order', async () => {
  const book = await bookOfLists();
  const lineOrder = { date: 'day', amount: 'amount', external_id: 'external_id', description: 'description' } as const;
  const sorts = fc.tuple(fc.constantFrom(...(['date', 'amount', 'external_id', 'description'] as const)), fc.constantFrom('', '-'));
  await fc.assert(
    fc.asyncProperty(limits, sorts, fc.option(fc.constantFrom('bulk', 'loose', 'x1')), async (sizes, [column, sign], search) => {
      const way = sign === '' ? 'ASC' : 'DESC';
      const expected = book.database
        .prepare<[string], number>(
          `SELECT id FROM records WHERE stream_id = 2 AND coalesce(external_id, '') LIKE ? ORDER BY ${lineOrder[column]} ${way}, id ${way}`,
        )
        .pluck()
        .all(`%${search ?? ''}%`);
      const seen: number[] = [];
      for (let turn = 0; seen.length < expected.length; turn += 1) {
        const page = await book.client.get('lines.window', {
          reconciliation_id: 1,
          side: 'b',
          status: 'all',
          sort: `${sign === '-' ? '-' : ''}${column}`,
          offset: seen.length,
          limit: present(sizes[turn % sizes.length], 'limit'),
          ...(search === null ? {} : { search }),
        });
        expect([page.total_count, page.not_searched]).toEqual([expected.length, search === null ? undefined : 0]);
        assert(page.data.length > 0, 'a page before the end has rows');
        seen.push(...page.data.map((line) => line.id));
      }
      expect(seen).toEqual(expected);
    }),
    { numRuns: runs(30) },
  );
  await fc.assert(
    fc.asyncProperty(limits, async (sizes) => {
      const seen: number[] = [];
      for (let turn = 0; seen.length < MATCHED + 2; turn += 1) {
        const limit = present(sizes[turn % sizes.length], 'limit');
        const page = await book.client.get('matches.window', { reconciliation_id: 1, status: 'matched', offset: seen.length, limit });
        assert(page.data.length > 0 && page.total_count === MATCHED + 2, 'a page before the end has rows');
        seen.push(...page.data.map(({ match }) => match.id));
      }
      expect(new Set(seen).size).toBe(MATCHED + 2);
      const all = await book.client.get('matches.window', { reconciliation_id: 1, status: 'matched' });
      expect(seen).toEqual(all.data.map(({ match }) => match.id));
    }),
    { numRuns: runs(10) },
  );
});
