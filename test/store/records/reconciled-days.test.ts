import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { insertAdjustment } from '../../../src-main/matches/store/adjustments.ts';
import { openBook } from '../../../src-main/book/store/book.ts';
import type { Database } from '../../../src-main/database/database.ts';
import { COUNTS } from '../../../src-main/matches/store/matches.ts';
import { noteReconciledDays, outsideOf, reconciledStretches } from '../../../src-main/records/store/reconciled-days.ts';
import { isSomethingHidden, type RecordFilter } from '../../../src-main/records/store/record-conditions.ts';
import type { RecordPage } from '../../../src-main/records/store/record-pages.ts';
import { pageRecords } from '../../../src-main/records/store/record-pages.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { quickTest, runs } from '../../support/long.ts';
import { costlySteps, watchedReads } from '../../support/faults/watched-reads.ts';
import { MEMBERS_OF_NEW_MATCHES } from '../../support/books/match-members.ts';

/** More than a list looks at before it thinks of days. */
const RECORDS = 30_000;
const PER_DAY = 20;
const ALL = { from: -Infinity, to: Infinity };
let database: Database;

/** Stream 1 with 30,000 records, matched with those of stream 2 up to the 29,000th but for a few; no record on each 7th day. */
const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'a', 'A', 'csv', 0), (1, 'b', 'B', 'csv', 0);
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'R', 'batch', 'same', 0);
  INSERT INTO reconciliation_streams VALUES (1, 1, 'a'), (1, 2, 'b');
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECORDS * 2})
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
    SELECT 1, 1 + i % 2, i / 2 / ${PER_DAY} + i / 2 / ${PER_DAY} / 6, i, i % 2, 'GBP', 2, '{}', i FROM n;
  INSERT INTO matches(id, reconciliation_id, status, origin, difference, explanation, record_count, created_at, side_a_count, a_record_id, b_record_id)
    SELECT id, 1, 'matched', 'manual', 0, '[]', 2, 0, 1, id, id - 1 FROM records WHERE stream_id = 1 AND id < 58000 AND id % 9000 <> 76;
  ${MEMBERS_OF_NEW_MATCHES}`;

beforeAll(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tieout-days-'));
  const opened = openBook(folder);
  assert(opened.ok, opened.ok ? '' : opened.error.message);
  database = opened.value;
  database.connection.exec(BOOK);
  return () => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  };
});

const OPEN: RecordFilter = { environmentId: 1, streamIds: [1], reconciliationId: 1, reconciled: false };
const PAGE: RecordPage = { sort: 'day', descending: false, limit: 100, offset: 0 };

/** True at each eleventh look. */
let looks = 0;
const atOnce = () => (looks += 1) % 11 === 0;

function noteAll(streamId: number): void {
  for (let day: number | null = -1; day !== null;) {
    const from: number = day;
    day = database.write((write) => noteReconciledDays(write, 1, streamId, from, atOnce));
  }
}

function open(filter: RecordFilter, page: RecordPage) {
  const { reader, plan } = watchedReads(database);
  const told: unknown[] = [];
  const rows = pageRecords(reader, filter, page, { onLongWalk: (...asked) => told.push(asked) });
  return { rows: rows.map(({ id, day }) => ({ id, day })), plan, told };
}

/** What the list means, said without days. */
function expected(filter: RecordFilter, page: RecordPage) {
  const rows = database.connection
    .prepare(
      `SELECT r.id, r.day FROM records r WHERE r.stream_id IN (SELECT value FROM json_each(?))
         AND (r.batch_id IS NULL OR r.batch_id NOT IN (SELECT id FROM import_batches WHERE writing = 1))
         AND NOT EXISTS (SELECT 1 FROM match_records mr JOIN matches m ON m.id = mr.match_id
           WHERE mr.record_id = r.id AND mr.slot = 0 AND mr.reconciliation_id = 1 AND ${COUNTS})`,
    )
    .all(JSON.stringify(filter.streamIds)) as { id: number; day: number }[];
  const sign = page.descending ? -1 : 1;
  const order = (left: { id: number; day: number }, right: { id: number; day: number }) =>
    sign * (left.day - right.day) || right.id - left.id;
  const isAfter = (row: { id: number; day: number }) =>
    page.after === undefined || order(row, { id: page.after.id, day: page.after.value }) > 0;
  return rows
    .filter((row) => row.day >= (filter.dayFrom ?? -Infinity) && row.day <= (filter.dayTo ?? Infinity) && isAfter(row))
    .toSorted(order)
    .slice(page.after === undefined ? page.offset : 0)
    .slice(0, page.limit + 1);
}

quickTest('a list that walks far asks for the days, and skips them once they are noted, by the same indices', () => {
  const before = open(OPEN, PAGE);
  expect(before.told).toEqual([[1, [1]]]);
  expect(before.rows).toEqual(expected(OPEN, PAGE));
  expect(reconciledStretches(database, 1, 1)).toEqual([]);
  noteAll(1);
  noteAll(2);
  expect(reconciledStretches(database, 1, 1)).toHaveLength(8);
  for (const descending of [false, true]) {
    for (const after of [undefined, { value: 700, id: 24_000 }]) {
      const { rows, plan, told } = open(OPEN, { ...PAGE, descending, after });
      expect(rows).toEqual(expected(OPEN, { ...PAGE, descending, after }));
      expect({ told, plan, costly: costlySteps(plan) }).toEqual({ told: [], plan, costly: [] });
    }
  }
  expect(open(OPEN, PAGE).plan).toContain('SEARCH r USING COVERING INDEX records_day (stream_id=? AND day>? AND day<?)');
});

/** Changes of any kind, the same in every run. */
function changes(): { readonly next: (below: number) => number; readonly all: readonly ((n: (below: number) => number) => unknown)[] } {
  let state = 7;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * below);
  };
  const { connection } = database;
  const sql = (text: string, ...values: number[]) => connection.prepare(text).run(...values);
  const someId = (n: typeof next) => 1 + n(RECORDS * 2);
  const made = { environment_id: 1, stream_id: 1, amount: 1, direction: 1, currency: 'GBP', decimal_places: 2, description: null };
  const insert = (batchId: string, day: number) =>
    sql(
      `INSERT INTO records(environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, metadata, created_at)
       VALUES (1, 1, ${batchId}, ?, 1, 1, 'GBP', 2, '{}', 0)`,
      day,
    );
  const all = [
    (n: typeof next) => sql('DELETE FROM matches WHERE id IN (SELECT match_id FROM match_records WHERE record_id = ?)', someId(n)),
    (n: typeof next) => insert('NULL', n(1800)),
    (n: typeof next) => sql('UPDATE records SET day = ? WHERE id = ?', n(1800), someId(n)),
    (n: typeof next) =>
      sql(
        `UPDATE records SET day = ? WHERE id = (SELECT id FROM records r WHERE stream_id = 1 AND NOT EXISTS
           (SELECT 1 FROM match_records m WHERE m.record_id = r.id AND m.slot = 0) ORDER BY id DESC LIMIT 1 OFFSET ?)`,
        n(1600),
        n(900),
      ),
    (n: typeof next) => {
      const id = someId(n);
      sql('DELETE FROM matches WHERE id IN (SELECT match_id FROM match_records WHERE record_id = ?)', id);
      sql('DELETE FROM records WHERE id = ?', id);
      noteAll(1);
      database.write((write) => insertAdjustment(write, { ...made, day: n(1500), created_at: 0, id }));
    },
    (n: typeof next) => {
      connection.exec(`INSERT INTO import_batches(environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)
        VALUES (1, 1, 1, 'csv_upload', 'csv', '', 0, 0, 0, 0, '[]', '', '[]', 0)`);
      insert('(SELECT max(id) FROM import_batches)', n(1800));
    },
    () => sql('UPDATE import_batches SET writing = 0'),
    (n: typeof next) => {
      connection.exec(
        `INSERT INTO runs(reconciliation_id, kind, mode, cause, status, writing, created_at) VALUES (1, 'batch', 'commit', 'manual', 'completed', 1, 0)`,
      );
      sql(
        `INSERT INTO matches(reconciliation_id, run_id, status, origin, difference, explanation, created_at, record_count, side_a_count, members)
         SELECT 1, (SELECT max(id) FROM runs), 'matched', 'rule', 0, '[]', 0, count(*), count(*), json_group_array(id) FROM (
           SELECT id FROM records r WHERE stream_id = 1 AND day >= ?
           AND NOT EXISTS (SELECT 1 FROM match_records m WHERE m.record_id = r.id AND m.slot = 0) LIMIT 30)`,
        n(1500),
      );
      connection.exec(MEMBERS_OF_NEW_MATCHES);
    },
    () => sql('UPDATE runs SET writing = 0'),
    () => sql('DELETE FROM matches WHERE run_id IN (SELECT id FROM runs WHERE writing = 1)'),
    (n: typeof next) => sql('UPDATE match_records SET slot = match_id WHERE slot = 0 AND record_id = ?', someId(n)),
    (n: typeof next) => {
      connection.exec("INSERT INTO wipes(environment_id, stream_id, stream_key, actor, flipped_at) VALUES (1, 2, 'b', 'app', 0)");
      const first = someId(n);
      sql(
        `INSERT OR IGNORE INTO wiped_matches(match_id, wipe_id)
         SELECT match_id, (SELECT max(id) FROM wipes) FROM match_records WHERE record_id BETWEEN ? AND ? AND slot = 0`,
        first,
        first + 90,
      );
    },
    () =>
      connection.exec('DELETE FROM matches WHERE id IN (SELECT match_id FROM wiped_matches); DELETE FROM wiped_matches; DELETE FROM wipes'),
    () => noteAll(1),
    () => noteAll(2),
    (n: typeof next) => database.write((write) => noteReconciledDays(write, 1, 1, n(1500), atOnce)),
  ];
  return { next, all };
}

test('whatever happens to records and matches, a list that skips days is the list that does not', () => {
  const { next, all } = changes();
  let skipped = 0;
  let hidden = 0;
  for (let round = 0; round < runs(200, 30); round += 1) {
    all[next(all.length)]?.(next);
    const filter = {
      ...OPEN,
      streamIds: next(4) === 0 ? [1, 2] : [1],
      ...(next(3) === 0 ? { dayFrom: next(900), dayTo: 900 + next(900) } : {}),
    };
    if (isSomethingHidden(database)) hidden += 1;
    const after = next(3) === 0 ? { value: next(1700), id: next(RECORDS * 2) } : undefined;
    const page = { ...PAGE, descending: next(2) === 0, limit: 1 + next(150), offset: next(3) === 0 ? next(300) : 0, after };
    const { rows, plan } = open(filter, page);
    expect({ round, rows }).toEqual({ round, rows: expected(filter, page) });
    if (plan.some((step) => step.includes('records_day (stream_id=? AND day>? AND day<?)'))) skipped += 1;
  }
  expect(skipped).toBeGreaterThan(runs(20, 3));
  expect(hidden).toBeGreaterThan(runs(5, 1));
}, 60_000);

test('what is outside of stretches: all of a range that they do not hold, and more where the pieces would be many', () => {
  const stretches = [
    { from: 1, to: 2 },
    { from: 5, to: 50 },
    { from: 60, to: 70 },
  ];
  expect(outsideOf([], ALL, 9)).toEqual([ALL]);
  expect(outsideOf(stretches, { from: 0, to: 100 }, 9)).toEqual([
    { from: 0, to: 0 },
    { from: 3, to: 4 },
    { from: 51, to: 59 },
    { from: 71, to: 100 },
  ]);
  expect(outsideOf(stretches, { from: 0, to: 100 }, 2)).toEqual([
    { from: 0, to: 4 },
    { from: 51, to: 100 },
  ]);
  expect(outsideOf(stretches, { from: 10, to: 65 }, 9)).toEqual([{ from: 51, to: 59 }]);
  expect(outsideOf(stretches, { from: 6, to: 7 }, 9)).toEqual([]);
  expect(outsideOf(stretches, { from: 6, to: 7 }, 1)).toEqual([{ from: 6, to: 7 }]);
});
