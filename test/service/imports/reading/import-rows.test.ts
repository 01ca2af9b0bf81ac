import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { keptRows, RowLog } from '../../../../src-main/imports/work/import-rows.ts';
import type { StatementLine } from '../../../../src-main/domain/statement/model/statement.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { openTestBook, type TestBook } from '../../../support/books/backend.ts';
import { dumpBook, withFailingStatement } from '../../../support/faults/failing-statements.ts';
import { importHere, openQuietBook, type QuietBook } from '../../../support/books/quiet-book.ts';
import { longTest, quickTest } from '../../../support/long.ts';

const HEADER = 'Date,Description,Amount';
const row = (index: number): string => `2026-06-${String((index % 28) + 1).padStart(2, '0')},Line ${index},-${index + 1}.00`;
const fileOf = (rows: readonly string[]): string => `${HEADER}\n${rows.join('\n')}\n`;
const ROWS = Array.from({ length: 1_300 }, (_, index) => row(index));
/** Three rows that are no lines among the others: the second, the one before the last, and the last. */
const MIXED = [row(0), '2026-06-31,No such day,-1.00', ...ROWS.slice(1), '2026-06-01,No amount,much', row(9_999), 'when,No day,-4.00'];

function write(book: Pick<QuietBook, 'folder'>, name: string, text: string): string {
  const file = path.join(book.folder, name);
  writeFileSync(file, text);
  return file;
}

/** The newest job. */
function jobOf(book: QuietBook): string {
  return String(book.database.connection.prepare('SELECT max(id) FROM jobs').pluck().get());
}

async function allRows(book: QuietBook, id: string, outcome: 'skipped' | 'rejected') {
  const pages = [];
  for (let offset = 0; ; offset += 100) {
    const page = await book.client.get('imports.rows', { id, outcome, limit: 100, offset });
    pages.push(...page.data);
    if (!page.has_more) return { ...page, data: pages };
  }
}

async function importedTwice() {
  const book = openQuietBook();
  importHere(book, { path: write(book, 'one.csv', fileOf(ROWS)) });
  const file = write(book, 'two.csv', fileOf(MIXED));
  const leftOut = { action: 'leave_out', row: 1_304, occurrence: 1 } as const;
  importHere(book, { path: file, acceptRejected: true, overrules: [leftOut] });
  return { book, file };
}

quickTest('every row that was not imported is listed, in the order of the file, with its reason and its record', async () => {
  const { book } = await importedTwice();
  const skipped = await allRows(book, jobOf(book), 'skipped');
  expect([skipped.data.length, skipped.total, skipped.listed]).toEqual([1_301, 1_301, 1_301]);
  expect(skipped.data.map(({ row: at }) => at)).toEqual(skipped.data.map(({ row: at }) => at).toSorted((one, other) => one - other));
  expect(skipped.data[1_200]).toEqual({
    row: 1_203,
    occurrence: 1,
    outcome: 'skipped',
    code: 'already_there',
    message: 'In the account already since the import of one.csv on 2026-07-01.',
    date: '2026-06-25',
    value_date: null,
    amount: 120_100,
    direction: 'debit',
    currency: 'USD',
    decimal_places: 2,
    description: 'Line 1200',
    external_id: null,
    record_id: 1_201,
  });
  expect(skipped.data.at(-1)).toMatchObject({ row: 1_304, code: 'left_out', record_id: null, description: 'Line 9999' });
  const rejected = await allRows(book, jobOf(book), 'rejected');
  expect(rejected.data.map(({ row: at, code, date, amount }) => [at, code, date, amount])).toEqual([
    [3, 'impossible_date', null, 100],
    [1_303, 'unreadable_amount', '2026-06-01', null],
    [1_305, 'unreadable_date', null, 400],
  ]);
  expect(rejected.data.every(({ message, outcome }) => outcome === 'rejected' && message.endsWith('.'))).toBe(true);
});

quickTest('a page may begin anywhere and end after the last row', async () => {
  const { book } = await importedTwice();
  const at = async (offset: number, limit: number) => {
    const page = await book.client.get('imports.rows', { id: jobOf(book), outcome: 'skipped', limit, offset });
    return [page.data.map(({ row: place }) => place), page.has_more, page.offset];
  };
  expect(await at(498, 4)).toEqual([[501, 502, 503, 504], true, 498]);
  expect(await at(1_299, 10)).toEqual([[1_302, 1_304], false, 1_299]);
  expect(await at(5_000, 10)).toEqual([[], false, 5_000]);
});

quickTest('the reason why a row exists already is that of the current state', async () => {
  const { book } = await importedTwice();
  const [first] = (await book.client.get('imports.rows', { id: jobOf(book), outcome: 'skipped', limit: 1 })).data;
  await book.client.get('records.remove', { id: present(first?.record_id, 'record') });
  const [after] = (await book.client.get('imports.rows', { id: jobOf(book), outcome: 'skipped', limit: 1 })).data;
  expect(after).toMatchObject({ row: first?.row, message: 'In the account already.', record_id: null, description: 'Line 0' });
});

async function previewOf(book: TestBook, name: string, text: string, input: object = {}) {
  const chosen = book.backend.registerFile(write(book, name, text));
  const started = await book.client.get('imports.preview', { file_token: chosen.ok ? chosen.value.token : '', ...input });
  return book.ended(started);
}

quickTest('a preview lists them as well, before anything is stored; a decision about a late row is followed', async () => {
  const book = await openTestBook();
  await book.importText('bank', fileOf(ROWS));
  const job = await previewOf(book, 'again.csv', fileOf(MIXED), { stream_key: 'bank' });
  const page = await book.client.get('imports.rows', { id: job.id, outcome: 'skipped', limit: 5, offset: 1_290 });
  expect([page.total, page.data.map(({ row: at }) => at)]).toEqual([1_300, [1_293, 1_294, 1_295, 1_296, 1_297]]);
  const overrules = [{ action: 'import', row: 1_297, occurrence: 1 }];
  const decided = await previewOf(book, 'again.csv', fileOf(MIXED), { stream_key: 'bank', overrules });
  const after = await book.client.get('imports.rows', { id: decided.id, outcome: 'skipped', limit: 5, offset: 1_290 });
  expect([after.total, after.data.map(({ row: at }) => at)]).toEqual([1_299, [1_293, 1_294, 1_295, 1_296, 1_298]]);
});

quickTest('without a stream no row exists already; a file that cannot be read has no rows; other jobs are no imports', async () => {
  const book = await openTestBook();
  await book.importText('bank', fileOf(ROWS));
  const fresh = await previewOf(book, 'new.csv', fileOf(MIXED));
  expect(await book.client.get('imports.rows', { id: fresh.id, outcome: 'skipped' })).toMatchObject({ total: 0, listed: 0, data: [] });
  expect(await book.client.get('imports.rows', { id: fresh.id, outcome: 'rejected' })).toMatchObject({ total: 3, listed: 3 });
  const odd = await previewOf(book, 'odd.csv', 'nothing\n');
  expect(await book.client.get('imports.rows', { id: odd.id, outcome: 'rejected' })).toMatchObject({ total: 0, data: [], has_more: false });
  expect((await book.client.refusal('imports.rows', { id: 999, outcome: 'skipped' })).code).toBe('not_found');
});

longTest('they are listed for a file that is read in stretches as well', async () => {
  const book = openQuietBook();
  const wide = (rows: readonly string[]): string => `${HEADER},Padding\n${rows.map((one) => `${one},${'x'.repeat(14_000)}`).join('\n')}\n`;
  importHere(book, { path: write(book, 'one.csv', wide(ROWS)) });
  const again = importHere(book, { path: write(book, 'two.csv', wide(MIXED)), acceptRejected: true });
  expect(again.result).toMatchObject({ kept: 1, skipped: 1_300, rejected: 3 });
  const skipped = await allRows(book, jobOf(book), 'skipped');
  expect([skipped.data.length, skipped.data[1_299]?.row, skipped.data[1_299]?.record_id]).toEqual([1_300, 1_302, 1_300]);
  expect((await allRows(book, jobOf(book), 'rejected')).data.map(({ row: at }) => at)).toEqual([3, 1_303, 1_305]);
  importHere(book, { path: write(book, 'two.csv', wide(MIXED)), dryRun: true });
  expect((await allRows(book, jobOf(book), 'skipped')).data.length).toBe(0);
});

longTest('whichever statement fails, an import with rejected rows is complete or absent', async () => {
  const { book, file } = await importedTwice();
  const dump = () => JSON.stringify(dumpBook(book.database, ['jobs']));
  const before = dump();
  const after: string[] = [];
  for (let nth = 1, failed = true; failed && nth < 60; nth += 1) {
    ({ failed } = await withFailingStatement(nth, () => {
      try {
        importHere(book, { path: file, acceptRejected: true });
      } catch {
        // The disk is full: what was begun is taken back.
      }
    }));
    after.push(dump());
  }
  expect(after.length).toBeGreaterThan(5);
  const [done, ...failures] = after.toReversed();
  for (const each of failures) expect(each).toBe(before);
  expect(done).not.toBe(before);
});

quickTest('no more than 100,000 rows of a kind are kept of a file, in bounded memory; all of them are counted elsewhere', () => {
  const book = openQuietBook();
  const line = (index: number): StatementLine => ({
    row: index + 2,
    day: 20_000,
    valueDay: null,
    amountMinor: index,
    direction: 'credit',
    currency: 'EUR',
    decimalPlaces: 2,
    description: `Line ${index}`,
    externalId: null,
    metadata: {},
  });
  importHere(book, { path: write(book, 'one.csv', fileOf([row(1)])) });
  const log = new RowLog();
  for (let index = 0; index < 100_100; index += 1) log.skip(line(index), 1, `f:${index}:1`);
  log.store(book.database, Number(jobOf(book)));
  const sum = (what: string) => book.database.connection.prepare(`SELECT ${what} FROM import_rows`).pluck().get();
  expect([sum('sum(count)'), sum('count(*)')]).toEqual([100_000, 200]);
  expect(Number(sum('sum(length(body))'))).toBeLessThan(8 * 1024 * 1024);
  expect(keptRows(book.database, Number(jobOf(book)), 'skipped', 99_998, 10).map(({ key }) => key)).toEqual(['f:99998:1', 'f:99999:1']);
});
