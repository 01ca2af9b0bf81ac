import type { PeriodRow } from '../../close/store/periods.ts';
import type { ReadHandle, Row } from '../../database/database.ts';
import type { ReconciliationRow } from '../../database/rows.ts';

/** Whether a name contains the text that a person typed, in either case; null matches all. */
const FOUND = '(:q IS NULL OR instr(lower(c.name), lower(:q)) > 0)';

interface Asked {
  readonly environmentId: number;
  readonly q: string | null;
}

/** Returns the reconciliations whose name contains a text, newest first. */
export function reconciliationsNamed(read: ReadHandle, asked: Asked & { limit: number; offset: number }): ReconciliationRow[] {
  return read
    .prepare<[typeof asked], ReconciliationRow>(
      `SELECT c.* FROM reconciliations c WHERE c.environment_id = :environmentId AND ${FOUND}
       ORDER BY c.created_at DESC, c.id DESC LIMIT :limit OFFSET :offset`,
    )
    .all(asked);
}

export function countReconciliationsNamed(read: ReadHandle, asked: Asked): number {
  return (
    read
      .prepare<[Asked], { count: number }>(
        `SELECT count(*) AS count FROM reconciliations c WHERE c.environment_id = :environmentId AND ${FOUND}`,
      )
      .get(asked)?.count ?? 0
  );
}

/** Returns the latest period of each reconciliation of an environment; null where there is none. */
export function latestPeriods(read: ReadHandle, environmentId: number): { state: PeriodRow['state'] | null; last_day: number | null }[] {
  return read
    .prepare<[number], { state: PeriodRow['state'] | null; last_day: number | null }>(
      `SELECT p.state, p.last_day FROM reconciliations c LEFT JOIN reconciliation_periods p ON p.reconciliation_id = c.id
         AND p.first_day = (SELECT max(l.first_day) FROM reconciliation_periods l WHERE l.reconciliation_id = c.id)
       WHERE c.environment_id = ?`,
    )
    .all(environmentId);
}

export type RecentBatch = Pick<Row<'import_batches'>, 'id' | 'filename' | 'kept' | 'created_at' | 'proof'> & {
  readonly stream_key: string;
  readonly stream_name: string;
  readonly bank_account_id: number | null;
};

/** Returns the last files that were imported in an environment, newest first. */
export function recentBatches(read: ReadHandle, environmentId: number, limit: number): RecentBatch[] {
  return read
    .prepare<[number, number], RecentBatch>(
      `SELECT b.id, b.filename, b.kept, b.created_at, b.proof, s.key AS stream_key, s.name AS stream_name, s.bank_account_id
       FROM import_batches b JOIN streams s ON s.id = b.stream_id
       WHERE b.environment_id = ? AND b.id > 0 AND b.writing = 0 AND b.source <> 'bulk_api' ORDER BY b.created_at DESC, b.id DESC LIMIT ?`,
    )
    .all(environmentId, limit);
}
