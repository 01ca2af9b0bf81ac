import { lastOfMonth } from '../../../../src-shared/values/civil-date.ts';
import { type DateOrder, dateShape, dayOfShape, type DateShape, fits } from '../cells/dates.ts';
import type { Table } from '../columns/layout.ts';
import type { Layout } from '../columns/table-columns.ts';
import type { StatementBalance, StatementPeriod } from '../model/statement.ts';
import { anchorsOf, daysIn, ReadingCheck, type ReadingOptions, TableFacts } from './table-facts.ts';
import { writtenMinor } from '../rows/signs.ts';
import type { DayRange } from '../proof/coverage.ts';
import type { ChosenReading, Reading } from '../proof/chain.ts';
import { type BalanceLine, balanceLineOf } from '../rows/balance-lines.ts';
import { type BalanceSides, cellOf, type WrittenRow } from '../rows/sort-rows.ts';
import type { DecidedTable } from './questions.ts';

/** The content of a table without transactions. */
export interface BalancesAlone {
  readonly decided: DecidedTable;
  readonly chosen: ChosenReading;
  readonly balances: readonly StatementBalance[];
  readonly periods: readonly StatementPeriod[];
}

/** Returns the date of a balance line: in the column of dates, else in another cell, else within its words. */
function dateOf({ cells }: Pick<BalanceLine, 'cells'>, layout: Layout): DateShape | null {
  const inColumn = dateShape(cellOf({ cells }, layout.date));
  if (inColumn !== null) return inColumn;
  for (const cell of cells) {
    const shape = dateShape(cell);
    if (shape !== null) return shape;
  }
  for (const cell of cells) {
    const [shape] = daysIn(cell);
    if (shape !== undefined) return shape;
  }
  return null;
}

/** Days of a table's opening and closing balance, and the days that the table covers. */
export interface BalanceDays {
  readonly opening: number;
  readonly closing: number;
  readonly covered: DayRange;
}

/**
 * Returns the days of a table's balances: those that their own lines name, else the first and the last day of its lines. A day on the wrong side of
 * the lines has another meaning, such as the download.
 */
export function balanceDays(
  lines: DayRange,
  sides: BalanceSides,
  { layout, currencies, order: { order, years } }: Pick<DecidedTable, 'layout' | 'currencies' | 'order'>,
  { mark, check }: Reading,
): BalanceDays {
  const { opening, closing } = anchorsOf(sides, (line) => writtenMinor(line.shape, currencies.main, mark));
  const all = [...sides.openingSide, ...sides.closingSide];
  const dayOf = (row: number | undefined, isRight: (day: number) => boolean): number | null => {
    const line = all.find((each) => each.row === row);
    const shape = line === undefined ? null : dateOf(line, layout);
    if (shape === null) return null;
    const own = dayOfShape(shape, order, years?.byOrder);
    if (own !== null) return isRight(own) ? own : null;
    // Its date may be written in another way than those of the lines.
    const orders: readonly DateOrder[] = ['dmy', 'mdy'];
    const days = new Set(orders.filter((each) => fits(shape, each)).map((each) => dayOfShape(shape, each, years?.byOrder)));
    const [day = null, ...others] = [...days].filter((each) => each !== null && isRight(each));
    return others.length > 0 ? null : day;
  };
  // A running balance overrides a line that states another one.
  const first = opening?.minor === check.opening ? dayOf(opening?.row, (day) => day <= lines.firstDay) : null;
  const last = closing?.minor === check.closing ? dayOf(closing?.row, (day) => day >= lines.lastDay) : null;
  const covered = daysOf(first ?? lines.firstDay, last ?? lines.lastDay) ?? lines;
  return {
    opening: first ?? lines.firstDay,
    closing: last ?? lines.lastDay,
    covered: { firstDay: Math.min(covered.firstDay, lines.firstDay), lastDay: Math.max(covered.lastDay, lines.lastDay) },
  };
}

/** Returns a balance line as a transaction without an amount, so that the same code reads its date and balance. */
function asRow(line: BalanceLine, layout: Layout): WrittenRow {
  const { row, cells, shape } = line;
  const nothing = { amount: null, paidIn: null, paidOut: null, direction: null, valueDate: null, unbooked: null, waitsUnder: null };
  return { row, cells, date: dateOf(line, layout), balance: shape, ...nothing, continuation: [], isTorn: false };
}

/** Whether the lines above a table state a balance. */
export function statesBalanceAbove({ preamble }: Pick<Table, 'preamble'>): boolean {
  return preamble.some((row) => balanceLineOf(row, null) !== null);
}

/** Returns the content of a table with balances and no transaction; null where no balance names a day. */
export function balancesAlone(table: Table, layout: Layout, sides: BalanceSides, options: ReadingOptions): BalancesAlone | null {
  const lines = [...sides.openingSide, ...sides.closingSide];
  const facts = new TableFacts(layout, options);
  const rows = new Map(lines.map((line) => [line.row, asRow(line, layout)]));
  if (![...rows.values()].some(({ date }) => date !== null)) return null;
  for (const row of rows.values()) facts.add(row);
  // Nothing has a sign, and no direction is needed.
  const decided: DecidedTable = { ...facts.decided(table, sides), assumedSigns: null, directionWords: null };
  const { currencies, order } = decided;
  const found = new ReadingCheck(decided.candidates, decided.layout, currencies.main).chosen(sides, decided.isMarkOpen);
  const { opening, closing } = anchorsOf(sides, (line) => writtenMinor(line.shape, currencies.main, found.reading.mark));
  const dayAt = (row: number | undefined): number | null => {
    const date = row === undefined ? null : (rows.get(row)?.date ?? null);
    return date === null ? null : dayOfShape(date, order.order, order.years?.byOrder);
  };
  const [openingDay, closingDay] = [dayAt(opening?.row), dayAt(closing?.row)];
  const minors = { openingMinor: opening?.minor ?? null, closingMinor: closing?.minor ?? null };
  const isHeld = opening !== null && closing !== null && opening.minor === closing.minor;
  const chosen: ChosenReading = { ...found, proof: isHeld && found.proof === 'unproved' ? 'proved' : found.proof };
  const balances: StatementBalance[] = [];
  const { main: currency } = currencies;
  if (chosen.proof !== 'broken' && opening !== null && openingDay !== null)
    balances.push({ type: 'opening_ledger', day: openingDay, minor: opening.minor, currency });
  if (chosen.proof !== 'broken' && closing !== null && closingDay !== null)
    balances.push({ type: 'closing_ledger', day: closingDay, minor: closing.minor, currency });
  const days = daysOf(openingDay, closingDay);
  return days === null ? null : { decided, chosen, balances, periods: [{ account: null, ...days, ...minors }] };
}

/** Returns the days between two balances. An opening balance on the last day of a month is that of the evening. */
function daysOf(opening: number | null, closing: number | null): Pick<StatementPeriod, 'firstDay' | 'lastDay'> | null {
  const lastDay = closing ?? opening;
  if (lastDay === null) return null;
  if (opening === null || opening > lastDay) return { firstDay: lastDay, lastDay };
  return { firstDay: opening < lastDay && lastOfMonth(opening) === opening ? opening + 1 : opening, lastDay };
}
