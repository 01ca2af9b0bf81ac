import type { DayRange } from '../proof/coverage.ts';

/** Days for which a file states the balance before and after, in signed minor units. */
export interface BalancedPeriod extends DayRange {
  readonly openingMinor: number;
  readonly closingMinor: number;
  /** Whether the imported file states it, rather than an earlier one. */
  readonly isOfFile: boolean;
  /** Whether the lines of the file that states it do not add up to it: its balance may then cover more than that file. */
  readonly isBroken: boolean;
}

/** A line of the file that may equal a stored one. Signed minor units. */
interface PairedLine {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly signedMinor: number;
}

/** Sums over the days of a period, in signed minor units: of the stored lines, and of the file's new lines. */
interface SumsOfPeriod {
  readonly stored: number;
  readonly fresh: number;
}

/**
 * Returns whether lines that coincide with stored ones are the same or new, where stated balances leave no doubt: `same` where the balances of this
 * file and of earlier files hold only if the paired lines count once; `new` where a stated balance holds only if they count twice. Null where a pair
 * is in no such period, or balances hold in neither way.
 */
export function decidedByBalances(
  periods: readonly BalancedPeriod[],
  pairs: readonly PairedLine[],
  sumsOf: (period: DayRange) => SumsOfPeriod | null,
): 'same' | 'new' | null {
  const decided = new Set<PairedLine>();
  let isSameByFile = false;
  let isSameByEarlier = false;
  let isNew = false;
  for (const period of periods) {
    const inside = pairs.filter(({ day }) => day >= period.firstDay && day <= period.lastDay);
    const paired = inside.reduce((sum, { signedMinor }) => sum + signedMinor, 0);
    // Lines that add up to nothing change no balance, however often they count.
    if (paired === 0) continue;
    const sums = sumsOf(period);
    if (sums === null) return null;
    const change = period.closingMinor - period.openingMinor;
    const withBoth = sums.stored + sums.fresh;
    if (withBoth === change) isNew = true;
    else if (withBoth - paired !== change || period.isBroken) return null;
    else if (period.isOfFile) isSameByFile = true;
    else isSameByEarlier = true;
    for (const line of inside) decided.add(line);
  }
  if (decided.size < pairs.length) return null;
  if (isNew) return isSameByFile || isSameByEarlier ? null : 'new';
  return isSameByFile && isSameByEarlier ? 'same' : null;
}
