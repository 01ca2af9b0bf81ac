import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Database } from '../../../src-main/database/database.ts';
import type { RecordPage } from '../../../src-main/records/store/record-pages.ts';
import { PublishedPages, type UnpublishedBounds } from '../../../src-main/records/store/record-pages.ts';
import { conditionsOf, isSomethingHidden, type RecordFilter } from '../../../src-main/records/store/record-conditions.ts';
import { pageRecords } from '../../../src-main/records/store/record-pages.ts';
import { MEMBERS_OF_NEW_MATCHES } from '../../support/books/match-members.ts';
import { openTestDatabase } from '../../support/books/quiet-book.ts';
import { temporaryFolder } from '../../support/processes/run-cli.ts';
import { costlySteps, watchedReads } from '../../support/faults/watched-reads.ts';
import { runs } from '../../support/long.ts';

const SORTS = ['created_at', 'day', 'amount'] as const;
const STREAMS = [1, 2, 3, 4];
/** Of another environment. */
const OTHER_STREAM = 5;
const NEVER: UnpublishedBounds = { rows: Number.MAX_SAFE_INTEGER, lanes: 64, probed: 20_000 };

interface BatchShape {
  readonly stream: number;
  readonly isWriting: boolean;
  readonly rows: readonly RowShape[];
}
interface RowShape {
  readonly stream: number;
  readonly day: number;
  readonly created: number;
  readonly amount: number;
  readonly direction: number;
  readonly currency: string;
  readonly isMatched: boolean;
}

/** Few values of everything, so that ties are many. */
const row = fc.record({
  stream: fc.constantFrom(...STREAMS, OTHER_STREAM),
  day: fc.integer({ min: 100, max: 130 }),
  created: fc.integer({ min: 0, max: 20 }),
  amount: fc.integer({ min: 1, max: 9 }),
  direction: fc.constantFrom(0, 1),
  currency: fc.constantFrom('EUR', 'GBP'),
  isMatched: fc.boolean(),
});
const batch = fc.record({
  stream: fc.constantFrom(...STREAMS, OTHER_STREAM),
  isWriting: fc.integer({ min: 0, max: 3 }).map((of) => of === 0),
  rows: fc.array(row, { maxLength: 25 }),
});
/** What a wipe has gathered: rows of several streams. */
const gathered = fc.record({ stream: fc.constantFrom(...STREAMS), isWriting: fc.boolean(), rows: fc.array(row, { maxLength: 6 }) });
const shape = fc.record({
  batches: fc.array(batch, { minLength: 3, maxLength: 30 }),
  gathered: fc.array(gathered, { maxLength: 2 }),
  loose: fc.array(row, { maxLength: 30 }),
});
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

function makeBook({ batches, gathered: wiped, loose }: Shape): Database {
  const database = openTestDatabase(temporaryFolder());
  const { connection } = database;
  connection.exec(`
    INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'R', 'batch', 'same', 0);
    ${[...STREAMS, OTHER_STREAM].map((id) => `INSERT INTO streams(id, environment_id, key, name, type, created_at) VALUES (${id}, ${id === OTHER_STREAM ? 2 : 1}, 's${id}', 'S', 'csv', 0);`).join('')}
    INSERT INTO reconciliation_streams VALUES (1, 1, 'a'), (1, 2, 'b');`);
  const addBatch = (id: number, of: BatchShape) =>
    connection
      .prepare(
        `INSERT INTO import_batches(id, environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)
         VALUES (?, ?, ?, ?, 'csv_upload', 'csv', '', 0, 0, 0, 0, '[]', '', '[]', 0)`,
      )
      .run(id, of.stream === OTHER_STREAM ? 2 : 1, of.stream, of.isWriting ? 1 : 0);
  const add = (batchId: number | null, stream: number, of: RowShape) =>
    connection
      .prepare(
        `INSERT INTO records(environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, metadata, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, 2, ?, ?)`,
      )
      .run(
        stream === OTHER_STREAM ? 2 : 1,
        stream,
        batchId,
        of.day,
        of.amount,
        of.direction,
        of.currency,
        of.isMatched ? '{"m":1}' : '{}',
        of.created,
      );
  for (const [at, each] of batches.entries()) {
    addBatch(at + 1, each);
    for (const of of each.rows) add(at + 1, each.stream, of);
  }
  for (const [at, each] of wiped.entries()) {
    addBatch(-at - 1, each);
    for (const of of each.rows) add(-at - 1, of.stream === OTHER_STREAM ? each.stream : of.stream, of);
  }
  for (const of of loose) add(null, of.stream, of);
  connection.exec(`
    INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at, side_a_count, members)
      SELECT 1, 'matched', 'manual', 0, '[]', 1, 0, 1, json_array(id) FROM records WHERE stream_id = 1 AND metadata <> '{}';
    ${MEMBERS_OF_NEW_MATCHES}`);
  return database;
}

const question = fc.record({
  filter: fc.record(
    {
      streamIds: fc.subarray(STREAMS, { minLength: 1 }),
      dayFrom: fc.integer({ min: 98, max: 120 }),
      dayTo: fc.integer({ min: 110, max: 132 }),
      createdFrom: fc.integer({ min: 0, max: 10 }),
      direction: fc.constantFrom(0, 1),
      currency: fc.constantFrom('EUR', 'GBP', 'XXX'),
      amountMin: fc.integer({ min: 1, max: 9 }),
      reconciled: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  sort: fc.constantFrom(...SORTS),
  descending: fc.boolean(),
  limit: fc.integer({ min: 1, max: 12 }),
  offset: fc.integer({ min: 0, max: 30 }),
  bounds: fc.record({ rows: fc.constantFrom(1, 20), lanes: fc.integer({ min: 5, max: 20 }), probed: fc.constantFrom(10, 60, 20_000) }),
});

/** What a filter means, said once more without any index: all of it, in order. */
function all(database: Database, filter: Omit<RecordFilter, 'environmentId'>, page: Pick<RecordPage, 'sort' | 'descending'>): number[] {
  const rows = database.connection
    .prepare(
      `SELECT r.*, EXISTS (SELECT 1 FROM match_records m WHERE m.record_id = r.id) AS matched FROM records r
       WHERE r.environment_id = 1 AND (r.batch_id IS NULL OR r.batch_id NOT IN (SELECT id FROM import_batches WHERE writing = 1))`,
    )
    .all() as Record<string, number>[];
  const sign = page.descending ? -1 : 1;
  return rows
    .filter(
      (each) =>
        (filter.streamIds?.includes(Number(each['stream_id'])) ?? true) &&
        Number(each['day']) >= (filter.dayFrom ?? 0) &&
        Number(each['day']) <= (filter.dayTo ?? 1_000) &&
        Number(each['created_at']) >= (filter.createdFrom ?? 0) &&
        Number(each['amount']) >= (filter.amountMin ?? 0) &&
        (filter.direction === undefined || each['direction'] === filter.direction) &&
        (filter.currency === undefined || String(each['currency']) === filter.currency) &&
        (filter.reconciled === undefined || (each['matched'] === 1) === filter.reconciled),
    )
    .toSorted((left, right) => sign * (Number(left[page.sort]) - Number(right[page.sort])) || Number(right['id']) - Number(left['id']))
    .map((each) => Number(each['id']));
}

test('pages around what is unpublished have the rows, the order and the cursors of those along everything, on any book', () => {
  let around = 0;
  let beyond = 0;
  fc.assert(
    fc.property(shape, fc.array(question, { minLength: 25, maxLength: 25 }), (of, questions) => {
      const database = makeBook(of);
      for (const { filter: asked, sort, descending, limit, offset, bounds } of questions) {
        const filter: RecordFilter = { environmentId: 1, ...asked };
        const expected = all(database, asked, { sort, descending });
        const valueOf = (id: number) => database.connection.prepare(`SELECT ${sort} FROM records WHERE id = ?`).pluck().get(id) as number;
        const pages: [RecordPage, number[]][] = [
          [{ sort, descending, limit, offset: 0 }, expected],
          [{ sort, descending, limit, offset }, expected.slice(offset)],
        ];
        // From a record to the next, and from where a record stood that has gone.
        const last = expected[offset % Math.max(1, expected.length)];
        if (last !== undefined) {
          const after = { value: valueOf(last), id: last };
          pages.push([{ sort, descending, limit, offset: 0, after }, expected.slice(expected.indexOf(last) + 1)]);
        }
        for (const [page, rest] of pages) {
          const wanted = rest.slice(0, limit + 1);
          const idsOf = (unpublished: UnpublishedBounds) => pageRecords(database, filter, page, { unpublished }).map(({ id }) => id);
          expect(idsOf(NEVER)).toEqual(wanted);
          expect(idsOf(bounds)).toEqual(wanted);
          const published = new PublishedPages(database, filter, page, conditionsOf(filter, isSomethingHidden(database)), bounds);
          const found = published.whole() ?? published.probed();
          if (found === null) continue;
          expect(found).toEqual(wanted.map((id) => ({ id, value: valueOf(id) })));
          around += 1;
          beyond += of.batches.length + STREAMS.length > bounds.lanes ? 1 : 0;
        }
      }
      database.close();
    }),
    { numRuns: runs(25) },
  );
  expect(around).toBeGreaterThan(runs(200));
  expect(beyond).toBeGreaterThan(runs(50));
});

test('while much is unpublished no list walks along what has it, and one of another stream stays as it is', () => {
  const database = openTestDatabase(temporaryFolder());
  database.connection.exec(`
    INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'a', 'A', 'csv', 0), (1, 'b', 'B', 'csv', 0);
    INSERT INTO import_batches(environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)
      SELECT 1, value, iif(key = 2, 1, 0), 'csv_upload', 'csv', '', 0, 0, 0, 0, '[]', '', '[]', 0 FROM json_each('[1, 2, 1]');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 15000)
    INSERT INTO records(environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, metadata, created_at)
      SELECT 1, iif(i BETWEEN 6001 AND 12000, 2, 1), 1 + (i > 6000) + (i > 12000), i, i, 1, 'GBP', 2, '{}', i FROM n;`);
  const read = (asked: Omit<RecordFilter, 'environmentId'>, sort: 'day' | 'created_at') => {
    const { reader, plan } = watchedReads(database);
    const ids = pageRecords(reader, { environmentId: 1, ...asked }, { sort, descending: true, limit: 2, offset: 0 }).map(({ id }) => id);
    expect(costlySteps(plan)).toEqual([]);
    return { ids, walked: plan.filter((step) => /^SEARCH r .*INDEX records_(all|stream|day)/.test(step)) };
  };
  const ofOther = /INDEX (records_stream_created|records_day) \(stream_id=\?\)/;
  for (const sort of ['day', 'created_at'] as const) {
    expect(read({ streamIds: [1] }, sort)).toEqual({ ids: [6_000, 5_999, 5_998], walked: [] });
    const everything = read({}, sort);
    expect(everything.ids).toEqual([12_000, 11_999, 11_998]);
    expect(everything.walked).toEqual([expect.stringMatching(ofOther)]);
    const open = read({ reconciled: false, direction: 1, streamIds: [1] }, sort);
    expect(open.ids).toEqual([6_000, 5_999, 5_998]);
    expect(read({ streamIds: [2] }, sort)).toMatchObject({ ids: [12_000, 11_999, 11_998], walked: [expect.stringMatching(ofOther)] });
  }
});
