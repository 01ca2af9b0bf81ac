import { query, type ReadHandle, type Row } from '../../database/database.ts';

/** The columns of a match that tell how it was made. */
export type MadeMatch = Pick<
  Row<'matches'>,
  | 'id'
  | 'run_id'
  | 'rule_id'
  | 'origin'
  | 'certainty'
  | 'confirmed_at'
  | 'confirmed_by'
  | 'confirmed_in_bulk'
  | 'difference_note'
  | 'created_at'
>;

/** Returns matches by their ids, in no order. The note of a person may be stored on the adjustment only. */
export function madeMatches(read: ReadHandle, ids: readonly number[]): MadeMatch[] {
  return read
    .prepare<[string], MadeMatch>(
      `SELECT m.id, m.run_id, m.rule_id, m.origin, m.certainty, m.confirmed_at, m.confirmed_by, m.confirmed_in_bulk,
         coalesce(m.difference_note, r.description) AS difference_note, m.created_at
       FROM json_each(?) j CROSS JOIN matches m ON m.id = j.value LEFT JOIN records r ON r.id = m.adjustment_id`,
    )
    .all(JSON.stringify(ids));
}

/** Returns the descriptions of a reconciliation's rules by id, removed rules included; null for a rule without one. */
export function ruleDescriptions(read: ReadHandle, reconciliationId: number): ReadonlyMap<number, string | null> {
  const rows = read
    .prepare<[number, number], { id: number; description: string | null }>(
      `SELECT id, description FROM rules WHERE reconciliation_id = ?
       UNION ALL SELECT rule_id, body ->> 'description' FROM removed_rules WHERE reconciliation_id = ?`,
    )
    .all(reconciliationId, reconciliationId);
  return new Map(rows.map(({ id, description }) => [id, description]));
}

/** The columns of an import that a report needs in addition to those of a close. */
type ReportedImport = Pick<Row<'import_batches'>, 'id' | 'byte_length' | 'kept' | 'rejected' | 'problems' | 'whose'>;

/** Returns imports by their ids, in no order. */
export function reportedImports(read: ReadHandle, ids: readonly number[]): ReportedImport[] {
  return read
    .prepare<[string], ReportedImport>(
      `SELECT b.id, b.byte_length, b.kept, b.rejected, b.problems, b.whose FROM json_each(?) j CROSS JOIN import_batches b ON b.id = j.value`,
    )
    .all(JSON.stringify(ids));
}

export type TouchedException = Pick<
  Row<'exceptions'>,
  'id' | 'stream_id' | 'title' | 'description' | 'status' | 'opened_at' | 'assignee' | 'comment'
>;

/**
 * Returns the exceptions of a reconciliation that are open, or were opened, changed or closed from `fromMs` until before `beforeMs` (milliseconds
 * UTC), oldest first.
 */
export function touchedExceptions(read: ReadHandle, reconciliationId: number, fromMs: number, beforeMs: number): TouchedException[] {
  const isWithin = (column: string): string => `(${column} >= @from AND ${column} < @before)`;
  return read
    .prepare<[{ id: number; from: number; before: number }], TouchedException>(
      `SELECT id, stream_id, title, description, status, opened_at, assignee, comment FROM exceptions
       WHERE reconciliation_id = @id AND (status IN ('open', 'investigating') OR ${['opened_at', 'updated_at', 'closed_at'].map(isWithin).join(' OR ')})
       ORDER BY opened_at, id`,
    )
    .all({ id: reconciliationId, from: fromMs, before: beforeMs });
}

/** Returns the entries of the audit log after `after`, up to and including `through`, in order. A `through` of null means all. */
export function auditStretch(read: ReadHandle, after: number, through: number | null): Row<'audit_log'>[] {
  const behind = query.selectFrom('audit_log').selectAll().where('id', '>', after).orderBy('id');
  return read.all(through === null ? behind : behind.where('id', '<=', through));
}

export interface AuditedAct {
  readonly id: number;
  readonly at: number;
  readonly actor: string;
}

/** Returns by match id who made a match by hand. If that happened more than once, the last time counts. */
export function makersOfMatches(read: ReadHandle, environmentId: number): ReadonlyMap<number, AuditedAct> {
  return auditedActs(read, environmentId, 'match.created', 'match_id');
}

/** Returns by batch id who made an import. */
export function makersOfImports(read: ReadHandle, environmentId: number): ReadonlyMap<number, AuditedAct> {
  return auditedActs(read, environmentId, 'import_batch.created', 'batch_id');
}

function auditedActs(read: ReadHandle, environmentId: number, action: string, member: string): ReadonlyMap<number, AuditedAct> {
  const rows = read
    .prepare<[string, number, string], AuditedAct>(
      'SELECT detail ->> ? AS id, at, actor FROM audit_log WHERE environment_id = ? AND action = ? ORDER BY audit_log.id',
    )
    .all(member, environmentId, action);
  return new Map(rows.map((row) => [row.id, row]));
}
