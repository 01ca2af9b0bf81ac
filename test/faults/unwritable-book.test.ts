import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startBackend } from '../../src-main/backend/backend.ts';
import { openTestBook, testClock, testFolder, testLog, testRandom } from '../support/books/backend.ts';
import { openQuietBook } from '../support/books/quiet-book.ts';
import { canMount, mount, unmount } from '../support/faults/small-disk.ts';
import { runCli } from '../support/processes/run-cli.ts';

/** A disk that can only be read, with a book on it whose process died: its log and index of that are still there. */
async function unwritableBook(size: string): Promise<string> {
  const book = await openTestBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const disk = testFolder();
  mount(disk, `size=${size}`);
  onTestFinished(() => void unmount(disk));
  const folder = path.join(disk, 'book');
  cpSync(book.folder, folder, { recursive: true });
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['book.sqlite-shm', 'book.sqlite-wal']));
  mount(disk, 'remount,ro');
  return folder;
}

test.each(canMount() ? ['16m'] : [])(
  'a book on a disk of %s that can only be read is refused in a sentence, and not at every write',
  async (size) => {
    const folder = await unwritableBook(size);
    const refused = await startBackend({ dataFolder: folder, clock: testClock(), random: testRandom(), log: testLog(), version: '0' });
    expect(refused).toMatchObject({
      ok: false,
      error: {
        code: 'folder_unusable',
        message: `The book in ${folder} cannot be written: the disk of ${folder} is read-only. Make it writable, or restore a backup of it into another folder. Nothing was changed.`,
      },
    });
    const served = await runCli('serve', '--data', folder, '--json');
    expect([served.exitCode, served.document]).toMatchObject([3, { error: { code: 'folder_unusable' } }]);
  },
);

test('a book that cannot be written any more says so, instead of failing without a word', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  book.database.connection.pragma('query_only = ON');
  const refusal = await book.client.refusal('streams.create', { key: 'cards', name: 'Cards' });
  expect(refusal.code).toBe('book_read_only');
  expect(refusal.message).toContain('nothing was changed');
  expect((await book.client.get('streams.list', {})).map(({ key }) => key)).toEqual(['bank']);
});
