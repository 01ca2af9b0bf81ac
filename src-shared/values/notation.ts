import { dayFromIso, isoFromDay } from './civil-date.ts';
import { decimalText } from './money.ts';

/**
 * How days and numbers are written for people, and on what paper: one notation for the whole book, in the window, on the command line and in every
 * report. No other file knows a locale. What programs read (JSON, CSV, hashes) is written the same everywhere and does not pass through here.
 */
export interface Notation {
  readonly days: 'dmy' | 'mdy' | 'ymd';
  readonly decimal: '.' | ',';
  /** The mark between groups of digits. */
  readonly groups: string;
  /** Whether only the last group has three digits and all others have two, as in India: 12,34,567. */
  readonly lakhs: boolean;
  /** The first day of a week, 0 for Sunday. */
  readonly week: 0 | 1 | 6;
  readonly paper: 'A4' | 'Letter';
}

/** The choice of a person; `computer` follows the locale of the computer that has the book. */
export interface NotationChoice {
  readonly days: 'computer' | Notation['days'];
  readonly decimal: 'computer' | Notation['decimal'];
  readonly week: 'computer' | 'monday' | 'sunday' | 'saturday';
  readonly paper: 'computer' | Notation['paper'];
}

export const COMPUTERS_CHOICE: NotationChoice = { days: 'computer', decimal: 'computer', week: 'computer', paper: 'computer' };

/** The notation of documents that were signed before a book could choose one. */
export const FIRST_NOTATION: Notation = { days: 'dmy', decimal: '.', groups: ',', lakhs: false, week: 1, paper: 'A4' };

/** Days and numbers are written in thousands of places, many of them deep within pure functions, so the notation is one value of the thread. */
let current: Notation = FIRST_NOTATION;

export function notation(): Notation {
  return current;
}

/** Writes everything from now on in another notation. */
export function takeNotation(next: Notation): void {
  current = next;
}

/** Writes what `work` writes in another notation. `work` must end before this returns. */
export function inNotation<T>(given: Notation, work: () => T): T {
  const before = current;
  current = given;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** Countries that print on Letter, by CLDR. */
const LETTER = new Set('BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' '));
/** Countries whose weeks begin on Sunday or on Saturday, by CLDR. */
const SUNDAY = new Set(
  'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW'.split(
    ' ',
  ),
);
const SATURDAY = new Set('AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY'.split(' '));
const WEEKS = { sunday: 0, monday: 1, saturday: 6 } as const;

/** Returns the notation of a locale such as `en-GB`. */
function notationOfLocale(locale: string | undefined): Notation {
  const order = new Intl.DateTimeFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(0)
    .map(({ type }) => ({ day: 'd', month: 'm', year: 'y' })[type as 'day' | 'month' | 'year'] ?? '')
    .join('');
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, useGrouping: 'always' }).formatToParts(12_345_678);
  const mark = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  const decimal = mark('decimal') === ',' ? ',' : '.';
  const region = new Intl.Locale(locale ?? new Intl.NumberFormat().resolvedOptions().locale).maximize().region ?? '';
  return {
    days: order === 'mdy' || order === 'ymd' ? order : 'dmy',
    decimal,
    groups: groupMarkOf(mark('group'), decimal),
    lakhs:
      parts
        .filter(({ type }) => type === 'integer')
        .map(({ value }) => value.length)
        .join() === '1,2,2,3',
    week: SUNDAY.has(region) ? 0 : SATURDAY.has(region) ? 6 : 1,
    paper: LETTER.has(region) ? 'Letter' : 'A4',
  };
}

/** Keeps the mark of a locale unless it cannot be told from the decimal mark. Narrow spaces become the usual one that does not break. */
function groupMarkOf(mark: string, decimal: Notation['decimal']): string {
  if (/^\s$/u.test(mark)) return '\u00A0';
  return /^[.,'\u2019]$/u.test(mark) && mark !== decimal ? mark : decimal === '.' ? ',' : '.';
}

/** Returns the notation that a choice means. Without a locale it asks the computer. */
export function notationOf(choice: NotationChoice, locale?: string): Notation {
  const own = notationOfLocale(locale);
  const decimal = choice.decimal === 'computer' ? own.decimal : choice.decimal;
  return {
    ...own,
    days: choice.days === 'computer' ? own.days : choice.days,
    decimal,
    groups: decimal === own.decimal ? own.groups : groupMarkOf('', decimal),
    week: choice.week === 'computer' ? own.week : WEEKS[choice.week],
    paper: choice.paper === 'computer' ? own.paper : choice.paper,
  };
}

/** Returns a day, `30/06/2026`. */
export function dayText(day: number): string {
  const [year = '', month = '', date = ''] = isoFromDay(day).split('-');
  return { dmy: `${date}/${month}/${year}`, mdy: `${month}/${date}/${year}`, ymd: `${year}-${month}-${date}` }[current.days];
}

/** Returns a day without its year, `30/06`. */
export function yearlessDayText(day: number): string {
  const [, month = '', date = ''] = isoFromDay(day).split('-');
  return { dmy: `${date}/${month}`, mdy: `${month}/${date}`, ymd: `${month}-${date}` }[current.days];
}

/** Returns an ISO date as `dayText` writes its day; a text that is no date as it is. */
export function dateText(iso: string): string {
  const day = dayFromIso(iso);
  return day === null ? iso : dayText(day);
}

/** The format of a day in a spreadsheet, `dd/mm/yyyy`. */
export function dayPattern(): string {
  return { dmy: 'dd/mm/yyyy', mdy: 'mm/dd/yyyy', ymd: 'yyyy-mm-dd' }[current.days];
}

/** Returns a decimal text such as `-1234567.50` with marks: `-1,234,567.50`. */
export function grouped(text: string): string {
  const [, sign = '', whole = '', fraction] = /^(\D*)(\d*)(?:\.(.*))?$/u.exec(text) ?? [];
  const groups: string[] = [];
  let end = whole.length;
  for (let size = 3; end > size; size = current.lakhs ? 2 : 3) {
    groups.unshift(whole.slice(end - size, end));
    end -= size;
  }
  const separated = `${sign}${[whole.slice(0, end), ...groups].join(current.groups)}`;
  return fraction === undefined ? separated : `${separated}${current.decimal}${fraction}`;
}

/** Returns a likelihood as a percentage, `99.80 %`. It never rounds to 0 or to 100 %. */
export function likelihoodText(likelihood: number): string {
  if (likelihood >= 0.9995) return `> ${grouped('99.9')} %`;
  if (likelihood < 0.005) return '< 1 %';
  const places = likelihood >= 0.99 ? 2 : likelihood >= 0.9 ? 1 : 0;
  return `${grouped(decimalText(Math.round(likelihood * 100 * 10 ** places), places))} %`;
}

const rounding = new Map<string, Intl.NumberFormat>();

/** Returns a number that is no money, rounded to at most so many decimal places: `1,204.5`. */
export function numberText(value: number, mostPlaces: number): string {
  const key = String(mostPlaces);
  const format = rounding.get(key) ?? new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: mostPlaces });
  rounding.set(key, format);
  return grouped(format.format(value));
}

const signs = new Map<string, string>();

/** Returns a decimal text with the sign or the code of its currency: `£1,234.50`, `-€0.05`, `CHF 10.00`. */
export function currencyText(decimal: string, currency: string): string {
  if (!/^[A-Za-z]{3}$/u.test(currency)) return `${grouped(decimal)} ${currency}`.trim();
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 }).formatToParts(1);
  const sign =
    signs.get(currency) ??
    parts
      .filter(({ type }) => type === 'currency' || type === 'literal')
      .map(({ value }) => value)
      .join('');
  signs.set(currency, sign);
  return decimal.startsWith('-') ? `-${sign}${grouped(decimal.slice(1))}` : `${sign}${grouped(decimal)}`;
}

const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Returns a time before now, `3 minutes ago` or `yesterday`. */
export function agoInWords(count: number, unit: 'minute' | 'hour' | 'day'): string {
  return AGO.format(-count, unit);
}
