import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import type { ImportBatchRow } from './import-batches.ts';

const SHOWN = "b.environment_id = ? AND b.id > 0 AND b.writing = 0 AND b.source <> 'bulk_api'";

/** Returns the visible imports of files of a stream, oldest first, one more than the limit. */
export function pageImportedFiles(
  read: ReadHandle,
  environmentId: number,
  streamId: number,
  { limit, offset, afterId }: { readonly limit: number; readonly offset: number; readonly afterId: number },
): ImportBatchRow[] {
  return read
    .prepare<[number, number, number, number, number], ImportBatchRow>(
      `SELECT b.*, s.key AS data_stream_key FROM import_batches b JOIN streams s ON s.id = b.stream_id
       WHERE ${SHOWN} AND b.stream_id = ? AND b.id > ? ORDER BY b.id LIMIT ? OFFSET ?`,
    )
    .all(environmentId, streamId, afterId, limit + 1, offset);
}

export function findImportedFile(read: ReadHandle, environmentId: number, id: number): ImportBatchRow | undefined {
  return read
    .prepare<[number, number], ImportBatchRow>(
      `SELECT b.*, s.key AS data_stream_key FROM import_batches b JOIN streams s ON s.id = b.stream_id WHERE ${SHOWN} AND b.id = ?`,
    )
    .get(environmentId, id);
}

export type BalanceOfFile = Pick<Row<'bank_account_balances'>, 'day' | 'balance_type' | 'amount' | 'currency'>;

/**
 * Returns the balances that files state, by batch id. If a person has changed a balance, the changed value belongs to the account, and these stay as
 * the files state them.
 */
export function balancesOfFiles(read: ReadHandle, ids: readonly number[]): Map<number, BalanceOfFile[]> {
  const rows = read
    .prepare<[string], BalanceOfFile & { readonly batch_id: number }>(
      `SELECT x.batch_id, x.day, x.balance_type, x.amount, x.currency FROM json_each(?) j CROSS JOIN bank_account_balances x ON x.batch_id = j.value
       ORDER BY x.day, x.balance_type`,
    )
    .all(JSON.stringify(ids));
  return Map.groupBy(rows, ({ batch_id: id }) => id);
}

export function deleteBalancesOfFile(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('bank_account_balances').where('batch_id', '=', id));
}

export function updateImportedFile(write: WriteHandle, id: number, change: Partial<Row<'import_batches'>>): void {
  if (Object.keys(change).length > 0) write.run(query.updateTable('import_batches').set(change).where('id', '=', id));
}

/** Returns ids of the records of a batch above `after`, one more than the limit. */
export function linesOfFile(read: ReadHandle, id: number, after: number, limit: number): number[] {
  return read
    .prepare<[number, number, number], { id: number }>('SELECT id FROM records WHERE batch_id = ? AND id > ? ORDER BY id LIMIT ?')
    .all(id, after, limit + 1)
    .map((row) => row.id);
}

const FREE = `(r.batch_id IS NULL OR r.batch_id IN
  (SELECT id FROM import_batches WHERE stream_id = @stream AND source = 'bulk_api' AND writing = 0 AND id > 0))`;

interface Given {
  readonly batch: number;
  readonly stream: number;
  readonly ids: string;
}

/** Returns the first day of those given records that no file brought; null if there are none. */
export function firstDayOfFree(read: ReadHandle, given: Omit<Given, 'batch'>): number | null {
  const sql = `SELECT min(r.day) AS day FROM json_each(@ids) j CROSS JOIN records r ON r.id = j.value AND r.stream_id = @stream AND ${FREE}`;
  return read.prepare<[typeof given], { day: number | null }>(sql).get(given)?.day ?? null;
}

/** Gives those of the given records that no file brought to a file. Returns their number, and the batches that had them. */
export function giveToFile(write: WriteHandle, given: Given): { readonly added: number; readonly former: readonly number[] } {
  const former = write
    .prepare<[Given], { id: number }>(
      `SELECT DISTINCT r.batch_id AS id FROM json_each(@ids) j CROSS JOIN records r ON r.id = j.value AND r.stream_id = @stream AND ${FREE}
       WHERE r.batch_id IS NOT NULL AND @batch > 0`,
    )
    .all(given);
  const { changes } = write
    .prepare<[Given], unknown>(
      `UPDATE records AS r SET batch_id = @batch WHERE r.id IN (SELECT value FROM json_each(@ids)) AND r.stream_id = @stream AND ${FREE}`,
    )
    .run(given);
  return { added: changes, former: former.map(({ id }) => id) };
}

/** Detaches the records of a batch from it. */
export function releaseLines(write: WriteHandle, id: number): void {
  write.prepare<[number], unknown>('UPDATE records SET batch_id = NULL WHERE batch_id = ?').run(id);
}

export interface FigureOfBatch {
  readonly currency: string;
  readonly decimal_places: number;
  readonly direction: number;
  readonly amount: number;
  readonly records: number;
  readonly first: number;
  readonly last: number;
}

/** Returns the sums of the remaining records of a batch by currency, scale and direction. */
export function figuresLeft(read: ReadHandle, id: number): FigureOfBatch[] {
  return read
    .prepare<[number], FigureOfBatch>(
      `SELECT currency, decimal_places, direction, sum(amount) AS amount, count(*) AS records, min(day) AS first, max(day) AS last
       FROM records WHERE batch_id = ? GROUP BY currency, decimal_places, direction ORDER BY currency`,
    )
    .all(id);
}

/** Deletes the empty batch of a bulk request, after another Tieout said that all of its records came from files. */
export function dropEmptyBatch(write: WriteHandle, id: number): void {
  write.prepare<[number], unknown>("DELETE FROM import_batches WHERE id = ? AND source = 'bulk_api'").run(id);
}
