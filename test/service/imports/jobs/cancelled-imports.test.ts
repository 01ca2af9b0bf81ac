import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHECKS, verifyBook } from '../../../../src-main/book/work/verify-book.ts';
import { clearRemains } from '../../../../src-main/records/work/cleanup.ts';
import { updateJob } from '../../../../src-main/book/store/jobs.ts';
import { assert } from '../../../../src-shared/values/assert.ts';
import { openTestBook, type TestBook } from '../../../support/books/backend.ts';
import { withFailingStatement } from '../../../support/faults/failing-statements.ts';
import { addLines } from '../../../support/books/lines.ts';
import {
  copiesOf,
  type ImportEnd,
  importHere,
  importOnThreads,
  openQuietBook,
  openTestDatabase,
  type QuietBook,
  type Steps,
} from '../../../support/books/quiet-book.ts';
import { longTest, quickTest, some } from '../../../support/long.ts';

/** More than is cleared at once when an import is cancelled. */
const ROWS = 6_500;
/** Nearly all of them, and more than is cleared at once. */
const MUCH = 5_200;
const STREAMED: Steps = { wholeBytes: 10_000 };
const HEADER = 'Date,Description,Amount,External ID';
const rowsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `2026-06-${String((at % 28) + 1).padStart(2, '0')},Line ${at},${at % 100}.50,id-${at}`);

function fileOf(book: Pick<QuietBook, 'folder'>, rows = rowsOf(ROWS), header = HEADER): string {
  const file = path.join(book.folder, 'bank.csv');
  writeFileSync(file, `${header}\n${rows.join('\n')}\n`);
  return file;
}

const count = (book: QuietBook, what: string) => book.database.connection.prepare(`SELECT count(*) FROM ${what}`).pluck().get() as number;
const findings = (book: QuietBook) => verifyBook(book.jobDatabase, CHECKS, () => {}).flatMap((checked) => checked.findings);

/** Where an import is when it is cancelled. */
const CANCELS: readonly (readonly [string, (book: QuietBook) => boolean])[] = [
  ['while rows are written', (book) => count(book, 'records WHERE batch_id > 0') > MUCH],
  ['while keys are listed', (book) => count(book, 'listed_keys') > 3_000],
  ['while amounts are listed', (book) => count(book, 'listed_amounts') > 3_000],
];

/** Imports a file until `isCancelled`, and ends its job as the worker does. */
function cancelled(book: QuietBook, file: string, isCancelled: () => boolean): ImportEnd {
  const ended = importHere(book, { path: file }, { ...STREAMED, isCancelled });
  expect(ended.end).toEqual({ end: 'cancelled' });
  book.database.write((write) => updateJob(write, ended.jobId, { status: 'cancelled', result: null }));
  return ended;
}

async function seen({ client }: QuietBook): Promise<unknown> {
  const streams = await client.get('streams.list', {});
  const batches = await Promise.all(streams.map(({ key }) => client.get('import_batches.list', { key })));
  return [streams, batches, (await client.get('records.list', { limit: 100 })).data.length];
}

test.each(some(CANCELS, 1))(
  'cancelled %s: it ends at once, its rows are invisible, and the same file can be imported at once',
  async (_, when) => {
    const book = openQuietBook();
    const before = await seen(book);
    const file = fileOf(book);
    cancelled(book, file, () => when(book));
    expect(await seen(book)).toEqual(before);
    // Much of it is only out of the way.
    expect(count(book, 'records')).toBeGreaterThan(1_000);
    expect(findings(book)).toEqual([]);

    const looked = importHere(book, { path: file, dryRun: true }, STREAMED);
    expect(looked.result).toMatchObject({ rows: ROWS, kept: ROWS, skipped: 0 });
    const again = importHere(book, { path: file }, STREAMED);
    expect(again.result).toMatchObject({ rows: ROWS, kept: ROWS, skipped: 0, same_file: null });
    expect((await book.client.get('streams.get', { key: 'bank' })).record_count).toBe(ROWS);
    expect(findings(book)).toEqual([]);

    const recordsSeen = await seen(book);
    clearRemains(book.jobDatabase, () => false);
    expect(await seen(book)).toEqual(recordsSeen);
    expect([count(book, 'records'), count(book, 'import_batches'), count(book, 'streams')]).toEqual([ROWS, 1, 1]);
    expect([count(book, 'listed_keys'), count(book, 'listed_amounts')]).toEqual([ROWS, ROWS]);
    expect(findings(book)).toEqual([]);
    expect(importHere(book, { path: file }, STREAMED).result).toMatchObject({ kept: 0, skipped: ROWS });
  },
);

for (const [name, when] of CANCELS) {
  longTest(`cancelled ${name}, into a stream that has some of its rows: exactly the others are new right after`, async () => {
    const book = openQuietBook();
    importHere(book, { path: fileOf(book, rowsOf(2_000)) }, STREAMED);
    const before = await seen(book);
    const file = fileOf(book);
    cancelled(book, file, () => when(book) && count(book, 'listed_keys') !== 2_000);
    expect(await seen(book)).toEqual(before);
    expect(importHere(book, { path: file }, STREAMED).result).toMatchObject({ rows: ROWS, kept: ROWS - 2_000, skipped: 2_000 });
    clearRemains(book.jobDatabase, () => false);
    expect([count(book, 'records'), count(book, 'import_batches'), count(book, 'streams')]).toEqual([ROWS, 2, 1]);
    expect(findings(book)).toEqual([]);
  });
}

longTest('rows of a cancelled import block nothing: people can give its ids and its key to others', async () => {
  const book = openQuietBook();
  cancelled(book, fileOf(book), () => count(book, 'listed_amounts') > 3_000);
  await book.client.get('streams.create', { key: 'bank', name: 'By hand' });
  await addLines(book.client, 'bank', [{ amount: 1, date: '2026-06-01', external_id: `id-${ROWS - 1}` }]);
  clearRemains(book.jobDatabase, () => false);
  expect((await book.client.get('records.list', { external_id: `id-${ROWS - 1}` })).data).toMatchObject([{ amount: 1 }]);
  expect(importHere(book, { path: fileOf(book) }, STREAMED).result).toMatchObject({ kept: ROWS - 1, skipped: 1 });
  expect(findings(book)).toEqual([]);
});

quickTest('a stream that the cancelled import made stays where it is in use by then', async () => {
  const book = openQuietBook();
  let isUsed = false;
  cancelled(book, fileOf(book), () => {
    if (isUsed || count(book, 'streams') === 0) return isUsed;
    book.database.connection.exec(
      `INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at) VALUES (1, 1, 1, 1, 1, 'GBP', 2, '{}', 0)`,
    );
    isUsed = count(book, 'records') > MUCH - 1_000;
    return isUsed;
  });
  clearRemains(book.jobDatabase, () => false);
  expect(count(book, 'records')).toBe(count(book, 'records WHERE batch_id IS NULL'));
  expect(await book.client.get('streams.list', {})).toMatchObject([{ key: 'bank' }]);
});

longTest('a stream with rows of a cancelled import is reset and deleted like any other', async () => {
  for (const what of ['streams.reset', 'streams.remove'] as const) {
    const book = openQuietBook();
    importHere(book, { path: fileOf(book, rowsOf(5)) });
    cancelled(book, fileOf(book), () => count(book, 'records') > MUCH);
    const operation =
      what === 'streams.reset' ? await book.client.get(what, { key: 'bank' }) : await book.client.get(what, { key: 'bank', async: true });
    expect(book.workOperation(operation?.id ?? 0)).toEqual({ end: 'completed' });
    clearRemains(book.jobDatabase, () => false);
    expect([count(book, 'records'), count(book, 'import_batches'), count(book, 'streams')]).toEqual([
      0,
      0,
      what === 'streams.reset' ? 1 : 0,
    ]);
    expect(findings(book)).toEqual([]);
  }
});

quickTest('clearing stops on request or when a job begins, and continues later', () => {
  const book = openQuietBook();
  cancelled(book, fileOf(book), () => count(book, 'records') > MUCH);
  const left = count(book, 'records');
  let looks = 0;
  clearRemains(book.jobDatabase, () => (looks += 1) > 3);
  const fewer = count(book, 'records');
  expect(fewer).toBeLessThan(left);
  expect(fewer).toBeGreaterThan(0);
  book.database.connection.exec(
    "INSERT INTO jobs(environment_id, kind, status, payload, created_at) VALUES (1, 'import', 'running', '{}', 0)",
  );
  clearRemains(book.jobDatabase, () => false);
  expect(count(book, 'records')).toBe(fewer);
  book.database.connection.exec("UPDATE jobs SET status = 'completed'");
  clearRemains(book.jobDatabase, () => false);
  expect([count(book, 'records'), count(book, 'import_batches'), count(book, 'streams')]).toEqual([0, 0, 0]);
});

/** What a cancelled import and its clearing write. */
const REFUSALS = [
  'UPDATE OF wiped_by ON import_batches',
  'UPDATE OF environment_id ON streams',
  'DELETE ON records',
  'DELETE ON import_batches',
  'DELETE ON streams',
] as const;

test.each(some(REFUSALS, 1))(
  'where a cancelled import cannot do its %s, its rows are invisible, and the same file can be imported later',
  async (refusal) => {
    const book = openQuietBook();
    const before = await seen(book);
    book.database.connection.exec(`CREATE TRIGGER refused BEFORE ${refusal} BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    const file = fileOf(book);
    const orThrown = (work: () => unknown): boolean => {
      try {
        work();
        return false;
      } catch {
        return true;
      }
    };
    const isThrown = orThrown(() => cancelled(book, file, () => count(book, 'records') > MUCH));
    expect(orThrown(() => clearRemains(book.jobDatabase, () => false)) || isThrown).toBe(true);
    // A stream that cannot be put aside stays, with nothing in it that people see.
    const streams = await book.client.get('streams.list', {});
    expect(streams.every((stream) => stream.record_count === 0)).toBe(true);
    expect((await book.client.get('records.list', {})).data).toEqual([]);
    book.database.connection.exec('DROP TRIGGER refused');
    book.recover();
    expect(await seen(book)).toEqual(before);
    expect(importHere(book, { path: file }, STREAMED).result).toMatchObject({ kept: ROWS, skipped: 0 });
    expect([count(book, 'records'), count(book, 'import_batches'), count(book, 'streams')]).toEqual([ROWS, 1, 1]);
    // The trigger of this test is found, and nothing else.
    expect(findings(book).map(({ message }) => message)).toEqual([expect.stringMatching(/^The trigger refused, which is not Tieout's, /)]);
  },
);

/** What a cancelled import left is still there, beside the same file that has come in since. */
const withRemains = copiesOf(() => {
  const book = openQuietBook();
  const file = fileOf(book);
  cancelled(book, file, () => count(book, 'listed_keys') > 3_000);
  importHere(book, { path: file }, STREAMED);
  book.database.write((write) => write.prepare<[], unknown>("UPDATE jobs SET status = 'completed'").run());
  return book;
});

longTest('whichever statement of the clearing fails, it continues later, and later imports stay complete', async () => {
  for (let nth = 1, isOver = false; !isOver; nth += 4) {
    const book = await withRemains();
    expect(count(book, 'records')).toBeGreaterThan(ROWS);
    const whole = await seen(book);
    const { failed } = await withFailingStatement(nth, () => {
      try {
        clearRemains(book.jobDatabase, () => false);
      } catch {
        // The disk is full.
      }
    });
    isOver = !failed;
    expect(await seen(book)).toEqual(whole);
    book.recover();
    expect(await seen(book)).toEqual(whole);
    expect([count(book, 'records'), count(book, 'import_batches')]).toEqual([ROWS, 1]);
    expect(findings(book)).toEqual([]);
    expect(nth).toBeLessThan(90);
  }
});

/** Read by one thread and stored by another, for its bytes. */
const LARGE_ROWS = 4_000;
const PADDING = 'x'.repeat(4_500);
const largeFileOf = (book: Pick<QuietBook, 'folder'>): string =>
  fileOf(
    book,
    rowsOf(LARGE_ROWS).map((row) => `${row},${PADDING}`),
    `${HEADER},Padding`,
  );

async function importBy(book: TestBook, file: string) {
  const chosen = book.backend.registerFile(file);
  assert(chosen.ok, 'the file is there');
  return book.client.get('imports.start', { file_token: chosen.value.token, stream_key: 'bank', currency: 'USD' });
}

quickTest('an import that is cancelled while two threads work on it is invisible; the same file can be imported at once', async () => {
  const book = openQuietBook();
  const before = await seen(book);
  const file = fileOf(book);
  const ended = await importOnThreads(book, { path: file }, { ...STREAMED, isCancelled: () => count(book, 'records') > 1_000 });
  expect(ended.end).toEqual({ end: 'cancelled' });
  book.database.write((write) => updateJob(write, ended.jobId, { status: 'cancelled', result: null }));
  expect(await seen(book)).toEqual(before);
  expect((await importOnThreads(book, { path: file }, STREAMED)).result).toMatchObject({ rows: ROWS, kept: ROWS, skipped: 0 });
  clearRemains(book.jobDatabase, () => false);
  expect([count(book, 'records'), count(book, 'import_batches'), count(book, 'streams')]).toEqual([ROWS, 1, 1]);
  expect(findings(book)).toEqual([]);
});

longTest(
  'cancelled while two threads of a worker work on it, it ends at once; the same file can be imported at once, and remains are cleared',
  async () => {
    const book = await openTestBook();
    const file = largeFileOf(book);
    const { id } = await importBy(book, file);
    const other = openTestDatabase(book.folder);
    const stored = () => other.connection.prepare('SELECT count(*) FROM records').pluck().get() as number;
    while (stored() < LARGE_ROWS / 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await book.client.get('jobs.cancel', { id });
    expect(await book.ended({ id })).toMatchObject({ status: 'cancelled' });
    expect(await book.client.get('streams.list', {})).toEqual([]);
    const again = await book.ended(await importBy(book, file));
    expect(again).toMatchObject({ status: 'completed', import_result: { rows: LARGE_ROWS, kept: LARGE_ROWS, skipped: 0 } });
    // The thread that packs comes two seconds after the last change.
    for (let looks = 0; stored() > LARGE_ROWS && looks < 400; looks += 1) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(stored()).toBe(LARGE_ROWS);
  },
);

const REFUSED_ASIDE = ['INSERT ON listed_keys', "INSERT ON audit_log WHEN NEW.action = 'import_batch.created'"] as const;

for (const refusal of REFUSED_ASIDE) {
  longTest(
    `where two threads work on an import and its ${refusal} fails, nothing of it is there, and the same file goes in whole later`,
    async () => {
      const book = openQuietBook();
      const before = await seen(book);
      book.database.connection.exec(`CREATE TRIGGER refused BEFORE ${refusal} BEGIN SELECT RAISE(ABORT, 'refused'); END`);
      const file = fileOf(book);
      await expect(importOnThreads(book, { path: file }, STREAMED)).rejects.toThrow('refused');
      book.recover();
      expect(await seen(book)).toEqual(before);
      book.database.connection.exec('DROP TRIGGER refused');
      expect((await importOnThreads(book, { path: file }, STREAMED)).result).toMatchObject({ kept: ROWS, skipped: 0 });
    },
  );
}

longTest(
  'where two threads of a worker work on an import and a statement fails, it fails with a message, and can be imported later',
  async () => {
    for (const refusal of REFUSED_ASIDE) {
      const book = await openTestBook();
      const other = openTestDatabase(book.folder);
      other.connection.exec(`CREATE TRIGGER refused BEFORE ${refusal} BEGIN SELECT RAISE(ABORT, 'refused'); END`);
      const file = largeFileOf(book);
      expect(await book.ended(await importBy(book, file))).toMatchObject({
        status: 'failed',
        error_message: expect.stringContaining('refused'),
      });
      expect(await book.client.get('streams.list', {})).toEqual([]);
      other.connection.exec('DROP TRIGGER refused');
      expect(await book.ended(await importBy(book, file))).toMatchObject({
        status: 'completed',
        import_result: { kept: LARGE_ROWS, skipped: 0 },
      });
    }
  },
);

describe('found once: cancelled import counts in a deletion', () => {
  /** More rows than are cleared at once when an import is cancelled, and more than are deleted within a request. */
  const ROWS = 16_000;
  const SEEN = 5;

  const count = (book: QuietBook, what: string) => book.database.connection.prepare(`SELECT count(*) FROM ${what}`).pluck().get() as number;

  /** A stream of five records, with more than ten thousand rows of a cancelled import that are not cleared yet. */
  function newCancelledImport(): QuietBook {
    const book = openQuietBook();
    const fileOf = (rows: number): string => {
      const lines = Array.from(
        { length: rows },
        (_, at) => `2026-06-${String((at % 28) + 1).padStart(2, '0')},Line ${at},${at % 100}.50,id-${at}`,
      );
      writeFileSync(path.join(book.folder, 'bank.csv'), ['Date,Description,Amount,External ID', ...lines, ''].join('\n'));
      return path.join(book.folder, 'bank.csv');
    };
    importHere(book, { path: fileOf(SEEN) });
    const steps = { wholeBytes: 10_000, isCancelled: () => count(book, 'records') > 15_000 };
    const { end, jobId } = importHere(book, { path: fileOf(ROWS) }, steps);
    assert(end.end === 'cancelled', 'the import is cancelled');
    book.database.write((write) => updateJob(write, jobId, { status: 'cancelled', result: null }));
    assert(count(book, 'records') > 10_000, 'its rows are not cleared yet');
    return book;
  }
  const withCancelledImport = copiesOf(newCancelledImport);

  test.each(['within the request', 'in the background'])(
    'a small stream with uncleared rows of a cancelled import is deleted %s, and counts only its visible rows',
    async (how) => {
      const book = await withCancelledImport();
      const operation = await book.client.get('streams.remove', { key: 'bank', ...(how === 'within the request' ? {} : { async: true }) });
      const worked = operation === null ? { end: 'completed' } : book.workOperation(operation.id);
      expect(worked).toEqual({ end: 'completed' });
      const cleared = book.database.connection
        .prepare("SELECT detail FROM audit_log WHERE action = 'stream.cleared'")
        .pluck()
        .all() as string[];
      expect(cleared.map((detail) => JSON.parse(detail) as unknown)).toMatchObject([{ stream: 'bank', records: SEEN }]);
      expect(await book.client.get('streams.list', {})).toEqual([]);
      const findings = () => verifyBook(book.jobDatabase, CHECKS, () => {}).flatMap((checked) => checked.findings);
      expect(findings()).toEqual([]);
      clearRemains(book.jobDatabase, () => false);
      expect([count(book, 'records'), count(book, 'import_batches'), count(book, 'streams')]).toEqual([0, 0, 0]);
      expect([count(book, 'listed_keys'), count(book, 'listed_amounts')]).toEqual([0, 0]);
      expect(findings()).toEqual([]);
    },
  );
});
