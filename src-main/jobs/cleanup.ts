import type { Database } from '../store/database.ts';
import { deleteBatch, deleteBatchRecords } from '../store/import-batches.ts';
import { deleteRunBase } from '../store/run-bases.ts';
import { deleteRunFacts } from '../store/run-facts.ts';
import { deleteMatchesOfRun } from '../store/run-matches.ts';
import { clearNotes, updateRun } from '../store/runs.ts';
import { CHUNK_ROWS } from './task.ts';

/** Removes an unpublished batch in bounded transactions. Nobody has seen it, so nothing else changes. */
export function removeUnpublishedBatch(database: Database, batchId: number): void {
  while (database.write((write) => deleteBatchRecords(write, batchId, CHUNK_ROWS)) > 0);
  database.write((write) => deleteBatch(write, batchId));
}

/** Removes what an unpublished run wrote; the run itself stays with the given end. */
export function removeUnpublishedRun(
  database: Database,
  runId: number,
  end: { readonly status: 'pending' | 'failed' | 'cancelled'; readonly message: string | null; readonly atMs: number | null },
): void {
  while (database.write((write) => deleteMatchesOfRun(write, runId, CHUNK_ROWS)) > 0);
  database.write((write) => {
    clearNotes(write, runId);
    deleteRunFacts(write, runId);
    deleteRunBase(write, runId);
    updateRun(write, runId, { writing: 0, status: end.status, error_message: end.message, completed_at: end.atMs });
  });
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
