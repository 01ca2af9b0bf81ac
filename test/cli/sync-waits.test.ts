import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openTestBook } from '../support/books/backend.ts';
import { spawnCli, temporaryFolder } from '../support/processes/run-cli.ts';

const LINES = 2_000;

test('a command that only waits for its own book to take on what came goes on to its end', async () => {
  const here = await openTestBook();
  await here.close();
  const there = await openTestBook();
  await there.client.get('streams.create', { key: 'bank', name: 'Bank' });
  for (let at = 0; at < LINES; at += 1_000) {
    const records = Array.from({ length: 1_000 }, (_, index) => ({
      data_stream_key: 'bank',
      date: '2026-06-10',
      amount: at + index + 1,
      currency: 'EUR',
    }));
    const { id } = await there.client.get('bulk_requests.create', { records, on_conflict: 'skip' });
    while ((await there.client.get('bulk_requests.get', { id: String(id) })).status !== 'completed') await pause(5);
  }
  const limits = { requestsPerSecond: 100_000, requestBurst: 100_000 };
  const server = await there.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live', limits });
  onTestFinished(() => server.close());
  const keyFile = path.join(temporaryFolder(), 'key.txt');
  writeFileSync(keyFile, server.apiKey);
  // In a process of its own: in one that others use, these keep it alive.
  const child = spawnCli(['sync', '--data', here.folder, '--remote', server.baseUrl, '--key-file', keyFile, '--json']);
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  expect([code, JSON.parse(printed)]).toMatchObject([0, { ok: true, received: { records: LINES } }]);
});
