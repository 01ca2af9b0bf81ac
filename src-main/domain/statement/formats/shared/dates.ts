import type { Problem } from '../../../../../src-shared/contract/index.ts';
import { dayFromParts } from '../../../../../src-shared/values/civil-date.ts';
import { beyondMonth } from '../../cells/dates.ts';
import { quoted, rejection } from '../../model/problems.ts';

export function impossibleDate(row: number, field: string, text: string): Problem {
  const why = whyNone(text) ?? 'does not exist on the calendar.';
  return rejection(row, field, 'impossible_date', `The date ${quoted(text)} in row ${row} (${field}) ${why} Correct it in the file.`);
}

/** Returns why a date does not exist. Formats write dates year first: `YYMMDD`, `YYYYMMDD` with a time, `YYYY-MM-DD`. */
function whyNone(text: string): string | null {
  const found = /^(\d{2})(\d{2})(\d{2})$/.exec(text) ?? /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text);
  if (found === null) return null;
  const [, year = '', month, day] = found;
  return beyondMonth([year.length === 2 ? fullYear(Number(year)) : Number(year), Number(month), Number(day)]);
}

/** Returns the year of two digits: 80 to 99 are of the last century. */
export function fullYear(twoDigits: number): number {
  return twoDigits >= 80 ? 1900 + twoDigits : 2000 + twoDigits;
}

/** Returns the day of six digits, `YYMMDD`; null where the text is not such a date or the day does not exist. */
export function sixDigitDay(text: string): number | null {
  if (!/^\d{6}$/.test(text)) return null;
  return dayFromParts(fullYear(Number(text.slice(0, 2))), Number(text.slice(2, 4)), Number(text.slice(4)));
}
