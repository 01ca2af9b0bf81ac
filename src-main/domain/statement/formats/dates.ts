import type { Problem } from '../../../../src-shared/contract/index.ts';
import { dayFromParts } from '../../../../src-shared/values/civil-date.ts';
import { quoted, rejection } from '../sentences.ts';

export function impossibleDate(row: number, field: string, text: string): Problem {
  return rejection(
    row,
    field,
    'impossible_date',
    `The date ${quoted(text)} in row ${row} does not exist on the calendar. Correct it in the file.`,
  );
}

/** A year of two digits: 80 to 99 are of the last century. */
export function fullYear(twoDigits: number): number {
  return twoDigits >= 80 ? 1900 + twoDigits : 2000 + twoDigits;
}

/** The day of six digits, `YYMMDD`; null where they are none or the day does not exist. */
export function sixDigitDay(text: string): number | null {
  if (!/^\d{6}$/.test(text)) return null;
  return dayFromParts(fullYear(Number(text.slice(0, 2))), Number(text.slice(2, 4)), Number(text.slice(4)));
}
