import { dayFromParts, isoFromDay } from '../../../../../src-shared/values/civil-date.ts';
import { type DateOrder, dateShape, type DateShape, dayOfShape } from '../../cells/dates.ts';
import { textOfWords } from './table.ts';
import type { PdfRow } from './rows.ts';

/** How dates are written; `era` counts years of a Japanese emperor. */
export type PdfDateOrder = DateOrder | 'era';

/** The days that a file states for its rows. */
export interface StatedPeriod {
  readonly first: number;
  readonly last: number;
  /** False where only one day is known, such as the day of the statement. */
  readonly isWhole: boolean;
}

const DATES =
  /(?<![\d.,/-])(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2})|\d{4}年\d{1,2}月\d{1,2}日|\d{1,2}(?:st|nd|rd|th)?\.?(?: de)?[\s-]?\p{L}{3,12}\.?,?(?: de)?[\s-]\d{4}|\p{L}{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})(?!\d)/gu;
const STATEMENT =
  /statement|auszug|relev|extract|extrato|estratto|uittreksel|afschrift|utdrag|as (?:at|of)|ending|closing|balance|stand|saldo|solde|period|期|fecha|corte/i;
const ERAS = { reiwa: 2018, heisei: 1988 };
const LONGEST_PERIOD = 400;

/** How far rows may be booked outside of the stated period. */
const DAYS_BEFORE = 75;
const DAYS_BEHIND = 40;
const DAYS_OF_YEAR = 366;

/** Returns the day of a date under an order; null where it does not exist or its year is not known. */
export function dayUnder(shape: DateShape, order: PdfDateOrder, period: StatedPeriod | null): number | null {
  if (shape.kind === 'settled') return shape.day;
  if (shape.kind === 'open')
    return order === 'era' ? dayFromParts(ERAS.reiwa + (shape.first % 100), shape.second, shape.third % 100) : dayOfShape(shape, order);
  if (period === null) return null;
  const [month, day] = order === 'mdy' && !shape.isNamed ? [shape.first, shape.second] : [shape.second, shape.first];
  const year = Number(isoFromDay(period.last).slice(0, 4));
  const days = [year - 1, year, year + 1].flatMap((each) => dayFromParts(each, month, day) ?? []);
  const within = days.find((each) => each >= period.first && each <= period.last);
  if (period.isWhole && within !== undefined) return within;
  const off = (each: number): number => (each < period.first ? period.first - each : each > period.last ? each - period.last : 0);
  const near = days.toSorted((one, other) => off(one) - off(other))[0];
  return near === undefined || off(near) > (period.isWhole ? DAYS_BEFORE : DAYS_OF_YEAR / 2) ? null : near;
}

/** Whether a day is within the stated days, or as near as rows are booked. */
export function isAbout(day: number, { first, last, isWhole }: StatedPeriod): boolean {
  return isWhole ? day >= first - DAYS_BEFORE && day <= last + DAYS_BEHIND : Math.abs(day - last) <= DAYS_OF_YEAR;
}

function datesIn(text: string): DateShape[] {
  return [...text.matchAll(DATES)].flatMap(([written]) => dateShape(written) ?? []);
}

const MOST_PERIODS = 6;
/** A period that names its year once: `11 May to 10 June 2019`. */
const YEAR_ONCE = /(?<!\d)(\d{1,2}\.? \p{L}{3,12}) (?:to|bis|au|al|a|t m|tot|-|–) (\d{1,2}\.? \p{L}{3,12} \d{4})(?!\d)/u;

/** Returns the periods that a file may state under an order, the first one first. `lines`: the rows of transactions. */
function periodsOf(rows: readonly PdfRow[], lines: ReadonlySet<number>, order: PdfDateOrder): StatedPeriod[] {
  const whole: StatedPeriod[] = [];
  const around = rows.filter(({ row }) => !lines.has(row)).map(({ words }) => textOfWords(words));
  const single: { readonly day: number; readonly isStatement: boolean }[] = [];
  for (const text of around) {
    const once = YEAR_ONCE.exec(text);
    const dated = once === null ? text : `${once[1] ?? ''} ${(once[2] ?? '').slice(-4)} ${once[2] ?? ''}`;
    const days = datesIn(dated).flatMap((shape) => dayUnder(shape, order, null) ?? []);
    const [first, second] = days;
    if (first !== undefined && second !== undefined && second > first && second - first <= LONGEST_PERIOD)
      whole.push({ first, last: second, isWhole: true });
    if (first !== undefined) single.push({ day: first, isStatement: STATEMENT.test(text) });
  }
  const from = single.find(({ isStatement }) => isStatement) ?? single[0];
  const other =
    from === undefined
      ? undefined
      : single.find(({ day, isStatement }) => isStatement && Math.abs(day - from.day) > 5 && Math.abs(day - from.day) <= 100);
  const ofDays =
    from === undefined
      ? []
      : [{ first: Math.min(from.day, other?.day ?? from.day), last: Math.max(from.day, other?.day ?? from.day), isWhole: false }];
  return [...whole.slice(0, MOST_PERIODS), ...ofDays];
}

/** What an order makes of the dates of a file. */
interface DaysUnderOrder {
  readonly order: PdfDateOrder;
  readonly period: StatedPeriod | null;
  readonly days: readonly (number | null)[];
  readonly faults: number;
}

/**
 * Returns the orders under which the dates of all lines exist and lie about the stated period, those first that keep the order of the rows. Orders
 * that make the same days of them count once.
 */
export function ordersOf(
  rows: readonly PdfRow[],
  shapes: readonly (DateShape | null)[],
  lines: ReadonlySet<number>,
  isJapanese: boolean,
): DaysUnderOrder[] {
  const isOpen = shapes.some((shape) => shape?.kind === 'open');
  const orders: readonly PdfDateOrder[] = isJapanese ? ['era', 'ymd', 'dmy', 'mdy'] : isOpen ? ['dmy', 'mdy', 'ymd'] : ['dmy', 'mdy'];
  const around = rows.filter(({ row }) => !lines.has(row)).flatMap(({ words }) => datesIn(textOfWords(words)));
  const found = orders.map((order): DaysUnderOrder => {
    const wrong = around.filter((shape) => dayUnder(shape, order, null) === null).length;
    const own = periodsOf(rows, lines, order);
    const periods = own.length > 0 ? own : periodsOf(rows, lines, 'dmy');
    const readings = (periods.length > 0 ? periods : [null]).map((period) => {
      const days = shapes.map((shape) => (shape === null ? null : dayUnder(shape, order, period)));
      const outside = days.filter((day) => day === null || (period !== null && !isAbout(day, period))).length;
      return { order, period, days, faults: outside + wrong };
    });
    return readings.reduce((best, one) => (one.faults < best.faults ? one : best));
  });
  const fewest = Math.min(...found.map(({ faults }) => faults));
  const fitting = found.filter(({ faults }) => faults === fewest);
  const turns = fitting.map(({ days }) => turnsOf(days));
  const best = Math.min(...turns);
  const kept = best < Math.max(...turns) && best <= 2 ? fitting.filter((_, index) => turns[index] === best) : fitting;
  const seen = new Set<string>();
  return kept.filter(({ days }) => {
    const key = days.join();
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** Returns how often the days of the rows change their direction. */
function turnsOf(days: readonly (number | null)[]): number {
  let turns = 0;
  let direction = 0;
  let before: number | null = null;
  for (const day of days) {
    if (day === null) continue;
    const step = before === null ? 0 : Math.sign(day - before);
    if (step !== 0 && direction !== 0 && step !== direction) turns += 1;
    if (step !== 0) direction = step;
    before = day;
  }
  return turns;
}
