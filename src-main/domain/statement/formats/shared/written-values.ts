import type { Problem } from '../../../../../src-shared/contract/index.ts';
import { dayFromParts } from '../../../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf } from '../../../../../src-shared/values/money.ts';
import { phrase } from '../../../../../src-shared/words/say.ts';
import { type AmountFault, minorOf } from '../../cells/amounts.ts';
import { beyondMonth } from '../../cells/dates.ts';
import { note, quoted, rejection } from '../../model/problems.ts';

export function impossibleDate(row: number, field: string, text: string): Problem {
  const why = whyNone(text) ?? phrase('statement.writtenValues.doesNotExistOnTheCalendar');
  return rejection(
    row,
    field,
    'impossible_date',
    phrase('statement.writtenValues.theDateInRowCorrect', { text: quoted(text), row, field, why }),
  );
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

/** Whether a text ends in the middle of a line. A file may lack its last line end, so that alone proves nothing. */
export function isTorn(text: string): boolean {
  return !text.endsWith('\n');
}

/** Returns the number of the last line that is not blank, from 1. */
export function lastRow(text: string): number {
  const filled = text.trimEnd();
  let rows = 1;
  for (let at = filled.indexOf('\n'); at >= 0; at = filled.indexOf('\n', at + 1)) rows += 1;
  return rows;
}

/** Returns the problem of a file that ends too early; `missing` names the expected end. It breaks the proof. */
export function cutOff(row: number, missing: string): Problem {
  const message = phrase('statement.writtenValues.theFileEndsInRow', { row, missing });
  return note('file_cut_off', message, row);
}

/** Returns the rejection of a transaction within which the file ends; none of its figures is reliable. */
export function cutOffRow(row: number, field: string | null): Problem {
  const message = phrase('statement.writtenValues.fileEndsInTheMiddle', { row });
  return rejection(row, field, 'cut_off_row', message);
}

const FAULTS: Readonly<Record<AmountFault, string>> = {
  unreadable_amount: phrase('statement.writtenValues.isNoAmountCorrectIt'),
  too_many_decimals: phrase('statement.writtenValues.hasMoreDecimalsThanItsCurrency'),
  amount_out_of_range: phrase('statement.writtenValues.isLargerThanAnAmount'),
};

/** Reads an amount with a decimal mark (`1500,00`) as minor units, never negative; null with a rejection where it is not one. */
export function writtenAmount(
  text: string,
  mark: '.' | ',',
  currency: string,
  place: { readonly row: number; readonly field: string },
): { readonly minor: number | null; readonly problems: readonly Problem[] } {
  return judged(minorOf(text, mark, decimalPlacesOf(currency)), text, place);
}

/** Reads an amount written as digits of minor units (`0000027000`). */
export function amountInMinor(
  text: string,
  place: { readonly row: number; readonly field: string },
): { readonly minor: number | null; readonly problems: readonly Problem[] } {
  return judged(/^\d+$/.test(text) ? minorOf(text, '.', 0) : 'unreadable_amount', text, place);
}

/** Returns the rejection of a text that could be several amounts. */
export function unclearAmount(text: string, place: { readonly row: number; readonly field: string }): ReturnType<typeof judged> {
  return judged('unreadable_amount', text, place);
}

function judged(
  value: number | AmountFault,
  text: string,
  { row, field }: { readonly row: number; readonly field: string },
): { readonly minor: number | null; readonly problems: readonly Problem[] } {
  if (typeof value === 'number') return { minor: value, problems: [] };
  const message = phrase('statement.writtenValues.theAmountInRow', { text: quoted(text), row, faults: FAULTS[value] });
  return { minor: null, problems: [rejection(row, field, value, message)] };
}
