import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import { PUBLISHED_RECORD } from './import-batches.ts';

/** A line that is here already, as another file has it. */
export type Wording = Row<'wordings'>;
type NewWording = Omit<Wording, 'id'>;

/** Whether the wording belongs to an import that people see. */
const SEEN = 'EXISTS (SELECT 1 FROM import_batches b WHERE b.id = w.batch_id AND b.writing = 0)';

export function insertWording(write: WriteHandle, wording: NewWording): void {
  write.run(query.insertInto('wordings').values(wording));
}

/** Whether a stream has any. */
export function hasWordings(read: ReadHandle, streamId: number): boolean {
  return read.prepare<[number], unknown>('SELECT 1 FROM wordings WHERE stream_id = ? LIMIT 1').get(streamId) !== undefined;
}

/** A key of a wording, with the record and the record's own key. */
export interface KeyOfWording {
  readonly key: string;
  readonly recordId: number;
  readonly ownKey: string | null;
}

/** Which of some keys are those of wordings of a stream that people see, in the order in which the wordings came. */
export function keysOfWordings(read: ReadHandle, streamId: number, keys: readonly string[]): KeyOfWording[] {
  return read
    .prepare<[string, number], KeyOfWording>(
      `SELECT w.dedupe_key AS key, w.record_id AS recordId, r.dedupe_key AS ownKey FROM json_each(?) j CROSS JOIN wordings w INDEXED BY wordings_key
         ON w.stream_id = ? AND w.dedupe_key = j.value CROSS JOIN records r ON r.id = w.record_id
       WHERE ${SEEN} AND ${PUBLISHED_RECORD} ORDER BY w.id`,
    )
    .all(JSON.stringify(keys), streamId);
}

/** The record that a key of a wording stands for, with the file that says so. */
export function wordingOfKey(
  read: ReadHandle,
  streamId: number,
  key: string,
): { readonly record_id: number; readonly filename: string | null; readonly batch_created_at: number } | undefined {
  return read
    .prepare<[number, string], { record_id: number; filename: string | null; batch_created_at: number }>(
      `SELECT w.record_id, b.filename, b.created_at AS batch_created_at FROM wordings w INDEXED BY wordings_key JOIN import_batches b ON b.id = w.batch_id
         JOIN records r ON r.id = w.record_id
       WHERE w.stream_id = ? AND w.dedupe_key = ? AND b.writing = 0 AND ${PUBLISHED_RECORD} ORDER BY w.id LIMIT 1`,
    )
    .get(streamId, key);
}

export type WordingWithFile = Wording & { readonly filename: string | null; readonly format: string; readonly batch_created_at: number };

/** Of some records, those that people see, the oldest first. */
export function wordingsOfRecords(read: ReadHandle, recordIds: readonly number[]): WordingWithFile[] {
  return read
    .prepare<[string], WordingWithFile>(
      `SELECT w.*, b.filename, b.format, b.created_at AS batch_created_at FROM json_each(?) j CROSS JOIN wordings w INDEXED BY wordings_record
         ON w.record_id = j.value JOIN import_batches b ON b.id = w.batch_id AND b.writing = 0 ORDER BY w.id`,
    )
    .all(JSON.stringify(recordIds));
}

/** A record that more than one file has. */
export type JoinedRecord = Pick<
  Row<'records'>,
  | 'id'
  | 'stream_id'
  | 'batch_id'
  | 'day'
  | 'value_day'
  | 'amount'
  | 'direction'
  | 'currency'
  | 'decimal_places'
  | 'description'
  | 'external_id'
  | 'metadata'
  | 'dedupe_key'
>;
const JOINED_COLUMNS =
  'r.id, r.stream_id, r.batch_id, r.day, r.value_day, r.amount, r.direction, r.currency, r.decimal_places, r.description, r.external_id, r.metadata, r.dedupe_key';

/** Records by id, in the order of their ids. */
export function recordsToJoin(read: ReadHandle, ids: readonly number[]): JoinedRecord[] {
  return read
    .prepare<[string], JoinedRecord>(
      `SELECT ${JOINED_COLUMNS} FROM json_each(?) j CROSS JOIN records r ON r.id = j.value WHERE ${PUBLISHED_RECORD} ORDER BY r.id`,
    )
    .all(JSON.stringify(ids));
}

/** Records of a batch that another file has as well, `w` being its wording. */
const KEPT_BY_OTHERS = `FROM wordings w INDEXED BY wordings_key JOIN records r ON r.id = w.record_id
  WHERE w.stream_id = (SELECT stream_id FROM import_batches WHERE id = ?) AND r.batch_id = ? AND w.batch_id <> r.batch_id AND ${SEEN}`;

/** Up to `limit` records of a batch that another file has as well, in the order of their ids. */
export function recordsKeptByOthers(read: ReadHandle, batchId: number, limit: number): JoinedRecord[] {
  const columns = `SELECT DISTINCT ${JOINED_COLUMNS} ${KEPT_BY_OTHERS} ORDER BY r.id LIMIT ?`;
  return read.prepare<[number, number, number], JoinedRecord>(columns).all(batchId, batchId, limit);
}

/** How many lines of a batch stay when it is undone: its records that another file has as well, and its wordings of other records. */
export function countKeptByOthers(read: ReadHandle, batchId: number): { readonly records: number; readonly wordings: number } {
  const count = (sql: string, ...values: number[]): number =>
    read.prepare<number[], { n: number }>(`SELECT count(DISTINCT w.record_id) AS n ${sql}`).get(...values)?.n ?? 0;
  return {
    records: count(KEPT_BY_OTHERS, batchId, batchId),
    wordings: count('FROM wordings w WHERE w.batch_id = ?', batchId),
  };
}

/** Whether another file has the record `r`, of a given batch, as well. */
export const IS_KEPT_BY_OTHERS = `EXISTS (SELECT 1 FROM wordings w INDEXED BY wordings_record WHERE w.record_id = r.id AND ${SEEN})`;

/** Gives a record what another file says of it, its key and its import. */
export function takeWording(
  write: WriteHandle,
  recordId: number,
  change: Omit<JoinedRecord, 'id' | 'stream_id' | 'amount' | 'direction' | 'currency' | 'decimal_places'>,
): void {
  write.run(query.updateTable('records').set(change).where('id', '=', recordId));
}

export function deleteWording(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('wordings').where('id', '=', id));
}

export function setAdded(write: WriteHandle, id: number, added: string): void {
  write.run(query.updateTable('wordings').set({ added }).where('id', '=', id));
}

/** Up to `limit` wordings of the batches of a wipe. */
export function wordingsOfWipe(read: ReadHandle, wipeId: number, limit: number): Wording[] {
  return read
    .prepare<[number, number], Wording>(
      `SELECT w.* FROM import_batches b CROSS JOIN wordings w INDEXED BY wordings_batch ON w.batch_id = b.id WHERE b.wiped_by = ? LIMIT ?`,
    )
    .all(wipeId, limit);
}

/** Ids of records that people edited. */
export function editedRecords(read: ReadHandle): ReadonlySet<number> {
  const edited = "SELECT DISTINCT json_extract(detail, '$.record_id') AS id FROM audit_log WHERE action = 'record.updated'";
  return new Set(
    read
      .prepare<[], { id: number }>(edited)
      .all()
      .map(({ id }) => id),
  );
}
