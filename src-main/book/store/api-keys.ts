import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

type ApiKeyRow = Row<'api_keys'>;

export function insertApiKey(write: WriteHandle, key: Omit<ApiKeyRow, 'id' | 'last_used_at' | 'revoked_at'>): number {
  return write.run(query.insertInto('api_keys').values({ ...key, last_used_at: null, revoked_at: null })).lastInsertId;
}

export function listApiKeys(read: ReadHandle, environmentId: number): ApiKeyRow[] {
  return read.all(query.selectFrom('api_keys').selectAll().where('environment_id', '=', environmentId).orderBy('id'));
}

/** Finds a key by its SHA-256, unless it is revoked. */
export function findLiveApiKey(read: ReadHandle, hash: string): ApiKeyRow | undefined {
  return read.first(query.selectFrom('api_keys').selectAll().where('hash', '=', hash).where('revoked_at', 'is', null));
}

export function touchApiKey(write: WriteHandle, id: number, atMs: number): void {
  write.run(query.updateTable('api_keys').set({ last_used_at: atMs }).where('id', '=', id));
}

/** Revokes a key; returns whether there was such a key that was not revoked. */
export function revokeApiKey(write: WriteHandle, environmentId: number, id: number, atMs: number): boolean {
  return (
    write.run(
      query
        .updateTable('api_keys')
        .set({ revoked_at: atMs })
        .where('environment_id', '=', environmentId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null),
    ).changes > 0
  );
}

/** Returns the name of an actor's key; null if the actor is not a key. */
export function keyNameOf(read: ReadHandle, actor: string): string | null {
  const id = /^key:(\d+)$/.exec(actor)?.[1];
  if (id === undefined) return null;
  return read.prepare<[number], { name: string }>('SELECT name FROM api_keys WHERE id = ?').get(Number(id))?.name ?? null;
}
