import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTestBook } from '../support/books/backend.ts';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { seedMonth } from '../support/remotes/seeding.ts';
import { SpecificationRemote } from '../support/remotes/specification-remote.ts';
import { fill, recordsOf } from './two-books.ts';

/** A book that agrees with another one, which added a line since. */
async function prepared() {
  const here = await openTestBook();
  await fill(here, { ledger: [['L1', '2026-06-01', 1250, 'Invoice 1']], bank: [] });
  await here.close();
  const there = await openTestBook();
  const server = await there.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
  onTestFinished(() => server.close());
  const key = path.join(temporaryFolder(), 'key.txt');
  writeFileSync(key, `${server.apiKey}\n`);
  const data = ['--data', here.folder];
  const sync = ['sync', ...data, '--remote', server.baseUrl, '--key-file', key];
  const add = (description: string) =>
    there.client.get('records.create', { data_stream_key: 'ledger', date: '2026-06-20', amount: 5, currency: 'EUR', description });
  /** Does something in the book, as the window would between two commands. */
  const inBook = async <T>(work: (book: typeof there) => Promise<T>): Promise<T> => {
    const book = await openTestBook(here.folder);
    const result = await work(book);
    await book.close();
    return result;
  };
  const lines = () => inBook(async (book) => (await recordsOf(book)).map(({ description }) => description).toSorted());
  expect((await runCli(...sync)).exitCode).toBe(0);
  return { there, data, sync, add, inBook, lines };
}

test('tieout sync undo takes back the last sync that changed something here, and the next sync asks about the difference', async () => {
  const { there, data, sync, add, lines } = await prepared();
  await add('Interest');
  expect(await runCli(...sync, '--json')).toMatchObject({ exitCode: 0, document: { received: { records: 1 } } });
  expect(await runCli(...sync, '--json')).toMatchObject({ exitCode: 0, document: { received: { records: 0 } } });
  const { exitCode, document } = await runCli('sync', 'undo', ...data, '--json');
  expect([exitCode, document]).toEqual([
    0,
    {
      run_id: 2,
      can_undo: true,
      why_not: null,
      lost: 0,
      list: [],
      undone: true,
      backup: expect.stringMatching(/\.sqlite$/),
      replaced: expect.stringMatching(/\.sqlite$/),
    },
  ]);
  expect(await lines()).toEqual(['Invoice 1']);
  expect(await recordsOf(there)).toHaveLength(2);

  const asked = await runCli(...sync);
  expect(asked.exitCode).toBe(4);
  expect(asked.stdout).toContain('  --undone-sync take\n  --undone-sync keep\n');
  expect(await runCli(...sync, '--undone-sync', 'take', '--json')).toMatchObject({ exitCode: 0, document: { ok: true } });
  expect(await lines()).toEqual(['Interest', 'Invoice 1']);
});

test('tieout sync undo says in words what it did and what comes next', async () => {
  const { data, sync, add } = await prepared();
  await add('Interest');
  await runCli(...sync);
  const { exitCode, stdout } = await runCli('sync', 'undo', '2', ...data);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^Sync 2 is undone here: the book is as it was before the sync \(.+\)\.\nThe book as it was until now is saved: .+\n/,
  );
  expect(stdout).toContain('--undone-sync take');
  const again = await runCli('sync', 'undo', '2', ...data, '--json');
  expect(again).toMatchObject({
    exitCode: 2,
    document: { error: { code: 'not_undone', message: expect.stringContaining('undone already') } },
  });
});

test('tieout sync undo with nothing to undo changes nothing and says so', async () => {
  const { data } = await prepared();
  const nothing = await runCli('sync', 'undo', ...data, '--json');
  expect(nothing).toMatchObject({ exitCode: 2, document: { error: { code: 'nothing_to_undo' } } });
  const sentOnly = await runCli('sync', 'undo', '1', ...data, '--json');
  expect(sentOnly).toMatchObject({
    exitCode: 2,
    document: { error: { code: 'not_undone', message: expect.stringContaining('changed nothing here') } },
  });
  expect(await runCli('sync', 'undo', '9', ...data, '--json')).toMatchObject({
    exitCode: 2,
    document: { error: { code: 'no_such_choice' } },
  });
});

test('tieout sync undo lists in plain words what was changed since, and wants the number of it', async () => {
  const { data, sync, add, inBook, lines } = await prepared();
  await add('Interest');
  await runCli(...sync);
  await inBook(async (book) => {
    for (const { id, description } of await recordsOf(book))
      await book.client.get('records.update', { id, description: `${description}, paid` });
    await book.client.get('reconciliations.update', { id: 1, name: 'June' });
  });
  const words = await runCli('sync', 'undo', ...data);
  expect(words.exitCode).toBe(4);
  expect(words.stdout).toMatch(
    /^3 changes were made here since, and would be undone as well:\n {2}2 lines were edited, last at .+\n {2}1 reconciliation was edited, last at /,
  );
  expect(words.stdout).toContain('Nothing was undone. If they may go as well: tieout sync undo 2 --also-undo 3\n');
  const { exitCode, document } = await runCli('sync', 'undo', ...data, '--also-undo', '2', '--json');
  expect(exitCode).toBe(4);
  expect(document).toMatchObject({
    undone: false,
    lost: 3,
    list: [
      { words: '2 lines were edited', count: 2 },
      { words: '1 reconciliation was edited', count: 1 },
    ],
  });
  expect(await lines()).toEqual(['Interest, paid', 'Invoice 1, paid']);
  expect(await runCli('sync', 'undo', ...data, '--also-undo', '3', '--json')).toMatchObject({ exitCode: 0, document: { undone: true } });
  expect(await lines()).toEqual(['Invoice 1']);
});

test('tieout sync undo refuses a sync on which a later one rests, and takes them one by one', async () => {
  const { data, sync, add, lines } = await prepared();
  for (const description of ['Interest', 'Charge']) {
    await add(description);
    await runCli(...sync);
  }
  const refused = await runCli('sync', 'undo', '2', ...data, '--json');
  expect(refused).toMatchObject({ exitCode: 2, document: { error: { code: 'not_undone' } } });
  expect(JSON.stringify(refused.document)).toMatch(/A later sync changed something here: undo that of .+ first/);
  expect(await lines()).toHaveLength(3);
  expect(await runCli('sync', 'undo', ...data, '--json')).toMatchObject({ exitCode: 0, document: { run_id: 3 } });
  expect(await runCli('sync', 'undo', ...data, '--json')).toMatchObject({ exitCode: 0, document: { run_id: 2 } });
  expect(await lines()).toEqual(['Invoice 1']);
});

test.each([
  ['a number that is none', ['sync', 'undo', 'last', '--data', 'DIR']],
  ['a count that is none', ['sync', 'undo', '--also-undo', 'all', '--data', 'DIR']],
])('tieout sync undo with %s is wrong usage', async (_what, given) => {
  const book = await openTestBook();
  await book.close();
  const { exitCode, document } = await runCli(...given.map((one) => (one === 'DIR' ? book.folder : one)), '--json');
  expect([exitCode, document]).toEqual([2, { error: { code: 'usage', message: expect.any(String) } }]);
});

test('tieout sync undo takes back a sync with a remote that speaks the specification alone', async () => {
  const remote = new SpecificationRemote();
  seedMonth(remote);
  await remote.start();
  onTestFinished(() => remote.stop());
  const book = await openTestBook();
  await book.client.get('streams.create', { key: 'till', name: 'Till' });
  await book.close();
  const key = path.join(temporaryFolder(), 'key.txt');
  writeFileSync(key, `${remote.key}\n`);
  const data = ['--data', book.folder];
  const sync = ['sync', ...data, '--remote', remote.baseUrl, '--key-file', key];
  await runCli(...sync);
  expect(await runCli('sync', 'undo', ...data, '--json')).toMatchObject({ exitCode: 0, document: { undone: true } });
  const again = await openTestBook(book.folder);
  expect([await recordsOf(again), (await again.client.get('streams.list', {})).map(({ key: own }) => own)]).toEqual([[], ['till']]);
  await again.close();
  expect(await runCli(...sync, '--json')).toMatchObject({
    exitCode: 4,
    document: { error: { code: 'sync_was_undone', choices: ['take', 'keep'] } },
  });
});
