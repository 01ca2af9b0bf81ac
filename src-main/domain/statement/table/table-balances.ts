import type { StatementBalance } from '../model/statement.ts';
import type { DayRange } from '../proof/coverage.ts';
import type { ChosenReading } from '../proof/reading.ts';

/**
 * The opening balance of the first day and the closing balance of the last one of a table, where its running balance or lines around the
 * transactions state them and nothing speaks against them.
 */
export function balancesOfTable(days: DayRange | null, { reading, proof }: ChosenReading, currency: string): StatementBalance[] {
  const { opening, closing } = reading.check;
  if (proof === 'broken' || days === null) return [];
  const balances: StatementBalance[] = [];
  if (opening !== null) balances.push({ type: 'opening_ledger', day: days.firstDay, minor: opening, currency });
  if (closing !== null) balances.push({ type: 'closing_ledger', day: days.lastDay, minor: closing, currency });
  return balances;
}
