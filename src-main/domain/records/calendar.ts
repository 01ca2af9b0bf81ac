import { isoFromDay } from '../../../src-shared/values/civil-date.ts';

/** Returns the months since 1970-01. */
export function monthOf(day: number): number {
  const [year = '', month = ''] = isoFromDay(day).split('-');
  return (Number(year) - 1970) * 12 + Number(month) - 1;
}
