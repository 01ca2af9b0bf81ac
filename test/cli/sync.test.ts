import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTestBook } from '../support/books/backend.ts';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { fill, recordsOf } from '../sync/two-books.ts';

const NONE = {
  imports: 0,
  streams: 0,
  reconciliations: 0,
  records: 0,
  rules: 0,
  matches: 0,
  unmatched: 0,
  overdue: 0,
  stories: 0,
  accounts: 0,
  balances: 0,
  changes: 0,
};

async function prepared() {
  const folder = temporaryFolder();
  const here = await openTestBook();
  await fill(here, { ledger: [['L1', '2026-06-01', 1250, 'Invoice 1']], bank: [] });
  await here.close();
  const there = await openTestBook();
  const server = await there.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
  onTestFinished(() => server.close());
  const key = path.join(folder, 'key.txt');
  writeFileSync(key, `${server.apiKey}\n`);
  const data = ['--data', here.folder];
  return { here, there, folder, key, data, remote: [...data, '--remote', server.baseUrl, '--key-file', key], server };
}

test('tieout sync prints one document, asks nothing, and ends with 0 when both sides agree', async () => {
  const { there, remote, server } = await prepared();
  const preview = await runCli('sync', ...remote, '--preview', '--json');
  expect(preview.document['error']).toBeNull();
  expect(preview).toMatchObject({
    exitCode: 0,
    document: { ok: true, preview: true, sent: { ...NONE, records: 1, streams: 2, reconciliations: 1 } },
  });
  expect(await recordsOf(there)).toEqual([]);

  const { exitCode, document } = await runCli('sync', ...remote, '--json');
  expect(exitCode).toBe(0);
  expect(document).toEqual({
    ok: true,
    preview: false,
    remote: { base_url: server.baseUrl, kind: 'tieout', cannot_move: [] },
    sent: { ...NONE, records: 1, streams: 2, reconciliations: 1 },
    received: NONE,
    conflicts: [],
    unsure: [],
    refused: [],
    deletions: { count: 0, here: 0, there: 0, wants_word: false, why: [], list: [] },
    error: null,
    duration_ms: expect.any(Number) as number,
  });
  expect(await runCli('sync', 'verify', ...remote, '--json')).toMatchObject({ exitCode: 0, document: { equal: true, differences: [] } });
});

test('a conflict ends with 1, is decided by tieout sync resolve, and the next sync carries it out', async () => {
  const { here, there, remote, data } = await prepared();
  await runCli('sync', ...remote, '--json');
  const again = await openTestBook(here.folder);
  await again.client.get('streams.update', { key: 'bank', name: 'Here' });
  await again.close();
  await there.client.get('streams.update', { key: 'bank', name: 'There' });

  const { exitCode, document } = await runCli('sync', ...remote, '--json');
  expect(exitCode).toBe(1);
  const [conflict] = document['conflicts'] as { readonly id: number; readonly kind: string }[];
  expect(conflict).toMatchObject({
    kind: 'name',
    what: 'Account Here',
    local: 'name: Here',
    remote: 'name: There',
    choices: ['keep_local', 'take_remote'],
  });
  const id = String(conflict?.id);
  expect(await runCli('sync', 'resolve', '999', '--choice', 'keep_local', ...data, '--json')).toMatchObject({ exitCode: 2 });
  expect(await runCli('sync', 'resolve', id, '--choice', 'toss', ...data, '--json')).toMatchObject({ exitCode: 2 });
  expect(await runCli('sync', 'resolve', id, '--choice', 'keep_local', ...data, '--json')).toMatchObject({
    exitCode: 0,
    document: { id: conflict?.id, choice: 'keep_local' },
  });
  expect(await runCli('sync', ...remote, '--json')).toMatchObject({ exitCode: 0, document: { ok: true, conflicts: [] } });
  expect((await there.client.get('streams.get', { key: 'bank' })).name).toBe('Here');

  await there.client.get('records.create', { data_stream_key: 'bank', date: '2026-06-20', amount: 5 });
  const verified = await runCli('sync', 'verify', ...remote, '--json');
  expect(verified).toMatchObject({
    exitCode: 1,
    document: {
      equal: false,
      differences: [{ resource: 'records', name: 'bank', local: { count: 0, sum: 0 }, remote: { count: 1, sum: 5 } }],
    },
  });
});

test('an unusable remote ends with 3 and the same form of document; wrong usage ends with 2', async () => {
  const { data, key, folder, remote } = await prepared();
  const gone = await runCli('sync', ...data, '--remote', 'not an address', '--key-file', key, '--json');
  expect(gone).toMatchObject({
    exitCode: 3,
    document: { ok: false, remote: { kind: null }, sent: NONE, received: NONE, error: { code: 'invalid_url' } },
  });
  const missing = await runCli('sync', ...remote, '--key-file', path.join(folder, 'nowhere.txt'), '--json');
  expect(missing).toMatchObject({ exitCode: 2, document: { error: { code: 'key_unreadable' } } });
  writeFileSync(key, 'wrong\n');
  expect(await runCli('sync', ...remote, '--json')).toMatchObject({ exitCode: 3, document: { error: { code: 'wrong_key' } } });
  expect(await runCli('sync', 'verify', ...remote, '--json')).toMatchObject({ exitCode: 3, document: { error: { code: 'wrong_key' } } });
  expect(await runCli('sync', ...data, '--json')).toMatchObject({ exitCode: 2, document: { error: { code: 'usage' } } });
});

test('tieout sync --environment test moves what is in that environment, and nothing else', async () => {
  const { here, there, key, data } = await prepared();
  const server = await there.backend.serveHttp({ port: 0, uiFolder: null, environment: 'test' });
  onTestFinished(() => server.close());
  writeFileSync(key, `${server.apiKey}\n`);
  const remote = [...data, '--remote', server.baseUrl, '--key-file', key, '--environment', 'test'];
  expect(await runCli('sync', ...remote, '--json')).toMatchObject({ exitCode: 0, document: { sent: NONE, received: NONE } });
  const other = await fetch(`${server.baseUrl}/data_streams`, {
    method: 'POST',
    headers: { 'x-api-key': server.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ key: 'trial', name: 'Trial' }),
  });
  expect(other.status).toBe(201);
  expect(await runCli('sync', ...remote, '--json')).toMatchObject({ exitCode: 0, document: { received: { ...NONE, streams: 1 } } });
  const again = await openTestBook(here.folder);
  expect((await again.client.get('streams.list', {})).map(({ key: own }) => own).toSorted()).toEqual(['bank', 'ledger']);
  await again.close();
});

test('tieout sync repair moves a deletion as a deletion, and sends nothing again', async () => {
  const { there, remote } = await prepared();
  await runCli('sync', ...remote, '--json');
  const [gone] = (await there.client.get('records.list', { data_stream_key: 'ledger' })).data;
  await there.client.get('records.remove', { id: String(gone?.id) });
  expect(await runCli('sync', 'verify', ...remote, '--json')).toMatchObject({ exitCode: 1, document: { equal: false } });
  const { exitCode, document } = await runCli('sync', 'repair', ...remote, '--json');
  expect(exitCode).toBe(0);
  expect(document).toMatchObject({
    ok: true,
    sent: NONE,
    received: { ...NONE, changes: 1 },
    error: null,
    deletions: { count: 1, here: 1 },
  });
  expect(await runCli('sync', 'verify', ...remote, '--json')).toMatchObject({ exitCode: 0, document: { equal: true } });
  expect((await runCli('sync', 'repair', ...remote)).stdout).toBe('Nothing sent.\nNothing received.\n');
  expect(await runCli('sync', 'repair', ...remote, '--key-file', 'nowhere.txt', '--json')).toMatchObject({ exitCode: 2 });
});

test('tieout sync lists many deletions, waits for --accept-deletions with their number, and deletes nothing before', async () => {
  const { there, remote } = await prepared();
  await runCli('sync', ...remote, '--json');
  for (let at = 0; at < 8; at += 1) {
    await there.client.get('records.create', { data_stream_key: 'ledger', date: '2026-06-20', amount: at + 1, currency: 'EUR' });
  }
  await runCli('sync', ...remote, '--json');
  const { data } = await there.client.get('records.list', { data_stream_key: 'ledger', limit: 100 });
  for (const { id } of data.filter(({ status }) => status === 'unreconciled')) await there.client.get('records.remove', { id });
  const preview = await runCli('sync', ...remote, '--preview');
  const count = Number(/--accept-deletions (\d+)/.exec(preview.stdout)?.[1]);
  expect(count).toBeGreaterThanOrEqual(8);
  expect(preview.stdout).toContain(`  here: ${count} of`);
  const waiting = await runCli('sync', ...remote);
  expect(waiting.exitCode).toBe(1);
  expect(waiting.stdout).toContain(`${count} deletions, which wait for your decision:`);
  expect(waiting.stdout).toContain(`sync with --accept-deletions ${count}.`);
  const tooFew = await runCli('sync', ...remote, '--accept-deletions', String(count - 1), '--json');
  expect(tooFew).toMatchObject({ exitCode: 1, document: { ok: false, error: { code: 'deletions_wait' }, received: NONE } });
  expect(await runCli('sync', ...remote, '--accept-deletions', 'all', '--json')).toMatchObject({ exitCode: 2 });
  expect(await runCli('sync', ...remote, '--accept-deletions', String(count), '--json')).toMatchObject({
    exitCode: 0,
    document: { ok: true, received: { changes: count }, deletions: { count } },
  });
});
