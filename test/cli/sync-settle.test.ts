import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTestBook } from '../support/books/backend.ts';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { seedMonth } from '../support/remotes/seeding.ts';
import { SpecificationRemote } from '../support/remotes/specification-remote.ts';

/** A book with two accounts whose answers were lost at a remote that speaks the specification alone. */
async function unsureBook() {
  const remote = new SpecificationRemote();
  seedMonth(remote);
  await remote.start();
  onTestFinished(() => remote.stop());
  const book = await openTestBook();
  for (const name of ['Savings', 'Deposit']) await book.client.get('bank_accounts.create', { name, currency: 'EUR' });
  await book.close();
  const key = path.join(temporaryFolder(), 'key.txt');
  writeFileSync(key, `${remote.key}\n`);
  const data = ['--data', book.folder];
  const sync = ['sync', ...data, '--remote', remote.baseUrl, '--key-file', key];
  remote.faults.add({ kind: 'drop-after' }, { method: 'POST', path: /bank_accounts$/, times: 2 });
  return { remote, data, sync };
}

test('tieout sync shows the command that settles what is unsure, and the next sync carries out what was said', async () => {
  const { remote, data, sync } = await unsureBook();
  const first = await runCli(...sync);
  expect([first.exitCode, first.stdout]).toEqual([
    1,
    expect.stringMatching(/Unsure: accounts Savings: .+\n {2}tieout sync settle 2 --there ID\|--send-again\n/),
  ]);
  const { document } = await runCli(...sync, '--json');
  const reason = expect.any(String) as string;
  expect(document['unsure']).toEqual([
    { resource: 'accounts', name: 'Deposit', reason },
    { resource: 'accounts', name: 'Savings', reason },
  ]);

  const listed = await runCli('sync', 'settle', ...data, '--json');
  expect(listed).toMatchObject({
    exitCode: 0,
    document: [
      { id: 1, sent_as: 'Deposit, EUR', choice: null },
      { id: 2, sent_as: 'Savings, EUR', choice: null },
    ],
  });
  const savings = [...remote.state.accounts.values()].find(({ name }) => name === 'Savings');
  const there = String(savings?.id);
  expect(await runCli('sync', 'settle', '2', '--there', there, ...data, '--json')).toMatchObject({
    exitCode: 0,
    document: { id: 2, choice: there },
  });
  const taken = await runCli('sync', 'settle', '1', '--there', there, ...data, '--json');
  expect(taken).toMatchObject({
    exitCode: 2,
    document: { error: { code: 'no_such_choice', message: expect.stringContaining('Savings') } },
  });
  expect(await runCli('sync', 'settle', '1', '--send-again', ...data)).toMatchObject({
    exitCode: 0,
    stdout: 'Deposit, EUR: the next sync sends it again.\n',
  });
  expect((await runCli('sync', 'settle', ...data)).stdout).toContain(`, is there as ${there}`);
  expect(await runCli(...sync, '--json')).toMatchObject({ exitCode: 0, document: { ok: true, unsure: [], sent: { accounts: 1 } } });
  expect((await runCli('sync', 'settle', ...data)).stdout).toBe('Nothing is unsure.\n');
});

test.each([
  ['no number', ['--send-again']],
  ['neither', ['1']],
  ['both', ['1', '--send-again', '--there', '4']],
  ['an id that is none', ['1', '--there', '0']],
  ['a number that is none', ['one', '--send-again']],
  ['a number of nothing', ['9', '--send-again']],
])('tieout sync settle with %s is wrong usage', async (_what, given) => {
  const book = await openTestBook();
  await book.close();
  const { exitCode, document } = await runCli('sync', 'settle', ...given, '--data', book.folder, '--json');
  expect([exitCode, document]).toEqual([2, { error: { code: expect.any(String), message: expect.any(String) } }]);
});

test('tieout sync move gives a remote the address at which it answers now, and another book none', async () => {
  const [there, other, here] = [await openTestBook(), await openTestBook(), await openTestBook()];
  await here.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await here.close();
  const key = path.join(temporaryFolder(), 'key.txt');
  const serve = async (book: typeof there) => {
    const server = await book.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
    onTestFinished(() => server.close());
    return server;
  };
  const data = ['--data', here.folder];
  const first = await serve(there);
  writeFileSync(key, `${first.apiKey}\n`);
  expect((await runCli('sync', ...data, '--remote', first.baseUrl, '--key-file', key)).exitCode).toBe(0);
  await first.close();

  const moved = await serve(there);
  writeFileSync(key, `${moved.apiKey}\n`);
  const listed = await runCli('sync', 'move', ...data, '--json');
  expect(listed).toMatchObject({ exitCode: 0, document: [{ id: 1, base_url: first.baseUrl }] });
  const gone = await runCli('sync', 'move', '1', '--to', first.baseUrl, '--key-file', key, ...data, '--json');
  expect(gone).toMatchObject({ exitCode: 3, document: { error: { code: 'remote_unusable' } } });
  const done = await runCli('sync', 'move', '1', '--to', moved.baseUrl, '--key-file', key, ...data, '--json');
  expect(done).toMatchObject({ exitCode: 0, document: { base_url: moved.baseUrl } });
  expect((await runCli('sync', 'move', '1', ...data)).exitCode).toBe(2);

  const elsewhere = await serve(other);
  writeFileSync(key, `${elsewhere.apiKey}\n`);
  // Another book may be the same office on a new computer: the next sync asks before anything moves.
  expect((await runCli('sync', 'move', '1', '--to', elsewhere.baseUrl, '--key-file', key, ...data)).exitCode).toBe(0);
  expect((await runCli('sync', ...data, '--remote', elsewhere.baseUrl, '--key-file', key)).exitCode).toBe(4);
  expect(await other.client.get('streams.list', {})).toEqual([]);
});
