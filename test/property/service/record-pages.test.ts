import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { assert } from '../../../src-shared/values/assert.ts';
import type { RecordItem } from '../../../src-shared/contract/index.ts';
import { bulkItem, sendBulk } from '../../support/books/bulk.ts';
import { addLines, type LineInput, setUpPair } from '../../support/books/lines.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { recordsByReading, type RecordsAsked } from '../../support/references/record-reference.ts';
import { quickTest, runs } from '../../support/long.ts';

const SORTS = ['created_at', '-created_at', 'date', '-date', 'value_date', '-value_date', 'amount', '-amount'] as const;
const TEXTS = ['Café card', 'card payment', 'Cardiff', 'payment to Zürich', 'fee', 'ORD-100 card', 'ord'];
const QUESTIONS = ['card', 'CAR', 'cafe', 'pay', 'card pay', 'payment card', 'ORD-1', 'zurich', 'shop c', 'nowhere', '100', 'f'];
const START_MS = Date.parse('2026-07-01T09:00:00Z');

/** Few values of everything, so that ties are many and each filter leaves some. */
function lineOf(index: number): LineInput {
  return {
    amount: (1 + (index % 5)) * (index % 3 === 0 ? -1 : 1),
    date: `2026-06-0${1 + (index % 4)}`,
    value_date: index % 5 === 0 ? null : `2026-06-0${2 + (index % 3)}`,
    currency: index % 6 === 0 ? 'EUR' : 'GBP',
    description: TEXTS[index % TEXTS.length] ?? '',
    external_id: `${index % 2 === 0 ? 'ORD' : 'x'}-${100 + index}`,
    metadata: index % 4 === 0 ? { shop: { city: TEXTS[(index + 3) % TEXTS.length] ?? '' } } : { channel: index % 2 === 0 ? 'web' : 'shop' },
  };
}
const linesOf = (from: number, count: number) => Array.from({ length: count }, (_, index) => lineOf(from + index));

/** Records made in each way there is: one by one, in bulk and from a file; some matched, some overdue, some that say that they are returns. */
async function bookOfEverything(): Promise<QuietBook> {
  const book = openQuietBook();
  const { client, clock } = book;
  const { reconciliation, aIds } = await setUpPair(client, { a: linesOf(0, 12), b: linesOf(0, 8) });
  await book.run(reconciliation.id);
  clock.advance(1);
  await client.get('streams.create', { key: 'till', name: 'Till' });
  await addLines(client, 'till', linesOf(40, 8));
  clock.advance(1);
  await sendBulk(book, {
    records: linesOf(60, 12).map((line, index) => bulkItem({ ...line, data_stream_key: index % 2 === 0 ? 'bank' : 'till' })),
  });
  clock.advance(1);
  const file = path.join(book.folder, 'june.csv');
  writeFileSync(
    file,
    `Date,Value date,Description,Amount\n${linesOf(80, 9)
      .map((line) => `${line.date},${line.value_date ?? ''},${line.description},${line.amount}.00`)
      .join('\n')}\n`,
  );
  expect(importHere(book, { path: file, currency: 'USD', acceptCurrency: true }).result).toMatchObject({ kept: 9 });
  book.database.connection.exec(`INSERT INTO reversals(record_id, stream_id, mark)
    SELECT id, stream_id, '{"by":"format","reason":null,"reference":null}' FROM records WHERE id % 4 = 0`);
  for (const id of aIds.slice(8)) await client.get('records.mark_overdue', { id, reconciliation_id: reconciliation.id });
  return book;
}

/** Filters and values that leave some records, all or none. */
const FILTERS: readonly RecordsAsked[] = [
  ...['bank', 'ledger', 'till'].map((key) => ({ data_stream_key: key })),
  { reconciliation_id: '1' },
  ...(['a', 'b'] as const).map((side) => ({ reconciliation_id: '1', side })),
  { reconciliation_match_id: '1' },
  ...['1', '2', '3'].map((id) => ({ import_batch_id: id })),
  { bulk_request_id: '1' },
  ...(['csv_upload', 'bulk_api', 'nacha_upload'] as const).map((source) => ({ source })),
  ...['ORD-100', 'x-101'].map((id) => ({ external_id: id })),
  ...(['reconciled', 'unreconciled', 'matched', 'unmatched'] as const).map((status) => ({ status })),
  { date_from: '2026-06-02' },
  { date_to: '2026-06-03' },
  { date_from: '2026-06-02', date_to: '2026-06-02' },
  { value_date_from: '2026-06-03' },
  { value_date_to: '2026-06-03' },
  { value_date_from: '2026-06-02', value_date_to: '2026-06-03' },
  { amount_min: 2 },
  { amount_max: 4 },
  { amount_min: 3, amount_max: 200 },
  ...(['credit', 'debit'] as const).map((direction) => ({ direction })),
  ...['EUR', 'GBP', 'XXX'].map((currency) => ({ currency })),
  ...[1, 2].flatMap((ms) => {
    const at = new Date(START_MS + ms).toISOString();
    return [{ created_after: at }, { created_before: at }, { created_after: at, created_before: at }];
  }),
  ...[true, false].flatMap((is) => [{ overdue: is }, { reversal: is }]),
];
const asked = fc
  .record({
    filters: fc.array(fc.constantFrom(...FILTERS), { maxLength: 3 }),
    q: fc.option(fc.constantFrom(...QUESTIONS)),
    sort: fc.constantFrom(...SORTS),
  })
  .map(({ filters, q, sort }): RecordsAsked => Object.assign({ sort }, ...filters, q === null ? {} : { q }) as RecordsAsked);
const limits = fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 5 });
const limitOf = (all: readonly number[], turn: number) => all[turn % all.length] ?? 1;

interface Walk {
  readonly ids: readonly number[];
  /** Of each page; nothing without a search. */
  readonly notSearched: readonly (number | undefined)[];
}

/** Page after page by cursor; `between` comes before each page but the first. */
async function byCursor(book: QuietBook, input: RecordsAsked, sizes: readonly number[], between?: () => Promise<void>): Promise<Walk> {
  const ids: number[] = [];
  const notSearched: (number | undefined)[] = [];
  let cursor: string | null | undefined;
  for (let turn = 0; cursor !== null; turn += 1) {
    assert(turn < 200, 'a list comes to an end');
    if (turn > 0) await between?.();
    const page = await book.client.get('records.list', {
      ...input,
      limit: limitOf(sizes, turn),
      ...(cursor === undefined ? {} : { cursor }),
    });
    ids.push(...page.data.map((record) => record.id));
    notSearched.push(page.not_searched);
    assert(page.has_more === (page.next_cursor !== null), 'there is a cursor where there is more');
    cursor = page.next_cursor;
  }
  return { ids, notSearched };
}

test('by offset on a still book, and by cursor, every record of any filters comes exactly once and in order, whatever the limits', async () => {
  const book = await bookOfEverything();
  let some = 0;
  let someOfWords = 0;
  await fc.assert(
    fc.asyncProperty(asked, limits, async (input, sizes) => {
      const expected = recordsByReading(book.database, input);
      const byOffset: number[] = [];
      for (let hasMore = true, turn = 0; hasMore; turn += 1) {
        const page = await book.client.get('records.list', { ...input, limit: limitOf(sizes, turn), offset: byOffset.length });
        byOffset.push(...page.data.map((record) => record.id));
        hasMore = page.has_more;
      }
      expect(byOffset).toEqual(expected);
      const { ids, notSearched } = await byCursor(book, input, sizes);
      expect(ids).toEqual(expected);
      expect(new Set(notSearched)).toEqual(new Set([input.q === undefined ? undefined : 0]));
      some += expected.length > 1 ? 1 : 0;
      someOfWords += expected.length > 1 && input.q !== undefined ? 1 : 0;
    }),
    { numRuns: runs(150, 20) },
  );
  expect(some).toBeGreaterThan(runs(30));
  expect(someOfWords).toBeGreaterThan(runs(10, 2));
});

test('the totals of any filters are those of the records that a list with them holds', async () => {
  const book = await bookOfEverything();
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(asked, async ({ sort, ...filters }) => {
      const { totals, not_searched: notSearched } = await book.client.get('records.totals', filters);
      const held = (await book.client.get('records.list', { ...filters, sort, limit: 100 })).data;
      const expected = [...Map.groupBy(held, ({ currency }) => currency)].map(([currency, lines]) => {
        const of = (isPart: (line: RecordItem) => boolean) => {
          const part = lines.filter(isPart);
          const sum = (direction: string) => part.reduce((minor, line) => minor + (line.direction === direction ? line.amount : 0), 0);
          return { count: part.length, credits: sum('credit'), debits: sum('debit'), net: sum('credit') - sum('debit') };
        };
        const [credits, debits] = [of(({ direction }) => direction === 'credit'), of(({ direction }) => direction === 'debit')];
        const [matched, open] = [of(({ status }) => status === 'reconciled'), of(({ status }) => status === 'unreconciled')];
        return {
          currency,
          decimal_places: 2,
          record_count: lines.length,
          credit_count: credits.count,
          credit_sum: credits.credits,
          debit_count: debits.count,
          debit_sum: debits.debits,
          reconciled_count: matched.count,
          reconciled_net: matched.net,
          unreconciled_count: open.count,
          unreconciled_net: open.net,
        };
      });
      expect(totals).toEqual(expected.toSorted((left, right) => (left.currency < right.currency ? -1 : 1)));
      expect(notSearched).toBe(filters.q === undefined ? undefined : 0);
      for (const { currency } of totals) seen.add(currency);
    }),
    { numRuns: runs(150, 20) },
  );
  expect(seen).toContain('EUR');
});

/** So many records of a list are seen until no more are added. */
const MOST_MEANWHILE = 300;

test('by cursor what was there comes exactly once, and what is added meanwhile exactly when its place is still ahead', async () => {
  const book = await bookOfEverything();
  let added = 100;
  await fc.assert(
    fc.asyncProperty(asked, fc.integer({ min: 1, max: 9 }), async (input, limit) => {
      const before = new Set(recordsByReading(book.database, input));
      const ahead = new Set<number>();
      const seen: number[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        assert(seen.length < 2_000, 'a list comes to an end');
        const page = await book.client.get('records.list', { ...input, limit, ...(cursor === undefined ? {} : { cursor }) });
        seen.push(...page.data.map((record) => record.id));
        cursor = page.next_cursor;
        if (cursor === null) break;
        // A page of one record and one new record behind it each time would never end.
        if (seen.length > MOST_MEANWHILE) continue;
        book.clock.advance(added % 3 === 0 ? 1 : 0);
        const [record] = await addLines(book.client, added % 2 === 0 ? 'bank' : 'till', [
          { ...lineOf(added), external_id: `late-${added}` },
        ]);
        added += 1;
        const whole = recordsByReading(book.database, input);
        const place = whole.indexOf(record?.id ?? 0);
        if (place > whole.indexOf(seen.at(-1) ?? 0)) ahead.add(record?.id ?? 0);
      }
      const whole = recordsByReading(book.database, input);
      expect(seen).toEqual(whole.filter((id) => before.has(id) || ahead.has(id)));
    }),
    { numRuns: runs(25) },
  );
});

quickTest('what is not indexed yet is said on the first page, and no more than that is missed; once all is, nothing is', async () => {
  const book = await bookOfEverything();
  const many = (count: number, from: number) =>
    book.database.connection.exec(`
      WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${from + count - 1})
      INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, description, metadata, created_at)
        SELECT 1, 1 + i % 2, 20605 + i % 3, 1 + i % 5, 1, 'GBP', 2, iif(i % 20 = 0, 'late card', 'other'), '{}', ${START_MS} + i % 4 FROM n`);
  let from = 0;
  let behind = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SORTS), fc.constantFrom(...FILTERS), async (sort, filter) => {
      const input = { ...filter, q: 'card', sort };
      many(1_500, from);
      from += 1_500;
      const before = recordsByReading(book.database, input);
      const { ids, notSearched } = await byCursor(book, input, [25], async () => void many(10, (from += 10)));
      const expected = recordsByReading(book.database, input);
      expect(ids.filter((id) => !expected.includes(id))).toEqual([]);
      expect(new Set(ids).size).toBe(ids.length);
      expect(before.filter((id) => !ids.includes(id)).length).toBeLessThanOrEqual(notSearched[0] ?? 0);
      behind += (notSearched[0] ?? 0) > 0 ? 1 : 0;
      while (book.search.step());
      const complete = await byCursor(book, input, [100]);
      expect(complete.ids).toEqual(expected);
      expect(new Set(complete.notSearched)).toEqual(new Set([0]));
      // The order of what was seen is that of the list.
      expect(ids).toEqual(expected.filter((id) => ids.includes(id)));
    }),
    { numRuns: 8 },
  );
  expect(behind).toBeGreaterThan(4);
});
