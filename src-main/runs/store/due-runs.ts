import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { WIPED_MATCH_IDS } from '../../records/store/wipes.ts';

/** The records that a continuous reconciliation has not examined yet; database/migrations/first-book/reconciliations.ts says who writes it. */
export type DueRunRow = Row<'due_runs'>;

export function dueRuns(read: ReadHandle): DueRunRow[] {
  return read.all(query.selectFrom('due_runs').selectAll().orderBy('reconciliation_id'));
}

/** Notes a change of records without a batch; triggers note those of batches. */
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

/** Notes that a reconciliation must run again: a separation was cleared, or its run ended with its command. */
export function noteDueRun(write: WriteHandle, reconciliationId: number): void {
  write
    .prepare<[number], unknown>(
      `INSERT INTO due_runs(reconciliation_id, cause, changes)
       SELECT id, 'record_created', 1 FROM reconciliations WHERE id = ? AND run_type = 'continuous'
       ON CONFLICT(reconciliation_id) DO UPDATE SET changes = changes + 1`,
    )
    .run(reconciliationId);
}

/** Forgets what was due; a run that starts now examines all of it. */
export function clearDueRun(write: WriteHandle, reconciliationId: number): void {
  write.run(query.deleteFrom('due_runs').where('reconciliation_id', '=', reconciliationId));
}

/** Forgets what was due when `row` was read; later changes stay due. */
export function forgetDueRun(write: WriteHandle, row: DueRunRow): void {
  write.run(query.deleteFrom('due_runs').where('reconciliation_id', '=', row.reconciliation_id).where('changes', '=', row.changes));
}

/** Whether any rule could match in a run. */
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

/** The last examined record. The search continues after it, by day and id, newest first. */
export interface LookedAt {
  readonly day: number;
  readonly id: number;
}

/** Whether one of the next records of a stream is free in a reconciliation; if not, where to continue, or null at the end. */
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
