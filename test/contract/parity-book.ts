import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBackend } from '../../src-main/backend/backend.ts';
import type { Backend } from '../../src-main/backend/types.ts';
import type { Alarm, Clock } from '../../src-main/platform/ports.ts';
import { createClient } from '../../src-shared/client/client.ts';
import { importRecipe } from '../../src-shared/contract/imports/import-recipes.ts';
import { contract, type OperationId } from '../../src-shared/contract/index.ts';
import { insertRule } from '../../src-main/rules/store/rules.ts';
import { openBook } from '../../src-main/book/store/book.ts';
import { type ConflictDetail, putConflict } from '../../src-main/sync/store/conflicts.ts';
import { leaveUnsure, putIntent } from '../../src-main/sync/store/links.ts';
import { insertRemote } from '../../src-main/sync/store/remotes.ts';
import { insertSyncRun } from '../../src-main/sync/store/runs.ts';
import { assert } from '../../src-shared/values/assert.ts';
import { memoryLog, seededRandom } from './support.ts';

/** 2026-07-01T09:00:00Z, always. */
export const fixedClock: Clock = { nowMs: () => 1_782_896_400_000, today: () => 20_635, monotonicMs: () => 0 };
const CSV = `Date,Description,Reference,Amount
2026-06-02,Rent June,RENT-06,-1200.00
2026-06-04,Card takings,CT-0604,310.50
`;
const WAIT_MS = 20_000;

type Call = readonly [OperationId, Readonly<Record<string, unknown>>];

/** What must have happened before an example makes sense. */
export const PREPARATIONS: Partial<Record<OperationId, readonly Call[]>> = {
  'records.clear_overdue': [['records.mark_overdue', { id: 1, reconciliation_id: 1 }]],
  'bank_accounts.restore': [['bank_accounts.remove', { id: 2 }]],
  'connections.restore': [['connections.remove', { id: 1 }]],
  'views.restore': [['views.remove', { id: 1 }]],
  'matches.restore': [['matches.remove', { id: 1 }]],
  'matches.undo_create': [['matches.confirm', { id: 1 }]],
  'backups.check': [['backups.create', {}]],
  'backups.restore': [['backups.create', {}]],
  'rejections.undo': [['rejections.create', { id: 1, match_ids: [1] }]],
  'rules.restore': [['rules.dismiss', { id: 3 }]],
  'periods.review': [['periods.prepare', { id: 1, by: 'Amira Patel' }]],
  'periods.close': [
    ['periods.prepare', { id: 1, by: 'Amira Patel' }],
    ['periods.review', { id: 1, by: 'Ben Ode' }],
  ],
  'periods.reopen': [
    ['periods.prepare', { id: 1, by: 'Amira Patel' }],
    ['periods.review', { id: 1, by: 'Ben Ode' }],
    ['periods.close', { id: 1, by: 'Ben Ode', unexplained_reason: 'As agreed' }],
  ],
  'separations.list': [['matches.remove', { id: 1 }]],
  'separations.clear': [['matches.remove', { id: 1 }]],
  'separations.restore': [
    ['matches.remove', { id: 1 }],
    ['separations.clear', { id: 1 }],
  ],
};

/** A clock of a test's own, and with an alarm the time that work in the background waits for. */
interface Time {
  readonly clock: Clock;
  readonly alarm?: Alarm;
}

/** A folder with one seeded book, from which every call under test starts anew, and a page for the window. */
export interface ParityBook {
  /** The data folder of the seeded book, which nobody has open. */
  readonly folder: string;
  readonly uiFolder: string;
  /** A backend on a fresh copy of the book, always with the same clock, and with the same random unless another seed is named. */
  readonly open: (random?: string, time?: Time) => Promise<Backend>;
  /** A file as the user would choose it; answers its token. */
  readonly chooseFile: (backend: Backend) => string;
  readonly remove: () => void;
}

/** `proposedRules`: how many rules wait for a review; beside the first, their ids come after all others. */
export async function createParityBook(proposedRules = 1): Promise<ParityBook> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tieout-parity-'));
  const seed = path.join(folder, 'seed');
  const csv = path.join(folder, 'june.csv');
  const uiFolder = path.join(folder, 'ui');
  mkdirSync(uiFolder);
  writeFileSync(path.join(uiFolder, 'index.html'), '<!doctype html><title>Tieout</title>');
  writeFileSync(csv, CSV);
  const chooseFile = (backend: Backend) => {
    const chosen = backend.registerFile(csv);
    assert(chosen.ok, 'the file is there');
    return chosen.value.token;
  };
  const first = await start(seed);
  await fill(first, chooseFile(first));
  await first.close();
  for (let count = 0; count < proposedRules; count += 1) proposeRule(seed);
  addRemote(seed);
  let copies = 0;
  return {
    folder: seed,
    uiFolder,
    chooseFile,
    open: async (random = 'parity', time) => {
      copies += 1;
      const copy = path.join(folder, `copy-${copies}`);
      cpSync(seed, copy, { recursive: true });
      return start(copy, random, time);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

async function start(dataFolder: string, random = 'parity', time: Time = { clock: fixedClock }): Promise<Backend> {
  const started = await startBackend({
    dataFolder,
    ...time,
    random: seededRandom(random),
    log: memoryLog(),
    version: '0.0.0',
  });
  assert(started.ok, started.ok ? '' : started.error.message);
  return started.value;
}

export function clientOf(backend: Backend) {
  return createClient((operation, input) => backend.dispatch(operation, input, backend.ownCaller('live', 'app')));
}

/**
 * What the examples of the contract speak of: streams 1 and 2 with records 1 to 6 and 7 to 12, of which 1 and 7 are open;
 * bank accounts 1 (with a balance) and 2; reconciliations 1 and 2, which are linked in story 1; rules 1 and 2, and rule 3 of
 * reconciliation 1, which is proposed,
 * a proposed match 1 of records 3 and 9, bulk requests 1 and 2, import batch 1 (job 1), run 1 (job 2) and
 * dry run 2 (job 3);
 * an empty stream `spare` with operation 1; API key 1; exception 1 of stream 2;
 * property definition 1 of stream 1; period 1, June 2026, of reconciliation 1;
 * remote 1 without a key, its sync 1, its conflict 1 about stream 1, and account 2, of which it is unsure whether it is there.
 */
async function fill(backend: Backend, fileToken: string): Promise<void> {
  const client = clientOf(backend);
  await client.get('streams.create', { key: 'bank', name: 'Bank' });
  await client.get('streams.create', { key: 'ledger', name: 'Ledger' });
  for (const stream of ['bank', 'ledger']) {
    for (let index = 1; index <= 6; index += 1) {
      await client.get('records.create', {
        data_stream_key: stream,
        date: `2026-06-0${index}`,
        amount: index % 2 === 0 ? -100 * index : 100 * index,
        currency: 'GBP',
        description: `Line ${index}`,
        external_id: index === 3 ? 'INV-3' : `${stream}-${index}`,
        metadata: { order_id: `O-${index}` },
      });
    }
  }
  for (const name of ['June', 'June, spare']) {
    await client.get('reconciliations.create', { name, run_type: 'batch', side_a_stream_ids: [2], side_b_stream_ids: [1] });
  }
  await client.get('rules.create', {
    reconciliation_id: 1,
    filters: { rules: [{ key: 'external_id', value: 'external_id' }] },
    outcome: 'propose',
  });
  await client.get('rules.create', { reconciliation_id: 2, filters: { rules: [{ key: 'date', value: 'date' }] } });
  for (const name of ['Current account', 'Spare account']) await client.get('bank_accounts.create', { name, currency: 'GBP' });
  await client.get('bank_account_balances.put', {
    bank_account_id: 1,
    date: '2026-06-30',
    balance_type: 'closing_ledger',
    amount_cents: 100_000,
  });
  const continued = { reconciliation_id: 2, shared_data_stream_id: 1 };
  await client.get('periods.create', { reconciliation_id: 1, from: '2026-06-01', to: '2026-06-30' });
  await client.get('stories.create', { name: 'Quarter end', links: [{ reconciliation_id: 1 }, continued] });
  await client.get('property_definitions.create', { data_stream_key: 'bank', key: 'order_id', name: 'Order', type: 'string' });
  const { recipe } = contract['import_recipes.create'].example;
  await client.get('import_recipes.create', { recipe: { ...importRecipe.parse(recipe), name: 'Spare bank' } });
  const start = { file_token: fileToken, stream_key: 'bank', currency: 'GBP', remember_recipe: 'Spare bank' };
  const job = await client.get('imports.start', start);
  await settled(backend, job.id);
  await client.get('runs.start', { id: 1, mode: 'commit' });
  await settled(backend, job.id + 1);
  await client.get('runs.start', { id: 1, mode: 'dry_run' });
  await settled(backend, job.id + 2);
  await fillBulk(backend);
  await client.get('exceptions.create', { reconciliation_id: 1, data_stream_id: 2 });
  await client.get('connections.create', { name: 'Clearing', engine: 'duckdb', address: 'nowhere.duckdb' });
  await client.get('views.create', { list: 'open', name: 'Old', filter: { search: 'age:>30' } });
  await client.get('api_keys.issue', { environment: 'live', permission: 'read', name: 'Spreadsheet' });
  await client.get('streams.create', { key: 'spare', name: 'Spare' });
  await operationEnded(backend, 'spare', (await client.get('streams.reset', { key: 'spare' })).id);
}

/** As a cold start does: no operation makes a proposed rule. */
function proposeRule(dataFolder: string): void {
  const opened = openBook(dataFolder);
  assert(opened.ok, 'the book was just written');
  opened.value.write((write) =>
    insertRule(write, {
      reconciliation_id: 1,
      priority: 20,
      filters: JSON.stringify({ operand: 'and', rules: [{ key: 'amount', value: 'amount' }] }),
      description: 'Same amount',
      source: 'ai',
      status: 'proposed',
      outcome: 'match',
      commit_certainty: '["unique","best","interchangeable"]',
      cardinality: 'one_to_one',
      group_by: '[]',
      rollup: null,
      confidence: 'medium',
      sample_match_rate: '5/6',
      created_at: fixedClock.nowMs(),
    }),
  );
  opened.value.close();
}

/** Waits until a delete or a reset of a stream has ended. */
async function operationEnded(backend: Backend, key: string, id: number): Promise<void> {
  const client = clientOf(backend);
  const deadlineMs = performance.now() + WAIT_MS;
  for (;;) {
    const { status } = await client.get('streams.operation', { key, id });
    if (status === 'completed') return;
    assert(status !== 'failed' && performance.now() < deadlineMs, `operation ${id} completed within ${WAIT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Bulk request 1 is completed, with an item in each state; 2 is cancelled before its first item. */
async function fillBulk(backend: Backend): Promise<void> {
  const client = clientOf(backend);
  const item = { data_stream_key: 'bank', date: '2026-06-20', amount: 500, currency: 'GBP', external_id: 'parity-bulk' };
  const { id } = await client.get('bulk_requests.create', { records: [item, { ...item, amount: 501 }, { ...item, date: 'soon' }] });
  const deadlineMs = performance.now() + WAIT_MS;
  while ((await client.get('bulk_requests.get', { id })).status !== 'completed') {
    assert(performance.now() < deadlineMs, `bulk request ${id} completed within ${WAIT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  // Nothing is worked on before the event loop turns, so that this one is cancelled as it was accepted.
  const second = await client.get('bulk_requests.create', { records: [item] });
  await client.get('bulk_requests.cancel', { id: second.id });
}

/** The job once it has ended, however it did. */
export async function settled(backend: Backend, jobId: number) {
  const client = clientOf(backend);
  const deadlineMs = performance.now() + WAIT_MS;
  for (;;) {
    const job = await client.get('jobs.get', { id: jobId });
    if (job.status !== 'pending' && job.status !== 'running') return job;
    assert(performance.now() < deadlineMs, `job ${jobId} ended within ${WAIT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function addRemote(folder: string): void {
  const book = openBook(folder);
  assert(book.ok, book.ok ? '' : book.error.message);
  const startedAtMs = fixedClock.nowMs();
  const side = { gone: false, fields: [{ name: 'name', words: 'Bank' }], records: [], adjustment: null };
  const detail: ConflictDetail = {
    title: 'Bank',
    words: 'Account changed on both sides',
    stream: 'bank',
    reconciliation_id: null,
    account_id: null,
    balance: null,
    here: side,
    there: { ...side, fields: [{ name: 'name', words: 'The bank' }] },
  };
  book.value.write((write) => {
    const remote = {
      environment_id: 1,
      name: 'Head office',
      base_url: 'http://127.0.0.1:9/v1',
      kind: 'tieout',
      seed: '5eed',
      created_at: startedAtMs,
    } as const;
    const id = insertRemote(write, remote);
    insertSyncRun(write, { remote_id: id, what: 'sync', started_by: 'by_hand', started_at: startedAtMs, backup: null });
    putIntent(write, {
      remote_id: id,
      resource: 'accounts',
      local_id: 2,
      idempotency_key: '5eed-1-1-accounts-2',
      body_hash: '',
      sent_at: startedAtMs,
      sent_as: 'Spare account, GBP',
    });
    leaveUnsure(write, id, 'accounts', 2);
    putConflict(write, {
      id: 1,
      remote_id: id,
      kind: 'name',
      resource: 'streams',
      local_id: 1,
      remote_key: 'bank',
      what: 'Account Bank',
      local: 'name: Bank',
      remote: 'name: The bank',
      choices: JSON.stringify(['keep_local', 'take_remote']),
      choice: null,
      decided_at: null,
      detail: JSON.stringify(detail),
      seen_at: startedAtMs,
    });
  });
  book.value.close();
}
