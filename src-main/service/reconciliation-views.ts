import type { Reconciliation, ReconciliationSummary, Run } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import { jobOfRun } from '../store/jobs.ts';
import { countMatchedRecords, countMatches } from '../store/matches.ts';
import { type ReconciliationRow, sideStreams, streamIdsBySide } from '../store/reconciliations.ts';
import { sideTotals } from '../store/records.ts';
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
  return runView(row, progress);
}

export function reconciliationViews(context: ServiceContext, rows: readonly ReconciliationRow[]): Reconciliation[] {
  const { database } = context;
  const links = sideStreams(
    database,
    rows.map((row) => row.id),
  );
  const environmentId = rows[0]?.environment_id ?? 0;
  const streams = new Map(
    streamsById(database, environmentId, [...new Set(links.map((link) => link.stream_id))]).map((row) => [row.id, streamView(row)]),
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

/** Exact sums come as text; one beyond 2^53-1 is an error in words further up. */
function safe(text: string): number | null {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}

/** What is matched, proposed and left on both sides; null when a sum is out of range. */
export function summaryOf(context: ServiceContext, id: number): ReconciliationSummary | null {
  const { database } = context;
  return database.snapshot(() => {
    const streams = streamIdsBySide(database, id);
    const counts = countMatchedRecords(database, id);
    const ofSide = (name: 'a' | 'b'): SideSummary | null => {
      const totals = sideTotals(database, streams[name], id);
      const count = (status: 'matched' | 'proposed') => counts.find((row) => row.side === name && row.status === status)?.n ?? 0;
      const records = totals.reduce((sum, total) => sum + total.records, 0);
      const views: SideSummary['totals'] = [];
      for (const total of totals) {
        const net = safe(total.net);
        const unmatchedNet = safe(total.open_net);
        if (net === null || unmatchedNet === null) return null;
        views.push({ currency: total.currency, decimal_places: total.decimal_places, net, unmatched_net: unmatchedNet });
      }
      return { records, matched: count('matched'), proposed: count('proposed'), unmatched: records - count('matched'), totals: views };
    };
    const a = ofSide('a');
    const b = ofSide('b');
    if (a === null || b === null) return null;
    const filter = { environmentId: 0, reconciliationId: id };
    return {
      reconciliation_id: id,
      matches: countMatches(database, { ...filter, status: 'matched' }),
      proposed_matches: countMatches(database, { ...filter, status: 'proposed' }),
      side_a: a,
      side_b: b,
    };
  });
}
