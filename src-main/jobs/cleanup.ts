import { present } from '../../src-shared/values/assert.ts';
import type { Database } from '../store/database.ts';
import { deleteBatch, deleteBatchRecords } from '../store/import-batches.ts';
import { deleteImportRows, hasImportRows } from '../store/import-rows.ts';
import { deleteRunBase } from '../store/run-bases.ts';
import { deleteRunFacts } from '../store/run-facts.ts';
import { deleteUnseenMatches, type GoingMatch, matchesOfUnpublishedRun, supersededProposals } from '../store/run-matches.ts';
import { clearNotes, updateRun } from '../store/runs.ts';
import { rest, SLICES_PER_CARRY } from './slices.ts';
import { CHUNK_ROWS } from './task.ts';

/** Removes an unpublished batch in bounded transactions. Nobody has seen it, so nothing else changes. */
export function removeUnpublishedBatch(database: Database, batchId: number): void {
  while (database.write((write) => deleteBatchRecords(write, batchId, CHUNK_ROWS)) > 0);
  database.write((write) => deleteBatch(write, batchId));
}

/** Records of the matches that one transaction deletes; only a single larger match makes a longer one. */
const RECORDS_OF_SLICE = 4_000;
const FOUND_AT_ONCE = 2_000;

/** Deletes all that `find` finds, looked for without the write lock, in short transactions that need not wait for the disk: nobody sees what goes. */
export function deleteFound(database: Database, find: (limit: number) => readonly GoingMatch[]): void {
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
        if (slices % SLICES_PER_CARRY === 0) database.carryOver();
      }
    }
  } finally {
    end();
  }
}

/** Removes proposals that a run worked out anew; they are out of sight since its flip. */
export function removeSupersededProposals(database: Database, reconciliationId: number, proposalsSince: number): void {
  deleteFound(database, (limit) => supersededProposals(database, reconciliationId, proposalsSince, limit));
}

/** Removes what an unpublished run wrote; the run itself stays with the given end. */
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

/** Removes the rows that a file did not bring in, of an import or a look at it that did not end. */
export function removeRowsOfJob(database: Database, jobId: number): void {
  if (hasImportRows(database, jobId)) database.write((write) => deleteImportRows(write, jobId));
}

/** Removes a stream that an import made and did not fill. */
export function removeEmptyStream(database: Database, streamId: number): void {
  database.write((write) => {
    write
      .prepare<[number, number, number, number], unknown>(
        `DELETE FROM streams WHERE id = ? AND NOT EXISTS (SELECT 1 FROM records WHERE stream_id = ?)
         AND NOT EXISTS (SELECT 1 FROM import_batches WHERE stream_id = ?)
         AND NOT EXISTS (SELECT 1 FROM reconciliation_streams WHERE stream_id = ?)`,
      )
      .run(streamId, streamId, streamId, streamId);
  });
}
