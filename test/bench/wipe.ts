import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BOOK_FILE } from '../../src-main/book/store/book-folder.ts';
import { openBook } from '../../src-main/book/store/book.ts';
import { Database } from '../../src-main/database/database.ts';
import { quantile, rounded, serve, type Served } from './product.ts';
import { MEMBERS_OF_NEW_MATCHES } from '../support/books/match-members.ts';

const RECORDS = 500_000;
const MATCHES = 200_000;
const SMALL = 10_000;
const REST_WRITES = 300;
const BETWEEN_WRITES_MS = 2;

const BATCH = `INSERT INTO import_batches(id, environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)`;
const RECORD = `INSERT INTO records(environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, description, external_id, metadata, dedupe_key, created_at)`;
const counting = (name: string, from: number, to: number) =>
  `WITH RECURSIVE ${name}(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM ${name} WHERE i < ${to})`;

/**
 * A book with the stream `bank` of 500,000 records, half of them in one import (batch 1) and half loose; 200,000 matches with `ledger`, half with
 * lines of either kind; a stream `unused` of 500,000 records in 500 batches, `small` of 10,000 loose ones, and `other` for writes meanwhile.
 */
function makeBook(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-bench-'));
  const opened = openBook(folder, { synchronous: 'NORMAL' });
  if (!opened.ok) throw new Error(opened.error.message);
  const { connection } = opened.value;
  const records = (streamId: number, batch: string, from: number, to: number) =>
    connection.exec(
      `${counting('n', from, to)} ${RECORD} SELECT 1, ${streamId}, ${batch}, 20000 + i % 365, i, i % 2, 'GBP', 2, 'Line ' || i,
       's${streamId}-' || i, '{}', 'x:s${streamId}-' || i, i FROM n`,
    );
  connection.exec('BEGIN');
  for (const key of ['ledger', 'bank', 'unused', 'small', 'other']) {
    connection.exec(`INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, '${key}', '${key}', 'csv', 0)`);
  }
  connection.exec(`${BATCH} VALUES (1, 1, 2, 0, 'csv_upload', 'csv', '', 0, ${RECORDS / 2}, 0, 0, '[]', 'unproved', '[]', 0);
    ${counting('n', 2, 501)} ${BATCH} SELECT i, 1, 3, 0, 'bulk_api', 'json', '', 0, 1000, 0, 0, '[]', 'unproved', '[]', i FROM n`);
  records(1, 'NULL', 1, MATCHES);
  records(2, '1', 1, RECORDS / 2);
  records(2, 'NULL', RECORDS / 2 + 1, RECORDS);
  records(3, '2 + (i - 1) / 1000', 1, RECORDS);
  records(4, 'NULL', 1, SMALL);
  // Ledger line i is matched with bank line i * 2, so that half of the matches are of imported lines.
  connection.exec(`
    INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, published_run_id, created_at) VALUES (1, 'R', 'batch', 'same', 1, 0);
    INSERT INTO reconciliation_streams VALUES (1, 1, 'a'), (1, 2, 'b');
    INSERT INTO runs(reconciliation_id, kind, mode, cause, status, created_at) VALUES (1, 'batch', 'commit', 'manual', 'completed', 0);
    ${counting('n', 1, MATCHES)} INSERT INTO matches(reconciliation_id, run_id, status, origin, difference, explanation, record_count, created_at,
        side_a_count, a_record_id, b_record_id)
      SELECT 1, 1, 'matched', 'rule', 0, '["External id is equal."]', 2, 0, 1, i, ${MATCHES} + i * 2 FROM n;
    ${MEMBERS_OF_NEW_MATCHES}
    COMMIT`);
  opened.value.close();
  return folder;
}

interface Waits {
  readonly writes: number[];
  readonly requests: number[];
}

/** Small writes one after another until `isOver`: on a connection of their own, as a job makes them, and as requests. */
async function smallWrites(served: Served, folder: string, isOver: () => boolean): Promise<Waits> {
  const waits: Waits = { writes: [], requests: [] };
  const database = new Database(path.join(folder, BOOK_FILE), { synchronous: 'FULL' });
  const headers = { 'x-api-key': served.apiKey, 'content-type': 'application/json' };
  while (!isOver()) {
    const startedMs = performance.now();
    database.write((write) =>
      write.prepare<[string], unknown>("UPDATE streams SET description = ? WHERE key = 'other'").run(String(startedMs)),
    );
    const writtenMs = performance.now();
    await (
      await fetch(`${served.baseUrl}/data_streams/other`, { method: 'PATCH', headers, body: JSON.stringify({ name: 'Other' }) })
    ).text();
    waits.writes.push(writtenMs - startedMs);
    waits.requests.push(performance.now() - writtenMs);
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_WRITES_MS));
  }
  database.close();
  return waits;
}

function figures({ writes, requests }: Waits): Record<string, unknown> {
  const told = (times: readonly number[]) => ({
    p50_ms: rounded(quantile(times, 0.5)),
    p99_ms: rounded(quantile(times, 0.99)),
    max_ms: rounded(Math.max(...times)),
  });
  return { count: writes.length, write: told(writes), request: told(requests) };
}

async function ask(served: Served, method: string, url: string): Promise<{ readonly status?: string; readonly id?: number }> {
  const answer = await fetch(`${served.baseUrl}${url}`, { method, headers: { 'x-api-key': served.apiKey } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as { status?: string; id?: number });
}

/** An operation from its 202 to its end. */
async function operation(served: Served, key: string, method: string, url: string): Promise<void> {
  const { id } = await ask(served, method, url);
  for (;;) {
    const { status } = await ask(served, 'GET', `/data_streams/${key}/operations/${id}`);
    if (status === 'completed') return;
    if (status === 'failed') throw new Error(`${url} failed`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const CASES: Readonly<Record<string, (served: Served) => Promise<unknown>>> = {
  reset: (served) => operation(served, 'bank', 'POST', '/data_streams/bank/reset'),
  delete: (served) => operation(served, 'unused', 'DELETE', '/data_streams/unused?async=true'),
  delete_of_10000_within_the_request: (served) => ask(served, 'DELETE', '/data_streams/small'),
  undo_of_an_import: (served) => ask(served, 'DELETE', '/import_batches/1'),
};

/** How long a small write waits while a large stream is reset or deleted, or a large import undone; each on a fresh copy of one book. */
export async function wipe(): Promise<Record<string, unknown>> {
  const made = makeBook();
  const told: Record<string, unknown> = {};
  for (const [name, work] of Object.entries(CASES)) {
    const folder = path.join(made, name);
    mkdirSync(folder);
    copyFileSync(path.join(made, BOOK_FILE), path.join(folder, BOOK_FILE));
    const served = await serve(folder);
    let left = REST_WRITES;
    const rest = await smallWrites(served, folder, () => (left -= 1) < 0);
    let isOver = false;
    const startedMs = performance.now();
    const working = work(served).finally(() => (isOver = true));
    const waits = await smallWrites(served, folder, () => isOver);
    await working;
    told[name] = { elapsed_ms: rounded(performance.now() - startedMs), at_rest: figures(rest), meanwhile: figures(waits) };
    await served.stop();
  }
  return { bench: 'wipe', records: RECORDS, matches: MATCHES, ...told };
}
