import { query, type ReadHandle, type Row } from '../../database/database.ts';

/** How a match came to be. */
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

/** Matches by their ids, in no order. What a person wrote may stand in the adjustment alone. */
export function madeMatches(read: ReadHandle, ids: readonly number[]): MadeMatch[] {
  return read
    .prepare<[string], MadeMatch>(
      `SELECT m.id, m.run_id, m.rule_id, m.origin, m.certainty, m.confirmed_at, m.confirmed_by, m.confirmed_in_bulk,
         coalesce(m.difference_note, r.description) AS difference_note, m.created_at
       FROM json_each(?) j CROSS JOIN matches m ON m.id = j.value LEFT JOIN records r ON r.id = m.adjustment_id`,
    )
    .all(JSON.stringify(ids));
}

/** What the rules of a reconciliation say of themselves by their ids, those that were removed too; null where they say nothing. */
export function ruleDescriptions(read: ReadHandle, reconciliationId: number): ReadonlyMap<number, string | null> {
  const rows = read
    .prepare<[number, number], { id: number; description: string | null }>(
      `SELECT id, description FROM rules WHERE reconciliation_id = ?
       UNION ALL SELECT rule_id, body ->> 'description' FROM removed_rules WHERE reconciliation_id = ?`,
    )
    .all(reconciliationId, reconciliationId);
  return new Map(rows.map(({ id, description }) => [id, description]));
}

/** What a report tells of an import beside what a close is computed from. */
type ReportedImport = Pick<Row<'import_batches'>, 'id' | 'byte_length' | 'kept' | 'rejected' | 'problems' | 'whose'>;

/** Imports by their ids, in no order. */
export function reportedImports(read: ReadHandle, ids: readonly number[]): ReportedImport[] {
  return read
    .prepare<[string], ReportedImport>(
      `SELECT b.id, b.byte_length, b.kept, b.rejected, b.problems, b.whose FROM json_each(?) j CROSS JOIN import_batches b ON b.id = j.value`,
    )
    .all(JSON.stringify(ids));
}

export type TouchedException = Pick<Row<'exceptions'>, 'id' | 'stream_id' | 'title' | 'description' | 'status' | 'opened_at'>;

/** Exceptions of a reconciliation that are open, or were opened, changed or closed between two moments (milliseconds UTC); the oldest first. */
export function touchedExceptions(read: ReadHandle, reconciliationId: number, fromMs: number, beforeMs: number): TouchedException[] {
  const isWithin = (column: string): string => `(${column} >= @from AND ${column} < @before)`;
  return read
    .prepare<[{ id: number; from: number; before: number }], TouchedException>(
      `SELECT id, stream_id, title, description, status, opened_at FROM exceptions
       WHERE reconciliation_id = @id AND (status IN ('open', 'investigating') OR ${['opened_at', 'updated_at', 'closed_at'].map(isWithin).join(' OR ')})
       ORDER BY opened_at, id`,
    )
    .all({ id: reconciliationId, from: fromMs, before: beforeMs });
}

/** Whole entries of the audit log behind one, up to another one, in their order; `through` null for all. */
export function auditStretch(read: ReadHandle, after: number, through: number | null): Row<'audit_log'>[] {
  const behind = query.selectFrom('audit_log').selectAll().where('id', '>', after).orderBy('id');
  return read.all(through === null ? behind : behind.where('id', '<=', through));
}

export interface Teller {
  readonly id: number;
  readonly at: number;
  readonly actor: string;
}

/** Who made matches by hand, by the match; the last one where it was made again. */
export function makersOfMatches(read: ReadHandle, environmentId: number): ReadonlyMap<number, Teller> {
  return tellers(read, environmentId, 'match.created', 'match_id');
}

/** Who made imports, by the import. */
export function bringersOfImports(read: ReadHandle, environmentId: number): ReadonlyMap<number, Teller> {
  return tellers(read, environmentId, 'import_batch.created', 'batch_id');
}

function tellers(read: ReadHandle, environmentId: number, action: string, member: string): ReadonlyMap<number, Teller> {
  const rows = read
    .prepare<[string, number, string], Teller>(
      'SELECT detail ->> ? AS id, at, actor FROM audit_log WHERE environment_id = ? AND action = ? ORDER BY audit_log.id',
    )
    .all(member, environmentId, action);
  return new Map(rows.map((row) => [row.id, row]));
}
