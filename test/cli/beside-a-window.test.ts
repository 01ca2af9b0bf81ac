import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCli, runCliAlone, serveCli, spawnCli, temporaryFolder } from '../support/processes/run-cli.ts';

const LINES = 'Date,Reference,Amount,Currency\n2026-06-01,A-100,10.00,GBP\n2026-06-02,A-200,20.00,GBP\n';

/** A folder with a book of two streams, and the files they came from. */
async function bookOfTwoStreams() {
  const folder = temporaryFolder();
  const data = path.join(folder, 'book');
  const file = path.join(folder, 'lines.csv');
  writeFileSync(file, LINES);
  for (const stream of ['bank', 'ledger']) await runCli('import', file, '--data', data, '--stream', stream, '--json');
  return { folder, data, file };
}

const pair = ['--a', 'ledger', '--b', 'bank'];
const june = ['--reconciliation', 'ledger / bank', '--period', '2026-06'];

it('commands work on a book that a window has open, and the window sees what they wrote', async () => {
  const { folder, data, file } = await bookOfTwoStreams();
  const { printed, stop } = await serveCli(data);
  const headers = { 'x-api-key': printed.api_key };
  const get = async (address: string) => (await fetch(`${printed.base_url}${address}`, { headers })).json() as Promise<unknown>;

  const dry = await runCli('reconcile', '--data', data, ...pair, '--dry-run', '--json');
  expect([dry.exitCode, dry.document['matches']]).toEqual([0, 2]);
  expect(await get('/reconciliations')).toMatchObject({ data: [] });
  const run = await runCli('reconcile', '--data', data, ...pair, '--matches-out', path.join(folder, 'm.csv'), '--json');
  expect([run.exitCode, run.document['matches']]).toEqual([0, 2]);
  expect(existsSync(path.join(folder, 'm.csv'))).toBe(true);
  expect(await get('/reconciliations')).toMatchObject({ data: [{ name: 'ledger / bank' }] });

  const closed = await runCli('close', '--data', data, ...june, '--opening-bank', '0', '--opening-books', '0', '--json');
  expect(closed.document).toMatchObject({ unexplained: expect.anything() });
  const report = path.join(folder, 'june.csv');
  await runCli('report', '--data', data, ...june, '--format', 'csv', '--out', report, '--json');
  expect(existsSync(report)).toBe(true);

  const again = await runCli('import', file, '--data', data, '--stream', 'bank', '--json');
  expect(again.exitCode).toBe(0);
  writeFileSync(file, `${LINES}2026-06-03,A-300,30.00,GBP\n`);
  expect((await runCli('import', file, '--data', data, '--stream', 'bank', '--json')).exitCode).toBe(0);
  expect(((await get('/records?data_stream_key=bank')) as { data: unknown[] }).data).toHaveLength(3);
  // The other environment is another book in the same file.
  const other = await runCli('reconcile', '--data', data, ...pair, '--environment', 'test', '--dry-run', '--json');
  expect([other.exitCode, other.document]).toMatchObject([2, { error: { code: 'unknown_reference' } }]);
  expect(await stop('SIGTERM')).toBe(0);
});

it('a failure of the service reads the same beside a window', async () => {
  const { data } = await bookOfTwoStreams();
  const ask = () => runCli('close', '--data', data, '--reconciliation', 'nothing', '--period', '2026-06', '--json');
  const alone = await ask();
  const { stop } = await serveCli(data);
  const beside = await ask();
  expect([beside.exitCode, beside.document, beside.stderr]).toEqual([alone.exitCode, alone.document, alone.stderr]);
  const missing = await runCli('import', path.join(data, 'no.csv'), '--data', data, '--stream', 'bank', '--json');
  expect([missing.exitCode, missing.document]).toMatchObject([2, { error: { code: 'file_unreadable' } }]);
  await stop('SIGTERM');
});

it('what needs the folder for itself says who has it', async () => {
  const { data } = await bookOfTwoStreams();
  const { stop } = await serveCli(data);
  const second = await runCli('serve', '--data', data, '--port', '0', '--json');
  expect([second.exitCode, second.document]).toMatchObject([3, { error: { code: 'folder_in_use' } }]);
  expect(second.stderr).toContain('tieout serve');
  await stop('SIGTERM');
});

it('a window that was killed leaves no door that commands wait at', async () => {
  const { data } = await bookOfTwoStreams();
  const { stop } = await serveCli(data);
  await stop('SIGKILL');
  const dry = await runCli('reconcile', '--data', data, ...pair, '--dry-run', '--json');
  expect([dry.exitCode, dry.document['matches']]).toEqual([0, 2]);
});

it.each([
  ['reconcile', ...pair],
  ['reconcile', ...pair, '--dry-run'],
  ['reconcile', ...pair, '--propose'],
  ['close', ...june],
  ['report', ...june, '--format', 'csv', '--out', '-'],
  ['keys', 'list'],
  ['keys', 'add', '--permission', 'read', '--name', 'Sheet'],
  ['keys', 'revoke', '1'],
  ['verify'],
  ['backup'],
])('%s %s makes no book of a folder that has none', async (...command) => {
  const folder = temporaryFolder();
  const data = path.join(folder, 'mistyped');
  const answer = await runCli(...command, '--data', data, '--json');
  expect([answer.exitCode, answer.document]).toMatchObject([2, { error: { code: 'no_book' } }]);
  expect(existsSync(data)).toBe(false);
});

it('import and serve say that they make a book, and say it once', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'lines.csv');
  writeFileSync(file, LINES);
  const first = await runCli('import', file, '--data', path.join(folder, 'new'), '--stream', 'bank');
  expect(first.stderr).toContain(`There is no book in ${path.join(folder, 'new')} yet: a new one is made.`);
  expect((await runCli('import', file, '--data', path.join(folder, 'new'), '--stream', 'bank')).stderr).not.toContain('a new one is made');
});

it('a report whose reader has read enough ends quietly', async () => {
  const { data } = await bookOfTwoStreams();
  await runCli('reconcile', '--data', data, ...pair, '--json');
  await runCli('close', '--data', data, ...june, '--json');
  const whole = await runCliAlone(['report', '--data', data, ...june, '--format', 'html', '--out', '-']);
  const child = spawnCli(['report', '--data', data, ...june, '--format', 'html', '--out', '-']);
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout?.destroy();
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, errors]).toEqual([whole.exitCode, whole.stderr]);
});
