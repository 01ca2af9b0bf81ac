import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openTestBook } from '../../../support/books/backend.ts';
import { dumpBook } from '../../../support/faults/failing-statements.ts';
import { importHere, importOnThreads, openQuietBook, type QuietBook } from '../../../support/books/quiet-book.ts';
import { zipOf } from '../../../support/inputs/zips.ts';
import { longTest, quickTest } from '../../../support/long.ts';

/** Makes files larger than what is held in memory, where a worker reads them. */
const PADDING = 'x'.repeat(2_000);
/** Other files are read in stretches because they are said to be large. */
const STREAMED = { wholeBytes: 10_000 } as const;
const ROWS = 9_000;
const HEADER = 'Date,Description,Amount,Padding';
const row = (index: number, padding = 'x'): string =>
  `2026-06-${String((index % 28) + 1).padStart(2, '0')},Line ${index % 8_000},${index % 100}.50,${padding}`;
const ROWS_OF_FILE = Array.from({ length: ROWS }, (_, index) => row(index % 8_500));

/** Five hundred of its rows stand there twice. */
function write(book: Pick<QuietBook, 'folder'>, name: string, rows: readonly string[] = ROWS_OF_FILE): string {
  const file = path.join(book.folder, name);
  writeFileSync(file, `${HEADER}\n${rows.join('\n')}\n`);
  return file;
}

const counted = (book: QuietBook, what: string) => book.database.connection.prepare(`SELECT count(*) FROM ${what}`).pluck().get();
const records = async (book: Pick<QuietBook, 'client'>) => (await book.client.get('streams.get', { key: 'bank' })).record_count;

quickTest('a large file acts like a small one: equal lines stay, the same file adds nothing, an overlap its new lines', async () => {
  const book = openQuietBook();
  const furthest = new Map<string, number>();
  const file = write(book, 'one.csv');
  const first = importHere(book, { path: file }, { ...STREAMED, onStep: (phase, processed) => furthest.set(phase, processed) });
  expect(first.end).toEqual({ end: 'completed' });
  const credits = ROWS_OF_FILE.reduce((sum, one) => sum + Math.round(Number(one.split(',')[2]) * 100), 0);
  expect(first.result).toMatchObject({
    rows: ROWS,
    kept: ROWS,
    skipped: 0,
    rejected: 0,
    total_credits: credits,
    date_range_end: '2026-06-28',
  });
  // Bytes of the file, and then its rows.
  expect([...furthest.keys()]).toEqual(['reading', 'storing', 'indexing']);
  expect(furthest.get('reading')).toBeGreaterThan(statSync(file).size / 3);
  expect([furthest.get('storing'), furthest.get('indexing')]).toEqual([ROWS, ROWS]);
  expect(await records(book)).toBe(ROWS);
  const { data } = await book.client.get('import_batches.list', { key: 'bank' });
  expect(data).toMatchObject([{ kept: ROWS, skipped: 0, total_credits: credits, proof: 'unproved' }]);

  const looked = importHere(book, { path: write(book, 'two.csv'), dryRun: true }, STREAMED);
  expect(looked.result).toMatchObject({ rows: ROWS, kept: 0, skipped: ROWS, batch_id: null });
  const again = importHere(book, { path: write(book, 'two.csv') }, STREAMED);
  expect(again.result).toMatchObject({ rows: ROWS, kept: 0, skipped: ROWS, same_file: { data_stream_key: 'bank' } });
  expect(again.result?.skipped_rows).toHaveLength(1_000);
  expect(again.result?.skipped_rows[0]).toMatchObject({ row: 2, code: 'already_there', record_id: 1 });

  const more = importHere(book, { path: write(book, 'three.csv', [...ROWS_OF_FILE, row(3), row(8_999)]) }, STREAMED);
  // The row 3 for the third time, and another one.
  expect(more.result).toMatchObject({ rows: ROWS + 2, kept: 2, skipped: ROWS });
  expect(await records(book)).toBe(ROWS + 2);
  const audit = book.database.connection.prepare("SELECT detail FROM audit_log WHERE action = 'import_batch.created'").pluck().all();
  expect(audit.map((detail) => (JSON.parse(String(detail)) as { rows_sha256: string }).rows_sha256)).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/^[\da-f]{64}$/)),
  );
});

quickTest('a rejected row holds a large file back, and its stored rows are removed; without it the rest is imported', async () => {
  const book = openQuietBook();
  const rows = ROWS_OF_FILE.with(8_700, `2026-06-31,No such day,1.00,x`);
  const held = importHere(book, { path: write(book, 'bad.csv', rows), currency: 'GBP' }, STREAMED);
  expect(held.result).toMatchObject({ rows: ROWS, kept: 0, rejected: 1, batch_id: null, problems_total: 2 });
  expect(held.result?.problems).toMatchObject([{ code: 'signs_assumed' }, { row: 8_702, severity: 'rejected' }]);
  expect([counted(book, 'records'), counted(book, 'import_batches'), counted(book, 'streams')]).toEqual([0, 0, 0]);
  const taken = importHere(book, { path: write(book, 'bad.csv', rows), acceptRejected: true }, STREAMED);
  expect(taken.result).toMatchObject({ rows: ROWS, kept: ROWS - 1, rejected: 1 });
  expect(await records(book)).toBe(ROWS - 1);
});

quickTest('a large file is invisible before it is complete, and a cancelled one leaves nothing', async () => {
  const book = openQuietBook();
  const seen = new Set<unknown>();
  let stored = 0;
  const { end } = importHere(
    book,
    { path: write(book, 'one.csv') },
    {
      ...STREAMED,
      onStep: (phase, processed) => {
        if (phase !== 'storing') return;
        stored = processed;
        seen.add(counted(book, 'records r WHERE r.batch_id NOT IN (SELECT id FROM import_batches WHERE writing = 1)'));
      },
      isCancelled: () => stored > 4_000,
    },
  );
  expect(end).toEqual({ end: 'cancelled' });
  expect(seen).toEqual(new Set([0]));
  book.recover();
  expect([counted(book, 'records'), counted(book, 'import_batches'), counted(book, 'streams')]).toEqual([0, 0, 0]);
});

longTest('a preview of a large file shows its first lines and counts all', async () => {
  const padded = Array.from({ length: ROWS }, (_, index) => row(index % 8_500, PADDING));
  const book = await openTestBook();
  const tokenOf = (file: string): string => {
    const chosen = book.backend.registerFile(file);
    return chosen.ok ? chosen.value.token : '';
  };
  const first = { file_token: tokenOf(write(book, 'one.csv', padded.slice(0, 8_600))), stream_key: 'bank', currency: 'USD' };
  expect(await book.ended(await book.client.get('imports.start', first))).toMatchObject({ status: 'completed' });
  const second = { file_token: tokenOf(write(book, 'two.csv', padded)), stream_key: 'bank' };
  const job = await book.ended(await book.client.get('imports.preview', second));
  expect(job.preview?.result).toMatchObject({ rows: ROWS, kept: 400, skipped: 8_600 });
  expect(job.preview?.rows).toHaveLength(200);
  expect(job.preview?.rows[0]).toMatchObject({ row: 2, outcome: 'duplicate', description: 'Line 0' });
});

quickTest('decisions about single rows are taken in files that are read whole', async () => {
  const book = openQuietBook();
  const decided = importHere(book, { path: write(book, 'one.csv'), overrules: [{ row: 3, occurrence: 1, action: 'leave_out' }] }, STREAMED);
  expect(decided.result).toMatchObject({ rows: ROWS, kept: ROWS - 1, skipped: 1 });
});

quickTest('a large import whose last transaction fails leaves nothing', () => {
  const book = openQuietBook();
  book.database.connection.exec(
    "CREATE TRIGGER refused BEFORE INSERT ON audit_log WHEN NEW.action = 'import_batch.created' BEGIN SELECT RAISE(ABORT, 'refused'); END",
  );
  expect(() => importHere(book, { path: write(book, 'one.csv') }, STREAMED)).toThrow('refused');
  book.recover();
  expect([counted(book, 'records'), counted(book, 'import_batches'), counted(book, 'streams')]).toEqual([0, 0, 0]);
});

/** More than the first rows, by which the others are read while they are counted. */
const FIRST = 4_000;
const withIds = (last: string): string =>
  [
    'Date,Description,Amount,ID',
    ...Array.from({ length: FIRST + 200 }, (_, at) => `2026-06-0${(at % 9) + 1},Line ${at},${at}.50,id-${at}`),
    last,
    '',
  ].join('\n');

quickTest.each([
  ['its rows are read as the first of them show', '2026-06-01,New,1.00,id-new'],
  ['its last row shows that the others were misread', '2026-06-01,Again,1.00,id-1'],
])('a large file is stored like one that is read whole where %s', (_, last) => {
  const stored = [{ ...STREAMED, stagedLines: 1_500 }, {}].map((steps) => {
    const book = openQuietBook();
    writeFileSync(path.join(book.folder, 'ids.csv'), withIds(last));
    const { result } = importHere(book, { path: path.join(book.folder, 'ids.csv') }, steps);
    expect(result).toMatchObject({ kept: FIRST + 201, skipped: 0, rejected: 0 });
    // Ids of rows that were taken back are not given again.
    return dumpBook(book.database, ['jobs'])['records']?.map((record) => ({ ...(record as object), id: 0, batch_id: 0, stream_id: 0 }));
  });
  expect(JSON.stringify(stored[0]) === JSON.stringify(stored[1])).toBe(true);
});

longTest(
  'another thread reads a large file of a job: early lines that are wrong are dropped, and a cancelled import leaves nothing',
  { timeout: 120_000 },
  async () => {
    const book = await openTestBook();
    const rows = Array.from({ length: ROWS }, (_, at) => `2026-06-01,Line ${at},${at}.50,${PADDING},id-${at}`);
    const file = path.join(book.folder, 'ids.csv');
    writeFileSync(file, ['Date,Description,Amount,Padding,ID', ...rows, '2026-06-01,Again,1.00,x,id-1', ''].join('\n'));
    const start = () => {
      const chosen = book.backend.registerFile(file);
      return book.client.get('imports.start', { file_token: chosen.ok ? chosen.value.token : '', stream_key: 'bank', currency: 'USD' });
    };
    const cancelled = await start();
    await book.client.get('jobs.cancel', { id: cancelled.id });
    expect(await book.ended(cancelled)).toMatchObject({ status: 'cancelled' });
    expect(await book.client.get('streams.list', {})).toEqual([]);
    const first = await book.ended(await start());
    expect(first).toMatchObject({ status: 'completed', import_result: { kept: ROWS + 1, skipped: 0 } });
    expect(await book.ended(await start())).toMatchObject({ status: 'completed', import_result: { kept: 0, skipped: ROWS + 1 } });
  },
);

longTest(
  'another thread reads further large files of a stream as well: currencies that are not accepted keep out what they should',
  { timeout: 120_000 },
  async () => {
    const book = await openTestBook();
    const store = async (name: string, currency: string, last: readonly string[] = []) => {
      const rows = Array.from({ length: ROWS }, (_, at) => `2026-06-01,Line ${at},-${at}.50,${PADDING},${name}-${at},${currency}`);
      writeFileSync(path.join(book.folder, name), ['Date,Description,Amount,Padding,ID,Currency', ...rows, ...last, ''].join('\n'));
      const chosen = book.backend.registerFile(path.join(book.folder, name));
      const job = await book.client.get('imports.start', { file_token: chosen.ok ? chosen.value.token : '', stream_key: 'bank' });
      return (await book.ended(job)).import_result;
    };
    expect(await store('pounds', 'GBP')).toMatchObject({ kept: ROWS, problems: [] });
    expect(await store('more-pounds', 'GBP')).toMatchObject({ kept: ROWS, skipped: 0, problems: [] });
    expect(await store('euros', 'EUR')).toMatchObject({ kept: 0, batch_id: null, problems: [{ code: 'wrong_currency' }] });
    const stranger = '2026-06-02,Other,-1.00,x,other,EUR';
    expect(await store('mixed', 'GBP', [stranger])).toMatchObject({ kept: 0, problems: [{ row: ROWS + 2, code: 'other_currency' }] });
    expect(await records(book)).toBe(2 * ROWS);
  },
);

const day = (at: number): string => String((at % 28) + 1).padStart(2, '0');
const some = (count: number, rowAt: (at: number) => string): string[] => Array.from({ length: count }, (_, at) => rowAt(at));
const plain = some(400, (at) => `2026-06-${day(at)},Line ${at % 380},-${at % 380}.50`);
/** Files of one stream, one after the other, and what is said about each. */
const FILES: Readonly<
  Record<string, readonly { readonly rows: readonly string[]; readonly header?: string; readonly acceptRejected?: boolean }[]>
> = {
  'twins, the same file again, and one that goes on': [
    { rows: plain },
    { rows: plain },
    { rows: [...plain, ...plain.slice(0, 3), '2026-06-30,New,-1.00'] },
  ],
  'a rejected row, kept out and then left out': [
    { rows: plain.with(7, '2026-06-31,No day,-1.00') },
    { rows: plain.with(7, '2026-06-31,No day,-1.00'), acceptRejected: true },
  ],
  'ids, and one that came with another amount': [
    { header: 'Date,Description,Amount,ID', rows: plain.map((row, at) => `${row},id-${at}`) },
    { header: 'Date,Description,Amount,ID', rows: plain.map((row, at) => (at === 9 ? `2026-06-01,Other,-77.00,id-9` : `${row},id-${at}`)) },
  ],
  'another currency than that of the stream': [
    { rows: plain },
    { header: 'Date,Description,Amount,Currency', rows: plain.map((row) => `${row}0,EUR`) },
  ],
  'balances that break': [
    {
      header: 'Date,Description,Amount,Balance',
      rows: some(300, (at) => `2026-06-${day(at)},Line ${at},-1.00,${1_000 - at - (at > 200 ? 5 : 0)}.00`),
    },
  ],
  'days that can be read in two ways': [{ rows: some(300, (at) => `0${(at % 9) + 1}/0${(at % 8) + 1}/2026,Line ${at},-1.00`) }],
};

test.each(Object.keys(FILES))('a file is reported and stored alike, whether it is held or streamed: %s', (name) => {
  const told = [STREAMED, { ...STREAMED, stagedLines: 90 }, {}].map((steps) => {
    const book = openQuietBook();
    return (FILES[name] ?? []).map(({ rows, header = 'Date,Description,Amount', acceptRejected = false }, at) => {
      const file = path.join(book.folder, `${at}.csv`);
      writeFileSync(file, `${header}\n${rows.join('\n')}\n`);
      const looked = importHere(book, { path: file, acceptRejected, dryRun: true }, steps).result;
      const { result } = importHere(book, { path: file, acceptRejected }, steps);
      expect((looked?.kept ?? 0) + (looked?.skipped ?? 0) + (looked?.rejected ?? 0)).toBe(looked?.rows);
      const records = dumpBook(book.database, ['jobs'])['records']?.map((each) => ({
        ...(each as object),
        id: 0,
        batch_id: 0,
        stream_id: 0,
      }));
      const without = (said: typeof result) => ({
        ...said,
        batch_id: 0,
        skipped_rows: said?.skipped_rows.map((row) => ({ ...row, record_id: 0 })),
        same_file: null,
      });
      return [without(looked), without(result), records];
    });
  });
  expect(told[0]).toEqual(told[2]);
  expect(told[1]).toEqual(told[2]);
});

test('a large file of an archive is imported under its own name, with a note of its origin', async () => {
  const book = openQuietBook();
  const file = path.join(book.folder, 'june.zip');
  const content = Buffer.from(`Date,Description,Amount\n${plain.join('\n')}\n`);
  writeFileSync(file, zipOf([{ name: 'june.csv', content }]));
  const { result } = await importOnThreads(book, { path: file }, { wholeBytes: 300 });
  expect(result).toMatchObject({ kept: 400, rejected: 0 });
  expect(result?.problems.map(({ code }) => code)).toContain('unpacked');
  expect((await book.client.get('import_batches.list', { key: 'bank' })).data).toMatchObject([{ filename: 'june.csv' }]);
});
