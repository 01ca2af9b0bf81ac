import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startBackend } from '../../src-main/backend/backend.ts';
import { openTestBook, testClock, testFolder, testLog, testRandom } from '../support/books/backend.ts';
import { numbered, setUpPair } from '../support/books/lines.ts';
import { openQuietBook } from '../support/books/quiet-book.ts';
import { withFailingStatement } from '../support/faults/failing-statements.ts';

test('a start that cannot clear up on a full disk is refused in a sentence and gives the folder back', async () => {
  const folder = testFolder();
  const before = openQuietBook(folder);
  const { reconciliation } = await setUpPair(before.client, { a: numbered(1), b: numbered(1) });
  await before.client.get('runs.start', { id: reconciliation.id });
  before.database.close();
  before.jobDatabase.close();

  await withFailingStatement(1, async () => {
    const refused = await startBackend({ dataFolder: folder, clock: testClock(), random: testRandom(), log: testLog(), version: '0' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'storage_full', message: expect.stringContaining('The disk is full') } });
  });
  expect(existsSync(path.join(folder, 'book.sqlite'))).toBe(true);
  const book = await openTestBook(folder);
  expect((await book.client.get('book.overview', {})).streams).toHaveLength(2);
});
