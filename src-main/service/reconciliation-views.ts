import type { Reconciliation, Run } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import { jobOfRun } from '../book/store/jobs.ts';
import { sideStreams } from '../reconciliations/store/reconciliations.ts';
import { lastFinishedRun, openRun, type RunRow } from '../runs/store/runs.ts';
import { streamsById } from '../streams/store/streams.ts';
import { signConventionOf } from '../records/work/engine-input.ts';
import type { ReconciliationRow } from '../database/rows.ts';
import { timestampOf } from './answers.ts';
import type { ServiceContext } from './context.ts';
import { runView, streamView } from './views.ts';

/** Returns a run with the counts of the worker that runs it. */
export function liveRunView(context: ServiceContext, row: RunRow): Run {
  const open = row.status === 'pending' || row.status === 'running';
  const job = open ? jobOfRun(context.database, row.id) : undefined;
  const progress = job === undefined ? null : context.queue.progressOf(job.id);
  const unstored = job === undefined ? null : context.queue.unstoredEnd(job.id);
  return runView(unstored === null ? row : { ...row, status: 'failed', error_message: unstored }, progress);
}

/** `records` is the number of records of each stream. */
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
