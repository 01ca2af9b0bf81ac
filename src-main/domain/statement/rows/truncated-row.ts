import type { Problem } from '../../../../src-shared/contract/index.ts';
import { columnName } from '../columns/layout.ts';
import type { Layout } from '../columns/table-columns.ts';
import { quoted, rejection } from '../model/problems.ts';
import { cellOf, type WrittenRow } from './sort-rows.ts';

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
      return cutOff(torn.row, column, `it has ${width} cells where every other row has at least ${this.#width}`);
    }
    const at = [this.#layout.amount, this.#layout.paidIn, this.#layout.paidOut].find(
      (column) => column === width - 1 && /\d/.test(cellOf(torn, column)) && !DECIMALS.test(cellOf(torn, column)),
    );
    if (at === undefined || at === null || !this.#haveDecimals) return null;
    return cutOff(torn.row, this.#nameOf(at), `its last cell is ${quoted(cellOf(torn, at))}, and every other amount has decimals`);
  }

  #nameOf(column: number): string {
    return this.#layout.names[column] ?? columnName(column);
  }
}

function cutOff(row: number, column: string, why: string): Problem {
  const message = `The file seems to be cut off in row ${row}, column ${column}: nothing ends that row, ${why}. Download the file again, or complete the row.`;
  return rejection(row, column, 'cut_off_row', message);
}
