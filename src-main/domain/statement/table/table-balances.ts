import type { StatementBalance } from '../model/statement.ts';
import type { DayRange } from '../proof/coverage.ts';
import type { MonthEnds } from '../proof/month-ends.ts';
import type { ChosenReading, Reading } from '../proof/reading.ts';

export const NO_ENDS = { opening: null, closing: null };

/** Opening and closing balance with the sign of the lines: a balance that counts what is paid out is turned round. */
export function endsOf({ check, polarity }: Reading): { readonly opening: number | null; readonly closing: number | null } {
  const turned = (minor: number | null): number | null => (minor === null ? null : minor * polarity + 0);
  return { opening: turned(check.opening), closing: turned(check.closing) };
}

/**
 * The opening balance of the first day and the closing balance of the last one of a table, where its running balance or lines around the
 * transactions state them and nothing speaks against them. Where the running balance is proved, also the one at the end of each month between.
 */
export function balancesOfTable(
  days: DayRange | null,
  { reading, proof }: ChosenReading,
  currency: string,
  monthEnds: MonthEnds | null,
): StatementBalance[] {
  const { opening, closing } = endsOf(reading);
  if (proof === 'broken' || days === null) return [];
  const balances: StatementBalance[] = [];
  if (opening !== null) balances.push({ type: 'opening_ledger', day: days.firstDay, minor: opening, currency });
  const within = proof === 'proved' && opening !== null && monthEnds !== null ? monthEnds.balances(opening) : [];
  balances.push(...within.map(({ day, minor }) => ({ type: 'closing_ledger' as const, day, minor, currency })));
  if (closing !== null) balances.push({ type: 'closing_ledger', day: days.lastDay, minor: closing, currency });
  return balances;
}
