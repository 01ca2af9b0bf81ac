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
  if (proof === 'broken' || rejectedRows > 0 || lines.length === 0 || lines.some((line) => line.currency !== currency)) return [];
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { day } of lines) {
    first = Math.min(first, day);
    last = Math.max(last, day);
  }
  const balances: StatementBalance[] = [];
  if (opening !== null) balances.push({ type: 'opening_ledger', day: first, minor: opening, currency });
  if (closing !== null) balances.push({ type: 'closing_ledger', day: last, minor: closing, currency });
  return balances;
}
