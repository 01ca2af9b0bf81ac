import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startBackend } from '../../../src-main/backend/backend.ts';
import { openTestBook, testClock, testFolder, testLog, testRandom } from '../../support/books/backend.ts';

const start = (dataFolder: string) =>
  startBackend({ dataFolder, clock: testClock(), random: testRandom(), log: testLog(), version: '0.0.0-test' });

// A lock that nothing referred to was collected, and with it went the folder of a process that worked on.
test('a folder that another process holds is refused, and is free again when that process was killed', async () => {
  const folder = testFolder();
  const holder = path.resolve(import.meta.dirname, '../../support/processes/folder-holder.ts');
  const child = spawn(process.execPath, ['--expose-gc', holder, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  expect(said.toString()).toBe('held\n');
  expect(await start(folder)).toMatchObject({ ok: false, error: { code: 'folder_in_use' } });
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  const book = await openTestBook(folder);
  // What the killed process had committed is there.
  expect((await book.client.get('streams.list', {})).map((stream) => stream.key)).toEqual(['held']);
});
