import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SpillFiles } from '../../../../src-main/imports/work/understand.ts';
import { BOOK_FILE } from '../../../../src-main/book/store/book-folder.ts';
import { isStorageFull } from '../../../../src-main/database/database.ts';
import { testFolder } from '../../../support/books/backend.ts';
import { dumpBook } from '../../../support/faults/failing-statements.ts';
import { importOnThreads, importHere, openQuietBook, type QuietBook, type Steps } from '../../../support/books/quiet-book.ts';
import { canMount, mount, unmount } from '../../../support/faults/small-disk.ts';
import { IS_LONG, some } from '../../../support/long.ts';

const PART = IS_LONG ? 2 : 6;
const STREAMED: Steps = { wholeBytes: 10_000, stagedLines: 700 };
const SPILLED: Steps = { ...STREAMED, heldTexts: 300 };
const ROWS = 9_000 / PART;
const APART = 3_000 / PART;

/** Every third row stands there once more some thousand rows later. */
const twin = (at: number): number => (at > APART && at % 3 === 0 ? at - APART : at);
const line = (at: number): string => `2026-06-${(twin(at) % 20) + 10},Line ${twin(at)},${twin(at) % 90}.50`;
const FILES = {
  'twins without ids': { header: 'Date,Description,Amount', row: line },
  'ids of their own': { header: 'Date,Description,Amount,ID', row: (at: number) => `${line(at)},id-${at}` },
  'an id that stands there twice': {
    header: 'Date,Description,Amount,ID',
    row: (at: number) => `${line(at)},id-${at === ROWS - 4 ? 17 : at}`,
  },
};
type NameOfFile = keyof typeof FILES;

function write(folder: string, name: NameOfFile, rows = ROWS): string {
  const { header, row } = FILES[name];
  const file = path.join(folder, `${name}.csv`);
  writeFileSync(file, `${header}\n${Array.from({ length: rows }, (_, at) => row(at)).join('\n')}\n`);
  return file;
}

const spillFilesIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('tieout-reading-'));
const counted = (book: QuietBook, what: string) => book.database.connection.prepare(`SELECT count(*) FROM ${what}`).pluck().get();

/** What is stored, by whatever ids: those of rows that were taken back are not given again. */
function stored(book: QuietBook): string {
  const dump = dumpBook(book.database, ['jobs']);
  const records = dump['records']?.map((record) => ({ ...(record as object), id: 0, batch_id: 0, stream_id: 0 }));
  const audit = book.database.connection
    .prepare("SELECT detail FROM audit_log WHERE action = 'import_batch.created' ORDER BY id")
    .pluck()
    .all();
  return JSON.stringify([records, audit.map((detail) => (JSON.parse(String(detail)) as { rows_sha256: string }).rows_sha256)]);
}

test.each(some(Object.keys(FILES) as NameOfFile[], 1))('a file with %s is stored alike whether its rows are held or spilled', (name) => {
  const told = [SPILLED, STREAMED].map((steps) => {
    const book = openQuietBook();
    const without = ({ result }: ReturnType<typeof importHere>) =>
      JSON.stringify({ ...result, same_file: null, skipped_rows: result?.skipped_rows.map((row) => ({ ...row, record_id: 0 })) });
    const short = importHere(book, { path: write(book.folder, name, ROWS / 2), filename: 'short.csv' }, steps);
    const whole = importHere(book, { path: write(book.folder, name), filename: 'whole.csv' }, steps);
    const again = importHere(book, { path: write(book.folder, name), filename: 'again.csv' }, steps);
    const looked = importHere(book, { path: write(book.folder, name), dryRun: true }, steps);
    expect(again.result).toMatchObject({ rows: ROWS, kept: 0, skipped: ROWS });
    expect(spillFilesIn(book.folder)).toEqual([]);
    return [...[short, whole, again, looked].map(without), stored(book)];
  });
  expect(told[0]).toEqual(told[1]);
});

test.each(IS_LONG ? (Object.keys(FILES) as NameOfFile[]) : [])(
  'so is one with %s that another thread reads',
  { timeout: 120_000 },
  async (name) => {
    const told = await Promise.all(
      [SPILLED, STREAMED].map(async (steps) => {
        const book = openQuietBook();
        const file = write(book.folder, name);
        expect((await importOnThreads(book, { path: file }, steps)).result).toMatchObject({ kept: ROWS, skipped: 0 });
        expect((await importOnThreads(book, { path: file }, steps)).result).toMatchObject({ kept: 0, skipped: ROWS });
        expect(spillFilesIn(book.folder)).toEqual([]);
        return stored(book);
      }),
    );
    expect(told[0] === told[1]).toBe(true);
  },
);

test('an import that is cancelled, or refused, leaves no spill file', () => {
  const book = openQuietBook();
  const file = write(book.folder, 'twins without ids');
  const cancelled = importHere(book, { path: file }, { ...SPILLED, isCancelled: () => counted(book, 'records') !== 0 });
  expect(cancelled.end).toEqual({ end: 'cancelled' });
  expect(spillFilesIn(book.folder)).toEqual([]);
  book.recover();
  expect([counted(book, 'records'), counted(book, 'streams')]).toEqual([0, 0]);
  expect(importHere(book, { path: file }, SPILLED).result).toMatchObject({ kept: ROWS });
});

test('a spill file has no name while it is open and keeps its content; files of a dead process are removed at the next start', () => {
  const folder = testFolder();
  const files = new SpillFiles({ folder, heldTexts: undefined });
  const one = files.open();
  const other = files.open();
  one.write(Uint8Array.of(1, 2, 3), 0);
  other.write(Uint8Array.of(9), 0);
  one.write(Uint8Array.of(4), 3);
  const read = new Uint8Array(3);
  one.read(read, 1);
  expect([...read]).toEqual([2, 3, 4]);
  expect(() => one.read(read, 2)).toThrow('it has become shorter');
  expect(spillFilesIn(folder)).toEqual([]);
  one.close();
  files.close();
  expect(() => other.read(read, 0)).toThrow('EBADF');

  const book = openQuietBook();
  const left = path.join(book.folder, 'tieout-reading-0123456789abcdef0123456789abcdef.tmp');
  for (const file of [left, path.join(book.folder, 'tieout-reading-list.tmp')]) writeFileSync(file, 'x');
  book.recover();
  expect(spillFilesIn(book.folder)).toEqual(['tieout-reading-list.tmp']);
});

test('a folder that cannot hold a spill file is named, with a remedy', () => {
  const folder = path.join(testFolder(), 'gone');
  mkdirSync(folder);
  rmSync(folder, { recursive: true });
  expect(() => new SpillFiles({ folder, heldTexts: 1 }).open()).toThrow(
    new RegExp(`^the folder ${folder} must take a temporary file .*ENOENT.*: make it writable, and import the file again$`),
  );
});

test.each(IS_LONG && canMount() ? ['64k'] : [])(
  'where a disk of %s is full of spilled texts, nothing is stored and nothing is lost',
  async (size) => {
    const disk = testFolder();
    mount(disk, `size=${size}`);
    onTestFinished(() => void unmount(disk));
    // The book itself has room.
    const book = openQuietBook();
    const folder = path.join(disk, 'data');
    mkdirSync(folder);
    symlinkSync(path.join(book.folder, BOOK_FILE), path.join(folder, BOOK_FILE));
    const full = openQuietBook(folder);
    const rows = 2_250;
    const file = write(book.folder, 'ids of their own', rows);
    const steps = { ...STREAMED, heldTexts: 300 };
    for (const read of [async () => importHere(full, { path: file }, steps), async () => importOnThreads(full, { path: file }, steps)]) {
      const thrown: unknown = await read().catch((error: unknown) => error);
      expect(isStorageFull(thrown)).toBe(true);
      expect(spillFilesIn(folder)).toEqual([]);
      full.recover();
      expect([counted(full, 'records'), counted(full, 'import_batches'), counted(full, 'streams')]).toEqual([0, 0, 0]);
    }
    mount(disk, 'remount,size=8m');
    expect(importHere(full, { path: file }, steps).result).toMatchObject({ kept: rows, skipped: 0 });
  },
);
