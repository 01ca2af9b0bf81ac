import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type PeriodRow = Row<'reconciliation_periods'>;

function selectPeriods() {
  return query.selectFrom('reconciliation_periods as p').innerJoin('reconciliations as c', 'c.id', 'p.reconciliation_id').selectAll('p');
}

export function findPeriod(read: ReadHandle, environmentId: number, id: number): PeriodRow | undefined {
  return read.first(selectPeriods().where('p.id', '=', id).where('c.environment_id', '=', environmentId));
}

/** Finds a period in any environment. */
export function periodById(read: ReadHandle, id: number): PeriodRow | undefined {
  return read.first(selectPeriods().where('p.id', '=', id));
}

/** Returns all periods of a reconciliation, latest first. */
export function periodsOf(read: ReadHandle, reconciliationId: number): PeriodRow[] {
  return read.all(selectPeriods().where('p.reconciliation_id', '=', reconciliationId).orderBy('p.first_day', 'desc'));
}

/** Returns the periods of an environment, latest first. Of two with the same first day the newer one comes first. */
export function periodsOfEnvironment(read: ReadHandle, environmentId: number): PeriodRow[] {
  return read.all(selectPeriods().where('c.environment_id', '=', environmentId).orderBy('p.first_day', 'desc').orderBy('p.id', 'desc'));
}

export function insertPeriod(
  write: WriteHandle,
  period: Pick<PeriodRow, 'reconciliation_id' | 'first_day' | 'last_day' | 'created_at'>,
): number {
  return write.run(query.insertInto('reconciliation_periods').values({ ...period, ...UNSIGNED })).lastInsertId;
}

/** Returns days of a reconciliation as a period that the book does not have: open, and with an id that no period has. */
export function unkeptPeriod(reconciliationId: number, firstDay: number, lastDay: number): PeriodRow {
  return { id: 0, reconciliation_id: reconciliationId, first_day: firstDay, last_day: lastDay, created_at: 0, ...UNSIGNED };
}

/** The signature columns of an open period. */
const UNSIGNED = {
  state: 'open',
  prepared_by: null,
  prepared_at: null,
  reviewed_by: null,
  reviewed_at: null,
  closed_by: null,
  closed_at: null,
} as const;

type PeriodChange = Partial<Omit<PeriodRow, 'id' | 'reconciliation_id' | 'created_at'>>;

export function updatePeriod(write: WriteHandle, id: number, change: PeriodChange): void {
  if (Object.keys(change).length > 0) write.run(query.updateTable('reconciliation_periods').set(change).where('id', '=', id));
}

/** Deletes a period and its entered balances. */
export function deletePeriod(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('reconciliation_periods').where('id', '=', id));
}

export function setBankSide(write: WriteHandle, reconciliationId: number, side: 'a' | 'b' | 'none' | null): void {
  write.run(query.updateTable('reconciliations').set({ bank_side: side }).where('id', '=', reconciliationId));
}
