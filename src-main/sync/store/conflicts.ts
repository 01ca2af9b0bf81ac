import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type SyncConflictRow = Row<'sync_conflicts'>;

export function conflictsOf(read: ReadHandle, remoteId: number): SyncConflictRow[] {
  return read.all(query.selectFrom('sync_conflicts').selectAll().where('remote_id', '=', remoteId).orderBy('id'));
}

/** Returns the highest conflict id, or 0. Sync assigns the ids, so that a preview can name conflicts. */
export function highestConflictId(read: ReadHandle): number {
  return read.first(query.selectFrom('sync_conflicts').select((all) => all.fn.max('id').as('id')))?.id ?? 0;
}

/** Returns a conflict of the environment. */
export function findConflict(read: ReadHandle, environmentId: number, id: number): SyncConflictRow | undefined {
  return read.first(
    query
      .selectFrom('sync_conflicts as c')
      .innerJoin('sync_remotes as r', 'r.id', 'c.remote_id')
      .selectAll('c')
      .where('r.environment_id', '=', environmentId)
      .where('c.id', '=', id),
  );
}

export function putConflict(write: WriteHandle, conflict: SyncConflictRow): void {
  const { id: _, ...said } = conflict;
  write.run(
    query
      .insertInto('sync_conflicts')
      .values(conflict)
      .onConflict((there) => there.column('id').doUpdateSet(said)),
  );
}

export function chooseInConflict(write: WriteHandle, id: number, choice: string | null, decidedAtMs: number | null): void {
  write.run(query.updateTable('sync_conflicts').set({ choice, decided_at: decidedAtMs }).where('id', '=', id));
}

export function dropConflict(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('sync_conflicts').where('id', '=', id));
}

export function conflictAbout(read: ReadHandle, remoteId: number, resource: string, localId: number): SyncConflictRow | undefined {
  return read.first(
    query
      .selectFrom('sync_conflicts')
      .selectAll()
      .where('remote_id', '=', remoteId)
      .where('resource', '=', resource)
      .where('local_id', '=', localId)
      .orderBy('id')
      .limit(1),
  );
}
