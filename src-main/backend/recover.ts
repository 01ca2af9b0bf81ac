import { phrase } from '../../src-shared/words/say.ts';
import { appendAudit } from '../book/store/audit.ts';
import { type JobRow, openJobs, updateJob } from '../book/store/jobs.ts';
import { forgetSetting, setting } from '../book/store/settings.ts';
import type { Database } from '../database/database.ts';
import { storedJson } from '../database/json-columns.ts';
import { writingBatches } from '../imports/store/import-batches.ts';
import { clearSpillFiles, folderOf } from '../imports/work/understand.ts';
import type { RunPayload } from '../jobs/protocol.ts';
import type { Clock } from '../platform/ports.ts';
import { deleteReconciliation, reconciliationById } from '../reconciliations/store/reconciliations.ts';
import { clearBulkItems } from '../records/store/bulk-requests.ts';
import { wipesOfRequests } from '../records/store/wipes.ts';
import { abandonImport, areRemainsLeft, leaveRun, removeRowsOfJob } from '../records/work/cleanup.ts';
import { abandonWipe, clearWipe, toEnd } from '../records/work/wiping.ts';
import { noteDueRun } from '../runs/store/due-runs.ts';
import { reconciliationsWithSuperseded } from '../runs/store/run-matches.ts';
import { runById, updateRun } from '../runs/store/runs.ts';
import { streamOperationById } from '../streams/store/stream-operations.ts';
import { failOperation, operationIdOf, resumeStreamOperations } from '../streams/work/stream-operation-task.ts';

interface JobEnd {
  readonly status: 'failed' | 'cancelled' | 'pending';
  readonly message: string | null;
  readonly atMs: number;
}

const COMMAND_LINE = 'cli';
const COMMAND_STOPPED = phrase('runs.commandStopped');
const STOPPED = phrase('streams.stopped');

/**
 * Reverts what a job that will not continue had written, and ends it with a message. Much of it only stays hidden until `records/work/cleanup.ts`
 * clears it.
 */
export function recoverJob(database: Database, job: JobRow, end: JobEnd): void {
  const completedAtMs = end.status === 'pending' ? null : end.atMs;
  if (job.run_id !== null && runById(database, job.run_id) !== undefined) {
    leaveRun(database, job.run_id, { status: end.status, message: end.message, atMs: completedAtMs });
    if (end.status === 'pending') database.write((write) => updateRun(write, job.run_id ?? 0, { started_at: null }));
  }
  const operationId = operationIdOf(job);
  const operation = operationId === null ? undefined : streamOperationById(database, operationId);
  if (operation !== undefined && end.status !== 'pending') failOperation(database, operation, end.message ?? STOPPED, end.atMs);
  const open = storedJson('jobs.result', job.result, job.id)?.open;
  if (open !== undefined) abandonImport(database, open);
  removeRowsOfJob(database, job.id);
  database.write((write) =>
    updateJob(write, job.id, { status: end.status, error_message: end.message, result: null, completed_at: completedAtMs }),
  );
}

/** Removes what a dry run of the command line left, including the reconciliation that was created for it. */
function removeTemporaryReconciliation(database: Database, clock: Clock): void {
  const id = Number(setting(database, 'temporary_reconciliation') ?? 0);
  if (id === 0) return;
  database.write((write) => {
    forgetSetting(write, 'temporary_reconciliation');
    const found = reconciliationById(write, id);
    if (found === undefined) return;
    const detail = {
      reconciliation_id: id,
      name: found.name,
      story_ids: deleteReconciliation(write, id),
      adjustment_ids: [],
      adjustments: 0,
    };
    appendAudit(write, {
      environmentId: found.environment_id,
      atMs: clock.nowMs(),
      actor: COMMAND_LINE,
      action: 'reconciliation.deleted',
      detail,
    });
  });
}

/** Ends the wipes of requests that died. Before the publish step nothing has happened, so they are reverted; after it, clearing is completed. */
function endWipesOfRequests(database: Database, clock: Clock): void {
  for (const wipe of wipesOfRequests(database)) {
    if (wipe.flipped_at === null) toEnd(abandonWipe(database, wipe));
    else toEnd(clearWipe({ database, clock, wipeId: wipe.id, operation: null, jobId: null }));
  }
}

/**
 * Ends a run of the command line, which ends with its command: the user runs the command again, perhaps with other rules. The reconciliation is
 * marked as due, in case that does not happen.
 */
function endRunOfCommand(database: Database, job: JobRow, { reconciliationId }: RunPayload, atMs: number): void {
  recoverJob(database, job, { status: 'failed', message: COMMAND_STOPPED, atMs });
  database.write((write) => noteDueRun(write, reconciliationId));
}

/**
 * Recovers after a start, so that nothing of a dead process is visible. Abandons half-written batches, restarts runs except those of a command,
 * continues deletes and resets of streams, and ends imports with a message, because their files may be gone. Returns whether invisible rows are left
 * for `clearRemains`.
 */
export function recoverAfterStart(database: Database, clock: Clock): boolean {
  for (const job of openJobs(database)) {
    const run = job.kind === 'run' ? storedJson('jobs.payload:run', job.payload, job.id) : null;
    if (run?.actor === COMMAND_LINE) endRunOfCommand(database, job, run, clock.nowMs());
    else if (run !== null || job.kind === 'stream_operation')
      recoverJob(database, job, { status: 'pending', message: null, atMs: clock.nowMs() });
    else {
      recoverJob(database, job, {
        status: 'failed',
        message: phrase('book.jobs.stoppedDuringImport'),
        atMs: clock.nowMs(),
      });
    }
  }
  removeTemporaryReconciliation(database, clock);
  resumeStreamOperations(database);
  clearSpillFiles(folderOf(database));
  endWipesOfRequests(database, clock);
  clearBulkItems(database);
  for (const { id, stream_id: streamId } of writingBatches(database))
    abandonImport(database, { batchId: id, streamId, streamIsNew: false });
  return areRemainsLeft(database) || reconciliationsWithSuperseded(database).length > 0;
}
