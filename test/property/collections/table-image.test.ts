import SqliteDatabase from 'better-sqlite3';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfImage, TableImage } from '../../../src-main/imports/work/stage.ts';
import { quickTest, runs } from '../../support/long.ts';

type Value = number | string | null;
const COLUMNS = ['one', 'two', 'three'] as const;

function add(image: TableImage, row: readonly Value[]): void {
  for (const value of row) {
    if (typeof value === 'number') image.int(value);
    else image.textOrNull(value);
  }
  image.end();
}

/** What SQLite reads of an image that it finds no fault with. */
function readBack(image: TableImage): unknown {
  const bytes = image.finished();
  const database = new SqliteDatabase(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    return database
      .prepare(`SELECT rowid, ${COLUMNS.join(', ')} FROM rows ORDER BY rowid`)
      .raw()
      .all();
  } finally {
    database.close();
  }
}

const numbered = (rows: readonly (readonly Value[])[]) => rows.map((row, at) => [at + 1, ...row]);

const whole = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.maxSafeNat(),
  fc.constantFrom(0, 1, -1, 2, 127, 128, 32_767, 32_768, -32_768, -32_769, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, -(2 ** 31)),
);
// Half a pair of surrogates is no text: SQLite is given another sign for it, as it is by binding.
const words = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom('', 'é', '€', 'a\u0000b', '\u{1F600}', 'x'.repeat(20), 'x'.repeat(21), 'é'.repeat(21), 'long '.repeat(3_000)),
);
const value = fc.oneof(whole, words, fc.constant(null));
const rows = fc.array(fc.tuple(value, value, value), { maxLength: 40 });

test('SQLite reads from an image what was written to it, one table after another in the same place', () => {
  const image = new TableImage(new Uint8Array(bytesOfImage(60)), 'rows', COLUMNS);
  fc.assert(
    fc.property(rows, (written) => {
      image.clear();
      for (const row of written) add(image, row);
      expect(image.isFull).toBe(false);
      expect(image.rows).toBe(written.length);
      expect(readBack(image)).toEqual(numbered(written));
    }),
    { numRuns: runs(300) },
  );
});

quickTest('an image takes rows until it is full, however long they are', () => {
  for (const [pages, length] of [
    [1, 10],
    [2, 25_000],
    [3, 100],
    [64, 20_000],
    [40, 3],
  ] as const) {
    const image = new TableImage(new Uint8Array(bytesOfImage(pages)), 'rows', COLUMNS);
    const written: Value[][] = [];
    while (!image.isFull) {
      const row = [written.length, 'x'.repeat(length - (written.length % 3)), null];
      written.push(row);
      add(image, row);
    }
    expect(written.length).toBeGreaterThanOrEqual(pages);
    expect(readBack(image)).toEqual(numbered(written));
  }
});

test('a row that is longer than a page takes is a fault, and so is one behind the last', () => {
  const image = new TableImage(new Uint8Array(bytesOfImage(1)), 'rows', COLUMNS);
  expect(() => add(image, ['x'.repeat(61_000), null, null])).toThrow('a row fits into a page');
  const full = new TableImage(new Uint8Array(bytesOfImage(1)), 'rows', COLUMNS);
  expect(() => {
    for (let row = 0; row < 9; row += 1) add(full, ['x'.repeat(20_000), null, null]);
  }).toThrow('nothing is added to a full table');
});
