import { createHash } from 'node:crypto';
import { type Database, query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import type { RecordRow } from '../../database/rows.ts';
import { type OffsetPage, wipedBatches, writingBatchesOfStream } from '../../imports/store/import-batches.ts';
import { idsOfExternalId, printOfExternalId } from './records.ts';

export type BulkRequestRow = Row<'bulk_requests'>;
type BulkResultRow = Row<'bulk_results'>;
type NewBulkRequest = Omit<BulkRequestRow, 'id' | 'processed' | 'successful' | 'failed' | 'skipped' | 'started_at' | 'completed_at'>;

/** Consecutive items of a body as a JSON array; `first` is the place of the first one. */
export interface BulkPiece {
  readonly first: number;
  readonly body: string;
}

/** Returns a number for a new body. Bodies whose request is not stored yet count as taken. */
export function nextBulkBody(read: ReadHandle): number {
  return (
    read
      .prepare<[], { id: number }>(
        'SELECT 1 + max(coalesce((SELECT max(body_id) FROM bulk_requests), 0), coalesce((SELECT max(body_id) FROM bulk_items), 0)) AS id',
      )
      .get()?.id ?? 1
  );
}

export function insertBulkPiece(write: WriteHandle, bodyId: number, { first, body }: BulkPiece): void {
  write
    .prepare<[number, number, string], unknown>('INSERT INTO bulk_items(body_id, first, body) VALUES (?, ?, ?)')
    .run(bodyId, first, body);
}

/** Stores a request whose items are stored, and the streams that it names. */
export function insertBulkRequest(write: WriteHandle, request: NewBulkRequest, streamIds: readonly number[]): number {
  const id = write.run(query.insertInto('bulk_requests').values(request)).lastInsertId;
  const name = write.prepare<[number, number], unknown>('INSERT INTO bulk_request_streams(bulk_request_id, stream_id) VALUES (?, ?)');
  for (const streamId of streamIds) name.run(id, streamId);
  return id;
}

export function findBulkRequest(read: ReadHandle, environmentId: number, id: number): BulkRequestRow | undefined {
  return read.first(query.selectFrom('bulk_requests').selectAll().where('environment_id', '=', environmentId).where('id', '=', id));
}

export function bulkRequestOfKey(read: ReadHandle, environmentId: number, idempotencyKey: string): BulkRequestRow | undefined {
  return read.first(
    query.selectFrom('bulk_requests').selectAll().where('environment_id', '=', environmentId).where('idempotency_key', '=', idempotencyKey),
  );
}

/** Returns the oldest request that has not ended; null if there is none. */
export function nextOpenBulkRequest(read: ReadHandle): BulkRequestRow | null {
  return (
    read.prepare<[], BulkRequestRow>("SELECT * FROM bulk_requests WHERE status IN ('pending', 'processing') ORDER BY id LIMIT 1").get() ??
    null
  );
}

/** Returns requests newest first, one row more than the limit. */
export function pageBulkRequests(read: ReadHandle, environmentId: number, page: OffsetPage): BulkRequestRow[] {
  const { after } = page;
  let select = query.selectFrom('bulk_requests').selectAll().where('environment_id', '=', environmentId);
  if (after === undefined) select = select.offset(page.offset);
  else select = select.where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '<', tuple(after.value, after.id)));
  return read.all(
    select
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(page.limit + 1),
  );
}

/**
 * Returns the piece of a body that holds the item at a place. Items are kept until their request is completed; those of other ended requests are kept
 * for a retry.
 */
export function bulkPieceAt(read: ReadHandle, bodyId: number, place: number): BulkPiece | undefined {
  return read
    .prepare<[number, number], BulkPiece>('SELECT first, body FROM bulk_items WHERE body_id = ? AND first <= ? ORDER BY first DESC LIMIT 1')
    .get(bodyId, place);
}

/** Yields all pieces of a body in order, one in memory at a time. The connection is free between them. */
export function* bulkPieces(read: ReadHandle, bodyId: number): Generator<BulkPiece> {
  const next = read.prepare<[number, number], BulkPiece>(
    'SELECT first, body FROM bulk_items WHERE body_id = ? AND first > ? ORDER BY first LIMIT 1',
  );
  for (let piece = next.get(bodyId, -1); piece !== undefined; piece = next.get(bodyId, piece.first)) yield piece;
}

/** Yields requests whose items were changed, or are missing before they were processed. */
export function* bulkItemFaults(read: ReadHandle): Generator<{ readonly id: number; readonly what: 'missing' | 'changed' }> {
  const rows = read
    .prepare<[], { id: number; body_id: number; sha256: string; there: number; open: number }>(
      `SELECT r.id, r.body_id, r.sha256, EXISTS (SELECT 1 FROM bulk_items i WHERE i.body_id = r.body_id) AS there,
         r.status IN ('pending', 'processing') AS open
       FROM bulk_requests r ORDER BY r.id`,
    )
    .all();
  for (const { id, body_id: bodyId, sha256, there, open } of rows) {
    if (there === 0) {
      if (open === 1) yield { id, what: 'missing' };
      continue;
    }
    const hash = createHash('sha256');
    for (const { body } of bulkPieces(read, bodyId)) hash.update(body);
    if (hash.digest('hex') !== sha256) yield { id, what: 'changed' };
  }
}

export function deleteBulkItems(write: WriteHandle, bodyId: number): void {
  write.prepare<[number], unknown>('DELETE FROM bulk_items WHERE body_id = ?').run(bodyId);
}

const WITHOUT_REQUEST = 'body_id NOT IN (SELECT body_id FROM bulk_requests)';

/** Whether there are items without a request: they are being stored, or their process was killed. */
export function hasStrayBulkItems(read: ReadHandle): boolean {
  return read.prepare<[], unknown>(`SELECT 1 FROM bulk_items WHERE ${WITHOUT_REQUEST} LIMIT 1`).get() !== undefined;
}

/** Deletes items without a request: the process that stored them was killed before it accepted them. */
export function clearBulkItems(database: Database): void {
  if (!hasStrayBulkItems(database)) return;
  database.write((write) => void write.prepare<[], unknown>(`DELETE FROM bulk_items WHERE ${WITHOUT_REQUEST}`).run());
}

type BulkProgress = Pick<
  BulkRequestRow,
  'status' | 'processed' | 'successful' | 'failed' | 'skipped' | 'error_message' | 'started_at' | 'completed_at'
>;

export function updateBulkRequest(write: WriteHandle, id: number, change: Partial<BulkProgress>): void {
  write.run(query.updateTable('bulk_requests').set(change).where('id', '=', id));
}

/** The result of one item. */
export type BulkItemRow = Omit<BulkResultRow, 'items'>;

/** Stores the result of consecutive items. If several share a row they were inserted, and their record ids are consecutive too. */
export function insertBulkResult(write: WriteHandle, result: BulkResultRow): void {
  write
    .prepare<[number, number, number, string, number | null, string | null], unknown>(
      'INSERT INTO bulk_results(bulk_request_id, item, items, status, record_id, error) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(result.bulk_request_id, result.item, result.items, result.status, result.record_id, result.error);
}

function itemByItem(rows: readonly BulkResultRow[]): BulkItemRow[] {
  return rows.flatMap(({ items, ...row }) =>
    Array.from({ length: items }, (_, index) => ({
      ...row,
      item: row.item + index,
      record_id: row.record_id === null ? null : row.record_id + index,
    })),
  );
}

/** Returns results in the order of the items, one more than the limit. */
export function pageBulkResults(read: ReadHandle, id: number, page: { readonly limit: number; readonly offset: number }): BulkItemRow[] {
  // Results cover the items 0, 1, ... without a gap, so an offset is a place.
  const rows = read
    .prepare<[number, number, number, number], BulkResultRow>(
      `SELECT * FROM bulk_results WHERE bulk_request_id = ?
       AND item >= (SELECT coalesce(max(item), 0) FROM bulk_results WHERE bulk_request_id = ? AND item <= ?) ORDER BY item LIMIT ?`,
    )
    .all(id, id, page.offset, page.limit + 2);
  return itemByItem(rows)
    .filter((row) => row.item >= page.offset)
    .slice(0, page.limit + 1);
}

function successfulResults(read: ReadHandle, id: number): BulkItemRow[] {
  const rows = read
    .prepare<[number], BulkResultRow>("SELECT * FROM bulk_results WHERE bulk_request_id = ? AND status = 'successful' ORDER BY item")
    .all(id);
  return itemByItem(rows);
}

/** Returns the places of the items that were inserted. */
export function successfulItems(read: ReadHandle, id: number): Set<number> {
  return new Set(successfulResults(read, id).map((row) => row.item));
}

/** Returns the ids of the records that a request made or changed. */
export function createdRecords(read: ReadHandle, id: number): number[] {
  return successfulResults(read, id).flatMap(({ record_id: record }) => record ?? []);
}

/** Returns the batches that a request created. */
export function batchesOfBulkRequest(read: ReadHandle, id: number): (Row<'import_batches'> & { readonly data_stream_key: string })[] {
  return read.all(
    query
      .selectFrom('bulk_request_streams as bs')
      .innerJoin('import_batches as b', 'b.id', 'bs.batch_id')
      .innerJoin('streams as s', 's.id', 'b.stream_id')
      .selectAll('b')
      .select('s.key as data_stream_key')
      .where('bs.bulk_request_id', '=', id)
      .orderBy('b.id'),
  );
}

/** Returns the batch of a request in a stream; undefined before its first item there, and after the batch is undone. */
export function batchOfBulkStream(read: ReadHandle, id: number, streamId: number): Row<'import_batches'> | undefined {
  return read
    .prepare<[number, number], Row<'import_batches'>>(
      `SELECT b.* FROM bulk_request_streams bs JOIN import_batches b ON b.id = bs.batch_id
       WHERE bs.bulk_request_id = ? AND bs.stream_id = ? AND b.writing = 0`,
    )
    .get(id, streamId);
}

export function setBatchOfBulkStream(write: WriteHandle, id: number, streamId: number, batchId: number): void {
  write
    .prepare<[number, number, number], unknown>(
      `INSERT INTO bulk_request_streams(bulk_request_id, stream_id, batch_id) VALUES (?, ?, ?)
       ON CONFLICT(bulk_request_id, stream_id) DO UPDATE SET batch_id = excluded.batch_id`,
    )
    .run(id, streamId, batchId);
}

export interface RecordOfExternalId extends RecordRow {
  /** Whether the record belongs to a batch that is half-written. */
  readonly hidden: boolean;
}

/** Returns the record of a stream with an external id; a visible one takes precedence over a hidden one. Wiped records do not count. */
export function recordOfExternalId(read: ReadHandle, streamId: number, externalId: string): RecordOfExternalId | undefined {
  // This lookup runs for every item and usually finds nothing.
  const ids = read
    .prepare<[number, string, number], { id: number }>(
      `WITH wanted(stream_id, external_id, key_print) AS MATERIALIZED (SELECT ?, ?, CAST(? AS INTEGER)) ${idsOfExternalId('wanted')}`,
    )
    .all(streamId, externalId, printOfExternalId(externalId))
    .map(({ id }) => id);
  if (ids.length === 0) return undefined;
  const found = read
    .prepare<[string], RecordRow>('SELECT r.* FROM json_each(?) j CROSS JOIN records r ON r.id = j.value ORDER BY r.id')
    .all(JSON.stringify(ids));
  const hidden = new Set(writingBatchesOfStream(read, streamId));
  const wiped = new Set(wipedBatches(read));
  return found
    .filter((record) => record.batch_id === null || !wiped.has(record.batch_id))
    .map((record) => ({ ...record, hidden: record.batch_id !== null && hidden.has(record.batch_id) }))
    .toSorted((left, right) => Number(left.hidden) - Number(right.hidden))[0];
}
