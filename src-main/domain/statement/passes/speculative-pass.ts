import type { Table } from '../columns/find-table.ts';
import type { Layout } from '../columns/table-columns.ts';
import type { GridRow } from '../model/grid-row.ts';
import { type AroundRows, type DateCells, RowSorter } from '../rows/sort-rows.ts';
import { type ReadingOptions, TableFacts } from '../table/table-facts.ts';
import { type EarlyLines, isReadAlike, ROWS_AT_ONCE } from './speculative-lines.ts';

/** So many rows without a date are held; a file with more of them in a row is read once more. */
const MOST_HELD = 20_000;
/** Rows before the last date that may be lines of the end of a statement. */
const AT_END = 3;

/** What a pass over a table told that was made while the table was still being found. */
export interface EarlyRead {
  readonly facts: TableFacts;
  readonly around: AroundRows;
  /** Lines that were built meanwhile; null where none were. */
  readonly lines: EarlyLines | null;
}

/**
 * Looks at the transactions of a table in the very pass that finds out where it ends and what its columns are, by the columns that its first rows show. What
 * that tells holds where all rows show the same columns, which they nearly always do; else it is thrown away, and the file read once more.
 */
export class EarlyPass {
  readonly #layout: Layout;
  readonly #sorter: RowSorter;
  readonly #facts: TableFacts;
  /** The last rows: whether the statement's end has begun is known three dates later. */
  #held: GridRow[] = [];
  #heldFrom = 0;
  #isGivenUp = false;
  readonly #lines: EarlyLines | null;

  /** `lines`: where they are built meanwhile. */
  constructor(table: Table, layout: Layout, options: ReadingOptions, dates: DateCells, lines: EarlyLines | null) {
    this.#layout = layout;
    this.#lines = lines;
    this.#sorter = new RowSorter(table, layout, Number.POSITIVE_INFINITY, dates);
    this.#facts = new TableFacts(layout, options);
  }

  /** All rows of the body, in their order. */
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

  /** Transactions that no later row can go on with. */
  #look(isEnd: boolean): void {
    const written = this.#sorter.take(isEnd);
    for (const one of written) this.#facts.add(one);
    this.#lines?.add(written, this.#facts.areIdsSure);
  }

  /** At the end of the table; null where the first rows did not show its columns. `layout`: null where they did not, whatever they are. */
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
