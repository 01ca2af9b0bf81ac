import { dayRangeOf } from './periods.ts';
import type { ChosenReading } from './reading.ts';
import type { StatementBalance, StatementLine } from './types.ts';

/**
 * The opening balance of the first day and the closing balance of the last one of a table, where its running balance or lines around the
 * transactions state them and nothing speaks against them. A row that was rejected leaves it open what they are of.
 */
export function balancesOfTable(
  lines: readonly StatementLine[],
  rejectedRows: number,
  { reading, proof }: ChosenReading,
  currency: string,
): StatementBalance[] {
  const { opening, closing } = reading.check;
  const days = dayRangeOf(lines.map(({ day }) => day));
  if (proof === 'broken' || rejectedRows > 0 || days === null || lines.some((line) => line.currency !== currency)) return [];
  const balances: StatementBalance[] = [];
  if (opening !== null) balances.push({ type: 'opening_ledger', day: days.firstDay, minor: opening, currency });
  if (closing !== null) balances.push({ type: 'closing_ledger', day: days.lastDay, minor: closing, currency });
  return balances;
}
