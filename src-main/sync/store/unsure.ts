import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';
import type { SyncIntentRow } from './intents.ts';

/** `name`: as the book has it now. */
export type UnsureRow = SyncIntentRow & { readonly name: string };

/** Bank accounts alone can be made at a remote that neither knows a request again nor lists what it has. One that was deleted here waits for nobody. */
const UNSURE = query
  .selectFrom('sync_intents as i')
  .innerJoin('bank_accounts as a', 'a.id', 'i.local_id')
  .selectAll('i')
  .select('a.name')
  .where('i.resource', '=', 'accounts')
  .where('i.is_unsure', '=', 1)
  .where('a.deleted_at', 'is', null);

/** Oldest first. */
export function unsureOf(read: ReadHandle, remoteId: number): UnsureRow[] {
  return read.all(UNSURE.where('i.remote_id', '=', remoteId).orderBy('i.id'));
}

/** In the environment of its remote. */
export function findUnsure(read: ReadHandle, environmentId: number, id: number): UnsureRow | undefined {
  return read.first(
    UNSURE.innerJoin('sync_remotes as r', 'r.id', 'i.remote_id').where('r.environment_id', '=', environmentId).where('i.id', '=', id),
  );
}

export function chooseOfUnsure(write: WriteHandle, id: number, choice: string | null, decidedAtMs: number | null): void {
  write.run(query.updateTable('sync_intents').set({ choice, decided_at: decidedAtMs }).where('id', '=', id));
}

/** Ids here that are linked with an id there, or said to be. */
export function ownersOf(read: ReadHandle, { remote_id: remoteId, resource }: SyncIntentRow, remoteKey: string): number[] {
  return read
    .prepare<[number, string, string, number, string, string], { id: number }>(
      `SELECT local_id AS id FROM sync_links WHERE remote_id = ? AND resource = ? AND remote_key = ?
       UNION SELECT local_id FROM sync_intents WHERE remote_id = ? AND resource = ? AND choice = ?`,
    )
    .all(remoteId, resource, remoteKey, remoteId, resource, remoteKey)
    .map(({ id }) => id);
}
