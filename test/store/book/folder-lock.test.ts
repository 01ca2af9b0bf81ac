import { expect, test } from 'vitest';
import { startBackend } from '../../../src-main/backend/backend.ts';
import { openTestBook, testClock, testLog, testRandom } from '../../support/books/backend.ts';

const start = (dataFolder: string) =>
  startBackend({ dataFolder, clock: testClock(), random: testRandom(), log: testLog(), version: '0.0.0-test' });

function inUse(folder: string) {
  return {
    ok: false,
    error: {
      code: 'folder_in_use',
      message: `Another Tieout is using the data folder ${folder}: close it first, or choose another folder. It is process ${process.pid} (Tieout), since 2026-07-01T09:00:00.000Z.`,
    },
  };
}

test('a second backend on the folder is refused in one sentence until the first has closed', async () => {
  const book = await openTestBook();
  expect(await start(book.folder)).toEqual(inUse(book.folder));
  // The refusal took nothing from the first.
  expect(await book.client.get('streams.list', {})).toEqual([]);
  expect(await start(book.folder)).toEqual(inUse(book.folder));
  await book.close();
  const second = await openTestBook(book.folder);
  expect(await second.client.get('streams.list', {})).toEqual([]);
});
