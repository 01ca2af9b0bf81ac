import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startBackend } from '../../../src-main/backend/backend.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { openTestBook, type TestBook, testClient, testClock, testFolder, testLog, testRandom } from '../../support/books/backend.ts';
import { juneBook } from '../../support/books/june-book.ts';

const GONE = (who: string) => `June 2026 of “Northgate current” was ${who} on 2026-07-01; that signature is not in the backup.`;

/** A book of another company: made anew, so that it has an identity of its own. */
async function otherBook(): Promise<TestBook> {
  const book = await openTestBook(testFolder());
  for (const key of ['theirs', 'bank']) await book.client.get('streams.create', { key, name: key });
  await book.client.get('reconciliations.create', {
    name: 'Harbour Foods',
    run_type: 'batch',
    side_a_stream_ids: [1],
    side_b_stream_ids: [2],
  });
  return book;
}

/** Backs up a book, and puts the backup among those of another folder, with its note. */
async function broughtInto(from: TestBook, folder: string): Promise<string> {
  const { name } = await from.client.get('backups.create', {});
  for (const end of ['', '.json'])
    copyFileSync(path.join(from.folder, 'backups', `${name}${end}`), path.join(folder, 'backups', `theirs.sqlite${end}`));
  return 'theirs.sqlite';
}

const keysOf = async ({ client }: Pick<TestBook, 'client'>) => (await client.get('streams.list', {})).map(({ key }) => key);

test('a backup of another company is restored only on explicit request, and until then the book stays in use', async () => {
  const mine = await openTestBook();
  await mine.client.get('streams.create', { key: 'mine', name: 'Mine' });
  const name = await broughtInto(await otherBook(), mine.folder);
  const refused = await mine.client.refusal('backups.restore', { name, lose_sign_offs: 99 });
  expect(refused.code).toBe('restore_asks');
  expect(refused.message).toMatch(/was not restored, and nothing was changed: it is a backup of another book\.$/);
  expect(refused.errors).toEqual([
    {
      path: 'another_book',
      code: 'asks',
      message: expect.stringMatching(
        /^The backup is of another book: it is of the book [\da-f]{8}, with “Harbour Foods”, and the book here is the book [\da-f]{8}\.$/,
      ),
    },
  ]);
  expect(await keysOf(mine)).toEqual(['mine']);
  expect(readdirSync(mine.folder).filter((file) => file.includes('restoring'))).toEqual([]);
  const { replaced } = await mine.client.get('backups.restore', { name, another_book: true });
  expect(await keysOf(mine)).toEqual(expect.arrayContaining(['theirs']));
  // The way back is asked about as well: the book here is the other one now.
  expect((await mine.client.refusal('backups.restore', { name: replaced ?? '' })).code).toBe('restore_asks');
  await mine.client.get('backups.restore', { name: replaced ?? '', another_book: true });
  expect(await keysOf(mine)).toEqual(['mine']);
});

test('a backup from before a signature names the signatures that would be lost, and needs a confirmation of their number', async () => {
  const book = await juneBook();
  const { client } = book;
  await client.get('periods.prepare', { id: 1, by: 'Amira Patel' });
  const { name } = await client.get('backups.create', {});
  await client.get('periods.review', { id: 1, by: 'Tom Whitfield' });
  await client.get('periods.close', { id: 1, by: 'Tom Whitfield' });
  for (const words of [{}, { another_book: true }, { lose_sign_offs: 1 }]) {
    const refused = await client.refusal('backups.restore', { name, ...words });
    expect([words, refused.code, refused.errors]).toEqual([
      words,
      'restore_asks',
      [
        { path: 'lose_sign_offs', code: 'asks', message: GONE('reviewed by Tom Whitfield') },
        { path: 'lose_sign_offs', code: 'asks', message: GONE('closed by Tom Whitfield') },
      ],
    ]);
  }
  expect(await client.get('periods.get', { id: 1 })).toMatchObject({ state: 'closed' });
  const { replaced } = await client.get('backups.restore', { name, lose_sign_offs: 2 });
  expect(await client.get('periods.get', { id: 1 })).toMatchObject({ state: 'prepared' });
  // The newer one has all that is signed here.
  await client.get('backups.restore', { name: replaced ?? '' });
  expect(await client.get('periods.get', { id: 1 })).toMatchObject({ state: 'closed' });
});

async function rescued(dataFolder: string) {
  const ports = { clock: testClock(), random: testRandom(), log: testLog() };
  const backend = await startBackend({ dataFolder, ...ports, version: '0.0.0-test', whenUnsound: 'rescue' });
  assert(backend.ok, backend.ok ? '' : backend.error.message);
  onTestFinished(() => backend.value.close());
  return testClient(backend.value);
}

test.each(['gone', 'damaged'] as const)(
  'where the book is %s, its anchor and its newest backup identify it and its signatures',
  async (how) => {
    const book = await juneBook();
    const { name: older } = await book.client.get('backups.create', {});
    await book.client.get('periods.prepare', { id: 1, by: 'Amira Patel' });
    book.clock.advance(5_000);
    const { name: newer } = await book.client.get('backups.create', {});
    const theirs = await broughtInto(await otherBook(), book.folder);
    await book.close();
    const file = path.join(book.folder, 'book.sqlite');
    if (how === 'gone') rmSync(file);
    else writeFileSync(file, 'no database any more '.repeat(100));
    const client = await rescued(book.folder);
    expect((await client.refusal('backups.restore', { name: theirs })).errors?.map((each) => each.path)).toEqual([
      'another_book',
      'lose_sign_offs',
    ]);
    expect((await client.refusal('backups.restore', { name: older })).errors).toEqual([
      { path: 'lose_sign_offs', code: 'asks', message: GONE('prepared by Amira Patel') },
    ]);
    await client.get('backups.restore', { name: newer });
    expect(await client.get('periods.get', { id: 1 })).toMatchObject({ state: 'prepared' });
  },
);
