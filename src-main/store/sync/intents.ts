import { query, type ReadHandle, type Row, type WriteHandle } from '../database/database.ts';

export type SyncIntentRow = Row<'sync_intents'>;

export function findIntent(read: ReadHandle, remoteId: number, resource: string, localId: number): SyncIntentRow | undefined {
  return read.first(
    query
      .selectFrom('sync_intents')
      .selectAll()
      .where('remote_id', '=', remoteId)
      .where('resource', '=', resource)
      .where('local_id', '=', localId),
  );
}

/** In place of the one that stands for the same object. */
export function putIntent(write: WriteHandle, intent: Omit<SyncIntentRow, 'id'>): void {
  const { remote_id: _, resource: __, local_id: ___, ...said } = intent;
  write.run(
    query
      .insertInto('sync_intents')
      .values(intent)
      .onConflict((conflict) => conflict.columns(['remote_id', 'resource', 'local_id']).doUpdateSet(said)),
  );
}

export function dropIntent(write: WriteHandle, remoteId: number, resource: string, localId: number): void {
  write.run(
    query.deleteFrom('sync_intents').where('remote_id', '=', remoteId).where('resource', '=', resource).where('local_id', '=', localId),
  );
}
