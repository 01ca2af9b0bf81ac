import { writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { CHECKS, verifyBook } from '../../../src-main/book/work/verify-book.ts';
import { undoHere } from '../../support/books/wipes.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const HEADER = 'Date,Description,Amount';
/** Files are read in stretches because they are said to be large. */
const STREAMED = { wholeBytes: 10 } as const;

function importRows(
  book: QuietBook,
  name: string,
  rows: readonly string[],
  how: Parameters<typeof importHere>[2] = {},
  header = HEADER,
): void {
  const file = path.join(book.folder, name);
  writeFileSync(file, `${header}\n${rows.join('\n')}\n`);
  expect(importHere(book, { path: file }, how).end).toEqual({ end: 'completed' });
}

/** Of each line what it says of returns, with lines named by their descriptions. */
async function links(book: QuietBook): Promise<Record<string, string | null>> {
  const { data } = await book.client.get('records.list', { data_stream_key: 'bank', limit: 100, sort: 'date' });
  const names = new Map(data.map(({ id, description }) => [id, description ?? '']));
  for (const { id, reverses_record_id: original } of data) {
    if (original === null) continue;
    expect(data.find((one) => one.id === original)?.reversed_by_record_id).toBe(id);
  }
  return Object.fromEntries(
    data
      .filter(({ reversal_reason: reason }) => reason !== null)
      .map((one) => [one.description, names.get(one.reverses_record_id ?? 0) ?? null]),
  );
}

test.each([
  ['whole', {}],
  ['in stretches', STREAMED],
] as const)(
  'a file read %s: the amount within 60 days, a reference among several, and no link where neither decides',
  async (_how, how) => {
    const book = openQuietBook();
    importRows(
      book,
      'june.csv',
      [
        '2026-06-01,Gas 1,-45.20',
        '2026-06-02,Rent INV-4711,-900.00',
        '2026-06-02,Rent INV-4712,-900.00',
        '2026-06-03,Twin A,-10.00',
        '2026-06-03,Twin B,-10.00',
        '2026-06-04,RETOURE Gas,45.20',
        '2026-06-05,Returned payment INV-4712,900.00',
        '2026-06-06,STORNO,10.00',
        '2026-06-07,Returned goods,33.00',
        '2026-06-01,Goods,-33.00',
        '2026-06-08,Reversal without original,77.00',
      ],
      how,
    );
    expect(await links(book)).toEqual({ 'RETOURE Gas': 'Gas 1', 'Returned payment INV-4712': 'Rent INV-4712' });
  },
);

test('either order on one day, not before it, and not after 60 days', async () => {
  const book = openQuietBook();
  importRows(book, 'a.csv', [
    '2026-06-01,STORNO one,10.00',
    '2026-06-01,One,-10.00',
    '2026-06-02,STORNO two,20.00',
    '2026-06-03,Two,-20.00',
  ]);
  importRows(book, 'b.csv', [
    '2026-01-01,Three,-30.00',
    '2026-03-02,STORNO three,30.00',
    '2026-01-01,Four,-40.00',
    '2026-03-03,STORNO four,40.00',
  ]);
  expect(await links(book)).toEqual({ 'STORNO one': 'One', 'STORNO three': 'Three' });
});

test('the original comes first, or later by another import; undo and deletion let go of it', async () => {
  const book = openQuietBook();
  importRows(book, 'june.csv', ['2026-06-01,Gas,-45.20']);
  importRows(book, 'july.csv', ['2026-07-01,RETOURE Gas,45.20', '2026-07-02,RETOURE Water,12.00'], STREAMED);
  expect(await links(book)).toEqual({ 'RETOURE Gas': 'Gas' });
  importRows(book, 'late.csv', ['2026-06-20,Water,-12.00']);
  expect(await links(book)).toEqual({ 'RETOURE Gas': 'Gas', 'RETOURE Water': 'Water' });

  const { data } = await book.client.get('records.list', { data_stream_key: 'bank', limit: 100 });
  const water = data.find(({ description }) => description === 'Water');
  await book.client.call('records.remove', { id: String(water?.id) });
  expect(await links(book)).toEqual({ 'RETOURE Gas': 'Gas' });
  importRows(book, 'late-again.csv', ['2026-06-21,Water again,-12.00']);
  expect(await links(book)).toEqual({ 'RETOURE Gas': 'Gas', 'RETOURE Water': 'Water again' });
});

test('a return loses its original when the import of that is undone, until it is imported again', async () => {
  const book = openQuietBook();
  const original = ['2026-06-01,Gas,-45.20'];
  importRows(book, 'june.csv', original);
  importRows(book, 'july.csv', ['2026-07-01,RETOURE,45.20']);
  expect(await links(book)).toEqual({ RETOURE: 'Gas' });
  const { data } = await book.client.get('import_batches.list', { key: 'bank' });
  undoHere(book, data.find(({ filename }) => filename === 'june.csv')?.id ?? 0);
  expect(await links(book)).toEqual({});
  importRows(book, 'june.csv', original);
  expect(await links(book)).toEqual({ RETOURE: 'Gas' });
  const csv = await book.client.get('records.list', { data_stream_key: 'bank', limit: 5 });
  expect(csv.data.map(({ reversal_reason: reason }) => reason).toSorted()).toEqual(['Its text says RETOURE', null].toSorted());
});

test('an edit that makes the amounts differ unlinks the original', async () => {
  const book = openQuietBook();
  importRows(book, 'june.csv', ['2026-06-01,Gas,-45.20', '2026-06-02,RETOURE,45.20']);
  const { data } = await book.client.get('records.list', { data_stream_key: 'bank', limit: 100 });
  const gas = data.find(({ description }) => description === 'Gas');
  await book.client.call('records.update', { id: String(gas?.id), amount: -4521 });
  expect(await links(book)).toEqual({});
  await book.client.call('records.update', { id: String(gas?.id), amount: -4520 });
  expect(await links(book)).toEqual({ RETOURE: 'Gas' });
});

test('verify finds a book with returns sound, and a link that something else changed', async () => {
  const book = openQuietBook();
  importRows(book, 'june.csv', ['2026-06-01,Gas,-45.20', '2026-06-02,RETOURE,45.20'], STREAMED);
  const findings = () =>
    verifyBook(book.database, CHECKS, () => undefined).flatMap(({ findings: found }) => found.map(({ message }) => message));
  expect(findings()).toEqual([]);
  const other = new SqliteDatabase(path.join(book.folder, 'book.sqlite'));
  other.exec('UPDATE reversals SET reverses_record_id = NULL');
  other.close();
  expect(findings().join(' ')).toMatch(/reversal/);
});

test('a line has at most one return', async () => {
  const book = openQuietBook();
  importRows(book, 'june.csv', ['2026-06-01,Gas,-45.20', '2026-06-02,RETOURE,45.20']);
  importRows(book, 'july.csv', ['2026-06-09,RETOURE again,45.20']);
  expect(await links(book)).toEqual({ RETOURE: 'Gas' });
});

test('two returns of one line: neither is linked to it', async () => {
  const book = openQuietBook();
  importRows(book, 'june.csv', ['2026-06-01,Gas,-45.20', '2026-06-02,RETOURE a,45.20', '2026-06-03,RETOURE b,45.20']);
  expect(await links(book)).toEqual({});
});
