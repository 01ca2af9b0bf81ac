import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isoFromDay } from '../../src-shared/values/civil-date.ts';
import { FIRST_DAY, FIRST_MS, makePagesBook, RECORDS, RECORDS_PER_DAY } from './data/pages-book.ts';
import { quantile, rounded, serve } from './product.ts';

const ROUNDS = 15;
const PAIRED_ROUNDS = 40;
const COMBINATIONS = 200;
const COMBINATION_ROUNDS = 3;

type Query = Readonly<Record<string, string>>;

/** The day of a record that is a share of the list from its oldest. */
const dayAt = (share: number): string => isoFromDay(FIRST_DAY + Math.floor((RECORDS * share) / RECORDS_PER_DAY));
const instantAt = (share: number): string => new Date(FIRST_MS + RECORDS * share * 10).toISOString();

/** Values of each filter: common, at the far end of the list, and absent ones. */
const VALUES: Readonly<Record<string, readonly Query[]>> = {
  data_stream_key: ['bank', 'ancient', 'empty'].map((key) => ({ data_stream_key: key })),
  reconciliation_id: ['1', '2'].map((id) => ({ reconciliation_id: id })),
  side: [
    { reconciliation_id: '1', side: 'a' },
    { reconciliation_id: '2', side: 'b' },
  ],
  reconciliation_match_id: [{ reconciliation_match_id: '50002' }],
  import_batch_id: [{ import_batch_id: '3' }, { import_batch_id: '99' }],
  bulk_request_id: [{ bulk_request_id: '40' }, { bulk_request_id: '99' }],
  external_id: [{ external_id: 'E-7' }, { external_id: 'none' }],
  status: ['reconciled', 'unreconciled'].map((status) => ({ status })),
  source: ['csv_upload', 'nacha_upload', 'bulk_api'].map((source) => ({ source })),
  date: [{ date_to: dayAt(0.05) }, { date_from: dayAt(0.5), date_to: dayAt(0.6) }, { date_from: '2099-01-01' }],
  amount: [{ amount_min: '500000', amount_max: '600000' }, { amount_max: '10' }, { amount_min: '2000000' }],
  direction: ['credit', 'debit'].map((direction) => ({ direction })),
  currency: ['GBP', 'EUR', 'USD', 'XXX'].map((currency) => ({ currency })),
  q: ['payment', 'opening entry', 'refund', 'chargeb', 'ORD-123', 'nowhere'].map((q) => ({ q })),
  created: [
    { created_before: instantAt(0.05) },
    { created_after: instantAt(0.4), created_before: instantAt(0.5) },
    { created_after: instantAt(2) },
  ],
  overdue: ['true', 'false'].map((overdue) => ({ overdue })),
};

/** What people ask most. */
const NAMED: Readonly<Record<string, Query>> = {
  'everything by date': { sort: 'date' },
  'everything by amount': { sort: 'amount' },
  'stream and dates by date': { data_stream_key: 'bank', date_from: dayAt(0.5), date_to: dayAt(0.6), sort: 'date' },
  'stream by amount': { data_stream_key: 'bank', sort: 'amount' },
  'side, unreconciled, by date': { reconciliation_id: '1', side: 'a', status: 'unreconciled', sort: 'date' },
  'side, unreconciled, last date first': { reconciliation_id: '1', side: 'a', status: 'unreconciled', sort: '-date' },
  'side of nothing matched, reconciled, by date': { reconciliation_id: '2', side: 'a', status: 'reconciled', sort: 'date' },
  'side of nothing matched, unreconciled, by date': { reconciliation_id: '2', side: 'a', status: 'unreconciled', sort: 'date' },
  q: { q: 'refund' },
  'q, two words': { q: 'card refund' },
  'q and stream': { q: 'refund', data_stream_key: 'bank' },
  'q by date': { q: 'payment', sort: 'date' },
  'amounts by amount': { amount_min: '500000', amount_max: '600000', sort: 'amount' },
  'amounts by date': { amount_min: '500000', amount_max: '600000', sort: 'date' },
  'status by date': { status: 'reconciled', sort: 'date' },
  'status, last date first': { status: 'reconciled', sort: '-date' },
  'unreconciled by date': { status: 'unreconciled', sort: 'date' },
  'currency by date': { currency: 'EUR', sort: 'date' },
  'direction by date': { direction: 'debit', sort: 'date' },
  'created within, by date': { created_after: instantAt(0.4), created_before: instantAt(0.5), sort: 'date' },
  'source by date': { source: 'csv_upload', sort: '-date' },
  'bulk request by date': { bulk_request_id: '40', sort: 'date' },
  'overdue in a reconciliation by date': { overdue: 'true', reconciliation_id: '1', sort: 'date' },
  'external id': { external_id: 'E-999999' },
};

const SORTS = ['created_at', '-created_at', 'date', '-date', 'amount', '-amount'];

/** The same combinations in every run. */
function combinations(): Query[] {
  let state = 11;
  const below = (count: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * count);
  };
  const names = Object.keys(VALUES);
  return Array.from({ length: COMBINATIONS }, () => {
    const query: Record<string, string> = { sort: SORTS[below(SORTS.length)] ?? 'date' };
    for (let more = 2 + below(3); more > 0; more -= 1) {
      const values = VALUES[names[below(names.length)] ?? ''] ?? [];
      Object.assign(query, values[below(values.length)]);
    }
    return query;
  });
}

interface Page {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}
type Ask = (query: Query) => Promise<{ readonly ms: number; readonly page: Page }>;

function asker(baseUrl: string, apiKey: string): Ask {
  return async (query) => {
    const url = `${baseUrl}/records?${new URLSearchParams({ limit: '100', ...query }).toString()}`;
    const startedMs = performance.now();
    const response = await fetch(url, { headers: { 'x-api-key': apiKey } });
    const page = (await response.json()) as Page;
    const ms = performance.now() - startedMs;
    if (response.status !== 200) throw new Error(`${url}: ${response.status} ${JSON.stringify(page)}`);
    return { ms, page };
  };
}

async function median(ask: Ask, query: Query, rounds: number): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round += 1) taken.push((await ask(query)).ms);
  return quantile(taken, 0.5);
}

/** The last whole page by cursor beside the first, turn by turn, so that both see the same machine. */
async function lastToFirst(ask: Ask, query: Query): Promise<number> {
  let count = 0;
  for (let step = 1 << 19; step >= 1; step >>= 1) {
    if ((await ask({ ...query, limit: '1', offset: String(count + step) })).page.data.length > 0) count += step;
  }
  const before = (await ask({ ...query, offset: String(count - 200) })).page.next_cursor;
  if (before === null) throw new Error('the list is too short');
  const first: number[] = [];
  const last: number[] = [];
  for (let round = 0; round < PAIRED_ROUNDS; round += 1) {
    first.push((await ask(query)).ms);
    last.push((await ask({ ...query, cursor: before })).ms);
  }
  return quantile(last, 0.5) / quantile(first, 0.5);
}

function slowest(times: ReadonlyMap<string, number>, count: number): Record<string, number> {
  const sorted = [...times].toSorted(([, left], [, right]) => right - left);
  return Object.fromEntries(sorted.slice(0, count).map(([name, ms]) => [name, rounded(ms)]));
}

/** Pages of 100 out of a million records. */
export async function pages(): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-bench-'));
  makePagesBook(folder);
  const served = await serve(folder);
  const ask = asker(served.baseUrl, served.apiKey);
  const single = new Map<string, number>();
  for (const values of Object.values(VALUES)) {
    for (const query of values) single.set(new URLSearchParams(query).toString(), await median(ask, query, ROUNDS));
  }
  const named = new Map<string, number>();
  for (const [name, query] of Object.entries(NAMED)) named.set(name, await median(ask, query, ROUNDS));
  const others = new Map<string, number>();
  for (const query of combinations()) others.set(new URLSearchParams(query).toString(), await median(ask, query, COMBINATION_ROUNDS));
  const dates = { sort: 'date', date_from: dayAt(0.01) };
  const report = {
    bench: 'pages',
    records: RECORDS,
    last_to_first_by_date: rounded(await lastToFirst(ask, { sort: 'date' })),
    last_to_first_of_dates: rounded(await lastToFirst(ask, dates)),
    last_to_first_of_stream_dates: rounded(await lastToFirst(ask, { ...dates, data_stream_key: 'bank' })),
    last_to_first_of_direction: rounded(await lastToFirst(ask, { ...dates, direction: 'debit' })),
    single_filters: single.size,
    single_over_50_ms: [...single.values()].filter((ms) => ms >= 50).length,
    slowest_single_ms: slowest(single, 5),
    named_combinations: named.size,
    named_over_50_ms: [...named.values()].filter((ms) => ms >= 50).length,
    slowest_named_ms: slowest(named, 5),
    other_combinations: others.size,
    other_p50_ms: rounded(quantile([...others.values()], 0.5)),
    slowest_other_ms: slowest(others, 5),
  };
  await served.stop();
  rmSync(folder, { recursive: true });
  return report;
}
