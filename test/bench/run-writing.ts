import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { BOOK_FILE } from '../../src-main/book/store/book-folder.ts';
import { openBook } from '../../src-main/book/store/book.ts';
import { Database } from '../../src-main/database/database.ts';
import { present } from '../../src-shared/values/assert.ts';
import { quantile, rounded } from './product.ts';
import type { WritingStart } from './workers/run-writing-worker.ts';

const SIZES = [100_000, 1_000_000] as const;
const BETWEEN_WRITES_MS = 5;

/** The book of a folder, with so many records on each side of a reconciliation, a run that is writing, and its job. */
function makeBook(folder: string, pairs: number): void {
  const opened = openBook(folder, { synchronous: 'NORMAL' });
  if (!opened.ok) throw new Error(opened.error.message);
  const { connection } = opened.value;
  connection.exec(`
    BEGIN;
    INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'ledger', 'Ledger', 'csv', 0), (1, 'bank', 'Bank', 'csv', 0), (1, 'other', 'Other', 'csv', 0);
    INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'R', 'batch', 'same', 0);
    INSERT INTO reconciliation_streams VALUES (1, 1, 'a'), (1, 2, 'b');
    INSERT INTO runs(reconciliation_id, writing, kind, mode, cause, status, created_at) VALUES (1, 1, 'batch', 'commit', 'manual', 'running', 0);
    INSERT INTO jobs(environment_id, kind, status, payload, run_id, created_at) VALUES (1, 'run', 'running', '{}', 1, 0);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${2 * pairs})
    INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, description, external_id, metadata, dedupe_key, created_at)
      SELECT 1, 1 + (i > ${pairs}), 20000 + i % ${pairs} / ${Math.ceil(pairs / 365)}, i * 7919 % 100003, 1, 'GBP', 2, 'Card payment ' || i, 'E-' || i,
        '{"order_id":"ORD-' || i || '"}', 'x:E-' || i, i FROM n;
    COMMIT`);
  opened.value.close();
}

interface Writing {
  readonly elapsedMs: number;
  /** How long each small write on another connection took, in milliseconds. */
  readonly waits: readonly number[];
}

async function writing(start: WritingStart): Promise<Writing> {
  const worker = new Worker(new URL('workers/run-writing-worker.ts', import.meta.url), { workerData: start });
  const database = new Database(start.file, { synchronous: 'FULL' });
  const waits: number[] = [];
  const heard: { isWriting: boolean; elapsedMs: number | null } = { isWriting: false, elapsedMs: null };
  worker.on('message', (message: { readonly elapsedMs?: number }) => {
    heard.isWriting = true;
    heard.elapsedMs = message.elapsedMs ?? null;
  });
  const ended = new Promise<'ended'>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve('ended'));
  });
  const pause = () => new Promise<'paused'>((resolve) => setTimeout(() => resolve('paused'), BETWEEN_WRITES_MS));
  while ((await Promise.race([pause(), ended])) === 'paused') {
    if (!heard.isWriting || heard.elapsedMs !== null) continue;
    const startedMs = performance.now();
    database.write((write) =>
      write.prepare<[string], unknown>("UPDATE streams SET description = ? WHERE key = 'other'").run(String(startedMs)),
    );
    waits.push(performance.now() - startedMs);
  }
  database.close();
  return { elapsedMs: present(heard.elapsedMs, 'time of the writing'), waits };
}

const figures = ({ elapsedMs, waits }: Writing) => ({
  ms: Math.round(elapsedMs),
  small_write_p50_ms: rounded(quantile(waits, 0.5)),
  small_write_p99_ms: rounded(quantile(waits, 0.99)),
  small_write_max_ms: rounded(Math.max(...waits)),
});

/** How long a run takes to write 100,000 and 1,000,000 pairs, and how long small writes wait meanwhile. */
export async function runWriting(): Promise<unknown> {
  const results: unknown[] = [];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-bench-'));
  for (const pairs of SIZES) {
    const place = path.join(folder, String(pairs));
    makeBook(place, pairs);
    results.push({ pairs, ...figures(await writing({ file: path.join(place, BOOK_FILE), pairs })) });
    rmSync(place, { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
  return { bench: 'run-writing', results };
}
