import { type Change, changesAnything, query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type StreamRow = Row<'streams'>;

/** The number of visible records of a stream `s`: all, minus those of batches that are being written. */
const RECORDS_SEEN = `(SELECT count(*) FROM records r WHERE r.stream_id = s.id)
  - (SELECT count(*) FROM import_batches b CROSS JOIN records h ON h.batch_id = b.id WHERE b.writing = 1 AND b.stream_id = s.id)`;

/** Returns the number of visible records of a stream. */
export function recordCount(read: ReadHandle, streamId: number): number {
  return (
    read.prepare<[number], { records: number }>(`SELECT ${RECORDS_SEEN} AS records FROM streams s WHERE s.id = ?`).get(streamId)?.records ??
    0
  );
}

/** Returns the number of visible records of each stream of an environment, by stream id. */
export function recordCounts(read: ReadHandle, environmentId: number): ReadonlyMap<number, number> {
  const rows = read
    .prepare<[number], { id: number; records: number }>(`SELECT s.id, ${RECORDS_SEEN} AS records FROM streams s WHERE s.environment_id = ?`)
    .all(environmentId);
  return new Map(rows.map(({ id, records }) => [id, records]));
}

export function listStreams(read: ReadHandle, environmentId: number): StreamRow[] {
  return read.all(query.selectFrom('streams').selectAll().where('environment_id', '=', environmentId).orderBy('id'));
}

export function streamByKey(read: ReadHandle, environmentId: number, key: string): StreamRow | undefined {
  return read.first(query.selectFrom('streams').selectAll().where('environment_id', '=', environmentId).where('key', '=', key));
}

export function streamById(read: ReadHandle, id: number): StreamRow | undefined {
  return read.first(query.selectFrom('streams').selectAll().where('id', '=', id));
}

/** Whether the environment has a stream with this id. */
export function isStreamOf(read: ReadHandle, environmentId: number, id: number): boolean {
  return (
    read.first(query.selectFrom('streams').select('id').where('environment_id', '=', environmentId).where('id', '=', id)) !== undefined
  );
}

export function streamsById(read: ReadHandle, environmentId: number, ids: readonly number[]): StreamRow[] {
  if (ids.length === 0) return [];
  return read.all(query.selectFrom('streams').selectAll().where('environment_id', '=', environmentId).where('id', 'in', ids).orderBy('id'));
}

interface NewStream {
  readonly environmentId: number;
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: string;
  readonly bankAccountId?: number | null;
  readonly currency: string | null;
  readonly referenceField: string | null;
  readonly literalDebitCredit: boolean;
  readonly readBy?: StreamRow['read_by'] | undefined;
  readonly batchLines?: StreamRow['batch_lines'] | undefined;
  readonly createdAtMs: number;
}

export function insertStream(write: WriteHandle, stream: NewStream): number {
  return write.run(
    query.insertInto('streams').values({
      environment_id: stream.environmentId,
      key: stream.key,
      name: stream.name,
      description: stream.description,
      type: stream.type,
      bank_account_id: stream.bankAccountId ?? null,
      currency: stream.currency,
      reference_field: stream.referenceField,
      literal_debit_credit: stream.literalDebitCredit ? 1 : 0,
      created_at: stream.createdAtMs,
      ...(stream.readBy !== undefined && { read_by: stream.readBy }),
      ...(stream.batchLines !== undefined && { batch_lines: stream.batchLines }),
    }),
  ).lastInsertId;
}

type StreamChange = Change<
  Pick<
    StreamRow,
    'name' | 'description' | 'reference_field' | 'bank_account_id' | 'currency' | 'literal_debit_credit' | 'read_by' | 'batch_lines'
  >
>;

export function updateStream(write: WriteHandle, id: number, change: StreamChange): void {
  if (changesAnything(change)) write.run(query.updateTable('streams').set(change).where('id', '=', id));
}

/** Returns the first and last day of a stream's visible records; nulls if there are none. */
export function streamDays(read: ReadHandle, streamId: number): { readonly first: number | null; readonly last: number | null } {
  const edge = (order: 'ASC' | 'DESC') =>
    read
      .prepare<[number], { day: number }>(
        `SELECT day FROM records WHERE stream_id = ? AND (batch_id IS NULL OR batch_id NOT IN (SELECT id FROM import_batches WHERE writing = 1))
         ORDER BY day ${order} LIMIT 1`,
      )
      .get(streamId)?.day ?? null;
  return { first: edge('ASC'), last: edge('DESC') };
}
