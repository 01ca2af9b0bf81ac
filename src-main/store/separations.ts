import { query, type ReadHandle, type WriteHandle } from './database.ts';

/** Record sets that a person took apart; the key is ids ascending, joined by commas. */
export function addSeparation(write: WriteHandle, reconciliationId: number, recordKey: string, atMs: number): void {
  write.run(
    query
      .insertInto('separations')
      .values({ reconciliation_id: reconciliationId, record_key: recordKey, created_at: atMs })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

export function clearSeparation(write: WriteHandle, reconciliationId: number, recordKey: string): void {
  write.run(query.deleteFrom('separations').where('reconciliation_id', '=', reconciliationId).where('record_key', '=', recordKey));
}

/** Keys of every set that a person wants apart. */
export function separationKeys(read: ReadHandle, reconciliationId: number): string[] {
  return read
    .all(query.selectFrom('separations').select('record_key').where('reconciliation_id', '=', reconciliationId).orderBy('record_key'))
    .map((row) => row.record_key);
}
