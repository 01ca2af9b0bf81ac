import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openTestBook, testFolder } from '../support/books/backend.ts';
import { runCli, serveCli, spawnCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { IS_LONG, longTest, some } from '../support/long.ts';
import { fill, recordsOf } from '../sync/two-books.ts';

const LINES = IS_LONG ? 1_000 : 500;

let filled: string | null = null;
afterAll(() => rmSync(filled ?? '', { recursive: true, force: true }));

/** A copy of a book with so many lines a side and some matches, which is made once. */
async function filledBook(): Promise<string> {
  filled ??= await fillBook(mkdtempSync(path.join(tmpdir(), 'tieout-filled-')));
  const folder = testFolder();
  cpSync(filled, folder, { recursive: true });
  return folder;
}

async function fillBook(folder: string): Promise<string> {
  const book = await openTestBook(folder);
  const { id } = await fill(book, { ledger: [], bank: [] });
  for (const key of ['ledger', 'bank']) {
    for (let at = 0; at < LINES; at += 500) {
      const records = Array.from({ length: 500 }, (_, index) => ({
        data_stream_key: key,
        date: '2026-06-10',
        amount: at + index + 1,
        currency: 'EUR',
        description: `${key} ${at + index}`,
      }));
      const { id: request } = await book.client.get('bulk_requests.create', { records, on_conflict: 'skip' });
      while ((await book.client.get('bulk_requests.get', { id: String(request) })).status !== 'completed') await pause(5);
    }
  }
  const { data } = await book.client.get('records.list', { data_stream_key: 'ledger', limit: 30 });
  const others = await book.client.get('records.list', { data_stream_key: 'bank', limit: 30 });
  for (const [index, record] of data.entries()) {
    await book.client.get('matches.create', { reconciliation_id: id, record_ids: [record.id, others.data[index]?.id ?? 0] });
  }
  await book.close();
  return folder;
}

/** An empty book with a key of its own, which holds over starts. */
async function remoteBook(): Promise<{ readonly folder: string; readonly keyFile: string }> {
  const book = await openTestBook(testFolder());
  const { key } = await book.client.get('api_keys.issue', { environment: 'live', permission: 'read_write', name: 'Sync' });
  await book.close();
  const keyFile = path.join(temporaryFolder(), 'key.txt');
  writeFileSync(keyFile, `${key}\n`);
  return { folder: book.folder, keyFile };
}

/** Both sides have each line once, and the same matches. */
async function expectWhole(here: string, remote: readonly string[]): Promise<void> {
  const done = await runCli('sync', ...remote, '--json');
  expect([done.exitCode, done.document['error']]).toEqual([0, null]);
  const verified = await runCli('sync', 'verify', ...remote, '--json');
  expect([verified.exitCode, verified.document]).toEqual([0, { equal: true, differences: [] }]);
  expect((await runCli('verify', '--data', here, '--json')).document).toMatchObject({ findings: 0 });
}

const FAST = ['--requests-per-second', '100000'];

test.each(some([60, 200, 500, 1_000], 1))(
  'a sync is killed again and again, each time after %s ms more: the next one completes, and nothing is doubled or lost',
  { timeout: 240_000 },
  async (afterMs) => {
    const here = await filledBook();
    const { folder: there, keyFile } = await remoteBook();
    const { printed, stop } = await serveCli(there, ...FAST);
    const remote = ['--data', here, '--remote', printed.base_url, '--key-file', keyFile];
    for (let kill = 1; kill <= (IS_LONG ? 3 : 2); kill += 1) {
      const child = spawnCli(['sync', ...remote, '--json']);
      const ended = once(child, 'close');
      await Promise.race([ended, pause(kill * afterMs + 200)]);
      child.kill('SIGKILL');
      await ended;
    }
    await expectWhole(here, remote);
    await stop('SIGTERM');
    const other = await openTestBook(there);
    const descriptions = (await recordsOf(other)).map(({ description }) => description);
    expect([descriptions.length, new Set(descriptions).size]).toEqual([LINES * 2, LINES * 2]);
    await other.close();
  },
);

for (const afterMs of [100, 400, 900]) {
  longTest(
    `the remote is killed ${afterMs} ms after a sync began, and started again: that sync or the next one completes`,
    { timeout: 240_000 },
    async () => {
      const here = await filledBook();
      const { folder: there, keyFile } = await remoteBook();
      const first = await serveCli(there, ...FAST);
      const remote = ['--data', here, '--remote', first.printed.base_url, '--key-file', keyFile];
      const child = spawnCli(['sync', ...remote, '--json']);
      const ended = once(child, 'close');
      await Promise.race([ended, pause(afterMs + 400)]);
      await first.stop('SIGKILL');
      const { port } = new URL(first.printed.base_url);
      const again = await serveCli(there, '--port', port, ...FAST);
      await ended;
      await expectWhole(here, remote);
      await again.stop('SIGTERM');
      const other = await openTestBook(there);
      expect((await recordsOf(other)).length).toBe(LINES * 2);
      await other.close();
    },
  );
}
