import { sql } from 'kysely';
import { query, type ReadHandle, type Row, type WriteHandle } from './database.ts';

export type StreamRow = Row<'streams'>;
export type StreamWithCount = StreamRow & { readonly record_count: number };

/** A covering count, less the rows of batches that are still being written: those are nobody's yet. */
const RECORD_COUNT = sql<number>`((SELECT count(*) FROM records r WHERE r.stream_id = s.id)
  - (SELECT count(*) FROM records h WHERE h.stream_id = s.id AND h.batch_id IN (SELECT id FROM import_batches WHERE writing = 1)))`;

function streamsWithCount() {
  return query.selectFrom('streams as s').selectAll('s').select(RECORD_COUNT.as('record_count'));
}

export function listStreams(read: ReadHandle, environmentId: number): StreamWithCount[] {
  return read.all(streamsWithCount().where('s.environment_id', '=', environmentId).orderBy('s.id'));
}

export function findStream(read: ReadHandle, environmentId: number, key: string): StreamWithCount | undefined {
  return read.first(streamsWithCount().where('s.environment_id', '=', environmentId).where('s.key', '=', key));
}

/** The stream alone: counting its records takes longer than a page of them. */
export function streamByKey(read: ReadHandle, environmentId: number, key: string): StreamRow | undefined {
  return read.first(query.selectFrom('streams').selectAll().where('environment_id', '=', environmentId).where('key', '=', key));
}

export function streamById(read: ReadHandle, id: number): StreamRow | undefined {
  return read.first(query.selectFrom('streams').selectAll().where('id', '=', id));
}

/** Whether there is a stream with this id; its records are not counted. */
export function isStreamOf(read: ReadHandle, environmentId: number, id: number): boolean {
  return (
    read.first(query.selectFrom('streams').select('id').where('environment_id', '=', environmentId).where('id', '=', id)) !== undefined
  );
}

export function streamsById(read: ReadHandle, environmentId: number, ids: readonly number[]): StreamWithCount[] {
  if (ids.length === 0) return [];
  return read.all(streamsWithCount().where('s.environment_id', '=', environmentId).where('s.id', 'in', ids).orderBy('s.id'));
}

export interface NewStream {
  readonly environmentId: number;
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: string;
  readonly bankAccountId?: number | null;
  readonly currency: string | null;
  readonly referenceField: string | null;
  readonly literalDebitCredit: boolean;
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
    }),
  ).lastInsertId;
}

export type StreamChange = Partial<
  Pick<StreamRow, 'name' | 'description' | 'reference_field' | 'bank_account_id' | 'currency' | 'literal_debit_credit'>
>;

export function updateStream(write: WriteHandle, id: number, change: StreamChange): void {
  if (Object.keys(change).length > 0) write.run(query.updateTable('streams').set(change).where('id', '=', id));
}

/** First and last day that visible records of a stream have; nulls for an empty one. */
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
