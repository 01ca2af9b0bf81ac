import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type IdempotentAnswerRow = Row<'idempotent_answers'>;

/** Returns the answer for a key, by a single lookup of the primary key. */
export function idempotentAnswer(
  read: ReadHandle,
  environmentId: number,
  operation: string,
  idempotencyKey: string,
): IdempotentAnswerRow | undefined {
  return read.first(
    query
      .selectFrom('idempotent_answers')
      .selectAll()
      .where('environment_id', '=', environmentId)
      .where('operation', '=', operation)
      .where('idempotency_key', '=', idempotencyKey),
  );
}

export function insertIdempotentAnswer(write: WriteHandle, row: IdempotentAnswerRow): void {
  write.run(query.insertInto('idempotent_answers').values(row));
}
