import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

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
