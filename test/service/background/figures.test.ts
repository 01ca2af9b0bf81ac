import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PLAIN_LAYOUT } from '../../../src-main/domain/report/index.ts';
import { BookFigures } from '../../../src-main/close/work/figures.ts';
import { appendAudit } from '../../../src-main/book/store/audit.ts';
import type { Database } from '../../../src-main/database/database.ts';
import type { MatchFilter } from '../../../src-main/matches/store/matches.ts';
import { type FigureName, READINGS } from '../../../src-main/close/work/readings.ts';
import { readMatchTerms } from '../../../src-shared/values/match-filter.ts';
import { testAlarm } from '../../support/faults/alarm.ts';
import { openTestBook, testLog } from '../../support/books/backend.ts';
import { addLines, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, openTestDatabase } from '../../support/books/quiet-book.ts';

const LINES = { reconciliationId: 1, streamIds: [1], status: 'all', terms: undefined, words: null, notSearched: 0 } as const;
const FOUND = {
  reconciliationId: 1,
  status: 'matched',
  streamIds: [1, 2],
  terms: readMatchTerms('>0 difference:0', { today: 0, isDayFirst: true }),
  likelihoods: ['unknown'],
  today: 0,
  words: null,
  notSearched: 0,
} as const;
const PAGE = { limit: 3, offset: 1 };
const COMPARED = {
  id: 1,
  reconciliation_id: 1,
  mode: 'commit',
  matches: 0,
  first_match_id: null,
  last_match_id: null,
  started_at: null,
  completed_at: null,
  undone_at: null,
};
const ASKED = {
  recordCounts: [1],
  countMatches: [{ environmentId: 1, reconciliationId: 1 }],
  pageMatches: [{ environmentId: 1 }, PAGE],
  countLines: [LINES],
  sumLines: [LINES],
  windowOfLines: [LINES, { ...PAGE, sort: 'amount', descending: true }],
  countFound: [FOUND],
  sumFound: [FOUND],
  windowOfFound: [FOUND, { ...PAGE, byLikelihood: true }],
  reconciliationTotals: [1],
  compareRuns: [COMPARED, COMPARED, { most: 10, part: 'both', ruleId: undefined, offset: 0, limit: 10 }],
  recordTotals: [{ environmentId: 1, notSearched: 0 }],
  openByAge: [1, { asOf: 20_000, until: 20_000 }, [7, 30, 60]],
  possibleDuplicatesOfBulk: [1, 1],
  close: [1, null],
  closeAt: [1, 20_000],
  signable: [1],
  agreement: [1],
  isPeriodStale: [1],
  report: [1, { format: 'csv', currency: null, layout: PLAIN_LAYOUT }, { atMs: 0, version: '1' }],
} satisfies { readonly [K in FigureName]: readonly unknown[] };

/** Of any figure: each is asked with its own arguments. */
const askedOf = (name: FigureName) => [name, ...ASKED[name]] as unknown as ['countMatches', MatchFilter];

/** Figures of a book as large as they get: nothing is read on this thread that need not be. */
function figuresOf(database: Database, dataFolder = path.dirname(database.path)) {
  const alarm = testAlarm();
  const log = testLog();
  const figures = new BookFigures({ database, dataFolder, alarm, log, dataRevision: () => 0, fewRecords: 0 });
  onTestFinished(() => figures.close());
  return { figures, alarm, log };
}

async function matchedBook() {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(9), b: numbered(7) });
  await book.run(reconciliation.id);
  book.database.connection.exec(
    "INSERT INTO reconciliation_periods(reconciliation_id, first_day, last_day, state, created_at) VALUES (1, 0, 99999, 'open', 0)",
  );
  return book;
}

test('every figure is the same from another thread as from this one, and is remembered from then on', async () => {
  const { database } = await matchedBook();
  const { figures, log } = figuresOf(database);
  const here = figuresOf(database).figures;
  for (const name of Object.keys(READINGS) as FigureName[]) {
    const asked = askedOf(name);
    const answer = figures.of(...asked);
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toEqual(here.now(...asked));
    // A report is never remembered.
    expect(figures.of(...asked) === (await answer)).toBe(name !== 'report');
  }
  expect(await figures.of('countMatches', { environmentId: 1, reconciliationId: 1 })).toBe(7);
  expect(log.lines).toEqual([]);
});

test('a publication on another connection is seen at once, and hidden rows invalidate nothing', async () => {
  const { database, jobDatabase } = await matchedBook();
  const { figures } = figuresOf(database);
  expect(await figures.of('recordCounts', 1)).toEqual(
    new Map([
      [1, 9],
      [2, 7],
    ]),
  );
  jobDatabase.connection.exec('UPDATE search_state SET through = through');
  expect(figures.of('recordCounts', 1)).not.toBeInstanceOf(Promise);
  jobDatabase.write((write) => {
    write.prepare<[], unknown>('DELETE FROM records WHERE id = 9').run();
    appendAudit(write, { environmentId: 1, atMs: 1, actor: 'test', action: 'records.deleted', detail: {} });
  });
  expect((await figures.of('recordCounts', 1)).get(1)).toBe(8);
});

test('items of a bulk request in progress count as they are stored', async () => {
  const book = await matchedBook();
  const { figures } = figuresOf(book.database);
  expect((await figures.of('recordCounts', 1)).get(1)).toBe(9);
  await book.client.get('bulk_requests.create', {
    records: numbered(200, (index) => ({ external_id: `bulk${index}` })).map((line) => ({
      ...line,
      data_stream_key: 'ledger',
      date: '2026-06-10',
    })),
  });
  const seen: number[] = [];
  while (book.bulk.step() === 'more') seen.push((await figures.of('recordCounts', 1)).get(1) ?? 0);
  const inBook = book.database.connection.prepare('SELECT count(*) FROM records WHERE stream_id = 1').pluck().get();
  expect((await figures.of('recordCounts', 1)).get(1)).toBe(inBook);
  expect(inBook).toBe(209);
  expect(seen).toEqual(seen.toSorted((left, right) => left - right));
});

test('simultaneous requests for the same figure share one answer', async () => {
  const { database } = await matchedBook();
  const { figures } = figuresOf(database);
  const [first, second] = [figures.of('reconciliationTotals', 1), figures.of('reconciliationTotals', 1)];
  expect(second).toBe(first);
  expect(await first).toMatchObject({ matches: 7, proposedMatches: 0, differingMatches: 0 });
  expect((await first).lines.filter(({ side, state }) => side === 'a' && state === 'matched')).toMatchObject([{ records: 7 }]);
});

test('where a thread cannot read, the figure is read on the main thread, and the log says so', async () => {
  const { database } = await matchedBook();
  const { figures, log } = figuresOf(database, path.join(database.path, 'no-folder'));
  expect(await figures.of('countMatches', { environmentId: 1 })).toBe(7);
  expect(log.lines.join('\n')).toContain('a figure could not be read on another thread');
});

test('an idle thread ends, and a new one starts with the next request', async () => {
  const { database } = await matchedBook();
  const { figures, alarm, log } = figuresOf(database);
  expect(await figures.of('countLines', LINES)).toBe(9);
  expect(alarm.pending()).toBe(1);
  alarm.advance(60_000);
  expect(await figures.of('countLines', { ...LINES, status: 'open' })).toBe(2);
  expect([alarm.pending(), log.lines]).toEqual([1, []]);
});

test('a figure that is asked for while the book closes is still answered', async () => {
  const { database } = await matchedBook();
  const { figures } = figuresOf(database);
  const asked = figures.of('reconciliationTotals', 1);
  const closed = figures.close();
  expect((await asked).lines.filter(({ side }) => side === 'a')).toHaveLength(2);
  await closed;
});

test('in a large book the counts of a run are ready when it ends', async () => {
  const book = await openTestBook();
  const database = openTestDatabase(book.folder);
  const { reconciliation } = await setUpPair(book.client, { a: [], b: [] });
  database.connection.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 21000)
    INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, external_id, dedupe_key, metadata, created_at)
      SELECT 1, 1 + i % 2, 20000, i, 1, 'EUR', 2, 'e' || (i / 2), 'x:e' || (i / 2), '{}', 0 FROM n`);
  const { client } = book;
  const ask = { reconciliation_id: reconciliation.id };
  expect((await client.get('matches.list', ask)).total_count).toBe(0);
  const { id } = await client.get('runs.start', { id: reconciliation.id });
  let run = await client.get('runs.get', { id: reconciliation.id, run_id: id });
  while (run.status === 'pending' || run.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 5));
    run = await client.get('runs.get', { id: reconciliation.id, run_id: id });
  }
  const pages = await Promise.all([
    client.get('matches.list', ask),
    client.get('matches.list', { ...ask, offset: 6_000 }),
    client.get('matches.window', { ...ask, offset: 0, limit: 2 }),
  ]);
  expect(run).toMatchObject({ status: 'completed', matches: 10_499 });
  expect(pages.map((page) => [page.total_count, page.data.length])).toEqual([
    [10_499, 25],
    [10_499, 25],
    [10_499, 2],
  ]);
  const summary = await client.get('reconciliations.summary', { id: reconciliation.id });
  expect(summary).toMatchObject({ matches: 10_499, side_a: { records: 10_500, matched: 10_499 }, side_b: { records: 10_500 } });
  await addLines(client, 'ledger', [{ amount: 5 }]);
  expect((await client.get('streams.list', {})).map((stream) => stream.record_count)).toEqual([10_501, 10_500]);
  const side = { ...ask, side: 'a', status: 'open', sort: '-amount', offset: 0, limit: 1 } as const;
  expect(await client.get('lines.window', side)).toMatchObject({ total_count: 2 });
  expect(await client.get('lines.window', { ...side, search: 'e10499' })).toMatchObject({ total_count: 0 });
});
