import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import type { RecordWithStream, Side } from '../../database/rows.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';

/** A set of records that a person took apart; `record_key` is their ids ascending, joined by commas. Cleared ones no longer count. */
export type SeparationRow = Row<'separations'>;

/** Keeps a set apart from now on, even if it was cleared. */
export function addSeparation(write: WriteHandle, reconciliationId: number, recordKey: string, atMs: number): void {
  write.run(
    query
      .insertInto('separations')
      .values({ reconciliation_id: reconciliationId, record_key: recordKey, created_at: atMs, cleared_at: null })
      .onConflict((conflict) => conflict.columns(['reconciliation_id', 'record_key']).doUpdateSet({ created_at: atMs, cleared_at: null })),
  );
  noteSeparation(write, reconciliationId, recordKey);
}

/** Notes for a run in progress that a person took records apart, because it may be about to match them again. */
function noteSeparation(write: WriteHandle, reconciliationId: number, recordKey: string): void {
  write
    .prepare<[string, number], unknown>(
      `INSERT INTO run_separations(run_id, record_key) SELECT id, ? FROM runs WHERE reconciliation_id = ? AND status = 'running'
       ON CONFLICT DO NOTHING`,
    )
    .run(recordKey, reconciliationId);
}

/** Returns the sets that people took apart during a run and that are still apart. */
export function separatedDuringRun(read: ReadHandle, runId: number, reconciliationId: number): string[] {
  const noted = read.all(query.selectFrom('run_separations').select('record_key').where('run_id', '=', runId).orderBy('record_key'));
  return noted.map((row) => row.record_key).filter((key) => isApart(read, reconciliationId, key));
}

function isApart(read: ReadHandle, reconciliationId: number, recordKey: string): boolean {
  const kept = query
    .selectFrom('separations')
    .select('id')
    .where('reconciliation_id', '=', reconciliationId)
    .where('cleared_at', 'is', null);
  return read.first(kept.where('record_key', '=', recordKey)) !== undefined;
}

/** Clears the separation of exactly these records, if there is one. */
export function clearSeparationOf(write: WriteHandle, reconciliationId: number, recordKey: string, atMs: number): void {
  write.run(
    query
      .updateTable('separations')
      .set({ cleared_at: atMs })
      .where('reconciliation_id', '=', reconciliationId)
      .where('record_key', '=', recordKey)
      .where('cleared_at', 'is', null),
  );
}

/** Clears a separation, or restores it (null). */
export function setSeparationCleared(write: WriteHandle, id: number, clearedAtMs: number | null): void {
  write.run(query.updateTable('separations').set({ cleared_at: clearedAtMs }).where('id', '=', id));
  if (clearedAtMs !== null) return;
  const kept = write.first(query.selectFrom('separations').select(['reconciliation_id', 'record_key']).where('id', '=', id));
  if (kept !== undefined) noteSeparation(write, kept.reconciliation_id, kept.record_key);
}

/** Returns a separation, cleared or not. */
export function findSeparation(read: ReadHandle, environmentId: number, id: number): SeparationRow | undefined {
  return read.first(
    query
      .selectFrom('separations as k')
      .innerJoin('reconciliations as c', 'c.id', 'k.reconciliation_id')
      .selectAll('k')
      .where('c.environment_id', '=', environmentId)
      .where('k.id', '=', id),
  );
}

/** Returns the keys of all sets that are kept apart. */
export function separationKeys(read: ReadHandle, reconciliationId: number): string[] {
  return read
    .all(
      query
        .selectFrom('separations')
        .select('record_key')
        .where('reconciliation_id', '=', reconciliationId)
        .where('cleared_at', 'is', null)
        .orderBy('record_key'),
    )
    .map((row) => row.record_key);
}

interface SeparationPage {
  readonly limit: number;
  readonly offset: number;
  /** Continues after the separation with this time and id, without an offset. */
  readonly after?: { readonly value: number; readonly id: number } | undefined;
}

/** Returns what is kept apart in a reconciliation, newest first. */
export function pageSeparations(read: ReadHandle, reconciliationId: number, page: SeparationPage): SeparationRow[] {
  const { limit, offset, after } = page;
  return read
    .prepare<number[], SeparationRow>(
      `SELECT * FROM separations WHERE reconciliation_id = ? AND cleared_at IS NULL ${after === undefined ? '' : 'AND (created_at, id) < (?, ?)'}
       ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
    )
    .all(reconciliationId, ...(after === undefined ? [] : [after.value, after.id]), limit, offset);
}

export function countSeparations(read: ReadHandle, reconciliationId: number): number {
  const statement = read.prepare<[number], { n: number }>(
    'SELECT count(*) AS n FROM separations WHERE reconciliation_id = ? AND cleared_at IS NULL',
  );
  return statement.get(reconciliationId)?.n ?? 0;
}

/** `side` is null if the record's stream has left the reconciliation; `present` is the number of existing records of the set. */
type SeparatedRow = RecordWithStream & { readonly separation_id: number; readonly side: Side | null; readonly present: number };

/** Returns the existing records of separations, side A first, then by date; at most `perSeparation` of each. */
export function recordsOfSeparations(read: ReadHandle, separationIds: readonly number[], perSeparation: number): SeparatedRow[] {
  return read
    .prepare<[string, number], SeparatedRow>(
      `SELECT * FROM (
         SELECT r.*, s.key AS data_stream_key, k.id AS separation_id, cs.side, count(*) OVER (PARTITION BY k.id) AS present,
           row_number() OVER (PARTITION BY k.id ORDER BY cs.side IS NULL, cs.side, r.day, r.id) AS position
         FROM json_each(?) i CROSS JOIN separations k ON k.id = i.value
         CROSS JOIN json_each('[' || k.record_key || ']') j CROSS JOIN records r ON r.id = j.value CROSS JOIN streams s ON s.id = r.stream_id
         LEFT JOIN reconciliation_streams cs ON cs.reconciliation_id = k.reconciliation_id AND cs.stream_id = r.stream_id
         WHERE ${PUBLISHED_RECORD}
       ) WHERE position <= ? ORDER BY separation_id, position`,
    )
    .all(JSON.stringify(separationIds), perSeparation);
}
