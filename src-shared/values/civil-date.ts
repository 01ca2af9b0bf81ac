/**
 * Calendar dates without time or zone. A day is the number of days since 1970-01-01 in the proleptic Gregorian calendar, after Howard Hinnant's
 * `days_from_civil`; its text is ISO 8601 `YYYY-MM-DD`.
 */
const DAYS_PER_ERA = 146_097;
const ISO = /^(\d{4})-(\d{2})-(\d{2})$/;
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Returns the days in a month (1 to 12); 0 for a month that does not exist. */
export function daysInMonth(year: number, month: number): number {
  const days = MONTH_LENGTHS[month - 1] ?? 0;
  return month === 2 && isLeapYear(year) ? 29 : days;
}

/** Returns the day of a date; null if it does not exist, such as 30 February. */
export function dayFromParts(year: number, month: number, day: number): number | null {
  if (year < 1 || year > 9999 || day < 1 || day > daysInMonth(year, month)) return null;
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - 719_468;
}

/** Returns the day of an ISO date; null if the text is not one or the date does not exist. */
export function dayFromIso(text: string): number | null {
  const parts = ISO.exec(text);
  return parts === null ? null : dayFromParts(Number(parts[1]), Number(parts[2]), Number(parts[3]));
}

/** Returns the ISO text of a day. */
export function isoFromDay(day: number): string {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthShifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthShifted < 10 ? monthShifted + 3 : monthShifted - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const dayOfMonth = dayOfYear - Math.floor((153 * monthShifted + 2) / 5) + 1;
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`;
}

/** Returns the weekdays since Monday 1969-12-29; days of a weekend count as the following Monday. */
export function businessDayOf(day: number): number {
  const sinceMonday = day + 3;
  const week = Math.floor(sinceMonday / 7);
  return week * 5 + Math.min(sinceMonday - week * 7, 5);
}

/** Returns the last day of the month of a day. Both are days since 1970-01-01. */
export function lastOfMonth(day: number): number {
  const [year = 0, month = 0, date = 0] = isoFromDay(day).split('-').map(Number);
  return day - date + daysInMonth(year, month);
}
