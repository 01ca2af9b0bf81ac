import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import type { SyncIntentRow } from './links.ts';

export type SyncRemoteRow = Row<'sync_remotes'>;

export function findRemote(read: ReadHandle, environmentId: number, baseUrl: string): SyncRemoteRow | undefined {
  return read.first(
    query.selectFrom('sync_remotes').selectAll().where('environment_id', '=', environmentId).where('base_url', '=', baseUrl).orderBy('id'),
  );
}

/** Returns the remote that states this identity, at whatever address it answers. */
export function remoteByIdentity(
  read: ReadHandle,
  environmentId: number,
  { instanceId, environment }: { readonly instanceId: string; readonly environment: string },
): SyncRemoteRow | undefined {
  return read.first(
    query
      .selectFrom('sync_remotes')
      .selectAll()
      .where('environment_id', '=', environmentId)
      .where('instance_id', '=', instanceId)
      .where('remote_environment', '=', environment)
      .orderBy('id'),
  );
}

/** Returns a remote that is another copy of the same book, restored or copied, at whatever address it answers. */
export function remoteOfBook(
  read: ReadHandle,
  environmentId: number,
  { bookId, environment }: { readonly bookId: string | null; readonly environment: string },
): SyncRemoteRow | undefined {
  if (bookId === null) return undefined;
  return remotesOf(read, environmentId).findLast(
    (row) => row.book_id === bookId && row.remote_environment === environment && row.last_synced_at !== null,
  );
}

/** Returns the remotes of an environment, oldest first. */
export function remotesOf(read: ReadHandle, environmentId: number): SyncRemoteRow[] {
  return read.all(query.selectFrom('sync_remotes').selectAll().where('environment_id', '=', environmentId).orderBy('id'));
}

/** Returns the remotes of every environment, oldest first. */
export function allRemotes(read: ReadHandle): SyncRemoteRow[] {
  return read.all(query.selectFrom('sync_remotes').selectAll().orderBy('id'));
}

export function remoteById(read: ReadHandle, environmentId: number, id: number): SyncRemoteRow | undefined {
  return read.first(query.selectFrom('sync_remotes').selectAll().where('environment_id', '=', environmentId).where('id', '=', id));
}

/** Deletes a remote; the tables that refer to it cascade. */
export function deleteRemote(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('sync_remotes').where('id', '=', id));
}

/** Returns how many conflicts and unsure objects wait for a decision. */
export function countUndecided(read: ReadHandle, remoteId: number): number {
  const row = read
    .prepare<[number], { n: number }>('SELECT count(*) AS n FROM sync_conflicts WHERE remote_id = ? AND choice IS NULL')
    .get(remoteId);
  return (row?.n ?? 0) + unsureOf(read, remoteId).filter(({ choice }) => choice === null).length;
}

type NewRemote = Pick<SyncRemoteRow, 'environment_id' | 'name' | 'base_url' | 'kind' | 'seed' | 'created_at'> &
  Partial<Pick<SyncRemoteRow, 'every_minutes' | 'when_online' | 'instance_id' | 'book_id' | 'remote_environment' | 'key_suffix'>>;

export function insertRemote(write: WriteHandle, remote: NewRemote): number {
  return write.run(query.insertInto('sync_remotes').values({ ...remote, last_synced_at: null })).lastInsertId;
}

export function updateRemote(
  write: WriteHandle,
  id: number,
  change: Partial<Omit<SyncRemoteRow, 'id' | 'environment_id' | 'created_at'>>,
): void {
  write.run(query.updateTable('sync_remotes').set(change).where('id', '=', id));
}

/** Returns the seed from which external ids are made; null while the book has no remote. */
export function seedOfBook(read: ReadHandle): string | null {
  return read.first(query.selectFrom('sync_remotes').select('seed').orderBy('id').limit(1))?.seed ?? null;
}

/** `name` is the account's current name. */
export type UnsureRow = SyncIntentRow & { readonly name: string };

/**
 * Selects intents of bank accounts: only these can be created at a remote that neither deduplicates requests nor lists them. Deleted accounts wait
 * for no decision.
 */
const UNSURE = query
  .selectFrom('sync_intents as i')
  .innerJoin('bank_accounts as a', 'a.id', 'i.local_id')
  .selectAll('i')
  .select('a.name')
  .where('i.resource', '=', 'accounts')
  .where('i.is_unsure', '=', 1)
  .where('a.deleted_at', 'is', null);

/** Returns the unsure objects of a remote, oldest first. */
export function unsureOf(read: ReadHandle, remoteId: number): UnsureRow[] {
  return read.all(UNSURE.where('i.remote_id', '=', remoteId).orderBy('i.id'));
}

/** Returns an unsure object of the environment. */
export function findUnsure(read: ReadHandle, environmentId: number, id: number): UnsureRow | undefined {
  return read.first(
    UNSURE.innerJoin('sync_remotes as r', 'r.id', 'i.remote_id').where('r.environment_id', '=', environmentId).where('i.id', '=', id),
  );
}

export function chooseOfUnsure(write: WriteHandle, id: number, choice: string | null, decidedAtMs: number | null): void {
  write.run(query.updateTable('sync_intents').set({ choice, decided_at: decidedAtMs }).where('id', '=', id));
}

/** Returns the local ids that are linked with a remote id, or that a person has linked with it. */
export function ownersOf(read: ReadHandle, { remote_id: remoteId, resource }: SyncIntentRow, remoteKey: string): number[] {
  return read
    .prepare<[number, string, string, number, string, string], { id: number }>(
      `SELECT local_id AS id FROM sync_links WHERE remote_id = ? AND resource = ? AND remote_key = ?
       UNION SELECT local_id FROM sync_intents WHERE remote_id = ? AND resource = ? AND choice = ?`,
    )
    .all(remoteId, resource, remoteKey, remoteId, resource, remoteKey)
    .map(({ id }) => id);
}
