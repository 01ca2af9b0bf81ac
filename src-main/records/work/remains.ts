import { openJobs } from '../../book/store/jobs.ts';
import type { Database } from '../../database/database.ts';
import { abandonedBatches } from '../../imports/store/abandoned-imports.ts';
import { deleteRunBase } from '../../runs/store/run-bases.ts';
import { deleteRunFacts } from '../../runs/store/run-facts.ts';
import { matchesOfUnpublishedRun, reconciliationsWithSuperseded, supersededProposals } from '../../runs/store/run-matches.ts';
import { clearNotes, deadRuns, endDeadRun, type RunRow, updateRun } from '../../runs/store/runs.ts';
import { clearAbandonedBatch, deleteFound } from './cleanup.ts';

interface RunEnd {
  readonly status: 'pending' | 'failed' | 'cancelled';
  readonly message: string | null;
  readonly atMs: number | null;
}

/**
 * Ends a run that nobody works on any more, or puts it back into the queue, in one short transaction. What it wrote stays out of sight,
 * until a job or the thread that packs has cleared it.
 */
export function leaveRun(database: Database, runId: number, end: RunEnd): void {
  database.write((write) => {
    clearNotes(write, runId);
    deleteRunFacts(write, runId);
    deleteRunBase(write, runId);
    updateRun(write, runId, { status: end.status, error_message: end.message, completed_at: end.atMs });
    if (matchesOfUnpublishedRun(write, runId, 1).length === 0) updateRun(write, runId, { writing: 0 });
  });
}

/** Clears what runs that have ended left behind unpublished, of one reconciliation or of all. */
export function clearDeadRuns(database: Database, reconciliationId: number | null, isStopped: () => boolean): void {
  for (const run of deadRuns(database, reconciliationId)) {
    deleteFound(database, (limit) => (isStopped() ? [] : matchesOfUnpublishedRun(database, run.id, limit)));
    if (!isStopped()) database.write((write) => endDeadRun(write, run.id));
  }
}

/** Clears what a run that was under way when the book closed has written before: it is worked out anew. */
export function clearOwnRemains(database: Database, run: RunRow): void {
  if (run.writing === 1) deleteFound(database, (limit) => matchesOfUnpublishedRun(database, run.id, limit));
}

/** Clears what imports that came to nothing left behind. */
export function clearAbandonedImports(database: Database, isStopped: () => boolean): void {
  for (const batch of abandonedBatches(database)) clearAbandonedBatch(database, batch, isStopped);
}

/** Whether there is something for `clearRemains` that is looked for all the time. */
export function areRemainsLeft(database: Database): boolean {
  return abandonedBatches(database).length > 0 || deadRuns(database, null).length > 0;
}

/** Clears what nobody will ever see, in short transactions, until `isStopped`. */
export function clearRemains(database: Database, isStopped: () => boolean): void {
  // Stops for every job, which then ends sooner. This work begins again after it.
  clearAbandonedImports(database, () => isStopped() || openJobs(database).length > 0);
  clearDeadRuns(database, null, isStopped);
  for (const { id, proposals_since: runId } of reconciliationsWithSuperseded(database)) {
    deleteFound(database, (limit) => (isStopped() ? [] : supersededProposals(database, id, runId, limit)));
  }
}
