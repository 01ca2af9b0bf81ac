import type { Problem } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { EvenSample } from '../../collections/even-sample.ts';
import { isDataRow } from '../cells/data-row.ts';
import { mayShowBalances } from '../columns/better-guess.ts';
import { isBlank, type Table } from '../columns/find-table.ts';
import { sampleOfSome, understandColumns } from '../columns/layout.ts';
import { layoutOfRecipe, recognised, settledBy, tableAmong } from '../columns/recipe.ts';
import { RUNNING_ROWS } from '../columns/running-columns.ts';
import { withSaidDirections } from '../columns/said-directions.ts';
import { HEAD_ROWS, withSeen } from '../columns/seen-table.ts';
import type { Layout } from '../columns/table-columns.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { unreadable } from '../model/problems.ts';
import type { ReadControl, ReadOptions, TableRecipe } from '../model/read-options.ts';
import type { RowSource, Share } from '../model/row-source.ts';
import type { Unreadable } from '../model/statement.ts';
import { type AroundRows, cellOf, DateCells, RowSorter } from '../rows/sort-rows.ts';
import { statesBalanceAbove } from '../table/balance-days.ts';
import type { SourceOfTable } from '../table/build-statement.ts';
import { noRows, refusalOf } from '../table/refusals.ts';
import { type ReadingOptions, TableFacts } from '../table/table-facts.ts';
import { ownRow } from '../text/own-text.ts';
import { EarlyLines, isReadAlike, type LineTaker, ROWS_AT_ONCE } from './speculative-lines.ts';

/** Most rows without a date that are held; a file with more of them in a row is read once more. */
const MOST_HELD = 20_000;
/** Rows before the last date that may belong to the end of a statement. */
const AT_END = 3;

/** Results of a pass that ran while the table was still being located. */
interface EarlyRead {
  readonly facts: TableFacts;
  readonly around: AroundRows;
  /** Lines that were built in the same pass; null where none were. */
  readonly lines: EarlyLines | null;
}

/**
 * Examines the transactions of a table in the same pass that finds its end and its columns, by the columns that its first rows show. The result holds
 * where all rows show the same columns, which is nearly always so; otherwise it is discarded and the file read once more.
 */
class EarlyPass {
  readonly #layout: Layout;
  readonly #sorter: RowSorter;
  readonly #facts: TableFacts;
  /** The last rows: only three dates later is it known whether the end of the statement has begun. */
  #held: GridRow[] = [];
  #heldFrom = 0;
  #isGivenUp = false;
  readonly #lines: EarlyLines | null;

  /** `lines`: builds lines in the same pass; null for none. */
  constructor(table: Table, layout: Layout, options: ReadingOptions, dates: DateCells, lines: EarlyLines | null) {
    this.#layout = layout;
    this.#lines = lines;
    this.#sorter = new RowSorter(table, layout, Number.POSITIVE_INFINITY, dates);
    this.#facts = new TableFacts(layout, options);
  }

  /** Adds the rows of the body in their order. */
  add(row: GridRow, hasDate: boolean): void {
    if (this.#isGivenUp) return;
    this.#held.push(row);
    if (hasDate && this.#held.length >= ROWS_AT_ONCE + AT_END) this.#sort(this.#held.length - AT_END);
    else if (this.#held.length > MOST_HELD) this.#giveUp();
  }

  #giveUp(): void {
    this.#isGivenUp = true;
    this.#held = [];
    this.#facts.close();
    this.#lines?.drop();
  }

  #sort(rows: number): void {
    for (let at = 0; at < rows; at += 1) this.#sorter.add(this.#held[at] as GridRow, this.#heldFrom + at);
    if (rows <= 0) return;
    this.#held = this.#held.slice(rows);
    this.#heldFrom += rows;
    this.#look(false);
  }

  /** Examines transactions that no later row can continue. */
  #look(isEnd: boolean): void {
    const written = this.#sorter.take(isEnd);
    for (const one of written) this.#facts.add(one);
    this.#lines?.add(written, this.#facts.areIdsSure);
  }

  /** Ends the pass; returns null where the first rows did not show the columns of the table. `layout`: null where that is known already. */
  end(layout: Layout | null, lastDated: number): EarlyRead | null {
    if (this.#isGivenUp || layout === null || !isReadAlike(this.#layout, layout)) {
      this.#facts.close();
      return null;
    }
    this.#sorter.endAt(lastDated);
    this.#sort(this.#held.length);
    this.#look(true);
    return { facts: this.#facts, around: this.#sorter.around(), lines: this.#lines };
  }
}

/** The cells of a table from any kind of file. */
export interface TableSource extends Omit<SourceOfTable, 'head'> {
  readonly rows: RowSource;
  /** False where a known recipe set another encoding or delimiter than the detected one. */
  readonly isAsItLooks?: boolean;
}

/** The location of a table in a file, and the roles of its columns. */
export interface ScannedTable {
  /** Its body is empty; it is read anew whenever it is needed. */
  readonly table: Table;
  /** The first rows of the file. */
  readonly head: readonly GridRow[];
  readonly layout: Layout;
  readonly recipe: TableRecipe | null;
  /** The known recipe that is followed. */
  readonly followed: number | null;
  /** Whether guessing may find balances that the known recipe does not use. */
  readonly mayShowBalances: boolean;
  /** Number of rows above the body. */
  readonly above: number;
  /** Rows of the body, without those at the end that a recipe leaves out. */
  readonly rows: number;
  /** Rows of the body up to the last that is not blank. */
  readonly filled: number;
  /** The last row of the body, from 0, with a date in the date column; -1 for none. */
  readonly lastDated: number;
  /** Notes on repaired rows. */
  readonly problems: readonly Problem[];
  /** Facts that the same pass collected; null where another pass must collect them. */
  readonly early: EarlyRead | null;
}

/** Rows of the body that suggest the column of dates; rows from all over the file confirm it. */
const FIRST_ROWS = 2 * STATEMENT_LIMITS.columnSampleRows;

/** Reads every row of a file once: finds where the table begins and ends, and samples rows evenly to understand the columns. */
class Scan {
  readonly #options: ReadOptions;
  readonly #taker: LineTaker | null;
  readonly #looksAhead: boolean;
  readonly #sample = new EvenSample<GridRow>(STATEMENT_LIMITS.columnSampleRows, ownRow);
  #dates = new DateCells(null);
  #early: EarlyPass | null = null;
  #head: GridRow[] | null = [];
  #hasData = false;
  #first: GridRow[] | null = [];
  table: Table | null = null;
  /** The first rows of the file. */
  shown: readonly GridRow[] = [];
  /** The first rows of the body. */
  readonly running: GridRow[] = [];
  /** The reason why the table cannot be read. */
  refusal: Unreadable | null = null;
  recipe: TableRecipe | null = null;
  followed: number | null = null;
  above = 0;
  rows = 0;
  filled = 0;
  lastDated = -1;
  dateColumn: number | null = null;
  dateForm: Layout['dateForm'] = null;

  /** `looksAhead`: whether the same pass examines the transactions. Rows in memory do not need it: another pass over them costs nothing. */
  constructor(options: ReadOptions, taker: LineTaker | null, looksAhead: boolean) {
    this.#options = options;
    this.#taker = taker;
    this.#looksAhead = looksAhead;
  }

  add(rows: readonly GridRow[]): Unreadable | null {
    for (const row of rows) {
      if (this.#head === null) this.#addToBody(row);
      else {
        this.#head.push(row);
        this.#hasData ||= isDataRow(row.cells);
        const { headerSearchRows, headRows } = STATEMENT_LIMITS;
        if ((this.#hasData && this.#head.length >= headerSearchRows) || this.#head.length >= headRows) {
          this.refusal = this.#locate(this.#head);
          if (this.refusal !== null) return this.refusal;
        }
      }
    }
    if (this.rows <= STATEMENT_LIMITS.rows) return null;
    const message = `The file has more than ${STATEMENT_LIMITS.rows} rows. Split it by period and import the parts.`;
    return unreadable('too_large', message);
  }

  #locate(head: readonly GridRow[]): Unreadable | null {
    this.#head = null;
    this.shown = head.slice(0, HEAD_ROWS).map(ownRow);
    const { recipe, table: byHand, known = [] } = this.#options;
    const found = recipe || byHand ? null : recognised(head, known);
    this.recipe = recipe ?? found?.recipe ?? null;
    this.followed = found?.id ?? null;
    // The end of the table is known only at the end of the file.
    const located = tableAmong(head, this.recipe && { ...this.recipe, footer_rows: null }, byHand && { ...byHand, footer_rows: undefined });
    if (!located.ok) return located.error;
    const table = located.value;
    this.above = head.length - table.body.length;
    this.table = { ...table, body: [] };
    for (const row of table.body) this.#addToBody(row);
    return table.header === null ? refusalOf(table) : null;
  }

  #addToBody(row: GridRow): void {
    this.#sample.add(row);
    if (this.running.length < RUNNING_ROWS) this.running.push(ownRow(row));
    if (!isBlank(row)) this.filled = this.rows + 1;
    if (this.#first === null) this.#addDate(row, this.rows);
    else {
      this.#first.push(ownRow(row));
      if (this.#first.length === FIRST_ROWS) this.#guessDates();
    }
    this.rows += 1;
  }

  #addDate(row: GridRow, index: number): void {
    const hasDate = this.dateColumn !== null && this.#dates.shapeOf(cellOf(row, this.dateColumn)) !== null;
    if (hasDate) this.lastDated = index;
    this.#early?.add(row, hasDate);
  }

  #guessDates(): void {
    const first = this.#first ?? [];
    this.#first = null;
    if (this.table === null) return;
    const { recipe } = this;
    const layout = recipe === null ? understandColumns({ ...this.table, body: first }) : success(layoutOfRecipe(this.table, recipe, first));
    if (layout.ok) this.#beginDates(this.table, withSaidDirections(layout.value, recipe, this.#options.answers), first);
    for (const [index, row] of first.entries()) this.#addDate(row, index);
  }

  #beginDates(table: Table, layout: Layout, first: readonly GridRow[]): void {
    this.dateColumn = layout.date;
    this.dateForm = layout.dateForm;
    this.#dates = new DateCells(this.dateForm);
    if (!this.#looksAhead || this.footerRows > 0) return;
    const options = { ...this.#options, settled: settledBy(this.recipe, this.#options) };
    const lines = this.#taker && EarlyLines.of(this.#taker, table, layout, options, first, this.#dates);
    this.#early = new EarlyPass(table, layout, options, this.#dates, lines);
  }

  /** Number of rows at the end of the table that a recipe or a person leaves out. */
  get footerRows(): number {
    return this.recipe?.footer_rows ?? this.#options.table?.footer_rows ?? 0;
  }

  /**
   * Returns the facts that the same pass collected; null where another pass must collect them. `layout`: null where the first rows are known to have
   * misled.
   */
  early(layout: Layout | null): EarlyRead | null {
    return this.#early?.end(layout, this.lastDated) ?? null;
  }

  end(): Unreadable | null {
    const fault = this.#head === null ? null : this.#locate(this.#head);
    if (fault !== null) return fault;
    if (this.#first !== null) this.#guessDates();
    return this.isEmpty && this.table !== null && !statesBalanceAbove(this.table) ? noRows(this.table) : null;
  }

  /** Whether the table has no filled row. */
  get isEmpty(): boolean {
    return this.filled === 0;
  }

  get sample(): readonly GridRow[] {
    return sampleOfSome(this.#sample.items);
  }
}

/** Finds the table of a file and the roles of its columns. `taker`: receives lines in the same pass. */
export function scanTable(
  { rows: source, ...form }: TableSource,
  options: ReadOptions,
  control: ReadControl,
  share: Share,
  taker: LineTaker | null,
): Result<ScannedTable, Unreadable> {
  const scan = new Scan(options, taker, !source.isHeld);
  const read = source.read(control, share, (rows) => scan.add(rows));
  const asSeen = (reason: Unreadable) => failed(withSeen(reason, { ...form, head: scan.shown }, scan.table));
  if (!read.ok) return read.error === scan.refusal ? asSeen(read.error) : read;
  const fault = scan.end();
  if (fault !== null) return asSeen(fault);
  const { recipe, shown: head } = scan;
  const table = present(scan.table, 'table');
  const layout =
    recipe === null ? understandColumns(table, scan.sample, scan.running) : success(layoutOfRecipe(table, recipe, scan.sample));
  if (!layout.ok) return asSeen(scan.isEmpty ? noRows(table) : layout.error);
  const footer = scan.footerRows;
  const rows = footer === 0 ? scan.rows : Math.max(0, scan.filled - footer);
  const { above, filled, followed } = scan;
  const mayShow =
    followed !== null && recipe !== null && mayShowBalances(head, table, { sample: scan.sample, first: scan.running }, recipe);
  const scanned = {
    table,
    head,
    layout: withSaidDirections(layout.value, recipe, options.answers),
    recipe,
    followed,
    mayShowBalances: mayShow,
    above,
    rows,
    filled,
    problems: read.value,
    early: null,
  };
  if (scan.dateColumn === layout.value.date && scan.dateForm === layout.value.dateForm && footer === 0) {
    return success({ ...scanned, lastDated: scan.lastDated, early: scan.early(scanned.layout) });
  }
  // The first rows suggested another column of dates than the rows all over the file.
  scan.early(null);
  const lastDated = lastDatedOf(source, scanned, control, share);
  return lastDated.ok ? success({ ...scanned, lastDated: lastDated.value }) : lastDated;
}

function lastDatedOf(
  source: RowSource,
  { above, rows, layout }: Pick<ScannedTable, 'above' | 'rows' | 'layout'>,
  control: ReadControl,
  [, to]: Share,
): Result<number, Unreadable> {
  const dates = new DateCells(layout.dateForm);
  let last = -1;
  let index = -above;
  const read = source.read(control, [to, to], (stretch) => {
    for (const row of stretch) {
      if (index >= 0 && index < rows && dates.shapeOf(cellOf(row, layout.date)) !== null) last = index;
      index += 1;
    }
    return null;
  });
  return read.ok ? success(last) : read;
}
