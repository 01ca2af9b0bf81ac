import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { itemAt } from '../../collections/typed-arrays.ts';
import type { RecordColumns } from '../../records/record-columns.ts';
import { dayReader } from '../comparison/read-columns.ts';
import type { RolledRule } from '../rules/grouping-rule.ts';
import type { RecordGroup, RolledView } from './groups.ts';

/** Stands for a missing day. */
export const NO_DAY = Number.NEGATIVE_INFINITY;

/** Returns the day of each row of the many side that counts for groups and windows; `NO_DAY` for a row without one. All are 0 if no date counts. */
export function daysOfMany({ date }: RolledRule, many: RecordColumns): Float64Array {
  const days = new Float64Array(many.count);
  if (date === null) return days;
  const read = dayReader(date, many);
  for (let row = 0; row < many.count; row += 1) {
    const day = read(row);
    days[row] = typeof day === 'number' ? day : NO_DAY;
  }
  return days;
}

/** Returns whether every member lies between `lookback_days` before the single record's date and that date, both inclusive. */
export function isInWindow({ rolled, single }: RolledView, { firstDay, lastDay }: RecordGroup, row: number): boolean {
  if (rolled.lookbackDays === null) return true;
  const { day } = itemAt(single, row);
  return firstDay >= day - rolled.lookbackDays && lastDay <= day;
}

/** Returns a run of days as text: `2026-06-01` or `2026-06-01..2026-06-03`. */
export function spanOf(firstDay: number, lastDay: number): string {
  if (!Number.isFinite(firstDay) || !Number.isFinite(lastDay)) return '';
  return firstDay === lastDay ? isoFromDay(firstDay) : `${isoFromDay(firstDay)}..${isoFromDay(lastDay)}`;
}
