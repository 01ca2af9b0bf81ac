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
 * Ends a run that no job continues, or puts it back into the queue, in one short transaction. Its matches stay hidden until a job or the packing
 * thread clears them.
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

/** Clears the unpublished matches of ended runs, of one reconciliation or of all. */
export function clearDeadRuns(database: Database, reconciliationId: number | null, isStopped: () => boolean): void {
  for (const run of deadRuns(database, reconciliationId)) {
    deleteFound(database, (limit) => (isStopped() ? [] : matchesOfUnpublishedRun(database, run.id, limit)));
    if (!isStopped()) database.write((write) => endDeadRun(write, run.id));
  }
}

/** Clears what a run wrote before the book was closed during it: the run starts again from the beginning. */
export function clearOwnRemains(database: Database, run: RunRow): void {
  if (run.writing === 1) deleteFound(database, (limit) => matchesOfUnpublishedRun(database, run.id, limit));
}

/** Clears the rows of failed imports. */
export function clearAbandonedImports(database: Database, isStopped: () => boolean): void {
  for (const batch of abandonedBatches(database)) clearAbandonedBatch(database, batch, isStopped);
}

/** Whether there is anything for `clearRemains` that a regular check looks for. */
export function areRemainsLeft(database: Database): boolean {
  return abandonedBatches(database).length > 0 || deadRuns(database, null).length > 0;
}

/** Clears everything that stays invisible, in short transactions, until `isStopped` returns true. */
export function clearRemains(database: Database, isStopped: () => boolean): void {
  // Stops for every job, which then ends sooner; the clearing starts again after it.
  clearAbandonedImports(database, () => isStopped() || openJobs(database).length > 0);
  clearDeadRuns(database, null, isStopped);
  for (const { id, proposals_since: runId } of reconciliationsWithSuperseded(database)) {
    deleteFound(database, (limit) => (isStopped() ? [] : supersededProposals(database, id, runId, limit)));
  }
}
