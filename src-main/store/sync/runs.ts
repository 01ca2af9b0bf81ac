import { query, type ReadHandle, type Row, type WriteHandle } from '../database/database.ts';

export type SyncRunRow = Row<'sync_runs'>;

export function insertSyncRun(write: WriteHandle, remoteId: number, startedAtMs: number): number {
  return write.run(query.insertInto('sync_runs').values({ remote_id: remoteId, started_at: startedAtMs, ended_at: null, result: null }))
    .lastInsertId;
}

export function endSyncRun(write: WriteHandle, id: number, endedAtMs: number, result: string): void {
  write.run(query.updateTable('sync_runs').set({ ended_at: endedAtMs, result }).where('id', '=', id));
}

/** Newest first. */
export function syncRunsOf(read: ReadHandle, remoteId: number, limit: number): SyncRunRow[] {
  return read.all(query.selectFrom('sync_runs').selectAll().where('remote_id', '=', remoteId).orderBy('id', 'desc').limit(limit));
}
