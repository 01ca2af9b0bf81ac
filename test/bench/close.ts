import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dayFromIso } from '../../src-shared/values/civil-date.ts';
import { present } from '../../src-shared/values/assert.ts';
import { BOOK_FILE } from '../../src-main/book/store/book-folder.ts';
import { openBook } from '../../src-main/book/store/book.ts';
import { Database } from '../../src-main/database/database.ts';
import { linesUpTo } from '../../src-main/close/store/close-reads.ts';
import { MEMBERS_OF_NEW_MATCHES } from '../support/books/match-members.ts';
import { ask, quantile, rounded, serve, type Served, settled } from './product.ts';

/** Of each side. */
const LINES = 50_000;
/** All lines but these are matched. */
const OPEN = 200;
const DAYS = 30;
const ROUNDS = 3;
const FIRST_DAY = present(dayFromIso('2026-06-01'), 'day');
const LAST_DAY = FIRST_DAY + DAYS - 1;

const counting = (to: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;

/** A book with a bank and a ledger of 50,000 lines each in one June, all but 200 of either side matched by one rule. */
function makeBook(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-bench-'));
  const opened = openBook(folder, { synchronous: 'NORMAL' });
  if (!opened.ok) throw new Error(opened.error.message);
  const { connection } = opened.value;
  connection.exec('BEGIN');
  for (const [place, key] of ['ledger', 'bank'].entries()) {
    const id = place + 1;
    connection.exec(`
      INSERT INTO streams(environment_id, key, name, type, currency, reference_field, created_at)
        VALUES (1, '${key}', '${key}', 'csv', 'GBP', 'external_id', 0);
      INSERT INTO import_batches(environment_id, stream_id, writing, source, filename, format, sha256, byte_length, kept, skipped, rejected, totals, date_start,
          date_end, proof, problems, created_at)
        VALUES (1, ${id}, 0, 'csv_upload', '${key}.csv', 'csv', '${String(id).repeat(64)}', 4000000, ${LINES}, 0, 0, '[]', ${FIRST_DAY}, ${LAST_DAY},
          'unproved', '[]', 0);
      ${counting(LINES)} INSERT INTO records(environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, description, external_id,
          metadata, dedupe_key, created_at)
        SELECT 1, ${id}, ${id}, ${FIRST_DAY} + i % ${DAYS}, 1000 + i % 977, i % 2, 'GBP', 2, 'Card payment number ' || i, 'REF-' || i,
          '{"counterparty":"Customer ' || i % 500 || '","type":"CARD"}', 'x:${key}-' || i, i FROM n`);
  }
  connection.exec(`
    INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, published_run_id, created_at) VALUES (1, 'Large', 'batch', 'same', 1, 0);
    INSERT INTO reconciliation_streams VALUES (1, 1, 'a'), (1, 2, 'b');
    INSERT INTO runs(reconciliation_id, kind, mode, cause, status, created_at) VALUES (1, 'batch', 'commit', 'manual', 'completed', 0);
    ${counting(LINES - OPEN)} INSERT INTO matches(reconciliation_id, run_id, rule_id, status, origin, certainty, difference, explanation, record_count,
        created_at, side_a_count, a_record_id, b_record_id)
      SELECT 1, 1, 1, 'matched', 'rule', 'unique', 0, '["External id is equal."]', 2, 0, 1, i, ${LINES} + i FROM n;
    ${MEMBERS_OF_NEW_MATCHES}
    COMMIT`);
  opened.value.close();
  return folder;
}

async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

const PERIOD = '/reconciliation_periods/1';

/** Each asked of a book that has just changed, so that nothing is remembered. */
const QUESTIONS: Readonly<Record<string, string>> = {
  statement: PERIOD,
  stale_check: '/reconciliation_periods?reconciliation_id=1',
  report_html: `${PERIOD}/report?format=html`,
  report_xlsx: `${PERIOD}/report?format=xlsx`,
  report_pack: `${PERIOD}/report?format=pack`,
};

/** A note that moves no figure. */
function change(served: Served, round: number): Promise<unknown> {
  const note = { status: 'timing', owner: null, comment: `Round ${round}`, expected_on: null };
  return ask(served, 'PUT', `/reconciliations/1/open_items/${LINES}`, note);
}

/** The close of a month of 100,000 lines, beside one read of these lines. */
export async function close(): Promise<Record<string, unknown>> {
  const folder = makeBook();
  const served = await serve(folder);
  await settled(served);
  const balances = ['bank', 'books'].map((side) => ({ side, opening: 0 }));
  await ask(served, 'POST', '/reconciliation_periods', {
    reconciliation_id: 1,
    from: '2026-06-01',
    to: '2026-06-30',
    bank_side: 'b',
    balances,
  });
  await ask(served, 'POST', `${PERIOD}/prepare`, { by: 'Amira Patel' });
  const database = new Database(path.join(folder, BOOK_FILE), { synchronous: 'FULL' });
  const taken = new Map<string, number[]>(['read_lines', ...Object.keys(QUESTIONS)].map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    taken.get('read_lines')?.push(await timed(() => linesUpTo(database, [1, 2], LAST_DAY)));
    for (const [name, url] of Object.entries(QUESTIONS)) {
      await change(served, round);
      taken.get(name)?.push(await timed(() => ask(served, 'GET', url)));
    }
  }
  database.close();
  await served.stop();
  const median = (name: string): number => quantile(taken.get(name) ?? [], 0.5);
  const baseline = median('read_lines');
  const told = (name: string) => ({ p50_ms: rounded(median(name)), to_baseline: rounded(median(name) / baseline) });
  return {
    bench: 'close',
    records: 2 * LINES,
    matches: LINES - OPEN,
    baseline_read_lines_ms: rounded(baseline),
    ...Object.fromEntries(Object.keys(QUESTIONS).map((name) => [name, told(name)])),
  };
}
