import { cpSync, existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startBackend } from '../../../src-main/backend/backend.ts';
import { bookAt, folderNamed, KnownBooks } from '../../../src-main/book/store/known-books.ts';
import type { BookEvent } from '../../../src-shared/contract/index.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { folderWithNewBook, testClient, testClock, testFolder, testLog, testRandom } from '../../support/books/backend.ts';

/** A window's service on a book of its own user, whose other books lie beside it. */
async function started(dataFolder = folderWithNewBook(), userFolder = testFolder()) {
  const log = testLog();
  const options = { dataFolder, userFolder, clock: testClock(), random: testRandom(), log, version: '0.0.0-test' };
  const opened = await startBackend(options);
  assert(opened.ok, opened.ok ? '' : opened.error.message);
  const backend = opened.value;
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) await backend.close();
    isClosed = true;
  };
  onTestFinished(close);
  const events: BookEvent[] = [];
  backend.subscribe((event) => events.push(event));
  const client = testClient(backend);
  return { client, close, events, log, folder: dataFolder, userFolder, known: new KnownBooks(userFolder) };
}

const keysOf = async ({ client }: { readonly client: ReturnType<typeof testClient> }): Promise<string[]> =>
  (await client.get('streams.list', {})).map(({ key }) => key);
const place = (name: string): string => path.join(testFolder(), name);

describe('other books', () => {
  test('a new book is made in a folder of its own, and the former one is opened again from the list', async () => {
    const book = await started();
    await book.client.get('streams.create', { key: 'first', name: 'First' });
    const folder = place('Harbour Lane');
    const made = await book.client.get('books.create', { folder, name: 'Harbour Lane' });
    expect(made).toMatchObject({
      folder,
      books: [
        { folder, name: 'Harbour Lane', state: 'open' },
        { folder: book.folder, state: 'here' },
      ],
    });
    expect(await keysOf(book)).toEqual([]);
    expect((await book.client.get('book.overview', {})).name).toBe('Harbour Lane');
    expect((await book.client.get('book.condition', {})).folder).toBe(folder);
    await book.client.get('streams.create', { key: 'second', name: 'Second' });
    await book.client.get('backups.create', {});
    expect(readdirSync(path.join(folder, 'backups'))).not.toEqual([]);

    await book.client.get('books.open', { folder: book.folder });
    expect(await keysOf(book)).toEqual(['first']);
    expect(book.events.flatMap((event) => (event.kind === 'changed' ? event.areas : []))).toContain('matches');
    expect(book.log.lines).toEqual([]);
  });

  test('the book that was chosen last is the one of the next start, and the folder left is free for another Tieout', async () => {
    const book = await started();
    expect(book.known.chosen()).toBeNull();
    const folder = place('next');
    await book.client.get('books.create', { folder, name: 'Next' });
    expect(book.known.chosen()).toBe(folder);
    const other = await started(book.folder, book.userFolder);
    expect((await other.client.get('books.list', {})).books.map(({ state }) => state)).toEqual(['open', 'in_use']);
    const refused = await book.client.refusal('books.open', { folder: book.folder });
    expect([refused.code, refused.message]).toEqual(['conflict', expect.stringContaining('Another Tieout is using')]);
    expect((await book.client.get('book.condition', {})).folder).toBe(folder);
    expect(book.known.chosen()).toBe(folder);
    // A book that is gone is not opened by the next start.
    await book.client.get('books.open', { folder: (await aBook()).folder });
    rmSync(folder, { recursive: true });
    expect((await book.client.get('books.list', {})).books.find((each) => each.folder === folder)?.state).toBe('gone');
    const left = await book.client.get('books.forget', { folder });
    expect(left.books.map((each) => each.folder)).not.toContain(folder);
  });

  test('a folder without a book, one that holds something, and a mistyped one are refused, and the book stays open', async () => {
    const book = await started();
    await book.client.get('streams.create', { key: 'kept', name: 'Kept' });
    const full = testFolder();
    writeFileSync(path.join(full, 'letter.txt'), 'Dear Ben');
    const refusals = [
      ['books.open', full, 'There is no book in'],
      ['books.open', path.join(full, 'absent'), 'There is no book in'],
      ['books.open', book.folder, 'is the one that is open'],
      ['books.open', 'books/2026', 'is not the whole path'],
      ['books.create', full, 'is not an empty folder'],
      ['books.create', book.folder, 'is the one that is open'],
      ['books.create', (await aBook()).folder, 'There is a book in'],
      ['books.move', full, 'is not an empty folder'],
      ['books.move', path.join(book.folder, 'within'), 'is within the folder of this book'],
    ] as const;
    for (const [operation, folder, words] of refusals) {
      const input = operation === 'books.create' ? { folder, name: 'New' } : { folder };
      expect((await book.client.refusal(operation, input as never)).message, `${operation} ${folder}`).toContain(words);
    }
    expect(readdirSync(full)).toEqual(['letter.txt']);
    expect(existsSync(path.join(full, 'absent'))).toBe(false);
    expect(await keysOf(book)).toEqual(['kept']);
  });

  test('found once: a move to a place that cannot hold a folder never ended', async () => {
    const book = await started();
    await book.client.get('streams.create', { key: 'kept', name: 'Kept' });
    const file = path.join(testFolder(), 'letter.txt');
    writeFileSync(file, 'Dear Ben');
    for (const folder of [path.join(file, 'books', 'new'), ...(existsSync('/proc/self') ? ['/proc/tieout/new'] : [])]) {
      for (const operation of ['books.move', 'books.create'] as const) {
        const input = operation === 'books.create' ? { folder, name: 'New' } : { folder };
        expect((await book.client.refusal(operation, input as never)).message, `${operation} ${folder}`).toContain('cannot be used');
      }
    }
    expect(await keysOf(book)).toEqual(['kept']);
  });

  test('found once: a link hid that the new place lies within the folder of the book, which was then to be deleted', async () => {
    const book = await started();
    const link = place('link');
    symlinkSync(book.folder, link, 'junction');
    const within = path.join(link, 'more', 'within');
    for (const [operation, folder, words] of [
      ['books.move', within, 'is within the folder of this book'],
      ['books.create', within, 'is within the folder of this book'],
      ['books.move', link, 'is the one that is open'],
      ['books.open', link, 'is the one that is open'],
    ] as const) {
      const input = operation === 'books.create' ? { folder, name: 'New' } : { folder };
      expect((await book.client.refusal(operation, input as never)).message, `over ${operation}`).toContain(words);
    }
    expect(existsSync(path.join(book.folder, 'more'))).toBe(false);
  });

  test('a damaged or foreign book is refused after this one was closed, which is opened again', async () => {
    const book = await started();
    await book.client.get('streams.create', { key: 'kept', name: 'Kept' });
    const foreign = testFolder();
    writeFileSync(path.join(foreign, 'book.sqlite'), Buffer.alloc(8_192, 0x41));
    const refused = await book.client.refusal('books.open', { folder: foreign });
    expect([refused.code, refused.message]).toEqual(['book_unavailable', expect.stringContaining('is not a book of Tieout or is damaged')]);
    expect(await keysOf(book)).toEqual(['kept']);
    await book.client.get('streams.create', { key: 'written', name: 'Written' });
    expect((await book.client.get('book.condition', {})).condition).toBe('open');
  });

  test('a path is taken as a person gives it: in quotes, or by a file that stands for the book', async () => {
    const book = await started();
    const other = (await aBook()).folder;
    expect((await book.client.get('books.open', { folder: ` "${other}" ` })).folder).toBe(other);
    expect((await book.client.get('books.open', { folder: path.join(book.folder, 'book.tieout') })).folder).toBe(book.folder);
    expect((await book.client.get('books.open', { folder: path.join(other, 'book.sqlite') })).folder).toBe(other);
    expect([folderNamed('"~/books"'), folderNamed("'~'"), folderNamed('~other')]).toEqual([path.join(homedir(), 'books'), homedir(), null]);
    expect(bookAt(path.join(other, 'book.tieout'))).toBe(other);
    expect([bookAt(other), bookAt(path.join(other, 'book.sqlite')), bookAt(place('absent.tieout'))]).toEqual([other, null, null]);
  });
});

describe('moving a book', () => {
  test('the copy has the lines, the backups and the history, and the old folder stays until a person deletes it', async () => {
    const book = await started();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    await book.client.get('backups.create', {});
    const folder = place('moved');
    const moved = await book.client.get('books.move', { folder });
    expect(moved.books).toMatchObject([{ folder, state: 'open', left_at: book.folder }]);
    expect(await keysOf(book)).toEqual(['bank']);
    expect((await book.client.get('backups.list', {})).backups).toHaveLength(1);
    expect(existsSync(path.join(book.folder, 'book.sqlite'))).toBe(true);
    expect(JSON.stringify(await book.client.get('history.list', {}))).toContain('Book moved');
    await book.client.get('streams.create', { key: 'later', name: 'Later' });
    rmSync(book.folder, { recursive: true });
    expect((await book.client.get('books.list', {})).books[0]?.left_at).toBeNull();
  });

  test('a copy that does not pass the checks is taken away, and the book goes on where it was', async () => {
    const folder = folderWithNewBook();
    const before = await started(folder);
    await before.client.get('streams.create', { key: 'bank', name: 'Bank' });
    await before.close();
    const connection = new SqliteDatabase(path.join(folder, 'book.sqlite'));
    connection.prepare("UPDATE streams SET name = 'Changed without Tieout'").run();
    connection.close();
    const book = await started(folder);
    const to = place('copy');
    const refused = await book.client.refusal('books.move', { folder: to });
    expect([refused.code, refused.message]).toEqual([
      'backup_failed',
      expect.stringContaining('so it was taken away and the book stays where it was'),
    ]);
    expect(existsSync(to)).toBe(false);
    expect(await keysOf(book)).toEqual(['bank']);
    expect((await book.client.get('books.list', {})).folder).toBe(folder);
  });
});

async function aBook(): Promise<{ readonly folder: string }> {
  const folder = path.join(testFolder(), 'other');
  cpSync(folderWithNewBook(), folder, { recursive: true });
  return { folder };
}
