import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { failed, success } from '../../../src-shared/values/result.ts';
import type { ChosenFile, Outcome } from '../../../src-shared/contract/wire.ts';
import { createOpenedThings, placeOfLink } from '../../../src-main/shell/opened.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-opened-'));
fs.writeFileSync(path.join(folder, 'june.ofx'), 'x');
fs.writeFileSync(path.join(folder, 'refused.ofx'), 'x');
fs.mkdirSync(path.join(folder, 'program'));
fs.writeFileSync(path.join(folder, 'program', 'main.js'), 'x');
afterAll(() => fs.rmSync(folder, { recursive: true }));

function things() {
  const refused: string[] = [];
  const books: string[] = [];
  let opened = 0;
  const log = { info: () => {}, warning: () => {}, error: () => {} };
  const made = createOpenedThings({
    programFolder: path.join(folder, 'program'),
    registerFile: async (file): Promise<Outcome<ChosenFile>> => {
      const name = path.basename(file);
      if (name === 'refused.ofx') return failed({ code: 'not_found', message: 'it cannot be read' });
      return success({ token: name, name, byteLength: 1 });
    },
    bookAt: (place) => (place.endsWith('.tieout') ? path.dirname(place) : null),
    openBook: (book) => books.push(book),
    onOpened: () => (opened += 1),
    onRefused: (name, message) => refused.push(`${name}: ${message}`),
    log,
  });
  return { ...made, refused, books, opened: () => opened };
}

test('files and the last link wait until they are taken, once', async () => {
  const made = things();
  made.add(['june.ofx', '--flag', 'absent.ofx', 'tieout://accounts', 'TIEOUT://reconciliations/1/close?period=2', 'june.ofx'], folder);
  expect(made.opened()).toBe(1);
  const taken = await made.take();
  expect(taken).toEqual({ files: [{ token: 'june.ofx', name: 'june.ofx', byteLength: 1 }], place: '/reconciliations/1/close?period=2' });
  expect(await made.take()).toEqual({ files: [], place: null });
});

test('a file that cannot be used is named, and the others are taken', async () => {
  const made = things();
  made.add(['refused.ofx', 'june.ofx'], folder);
  expect((await made.take()).files).toHaveLength(1);
  expect(made.refused).toEqual(['refused.ofx: it cannot be read']);
});

test('a file that stands for a book opens the book beside it, and is no statement', async () => {
  const made = things();
  made.add(['books/book.tieout', 'june.ofx'], folder);
  expect(made.books).toEqual([path.join(folder, 'books')]);
  expect((await made.take()).files.map(({ name }) => name)).toEqual(['june.ofx']);
});

test('arguments without a file or link open nothing', () => {
  const made = things();
  made.add(['.', folder, 'program/main.js', 'absent.csv', 'https://example.invalid/'], folder);
  expect(made.opened()).toBe(0);
});

test.each([
  ['tieout://settings', '/settings'],
  ['tieout:///settings', '/settings'],
  ['tieout://', '/'],
  ['https://tieout/', null],
  ['tieout', null],
])('%s leads to %s', (link, place) => {
  expect(placeOfLink(link)).toBe(place);
});
