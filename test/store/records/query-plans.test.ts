import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type SqliteDatabase from 'better-sqlite3';
import { beforeAll, expect, test } from 'vitest';
import { lookForFreeRecord } from '../../../src-main/runs/store/due-runs.ts';
import { balanceOfDay, balancesOfBatch, listBankAccountBalances } from '../../../src-main/streams/store/bank-account-balances.ts';
import { listBankAccounts, streamsOfBankAccount } from '../../../src-main/streams/store/bank-accounts.ts';
import type { Database } from '../../../src-main/database/database.ts';
import { openBook } from '../../../src-main/book/store/book.ts';
import { countDiffering, countMatchesOf, matchedByBatch, memberLines, pageMatches } from '../../../src-main/matches/store/matches.ts';
import { windowOfLines } from '../../../src-main/records/store/lines.ts';
import { pageRecords } from '../../../src-main/records/store/record-pages.ts';
import { possibleDuplicates } from '../../../src-main/imports/store/possible-duplicates.ts';
import { fingerprintOf, KeysOfStream } from '../../../src-main/records/store/listed-records.ts';
import { lineTotals, openByAge } from '../../../src-main/records/store/line-totals.ts';
import { externalIdTaken, isDedupeKeyTaken, recordsById } from '../../../src-main/records/store/records.ts';
import { pageBatches } from '../../../src-main/imports/store/import-batches.ts';
import {
  batchOfBulkStream,
  nextOpenBulkRequest,
  pageBulkRequests,
  pageBulkResults,
  recordOfExternalId,
} from '../../../src-main/records/store/bulk-requests.ts';
import { countMatchesOfRun, matchesOfUnpublishedRun, supersededProposals } from '../../../src-main/runs/store/run-matches.ts';
import { pageRuns } from '../../../src-main/runs/store/runs.ts';
import { countSeparations, pageSeparations } from '../../../src-main/matches/store/separations.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { MEMBERS_OF_NEW_MATCHES } from '../../support/books/match-members.ts';

/**
 * Plans of what is asked often, on a book with rows in it: none of it may walk a whole large
 * table, nor sort one.
 */
const folder = mkdtempSync(path.join(tmpdir(), 'tieout-plans-'));
let database: Database;

beforeAll(() => {
  const opened = openBook(folder);
  assert(opened.ok, opened.ok ? '' : opened.error.message);
  database = opened.value;
  const { connection } = database;
  connection.exec(`
    INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'a', 'A', 'csv', 0), (1, 'b', 'B', 'csv', 0);
    INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'R', 'batch', 'same', 0);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
    INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, external_id, metadata, dedupe_key, created_at)
      SELECT 1, 1 + i % 2, i / 10, i, i % 2, 'USD', 2, 'e' || i, '{}', 'x:e' || i, i FROM n;
    INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
      SELECT 1, 1, 4, 4, 0, 'USD', 2, '{}', 5000 FROM (VALUES (1), (2));
    INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at, side_a_count, members)
      SELECT 1, 'matched', 'manual', 0, '[]', 1, 0, 1, json_array(id) FROM records WHERE id % 4 = 0;
    ${MEMBERS_OF_NEW_MATCHES}`);
  return () => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  };
});

/** Tables of few rows, runs that are writing (`u`), JSON arrays, the lines of all proposals (`tied`), records with an amount on some day (`alike`), and the page of matches that was picked before its members are read. */
const SMALL = new Set([
  'CONSTANT',
  'import_batches',
  'runs',
  'streams',
  's',
  'json_each',
  'j',
  'b',
  'reconciliations',
  'reconciliation_streams',
  'wipes',
  'k',
  'page',
  'u',
  'tied',
  'alike',
]);

/** Plans of every statement that `work` reads with. */
function plansOf(work: (database: Database) => unknown): string[] {
  const texts: { sql: string; parameters: unknown[] }[] = [];
  const watched = Object.create(database) as Database;
  const prepare = database.prepare.bind(database) as (sql: string) => SqliteDatabase.Statement;
  const watch = (sql: string) => {
    const statement = prepare(sql);
    const told =
      (name: 'all' | 'get') =>
      (...parameters: unknown[]) => {
        texts.push({ sql, parameters });
        return statement[name](...parameters);
      };
    const watchedStatement = {
      all: told('all'),
      get: told('get'),
      pluck: () => {
        statement.pluck();
        return watchedStatement;
      },
    };
    return watchedStatement;
  };
  Object.assign(watched, { prepare: watch });
  work(watched);
  return texts.flatMap(({ sql, parameters }) =>
    database.connection
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...parameters)
      .map((row) => (row as { detail: string }).detail),
  );
}

/** Steps that walk a large table, or sort what no index gives in order. */
function costly(plan: readonly string[]): string[] {
  return plan.filter((step) => {
    const scanned = /^SCAN (\w+)/.exec(step)?.[1];
    if (scanned !== undefined) return !SMALL.has(scanned) && !/VIRTUAL TABLE/.test(step);
    return step.includes('USE TEMP B-TREE FOR ORDER BY');
  });
}

const filter = { environmentId: 1, streamIds: [1] };
const page = { limit: 100, offset: 0, descending: false } as const;
const lines = { reconciliationId: 1, streamIds: [1], terms: undefined, words: null, notSearched: 0 } as const;

const QUERIES: readonly (readonly [string, (from: Database) => unknown])[] = [
  ['records of a stream by date', (from) => pageRecords(from, filter, { ...page, sort: 'day' })],
  ['the next page of them', (from) => pageRecords(from, filter, { ...page, sort: 'day', after: { value: 100, id: 9 } })],
  ['the same, last date first', (from) => pageRecords(from, filter, { ...page, sort: 'day', descending: true })],
  [
    'records of an environment, newest first',
    (from) => pageRecords(from, { environmentId: 1 }, { ...page, sort: 'created_at', descending: true }),
  ],
  ['records of a stream within dates', (from) => pageRecords(from, { ...filter, dayFrom: 10, dayTo: 20 }, { ...page, sort: 'day' })],
  ['the dedupe key of a line', (from) => new KeysOfStream(from, 1).ofThem([{ key: 'x:e2', print: fingerprintOf('x:e2') }], new Set())],
  ['whether a dedupe key is taken', (from) => isDedupeKeyTaken(from, 1, 'x:e2')],
  ['whether an external id is taken', (from) => externalIdTaken(from, 1, 'e2', null)],
  ['records by id', (from) => recordsById(from, 1, [1, 2, 3])],
  ['matches of a reconciliation', (from) => pageMatches(from, { environmentId: 1, reconciliationId: 1, status: 'matched' }, page)],
  ['matches of a reconciliation, whatever their status', (from) => pageMatches(from, { environmentId: 1, reconciliationId: 1 }, page)],
  ['lines of one side by date', (from) => windowOfLines(from, { ...lines, status: 'all' }, { ...page, sort: 'date' })],
  ['open lines of one side by date', (from) => windowOfLines(from, { ...lines, status: 'open' }, { ...page, sort: 'date' })],
  ['matched lines of one side by date', (from) => windowOfLines(from, { ...lines, status: 'matched' }, { ...page, sort: 'date' })],
  ['what a reconciliation has matched', (from) => countMatchesOf(from, 1, ['matched'])],
  ['matches whose sides differ', (from) => countDiffering(from, 1)],
  ['sums of all lines', (from) => lineTotals(from, 1)],
  ['sums of all lines by age', (from) => openByAge(from, 1, { asOf: 20_000, until: 20_000 }, [7, 30, 60])],
  ['what an unpublished run wrote', (from) => [matchesOfUnpublishedRun(from, 1, 100), countMatchesOfRun(from, 1)]],
  ['proposals that a newer run worked out anew', (from) => supersededProposals(from, 1, 9, 100)],
  ['members of matches', (from) => memberLines(from, 1, 100, 50)],
  ['matches of a batch', (from) => matchedByBatch(from, 1, { day: 0, id: 0 }, 100)],
  ['batches of a stream', (from) => pageBatches(from, 1, 1, page)],
  ['bulk requests of an environment, newest first', (from) => pageBulkRequests(from, 1, page)],
  ['the next page of them', (from) => pageBulkRequests(from, 1, { ...page, after: { value: 100, id: 9 } })],
  ['results of a bulk request', (from) => pageBulkResults(from, 1, page)],
  ['older records that say what some of a bulk request say', (from) => possibleDuplicates(from, [4_001, 4_002])],
  ['the batch of a bulk request in a stream', (from) => batchOfBulkStream(from, 1, 1)],
  ['the record with an external id', (from) => recordOfExternalId(from, 1, 'e3')],
  ['runs of a reconciliation', (from) => pageRuns(from, 1, page)],
  ['free records of a stream, newest first', (from) => lookForFreeRecord(from, 1, 1, null, 100)],
  ['the next of them', (from) => lookForFreeRecord(from, 1, 1, { day: 100, id: 9 }, 100)],
  ['what is kept apart in a reconciliation', (from) => pageSeparations(from, 1, page)],
  ['the next page of it', (from) => pageSeparations(from, 1, { ...page, after: { value: 100, id: 9 } })],
  ['how much is kept apart', (from) => countSeparations(from, 1)],
  ['bank accounts by name', (from) => listBankAccounts(from, 1)],
  ['streams of a bank account', (from) => streamsOfBankAccount(from, 1)],
  ['balances of an account', (from) => listBankAccountBalances(from, 1)],
  ['the balance of a day', (from) => balanceOfDay(from, 1, 20_600, 'other')],
  ['balances that go with a batch', (from) => balancesOfBatch(from, 1)],
];

test.each(QUERIES)('%s', (_what, work) => {
  const plan = plansOf(work);
  expect(plan.length).toBeGreaterThan(0);
  expect({ plan, costly: costly(plan) }).toEqual({ plan, costly: [] });
});

test('the oldest open bulk request is looked for among the open ones alone', () => {
  expect(plansOf(nextOpenBulkRequest)).toEqual(['SCAN bulk_requests USING INDEX bulk_requests_open']);
});

test('a canary: a search without an index is told as costly', () => {
  const plan = plansOf((from) => from.prepare<[], unknown>("SELECT * FROM records WHERE description = 'x' ORDER BY amount").all());
  expect(costly(plan)).toHaveLength(2);
  expect(present(plan[0], 'step')).toContain('SCAN records');
});
