import { expect, test } from 'vitest';
import { bareRecords } from '../../src-main/domain/records/record-columns.ts';
import { isPackingDue } from '../../src-main/records/store/column-packs.ts';
import { freeColumns } from '../../src-main/records/work/engine-columns.ts';
import { packBook } from '../../src-main/records/work/pack-stream.ts';
import { present } from '../../src-shared/values/assert.ts';
import { numbered, setUpPair } from '../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../support/books/quiet-book.ts';
import { thrownWithFailingStatement } from '../support/faults/failing-statements.ts';
import { IS_LONG, quickTest, some } from '../support/long.ts';

const MOST_STATEMENTS = 80;
/** Each statement is tried in the long tests, every second one in `npm test`. */
const STRIDE = IS_LONG ? 1 : 2;
const LIMITS = { fewest: 3, most: 8 };

function read({ database }: QuietBook) {
  const doubted: number[] = [];
  const asked = { reconciliationId: 1, streams: { a: [1], b: [2] }, fields: { a: [], b: [] } };
  const control = { onProgress: () => undefined, isCancelled: () => false, onDoubt: (id: number) => doubted.push(id) };
  const { a, b } = present(freeColumns(database, asked, control), 'columns');
  return { a: bareRecords(a), b: bareRecords(b), doubted };
}

const never = { isStopped: () => false, onProgress: () => undefined };
const count = (book: QuietBook, sql: string) => book.database.connection.prepare(`SELECT count(*) FROM ${sql}`).pluck().get() as number;

test.each(some(['once', 'forever'] as const, 1))(
  'whichever statement of packing fails (%s), what runs read stays right, and later all is packed',
  async (how) => {
    const book = openQuietBook();
    await setUpPair(book.client, { a: numbered(20), b: numbered(7) });
    const before = read(book);
    let failures = 0;
    for (let nth = 1; nth <= MOST_STATEMENTS; nth += STRIDE) {
      // An earlier pack is in the way of every try.
      book.database.connection.exec('DELETE FROM column_packs WHERE stream_id = 1 AND first_id = 0; UPDATE column_state SET is_stale = 1');
      const { thrown } = await thrownWithFailingStatement(nth, () => packBook(book.jobDatabase, never, LIMITS), how);
      expect(read(book)).toEqual(before);
      if (thrown === '') break;
      failures += 1;
      expect(thrown).toContain('database or disk is full');
    }
    expect(failures).toBeGreaterThan(12 / STRIDE);
    packBook(book.jobDatabase, never, LIMITS);
    expect(read(book)).toEqual(before);
    expect(isPackingDue(book.database)).toBe(false);
    expect(count(book, 'column_packs WHERE ready = 1')).toBeGreaterThan(2);
    expect(count(book, 'column_packs WHERE ready = 0')).toBe(0);
    expect(count(book, 'column_parts WHERE pack_id NOT IN (SELECT id FROM column_packs)')).toBe(0);
  },
);

quickTest('packing that is stopped at any time leaves what is right, and goes on another time', async () => {
  const book = openQuietBook();
  await setUpPair(book.client, { a: numbered(20), b: numbered(7) });
  const before = read(book);
  for (let looks = 0; isPackingDue(book.database, LIMITS.fewest); looks += 1) {
    let left = looks;
    packBook(book.jobDatabase, { ...never, isStopped: () => (left -= 1) < 0 }, LIMITS);
    expect(read(book)).toEqual(before);
  }
  expect(count(book, 'column_packs WHERE ready = 1')).toBeGreaterThan(2);
  expect(read(book)).toEqual(before);
});
