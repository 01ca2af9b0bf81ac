import { type DateShape, dateShape, fullYear, statementDay, yearless, yearlessShape } from './dates.ts';

/**
 * How a column writes dates as digits alone, which could be any number without its header: DDMMYYYY or MMDDYYYY, six digits, a date with its time,
 * days as spreadsheets count them, seconds or milliseconds since 1970; or without a year, in words or numbers.
 */
export type DateForm = 'eight_digits' | 'six_digits' | 'stamp' | 'serial' | 'seconds' | 'milliseconds' | 'no_year';

const FORMS: readonly DateForm[] = ['stamp', 'eight_digits', 'six_digits', 'serial', 'seconds', 'milliseconds', 'no_year'];
/** Days from the day 0 of spreadsheets to 1970-01-01. */
const SERIAL_OF_1970 = 25_569;
const SECONDS_OF_DAY = 86_400;
/** Days from 1970 that a serial number may mean: 1990 to 2099. */
const SERIAL_DAYS = { first: 7_305, last: 47_481 } as const;

/** Returns the form of the cells of a column that is called a date; null where the cells are dates by themselves, or not dates. */
export function dateFormOf(cells: readonly string[]): DateForm | null {
  const filled = cells.filter((cell) => cell !== '');
  if (filled.length === 0 || filled.filter((cell) => dateShape(cell) !== null).length * 2 >= filled.length) return null;
  return FORMS.find((form) => filled.filter((cell) => shapeOfForm(cell, form) !== null).length * 3 >= filled.length * 2) ?? null;
}

/** Returns the shape of a cell in a form; null where the cell is not of that form. */
export function shapeOfForm(cell: string, form: DateForm): DateShape | null {
  switch (form) {
    case 'eight_digits':
      return /^\d{8}$/.test(cell) ? numbered(cell.slice(0, 2), cell.slice(2, 4), Number(cell.slice(4)), false) : null;
    case 'six_digits':
      return /^\d{6}$/.test(cell) ? numbered(cell.slice(0, 2), cell.slice(2, 4), fullYear(cell.slice(4)), true) : null;
    case 'stamp':
      return /^\d{8}(?:\d{4}|\d{6})$/.test(cell)
        ? settled(statementDay(Number(cell.slice(0, 4)), Number(cell.slice(4, 6)), Number(cell.slice(6, 8))))
        : null;
    case 'serial':
      return /^\d{5}(?:[.,\u066b]\d+)?$/.test(cell) ? withinSerials(Number(cell.slice(0, 5)) - SERIAL_OF_1970) : null;
    case 'seconds':
      return /^\d{9,10}$/.test(cell) ? withinSerials(Math.floor(Number(cell) / SECONDS_OF_DAY)) : null;
    case 'milliseconds':
      return /^\d{12,13}$/.test(cell) ? withinSerials(Math.floor(Number(cell.slice(0, -3)) / SECONDS_OF_DAY)) : null;
    case 'no_year':
      return dateShape(cell) ?? yearlessShape(cell) ?? ofFourDigits(cell);
  }
}

function ofFourDigits(cell: string): DateShape | null {
  return /^\d{4}$/.test(cell) ? yearless(Number(cell.slice(0, 2)), Number(cell.slice(2)), { isNamed: false, dotted: false }) : null;
}

function withinSerials(day: number): DateShape | null {
  return day < SERIAL_DAYS.first || day > SERIAL_DAYS.last ? null : settled(day);
}

function settled(day: number | null): DateShape | null {
  return day === null ? null : { kind: 'settled', day, order: 'ymd' };
}

function numbered(one: string, two: string, third: number, shortYear: boolean): DateShape {
  return { kind: 'open', first: Number(one), second: Number(two), third, shortYear, dotted: false };
}

/** Returns what a form of numbers means, in words; null where the digits show the date. */
export function wordsOfForm(form: DateForm | null): string | null {
  switch (form) {
    case 'serial':
      return 'numbers of days, as spreadsheets count them: 45293 is 2024-01-02';
    case 'seconds':
      return 'seconds since 1970, and their day is that of Greenwich: 1704153600 is 2024-01-02';
    case 'milliseconds':
      return 'milliseconds since 1970, and their day is that of Greenwich: 1704153600000 is 2024-01-02';
    default:
      return null;
  }
}
