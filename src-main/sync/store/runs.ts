import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type SyncRunRow = Row<'sync_runs'>;

export function insertSyncRun(
  write: WriteHandle,
  run: Pick<SyncRunRow, 'remote_id' | 'what' | 'started_by' | 'started_at' | 'backup'>,
): number {
  return write.run(query.insertInto('sync_runs').values({ ...run, ended_at: null, result: null, verified: null })).lastInsertId;
}

export function endSyncRun(write: WriteHandle, id: number, endedAtMs: number, result: string): void {
  write.run(query.updateTable('sync_runs').set({ ended_at: endedAtMs, result }).where('id', '=', id));
}

export function backUpSyncRun(write: WriteHandle, id: number, backup: string): void {
  write.run(query.updateTable('sync_runs').set({ backup }).where('id', '=', id));
}

export function verifySyncRun(write: WriteHandle, id: number, verified: string): void {
  write.run(query.updateTable('sync_runs').set({ verified }).where('id', '=', id));
}

/** Returns the syncs of a remote, newest first. */
export function syncRunsOf(read: ReadHandle, remoteId: number, limit: number, offset = 0): SyncRunRow[] {
  return read.all(
    query.selectFrom('sync_runs').selectAll().where('remote_id', '=', remoteId).orderBy('id', 'desc').limit(limit).offset(offset),
  );
}

export function countSyncRuns(read: ReadHandle, remoteId: number): number {
  const counted = query
    .selectFrom('sync_runs')
    .select((all) => all.fn.countAll<number>().as('n'))
    .where('remote_id', '=', remoteId);
  return read.first(counted)?.n ?? 0;
}

/** Returns a sync of the environment. */
export function findSyncRun(read: ReadHandle, environmentId: number, id: number): SyncRunRow | undefined {
  return read.first(
    query
      .selectFrom('sync_runs as run')
      .innerJoin('sync_remotes as remote', 'remote.id', 'run.remote_id')
      .selectAll('run')
      .where('remote.environment_id', '=', environmentId)
      .where('run.id', '=', id),
  );
}

/** Returns the id of the first sync with a remote; 0 if there was none. */
export function firstSyncRunId(read: ReadHandle, remoteId: number): number {
  const first = query
    .selectFrom('sync_runs')
    .select((all) => all.fn.min('id').as('id'))
    .where('remote_id', '=', remoteId);
  return read.first(first)?.id ?? 0;
}

/** Returns the later syncs with any remote of the book, oldest first. */
export function laterSyncRuns(read: ReadHandle, id: number): SyncRunRow[] {
  return read.all(query.selectFrom('sync_runs').selectAll().where('id', '>', id).orderBy('id'));
}
