import type { DayRange } from '../proof/coverage.ts';
import type { StatementPeriod } from '../model/statement.ts';
import type { StatedBalance, StatedSection } from './shared/stated-file.ts';

/**
 * The days that a section of a bank format covers: those that it names, else from the day after its opening balance to the day of its closing
 * balance; days of its transactions outside belong to it as well. Null where nothing tells a day. A balance of another account label
 * is none of its own, so `account` is only told where the file holds several.
 */
export function periodOfSection(
  section: StatedSection,
  account: string | null,
  opening: StatedBalance | undefined,
  closing: StatedBalance | undefined,
): StatementPeriod | null {
  const named = section.period ?? betweenBalances(opening?.day ?? null, closing?.day ?? null);
  const days = dayRangeOf([
    ...(named === null ? [] : [named.firstDay, named.lastDay]),
    ...section.entries.flatMap((entry) => (entry.day === null ? [] : [entry.day])),
  ]);
  return days === null ? null : { account, ...days, openingMinor: opening?.minor ?? null, closingMinor: closing?.minor ?? null };
}

/** A statement without a closing day says nothing beyond its transactions. */
function betweenBalances(openingDay: number | null, closingDay: number | null) {
  if (closingDay === null) return null;
  // Banks date the opening balance with the day that it closed, or with the first day of the statement where that is the only one.
  const firstDay = openingDay === null || openingDay >= closingDay ? closingDay : openingDay + 1;
  return { firstDay, lastDay: closingDay };
}

/** The first and the last of some days; null for none. */
function dayRangeOf(days: readonly number[]): DayRange | null {
  let firstDay = Number.POSITIVE_INFINITY;
  let lastDay = Number.NEGATIVE_INFINITY;
  for (const day of days) {
    firstDay = Math.min(firstDay, day);
    lastDay = Math.max(lastDay, day);
  }
  return days.length === 0 ? null : { firstDay, lastDay };
}
