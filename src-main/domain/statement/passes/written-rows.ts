import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import type { ReadControl } from '../model/read-options.ts';
import type { Unreadable } from '../model/statement.ts';
import { isOfAccount } from '../proof/table-accounts.ts';
import { type AroundRows, DateCells, RowSorter, type WrittenRow } from '../rows/sort-rows.ts';
import { inStretches, type RowSource, type Share } from './row-source.ts';
import type { ScannedTable } from './scan.ts';

/** What a reading of all rows found beside the transactions. */
export interface AroundTable {
  readonly around: AroundRows;
  /** Lines at the end that a recipe skips. */
  readonly footer: readonly number[];
}

/** Some transactions in the order of the table; `place` is that of the first of them among all, from 0. */
type Visit = (written: readonly WrittenRow[], place: number) => void;

/** The transactions of a table that was found, read as often as wanted. */
export class WrittenRows {
  readonly #source: RowSource;
  readonly scanned: ScannedTable;
  /** All of them, once rows in memory were sorted. */
  #held: { readonly written: readonly WrittenRow[]; readonly found: AroundTable } | null = null;

  constructor(source: RowSource, scanned: ScannedTable) {
    this.#source = source;
    this.scanned = scanned;
  }

  /** Shows all of them, or those of one account, some thousands at a time; answers what stands around them. */
  read(control: ReadControl, share: Share, account: string | null, visit: Visit): Result<AroundTable, Unreadable> {
    const { layout } = this.scanned;
    let place = 0;
    const show = (all: readonly WrittenRow[]): void => {
      const written = account === null ? all : all.filter((row) => isOfAccount(row, account, layout));
      visit(written, place);
      place += written.length;
    };
    return this.#source.isHeld ? this.#readHeld(control, share, show) : this.#sort(control, share, show);
  }

  #readHeld(control: ReadControl, share: Share, show: (written: readonly WrittenRow[]) => void): Result<AroundTable, Unreadable> {
    if (this.#held === null) {
      const written: WrittenRow[] = [];
      const found = this.#sort(control, [share[0], share[0]], (some) => {
        for (const row of some) written.push(row);
      });
      if (!found.ok) return found;
      this.#held = { written, found: found.value };
    }
    const { written, found } = this.#held;
    const fault = inStretches(written, this.#source.byteLength, control, share, (some) => {
      show(some);
      return null;
    });
    return fault === null ? success(found) : failed(fault);
  }

  #sort(control: ReadControl, share: Share, show: (written: readonly WrittenRow[]) => void): Result<AroundTable, Unreadable> {
    const { table, layout, lastDated, above, rows: end, filled } = this.scanned;
    const sorter = new RowSorter(table, layout, lastDated, new DateCells(layout.dateForm));
    const footer: number[] = [];
    let index = -above;
    const read = this.#source.read(control, share, (rows) => {
      for (const row of rows) {
        if (index >= 0 && index < end) sorter.add(row, index);
        else if (index >= end && index < filled) footer.push(row.row);
        index += 1;
      }
      show(sorter.take(false));
      return null;
    });
    if (!read.ok) return read;
    show(sorter.take(true));
    return success({ around: sorter.around(), footer });
  }
}
