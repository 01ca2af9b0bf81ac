import type { Reconciliation, ReconciliationSummary, Run } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import type { AdjustmentTotal } from '../store/adjustments.ts';
import { jobOfRun } from '../store/jobs.ts';
import type { ReconciliationTotals } from '../store/figures.ts';
import { type ReconciliationRow, sideStreams } from '../store/reconciliations.ts';
import { type SideTotal, SUM_BASE } from '../store/records.ts';
import { lastFinishedRun, openRun, type RunRow } from '../store/runs.ts';
import { streamsById } from '../store/streams.ts';
import { signConventionOf } from '../jobs/tasks/engine-input.ts';
import { timestampOf } from './answers.ts';
import type { ServiceContext } from './context.ts';
import { runView, streamView } from './views.ts';

/** A run with the counts of the worker that has it now. */
export function liveRunView(context: ServiceContext, row: RunRow): Run {
  const open = row.status === 'pending' || row.status === 'running';
  const job = open ? jobOfRun(context.database, row.id) : undefined;
  const progress = job === undefined ? null : context.queue.progressOf(job.id);
  const unstored = job === undefined ? null : context.queue.unstoredEnd(job.id);
  return runView(unstored === null ? row : { ...row, status: 'failed', error_message: unstored }, progress);
}

/** `records`: how many each stream has. */
export function reconciliationViews(
  context: ServiceContext,
  rows: readonly ReconciliationRow[],
  records: ReadonlyMap<number, number>,
): Reconciliation[] {
  const { database } = context;
  const links = sideStreams(
    database,
    rows.map((row) => row.id),
  );
  const environmentId = rows[0]?.environment_id ?? 0;
  const streams = new Map(
    streamsById(database, environmentId, [...new Set(links.map((link) => link.stream_id))]).map((row) => [
      row.id,
      streamView(row, records),
    ]),
  );
  const side = (id: number, name: 'a' | 'b') =>
    links
      .filter((link) => link.reconciliation_id === id && link.side === name)
      .map((link) => present(streams.get(link.stream_id), 'stream of a side'));
  return rows.map((row) => {
    const current = openRun(database, row.id);
    const last = lastFinishedRun(database, row.id);
    return {
      id: row.id,
      name: row.name,
      run_type: row.run_type === 'batch' ? 'batch' : 'continuous',
      side_a_streams: side(row.id, 'a'),
      side_b_streams: side(row.id, 'b'),
      created_at: timestampOf(row.created_at),
      current_run: current === undefined ? null : liveRunView(context, current),
      last_run: last === undefined ? null : runView(last, null),
      sign_convention: signConventionOf(row.sign_convention),
    };
  });
}

type SideSummary = ReconciliationSummary['side_a'];
type TotalPart = SideTotal & { readonly adjusted_high?: number; readonly adjusted_low?: number };

/** Adjustments as parts of a side's totals: no lines, so they count nothing there. */
function adjustedParts(sums: readonly AdjustmentTotal[]): TotalPart[] {
  const none = { records: 0, net_high: 0, net_low: 0, open_high: 0, open_low: 0 };
  return sums.map(({ currency, decimal_places, high, low }) => ({
    ...none,
    currency,
    decimal_places,
    adjusted_high: high,
    adjusted_low: low,
  }));
}

/** One entry a currency at its finest scale, the one with most records first; null when a sum is beyond 2^53-1. */
function totalsOfSide(sums: readonly TotalPart[]): SideSummary['totals'] | null {
  const totals: { readonly records: number; readonly total: SideSummary['totals'][number] }[] = [];
  for (const [currency, parts] of Map.groupBy(sums, (sum) => sum.currency)) {
    const scale = Math.max(...parts.map((part) => part.decimal_places));
    let net = 0n;
    let open = 0n;
    let adjusted = 0n;
    for (const part of parts) {
      const factor = 10n ** BigInt(scale - part.decimal_places);
      net += (BigInt(part.net_high) * SUM_BASE + BigInt(part.net_low)) * factor;
      open += (BigInt(part.open_high) * SUM_BASE + BigInt(part.open_low)) * factor;
      adjusted += (BigInt(part.adjusted_high ?? 0) * SUM_BASE + BigInt(part.adjusted_low ?? 0)) * factor;
    }
    if ([net, open, adjusted].some((sum) => !Number.isSafeInteger(Number(sum)))) return null;
    const records = parts.reduce((count, part) => count + part.records, 0);
    const nets = { net: Number(net), unmatched_net: Number(open), adjusted_net: Number(adjusted) };
    totals.push({ records, total: { currency, decimal_places: scale, ...nets } });
  }
  return totals.toSorted((left, right) => right.records - left.records).map((entry) => entry.total);
}

/** What is matched, proposed and left on both sides; null when a sum is out of range. */
export function summaryOf(id: number, { counts, adjustments, sides }: ReconciliationTotals): ReconciliationSummary | null {
  const ofSide = (name: 'a' | 'b'): SideSummary | null => {
    const sums = sides[name];
    const count = (status: 'matched' | 'proposed') => counts.find((row) => row.status === status)?.[name] ?? 0;
    const records = sums.reduce((sum, { records: some }) => sum + some, 0);
    const adjusted = adjustedParts(adjustments.filter((sum) => sum.side === name));
    const totals = totalsOfSide([...sums, ...adjusted]);
    if (totals === null) return null;
    return { records, matched: count('matched'), proposed: count('proposed'), unmatched: records - count('matched'), totals };
  };
  const a = ofSide('a');
  const b = ofSide('b');
  if (a === null || b === null) return null;
  const matches = (status: 'matched' | 'proposed') => counts.find((row) => row.status === status)?.matches ?? 0;
  return { reconciliation_id: id, matches: matches('matched'), proposed_matches: matches('proposed'), side_a: a, side_b: b };
}
