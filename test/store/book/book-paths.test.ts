import { linkSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockFolder } from '../../../src-main/book/store/folder-lock.ts';
import { folderWithNewBook, testFolder } from '../../support/books/backend.ts';

const holder = { pid: process.pid, what: 'test', sinceMs: 0 };

function isTaken(folder: string): boolean {
  const lock = lockFolder(folder, holder);
  if (lock.ok) lock.value.release();
  return !lock.ok;
}

const PATHS: Readonly<Record<string, (folder: string) => string>> = {
  'a link to its folder': (folder) => {
    const link = path.join(testFolder(), 'link');
    symlinkSync(folder, link, 'junction');
    return link;
  },
  'a link to its file': (folder) => {
    const other = path.join(testFolder(), 'other');
    mkdirSync(other);
    symlinkSync(path.join(folder, 'book.sqlite'), path.join(other, 'book.sqlite'));
    return other;
  },
  'a second name of its file': (folder) => {
    const other = path.join(testFolder(), 'other');
    mkdirSync(other);
    linkSync(path.join(folder, 'book.sqlite'), path.join(other, 'book.sqlite'));
    return other;
  },
  'its own path after the lock file was deleted': (folder) => {
    rmSync(path.join(folder, 'book.lock'));
    return folder;
  },
};

test.each(Object.keys(PATHS))('a book that is open is not opened a second time by %s', (name) => {
  const folder = folderWithNewBook();
  const lock = lockFolder(folder, holder);
  if (!lock.ok) throw new Error('the folder is free');
  onTestFinished(() => lock.value.release());
  const other = PATHS[name]?.(folder) ?? folder;
  expect(isTaken(other)).toBe(true);
  lock.value.release();
  expect(isTaken(other)).toBe(false);
});

test('a book that is made while its folder is held is held from then on, and another book beside it is free', () => {
  const made = folderWithNewBook();
  const folder = path.join(testFolder(), 'new');
  const lock = lockFolder(folder, holder);
  if (!lock.ok) throw new Error('the folder is free');
  onTestFinished(() => lock.value.release());
  expect(isTaken(made)).toBe(false);
  linkSync(path.join(made, 'book.sqlite'), path.join(folder, 'book.sqlite'));
  lock.value.noteBook();
  expect(isTaken(made)).toBe(true);
  expect(isTaken(folderWithNewBook())).toBe(false);
});
