import { amountShape, isNothing, TYPED_MARK } from '../cells/amounts.ts';
import type { AmountShape } from '../cells/amounts.ts';
import { type DateForm, dateShape, shapeOfForm } from '../cells/dates.ts';
import type { DateShape } from '../cells/dates.ts';
import { directionWord, isInOrOut, isRefund, saysDirectionOrNeither } from '../vocabulary/direction-words.ts';
import { type CurrencyColumn, filledColumns, isPart } from '../columns/money-columns.ts';
import { directionLookup, isBlank, type Table } from '../columns/layout.ts';
import type { Layout } from '../columns/table-columns.ts';
import type { GridRow } from '../model/grid-row.ts';
import { RowNumbers } from '../model/problems.ts';
import { sectionOf, type Unbooked, unbookedOf } from '../vocabulary/booking.ts';
import { balanceLineOf, isDayBalance, isPageNumber, isTotalRow, saysBalanceAlone, saysFileEnds } from './balance-lines.ts';
import type { BalanceLine } from './balance-lines.ts';

/** A row that looks like a transaction, as written. Shapes are null where the cell is empty or does not read. */
export interface WrittenRow {
  readonly row: number;
  readonly cells: readonly string[];
  readonly date: DateShape | null;
  readonly valueDate: DateShape | null;
  readonly amount: AmountShape | null;
  readonly paidIn: AmountShape | null;
  readonly paidOut: AmountShape | null;
  readonly balance: AmountShape | null;
  readonly direction: 'credit' | 'debit' | null;
  /** Why the row itself says that it is not a booked transaction. */
  readonly unbooked: Unbooked | null;
  /** The title above it when that says that the rows below are not booked yet; else null. */
  readonly waitsUnder: string | null;
  /** Texts of the rows below that continue this one's description. */
  readonly continuation: string[];
  /** True where the file ends within it. */
  readonly isTorn: boolean;
}

/** Balances stated above, among or below the transactions. */
export interface BalanceSides {
  readonly openingSide: readonly BalanceLine[];
  readonly closingSide: readonly BalanceLine[];
}

/** The skipped rows of a table, and the balances around its transactions. */
export interface AroundRows extends BalanceSides {
  /** Lines of the file that were left out, by reason. */
  readonly blanks: number;
  readonly repeatedHeaders: RowNumbers;
  readonly totals: RowNumbers;
  readonly texts: RowNumbers;
  readonly continued: number;
  /** Rows that state a balance although they hold a date and an amount like a transaction. */
  readonly balancesWithDate: RowNumbers;
}

/** Distinct texts of a date column that are remembered. */
const MAX_KNOWN_DATES = 50_000;
/** A longer text may be a slice of the file's whole text, and a cached slice would keep all of it in memory; it contains a time and hardly recurs. */
const KNOWN_LENGTH = 12;

/** Caches the shapes of date cells; a column repeats the same days. */
export class DateCells {
  readonly #shapes = new Map<string, DateShape | null>();
  readonly #form: DateForm | null;

  constructor(form: DateForm | null) {
    this.#form = form;
  }

  shapeOf(cell: string): DateShape | null {
    const known = this.#shapes.get(cell);
    if (known !== undefined) return known;
    const shape = this.#form === null ? dateShape(cell) : shapeOfForm(cell, this.#form);
    if (cell.length <= KNOWN_LENGTH) {
      if (this.#shapes.size >= MAX_KNOWN_DATES) this.#shapes.clear();
      this.#shapes.set(cell, shape);
    }
    return shape;
  }
}

/** Matches a letter or digit; a line of dashes has none. */
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** Sorts rows into transactions, balances and others, in the order of the file. */
export class RowSorter {
  readonly #table: Pick<Table, 'header' | 'preamble'>;
  readonly #layout: Layout;
  readonly #header: readonly string[] | null;
  /** The columns that may hold a row's amount. */
  readonly #moneyColumns: readonly number[];
  #lastDated: number;
  readonly #dates: DateCells;
  readonly #valueDates: DateCells;
  readonly #statedDirection: ReturnType<typeof directionLookup>;
  #written: WrittenRow[] = [];
  #hasWritten = false;
  readonly #opening: BalanceLine[] = [];
  readonly #closing: BalanceLine[] = [];
  readonly #repeatedHeaders = new RowNumbers();
  readonly #totals = new RowNumbers();
  readonly #texts = new RowNumbers();
  readonly #balancesWithDate = new RowNumbers();
  /** Whether `I` and `O` are the words for directions; null before the first direction. */
  #areLetters: boolean | null = null;
  #blanks = 0;
  #continued = 0;
  /** Columns in which rows went on with the one above. */
  readonly #continuedIn = new Set<number>();
  /** The row above, while a row of text may continue it. */
  #above: WrittenRow | null = null;
  /** The title of unbooked rows, while they last. */
  #waitsUnder: string | null = null;

  /** `lastDated`: the last row of the body, from 0, that holds a date; -1 for none. */
  constructor(table: Pick<Table, 'header' | 'preamble'>, layout: Layout, lastDated: number, dates: DateCells) {
    this.#table = table;
    this.#layout = layout;
    this.#header = table.header?.cells ?? null;
    const { amount, paidIn, paidOut, currencyColumns } = layout;
    this.#moneyColumns = [amount, paidIn, paidOut, ...currencyColumns.map(({ column }) => column)].filter((column) => column !== null);
    this.#lastDated = lastDated;
    this.#dates = dates;
    this.#statedDirection = directionLookup(layout.saidDirections);
    this.#valueDates = layout.valueDateForm === layout.dateForm ? dates : new DateCells(layout.valueDateForm);
    for (const row of table.preamble) {
      const line = balanceLineOf(row, table.header === null ? layout : null);
      if (line !== null) this.#opening.push(line);
      this.#passTitle(row);
    }
  }

  /** Sets the last row of the body with a date, where the constructor got a later one than any row added. */
  endAt(lastDated: number): void {
    this.#lastDated = lastDated;
  }

  add(row: GridRow, index: number): void {
    if (isBlank(row)) {
      this.#blanks += 1;
      this.#above = null;
      return;
    }
    if (this.#header !== null && isSameRow(row.cells, this.#header)) {
      this.#repeatedHeaders.add(row.row);
      this.#above = null;
      return;
    }
    const date = this.#dateOf(row);
    const hasMoney = this.#moneyColumns.some((column) => !isNothing(cellOf(row, column)));
    const atEdge = index < 3 || index >= this.#lastDated - 2;
    const isOfDay = row.cells.some(isDayBalance);
    if ((date === null || !hasMoney || atEdge || isOfDay) && this.#isBalance(row, date !== null && hasMoney && !isOfDay)) return;
    if (date === null && !hasMoney && this.#passTitle(row)) {
      this.#texts.add(row.row);
      this.#above = null;
      return;
    }
    if (!hasMoney && this.#above !== null && isPart(row, this.#layout)) {
      this.#continue(this.#above, row);
      return;
    }
    if (date === null && this.#isLeftOut(row, index, hasMoney)) return;
    this.#passBalances();
    this.#above = this.#write(row, date);
    this.#written.push(this.#above);
    this.#hasWritten = true;
  }

  /** Returns the transactions since the last call that no later row can continue; all of them at the end of the table. */
  take(isEnd: boolean): WrittenRow[] {
    const last = this.#written.at(-1);
    const taken = this.#written;
    this.#written = [];
    if (!isEnd && last !== undefined && last === this.#above) {
      taken.pop();
      this.#written.push(last);
    }
    return taken;
  }

  around(): AroundRows {
    return {
      openingSide: this.#opening,
      closingSide: this.#closing,
      blanks: this.#blanks,
      repeatedHeaders: this.#repeatedHeaders,
      totals: this.#totals,
      texts: this.#texts,
      continued: this.#continued,
      balancesWithDate: this.#balancesWithDate,
    };
  }

  #dateOf(row: GridRow): DateShape | null {
    return this.#dates.shapeOf(cellOf(row, this.#layout.date));
  }

  /** Whether a row is a title of those below, such as `Pending transactions`. */
  #passTitle({ cells }: GridRow): boolean {
    const at = cells.findIndex((cell) => cell !== '');
    const title = cells[at] ?? '';
    // Directly below a transaction, a text in the description column continues it.
    if (this.#above !== null && (at > 0 || at === this.#layout.description)) return false;
    const section = cells.some((cell, index) => index > at && cell !== '') ? null : sectionOf(title);
    const isTitle = section === 'pending' || (section === 'booked' && this.#waitsUnder !== null);
    if (isTitle) this.#waitsUnder = section === 'pending' ? title : null;
    return isTitle;
  }

  /** A balance with transactions on both sides is that of a page or a day, not of the statement. */
  #passBalances(): void {
    if (this.#closing.length === 0) return;
    for (const { row } of this.#closing.splice(0)) if (this.#balancesWithDate.last !== row) this.#balancesWithDate.add(row);
  }

  /** Whether the row is a balance. `complete`: it could also be a transaction; then only clear words decide. */
  #isBalance(row: GridRow, complete: boolean): boolean {
    const line = balanceLineOf(row, this.#layout);
    const isOfDay = !complete && row.cells.some(isDayBalance);
    if (line === null && !isOfDay) return false;
    if (complete && !row.cells.some(saysBalanceAlone)) return false;
    if (complete || isOfDay) this.#balancesWithDate.add(row.row);
    if (line !== null) (this.#hasWritten ? this.#closing : this.#opening).push(line);
    this.#above = null;
    return true;
  }

  #isLeftOut(row: GridRow, index: number, hasMoney: boolean): boolean {
    if (isTotalRow(row, cellOf(row, this.#layout.date))) {
      this.#totals.add(row.row);
      this.#above = null;
      return true;
    }
    const isRuled = row.cells.every((cell) => !SAYS_SOMETHING.test(cell));
    const mayGoOn = !isRuled && !hasMoney && isNothing(cellOf(row, this.#layout.date));
    if (mayGoOn && this.#above !== null && !this.#isFooter(row, index)) {
      this.#continue(this.#above, row);
      return true;
    }
    const filled = row.cells.filter((cell) => cell !== '');
    const readsMoney = this.#moneyColumns.some((column) => amountShape(cellOf(row, column)) !== null);
    const isText =
      isRuled || (!hasMoney && filled.length <= 2) || (!readsMoney && (index > this.#lastDated || this.#table.header === null));
    if (!isText) return false;
    this.#texts.add(row.row);
    this.#above = null;
    return true;
  }

  /** Whether a row is a note on the file. Behind the last transaction it is, unless all its cells are in columns that earlier continuations used. */
  #isFooter({ cells }: GridRow, index: number): boolean {
    if (cells.some(isPageNumber)) return true;
    return index > this.#lastDated && (cells.some(saysFileEnds) || cells.some((cell, at) => cell !== '' && !this.#continuedIn.has(at)));
  }

  #continue(above: WrittenRow, row: GridRow): void {
    for (const [at, cell] of row.cells.entries()) if (cell !== '') this.#continuedIn.add(at);
    above.continuation.push(...row.cells.filter((cell) => cell !== '' && dateShape(cell) === null));
    this.#continued += 1;
  }

  /**
   * Returns the direction of a word; meanings that a person or recipe gave override known ones. `I` and `O` count only beside each other: among other
   * words neither does.
   */
  #directionOf(said: string, status: string): WrittenRow['direction'] {
    const stated = this.#statedDirection(said);
    if (stated !== undefined) return stated;
    const word = directionWord(said);
    const areOthersIn = this.#layout.saidDirections?.areOthersIn === true;
    if (areOthersIn && isInOrOut(said)) return 'credit';
    if (word === null && areOthersIn) return isNothing(said) || saysDirectionOrNeither(said) ? null : 'credit';
    if (word === null) return status !== '' && isRefund(said, status) ? 'credit' : null;
    if (areOthersIn) return word;
    this.#areLetters ??= isInOrOut(said);
    return this.#areLetters === isInOrOut(said) ? word : null;
  }

  #write(row: GridRow, date: DateShape | null): WrittenRow {
    const shape = (column: number | null): AmountShape | null => (column === null ? null : amountShape(cellOf(row, column)));
    const layout = this.#layout;
    return {
      row: row.row,
      cells: inPlainText(row.cells),
      date,
      valueDate: layout.valueDate === null ? null : this.#valueDates.shapeOf(cellOf(row, layout.valueDate)),
      amount: layout.currencyColumns.length > 0 ? amountOfCurrency(row, layout.currencyColumns) : shape(layout.amount),
      paidIn: shape(layout.paidIn),
      paidOut: shape(layout.paidOut),
      balance: onSide(shape(layout.balance), cellOf(row, layout.balanceSide)),
      direction: layout.direction === null ? null : this.#directionOf(cellOf(row, layout.direction), cellOf(row, layout.status)),
      unbooked: unbookedOf(cellOf(row, layout.status), cellOf(row, layout.date), date !== null),
      waitsUnder: this.#waitsUnder,
      continuation: [],
      isTorn: row.isTorn === true,
    };
  }
}

/** Returns the amount of the only filled column of several, in its currency. */
function amountOfCurrency(row: GridRow, columns: readonly CurrencyColumn[]): AmountShape | null {
  const [only, ...others] = filledColumns(row, columns);
  const shape = only === undefined || others.length > 0 ? null : amountShape(cellOf(row, only.column));
  return shape === null || only === undefined ? null : { ...shape, sign: only.currency };
}

/** Returns a balance whose side is in a column of its own. */
function onSide(balance: AmountShape | null, side: string): AmountShape | null {
  return balance === null || side === '' || directionWord(side) !== 'debit' ? balance : { ...balance, negative: true };
}

function isSameRow(cells: readonly string[], others: readonly string[]): boolean {
  if (cells.length !== others.length) return false;
  for (let index = 0; index < cells.length; index += 1) if (cells[index] !== others[index]) return false;
  return true;
}

/** Returns cells with the usual decimal point for people to read. */
function inPlainText(cells: readonly string[]): readonly string[] {
  return cells.some((cell) => cell.includes(TYPED_MARK)) ? cells.map((cell) => cell.replace(TYPED_MARK, '.')) : cells;
}

/** A cell's text; empty when the row is shorter or there is no such column. */
export function cellOf(row: { readonly cells: readonly string[] }, column: number | null): string {
  return column === null ? '' : (row.cells[column] ?? '');
}
