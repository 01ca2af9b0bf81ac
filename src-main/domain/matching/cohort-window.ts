import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import type { Cohort, RolledView } from './cohorts.ts';
import { readDay } from './terms.ts';
import { itemAt } from './typed.ts';

/** A day that no record has. */
export const NO_DAY = Number.NEGATIVE_INFINITY;

/** The day of each row of the many side that counts for groups and windows; `NO_DAY` where it has none. All 0 where no date counts. */
export function daysOfMany({ rolled, many }: Pick<RolledView, 'rolled' | 'many'>): Float64Array {
  const { date } = rolled;
  if (date === null) return new Float64Array(many.length);
  return Float64Array.from(many, (record) => {
    const day = readDay(date, record);
    return typeof day === 'number' ? day : NO_DAY;
  });
}

/** Whether every member lies between `lookback_days` before the single record's date and that date, both inclusive. */
export function isInWindow({ rolled, single }: RolledView, { firstDay, lastDay }: Cohort, row: number): boolean {
  if (rolled.lookbackDays === null) return true;
  const { day } = itemAt(single, row);
  return firstDay >= day - rolled.lookbackDays && lastDay <= day;
}

/** How a run of days is called: `2026-06-01`, `2026-06-01..2026-06-03`. */
export function spanOf(firstDay: number, lastDay: number): string {
  if (!Number.isFinite(firstDay) || !Number.isFinite(lastDay)) return '';
  return firstDay === lastDay ? isoFromDay(firstDay) : `${isoFromDay(firstDay)}..${isoFromDay(lastDay)}`;
}
