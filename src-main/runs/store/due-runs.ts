import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { WIPED_MATCH_IDS } from '../../records/store/wipes.ts';

/** What a continuous reconciliation has not looked at yet; see database/migrations/first-book/reconciliations.ts for who writes it. */
export type DueRunRow = Row<'due_runs'>;

export function dueRuns(read: ReadHandle): DueRunRow[] {
  return read.all(query.selectFrom('due_runs').selectAll().orderBy('reconciliation_id'));
}

/** Notes a change of records that are in no batch: those of batches are noted by triggers. */
export function noteRecordChange(write: WriteHandle, streamId: number): void {
  write
    .prepare<[number], unknown>(
      `INSERT INTO due_runs(reconciliation_id, cause, changes)
       SELECT c.id, 'record_created', 1 FROM reconciliation_streams s JOIN reconciliations c ON c.id = s.reconciliation_id
       WHERE s.stream_id = ? AND c.run_type = 'continuous'
       ON CONFLICT(reconciliation_id) DO UPDATE SET changes = changes + 1`,
    )
    .run(streamId);
}

/** Notes that a reconciliation is to be looked at again: a separation was cleared, or the run that was to look at it died with its command. */
export function noteDueRun(write: WriteHandle, reconciliationId: number): void {
  write
    .prepare<[number], unknown>(
      `INSERT INTO due_runs(reconciliation_id, cause, changes)
       SELECT id, 'record_created', 1 FROM reconciliations WHERE id = ? AND run_type = 'continuous'
       ON CONFLICT(reconciliation_id) DO UPDATE SET changes = changes + 1`,
    )
    .run(reconciliationId);
}

/** A run that starts now looks at everything that was due. */
export function clearDueRun(write: WriteHandle, reconciliationId: number): void {
  write.run(query.deleteFrom('due_runs').where('reconciliation_id', '=', reconciliationId));
}

/** Forgets what was due when `row` was read; what changed after that stays due. */
export function forgetDueRun(write: WriteHandle, row: DueRunRow): void {
  write.run(query.deleteFrom('due_runs').where('reconciliation_id', '=', row.reconciliation_id).where('changes', '=', row.changes));
}

/** Whether anything could be matched by a run's rules. */
export function hasActiveRule(read: ReadHandle, reconciliationId: number): boolean {
  return (
    read.first(
      query
        .selectFrom('rules')
        .select('id')
        .where('reconciliation_id', '=', reconciliationId)
        .where('status', '=', 'active')
        .where('paused', '=', 0)
        .limit(1),
    ) !== undefined
  );
}

/** The last record that was looked at. The search goes on after it, by day and id, newest first. */
export interface LookedAt {
  readonly day: number;
  readonly id: number;
}

/** Among the next records of a stream, whether one is free in a reconciliation; else where to look on, or null at the end. */
export function lookForFreeRecord(
  read: ReadHandle,
  reconciliationId: number,
  streamId: number,
  after: LookedAt | null,
  limit: number,
): { readonly isFound: boolean; readonly next: LookedAt | null } {
  const rows = read
    .prepare<(number | null)[], LookedAt & { readonly is_free: 0 | 1 }>(
      `SELECT r.day, r.id,
         ${PUBLISHED_RECORD}
         AND NOT EXISTS (SELECT 1 FROM match_records mr WHERE mr.record_id = r.id AND mr.reconciliation_id = ? AND mr.slot = 0
           AND mr.match_id NOT IN (${WIPED_MATCH_IDS})) AS is_free
       FROM records r WHERE r.stream_id = ? AND (r.day, r.id) < (?, ?) ORDER BY r.day DESC, r.id DESC LIMIT ?`,
    )
    .all(reconciliationId, streamId, after?.day ?? Number.MAX_SAFE_INTEGER, after?.id ?? 0, limit);
  const last = rows.at(-1);
  return {
    isFound: rows.some((row) => row.is_free === 1),
    next: rows.length < limit || last === undefined ? null : { day: last.day, id: last.id },
  };
}
