import { once } from 'node:events';
import { closeSync, cpSync, openSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startBackend } from '../../src-main/backend/backend.ts';
import { contract, type Operation, type OperationId } from '../../src-shared/contract/index.ts';
import { testClock, testFolder, testLog, testRandom } from '../support/books/backend.ts';
import { BY_AMOUNT_PROPOSED, numbered, setUpPair } from '../support/books/lines.ts';
import { openQuietBook } from '../support/books/quiet-book.ts';
import { some } from '../support/long.ts';
import { spawnCli } from '../support/processes/run-cli.ts';

const PAGE_BYTES = 4_096;
const DAMAGED_PAGES = 6;

/** What stops, replaces or waits for something else than the book. */
const LEFT_OUT = /^(?:backups|sync|sync_remotes|server|window|uploads|jobs|access|book)\./;
const OPERATIONS = (Object.keys(contract) as OperationId[]).filter((id) => !LEFT_OUT.test(id) && contract[id].surface === 'public');

async function madeBook(): Promise<string> {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a: numbered(200), b: numbered(200) }, [BY_AMOUNT_PROPOSED]);
  await book.run(pair.reconciliation.id);
  const copy = path.join(testFolder(), 'book');
  book.database.connection.pragma('wal_checkpoint(TRUNCATE)');
  cpSync(book.folder, copy, { recursive: true, filter: (name) => !/book\.(?:lock|holder)|-(?:wal|shm)$/.test(name) });
  return copy;
}

/** Overwrites pages behind the first, which says that this is a book. */
function damage(folder: string, seed: number): void {
  const file = path.join(folder, 'book.sqlite');
  const pages = Math.floor(statSync(file).size / PAGE_BYTES);
  const random = testRandom(seed);
  const descriptor = openSync(file, 'r+');
  for (let count = 0; count < DAMAGED_PAGES; count += 1) {
    const [high = 0, low = 0, ...noise] = random.bytes(PAGE_BYTES + 2);
    const page = 1 + ((high * 256 + low) % (pages - 1));
    writeSync(descriptor, Buffer.from(noise), 0, PAGE_BYTES, page * PAGE_BYTES);
  }
  closeSync(descriptor);
}

test('a damaged book answers each operation, or says that it is damaged and that a backup helps', async () => {
  const whole = await madeBook();
  const without: string[] = [];
  let damaged = 0;
  for (const [at, seed] of some([3, 11, 19, 27, 35, 43, 51, 59, 67, 75, 83, 91], 6).entries()) {
    const folder = path.join(testFolder(), 'book');
    cpSync(whole, folder, { recursive: true });
    // Every second one is damaged while it is open.
    if (at % 2 === 0) damage(folder, seed);
    const opened = await startBackend({
      dataFolder: folder,
      clock: testClock(),
      random: testRandom(),
      log: testLog(),
      version: '0.0.0-test',
    });
    if (!opened.ok) {
      if (!/damaged.*restore/i.test(opened.error.message)) without.push(`${seed}: ${opened.error.message}`);
      damaged += 1;
      continue;
    }
    const backend = opened.value;
    onTestFinished(() => backend.close());
    if (at % 2 === 1) damage(folder, seed);
    for (const id of OPERATIONS) {
      const outcome = await backend.dispatch(id, contract[id].example, backend.ownCaller('live', 'app'));
      if (outcome.ok) continue;
      const { code, message } = outcome.error;
      if (code === 'book_damaged' || code === 'book_read_only' || code === 'book_unavailable') damaged += 1;
      if (code === 'internal_error' || (code.startsWith('book_') && !/backup|restore/.test(message)))
        without.push(`${seed} ${id}: ${code} ${message}`);
    }
  }
  expect(without).toEqual([]);
  expect(damaged).toBeGreaterThan(0);
});

interface Served {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What it says where it does not start. */
  readonly refusal: string | null;
}

/** Opens a book by the command line, as a person does who serves it to programs. */
async function served(folder: string): Promise<Served> {
  const child = spawnCli(['serve', '--data', folder, '--port', '0', '--json']);
  let said = '';
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const line = new Promise<boolean>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('\n') && said.includes('base_url')) resolve(true);
    });
    child.once('close', () => resolve(false));
  });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  if (!(await line)) return { baseUrl: '', apiKey: '', refusal: said + complaint };
  const { base_url: baseUrl, api_key: apiKey } = JSON.parse(said) as { base_url: string; api_key: string };
  return { baseUrl, apiKey, refusal: null };
}

const READS = Object.values<Operation>(contract).filter(({ surface, method }) => surface === 'public' && method === 'GET');

test('a damaged book that is served answers each list and read over HTTP in words, or refuses to start', async () => {
  const whole = await madeBook();
  const without: string[] = [];
  let damaged = 0;
  for (const [at, seed] of some([5, 13, 21, 29, 37, 45], 2).entries()) {
    const folder = path.join(testFolder(), 'book');
    cpSync(whole, folder, { recursive: true });
    if (at % 2 === 1) damage(folder, seed);
    const { baseUrl, apiKey, refusal } = await served(folder);
    if (refusal !== null) {
      damaged += 1;
      if (!/damaged[^]*restore/i.test(refusal)) without.push(`${seed}: ${refusal}`);
      continue;
    }
    if (at % 2 === 0) damage(folder, seed);
    for (const { id, path: address } of READS) {
      const url = `${baseUrl}${address.replaceAll(/\{[a-z_]+\}/g, '1')}`;
      const response = await fetch(url, { headers: { 'x-api-key': apiKey }, signal: AbortSignal.timeout(60_000) });
      const text = await response.text();
      if (response.status < 400) continue;
      const error = JSON.parse(text) as { code: string; message: string };
      if (error.code === 'book_damaged') damaged += 1;
      const isSilent = error.code === 'internal_error' || error.message === '';
      if (isSilent || (error.code.startsWith('book_') && !/backup|restore/.test(error.message))) without.push(`${seed} ${id}: ${text}`);
    }
  }
  expect(without).toEqual([]);
  expect(damaged).toBeGreaterThan(0);
});
