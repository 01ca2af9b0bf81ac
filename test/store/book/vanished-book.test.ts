import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startBackend } from '../../../src-main/backend/backend.ts';
import { openBook } from '../../../src-main/book/store/book.ts';
import { openTestBook, testClock, testFolder, testLog, testRandom } from '../../support/books/backend.ts';

const start = (dataFolder: string) =>
  startBackend({ dataFolder, clock: testClock(), random: testRandom(), log: testLog(), version: '0.0.0-test' });

/** A folder whose book was closed, and the path of that book. */
async function closedBook(): Promise<{ readonly folder: string; readonly file: string }> {
  const book = await openTestBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await book.close();
  return { folder: book.folder, file: path.join(book.folder, 'book.sqlite') };
}

test.each([0, 1, 99])('a book cut to %i bytes is no new book: it is refused, and stays as it is', async (bytes) => {
  const { folder, file } = await closedBook();
  truncateSync(file, bytes);
  const before = readFileSync(file);
  const refused = await start(folder);
  expect(refused).toMatchObject({ ok: false, error: { code: 'book_empty' } });
  expect(openBook(folder)).toMatchObject({ ok: false, error: { code: 'book_empty' } });
  expect(readFileSync(file)).toEqual(before);
});

test('a book that has vanished from its folder is not made anew', async () => {
  const { folder, file } = await closedBook();
  rmSync(file);
  const refused = await start(folder);
  expect(refused).toMatchObject({ ok: false, error: { code: 'book_missing', message: expect.stringContaining(folder) } });
  expect(existsSync(file)).toBe(false);
  // Looking does not make it new either.
  expect(openBook(folder)).toMatchObject({ ok: false, error: { code: 'book_missing' } });
});

test('the lock of a book tells that one was here, when all else is gone', async () => {
  const { folder } = await closedBook();
  for (const name of ['book.sqlite', 'backups']) rmSync(path.join(folder, name), { recursive: true, force: true });
  expect(await start(folder)).toMatchObject({ ok: false, error: { code: 'book_missing' } });
});

test.each(['backups', 'book.anchor', 'book.sqlite-wal'])('%s alone tells that a book was here', async (trace) => {
  const folder = testFolder();
  if (trace === 'backups') mkdirSync(path.join(folder, trace));
  else writeFileSync(path.join(folder, trace), 'something');
  expect(await start(folder)).toMatchObject({ ok: false, error: { code: 'book_missing' } });
});

test('what a first start leaves that did not come to its end is no trace of a book', async () => {
  const folder = testFolder();
  writeFileSync(path.join(folder, 'book.lock'), '');
  writeFileSync(path.join(folder, 'book.sqlite.making-999999999'), 'half a book');
  const started = await start(folder);
  expect(started.ok).toBe(true);
  if (started.ok) await started.value.close();
  expect(existsSync(path.join(folder, 'book.sqlite.making-999999999'))).toBe(false);
});
