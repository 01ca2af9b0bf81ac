import { isoFromDay } from '../../../src-shared/values/civil-date.ts';

/** Months since 1970-01. */
export function monthOf(day: number): number {
  const [year = '', month = ''] = isoFromDay(day).split('-');
  return (Number(year) - 1970) * 12 + Number(month) - 1;
}

/** Mon-Fri steps since Monday 1969-12-29; a weekend's days count as the Monday after them. */
export function businessDayOf(day: number): number {
  const sinceMonday = day + 3;
  const week = Math.floor(sinceMonday / 7);
  return week * 5 + Math.min(sinceMonday - week * 7, 5);
}
