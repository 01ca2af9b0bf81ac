import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { BOOK_FILE } from '../../src-main/book/store/book-folder.ts';
import { openBook } from '../../src-main/book/store/book.ts';
import { insertStream } from '../../src-main/streams/store/streams.ts';
import { isoFromDay } from '../../src-shared/values/civil-date.ts';
import { quantile, rounded, serve } from './product.ts';

const ITEMS = 1_000;
const WARM_UP_ROUNDS = 5;
const ROUNDS = 40;
const FIRST_DAY = 20_000;

/** One round's rows: distinct, with dates over a year. */
function itemsOf(round: number): unknown[] {
  return Array.from({ length: ITEMS }, (_, index) => ({
    data_stream_key: 'bulk',
    date: isoFromDay(FIRST_DAY + ((round * 7 + index) % 365)),
    amount: (index % 10 === 0 ? -1 : 1) * (1 + ((index * 7_919) % 100_000)),
    currency: 'GBP',
    description: `Order ${round}-${index} card payment`,
    external_id: `bulk-${round}-${index}`,
    metadata: { order_id: `ORD-${round}-${index}`, channel: index % 2 === 0 ? 'web' : 'shop' },
  }));
}

type Ask = (method: string, url: string, body?: string) => Promise<unknown>;

/** Calls over one kept-alive connection, alike for both servers. */
function asker(origin: string, headers: Readonly<Record<string, string>>): Ask & { readonly end: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask: Ask = (method, url, body) =>
    new Promise((resolve, reject) => {
      const sent = {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      };
      const call = request(`${origin}${url}`, { method, agent, headers: sent }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          if ((response.statusCode ?? 500) >= 300) reject(new Error(`${method} ${url}: ${response.statusCode} ${text}`));
          else resolve(JSON.parse(text));
        });
      });
      call.on('error', reject);
      call.end(body);
    });
  return Object.assign(ask, { end: () => agent.destroy() });
}

/** A book with one stream, made by the product, so that both sides have its table and indices. */
function emptyBook(folder: string): { readonly file: string; readonly streamId: number } {
  const book = openBook(folder);
  if (!book.ok) throw new Error(book.error.message);
  const streamId = book.value.write((write) =>
    insertStream(write, {
      environmentId: 1,
      key: 'bulk',
      name: 'Bulk',
      description: null,
      type: 'api',
      currency: null,
      referenceField: null,
      literalDebitCredit: false,
      createdAtMs: 0,
    }),
  );
  book.value.close();
  return { file: path.join(folder, BOOK_FILE), streamId };
}

async function startBaseline(folder: string): Promise<{ readonly origin: string; readonly stop: () => void }> {
  const { file, streamId } = emptyBook(folder);
  const script = path.join(import.meta.dirname, 'workers/bulk-baseline.ts');
  const child = spawn(process.execPath, [script, file, String(streamId)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('close', (code) => reject(new Error(`the baseline ended with ${code}`)));
  });
  return { origin: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}

interface Polled {
  readonly url: string;
  readonly status: string;
  readonly successful_items: number;
}

/** From the POST until a poll says `completed`. Answers milliseconds. */
async function throughProduct(ask: Ask, body: string): Promise<number> {
  const startedMs = performance.now();
  const { url } = (await ask('POST', '/v1/records/bulk', body)) as Polled;
  for (;;) {
    const polled = (await ask('GET', `${url}?limit=1`)) as Polled;
    if (polled.status !== 'completed') continue;
    if (polled.successful_items !== ITEMS) throw new Error(`only ${polled.successful_items} items went in`);
    return performance.now() - startedMs;
  }
}

async function throughBaseline(ask: Ask, body: string): Promise<number> {
  const startedMs = performance.now();
  await ask('POST', '/', body);
  return performance.now() - startedMs;
}

/** A bulk request of 1,000 records from its POST until it is completed, turn by turn with the baseline. */
export async function bulk(): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-bench-'));
  const baseline = await startBaseline(path.join(folder, 'plain'));
  emptyBook(path.join(folder, 'book'));
  const served = await serve(path.join(folder, 'book'));
  const askBaseline = asker(baseline.origin, {});
  const askProduct = asker(new URL(served.baseUrl).origin, { 'x-api-key': served.apiKey });
  const plain: number[] = [];
  const product: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const body = JSON.stringify({ records: itemsOf(round), on_conflict: 'skip' });
    const plainMs = await throughBaseline(askBaseline, body);
    const productMs = await throughProduct(askProduct, body);
    if (round < WARM_UP_ROUNDS) continue;
    plain.push(plainMs);
    product.push(productMs);
  }
  askBaseline.end();
  askProduct.end();
  baseline.stop();
  await served.stop();
  rmSync(folder, { recursive: true });
  return {
    bench: 'bulk',
    items: ITEMS,
    rounds: ROUNDS,
    baseline_p50_ms: rounded(quantile(plain, 0.5)),
    p50_ms: rounded(quantile(product, 0.5)),
    p99_ms: rounded(quantile(product, 0.99)),
    p50_ratio: rounded(quantile(product, 0.5) / quantile(plain, 0.5)),
  };
}
