import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import { removeStream } from '../../records/store/wipe-clearing.ts';
import { BY_NO_WIPE } from '../../records/store/wipes.ts';

export type RowsKind = 'skipped' | 'rejected';
type ImportRowsRow = Row<'import_rows'>;

/** Rows are kept for this many of the newest previews and imports. */
export const KEPT_ROWS_OF = 100;

export function insertImportRows(write: WriteHandle, rows: ImportRowsRow): void {
  write.run(query.insertInto('import_rows').values(rows));
}

/** Deletes the stored rows of a job before they are stored anew, and those of jobs that are too old. */
export function deleteImportRows(write: WriteHandle, jobId: number): void {
  write
    .prepare<[{ job: number; others: number }], unknown>(
      `DELETE FROM import_rows WHERE job_id = @job OR job_id <
         (SELECT min(job_id) FROM (SELECT DISTINCT job_id FROM import_rows WHERE job_id <> @job ORDER BY job_id DESC LIMIT @others))`,
    )
    .run({ job: jobId, others: KEPT_ROWS_OF - 1 });
}

export function hasImportRows(read: ReadHandle, jobId: number): boolean {
  return read.prepare<[number], { job_id: number }>('SELECT job_id FROM import_rows WHERE job_id = ? LIMIT 1').get(jobId) !== undefined;
}

export function countImportRows(read: ReadHandle, jobId: number, kind: RowsKind): number {
  return (
    read
      .prepare<[number, string], { n: number | null }>('SELECT sum(count) AS n FROM import_rows WHERE job_id = ? AND kind = ?')
      .get(jobId, kind)?.n ?? 0
  );
}

/** Returns the bodies that contain rows from `from` up to, not including, `to`, in order. */
export function importRows(read: ReadHandle, jobId: number, kind: RowsKind, from: number, to: number): ImportRowsRow[] {
  return read
    .prepare<[number, string, number, number], ImportRowsRow>(
      'SELECT * FROM import_rows WHERE job_id = ? AND kind = ? AND first + count > ? AND first < ? ORDER BY first',
    )
    .all(jobId, kind, from, to);
}

/** Marks a half-written batch as abandoned. Until its rows are cleared they count like those of a wiped batch: no read and no import sees them. */
export function abandonBatch(write: WriteHandle, id: number): void {
  write.run(
    query
      .updateTable('import_batches')
      .set({ wiped_by: BY_NO_WIPE })
      .where('id', '=', id)
      .where('writing', '=', 1)
      .where('wiped_by', 'is', null),
  );
}

export interface AbandonedBatch {
  readonly id: number;
  readonly stream_id: number;
}

/** Returns batches of abandoned imports that are not cleared yet. */
export function abandonedBatches(read: ReadHandle): AbandonedBatch[] {
  return read.all(query.selectFrom('import_batches').select(['id', 'stream_id']).where('wiped_by', '=', BY_NO_WIPE));
}

/** Hides a stream that an abandoned import created, which frees its key. A stream that others use by now stays. */
export function removeUnusedStream(write: WriteHandle, streamId: number): void {
  const isUsed = write.prepare<[number, number, number], unknown>(
    `SELECT 1 FROM import_batches WHERE stream_id = ? AND wiped_by IS NOT ${BY_NO_WIPE}
     UNION ALL SELECT 1 FROM records INDEXED BY records_loose WHERE stream_id = ? AND batch_id IS NULL
     UNION ALL SELECT 1 FROM reconciliation_streams WHERE stream_id = ? LIMIT 1`,
  );
  if (isUsed.get(streamId, streamId, streamId) === undefined) removeStream(write, streamId);
}

/** Deletes up to `limit` rows of an abandoned batch, oldest first. Returns the number deleted. */
export function clearAbandonedRows(write: WriteHandle, { id }: AbandonedBatch, limit: number): number {
  return write
    .prepare<[number, number], unknown>(
      `DELETE FROM records WHERE id IN (SELECT id FROM records INDEXED BY records_batch_created WHERE batch_id = ? ORDER BY created_at, id LIMIT ?)`,
    )
    .run(id, limit).changes;
}

/**
 * Deletes an abandoned batch that has no rows left. If it was the last one of a hidden stream, the stream is deleted too, unless a wipe will delete
 * it.
 */
export function endAbandonedBatch(write: WriteHandle, { id, stream_id: streamId }: AbandonedBatch): void {
  write
    .prepare<[number], unknown>(
      `DELETE FROM import_batches WHERE id = ? AND wiped_by = ${BY_NO_WIPE} AND NOT EXISTS (SELECT 1 FROM records WHERE batch_id = import_batches.id)`,
    )
    .run(id);
  write
    .prepare<[number], unknown>(
      `DELETE FROM streams WHERE id = ? AND environment_id = 0 AND NOT EXISTS (SELECT 1 FROM wipes WHERE stream_id = streams.id)
         AND NOT EXISTS (SELECT 1 FROM import_batches WHERE stream_id = streams.id) AND NOT EXISTS (SELECT 1 FROM records WHERE stream_id = streams.id)`,
    )
    .run(streamId);
}
