import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type SyncIntentRow = Row<'sync_intents'>;

/** The choice for an intent whose object is not at the remote; any other choice is the remote id. */
export const SEND_AGAIN = 'send_again';

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

export function intentsOf(read: ReadHandle, remoteId: number): SyncIntentRow[] {
  return read.all(query.selectFrom('sync_intents').selectAll().where('remote_id', '=', remoteId).orderBy('id'));
}

type NewIntent = Omit<SyncIntentRow, 'id' | 'is_unsure' | 'choice' | 'decided_at'>;

/** Replaces the intent of the same object, together with what was decided about it. */
export function putIntent(write: WriteHandle, intent: NewIntent): void {
  const { remote_id: _, resource: __, local_id: ___, ...said } = intent;
  write.run(
    query
      .insertInto('sync_intents')
      .values(intent)
      .onConflict((conflict) =>
        conflict.columns(['remote_id', 'resource', 'local_id']).doUpdateSet({ ...said, is_unsure: 0, choice: null, decided_at: null }),
      ),
  );
}

/** Marks an intent as unsure: no sync can find out its outcome, so a person must. */
export function leaveUnsure(write: WriteHandle, remoteId: number, resource: string, localId: number): void {
  write.run(
    query
      .updateTable('sync_intents')
      .set({ is_unsure: 1 })
      .where('remote_id', '=', remoteId)
      .where('resource', '=', resource)
      .where('local_id', '=', localId),
  );
}

export function dropIntent(write: WriteHandle, remoteId: number, resource: string, localId: number): void {
  write.run(
    query.deleteFrom('sync_intents').where('remote_id', '=', remoteId).where('resource', '=', resource).where('local_id', '=', localId),
  );
}
