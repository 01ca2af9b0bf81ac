import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type StreamOperationRow = Row<'stream_operations'>;

interface NewStreamOperation {
  readonly environmentId: number;
  readonly streamId: number;
  readonly streamKey: string;
  readonly kind: 'delete' | 'reset';
  readonly actor: string;
  readonly createdAtMs: number;
}

export function insertStreamOperation(write: WriteHandle, operation: NewStreamOperation): number {
  return write.run(
    query.insertInto('stream_operations').values({
      environment_id: operation.environmentId,
      stream_id: operation.streamId,
      stream_key: operation.streamKey,
      kind: operation.kind,
      status: 'pending',
      actor: operation.actor,
      error_message: null,
      wiped_at: null,
      created_at: operation.createdAtMs,
      started_at: null,
      completed_at: null,
    }),
  ).lastInsertId;
}

export function streamOperationById(read: ReadHandle, id: number): StreamOperationRow | undefined {
  return read.first(query.selectFrom('stream_operations').selectAll().where('id', '=', id));
}

/** Finds an operation by the key that the stream had then: the stream may be deleted, and another may have the key. */
export function findStreamOperation(
  read: ReadHandle,
  environmentId: number,
  streamKey: string,
  id: number,
): StreamOperationRow | undefined {
  const found = streamOperationById(read, id);
  return found?.environment_id === environmentId && found.stream_key === streamKey ? found : undefined;
}

export function openStreamOperation(read: ReadHandle, streamId: number): StreamOperationRow | undefined {
  return read.first(
    query.selectFrom('stream_operations').selectAll().where('stream_id', '=', streamId).where('status', 'in', ['pending', 'running']),
  );
}

/** Returns operations that have not ended, oldest first. */
export function openStreamOperations(read: ReadHandle): StreamOperationRow[] {
  return read.all(query.selectFrom('stream_operations').selectAll().where('status', 'in', ['pending', 'running']).orderBy('id'));
}

type StreamOperationChange = Partial<
  Pick<StreamOperationRow, 'status' | 'processed' | 'total' | 'error_message' | 'wiped_at' | 'started_at' | 'completed_at'>
>;

export function updateStreamOperation(write: WriteHandle, id: number, change: StreamOperationChange): void {
  write.run(query.updateTable('stream_operations').set(change).where('id', '=', id));
}

/** Adds to the processed rows of an operation. */
export function advanceStreamOperation(write: WriteHandle, id: number, rows: number): void {
  write.prepare<[number, number], unknown>('UPDATE stream_operations SET processed = processed + ? WHERE id = ?').run(rows, id);
}

/** Returns the reconciliations that have the stream on a side. */
export function reconciliationsOfStream(read: ReadHandle, streamId: number): { readonly id: number; readonly name: string }[] {
  return read.all(
    query
      .selectFrom('reconciliation_streams as l')
      .innerJoin('reconciliations as c', 'c.id', 'l.reconciliation_id')
      .select(['c.id', 'c.name'])
      .where('l.stream_id', '=', streamId)
      .orderBy('c.id'),
  );
}

export function countStreamRecords(read: ReadHandle, streamId: number): number {
  return read.prepare<[number], { n: number }>('SELECT count(*) AS n FROM records WHERE stream_id = ?').get(streamId)?.n ?? 0;
}

interface StreamFigures {
  readonly records: number;
  readonly orphans: number;
  readonly batches: number;
  readonly lastIngestionAt: number | null;
}

/** Returns the visible figures of a stream. */
export function streamFigures(read: ReadHandle, streamId: number): StreamFigures {
  const counts = read
    .prepare<[number], { records: number; orphans: number | null; newest: number | null }>(
      `SELECT count(*) AS records, sum(batch_id IS NULL OR batch_id < 0) AS orphans, max(created_at) AS newest FROM records
       WHERE stream_id = ? AND (batch_id IS NULL OR batch_id NOT IN (SELECT id FROM import_batches WHERE writing = 1))`,
    )
    .get(streamId);
  const batches = read
    .prepare<[number], { n: number; newest: number | null }>(
      'SELECT count(*) AS n, max(created_at) AS newest FROM import_batches WHERE stream_id = ? AND writing = 0 AND id > 0',
    )
    .get(streamId);
  const times = [counts?.newest ?? null, batches?.newest ?? null].filter((atMs) => atMs !== null);
  return {
    records: counts?.records ?? 0,
    orphans: counts?.orphans ?? 0,
    batches: batches?.n ?? 0,
    lastIngestionAt: times.length === 0 ? null : Math.max(...times),
  };
}

type BulkCounts = Readonly<Record<'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'stuck', number>>;

/** Returns the numbers of bulk requests that name the stream, by status. Open ones that began, or arrived, before an instant also count as stuck. */
export function bulkCountsOfStream(read: ReadHandle, streamId: number, stuckBeforeMs: number): BulkCounts {
  const rows = read
    .prepare<[number, number], { status: Exclude<keyof BulkCounts, 'stuck'>; n: number; old: number }>(
      `SELECT q.status, count(*) AS n, sum(coalesce(q.started_at, q.created_at) < ?) AS old
       FROM bulk_request_streams bs JOIN bulk_requests q ON q.id = bs.bulk_request_id WHERE bs.stream_id = ? GROUP BY q.status`,
    )
    .all(stuckBeforeMs, streamId);
  const counts = { pending: 0, processing: 0, completed: 0, failed: 0, cancelled: 0, stuck: 0 };
  for (const row of rows) {
    counts[row.status] = row.n;
    if (row.status === 'pending' || row.status === 'processing') counts.stuck += row.old;
  }
  return counts;
}
