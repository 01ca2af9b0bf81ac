import { Agent, request } from 'node:http';
import path from 'node:path';
import { importByWindow, openWindow } from './answering.ts';
import { benchFiles } from './data/data.ts';
import { ask, quantile, rounded, run, serve, settled, type Served } from './product.ts';

const FORMER_LINES = 50_000;
const IMPORTED_LINES = 500_000;
const READERS = 3;
const TURNS = 5;
const TURN_MS = 1_000;
const ITEMS = 1_000;
const LARGE_CHARACTERS = 15_000;

const READS = [
  '/v1/records?data_stream_key=ledger&sort=date&limit=100',
  '/v1/records?data_stream_key=bank&limit=50',
  '/v1/data_streams',
  '/v1/records?data_stream_key=ledger&status=unreconciled&limit=50',
];

let sent = 0;

/** A body that no other body equals; `note` makes its items wide. */
function bodyOf(items: number, note = ''): string {
  sent += 1;
  const records = Array.from({ length: items }, (_, index) => ({
    data_stream_key: 'orders',
    date: '2026-01-05',
    amount: 1 + ((index * 7_919) % 100_000),
    currency: 'GBP',
    description: `Order ${sent}-${index} by card`,
    external_id: `order-${sent}-${index}`,
    metadata: { order_id: `ORD-${sent}-${index}`, channel: index % 2 === 0 ? 'web' : 'shop', ...(note === '' ? {} : { note }) },
  }));
  return JSON.stringify({ records });
}

/** One read over a connection that is kept; answers its milliseconds. */
function timed(agent: Agent, { baseUrl, apiKey }: Served, url: string): Promise<number> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const call = request(new URL(url, baseUrl), { agent, headers: { 'x-api-key': apiKey } }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - startedMs);
        else reject(new Error(`${url}: ${response.statusCode}`));
      });
    });
    call.on('error', reject);
    call.end();
  });
}

/** Readers ask one after another until `isOver`. */
async function readsUntil(served: Served, isOver: () => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: READERS });
  const times: number[] = [];
  const reader = async (first: number) => {
    for (let turn = first; !isOver(); turn += 1) times.push(await timed(agent, served, READS[turn % READS.length] ?? ''));
  };
  await Promise.all(Array.from({ length: READERS }, (_, index) => reader(index)));
  agent.destroy();
  return times;
}

function isOverAfter(milliseconds: number): () => boolean {
  const untilMs = performance.now() + milliseconds;
  return () => performance.now() >= untilMs;
}

async function bulkRequest(served: Served, body: string): Promise<void> {
  const { id } = await ask<{ id: number }>(served, 'POST', '/records/bulk', body);
  while ((await ask<{ status: string }>(served, 'GET', `/bulk_requests/${id}?limit=1`)).status !== 'completed') {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Sends requests one after another until `isOver`; answers how many records went in. */
async function bulkUntil(served: Served, isOver: () => boolean): Promise<number> {
  let items = 0;
  for (; !isOver(); items += ITEMS) await bulkRequest(served, bodyOf(ITEMS));
  return items;
}

/** Turns of reads at rest and reads beside writes, since a machine drifts from second to second. */
async function byTurns(served: Served, writes: (isOver: () => boolean) => Promise<number>) {
  const rest: number[] = [];
  const beside: number[] = [];
  let items = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    rest.push(...(await readsUntil(served, isOverAfter(TURN_MS))));
    let isDone = false;
    const reading = readsUntil(served, () => isDone);
    items += await writes(isOverAfter(TURN_MS));
    isDone = true;
    beside.push(...(await reading));
  }
  return { ...compared(rest, beside), items_a_turn: rounded(items / TURNS) };
}

function figures(times: readonly number[]) {
  const sumMs = times.reduce((sum, each) => sum + each, 0);
  return {
    reads_a_second: rounded((times.length * READERS * 1_000) / sumMs),
    p50_ms: rounded(quantile(times, 0.5)),
    p99_ms: rounded(quantile(times, 0.99)),
    max_ms: rounded(Math.max(...times)),
  };
}

function compared(rest: readonly number[], beside: readonly number[]) {
  const [atRest, besideWrites] = [figures(rest), figures(beside)];
  return { at_rest: atRest, beside: besideWrites, share_of_rest: rounded(besideWrites.reads_a_second / atRest.reads_a_second) };
}

/** Reads of three readers at rest and by turns beside bulk requests, beside one of a large body, and beside an import with bulk requests. */
export async function answeringBulk(): Promise<Record<string, unknown>> {
  const former = benchFiles(FORMER_LINES);
  const book = path.join(former.folder, 'book');
  await run(['import', former.ledger, '--data', book, '--stream', 'ledger']);
  await run(['import', former.bank, '--data', book, '--stream', 'bank']);
  const files = benchFiles(IMPORTED_LINES, 11, '2026-01-01');
  const served = await serve(book);
  await ask(served, 'POST', '/data_streams', { key: 'orders', name: 'Orders', type: 'api' });
  await settled(served);
  await readsUntil(served, isOverAfter(TURN_MS));
  const bulk = await byTurns(served, (isOver) => bulkUntil(served, isOver));
  const large = await byTurns(served, async () => {
    await bulkRequest(served, bodyOf(ITEMS, 'n'.repeat(LARGE_CHARACTERS)));
    return ITEMS;
  });
  const isImported = await importByWindow(openWindow(served), files.bank, 'bank');
  const imported = { isDone: false };
  const looking = (async () => {
    while (!(await isImported())) await new Promise((resolve) => setTimeout(resolve, 100));
    imported.isDone = true;
  })();
  const importing: number[] = [];
  const both: number[] = [];
  let items = 0;
  while (!imported.isDone) {
    const alone = isOverAfter(TURN_MS);
    importing.push(...(await readsUntil(served, () => imported.isDone || alone())));
    if (imported.isDone) break;
    let isSent = false;
    const reading = readsUntil(served, () => isSent);
    items += await bulkUntil(served, isOverAfter(TURN_MS));
    isSent = true;
    both.push(...(await reading));
  }
  await looking;
  await served.stop();
  return {
    bench: 'answering-bulk',
    readers: READERS,
    targets: { share_of_rest: 0.5, p99_ms: 100 },
    bulk,
    large_body: large,
    import_and_bulk: { ...compared(importing, both), items },
  };
}
