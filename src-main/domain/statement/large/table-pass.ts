import type { Layout } from '../columns.ts';
import { isPending } from '../pending.ts';
import type { WrittenRow } from '../rows.ts';
import { type ReadingOptions, TableFacts } from '../table-facts.ts';
import { TextCounts } from '../text-counts.ts';

/** Rows at the end among which lines of turnover with dates are looked for. */
const LAST_ROWS = 200;

/** What one pass over the transactions of a table tells of them all. */
export class TablePass {
  readonly facts: TableFacts;
  readonly #layout: Layout;
  readonly #until: number;
  readonly #last: WrittenRow[] = [];
  #place = 0;
  hasPending = false;

  /** Transactions from the place `until` on, from 0, are totals. */
  constructor(layout: Layout, options: ReadingOptions, until: number) {
    const ids = new TextCounts();
    this.facts = new TableFacts(layout, options, (id) => ids.add(id));
    this.#layout = layout;
    this.#until = until;
  }

  /** Transactions in the order of the file. */
  add(written: readonly WrittenRow[]): void {
    for (const row of written) {
      if (this.#place < this.#until) {
        this.facts.add(row);
        this.hasPending ||= isPending(row, this.#layout);
      }
      this.#place += 1;
    }
    this.#last.push(...written.slice(-LAST_ROWS));
    this.#last.splice(0, Math.max(0, this.#last.length - LAST_ROWS));
  }

  /** The last transactions. */
  get last(): readonly WrittenRow[] {
    return this.#last;
  }
}
