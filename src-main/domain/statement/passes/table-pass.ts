import { TextCounts } from '../../collections/text-counts.ts';
import type { Table } from '../columns/find-table.ts';
import type { Layout } from '../columns/table-columns.ts';
import { RowNumbers } from '../model/row-numbers.ts';
import { isPending, surelyWaits } from '../rows/pending.ts';
import type { BalanceSides, WrittenRow } from '../rows/sort-rows.ts';
import type { DecidedTable } from '../table/decided-table.ts';
import { MaySumUp } from '../table/subtotal-rows.ts';
import { type ReadingOptions, TableFacts } from '../table/table-facts.ts';

/** What one pass over the transactions of a table tells of them all. */
export class TablePass {
  readonly facts: TableFacts;
  readonly #ids: TextCounts;
  readonly #layout: Layout;
  readonly #candidates: MaySumUp;
  hasPending = false;
  /** No row is surely booked; then they are all here. */
  allWait = true;
  readonly waiting = new RowNumbers();
  /** Rows that may sum others up. */
  maySumUp = 0;

  constructor(layout: Layout, options: ReadingOptions) {
    this.#ids = new TextCounts(options.aside);
    this.facts = new TableFacts(layout, options, (id) => this.#ids.add(id));
    this.#layout = layout;
    this.#candidates = new MaySumUp(layout);
  }

  /** Transactions in the order of the file. */
  add(row: WrittenRow): void {
    const wereIdsSure = this.facts.areIdsSure;
    this.facts.add(row);
    if (wereIdsSure && !this.facts.areIdsSure) this.#ids.close();
    this.allWait &&= surelyWaits(row, this.#layout);
    if (this.allWait) this.waiting.add(row.row);
    this.hasPending ||= isPending(row, this.#layout);
    if (this.#candidates.is(row)) this.maySumUp += 1;
  }

  /** What it tells is not wanted, or nothing more is added. */
  close(): void {
    this.#ids.close();
  }

  /** Once, after the last row. */
  decided(table: Table, sides: BalanceSides): DecidedTable {
    this.close();
    return this.facts.decided(table, sides);
  }
}
