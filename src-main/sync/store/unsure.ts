import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';
import type { SyncIntentRow } from './intents.ts';

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
