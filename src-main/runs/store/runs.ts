import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import type { OffsetPage } from '../../imports/store/import-batches.ts';

export type RunRow = Row<'runs'>;

export function findRun(read: ReadHandle, reconciliationId: number, id: number): RunRow | undefined {
  return read.first(query.selectFrom('runs').selectAll().where('reconciliation_id', '=', reconciliationId).where('id', '=', id));
}

export function runById(read: ReadHandle, id: number): RunRow | undefined {
  return read.first(query.selectFrom('runs').selectAll().where('id', '=', id));
}

/** Returns runs newest first, one row more than the limit. */
export function pageRuns(read: ReadHandle, reconciliationId: number, page: OffsetPage): RunRow[] {
  const after = page.after;
  let select = query.selectFrom('runs').selectAll().where('reconciliation_id', '=', reconciliationId);
  if (after === undefined) select = select.offset(page.offset);
  else select = select.where('id', '<', after.id);
  return read.all(select.orderBy('id', 'desc').limit(page.limit + 1));
}

export function openRun(read: ReadHandle, reconciliationId: number): RunRow | undefined {
  return read.first(
    query.selectFrom('runs').selectAll().where('reconciliation_id', '=', reconciliationId).where('status', 'in', ['pending', 'running']),
  );
}

export function lastFinishedRun(read: ReadHandle, reconciliationId: number): RunRow | undefined {
  return read.first(
    query
      .selectFrom('runs')
      .selectAll()
      .where('reconciliation_id', '=', reconciliationId)
      .where('status', 'in', ['completed', 'failed', 'cancelled'])
      .orderBy('id', 'desc')
      .limit(1),
  );
}

export interface NewRun {
  readonly reconciliationId: number;
  readonly kind: 'batch' | 'continuous';
  readonly mode: 'commit' | 'dry_run';
  readonly cause: 'manual' | 'rule_activated' | 'agent' | 'record_created';
  readonly createdAtMs: number;
  /** Whether it proposes rules instead of matching. */
  readonly proposes?: boolean | undefined;
}

/** The proposals of a run that has not ended yet. */
export const NOTHING_PROPOSED_YET = '{"rules":0,"nothing":null}';

export function insertRun(write: WriteHandle, run: NewRun): number {
  return write.run(
    query.insertInto('runs').values({
      reconciliation_id: run.reconciliationId,
      kind: run.kind,
      mode: run.mode,
      cause: run.cause,
      status: 'pending',
      error_message: null,
      proposals: run.proposes === true ? NOTHING_PROPOSED_YET : null,
      created_at: run.createdAtMs,
      started_at: null,
      completed_at: null,
    }),
  ).lastInsertId;
}

type RunChange = Partial<Omit<RunRow, 'id' | 'reconciliation_id' | 'created_at'>>;

export function updateRun(write: WriteHandle, id: number, change: RunChange): void {
  write.run(query.updateTable('runs').set(change).where('id', '=', id));
}

/** Returns ended runs that left unpublished matches, of one reconciliation or of all. */
export function deadRuns(read: ReadHandle, reconciliationId: number | null): RunRow[] {
  const select = query.selectFrom('runs').selectAll().where('writing', '=', 1).where('status', 'not in', ['pending', 'running']);
  return read.all((reconciliationId === null ? select : select.where('reconciliation_id', '=', reconciliationId)).orderBy('id'));
}

/** Notes that an ended run has left nothing. */
export function endDeadRun(write: WriteHandle, id: number): void {
  write.run(query.updateTable('runs').set({ writing: 0 }).where('id', '=', id).where('status', 'not in', ['pending', 'running']));
}

/** Returns the running runs of any reconciliation that contains the stream. */
export function writingRunsOfStream(read: ReadHandle, streamId: number): number[] {
  return read
    .prepare<[number], { id: number }>(
      `SELECT id FROM runs WHERE status = 'running' AND reconciliation_id IN (SELECT reconciliation_id FROM reconciliation_streams WHERE stream_id = ?)`,
    )
    .all(streamId)
    .map((row) => row.id);
}

/** Notes for runs in progress that a record has changed since they read it. */
export function excludeFromRuns(write: WriteHandle, runIds: readonly number[], recordId: number): void {
  for (const runId of runIds) {
    write.run(
      query
        .insertInto('run_exclusions')
        .values({ run_id: runId, record_id: recordId })
        .onConflict((conflict) => conflict.doNothing()),
    );
  }
}

/** The record id that excludes all records of a wipe from a run; they are recognised by being hidden. */
const WIPED_RECORDS = 0;

/** Notes for runs in progress on a stream that some of its records were hidden, so that they count again. */
export function noteWipe(write: WriteHandle, streamId: number): void {
  excludeFromRuns(write, writingRunsOfStream(write, streamId), WIPED_RECORDS);
}

export function hasExclusions(read: ReadHandle, runId: number): boolean {
  return read.first(query.selectFrom('run_exclusions').select('record_id').where('run_id', '=', runId).limit(1)) !== undefined;
}

/** Deletes the notes that were made for a run while it worked. */
export function clearNotes(write: WriteHandle, runId: number): void {
  write.run(query.deleteFrom('run_exclusions').where('run_id', '=', runId));
  write.run(query.deleteFrom('run_separations').where('run_id', '=', runId));
}

/** Keeps everything that a run used besides records. */
export function insertRunFacts(write: WriteHandle, runId: number, body: string): void {
  write.run(query.insertInto('run_facts').values({ run_id: runId, body }));
}

export function deleteRunFacts(write: WriteHandle, runId: number): void {
  write.run(query.deleteFrom('run_facts').where('run_id', '=', runId));
}

export function runFactsBody(read: ReadHandle, runId: number): string | undefined {
  return read.first(query.selectFrom('run_facts').select('body').where('run_id', '=', runId))?.body;
}

/** Returns the reference field of each stream. */
export function referenceFields(
  read: ReadHandle,
  streamIds: readonly number[],
): { readonly id: number; readonly reference_field: string | null }[] {
  return read.all(query.selectFrom('streams').select(['id', 'reference_field']).where('id', 'in', streamIds));
}
