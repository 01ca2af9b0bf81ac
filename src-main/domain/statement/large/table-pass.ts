import type { Layout } from '../columns.ts';
import { isPending } from '../pending.ts';
import type { WrittenRow } from '../rows.ts';
import { MaySumUp } from '../sum-rows.ts';
import { type ReadingOptions, TableFacts } from '../table-facts.ts';
import { TextCounts } from '../text-counts.ts';

export const NO_SUMS: ReadonlySet<number> = new Set();

/** What one pass over the transactions of a table tells of them all. */
export class TablePass {
  readonly facts: TableFacts;
  readonly #layout: Layout;
  readonly #sums: ReadonlySet<number>;
  readonly #candidates: MaySumUp;
  #place = 0;
  hasPending = false;
  /** Rows that may sum others up. */
  maySumUp = 0;

  /** `sums`: places of rows, from 0, that sum others up. */
  constructor(layout: Layout, options: ReadingOptions, sums: ReadonlySet<number>) {
    const ids = new TextCounts();
    this.facts = new TableFacts(layout, options, (id) => ids.add(id));
    this.#layout = layout;
    this.#sums = sums;
    this.#candidates = new MaySumUp(layout);
  }

  /** Transactions in the order of the file. */
  add(written: readonly WrittenRow[]): void {
    for (const row of written) {
      if (!this.#sums.has(this.#place)) {
        this.facts.add(row);
        this.hasPending ||= isPending(row, this.#layout);
        if (this.#candidates.is(row)) this.maySumUp += 1;
      }
      this.#place += 1;
    }
  }
}
