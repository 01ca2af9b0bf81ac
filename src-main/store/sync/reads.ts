import type { ReadHandle } from '../database/database.ts';
import type { RecordRow } from '../database/rows.ts';
import { PUBLISHED_RECORD } from '../imports/import-batches.ts';

export type SyncRecordRow = Pick<
  RecordRow,
  'id' | 'day' | 'value_day' | 'amount' | 'direction' | 'currency' | 'decimal_places' | 'description' | 'external_id' | 'metadata'
>;

const COLUMNS = 'r.id, r.day, r.value_day, r.amount, r.direction, r.currency, r.decimal_places, r.description, r.external_id, r.metadata';

/** Ids of the records of a stream that people see, oldest first. */
export function idsOfStream(read: ReadHandle, streamId: number): number[] {
  return read
    .prepare<[number], { id: number }>(`SELECT r.id FROM records r WHERE r.stream_id = ? AND ${PUBLISHED_RECORD} ORDER BY r.id`)
    .all(streamId)
    .map(({ id }) => id);
}

/** Records that people see, by id. */
export function recordsForSync(read: ReadHandle, ids: readonly number[]): (SyncRecordRow & { readonly stream_id: number })[] {
  return read
    .prepare<[string], SyncRecordRow & { readonly stream_id: number }>(
      `SELECT ${COLUMNS}, r.stream_id FROM json_each(?) j CROSS JOIN records r ON r.id = j.value WHERE ${PUBLISHED_RECORD} ORDER BY r.id`,
    )
    .all(JSON.stringify(ids));
}

/** Ids of the records that make matches balance, with what they say. */
export function adjustmentWords(read: ReadHandle, environmentId: number, streamKey: string): Map<number, string | null> {
  const rows = read
    .prepare<[number, string], { id: number; description: string | null }>(
      'SELECT r.id, r.description FROM streams s CROSS JOIN records r ON r.stream_id = s.id WHERE s.environment_id = ? AND s.key = ?',
    )
    .all(environmentId, streamKey);
  return new Map(rows.map(({ id, description }) => [id, description]));
}

interface Mark {
  readonly record_id: number;
  readonly reconciliation_id: number;
  readonly overdue_at: number;
}

export function overdueOf(read: ReadHandle, environmentId: number): Mark[] {
  return read
    .prepare<[number], Mark>(
      'SELECT o.* FROM overdue_records o JOIN reconciliations c ON c.id = o.reconciliation_id WHERE c.environment_id = ? ORDER BY o.record_id',
    )
    .all(environmentId);
}

/** Whether there are periods, sign-offs, notes on open items, or exceptions: what stays where it was made. */
export function hasCloseWork(read: ReadHandle, environmentId: number): boolean {
  const row = read
    .prepare<[number, number], { n: number }>(
      `SELECT EXISTS (SELECT 1 FROM reconciliation_periods p JOIN reconciliations c ON c.id = p.reconciliation_id WHERE c.environment_id = ?)
         OR EXISTS (SELECT 1 FROM open_item_notes n JOIN reconciliations c ON c.id = n.reconciliation_id WHERE c.environment_id = ?) AS n`,
    )
    .get(environmentId, environmentId);
  return row?.n === 1;
}
