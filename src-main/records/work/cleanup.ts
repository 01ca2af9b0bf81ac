import { present } from '../../../src-shared/values/assert.ts';
import { openJobs } from '../../book/store/jobs.ts';
import type { Database } from '../../database/database.ts';
import {
  abandonBatch,
  type AbandonedBatch,
  abandonedBatches,
  clearAbandonedRows,
  deleteImportRows,
  endAbandonedBatch,
  hasImportRows,
  removeUnusedStream,
} from '../../imports/store/import-rows.ts';
import { rest, SLICES_PER_CHECKPOINT } from '../../jobs/write-slices.ts';
import { deleteRunBase } from '../../runs/store/run-bases.ts';
import {
  deleteUnseenMatches,
  type GoingMatch,
  matchesOfUnpublishedRun,
  reconciliationsWithSuperseded,
  supersededProposals,
} from '../../runs/store/run-matches.ts';
import { clearNotes, deadRuns, deleteRunFacts, endDeadRun, type RunRow, updateRun } from '../../runs/store/runs.ts';

/** Up to this many rows of an abandoned import are cleared at once, which is quick; the packing thread clears the rest. */
const ROWS_CLEARED_AT_ONCE = 4_000;

/** Rows that one transaction clears. Each is also removed from two lists and six indices. */
const ROWS_OF_CLEARING = 500;

/** A failed import: its batch, and its stream if the import created it. */
export interface UnpublishedImport {
  readonly batchId: number;
  readonly streamId: number;
  readonly streamIsNew: boolean;
}

/**
 * Abandons an import. Its rows were never visible, and from now on no import takes them for duplicates. Runs one short transaction, then clears the
 * first rows.
 */
export function abandonImport(database: Database, { batchId, streamId, streamIsNew }: UnpublishedImport): void {
  database.write((write) => {
    abandonBatch(write, batchId);
    if (streamIsNew) removeUnusedStream(write, streamId);
  });
  for (const batch of abandonedBatches(database))
    if (batch.id === batchId) clearAbandonedBatch(database, batch, () => false, ROWS_CLEARED_AT_ONCE);
}

/** Clears rows of a failed import in short transactions. They need not wait for the disk, because the rows are invisible. */
function clearAbandonedBatch(
  database: Database,
  batch: AbandonedBatch,
  isStopped: () => boolean,
  most: number = Number.POSITIVE_INFINITY,
): void {
  const end = database.beginUnseenWrites();
  let cleared = 0;
  try {
    for (let slices = 1; cleared < most; slices += 1) {
      if (isStopped()) return;
      const gone = database.write((write) => clearAbandonedRows(write, batch, ROWS_OF_CLEARING));
      if (gone === 0) break;
      cleared += gone;
      rest();
      if (slices % SLICES_PER_CHECKPOINT === 0) database.checkpoint();
    }
  } finally {
    end();
  }
  database.write((write) => endAbandonedBatch(write, batch));
}

/** Records of the matches that one transaction deletes; only a single larger match exceeds it. */
const RECORDS_OF_SLICE = 4_000;
const FOUND_AT_ONCE = 2_000;

/**
 * Deletes all matches that `find` returns. Searches without the write lock, and deletes in short transactions that need not wait for the disk,
 * because the matches are invisible.
 */
function deleteFound(database: Database, find: (limit: number) => readonly GoingMatch[]): void {
  const end = database.beginUnseenWrites();
  try {
    let slices = 0;
    for (let found = find(FOUND_AT_ONCE); found.length > 0; found = find(FOUND_AT_ONCE)) {
      for (let start = 0; start < found.length;) {
        const ids: number[] = [];
        for (let records = 0; start < found.length && records < RECORDS_OF_SLICE; start += 1) {
          const match = present(found[start], 'match');
          ids.push(match.id);
          records += match.record_count;
        }
        if (slices > 0) rest();
        database.write((write) => deleteUnseenMatches(write, ids));
        slices += 1;
        if (slices % SLICES_PER_CHECKPOINT === 0) database.checkpoint();
      }
    }
  } finally {
    end();
  }
}

/** Removes proposals that a later run replaced; its publish step has hidden them. */
export function removeSupersededProposals(database: Database, reconciliationId: number, proposalsSince: number): void {
  deleteFound(database, (limit) => supersededProposals(database, reconciliationId, proposalsSince, limit));
}

/** Removes everything that an unpublished run wrote. The run itself stays, with the given end. */
export function removeUnpublishedRun(
  database: Database,
  runId: number,
  end: { readonly status: 'pending' | 'failed' | 'cancelled'; readonly message: string | null; readonly atMs: number | null },
): void {
  deleteFound(database, (limit) => matchesOfUnpublishedRun(database, runId, limit));
  database.write((write) => {
    clearNotes(write, runId);
    deleteRunFacts(write, runId);
    deleteRunBase(write, runId);
    updateRun(write, runId, { writing: 0, status: end.status, error_message: end.message, completed_at: end.atMs });
  });
}

/** Removes the rows that an interrupted import or preview of a file had set aside. */
export function removeRowsOfJob(database: Database, jobId: number): void {
  if (hasImportRows(database, jobId)) database.write((write) => deleteImportRows(write, jobId));
}

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
