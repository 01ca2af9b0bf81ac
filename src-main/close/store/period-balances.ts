import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

type BalanceRow = Row<'period_balances'>;

/** Includes the days of its period. */
export type EnteredBalance = BalanceRow & { readonly first_day: number; readonly last_day: number };

/** Returns the balances that people entered for the periods of a reconciliation that begin on or before a day, latest period first. */
export function enteredBalances(read: ReadHandle, reconciliationId: number, firstDay: number): EnteredBalance[] {
  return read.all(
    query
      .selectFrom('period_balances as b')
      .innerJoin('reconciliation_periods as p', 'p.id', 'b.period_id')
      .selectAll('b')
      .select(['p.first_day', 'p.last_day'])
      .where('p.reconciliation_id', '=', reconciliationId)
      .where('p.first_day', '<=', firstDay)
      .orderBy('p.first_day', 'desc'),
  );
}

export function balancesOfPeriod(read: ReadHandle, periodId: number): BalanceRow[] {
  return read.all(query.selectFrom('period_balances').selectAll().where('period_id', '=', periodId).orderBy('currency').orderBy('side'));
}

/** Replaces the entered balance of a side and currency, and deletes it if both amounts are null. */
export function putPeriodBalance(write: WriteHandle, balance: BalanceRow): void {
  const { period_id: id, currency, side } = balance;
  write.run(query.deleteFrom('period_balances').where('period_id', '=', id).where('currency', '=', currency).where('side', '=', side));
  if (balance.opening !== null || balance.stated_closing !== null) write.run(query.insertInto('period_balances').values(balance));
}
