import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import type { ImportBatchRow } from './import-batches.ts';

const SHOWN = "b.environment_id = ? AND b.id > 0 AND b.writing = 0 AND b.source <> 'bulk_api'";

/** The imports of files of a stream that people see, oldest first, one more than the limit. */
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

/** What files state, by file. A balance that a person changed since is the account's; what the file says of it stands beside it. */
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

/** Ids of the records of a batch, one more than the limit. */
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

/** The first day of those of some records that came by no file. */
export function firstDayOfFree(read: ReadHandle, given: Omit<Given, 'batch'>): number | null {
  const sql = `SELECT min(r.day) AS day FROM json_each(@ids) j CROSS JOIN records r ON r.id = j.value AND r.stream_id = @stream AND ${FREE}`;
  return read.prepare<[typeof given], { day: number | null }>(sql).get(given)?.day ?? null;
}

/** Gives those of some records of a stream that came by no file to one; answers how many, and the batches that had them. */
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

/** Records of a batch are of none from now on. */
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

/** What is left of a batch, by currency, scale and direction. */
export function figuresLeft(read: ReadHandle, id: number): FigureOfBatch[] {
  return read
    .prepare<[number], FigureOfBatch>(
      `SELECT currency, decimal_places, direction, sum(amount) AS amount, count(*) AS records, min(day) AS first, max(day) AS last
       FROM records WHERE batch_id = ? GROUP BY currency, decimal_places, direction ORDER BY currency`,
    )
    .all(id);
}

/** A batch of a bulk request all of whose records came by files, as another Tieout tells. */
export function dropEmptyBatch(write: WriteHandle, id: number): void {
  write.prepare<[number], unknown>("DELETE FROM import_batches WHERE id = ? AND source = 'bulk_api'").run(id);
}
