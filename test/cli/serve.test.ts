import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBook } from '../../src-main/book/store/book.ts';
import { runCli, serveCli, temporaryFolder } from '../support/processes/run-cli.ts';

it('prints one line when ready, answers its keys alone, refuses a second process in one sentence, and stops cleanly on a signal', async () => {
  const folder = temporaryFolder();
  const data = path.join(folder, 'book');
  const file = path.join(folder, 'f.csv');
  writeFileSync(file, 'Date,Amount,Currency\n2026-06-01,1.00,GBP\n2026-06-02,2.00,GBP\n');
  await runCli('import', file, '--data', data, '--stream', 'live-only', '--json');
  const test = await runCli('keys', 'add', '--data', data, '--environment', 'test', '--permission', 'read_write', '--name', 'T', '--json');
  const { printed, stop } = await serveCli(data);
  expect(printed.base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(printed.ui_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[A-Za-z0-9_-]{43}$/);
  const asked = (key: string) => fetch(`${printed.base_url}/data_streams`, { headers: { 'x-api-key': key } });
  const good = await asked(printed.api_key);
  expect([good.status, await good.json()]).toMatchObject([200, [{ key: 'live-only' }]]);
  for (const key of ['wrong', `${printed.api_key}x`]) {
    const bad = await asked(key);
    expect(bad.status).toBe(401);
    expect(await bad.json()).toMatchObject({ code: 'unauthorized' });
  }
  // A key of the test environment sees that alone.
  expect(await (await asked(String(test.document['key']))).json()).toEqual([]);

  const second = await runCli('demo', '--data', data, '--json');
  expect(second.exitCode).toBe(3);
  expect(second.document).toMatchObject({ error: { code: 'folder_in_use' } });
  expect(second.stderr.trim().split('\n')).toHaveLength(1);

  // Keys still work beside it.
  const added = await runCli('keys', 'add', '--data', data, '--permission', 'read', '--name', 'Sheet', '--json');
  expect(added.document).toMatchObject({ id: 2, environment: 'live', permission: 'read', name: 'Sheet' });
  const headers = { 'x-api-key': String(added.document['key']), 'content-type': 'application/json' };
  expect((await fetch(`${printed.base_url}/data_streams`, { headers })).status).toBe(200);
  const write = await fetch(`${printed.base_url}/data_streams`, { method: 'POST', headers, body: '{"key":"k","name":"K"}' });
  expect(write.status).toBe(403);

  const listed = await runCli('keys', 'list', '--data', data);
  expect(listed.stdout).toContain('Sheet');
  expect(listed.stdout).not.toContain(String(added.document['key']));
  expect((await runCli('keys', 'revoke', '2', '--data', data, '--json')).document).toEqual({ id: 2, revoked: true });
  expect((await fetch(`${printed.base_url}/data_streams`, { headers })).status).toBe(401);
  expect((await runCli('keys', 'revoke', '2', '--data', data, '--json')).exitCode).toBe(2);
  expect(await stop('SIGINT')).toBe(0);
  // The session key is gone with the process.
  const again = await serveCli(data);
  const old = await fetch(`${again.printed.base_url}/data_streams`, { headers: { 'x-api-key': printed.api_key } });
  expect(old.status).toBe(401);
  expect(await again.stop('SIGTERM')).toBe(0);
});

it('refuses a book of a newer version in one sentence', async () => {
  const folder = temporaryFolder();
  const book = openBook(folder);
  if (!book.ok) throw new Error(book.error.message);
  book.value.connection.pragma('user_version = 99');
  book.value.close();
  const refused = await runCli('serve', '--data', folder, '--port', '0', '--json');
  expect(refused.exitCode).toBe(3);
  expect(refused.document).toMatchObject({ error: { code: 'newer_version' } });
  expect(refused.stderr).toContain('newer Tieout');
});

it('refuses a folder that cannot be one', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'a-file');
  writeFileSync(file, '');
  const refused = await runCli('serve', '--data', file, '--port', '0', '--json');
  expect(refused.exitCode).toBe(3);
  expect(refused.document).toMatchObject({ error: { code: 'folder_unusable' } });
});

it('lists in --help only commands that exist, each with a help of its own', async () => {
  const { stdout, exitCode } = await runCli('--help');
  expect(exitCode).toBe(0);
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map((found) => found[1] ?? '');
  expect(commands.toSorted()).toEqual(
    'backup books close completion demo export help import keys reconcile report restore rules runs serve start sync verify'.split(' '),
  );
  for (const command of commands.filter((each) => each !== 'help')) {
    expect((await runCli(command, '--help')).exitCode).toBe(0);
  }
  expect((await runCli()).exitCode).toBe(2);
});

it('builds the sample book once, and leaves it as its user left it', async () => {
  const folder = temporaryFolder();
  const first = await runCli('demo', '--data', folder, '--json');
  expect(first.document).toMatchObject({ created: true, reconciliation_id: 1, streams: ['ledger', 'bank'] });
  const run = await runCli('reconcile', '--data', folder, '--a', 'ledger', '--b', 'bank', '--name', 'June: ledger and bank', '--json');
  const second = await runCli('demo', '--data', folder, '--json');
  expect(second.document).toMatchObject({ created: false, reconciliation_id: 1 });
  const again = await runCli('reconcile', '--data', folder, '--a', 'ledger', '--b', 'bank', '--name', 'June: ledger and bank', '--json');
  expect(again.document['matches']).toBe(run.document['matches']);
});

it('lets in other machines, pages of other origins and so many requests of a key only as the command line says', async () => {
  const folder = temporaryFolder();
  for (const host of ['0.0.0.0', '192.0.2.1']) {
    const refused = await runCli('serve', '--data', folder, '--port', '0', '--json', '--host', host);
    expect([refused.exitCode, refused.document]).toEqual([
      2,
      { error: { code: 'sentence_missing', message: expect.stringContaining('--allow-other-machines') as string } },
    ]);
  }
  const { printed, stop } = await serveCli(
    folder,
    '--host',
    '0.0.0.0',
    '--allow-other-machines',
    '--allow-origin',
    'https://a.example.com/',
    '--allow-origin',
    'http://localhost:3000',
    '--requests-per-second',
    '1',
  );
  expect(printed.base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  const status = async (origin: string, base = printed.base_url) =>
    (await fetch(`${base}/data_streams`, { headers: { 'x-api-key': printed.api_key, origin } })).status;
  const statuses = [
    await status('https://a.example.com', printed.base_url.replace('127.0.0.1', '127.0.0.2')),
    await status('http://localhost:3000'),
  ];
  expect(await status('https://b.example.com')).toBe(403);
  for (let sent = 0; sent < 20; sent += 1) statuses.push(await status('https://a.example.com'));
  expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
  expect(statuses).toContain(429);
  expect(await stop('SIGTERM')).toBe(0);
  const wrong = await runCli('serve', '--data', temporaryFolder(), '--requests-per-second', '0');
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('1 to 1000000')]);
});

it.each([
  ['--host', 'example.com', 'IP address'],
  ['--allow-origin', '*', 'would let in every page'],
  ['--allow-origin', 'http://a.example.com', 'is not safe'],
  ['--host-name', 'pc:80', 'no name of a machine'],
])('%s %s is refused in a sentence', async (flag, value, words) => {
  const refused = await runCli('serve', '--data', temporaryFolder(), '--port', '0', '--json', flag, value);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining(words)]);
});

it('says in one sentence that an address or a port cannot be had', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const taken = await runCli('serve', '--data', temporaryFolder(), '--port', String(port), '--json');
  expect([taken.exitCode, taken.document]).toMatchObject([3, { error: { code: 'cannot_listen' } }]);
  expect(taken.stderr).toContain('is in use. Choose another port');
  const nowhere = await runCli('serve', '--data', temporaryFolder(), '--host', '192.0.2.1', '--allow-other-machines', '--json');
  expect([nowhere.exitCode, nowhere.stderr]).toEqual([3, expect.stringContaining('does not have the address 192.0.2.1')]);
});
