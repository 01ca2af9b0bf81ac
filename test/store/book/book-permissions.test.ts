import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openTestBook, testFolder } from '../../support/books/backend.ts';

const modeOf = (place: string): number => statSync(place).mode & 0o777;
const modesIn = (folder: string): Record<string, number> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(path.join(folder, name))]));

test('the folder of a book is its owner’s alone, and so is every file in it', async () => {
  const folder = path.join(testFolder(), 'books', 'mine');
  const book = await openTestBook(folder);
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  expect(modeOf(folder)).toBe(0o700);
  expect(modesIn(folder)).toEqual({
    'book.holder.json': 0o600,
    'book.lock': 0o600,
    'book.sqlite': 0o600,
    'book.sqlite-shm': 0o600,
    'book.sqlite-wal': 0o600,
    backups: 0o700,
  });
});

test('a book that others could read is closed to them when it is opened', async () => {
  const folder = testFolder();
  await (await openTestBook(folder)).close();
  chmodSync(folder, 0o755);
  for (const name of ['book.sqlite', 'book.lock']) chmodSync(path.join(folder, name), 0o644);
  const book = await openTestBook(folder);
  expect(modeOf(folder)).toBe(0o700);
  expect(modesIn(folder)).toMatchObject({ 'book.lock': 0o600, 'book.sqlite': 0o600 });
  await book.close();
});

test('a folder with files of somebody else stays as open as it is; the files of the book do not', async () => {
  const folder = testFolder();
  chmodSync(folder, 0o755);
  writeFileSync(path.join(folder, 'letter.txt'), 'Dear');
  chmodSync(path.join(folder, 'letter.txt'), 0o644);
  mkdirSync(path.join(folder, 'photos'));
  await openTestBook(folder);
  expect(modeOf(folder)).toBe(0o755);
  expect(modesIn(folder)).toMatchObject({ 'letter.txt': 0o644, 'book.sqlite': 0o600, 'book.lock': 0o600, backups: 0o700 });
});
