import type { BuiltLine } from '../rows/build-line.ts';
import { questionsOf } from '../table/questions.ts';
import { ReadingCheck } from '../proof/choose-reading.ts';
import { RowNumbers } from '../model/row-numbers.ts';
import { type DateCells, RowSorter, type WrittenRow } from '../rows/sort-rows.ts';
import { otherDateColumns, type ReadingOptions, TableFacts } from '../table/table-facts.ts';
import type { Table } from '../columns/find-table.ts';
import type { Layout } from '../columns/table-columns.ts';
import type { GridRow } from '../model/grid-row.ts';
import { type FollowedRecipe, TableTally, type UnderstoodTable } from '../table/build-statement.ts';
import type { Statement } from '../model/statement.ts';
import type { Candidate } from '../proof/reading.ts';

/** Whoever takes lines before it is known that they are right. */
export interface LineTaker {
  /** The next lines of the file, and rejected rows, in order. */
  readonly take: (built: readonly BuiltLine[]) => void;
  /** What was taken is not what the file says. */
  readonly drop: () => void;
}

/** Lines that the statement of a large file lists. */
export const LISTED_LINES = 200;
/** Rows that are looked at together: few enough to be forgotten young. */
export const ROWS_AT_ONCE = 256;

/**
 * The lines of a table as its first rows show that all of them are to be read, built in the very pass that finds out whether that is so. It nearly always is, and the
 * file need not be read again. A table that states balances is left alone: they choose how it is read, and whether it is to be stored at all.
 */
export class EarlyLines {
  readonly #taker: LineTaker;
  readonly #tally: TableTally;
  readonly #understood: UnderstoodTable;
  #isDropped = false;

  private constructor(taker: LineTaker, understood: UnderstoodTable) {
    this.#taker = taker;
    this.#understood = understood;
    this.#tally = new TableTally(understood, { settled: null, mayShowBalances: false, followed: null }, LISTED_LINES);
  }

  /** From the first rows of a table; null where they do not say how the others are to be read. */
  static of(
    taker: LineTaker,
    table: Table,
    layout: Layout,
    options: ReadingOptions,
    first: readonly GridRow[],
    dates: DateCells,
  ): EarlyLines | null {
    if (layout.balance !== null) return null;
    const sorter = new RowSorter(table, layout, Number.POSITIVE_INFINITY, dates);
    const facts = new TableFacts(layout, options);
    for (const [index, row] of first.entries()) {
      sorter.add(row, index);
      if (index % ROWS_AT_ONCE === 0) for (const written of sorter.take(false)) facts.add(written);
    }
    for (const written of sorter.take(true)) facts.add(written);
    const around = sorter.around();
    if (facts.rows === 0 || facts.waiting.hasPending || around.openingSide.length + around.closingSide.length > 0) return null;
    const decided = facts.decided(table, around);
    const chosen = new ReadingCheck(decided.candidates, decided.layout, decided.currencies.main).chosen(around, decided.isMarkOpen);
    const source = { format: 'csv', encoding: '', delimiter: '', head: [], problems: [] };
    const understood = {
      ...decided,
      source,
      table: { header: table.header, footer: [] },
      around,
      chosen,
      accounts: [],
      account: null,
      unbookedNotes: [],
      unbookedPlaces: new RowNumbers(),
    };
    return questionsOf(understood, chosen).length > 0 ? null : new EarlyLines(taker, understood);
  }

  /** `areIdsSure`: of all transactions so far, these included. */
  add(written: readonly WrittenRow[], areIdsSure: boolean): void {
    if (this.#isDropped || written.length === 0) return;
    if (areIdsSure || this.#understood.layout.externalId === null) this.#taker.take(written.map((row) => this.#tally.add(row)));
    else this.drop();
  }

  drop(): void {
    if (!this.#isDropped) this.#taker.drop();
    this.#isDropped = true;
  }

  /** The statement of the lines that were taken, where they are those of the table as it is understood after its last row; else they are dropped. */
  statement(understood: UnderstoodTable, followed: FollowedRecipe): Statement | null {
    if (!this.#isDropped && isReadAs(this.#understood, understood)) return this.#tally.statement(understood, followed);
    this.drop();
    return null;
  }
}

function isReadAs(one: UnderstoodTable, other: UnderstoodTable): boolean {
  const reading = ({ model, mark, fee }: Candidate): string => JSON.stringify([model, mark ?? '.', fee]);
  return (
    other.unbookedPlaces.count === 0 &&
    isReadAlike(one.layout, other.layout) &&
    one.currencies.fallback === other.currencies.fallback &&
    (one.strangers === null) === (other.strangers === null) &&
    one.torn?.row === other.torn?.row &&
    one.order.order === other.order.order &&
    one.order.exchanged?.isTurned === other.order.exchanged?.isTurned &&
    one.areValueDatesTurned === other.areValueDatesTurned &&
    (one.layout.valueDate === null || one.valueOrder === other.valueOrder) &&
    JSON.stringify(one.order.years ?? null) === JSON.stringify(other.order.years ?? null) &&
    reading(one.chosen.reading) === reading(other.chosen.reading)
  );
}

/** Whether rows are read alike by two layouts, whatever else stands in the columns. */
export function isReadAlike(one: Layout, other: Layout): boolean {
  const kept = (layout: Layout): string =>
    JSON.stringify({ ...layout, facts: otherDateColumns(layout), ignored: [...layout.ignored].toSorted((left, right) => left - right) });
  return kept(one) === kept(other);
}
