import { dayFromParts, isoFromDay } from '../../../../../src-shared/values/civil-date.ts';
import { type DateOrder, dateShape, type DateShape, dayOfShape } from '../../cells/dates.ts';
import type { MoneyMark, PdfMoney } from './money.ts';
import { textOfWords } from './header.ts';
import type { PdfRow } from './rows.ts';
import { type PdfBalance, type PdfEvent, type PdfLine } from './table.ts';

/**
 * How the amounts of one column get their signs: as they are marked; as money out unless they are marked as money in; by the headings of their
 * sections. Amounts in columns of money in and money out have the sign of their column in each model.
 */
const SIGN_READINGS = ['marked', 'credit_marked', 'sections'] as const;
export type SignReading = (typeof SIGN_READINGS)[number];

/** A line with its sign, money in positive. */
interface SignedLine {
  readonly line: PdfLine;
  readonly signed: number;
}

/** A place where the balances do not follow from the lines. */
export interface ChainBreak {
  readonly row: PdfRow;
  /** The line before it; null where the break is between two pages. */
  readonly line: PdfLine | null;
  readonly expected: number;
  readonly found: number;
}

/** What the balances of one account say about one reading of its lines. */
export interface ChainResult {
  readonly lines: readonly SignedLine[];
  readonly breaks: readonly ChainBreak[];
  /** Lines that have lost their date: their day may be another one. */
  readonly undated: readonly PdfLine[];
  /** Lines that no two balances enclose. */
  readonly open: readonly PdfLine[];
  readonly opening: number | null;
  readonly closing: number | null;
  readonly openingRow: PdfRow | null;
  readonly closingRow: PdfRow | null;
  /** What the first and the last balance are: those of a page prove only a file that has all pages. */
  readonly startsWith: PdfBalance['kind'] | 'running' | 'stated' | null;
  readonly endsWith: PdfBalance['kind'] | 'running' | 'stated' | null;
}

export interface AccountEvents {
  readonly events: readonly PdfEvent[];
  /** Balances that the file states outside of its table. */
  readonly stated: { readonly opening: PdfBalance[]; readonly closing: PdfBalance[] };
  /** Whether the balances are a debt, as on a card. */
  readonly isOwed: boolean;
}

function signOfMark(mark: MoneyMark): -1 | 0 | 1 {
  if (mark === null) return 0;
  return mark === 'minus' || mark === 'debit' ? -1 : 1;
}

/** Returns the sign of each line; null where the reading does not tell it. */
function signs(lines: readonly PdfLine[], reading: SignReading, isOwed: boolean): (line: PdfLine) => -1 | 1 | null {
  const allMinus = (of: (line: PdfLine) => boolean): boolean => lines.every((line) => !of(line) || line.money.mark === 'minus');
  const isOutMinus = allMinus(({ column }) => column === 'paid_out');
  const isSideMinus = allMinus(({ side }) => side === 'out');
  // Where a card marks both sides, a charge adds to the debt.
  const addsToDebt = isOwed && ['plus', 'minus'].every((mark) => lines.some(({ money }) => money.mark === mark));
  return ({ column, money: { mark }, side }) => {
    if (mark === 'credit') return 1;
    if (mark === 'debit') return -1;
    if (column === 'paid_in') return mark === 'minus' ? -1 : 1;
    if (column === 'paid_out') return mark === 'minus' && !isOutMinus ? 1 : -1;
    if (reading === 'marked') return mark === 'minus' ? -1 : 1;
    if (reading === 'credit_marked') return mark === null || (addsToDebt && mark === 'plus') ? -1 : 1;
    if (side === null) return null;
    const own = side === 'in' ? 1 : -1;
    return mark === 'minus' && !(side === 'out' && isSideMinus) ? (-own as -1 | 1) : own;
  };
}

const IN_DEBT = /debit(?:eur|or)|overdrawn|soll\b|dispo\b/i;

/** Returns a balance with its sign: what the person has is positive, what the person owes negative. */
function balanceValue(money: PdfMoney, isOwed: boolean, rest: Partial<Pick<PdfBalance, 'column' | 'label'>> = {}): number {
  const marked = signOfMark(money.mark);
  if (isOwed) return money.mark === 'credit' || money.mark === 'minus' ? money.minor : -money.minor;
  if (marked !== 0) return marked * money.minor;
  return rest.column === 'paid_out' || IN_DEBT.test(rest.label ?? '') ? -money.minor : money.minor;
}

/** A walk along the balances of an account. */
class Chain {
  readonly #account: AccountEvents;
  readonly #kept: SignedLine[] = [];
  readonly #breaks: ChainBreak[] = [];
  #state: number | null = null;
  #opening: number | null = null;
  #openingRow: PdfRow | null = null;
  #closingRow: PdfRow | null = null;
  #startsWith: ChainResult['startsWith'] = null;
  #endsWith: ChainResult['endsWith'] = null;
  #waiting: SignedLine[] = [];
  #unopened: PdfLine[] = [];

  constructor(account: AccountEvents) {
    this.#account = account;
  }

  walk(events: readonly PdfEvent[], signOf: (line: PdfLine) => -1 | 1 | null): ChainResult | null {
    const { stated, isOwed } = this.#account;
    const hasOpening = events.some((event) => event.kind === 'opening' || event.kind === 'brought');
    const [only] = distinct(stated.opening.map((balance) => balanceValue(balance.money, isOwed, balance)));
    if (!hasOpening && only !== undefined) this.#begin(only, stated.opening[0]?.row ?? null, 'stated');
    for (const event of events) {
      if (event.kind !== 'line') {
        this.#meet(balanceValue(event.money, isOwed, event), event.row, null, event.kind);
        continue;
      }
      const sign = signOf(event);
      if (sign === null) return null;
      this.#waiting.push({ line: event, signed: sign * event.money.minor });
      if (event.balance !== null) this.#meet(balanceValue(event.balance, isOwed), event.row, event, 'running');
    }
    this.#end();
    return {
      lines: this.#kept,
      breaks: this.#breaks,
      open: this.#unopened,
      undated: this.#kept.flatMap(({ line }) => (line.doubt === 'undated' ? [line] : [])),
      opening: this.#opening,
      closing: this.#state,
      openingRow: this.#openingRow,
      closingRow: this.#closingRow,
      startsWith: this.#startsWith,
      endsWith: this.#endsWith,
    };
  }

  #begin(value: number, row: PdfRow | null, kind: ChainResult['startsWith']): void {
    this.#state = value;
    this.#opening = value;
    this.#openingRow = row;
    this.#startsWith = kind;
  }

  /** Compares a balance with what the lines before it lead to. */
  #meet(found: number, row: PdfRow, line: PdfLine | null, kind: NonNullable<ChainResult['endsWith']>): void {
    this.#endsWith = kind;
    this.#closingRow = row;
    if (this.#state === null) {
      const kept = this.#choose(null);
      this.#unopened.push(...kept.map((each) => each.line));
      this.#begin(found, row, line === null && kept.length === 0 ? kind : 'running');
      return;
    }
    const kept = this.#choose(found - this.#state);
    const expected = this.#state + sumOf(kept);
    if (expected !== found) this.#breaks.push({ row, line: line ?? kept.at(-1)?.line ?? null, expected, found });
    this.#state = found;
  }

  /** Takes the waiting lines that lead to a difference: without totals, with them, or without rows that have no date. */
  #choose(difference: number | null): readonly SignedLine[] {
    const all = this.#waiting;
    const usual = all.filter(({ line }) => line.doubt !== 'sum');
    const ways = [usual, all, usual.filter(({ line }) => line.doubt === null)];
    const kept = (difference === null ? undefined : ways.find((way) => sumOf(way) === difference)) ?? usual;
    this.#waiting = [];
    this.#kept.push(...kept);
    return kept;
  }

  #end(): void {
    const { stated, isOwed } = this.#account;
    const values = distinct(stated.closing.map((balance) => balanceValue(balance.money, isOwed, balance)));
    const [closing] = values;
    if (this.#waiting.length === 0 && this.#endsWith !== null) {
      // A summary may leave out the sign.
      if (closing !== undefined && this.#state !== null) {
        const isSame = values.some((value) => Math.abs(value) === Math.abs(this.#state ?? 0));
        const row = stated.closing[0]?.row;
        if (isSame) this.#endsWith = 'stated';
        else if (row !== undefined && values.length === 1) this.#breaks.push({ row, line: null, expected: this.#state, found: closing });
      }
      return;
    }
    const { row } = stated.closing[0] ?? {};
    if (this.#state === null || row === undefined) {
      this.#unopened.push(...this.#choose(null).map(({ line }) => line));
      return;
    }
    const state = this.#state;
    const held = values.find((value) => this.#leadsTo(value - state)) ?? closing;
    if (held !== undefined) this.#meet(held, row, null, 'stated');
  }

  #leadsTo(difference: number): boolean {
    const usual = this.#waiting.filter(({ line }) => line.doubt !== 'sum');
    return [usual, this.#waiting, usual.filter(({ line }) => line.doubt === null)].some((way) => sumOf(way) === difference);
  }
}

function distinct(values: readonly number[]): number[] {
  return [...new Set(values)];
}

function sumOf(lines: readonly SignedLine[]): number {
  return lines.reduce((sum, { signed }) => sum + signed, 0);
}

/** One reading of an account with what its balances say. */
export interface AccountReading extends ChainResult {
  readonly reading: SignReading;
}

/** Whether balances enclose every line of a reading, and all follow. */
export function holds({ breaks, open, undated, opening, closing }: ChainResult): boolean {
  return breaks.length === 0 && open.length === 0 && undated.length === 0 && opening !== null && closing !== null;
}

/** Returns the lines of a reading with their signs, for the comparison of two readings. */
function contentOf({ lines }: ChainResult): string {
  return lines
    .map(({ line, signed }) => `${line.row.row} ${signed}`)
    .toSorted()
    .join();
}

/** Returns by how much the lines of a reading miss its balances in all. */
function gapOf({ breaks }: ChainResult): number {
  return breaks.reduce((sum, { expected, found }) => sum + Math.abs(found - expected), 0);
}

/**
 * Returns all readings of an account that differ, the best first: those that hold, then those with fewer breaks, then those that come nearer to the
 * balances. A person may import a broken file, and its payments have to stay payments.
 */
export function readingsOf(account: AccountEvents): AccountReading[] {
  const lines = account.events.filter((event) => event.kind === 'line');
  const found: AccountReading[] = [];
  const order: readonly SignReading[] = account.isOwed ? ['credit_marked', 'sections', 'marked'] : SIGN_READINGS;
  for (const reading of order) {
    for (const events of [account.events, account.events.toReversed()]) {
      const result = new Chain(account).walk(events, signs(lines, reading, account.isOwed));
      if (result !== null) found.push({ ...result, reading });
    }
  }
  const seen = new Set<string>();
  return found
    .toSorted(
      (one, other) =>
        Number(holds(other)) - Number(holds(one)) ||
        one.breaks.length - other.breaks.length ||
        one.open.length - other.open.length ||
        gapOf(one) - gapOf(other),
    )
    .filter((one) => {
      const key = contentOf(one);
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    });
}

/** How dates are written; `era` counts years of a Japanese emperor. */
export type PdfDateOrder = DateOrder | 'era';

/** The days that a file states for its rows. */
export interface StatedPeriod {
  readonly first: number;
  readonly last: number;
  /** False where only one day is known, such as the day of the statement. */
  readonly isWhole: boolean;
  /** Whether the file states periods, and this day was taken since none of them has all rows: a year that follows from it may be wrong. */
  readonly isBesideOthers?: boolean;
}

const DATES =
  /(?<![\d.,/-])(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2})|\d{4}年\d{1,2}月\d{1,2}日|\d{1,2}(?:st|nd|rd|th)?\.?(?: de)?[\s/.-]?\p{L}{3,12}\.?,?(?: de)?[\s/.-]\d{4}|\p{L}{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})(?!\d)/gu;
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
      : [
          {
            first: Math.min(from.day, other?.day ?? from.day),
            last: Math.max(from.day, other?.day ?? from.day),
            isWhole: false,
            isBesideOthers: whole.length > 0,
          },
        ];
  return [...whole.slice(0, MOST_PERIODS), ...ofDays];
}

/**
 * Returns the days about which dates without a year lie, of which the last one is in a year: the longest gap between their months parts the last one
 * from the first one, which may be in the year before.
 */
function periodOfYear(shapes: readonly (DateShape | null)[], order: PdfDateOrder, year: number): StatedPeriod | null {
  const of = (shape: DateShape | null): number[] =>
    shape?.kind === 'yearless' ? [order === 'mdy' && !shape.isNamed ? shape.first : shape.second] : [];
  const months = [...new Set(shapes.flatMap(of))].toSorted((one, other) => one - other);
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return null;
  const start = months.reduce(
    (best, month, index) => {
      const gap = month - (months[index - 1] ?? last - 12);
      return gap > best.gap ? { month, gap } : best;
    },
    { month: first, gap: 0 },
  ).month;
  const end = start === first ? last : (months[months.indexOf(start) - 1] ?? last);
  const from = dayFromParts(start > end ? year - 1 : year, start, 1);
  const to = dayFromParts(end === 12 ? year + 1 : year, end === 12 ? 1 : end + 1, 1);
  return from === null || to === null ? null : { first: from, last: to - 1, isWhole: false };
}

/** What an order makes of the dates of a file. */
interface DaysUnderOrder {
  readonly order: PdfDateOrder;
  readonly period: StatedPeriod | null;
  readonly days: readonly (number | null)[];
  readonly faults: number;
  /** Whether the period follows from the year that a person said. */
  readonly isYearSaid: boolean;
}

/**
 * Returns the orders under which the dates of all lines exist and lie about the stated period, those first that keep the order of the rows. Orders
 * that make the same days of them count once. `year`: that of the last line, where a person said it because the file states no day.
 */
export function ordersOf(
  rows: readonly PdfRow[],
  shapes: readonly (DateShape | null)[],
  lines: ReadonlySet<number>,
  isJapanese: boolean,
  year: number | null,
): DaysUnderOrder[] {
  const isOpen = shapes.some((shape) => shape?.kind === 'open');
  const orders: readonly PdfDateOrder[] = isJapanese ? ['era', 'ymd', 'dmy', 'mdy'] : isOpen ? ['dmy', 'mdy', 'ymd'] : ['dmy', 'mdy'];
  const around = rows.filter(({ row }) => !lines.has(row)).flatMap(({ words }) => datesIn(textOfWords(words)));
  const found = orders.map((order): DaysUnderOrder => {
    const wrong = around.filter((shape) => dayUnder(shape, order, null) === null).length;
    const own = periodsOf(rows, lines, order);
    const stated = own.length > 0 ? own : periodsOf(rows, lines, 'dmy');
    const said = stated.length > 0 || year === null ? null : periodOfYear(shapes, order, year);
    const periods = said === null ? stated : [said];
    const readings = (periods.length > 0 ? periods : [null]).map((period) => {
      const days = shapes.map((shape) => (shape === null ? null : dayUnder(shape, order, period)));
      const outside = days.filter((day) => day === null || (period !== null && !isAbout(day, period))).length;
      return { order, period, days, faults: outside + wrong, isYearSaid: said !== null };
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
