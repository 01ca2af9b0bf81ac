import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { type Change, query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import type { OffsetPage } from '../../imports/store/import-batches.ts';
import { COUNTS } from '../../matches/store/matches.ts';
import { NOT_IN_WRITING_BATCH, SUM_BASE } from './records.ts';

export type ExceptionRow = Row<'exceptions'> & {
  readonly reconciliation_name: string;
  readonly stream_key: string;
  readonly stream_name: string;
};

/** A filter of overdue records; amounts are magnitudes in minor units, days are inclusive. */
export interface OverdueFilter {
  readonly amountMin?: number | undefined;
  readonly amountMax?: number | undefined;
  readonly dayFrom?: number | undefined;
  readonly dayTo?: number | undefined;
  readonly direction?: number | undefined;
  readonly counterparty?: string | undefined;
}

interface ExceptionFilter {
  readonly environmentId: number;
  readonly reconciliationId?: number | undefined;
  readonly streamId?: number | undefined;
  readonly status?: ExceptionRow['status'] | undefined;
  /** Leaves out exceptions without such a record. */
  readonly records?: OverdueFilter | undefined;
}

/**
 * Returns the condition for rows of `overdue_records o JOIN records r` that are unmatched in the reconciliation of the exception `e` and pass the
 * filter.
 */
function isCounted(filter: OverdueFilter): RawBuilder<SqlBool> {
  const conditions: RawBuilder<unknown>[] = [
    sql`o.reconciliation_id = e.reconciliation_id`,
    sql`r.stream_id = e.stream_id`,
    NOT_IN_WRITING_BATCH,
    sql`NOT EXISTS (SELECT 1 FROM match_records mr JOIN matches m ON m.id = mr.match_id
      WHERE mr.record_id = r.id AND mr.reconciliation_id = e.reconciliation_id AND mr.slot = 0 AND ${sql.raw(COUNTS)})`,
  ];
  if (filter.amountMin !== undefined) conditions.push(sql`r.amount >= ${filter.amountMin}`);
  if (filter.amountMax !== undefined) conditions.push(sql`r.amount <= ${filter.amountMax}`);
  if (filter.dayFrom !== undefined) conditions.push(sql`r.day >= ${filter.dayFrom}`);
  if (filter.dayTo !== undefined) conditions.push(sql`r.day <= ${filter.dayTo}`);
  if (filter.direction !== undefined) conditions.push(sql`r.direction = ${filter.direction}`);
  if (filter.counterparty !== undefined) {
    const pattern = `%${filter.counterparty.replaceAll(/[\\%_]/g, (found) => `\\${found}`)}%`;
    conditions.push(
      sql`(r.description LIKE ${pattern} ESCAPE '\\' OR json_extract(r.metadata, '$.counterparty') LIKE ${pattern} ESCAPE '\\')`,
    );
  }
  return sql<SqlBool>`${sql.join(conditions, sql` AND `)}`;
}

function selectExceptions(environmentId: number) {
  return (
    query
      .selectFrom('exceptions as e')
      .innerJoin('reconciliations as c', 'c.id', 'e.reconciliation_id')
      .innerJoin('streams as s', 's.id', 'e.stream_id')
      .selectAll('e')
      .select(['c.name as reconciliation_name', 's.key as stream_key', 's.name as stream_name'])
      .where('e.environment_id', '=', environmentId)
      // Leaves out the exceptions of a stream that is being deleted.
      .where('s.environment_id', '=', environmentId)
  );
}

export function findException(read: ReadHandle, environmentId: number, id: number): ExceptionRow | undefined {
  return read.first(selectExceptions(environmentId).where('e.id', '=', id));
}

/** Returns exceptions newest first, one row more than the limit. */
export function pageExceptions(read: ReadHandle, filter: ExceptionFilter, page: OffsetPage): ExceptionRow[] {
  let select = selectExceptions(filter.environmentId);
  if (filter.reconciliationId !== undefined) select = select.where('e.reconciliation_id', '=', filter.reconciliationId);
  if (filter.streamId !== undefined) select = select.where('e.stream_id', '=', filter.streamId);
  if (filter.status !== undefined) select = select.where('e.status', '=', filter.status);
  if (filter.records !== undefined) {
    const counted = isCounted(filter.records);
    select = select.where(sql<SqlBool>`EXISTS (SELECT 1 FROM overdue_records o JOIN records r ON r.id = o.record_id WHERE ${counted})`);
  }
  if (page.after === undefined) select = select.offset(page.offset);
  else select = select.where(sql<SqlBool>`(e.created_at, e.id) < (${page.after.value}, ${page.after.id})`);
  return read.all(
    select
      .orderBy('e.created_at', 'desc')
      .orderBy('e.id', 'desc')
      .limit(page.limit + 1),
  );
}

export function hasOpenException(read: ReadHandle, streamId: number, reconciliationId: number, exceptId: number | null): boolean {
  return (
    read.first(
      query
        .selectFrom('exceptions')
        .select('id')
        .where('stream_id', '=', streamId)
        .where('reconciliation_id', '=', reconciliationId)
        .where('status', 'in', ['open', 'investigating'])
        .where('id', '<>', exceptId ?? 0),
    ) !== undefined
  );
}

export function insertException(write: WriteHandle, row: Omit<Row<'exceptions'>, 'id'>): number {
  return write.run(query.insertInto('exceptions').values(row)).lastInsertId;
}

export type ExceptionChange = Change<
  Pick<ExceptionRow, 'title' | 'description' | 'status' | 'updated_at' | 'opened_at' | 'closed_at' | 'assignee' | 'comment'>
>;

export function updateException(write: WriteHandle, id: number, change: ExceptionChange): void {
  write.run(query.updateTable('exceptions').set(change).where('id', '=', id));
}

export function deleteException(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('exceptions').where('id', '=', id));
}

/** Figures of one currency, scale and direction. A sum comes in two parts, because SQLite's sums end at 2^63. */
export interface OverdueFigures {
  readonly currency: string;
  readonly decimal_places: number;
  readonly direction: 0 | 1;
  readonly records: number;
  readonly high: number;
  readonly low: number;
  /** The sum of the records' days (since 1970-01-01), and the first and last of them. */
  readonly days: number;
  readonly first_day: number;
  readonly last_day: number;
}

export function overdueFigures(read: ReadHandle, exceptionId: number, filter: OverdueFilter): OverdueFigures[] {
  const base = sql.raw(String(SUM_BASE));
  return read.all(
    query
      .selectFrom('exceptions as e')
      .innerJoin('overdue_records as o', 'o.reconciliation_id', 'e.reconciliation_id')
      .innerJoin('records as r', 'r.id', 'o.record_id')
      .select(['r.currency', 'r.decimal_places'])
      .select([
        sql<0 | 1>`r.direction`.as('direction'),
        sql<number>`count(*)`.as('records'),
        sql<number>`sum(r.amount / ${base})`.as('high'),
        sql<number>`sum(r.amount % ${base})`.as('low'),
        sql<number>`sum(r.day)`.as('days'),
        sql<number>`min(r.day)`.as('first_day'),
        sql<number>`max(r.day)`.as('last_day'),
      ])
      .where('e.id', '=', exceptionId)
      .where(isCounted(filter))
      .groupBy(['r.currency', 'r.decimal_places', 'r.direction'])
      .orderBy('r.currency')
      .orderBy('r.decimal_places'),
  );
}

export type OverdueRow = Row<'overdue_records'>;

/** Marks a record, or changes the time of its mark. */
export function markOverdue(write: WriteHandle, mark: OverdueRow): void {
  write.run(
    query
      .insertInto('overdue_records')
      .values(mark)
      .onConflict((conflict) => conflict.columns(['record_id', 'reconciliation_id']).doUpdateSet({ overdue_at: mark.overdue_at })),
  );
}

export function clearOverdue(write: WriteHandle, { record_id, reconciliation_id }: Omit<OverdueRow, 'overdue_at'>): void {
  write.run(query.deleteFrom('overdue_records').where('record_id', '=', record_id).where('reconciliation_id', '=', reconciliation_id));
}

/** Returns the marks of records, ordered by reconciliation. */
export function overdueMarks(read: ReadHandle, recordIds: readonly number[]): OverdueRow[] {
  return read
    .prepare<[string], OverdueRow>(
      'SELECT o.* FROM json_each(?) j JOIN overdue_records o ON o.record_id = j.value ORDER BY o.reconciliation_id',
    )
    .all(JSON.stringify(recordIds));
}
