import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import SqliteDatabase from 'better-sqlite3';

/**
 * What `bulk` is measured against: a bare node:http server that parses the body and puts its rows into the table `records` of a
 * book, with its indices, by one prepared insert in one transaction. The same durability as the product's (WAL, synchronous FULL);
 * no validation, no look for duplicates, no results, no audit. Frozen: a change here would move the measure.
 *
 * `node bulk-baseline.ts BOOK STREAM_ID` prints its port.
 */
interface Item {
  readonly date: string;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly external_id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const DAY_MS = 86_400_000;
const [file = '', streamId = ''] = process.argv.slice(2);
const database = new SqliteDatabase(file);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('foreign_keys = ON');
database.pragma('cache_size = -65536');

const insert = database.prepare(
  `INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, description, external_id, metadata, dedupe_key, created_at)
   VALUES (1, ?, ?, ?, ?, ?, 2, ?, ?, ?, ?, ?)`,
);
const insertAll = database.transaction((items: readonly Item[]) => {
  const nowMs = Date.now();
  for (const item of items) {
    insert.run(
      Number(streamId),
      Date.parse(item.date) / DAY_MS,
      Math.abs(item.amount),
      item.amount < 0 ? 0 : 1,
      item.currency,
      item.description,
      item.external_id,
      JSON.stringify(item.metadata),
      `x:${item.external_id}`,
      nowMs,
    );
  }
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { records } = JSON.parse(await bodyOf(request)) as { records: Item[] };
  insertAll.immediate(records);
  response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ count: records.length }));
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
