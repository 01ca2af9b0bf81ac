import { query, type ReadHandle, type Row, type WriteHandle } from '../database/database.ts';

export type SyncRemoteRow = Row<'sync_remotes'>;

export function findRemote(read: ReadHandle, environmentId: number, baseUrl: string): SyncRemoteRow | undefined {
  return read.first(
    query.selectFrom('sync_remotes').selectAll().where('environment_id', '=', environmentId).where('base_url', '=', baseUrl),
  );
}

export function insertRemote(write: WriteHandle, remote: Omit<SyncRemoteRow, 'id'>): number {
  return write.run(query.insertInto('sync_remotes').values(remote)).lastInsertId;
}

export function updateRemote(write: WriteHandle, id: number, change: Partial<Pick<SyncRemoteRow, 'kind' | 'last_synced_at'>>): void {
  write.run(query.updateTable('sync_remotes').set(change).where('id', '=', id));
}

/** What made external ids begin from; null while the book has no remote. */
export function seedOfBook(read: ReadHandle): string | null {
  return read.first(query.selectFrom('sync_remotes').select('seed').orderBy('id').limit(1))?.seed ?? null;
}
