import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type SyncLinkRow = Omit<Row<'sync_links'>, 'remote_id' | 'resource'>;

export function linksOf(read: ReadHandle, remoteId: number, resource: string): SyncLinkRow[] {
  return read.all(
    query
      .selectFrom('sync_links')
      .select(['local_id', 'remote_key', 'local_hash', 'remote_hash', 'agreed'])
      .where('remote_id', '=', remoteId)
      .where('resource', '=', resource),
  );
}

export function hasLinks(read: ReadHandle, remoteId: number): boolean {
  return read.first(query.selectFrom('sync_links').select('local_id').where('remote_id', '=', remoteId).limit(1)) !== undefined;
}

/** Puts a link, and replaces those that either object had. */
export function putLink(write: WriteHandle, remoteId: number, resource: string, link: SyncLinkRow): void {
  write
    .prepare<(string | number)[], unknown>(
      'DELETE FROM sync_links WHERE remote_id = ? AND resource = ? AND remote_key = ? AND local_id <> ?',
    )
    .run(remoteId, resource, link.remote_key, link.local_id);
  write
    .prepare<(string | number | null)[], unknown>(
      `INSERT INTO sync_links(remote_id, resource, local_id, remote_key, local_hash, remote_hash, agreed) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT(remote_id, resource, local_id)
       DO UPDATE SET remote_key = excluded.remote_key, local_hash = excluded.local_hash, remote_hash = excluded.remote_hash, agreed = excluded.agreed`,
    )
    .run(remoteId, resource, link.local_id, link.remote_key, link.local_hash, link.remote_hash, link.agreed);
}

export function dropLink(write: WriteHandle, remoteId: number, resource: string, localId: number): void {
  write
    .prepare<(string | number)[], unknown>('DELETE FROM sync_links WHERE remote_id = ? AND resource = ? AND local_id = ?')
    .run(remoteId, resource, localId);
}

export function findLink(read: ReadHandle, remoteId: number, resource: string, localId: number): SyncLinkRow | undefined {
  return read.first(
    query
      .selectFrom('sync_links')
      .select(['local_id', 'remote_key', 'local_hash', 'remote_hash', 'agreed'])
      .where('remote_id', '=', remoteId)
      .where('resource', '=', resource)
      .where('local_id', '=', localId),
  );
}

function found<T>(read: ReadHandle, sql: string, ids: readonly number[]): Map<number, T> {
  if (ids.length === 0) return new Map();
  const rows = read.prepare<[string], { id: number; place: T }>(sql).all(JSON.stringify(ids));
  return new Map(rows.map(({ id, place }) => [id, place]));
}

/** Returns the stream keys of records, by record id. */
export function placesOfRecords(read: ReadHandle, ids: readonly number[]): Map<number, string> {
  const sql = 'SELECT r.id, s.key AS place FROM json_each(?) j CROSS JOIN records r ON r.id = j.value JOIN streams s ON s.id = r.stream_id';
  return found(read, sql, ids);
}

/** Returns the reconciliation ids of matches, by match id. */
export function placesOfMatches(read: ReadHandle, ids: readonly number[]): Map<number, number> {
  return found(read, 'SELECT m.id, m.reconciliation_id AS place FROM json_each(?) j CROSS JOIN matches m ON m.id = j.value', ids);
}

/** Returns the reconciliation ids of rules, by rule id. */
export function placesOfRules(read: ReadHandle, ids: readonly number[]): Map<number, number> {
  return found(read, 'SELECT r.id, r.reconciliation_id AS place FROM json_each(?) j CROSS JOIN rules r ON r.id = j.value', ids);
}
