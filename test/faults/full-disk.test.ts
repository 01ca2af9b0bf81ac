import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { assert } from '../../src-shared/values/assert.ts';
import { openTestBook, testFolder } from '../support/books/backend.ts';
import { IS_LONG } from '../support/long.ts';
import { canMount, mount, unmount } from '../support/faults/small-disk.ts';
import { importHere, openQuietBook } from '../support/books/quiet-book.ts';

/** More than fits on the disk, and more than the book may grow by. */
const [ROWS, IN_BOOK] = IS_LONG ? [12_000, 5_000] : [8_000, 1_500];

const DISK_FULL = 'The disk is full. Nothing of this was stored: free some space and try again.';

function longFile(folder: string, lines: number): string {
  const file = path.join(folder, 'long.csv');
  const rows = Array.from(
    { length: lines },
    (_, index) => `2026-06-${String((index % 30) + 1).padStart(2, '0')},Line ${index} ${'x'.repeat(80)},${index + 1}.00`,
  );
  writeFileSync(file, `Date,Description,Amount\n${rows.join('\n')}\n`);
  return file;
}

test('a job whose book may not grow is taken back, and works once it may', async () => {
  const book = openQuietBook();
  const file = longFile(book.folder, IN_BOOK);
  const { connection } = book.jobDatabase;
  const pages = Number(connection.pragma('page_count', { simple: true }));
  connection.pragma(`max_page_count = ${pages + 40}`);
  expect(() => importHere(book, { path: file })).toThrow('database or disk is full');
  book.recover();
  expect(await book.client.get('streams.list', {})).toEqual([]);
  expect(book.database.connection.prepare('SELECT count(*) FROM records').pluck().get()).toBe(0);
  connection.pragma('max_page_count = 1000000');
  expect(importHere(book, { path: file }).result).toMatchObject({ kept: IN_BOOK, skipped: 0 });
});

test.each(IS_LONG && canMount() ? ['2300k'] : [])(
  'on a real disk of %s an import fails with its sentence, and succeeds once there is room',
  async (size) => {
    const disk = testFolder();
    mount(disk, `size=${size}`);
    onTestFinished(() => void unmount(disk));
    const file = longFile(testFolder(), ROWS);
    const book = await openTestBook(path.join(disk, 'data'));
    await book.client.get('streams.create', { key: 'other', name: 'Other' });
    const start = async () => {
      const chosen = book.backend.registerFile(file);
      assert(chosen.ok, 'the file was just written');
      return book.client.get('imports.start', { file_token: chosen.value.token, stream_key: 'bank', currency: 'USD' });
    };
    const job = await start();
    // What the worker cannot even take back on a full disk is taken back when there is room; the book answers all the while.
    await expect.poll(() => book.log.lines.length, { timeout: 10_000 }).toBeGreaterThan(0);
    const streams = async () => (await book.client.get('streams.list', {})).map((stream) => [stream.key, stream.record_count]);
    expect(await streams()).toContainEqual(['other', 0]);
    mount(disk, 'remount,size=64m');
    expect(await book.ended(job)).toMatchObject({ status: 'failed', error_message: DISK_FULL, import_result: null });
    // The end is told at once; what was written is taken back by the queue's next try.
    await expect.poll(streams, { timeout: 10_000 }).toEqual([['other', 0]]);
    const again = await book.ended(await start());
    expect(again.import_result).toMatchObject({ kept: ROWS, skipped: 0 });
    await book.close();
  },
);
