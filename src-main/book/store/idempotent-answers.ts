import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type IdempotentAnswerRow = Row<'idempotent_answers'>;

/** What was answered to a key; one look-up by the primary key. */
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
