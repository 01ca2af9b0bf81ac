import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openJobs } from '../../../src-main/book/store/jobs.ts';
import type { RunPayload } from '../../../src-main/jobs/protocol.ts';
import { removeUnpublishedRun } from '../../../src-main/records/work/cleanup.ts';
import { runOnTwoThreads } from '../../../src-main/runs/work/run-task.ts';
import type { RuleBody } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { setUpPair } from '../../support/books/lines.ts';
import { contextOf, copiesOf, openQuietBook, type QuietBook, type Steps } from '../../support/books/quiet-book.ts';
import { IS_LONG } from '../../support/long.ts';

/** More pairs than are told at once, so that some are written while others are looked for. */
const PAIRS = IS_LONG ? 20_000 : 6_000;
/** Of these so many look all alike, and so many can be told apart and fit each other all the same. */
const ALIKE = 500;
const ALL_FIT = 500;
const BATCHES = 50;

const PAIRS_BY_AMOUNT: RuleBody = {
  filters: {
    rules: [
      { key: 'amount', value: 'amount' },
      { key: 'date', value: 'date', tolerance_amount: 3 },
      { key: 'metadata.batch', value: 'metadata.batch', operand: 'eq_or_missing' },
    ],
  },
  commit_certainty: ['unique', 'best'],
};
const BATCHES_BY_NAME: RuleBody = {
  filters: {
    rules: [
      { key: 'metadata.batch', value: 'metadata.batch' },
      { key: 'amount', value: 'amount' },
    ],
  },
  cardinality: 'many_to_one',
  group_by: ['metadata.batch'],
  rollup: { group_by_kind: 'identifier' },
};

/** Pairs of unequal days and amounts that some share, and batches of three. */
function fill(book: QuietBook): void {
  book.database.connection.exec(`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${PAIRS - 1}), s(id, side) AS (SELECT id, key = 'bank' FROM streams WHERE key IN ('ledger', 'bank'))
    INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, external_id, metadata, dedupe_key, created_at)
      SELECT 1, s.id, iif(i < ${ALIKE + ALL_FIT}, 21000, 20000 + i % 300 + side * (i % 4)),
        CASE WHEN i < ${ALIKE} THEN 10 WHEN i < ${ALIKE + ALL_FIT} THEN 11 ELSE 100 + i * (i % 83) % 997 END,
        1, 'GBP', 2, iif(i < ${ALIKE}, NULL, 'E' || i), '{}', 'x:E' || i, 0 FROM n CROSS JOIN s;
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${3 * BATCHES - 1})
    INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, external_id, metadata, dedupe_key, created_at)
      SELECT 1, (SELECT id FROM streams WHERE key = 'ledger'), 20000, 900000 + i, 1, 'GBP', 2, 'P' || i, json_object('batch', 'B' || i / 3), 'x:P' || i, 0 FROM n;
    INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, external_id, metadata, dedupe_key, created_at)
      SELECT 1, (SELECT id FROM streams WHERE key = 'bank'), 20000, sum(amount), 1, 'GBP', 2, json_extract(metadata, '$.batch'), metadata, 'x:' || metadata, 0
      FROM records WHERE external_id LIKE 'P%' GROUP BY metadata;`);
}

async function bookWithRules(rules: readonly RuleBody[]): Promise<QuietBook> {
  const book = openQuietBook();
  await setUpPair(book.client, { a: [{ amount: 1, external_id: 'first' }], b: [{ amount: 2, external_id: 'second' }] }, rules);
  fill(book);
  return book;
}

const copyWithBatches = copiesOf(() => bookWithRules([BATCHES_BY_NAME, PAIRS_BY_AMOUNT]));

async function filledBook(rules?: readonly RuleBody[]) {
  const book = await (rules === undefined ? copyWithBatches() : bookWithRules(rules));
  const id = book.database.connection.prepare('SELECT id FROM reconciliations').pluck().get() as number;
  const start = async (): Promise<RunPayload> => {
    await book.client.get('runs.start', { id });
    return JSON.parse(present(openJobs(book.database).at(-1), 'job').payload) as RunPayload;
  };
  const workAside = (payload: RunPayload, steps: Steps = {}, folder = book.folder) => {
    const job = present(openJobs(book.database).at(-1), 'job');
    return runOnTwoThreads(contextOf(book.jobDatabase, book.clock, job.id, steps), payload, folder, 1);
  };
  const countOf = (table: string) => book.database.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  const isNothingLeft = () => [countOf('matches'), countOf('match_records'), countOf('run_facts')].every((count) => count === 0);
  return { book, id, start, workAside, isNothingLeft };
}

/** All matches of a book by what is in them, not by their ids, and what the records say of them. */
function matchesOf(book: QuietBook): unknown[] {
  return book.database.connection
    .prepare(
      `SELECT rule_id, status, certainty, difference, margin, cohort, record_count, side_a_count, a_record_id, b_record_id, members,
        (SELECT group_concat(record_id || side || (slot = 0), ' ' ORDER BY record_id) FROM match_records r
          WHERE r.match_id = m.id AND r.record_id IN (SELECT abs(value) FROM json_each(coalesce(m.members, json_array(m.a_record_id, m.b_record_id))))) AS held
      FROM matches m ORDER BY rule_id, a_record_id, b_record_id, members`,
    )
    .all();
}

describe('matches written by another thread while others are looked for', { timeout: 60_000 }, () => {
  test('are those that a single thread writes, with ids that do not depend on the timing of the threads', async () => {
    const aside = await filledBook();
    const payload = await aside.start();
    expect(await aside.workAside(payload)).toEqual({ end: 'completed' });
    const inLine = await filledBook();
    const run = await inLine.book.run(inLine.id);
    const written = matchesOf(aside.book);
    expect(written.length).toBeGreaterThan(PAIRS / 2 + BATCHES);
    expect(written).toEqual(matchesOf(inLine.book));
    // What the run's statements vouch for holds.
    expect(aside.book.database.connection.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(aside.book.database.connection.pragma('foreign_key_check')).toEqual([]);
    expect(new Set(written.map((match) => (match as { certainty: string }).certainty))).toEqual(
      new Set(['unique', 'best', 'interchangeable', 'contested']),
    );
    const asideRun = await aside.book.client.get('runs.get', { id: aside.id, run_id: payload.runId });
    const { rule_summary: summary, ...figures } = run;
    const withoutTime = (rules: typeof summary) => Object.values(rules).map((rule) => ({ ...rule, elapsed_ms: 0 }));
    expect(asideRun).toMatchObject({
      matches: figures.matches,
      proposed_matches: figures.proposed_matches,
      matched_records: figures.matched_records,
    });
    expect(withoutTime(asideRun.rule_summary)).toEqual(withoutTime(summary));
    const idsOf = ({ book }: { book: QuietBook }) =>
      book.database.connection.prepare('SELECT id, a_record_id, b_record_id, members FROM matches ORDER BY id').all();
    expect(idsOf(aside)).toEqual(idsOf(inLine));
  });

  test.each(['matching', 'writing'])('are all removed where the run is cancelled while it is %s', async (phase) => {
    const { start, workAside, isNothingLeft } = await filledBook();
    let looks = 0;
    let isReached = false;
    const steps: Steps = {
      onStep: (now, processed) => {
        if (now === phase && processed > 0) isReached = true;
      },
      // Some matches are told before.
      isCancelled: () => {
        looks += isReached ? 1 : 0;
        return looks > 3;
      },
    };
    expect(await workAside(await start(), steps)).toEqual({ end: 'cancelled' });
    expect(isNothingLeft()).toBe(true);
  });

  test('are removed where a later rule cannot be run', async () => {
    const everything: RuleBody = { filters: { rules: [{ key: 'description', value: 'description', operand: 'in' }] } };
    const { book, start, workAside, isNothingLeft } = await filledBook([PAIRS_BY_AMOUNT, everything]);
    const payload = await start();
    const rules = book.database.connection.prepare('SELECT id FROM rules ORDER BY priority').pluck().all() as number[];
    // A rule that was stored long ago may mean nothing to the engine of today.
    book.database.connection
      .prepare(`UPDATE rules SET filters = '{"rules":[{"key":"amount","value":"description"}]}' WHERE id = ?`)
      .run(rules[1]);
    expect(await workAside(payload)).toMatchObject({ end: 'failed' });
    expect(isNothingLeft()).toBe(true);
  });

  test('that cannot be stored end the run with the reason, and written ones can be removed', async () => {
    const { book, start, workAside, isNothingLeft } = await filledBook();
    book.database.connection.exec(
      `CREATE TRIGGER refused BEFORE INSERT ON matches WHEN (SELECT count(*) FROM matches) > ${0.85 * PAIRS} BEGIN SELECT RAISE(ABORT, 'no more of these'); END`,
    );
    const payload = await start();
    await expect(workAside(payload)).rejects.toThrow('no more of these');
    expect(isNothingLeft()).toBe(false);
    removeUnpublishedRun(book.jobDatabase, payload.runId, { status: 'failed', message: null, atMs: 0 });
    expect(isNothingLeft()).toBe(true);
  });

  test('are not waited for where the thread cannot start', async () => {
    const { book, start, workAside, isNothingLeft } = await filledBook();
    const file = path.join(book.folder, 'file');
    writeFileSync(file, 'no folder');
    await expect(workAside(await start(), {}, file)).rejects.toThrow('file');
    expect(isNothingLeft()).toBe(true);
  });

  test('leave out records that a person matched meanwhile', async () => {
    const { book, id, start, workAside } = await filledBook();
    let taken: Promise<unknown> | null = null;
    const one = (key: string) =>
      book.database.connection
        .prepare(
          `SELECT r.id FROM records r JOIN streams s ON s.id = r.stream_id WHERE s.key = '${key}' AND r.external_id = 'E${0.35 * PAIRS}'`,
        )
        .pluck()
        .get() as number;
    const pair = [one('ledger'), one('bank')];
    const ended = await workAside(await start(), {
      onStep: (phase) => {
        if (phase === 'writing') taken ??= book.client.get('matches.create', { reconciliation_id: id, record_ids: pair });
      },
    });
    expect(ended).toEqual({ end: 'completed' });
    await present(taken, 'match of a person');
    const held = book.database.connection
      .prepare('SELECT m.origin FROM match_records r JOIN matches m ON m.id = r.match_id WHERE r.record_id = ?')
      .pluck();
    for (const record of pair) expect(held.all(record)).toEqual(['manual']);
  });
});
