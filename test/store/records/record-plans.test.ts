import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src-main/database/database.ts';
import type { RecordFilter } from '../../../src-main/records/store/record-conditions.ts';
import type { RecordPage } from '../../../src-main/records/store/record-pages.ts';
import { pageRecords } from '../../../src-main/records/store/record-pages.ts';
import { indexSlice } from '../../../src-main/records/store/record-search.ts';
import { openBook } from '../../../src-main/book/store/book.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { costlySteps, ONE_VALUE_SORTED, SORTS_WORDS, watchedReads } from '../../support/faults/watched-reads.ts';
import { MEMBERS_OF_NEW_MATCHES } from '../../support/books/match-members.ts';
import { drawn } from '../../support/long.ts';
import { recordsById } from '../../../src-main/records/store/records.ts';
import { testFolder } from '../../support/books/backend.ts';
import { openTestDatabase } from '../../support/books/quiet-book.ts';

/** More rows than are ever sorted, so that each filter is answered as it is in a large book. */
const RECORDS = 24_000;
const folder = mkdtempSync(path.join(tmpdir(), 'tieout-plans-'));
let database: Database;

/** Two streams (a reconciliation, the older half of it matched) and a third of the oldest rows, which alone are in USD. */
const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'a', 'A', 'csv', 0), (1, 'b', 'B', 'csv', 0), (1, 'old', 'O', 'csv', 0);
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'R', 'batch', 'same', 0);
  INSERT INTO reconciliation_streams VALUES (1, 1, 'a'), (1, 2, 'b');
  INSERT INTO import_batches(environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)
    VALUES (1, 1, 0, 'csv_upload', 'csv', '', 0, 0, 0, 0, '[]', '', '[]', 0), (1, 1, 0, 'bulk_api', 'json', '', 0, 0, 0, 0, '[]', '', '[]', 0);
  INSERT INTO bulk_requests(environment_id, status, on_conflict, actor, total, body_id, sha256, byte_length, created_at) VALUES (1, 'completed', 'skip', 'app', 0, 1, '', 0, 0);
  INSERT INTO bulk_request_streams VALUES (1, 1, 2);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECORDS})
  INSERT INTO records(environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, description, external_id, metadata, dedupe_key, created_at)
    SELECT 1, iif(i < 6000, 3, 1 + i % 2), 1 + (i > 12000), i / 10, i, i % 2, iif(i < 6000, 'USD', 'GBP'), 2, 'payment ' || i || iif(i = 9, ' rare', '') || iif(i < 12000 OR i = ${RECORDS}, ' early', ''), 'e' || i, '{}', 'x:e' || i, i FROM n;
  INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at, side_a_count, members)
    SELECT 1, 'matched', 'manual', 0, '[]', 1, 0, id % 2, json_array(iif(id % 2, id, -id)) FROM records WHERE id BETWEEN 6000 AND 15000;
  ${MEMBERS_OF_NEW_MATCHES}
  INSERT INTO overdue_records SELECT id, 1, 0 FROM records WHERE id % 1000 = 7;`;

beforeAll(() => {
  const opened = openBook(folder);
  assert(opened.ok, opened.ok ? '' : opened.error.message);
  database = opened.value;
  database.connection.exec(BOOK);
  while (indexSlice(database, () => false));
  return () => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  };
});

interface Watched {
  readonly plan: readonly string[];
  readonly ids: readonly number[];
}

/** The page, and the plan of each statement that it was read with. */
function watched(filter: Omit<RecordFilter, 'environmentId'>, page: Partial<RecordPage>, sortedHits?: number): Watched {
  const { reader, plan } = watchedReads(database);
  const rows = pageRecords(
    reader,
    { environmentId: 1, ...filter },
    { sort: 'created_at', descending: true, limit: 100, offset: 0, ...page },
    sortedHits === undefined ? {} : { sortedHits },
  );
  return { plan, ids: rows.map((row) => row.id) };
}

const words = (text: string) => ({ words: `"${text}" *` });
const FILTERS: readonly (readonly [string, Omit<RecordFilter, 'environmentId'>])[] = [
  ['everything', {}],
  ['a stream', { streamIds: [1] }],
  ['a stream of the oldest', { streamIds: [3] }],
  ['a reconciliation', { streamIds: [1, 2], reconciliationId: 1 }],
  ['a match', { matchId: 5 }],
  ['a batch', { batchId: 1 }],
  ['a bulk request', { bulkRequestId: 1 }],
  ['a source', { source: 'csv_upload' }],
  ['a source and dates', { source: 'csv_upload', dayFrom: 100, dayTo: 900 }],
  ['a source, unreconciled', { source: 'csv_upload', reconciled: false }],
  ['a batch and times', { batchId: 2, createdFrom: 100, createdTo: 14_000 }],
  ['a source of nothing', { source: 'nacha_upload' }],
  ['an external id', { externalId: 'e77' }],
  ['reconciled', { reconciled: true }],
  ['unreconciled', { reconciled: false }],
  ['dates', { dayFrom: 100, dayTo: 900 }],
  ['amounts', { amountMin: 5000, amountMax: 12_000 }],
  ['few amounts', { amountMax: 3 }],
  ['times', { createdFrom: 100, createdTo: 7000 }],
  ['a direction', { direction: 1 }],
  ['a currency', { currency: 'USD' }],
  ['a currency of nothing', { currency: 'XXX' }],
  ['overdue', { overdue: true }],
  ['not overdue', { overdue: false }],
  ['overdue in a reconciliation', { overdue: true, reconciliationId: 1, streamIds: [1, 2] }],
  ['words that many have', words('payment')],
  ['words that one has', words('rare')],
  ['words that few have, in a stream', { ...words('77'), streamIds: [1] }],
  ['words that many have, none of them new', { ...words('payment'), streamIds: [3] }],
  ['a stream and dates', { streamIds: [1], dayFrom: 100, dayTo: 900 }],
  ['a side, unreconciled', { streamIds: [1], reconciliationId: 1, reconciled: false }],
  ['a side, reconciled', { streamIds: [1], reconciliationId: 1, reconciled: true }],
];
const SORTS = ['created_at', 'day', 'amount'] as const;

test.each(drawn(FILTERS, 16, ([what]) => what))('%s: no look at every record and no sorting of many, in any order', (_what, filter) => {
  // Fewer records have them than are looked up along the order.
  const mayBeWords = filter.words !== undefined;
  for (const sort of SORTS) {
    for (const descending of [true, false]) {
      const { plan } = watched(filter, { sort, descending });
      expect({ sort, descending, plan, costly: costlySteps(plan, mayBeWords) }).toEqual({ sort, descending, plan, costly: [] });
      const next = watched(filter, { sort, descending, after: { value: 500, id: 500 } }).plan;
      expect({ sort, descending, next, costly: costlySteps(next, mayBeWords) }).toEqual({ sort, descending, next, costly: [] });
      const sortedByValue = [...plan, ...next].filter((step) => ONE_VALUE_SORTED.test(step)).length;
      expect(sortedByValue).toBeLessThanOrEqual(descending ? 0 : Number.POSITIVE_INFINITY);
    }
  }
});

type Row = Readonly<Record<string, number & string>>;
let rowsRead: readonly Row[] | null = null;

/** All records, read once: nothing changes them here. */
function rowsOfBook(): readonly Row[] {
  rowsRead ??= database.connection
    .prepare(
      `SELECT r.*, b.source, EXISTS (SELECT 1 FROM match_records m WHERE m.record_id = r.id) AS matched,
         EXISTS (SELECT 1 FROM overdue_records o WHERE o.record_id = r.id) AS overdue
       FROM records r JOIN import_batches b ON b.id = r.batch_id`,
    )
    .all() as Row[];
  return rowsRead;
}

/** What a filter means, said once more without any index. */
function expected(filter: Omit<RecordFilter, 'environmentId'>, sort: (typeof SORTS)[number], descending: boolean): number[] {
  const rows = rowsOfBook();
  const within = (value: number, from?: number, to?: number) => (from === undefined || value >= from) && (to === undefined || value <= to);
  const same = (value: unknown, wanted: unknown) => wanted === undefined || value === wanted;
  const sought = filter.words === undefined ? '' : filter.words.slice(1, -3);
  const passing = rows.filter(
    (row) =>
      (filter.streamIds === undefined || filter.streamIds.includes(Number(row['stream_id']))) &&
      (filter.matchId === undefined || row['id'] === filter.matchId + 5999) &&
      same(row['batch_id'], filter.batchId) &&
      same(row['batch_id'], filter.bulkRequestId === undefined ? undefined : 2) &&
      same(row['source'], filter.source) &&
      same(row['external_id'], filter.externalId) &&
      same(row['direction'], filter.direction) &&
      same(row['currency'], filter.currency) &&
      same(row['matched'] === 1, filter.reconciled) &&
      same(row['overdue'] === 1, filter.overdue) &&
      within(Number(row['day']), filter.dayFrom, filter.dayTo) &&
      within(Number(row['amount']), filter.amountMin, filter.amountMax) &&
      within(Number(row['created_at']), filter.createdFrom, filter.createdTo) &&
      `${row['description']} ${row['external_id']}`.split(' ').some((word) => word.startsWith(sought)),
  );
  const sign = descending ? -1 : 1;
  const by = (left: (typeof rows)[number], right: (typeof rows)[number]) =>
    sign * (Number(left[sort]) - Number(right[sort])) || Number(right['id']) - Number(left['id']);
  return passing.toSorted(by).map((row) => Number(row['id']));
}

test.each(drawn(FILTERS, 16, ([what]) => what))('%s: the pages are those of a look at every record', (_what, filter) => {
  for (const [sort, descending] of [
    ['created_at', true],
    ['day', false],
    ['amount', true],
    ['amount', false],
  ] as const) {
    const all = expected(filter, sort, descending);
    expect(watched(filter, { sort, descending }).ids).toEqual(all.slice(0, 101));
    expect(watched(filter, { sort, descending, offset: 3000, limit: 7 }).ids).toEqual(all.slice(3000, 3008));
    const middle = all[Math.floor(all.length / 2)];
    if (middle === undefined) continue;
    const row = database.connection.prepare(`SELECT ${sort} AS value FROM records WHERE id = ?`).get(middle) as { value: number };
    const { ids } = watched(filter, { sort, descending, after: { value: row.value, id: middle } });
    expect(ids).toEqual(all.slice(all.indexOf(middle) + 1).slice(0, 101));
  }
});

/** Words, and how many records that have them are sorted; the ways that lead to a page of them. */
const WAYS_OF_WORDS: readonly (readonly [string, Omit<RecordFilter, 'environmentId'>, number, boolean])[] = [
  ['fewer than are sorted', words('payment'), RECORDS, true],
  ['as many as are sorted, and one more', words('payment'), RECORDS - 1, false],
  ['more than are sorted', words('payment'), 6_000, false],
  ['more, in a stream', { ...words('payment'), streamIds: [3] }, 6_000, false],
  ['more, and all of them old', { ...words('payment'), streamIds: [1, 2], dayTo: 1_200 }, 6_000, false],
  ['more, with amounts', { ...words('payment'), amountMin: 9_000, direction: 1 }, 6_000, false],
  [
    'more, unreconciled in a reconciliation',
    { ...words('payment'), streamIds: [1, 2], reconciliationId: 1, reconciled: false },
    6_000,
    false,
  ],
  ['more, of a beginning of many words', words('e'), 6_000, true],
];

test.each(WAYS_OF_WORDS)(
  'words of records %s: sorted or looked up along the order, and the same pages',
  (_what, filter, sortedHits, isSorted) => {
    for (const sort of SORTS) {
      for (const descending of [true, false]) {
        const all = expected(filter, sort, descending);
        const first = watched(filter, { sort, descending }, sortedHits);
        expect({ sort, descending, ids: first.ids }).toEqual({ sort, descending, ids: all.slice(0, 101) });
        const told = { sort, descending, plan: first.plan };
        expect({ ...told, isSorted: first.plan.some((step) => SORTS_WORDS.test(step)) }).toEqual({ ...told, isSorted });
        expect(costlySteps(first.plan, isSorted)).toEqual([]);
        expect(watched(filter, { sort, descending, offset: 90, limit: 10 }, sortedHits).ids).toEqual(all.slice(90, 101));
        const after = all[50];
        assert(after !== undefined, 'there are more than fifty');
        const row = database.connection.prepare(`SELECT ${sort} AS value FROM records WHERE id = ?`).get(after) as { value: number };
        const next = watched(filter, { sort, descending, after: { value: row.value, id: after } }, sortedHits);
        expect(next.ids).toEqual(all.slice(51, 152));
      }
    }
  },
);

test('words that many records have, but few at this end of the list: looked up for a bounded time, then sorted', () => {
  const all = expected(words('early'), 'created_at', true);
  const { plan, ids } = watched(words('early'), { limit: 300 }, 6_000);
  expect(ids).toEqual(all.slice(0, 301));
  expect(plan.filter((step) => SORTS_WORDS.test(step))).toHaveLength(1);
  const lookUps = plan.filter((step) => /VIRTUAL TABLE INDEX.*=/.test(step) && !SORTS_WORDS.test(step));
  expect(lookUps.length).toBeLessThan(1_000);
  // At the other end all have them.
  const oldest = watched(words('early'), { descending: false }, 6_000);
  expect(oldest.ids).toEqual(all.toReversed().slice(0, 101));
  expect(oldest.plan.filter((step) => SORTS_WORDS.test(step))).toEqual([]);
});

test('a canary: the sort of all records that have words is told as costly where it must not be', () => {
  const { plan } = watched(words('payment'), {});
  expect(costlySteps(plan, true)).toEqual([]);
  expect(costlySteps(plan)).not.toEqual([]);
});

test('a canary: a sort of many records is told as costly', () => {
  const plan = database.connection.prepare('EXPLAIN QUERY PLAN SELECT * FROM records r ORDER BY r.description').all() as {
    detail: string;
  }[];
  expect(costlySteps(plan.map((step) => step.detail))).toHaveLength(2);
});

describe('found once: records by id walk the environment', () => {
  test('a few records are looked up by their ids, not found by walking all of the environment', () => {
    const database = openTestDatabase(testFolder());
    const asked: string[] = [];
    const watched = Object.create(database, {
      prepare: {
        value: (sql: string) => {
          asked.push(sql);
          return database.prepare(sql);
        },
      },
    }) as Database;
    recordsById(watched, 1, [1, 2]);
    const plan = asked.flatMap((sql) => database.connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('[1,2]', 1) as { detail: string }[]);
    const steps = plan.map(({ detail }) => detail);
    expect(steps).toContain('SEARCH r USING INTEGER PRIMARY KEY (rowid=?)');
    expect(steps.filter((step) => step.includes('environment_id'))).toEqual([]);
  });
});
