import { expect, test } from 'vitest';
import { ColumnPacker } from '../../../src-main/records/work/pack-stream.ts';
import { recoverAfterStart } from '../../../src-main/backend/recover.ts';
import { clearRemains } from '../../../src-main/records/work/cleanup.ts';
import { CHECKS, verifyBook } from '../../../src-main/book/work/verify-book.ts';
import { openJobs } from '../../../src-main/book/store/jobs.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { testAlarm } from '../../support/faults/alarm.ts';
import { BY_AMOUNT_PROPOSED, numbered, setUpPair } from '../../support/books/lines.ts';
import { copiesOf, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const LINES = 150;

/** A book whose process died while a run wrote what it found. */
async function newBrokenOff(rules?: Parameters<typeof setUpPair>[2]) {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a: numbered(LINES), b: numbered(LINES) }, rules);
  const { id: runId } = await book.client.get('runs.start', { id: pair.reconciliation.id });
  const dies = () => {
    throw new Error('killed');
  };
  expect(() => book.work({ onStep: (phase, processed) => phase === 'writing' && processed > 0 && dies() })).toThrow('killed');
  return { ...pair, book, id: pair.reconciliation.id, runId };
}

type BrokenOff = Awaited<ReturnType<typeof newBrokenOff>>;
let made: Omit<BrokenOff, 'book'> | null = null;
const copy = copiesOf(async () => {
  const { book, ...rest } = await newBrokenOff();
  made = rest;
  return book;
});

async function brokenOff(): Promise<BrokenOff> {
  const book = await copy();
  return { book, ...present(made, 'broken off') };
}

const count = (book: QuietBook, table: string) => book.database.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
const writing = (book: QuietBook) => book.database.connection.prepare('SELECT id, status FROM runs WHERE writing = 1').all();

async function seen(book: QuietBook, id: number) {
  const [matches, summary, matched] = await Promise.all([
    book.client.get('matches.list', { reconciliation_id: id }),
    book.client.get('reconciliations.summary', { id }),
    book.client.get('records.list', { reconciliation_id: id, status: 'matched' }),
  ]);
  return [matches.total_count, matches.data.length, summary.side_a.matched, matched.data.length];
}

function findings(book: QuietBook) {
  return verifyBook(book.jobDatabase, CHECKS, () => {}).flatMap((checked) => checked.findings);
}

test('a start does not clear an unfinished run: the run clears its own rows and finds the same matches', async () => {
  const { book, id, runId } = await brokenOff();
  const left = count(book, 'matches');
  expect(left).toBeGreaterThan(0);
  expect(recoverAfterStart(book.database, book.clock)).toBe(false);
  expect([count(book, 'matches'), writing(book)]).toEqual([left, [{ id: runId, status: 'pending' }]]);
  expect(await seen(book, id)).toEqual([0, 0, 0, 0]);
  expect(findings(book)).toEqual([]);
  expect(book.work()).toEqual({ end: 'completed' });
  expect([count(book, 'matches'), count(book, 'match_records'), writing(book)]).toEqual([LINES, 2 * LINES, []]);
  expect((await seen(book, id))[0]).toBe(LINES);
  expect(findings(book)).toEqual([]);
});

test('rows of a run that was cancelled before its restart stay hidden, and the next run clears them', async () => {
  const { book, id, runId } = await brokenOff();
  recoverAfterStart(book.database, book.clock);
  book.queue.cancel(present(openJobs(book.database)[0], 'job').id);
  expect(writing(book)).toEqual([{ id: runId, status: 'cancelled' }]);
  expect(await seen(book, id)).toEqual([0, 0, 0, 0]);
  expect(recoverAfterStart(book.database, book.clock)).toBe(true);
  expect(await book.run(id)).toMatchObject({ status: 'completed', matches: LINES });
  expect([count(book, 'matches'), writing(book)]).toEqual([LINES, []]);
  expect(await book.client.get('runs.get', { id, run_id: runId })).toMatchObject({ status: 'cancelled' });
});

test('people match, edit and delete records that a dead run holds', async () => {
  const { book, id, aIds, bIds } = await brokenOff();
  recoverAfterStart(book.database, book.clock);
  const [first, second, third] = aIds;
  await book.client.get('matches.create', { reconciliation_id: id, record_ids: [first ?? 0, bIds[1] ?? 0] });
  await book.client.get('records.update', { id: second ?? 0, external_id: 'elsewhere' });
  await book.client.get('records.remove', { id: third ?? 0 });
  expect((await seen(book, id))[0]).toBe(1);
  expect(book.work()).toEqual({ end: 'completed' });
  // The first two of side B and the third have lost their counterparts; one is in the match by hand.
  expect((await seen(book, id))[0]).toBe(1 + LINES - 3);
  expect(findings(book)).toEqual([]);
});

test('clearing stops on request, leaves all rows hidden, and continues later', async () => {
  const { book, id } = await brokenOff();
  recoverAfterStart(book.database, book.clock);
  book.queue.cancel(present(openJobs(book.database)[0], 'job').id);
  const left = count(book, 'matches');
  clearRemains(book.jobDatabase, () => true);
  expect([count(book, 'matches'), writing(book).length]).toEqual([left, 1]);
  expect(await seen(book, id)).toEqual([0, 0, 0, 0]);
  clearRemains(book.jobDatabase, () => false);
  expect([count(book, 'matches'), count(book, 'match_records'), writing(book)]).toEqual([0, 0, []]);
});

test('where no run follows, the packing thread clears the rows, recalculated proposals as well', async () => {
  const { book, id } = await newBrokenOff([BY_AMOUNT_PROPOSED]);
  recoverAfterStart(book.database, book.clock);
  book.work();
  book.database.connection.exec(
    `UPDATE reconciliations SET proposals_since = proposals_since + 1, published_run_id = NULL WHERE id = ${id}`,
  );
  expect(count(book, 'matches')).toBe(LINES);
  const isRestLeft = recoverAfterStart(book.database, book.clock);
  expect(isRestLeft).toBe(true);
  const alarm = testAlarm();
  const packer = new ColumnPacker({ database: book.database, dataFolder: book.folder, alarm, log: book.log, isRestLeft });
  packer.kick();
  alarm.advance(2_000);
  await packer.packNow(() => {}, AbortSignal.abort());
  expect([count(book, 'matches'), recoverAfterStart(book.database, book.clock), book.log.lines]).toEqual([0, false, []]);
  await packer.close();
});
