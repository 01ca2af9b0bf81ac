import type { BankAccountBalance, Coverage } from '../../src-shared/contract/index.ts';
import { balanceDays } from './balance-days.ts';

/** The balance of an account at the end of a day. */
export interface BalancePoint {
  readonly date: string;
  readonly value: number;
  /** `square`: entered by a person or a program. `diamond`: the first day on which the statements do not follow each other. */
  readonly shape: 'dot' | 'square' | 'diamond';
}

const ENDS = ['closing_ledger', 'current_ledger', 'closing_available', 'current_available'] as const;

/**
 * Returns the first day that does not follow the day before it: days are missing, or a statement opens with another balance than the last one closed
 * with. Null when there is none.
 */
function firstBreak(coverages: readonly Coverage[]): string | null {
  const days = coverages.flatMap(({ gaps, breaks }) => [
    ...gaps.filter(({ kind }) => kind === 'missing').map(({ date_start: start }) => start),
    ...breaks.map(({ date }) => date),
  ]);
  return days.toSorted()[0] ?? null;
}

/** Returns the balances of an account as a line, the oldest first. All points have one balance type: booked where it is known. */
export function balanceLine(balances: readonly BankAccountBalance[], coverages: readonly Coverage[]): BalancePoint[] {
  const type = ENDS.find((each) => balances.some(({ balance_type: own }) => own === each));
  if (type === undefined) return [];
  const broken = firstBreak(coverages);
  const points = balanceDays(balances)
    .toReversed()
    .flatMap(({ date, byType }): BalancePoint[] => {
      const balance = byType.get(type);
      if (balance === undefined) return [];
      const shape = date === broken ? 'diamond' : balance.import_batch_id === null ? 'square' : 'dot';
      return [{ date, value: balance.amount_cents, shape }];
    });
  if (broken === null || points.some(({ date }) => date === broken)) return points;
  // The line goes on to the day of the break.
  const before = points.findLast(({ date }) => date < broken);
  if (before === undefined) return points;
  return [...points, { date: broken, value: before.value, shape: 'diamond' as const }].toSorted((one, other) =>
    one.date < other.date ? -1 : 1,
  );
}
