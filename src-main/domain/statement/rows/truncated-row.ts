import type { Problem } from '../../../../src-shared/contract/index.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { columnName } from '../columns/layout.ts';
import type { Layout } from '../columns/table-columns.ts';
import { note, placed, quoted, rejection, RowNumbers } from '../model/problems.ts';
import type { AcceptedCurrencies } from '../model/read-options.ts';
import type { BuiltLine } from '../model/statement.ts';
import { type AroundRows, cellOf, type WrittenRow } from './sort-rows.ts';

/** Fewest other rows that must agree before a row counts as cut off. */
const MIN_ROWS = 2;
const DECIMALS = /[.,]\d{2}$/;

/**
 * Decides whether the last row of a table is cut off: nothing ends it, and it has fewer cells than any other row, or only its amount lacks decimals.
 */
export class TornRow {
  readonly #layout: Layout;
  #rows = 0;
  #width = Infinity;
  #haveDecimals = true;
  #torn: WrittenRow | null = null;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  add(row: WrittenRow): void {
    if (row.isTorn) {
      this.#torn = row;
      return;
    }
    this.#rows += 1;
    if (row.cells.length < this.#width) this.#width = row.cells.length;
    if (!this.#haveDecimals) return;
    for (const shape of [row.amount, row.paidIn, row.paidOut]) if (shape !== null && !DECIMALS.test(shape.body)) this.#haveDecimals = false;
  }

  /** The rejection of the row in which the file is cut off; null where it is not. */
  found(): Problem | null {
    const torn = this.#torn;
    if (torn === null || this.#rows < MIN_ROWS) return null;
    const width = torn.cells.length;
    if (width < this.#width) {
      const column = this.#nameOf(Math.max(0, width - 1));
      return cutOff(torn.row, column, phrase('statement.truncatedRow.itHasCells', { width, width2: this.#width }));
    }
    const at = [this.#layout.amount, this.#layout.paidIn, this.#layout.paidOut].find(
      (column) => column === width - 1 && /\d/.test(cellOf(torn, column)) && !DECIMALS.test(cellOf(torn, column)),
    );
    if (at === undefined || at === null || !this.#haveDecimals) return null;
    return cutOff(torn.row, this.#nameOf(at), phrase('statement.truncatedRow.itsLastCell', { cellOf: quoted(cellOf(torn, at)) }));
  }

  #nameOf(column: number): string {
    return this.#layout.names[column] ?? columnName(column);
  }
}

function cutOff(row: number, column: string, why: string): Problem {
  const message = phrase('statement.truncatedRow.fileSeemsToBeCutOff', { row, column, why });
  return rejection(row, column, 'cut_off_row', message);
}

/** Returns notes on all rows below the header that are not transactions: none is dropped silently. */
export function leftOutNotes(sorted: AroundRows, footer: readonly number[] = []): readonly Problem[] {
  const notes: Problem[] = [];
  if (sorted.blanks > 0)
    notes.push(note('blank_rows', phrase('statement.truncatedRow.blankRowsBetweenOrBelow', { blanks: sorted.blanks })));
  add(notes, 'repeated_header', sorted.repeatedHeaders, phrase('statement.truncatedRow.headerIsRepeatedAndWasLeft'));
  add(notes, 'total_rows', sorted.totals, phrase('statement.truncatedRow.linesWithTotalsAreNoTransactions'));
  add(notes, 'text_rows', sorted.texts, phrase('statement.truncatedRow.linesOfTextWithoutDate'));
  add(notes, 'balance_rows', sorted.balancesWithDate, phrase('statement.truncatedRow.linesThatStateABalance'));
  add(notes, 'footer_rows', new RowNumbers(footer), phrase('imports.statement.footerOfProfile'));
  if (sorted.continued > 0)
    notes.push(note('continued_rows', phrase('statement.truncatedRow.rowsWithoutDateAndAmount', { continued: sorted.continued })));
  return notes;
}

function add(notes: Problem[], code: string, rows: RowNumbers, sentence: string): void {
  if (rows.count > 0) notes.push(note(code, `${sentence}: ${placed(rows)}.`, rows.first[0] ?? null));
}

/**
 * Returns the currencies by which single rows are rejected; null where all or none of the file's currencies are accepted, since then the file as a
 * whole decides.
 */
export function strangersAmong(accepted: AcceptedCurrencies | null | undefined, currencies: Iterable<string>): AcceptedCurrencies | null {
  if (!accepted) return null;
  const known = new Set([...currencies].map((currency) => accepted.has(currency)));
  return known.has(true) && known.has(false) ? accepted : null;
}

function strangerProblem(row: number, column: string | null, currency: string, { words }: AcceptedCurrencies): Problem {
  const place = `Row ${row}${column === null ? '' : `, column ${column},`}`;
  return rejection(row, column, 'other_currency', phrase('statement.truncatedRow.isInButLeaveTheRow', { place, currency, words }));
}

/** Returns a line in an unaccepted currency as a rejected row. */
export function withoutStranger(built: BuiltLine, column: string | null, accepted: AcceptedCurrencies): BuiltLine {
  const { line } = built;
  if (line === null || accepted.has(line.currency)) return built;
  const problems = [...built.problems, strangerProblem(line.row, column, line.currency, accepted)];
  return { line: null, rejected: { ...line, problems }, problems };
}
