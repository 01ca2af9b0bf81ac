import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RuleBody } from '../../src-shared/contract/index.ts';
import { ask, quantile, rounded, serve, type Served, settled } from './product.ts';
import { duckdb, type Measured, RULE_NAMES, type RuleName, sqlite, yardstickBook, yardstickFolder } from './yardstick.ts';

const SIZES = [10_000, 100_000, 1_000_000] as const;
const TIMES = 3;
const POLL_MS = 20;
/** So seldom it is asked whether a run is over, whose own times are taken: each question takes its share of two busy cores, and a baseline is asked nothing. */
const LOOK_MS = 1_000;
/** What a run may take of its baseline's time, at the largest size. */
const TARGETS: Readonly<Record<RuleName, number>> = { near: 0.7, ref: 1.1, batch: 1.5, tol: 0.4 };

const AMOUNT = { key: 'amount', value: 'amount' } as const;
const DIRECTION = { key: 'direction', value: 'direction' } as const;
const DAYS = { key: 'date', value: 'date', tolerance_amount: 3 } as const;

const RULES: Readonly<Record<RuleName, RuleBody>> = {
  near: { filters: { rules: [AMOUNT, DIRECTION, DAYS] } },
  ref: { filters: { rules: [{ key: 'metadata.order_id', value: 'metadata.reference' }, AMOUNT, DIRECTION] } },
  batch: {
    filters: { rules: [{ key: 'metadata.batch_id', value: 'metadata.batch_ref' }, AMOUNT] },
    cardinality: 'many_to_one',
    group_by: ['metadata.batch_id'],
    rollup: { group_by_kind: 'identifier' },
  },
  tol: { filters: { rules: [{ ...AMOUNT, tolerance_amount: 50 }, DIRECTION, DAYS] } },
};

interface RunRow {
  readonly id: number;
  readonly status: string;
  readonly started_at: string;
  readonly completed_at: string | null;
  readonly total_records: number;
  readonly matches: number;
  readonly proposed_matches: number;
  readonly error_message: string | null;
  readonly rule_summary: Readonly<Record<string, object>>;
}

/** A figure of a process's memory, in MiB; not a number where the system does not tell. */
function memoryMib(pid: number, figure: 'VmRSS' | 'VmHWM'): number {
  try {
    return Number(new RegExp(`${figure}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}

/** From now on the largest resident set is counted anew. */
function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Then the peak since the process began is told, which is no smaller.
  }
}

/** What was copied and written before is on the disk: else whoever is measured next waits for it with its own first flush. */
function settleDisk(): void {
  spawnSync('sync');
}

interface Read {
  readonly ms: number;
  /** When its answer was there, in milliseconds since 1970. */
  readonly endedAtMs: number;
}

/** Pages of records and of matches, asked one after another until it is over. */
async function reading(served: Served, reconciliationId: number, isOver: () => boolean): Promise<Read[]> {
  const urls = [
    '/records?data_stream_key=ledger&sort=date&limit=100',
    `/reconciliation_matches?reconciliation_id=${reconciliationId}&limit=100`,
    '/records?data_stream_key=bank&amount_min=1000&limit=100',
  ];
  const reads: Read[] = [];
  for (let turn = 0; !isOver(); turn += 1) {
    const startedMs = performance.now();
    await ask(served, 'GET', urls[turn % urls.length] ?? '');
    reads.push({ ms: performance.now() - startedMs, endedAtMs: Date.now() });
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return reads;
}

interface ProductRun {
  readonly ms: number;
  /** Over an empty process that serves an empty book. */
  readonly peakMib: number;
  readonly run: RunRow;
  readonly reads: readonly Read[];
}

async function emptyMib(): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-empty-'));
  const served = await serve(folder);
  const mib = memoryMib(served.child.pid ?? 0, 'VmRSS');
  await served.stop();
  rmSync(folder, { recursive: true, force: true });
  return mib;
}

/** One run of the product over a fresh copy of a book; with `isRead`, while pages are asked of it. */
async function productRun(book: string, rule: RuleName, isRead: boolean, idleMib: number): Promise<ProductRun> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-matching-'));
  cpSync(book, folder, { recursive: true });
  const served = await serve(folder);
  try {
    const streams = await ask<{ id: number; key: string }[]>(served, 'GET', '/data_streams');
    const side = (key: string) => streams.filter((stream) => stream.key === key).map(({ id }) => id);
    const sides = { side_a_stream_ids: side('ledger'), side_b_stream_ids: side('bank') };
    const created = { name: 'bench', run_type: 'batch', sign_convention: 'same', ...sides };
    const { id } = await ask<{ id: number }>(served, 'POST', '/reconciliations', created);
    await ask(served, 'POST', '/reconciliation_rules', { reconciliation_id: id, ...RULES[rule] });
    await settled(served);
    settleDisk();
    forgetPeak(served.child.pid ?? 0);
    const started = await ask<RunRow>(served, 'POST', `/reconciliations/${id}/runs`, {});
    let isOver = false;
    const reads = isRead ? reading(served, id, () => isOver) : Promise.resolve([]);
    let run = started;
    while (!['completed', 'failed', 'cancelled'].includes(run.status)) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      run = await ask<RunRow>(served, 'GET', `/reconciliations/${id}/runs/${started.id}`);
    }
    const peakMib = memoryMib(served.child.pid ?? 0, 'VmHWM') - idleMib;
    isOver = true;
    if (run.status !== 'completed') throw new Error(`the run ended as ${run.status}: ${run.error_message ?? ''}`);
    const ms = Date.parse(run.completed_at ?? '') - Date.parse(run.started_at);
    return { ms, peakMib, run, reads: await reads };
  } finally {
    await served.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

function baselineFigures(measured: readonly Measured[], productMs: number) {
  if (measured.length === 0) return null;
  const ms = median(measured.map((one) => one.ms));
  return {
    ms: rounded(ms),
    matches: measured[0]?.matches,
    peak_mib: median(measured.map((one) => one.peak_mib)),
    ratio: rounded(productMs / ms),
  };
}

/** A rule at one size: the product and its baselines by turns. */
async function measured(folder: string, book: string, rule: RuleName, rows: number, idleMib: number) {
  const ours: ProductRun[] = [];
  const duck: Measured[] = [];
  const sql: Measured[] = [];
  for (let turn = 0; turn < TIMES; turn += 1) {
    ours.push(await productRun(book, rule, false, idleMib));
    settleDisk();
    duck.push(await duckdb(folder, rule, rows));
    if (rule !== 'near') continue;
    settleDisk();
    sql.push(await sqlite(folder, rule, rows));
  }
  const read = await productRun(book, rule, true, idleMib);
  const ms = median(ours.map((one) => one.ms));
  const records = ours[0]?.run.total_records ?? 0;
  const times = (isDuring: boolean): number[] =>
    read.reads.filter(({ endedAtMs }) => endedAtMs <= Date.parse(read.run.completed_at ?? '') === isDuring).map((one) => one.ms);
  const during = times(true);
  const peakMib = Math.max(...ours.map((one) => one.peakMib));
  return {
    ms,
    matches: ours[0]?.run.matches,
    proposed: ours[0]?.run.proposed_matches,
    rule_summary: Object.values(ours[0]?.run.rule_summary ?? {})[0],
    peak_mib: rounded(peakMib),
    peak_mib_per_million: rounded((peakMib * 1e6) / records),
    duckdb: { ...baselineFigures(duck, ms), target: TARGETS[rule] },
    ...(rule === 'near' ? { sqlite: { ...baselineFigures(sql, ms), target: 0.2 } } : {}),
    reads_during_run: {
      asked: during.length,
      p50_ms: rounded(quantile(during, 0.5)),
      p99_ms: rounded(quantile(during, 0.99)),
      max_ms: rounded(Math.max(...during)),
      run_ms: read.ms,
      // The first page of matches after a run counts all of them.
      right_after_max_ms: rounded(Math.max(...times(false))),
    },
  };
}

/** By how much the time grows with the size, as the slope of a line through the logarithms. */
function slope(points: readonly { readonly rows: number; readonly ms: number }[]): number {
  const logs = points.map(({ rows, ms }) => ({ x: Math.log(rows), y: Math.log(Math.max(1, ms)) }));
  const mean = (of: (point: { x: number; y: number }) => number) => logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const over = logs.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  return rounded(over / logs.reduce((sum, point) => sum + (point.x - x) ** 2, 0));
}

/** The product's own run, from its start to its publish step, beside DuckDB and SQL in SQLite on the same work (see README). */
export async function matching(): Promise<Record<string, unknown>> {
  const folder = yardstickFolder();
  if (folder === null) return { bench: 'matching', left_out: 'TIEOUT_YARDSTICK names no folder of the yardstick (see README)' };
  const sizes = process.env['TIEOUT_BENCH_ROWS']?.split(',').map(Number) ?? SIZES;
  const rules = RULE_NAMES.filter((rule) => process.env['TIEOUT_BENCH_RULES']?.split(',').includes(rule) ?? true);
  const idleMib = await emptyMib();
  const results: Record<string, unknown> = {};
  for (const rule of rules) {
    const points: { rows: number; ms: number }[] = [];
    const bySize: Record<string, unknown> = {};
    for (const rows of sizes) {
      const figures = await measured(folder, await yardstickBook(folder, rows), rule, rows, idleMib);
      process.stderr.write(`${rule} ${rows}: ${JSON.stringify(figures)}\n`);
      points.push({ rows, ms: figures.ms });
      bySize[rows] = figures;
    }
    results[rule] = { ...bySize, slope: slope(points), slope_of_the_last_two: slope(points.slice(-2)) };
  }
  return { bench: 'matching', idle_mib: rounded(idleMib), rules: results };
}
