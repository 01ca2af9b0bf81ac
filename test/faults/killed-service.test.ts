import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../src-main/book/store/audit.ts';
import { openBook } from '../../src-main/book/store/book.ts';
import { assert } from '../../src-shared/values/assert.ts';
import { openTestDatabase } from '../support/books/quiet-book.ts';
import { serveCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { CARDS_BATCH, fillForWipes, SIZES } from '../support/books/wiped-book.ts';
import { IS_LONG, some } from '../support/long.ts';

/** A service in a process of its own, which is killed in the middle of everything, and started again. */
const SEEDS = [1, 2, 3, 4, 5, 6];
const LONGEST_MS = 500;
const REQUESTS = 4;
const ITEMS = IS_LONG ? 400 : 200;

interface Served {
  readonly ask: (method: string, url: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly kill: (signal: NodeJS.Signals) => Promise<void>;
}
interface Body {
  readonly id?: number;
  readonly status?: string;
  readonly record_count?: number;
  readonly total_count?: number;
  readonly total_items?: number;
  readonly processed_items?: number;
  readonly successful_items?: number;
  readonly failed_items?: number;
  readonly skipped_items?: number;
  readonly results?: {
    readonly data: readonly { readonly index: number; readonly record_id: number | null }[];
    readonly has_more: boolean;
  };
}
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

async function serve(folder: string): Promise<Served> {
  const { printed, stop } = await serveCli(folder, '--requests-per-second', '100000');
  const { base_url: baseUrl, api_key: apiKey } = printed;
  // Asking at no address fails without waiting for anything, and a loop of that would let nothing else happen.
  assert(URL.canParse(baseUrl), `the service says where it is: ${JSON.stringify(printed)}`);
  return {
    ask: async (method, url, body, headers = {}) => {
      const answer = await fetch(`${new URL(baseUrl).origin}/v1${url.replace(/^\/v1/, '')}`, {
        method,
        headers: { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const said = await answer.text();
      return { status: answer.status, headers: answer.headers, body: (said === '' ? {} : JSON.parse(said)) as Body };
    },
    kill: async (signal) => void (await stop(signal)),
  };
}

/** Mulberry32, for the moment of the kill. */
function seeded(seed: number): number {
  const state = (seed * 0x6d2b79f5) | 0;
  const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

const later = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const keyOf = (request: number) => ({ 'idempotency-key': `request-${request}` });
const bodyOf = (request: number) => ({
  records: Array.from({ length: ITEMS }, (_, index) => ({
    data_stream_key: 'fill',
    date: '2026-06-10',
    amount: index + 1,
    // Every tenth is there already, from the request before.
    external_id: `e${index % 10 === 0 ? index : `${request}-${index}`}`,
  })),
});

/** What was answered before the kill, by what was asked; a request without an answer may or may not have been heard. */
type Answered = Map<string, Answer>;

/** Asks for everything at once, and looks at counters, until the process is killed. */
async function workUntilKilled(served: Served, seed: number): Promise<{ readonly answered: Answered; readonly uneven: Body[] }> {
  const answered: Answered = new Map();
  const uneven: Body[] = [];
  const killed = new AbortController();
  const heard = async (name: string, asked: Promise<Answer>) => {
    try {
      answered.set(name, await asked);
    } catch {
      // Killed before it answered.
    }
  };
  const sent = Array.from({ length: REQUESTS }, (_, request) =>
    heard(`bulk ${request}`, served.ask('POST', '/records/bulk', bodyOf(request), keyOf(request))),
  );
  sent.push(heard('reset', served.ask('POST', '/data_streams/bank/reset')));
  sent.push(heard('delete', served.ask('DELETE', '/data_streams/unused?async=true')));
  sent.push(heard('undo', served.ask('DELETE', `/import_batches/${CARDS_BATCH}`)));
  const polling = (async () => {
    for (let id = 1; !killed.signal.aborted; id = (id % REQUESTS) + 1) {
      const polled = await served.ask('GET', `/bulk_requests/${id}?limit=1`).catch(() => null);
      if (polled?.status === 200 && !isEven(polled.body)) uneven.push(polled.body);
    }
  })();
  await later(seeded(seed) * LONGEST_MS);
  await served.kill('SIGKILL');
  killed.abort();
  await Promise.all([...sent, polling]);
  return { answered, uneven };
}

const isEven = (body: Body) => body.processed_items === (body.successful_items ?? 0) + (body.failed_items ?? 0) + (body.skipped_items ?? 0);

/** Polls until `isSettled`. */
async function settled(served: Served, url: string, isSettled: (answer: Answer) => boolean): Promise<Answer> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    const answer = await served.ask('GET', url);
    expect(isEven(answer.body) || answer.body.processed_items === undefined).toBe(true);
    if (isSettled(answer)) return answer;
    await later(20);
  }
  throw new Error(`${url} does not settle`);
}

async function recordCount(served: Served, key: string): Promise<number> {
  const { status, body } = await served.ask('GET', `/data_streams/${key}`);
  return status === 404 ? -1 : (body.record_count ?? -1);
}

/** An operation goes on to its end, at the address that was told; one that was never heard has not happened. */
async function endOfOperation(served: Served, answer: Answer | undefined, key: string): Promise<void> {
  if (answer === undefined) {
    // It may have been stored without its answer being heard: then it is the first of its stream.
    const ids = [1, 2];
    const found = await Promise.all(ids.map((id) => served.ask('GET', `/data_streams/${key}/operations/${id}`)));
    const known = found.find((each) => each.status === 200);
    if (known === undefined) return;
    await settled(served, `/data_streams/${key}/operations/${known.body.id}`, (now) => now.body.status === 'completed');
    return;
  }
  expect(answer.status).toBe(202);
  const location = answer.headers.get('location') ?? '';
  const { body } = await settled(served, location, (now) => now.body.status === 'completed');
  expect(body).toMatchObject({ id: answer.body.id, data_stream_key: key, progress: 100, error_message: null });
}

/** Every request that was accepted goes on to its end, and a repetition of it is answered with it. Answers how many items went in. */
async function endOfBulk(served: Served, answered: Answered, request: number): Promise<number> {
  const before = answered.get(`bulk ${request}`);
  const again = await served.ask('POST', '/records/bulk', bodyOf(request), keyOf(request));
  expect(again.status).toBe(202);
  expect(before === undefined || again.body.id === before.body.id).toBe(true);
  expect(before === undefined || again.headers.get('idempotent-replayed') === 'true').toBe(true);
  const url = `/bulk_requests/${again.body.id}`;
  const { body } = await settled(served, `${url}?limit=1`, (now) => now.body.status === 'completed');
  expect(body).toMatchObject({ total_items: ITEMS, processed_items: ITEMS, failed_items: 0 });
  const indices: number[] = [];
  for (let more = true; more;) {
    const page = (await served.ask('GET', `${url}?limit=100&offset=${indices.length}`)).body.results;
    indices.push(...(page?.data ?? []).map((result) => result.index));
    more = page?.has_more === true;
  }
  expect(indices).toEqual(Array.from({ length: ITEMS }, (_, index) => index));
  return body.successful_items ?? 0;
}

const filled = mkdtempSync(path.join(tmpdir(), 'tieout-filled-'));
beforeAll(() => {
  const opened = openBook(filled);
  assert(opened.ok, 'the folder is new');
  fillForWipes(opened.value);
  opened.value.close();
  return () => rmSync(filled, { recursive: true, force: true });
});

test.each(some(SEEDS, 1))(
  'killed at a random moment (seed %i), nothing is lost, doubled or half done',
  { timeout: 180_000 },
  async (seed) => {
    const folder = path.join(temporaryFolder(), 'book');
    cpSync(filled, folder, { recursive: true });
    const first = await serve(folder);
    const { answered, uneven } = await workUntilKilled(first, seed);
    expect(uneven).toEqual([]);

    const second = await serve(folder);
    await endOfOperation(second, answered.get('reset'), 'bank');
    await endOfOperation(second, answered.get('delete'), 'unused');
    let wentIn = 0;
    for (let request = 0; request < REQUESTS; request += 1) wentIn += await endOfBulk(second, answered, request);
    expect(wentIn).toBe(REQUESTS * ITEMS - (REQUESTS - 1) * (ITEMS / 10));
    const counts = Object.fromEntries(
      await Promise.all(['bank', 'cards', 'unused', 'fill', 'ledger'].map(async (key) => [key, await recordCount(second, key)] as const)),
    );
    expect(counts).toMatchObject({ fill: wentIn, ledger: SIZES.ledger });
    const isReset = counts['bank'] === 0;
    const isUndone = (await second.ask('GET', `/import_batches/${CARDS_BATCH}`)).status === 404;
    expect([0, SIZES.bank]).toContain(counts['bank']);
    expect([-1, SIZES.unused]).toContain(counts['unused']);
    expect(counts['cards']).toBe(isUndone ? 0 : SIZES.cards);
    // What was answered has happened.
    expect(isReset || !answered.has('reset')).toBe(true);
    expect(isUndone || !answered.has('undo')).toBe(true);
    expect(counts['unused'] === -1 || !answered.has('delete')).toBe(true);
    const { body } = await second.ask('GET', '/reconciliation_matches?reconciliation_id=1&limit=1');
    const left = (isReset ? 0 : SIZES.bankMatches) + (isUndone ? 0 : SIZES.cardsMatches);
    expect(body.total_count).toBe(left);
    await second.kill('SIGTERM');

    const database = openTestDatabase(folder);
    const count = (sql: string) => database.connection.prepare(`SELECT count(*) FROM ${sql}`).pluck().get();
    expect(['wipes', 'wiped_matches', 'import_batches WHERE id < 0', 'import_batches WHERE writing = 1'].map(count)).toEqual([0, 0, 0, 0]);
    expect(count('matches')).toBe(left);
    expect(count('(SELECT external_id FROM records WHERE external_id IS NOT NULL GROUP BY external_id HAVING count(*) > 1)')).toBe(0);
    expect(database.connection.pragma('foreign_key_check')).toEqual([]);
    expect(firstBrokenAuditEntry(database)).toBeNull();
  },
);
