import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import type { Problem } from '../../../../src-shared/contract/index.ts';
import { settledBy } from '../columns/recipe.ts';
import { withSeen } from '../columns/seen-table.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { cancelled } from '../model/problems.ts';
import type { ReadControl, ReadOptions } from '../model/read-options.ts';
import { PlaceSet, RowNumbers } from '../model/row-numbers.ts';
import type { RowSource, Share } from '../model/row-source.ts';
import type { Statement, Unreadable } from '../model/statement.ts';
import { ReadingCheck, valueOf } from '../proof/choose-reading.ts';
import type { ChosenReading } from '../proof/reading.ts';
import { accountsOfTable, isOfAccount, mismatchOfAccount, NO_SIDES, othersLeftOut } from '../proof/table-accounts.ts';
import type { BuiltLine } from '../rows/build-line.ts';
import { UnbookedRows } from '../rows/pending.ts';
import { balancesAlone } from '../table/balance-days.ts';
import { TableTally, type UnderstoodTable, withoutUnbooked } from '../table/build-statement.ts';
import type { DecidedTable } from '../table/decided-table.ts';
import { mismatchOfAnswers, questionsOf } from '../table/questions.ts';
import { noRows } from '../table/refusals.ts';
import { maySum, SumRows } from '../table/subtotal-rows.ts';
import { dayOf, type ReadingOptions, TableFacts } from '../table/table-facts.ts';
import { mismatchOfWords } from '../table/unknown-directions.ts';
import { type AroundRows, DateCells, RowSorter, type WrittenRow } from '../rows/sort-rows.ts';
import { type ScannedTable, scanTable, type TableSource } from './scan.ts';
import type { LineTaker } from './speculative-lines.ts';

/** A table whose reading is decided. */
export interface OpenStatement {
  readonly proof: Statement['proof'];
  readonly questions: Statement['questions'];
  readonly currencies: Statement['currencies'];
  readonly accounts: Statement['accounts'];
  /** Number of transactions, later rejected or skipped ones included. */
  readonly rows: number;
  /** The known recipe that was followed. */
  readonly followed: number | null;
  /** Whether `taken` lists all of its lines. */
  readonly isHeld: boolean;
  /** The statement of the lines that were taken during the first pass; null where none were, or they were dropped. */
  readonly taken: Statement | null;
  /** Reads the lines of a file from its beginning, some thousands at a time. */
  readonly read: (control: ReadControl, visit: (built: readonly BuiltLine[]) => void) => Result<Statement, Unreadable>;
}

/** The share of each kind of pass in the progress. */
interface Shares {
  readonly scan: Share;
  readonly facts: Share;
  readonly proof: Share;
  readonly lines: Share;
}

/** The lines that the caller wants. */
interface WantedLines {
  /** Number of first lines that the statement lists. Below the total, rejected rows are limited as well. */
  readonly listed: number;
  /** Receives lines as soon as the first rows show how to read them; null for none. */
  readonly taker: LineTaker | null;
}

const ALL: Share = [0, 1];
/** A file is read anew for each pass. */
const OF_FILE: Shares = { scan: [0, 0.5], facts: [0.5, 0.9], proof: [0.9, 1], lines: ALL };
/** Half of the work is done once the cells are in memory. */
const OF_HELD: Shares = { scan: [0.5, 0.6], facts: [0.6, 0.75], proof: [0.75, 0.8], lines: [0.8, 1] };

/** Reads a table in memory as a statement or ledger: every row becomes a line, a rejected row with its reason, or part of a note. */
export function readTable(source: TableSource, options: ReadOptions, control: ReadControl): Result<Statement, Unreadable> {
  const opened = openTable(source, options, control, { listed: Infinity, taker: null });
  return opened.ok ? opened.value.read(control, () => undefined) : opened;
}

/**
 * Decides how to read a table: where it is, what its columns hold, what all rows show together, and which reading the balances prove. Each step is a
 * pass over the rows; memory holds no more of them than the source does.
 */
export function openTable(
  source: TableSource,
  options: ReadOptions,
  control: ReadControl,
  wanted: WantedLines,
): Result<OpenStatement, Unreadable> {
  // Lines cannot be taken before their account is known.
  const taker = options.account ? null : wanted.taker;
  const shares = source.rows.isHeld ? OF_HELD : OF_FILE;
  const scanned = scanTable(source, options, control, taker === null ? shares.scan : ALL, taker);
  if (!scanned.ok) return scanned;
  const { followed, recipe, head, table: found, early } = scanned.value;
  const asSeen = (reason: Unreadable) => failed(reason.code === 'cancelled' ? reason : withSeen(reason, { ...source, head }, found));
  const mismatch = mismatchOfAnswers(scanned.value.layout, options.answers);
  if (mismatch !== null) return asSeen(mismatch);
  const settled = settledBy(recipe, options);
  const rows = new WrittenRows(source.rows, scanned.value);
  const understood = new TableReader(rows, { ...options, settled, isSheet: source.sheet !== undefined }, control, shares).understand();
  if (!understood.ok) return ['no_rows', 'no_such_account'].includes(understood.error.code) ? asSeen(understood.error) : understood;
  control.onProgress(Math.floor(source.rows.byteLength * shares.proof[1]), source.rows.byteLength);
  const { account, others, unbooked, sums } = understood.value;
  const other = mismatchOfWords(understood.value.directionWords, understood.value.layout, options.answers);
  if (other !== null) return asSeen(other);
  const { rows: _rows, isAsItLooks, ...form } = source;
  const table: UnderstoodTable = {
    ...understood.value,
    source: { ...form, head, problems: [...source.problems, ...scanned.value.problems, ...others] },
  };
  const mayShowBalances = scanned.value.mayShowBalances || (followed !== null && isAsItLooks === false);
  const recipeFollowed = { settled, followed, mayShowBalances };
  const taken = sums.size === 0 && account === null ? (early?.lines?.statement(table, recipeFollowed) ?? null) : null;
  return success({
    proof: table.chosen.proof,
    questions: table.isNothingBooked === true ? [] : questionsOf(table, table.chosen),
    currencies: table.currencies.all,
    accounts: table.accounts,
    rows: understood.value.rows,
    followed,
    isHeld: false,
    taken,
    read: (readControl, visit) => {
      const tally = new TableTally(table, recipeFollowed, wanted.listed);
      if (table.isNothingBooked === true) return success(tally.statement());
      const read = rows.read(readControl, shares.lines, account, (written, place) =>
        visit(written.filter((_, index) => !sums.has(place + index) && !unbooked.has(place + index)).map((row) => tally.add(row))),
      );
      if (!read.ok) return read;
      readControl.onProgress(source.rows.byteLength, source.rows.byteLength, understood.value.rows);
      return success(tally.statement());
    },
  });
}

/** Returns a source of rows in memory. */
export function heldRows(rows: readonly GridRow[], byteLength: number): RowSource {
  const read: RowSource['read'] = (control, share, visit) => {
    const left = inStretches(rows, byteLength, control, share, visit);
    return left === null ? success([]) : failed(left);
  };
  return { byteLength, isHeld: true, read };
}

/** Passes items in memory to `visit`, some thousands at a time, with progress and cancel. */
function inStretches<T>(
  all: readonly T[],
  byteLength: number,
  control: ReadControl,
  [from, to]: Share,
  visit: (some: readonly T[]) => Unreadable | null,
): Unreadable | null {
  for (let at = 0; at < all.length; at += STATEMENT_LIMITS.rowsPerCheck) {
    if (at > 0) control.onProgress(Math.floor(byteLength * (from + ((to - from) * at) / all.length)), byteLength);
    const fault = visit(all.slice(at, at + STATEMENT_LIMITS.rowsPerCheck));
    if (fault !== null) return fault;
    if (control.isCancelled()) return cancelled();
  }
  return null;
}

/** The rows around the transactions that a reading of all rows found. */
interface AroundTable {
  readonly around: AroundRows;
  /** Lines at the end that a recipe skips. */
  readonly footer: readonly number[];
}

/** Receives some transactions in the order of the table; `place` is the place of the first among all, from 0. */
type Visit = (written: readonly WrittenRow[], place: number) => void;

/** The transactions of a located table, which can be read any number of times. */
class WrittenRows {
  readonly #source: RowSource;
  readonly scanned: ScannedTable;
  /** All transactions, once rows in memory were sorted. */
  #held: { readonly written: readonly WrittenRow[]; readonly found: AroundTable } | null = null;

  constructor(source: RowSource, scanned: ScannedTable) {
    this.#source = source;
    this.scanned = scanned;
  }

  /** Passes all transactions, or those of one account, to `visit`, some thousands at a time; returns the rows around them. */
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

type UnderstoodRows = Omit<UnderstoodTable, 'source'> & {
  /** Places of rows that the bank has not booked. */
  readonly unbooked: PlaceSet;
  /** Places of rows that are totals of others. */
  readonly sums: ReadonlySet<number>;
  readonly rows: number;
};

interface UnderstoodAccount extends UnderstoodRows {
  /** Notes on the rows of other accounts. */
  readonly others: readonly Problem[];
}

/** The transactions that a pass examines. */
interface Selection {
  /** The only account to read, where the table has several; else null. */
  readonly account: string | null;
  /** True where the balances around the rows cover several accounts, so that they prove none of them. */
  readonly isOneOfSeveral: boolean;
  /** Places of rows that are totals of others. */
  readonly sums: ReadonlySet<number>;
  /** Their rows in the file. */
  readonly totals: readonly number[];
}

const EVERYTHING: Selection = { account: null, isOneOfSeveral: false, sums: new Set(), totals: [] };

/** Decides how to read the transactions of a table, pass by pass. */
class TableReader {
  readonly #rows: WrittenRows;
  readonly #options: ReadingOptions;
  readonly #control: ReadControl;
  readonly #shares: Shares;

  constructor(rows: WrittenRows, options: ReadingOptions, control: ReadControl, shares: Shares) {
    this.#rows = rows;
    this.#options = options;
    this.#control = control;
    this.#shares = shares;
  }

  /** Decides for all rows, or for the rows of one account. */
  understand(): Result<UnderstoodAccount, Unreadable> {
    const all = this.#understand(EVERYTHING);
    if (!all.ok) return all;
    if (all.value.isNothingBooked === true) return success({ ...all.value, others: [] });
    const { named, chosen, rows } = all.value;
    const accounts = accountsOfTable(named, chosen);
    const account = this.#options.account ?? null;
    if (account === null) return success({ ...all.value, accounts, others: [] });
    const mismatch = mismatchOfAccount(account, this.#rows.scanned.layout, named);
    if (mismatch !== null) return failed(mismatch);
    const one = this.#understand({ ...EVERYTHING, account, isOneOfSeveral: accounts.length > 0 });
    return one.ok ? success({ ...one.value, accounts, account, others: othersLeftOut(account, rows - one.value.rows) }) : one;
  }

  #understand(selection: Selection): Result<UnderstoodRows, Unreadable> {
    const { table } = this.#rows.scanned;
    const { facts, found } = this.#facts(selection);
    if (!found.ok) return found;
    const { footer } = found.value;
    if (facts.rows === 0) return this.#withoutRows(selection, found.value);
    const around = selection.isOneOfSeveral ? { ...found.value.around, ...NO_SIDES } : found.value.around;
    const decided = facts.decided(table, around);
    const chosen = this.#chosen(selection, facts.waiting.hasPending, decided, around);
    if (!chosen.ok) return chosen;
    if (selection.sums.size === 0 && maySum(facts.maySumUp)) {
      const sums = this.#sums(selection, facts.waiting.hasPending, decided, chosen.value);
      if (!sums.ok) return sums;
      if (sums.value.size > 0)
        return this.#understand({ ...selection, sums: new Set(sums.value.keys()), totals: [...sums.value.values()] });
    }
    const unbooked = this.#unbooked(selection, facts, decided, chosen.value);
    if (!unbooked.ok) return unbooked;
    return success({
      ...decided,
      table: { header: table.header, footer },
      around: { ...around, totals: around.totals.with(selection.totals) },
      chosen: unbooked.value.chosen,
      unbooked: unbooked.value.found.places,
      unbookedNotes: unbooked.value.found.notes(),
      unbookedPlaces: unbooked.value.found.rows,
      isNothingBooked: facts.waiting.allWait,
      accounts: [],
      account: null,
      sums: selection.sums,
      rows: facts.rows,
    });
  }

  /** Returns the result for a table that has only balances. */
  #withoutRows({ account }: Selection, { around, footer }: AroundTable): Result<UnderstoodRows, Unreadable> {
    const { table, layout } = this.#rows.scanned;
    const alone = account === null ? balancesAlone(table, layout, around, this.#options) : null;
    if (alone === null) return failed(noRows(table));
    const { decided, chosen, balances, periods } = alone;
    const none = { unbooked: new PlaceSet(), unbookedPlaces: new RowNumbers(), unbookedNotes: [], sums: EVERYTHING.sums };
    return success({
      ...decided,
      ...none,
      table: { header: table.header, footer },
      around,
      chosen,
      alone: { balances, periods },
      accounts: [],
      account: null,
      rows: 0,
    });
  }

  /** Returns facts about all transactions. The pass that found the table may have collected them already. */
  #facts(selection: Selection): { readonly facts: TableFacts; readonly found: Result<AroundTable, Unreadable> } {
    const { layout, early } = this.#rows.scanned;
    if (early !== null && selection.sums.size === 0 && selection.account === null)
      return { facts: early.facts, found: success({ around: early.around, footer: [] }) };
    const facts = new TableFacts(layout, this.#options);
    return { facts, found: this.#each(selection, this.#shares.facts, (row) => facts.add(row)) };
  }

  /** Passes the selected rows to `visit` one by one, with their places. */
  #each({ account, sums }: Selection, share: Share, visit: (row: WrittenRow, place: number) => void): Result<AroundTable, Unreadable> {
    return this.#rows.read(this.#control, share, account, (written, start) => {
      for (let index = 0; index < written.length; index += 1)
        if (!sums.has(start + index)) visit(written[index] as WrittenRow, start + index);
    });
  }

  /**
   * Returns the reading for which the balances hold; without balances the rows are not read. Balances cover booked rows. Where they also count
   * pending rows, they choose how amounts are read and prove nothing about the lines.
   */
  #chosen(selection: Selection, hasPending: boolean, decided: DecidedTable, around: AroundRows): Result<ChosenReading, Unreadable> {
    const { candidates, layout, currencies, order, isMarkOpen, waiting } = decided;
    const [booked, all] = [
      new ReadingCheck(candidates, layout, currencies.main),
      hasPending ? new ReadingCheck(candidates, layout, currencies.main) : null,
    ];
    if (layout.balance !== null || around.openingSide.length + around.closingSide.length > 0) {
      const read = this.#each(selection, this.#shares.proof, (row) => {
        const [currency, day] = [currencies.of(row), dayOf(row, order)];
        if (all === null || waiting.leavesOut(row) === null) booked.add(row, currency, day);
        all?.add(row, currency, day);
      });
      if (!read.ok) return read;
    }
    const chosen = booked.chosen(around, isMarkOpen);
    if (all === null || chosen.proof === 'proved') return success(chosen);
    const withWaiting = all.chosen(around, isMarkOpen);
    return success(withWaiting.proof === 'proved' && chosen.proof === 'broken' ? withoutUnbooked(withWaiting) : chosen);
  }

  /** Returns the total rows in order: their places, and their rows in the file. */
  #sums(
    selection: Selection,
    hasPending: boolean,
    decided: DecidedTable,
    chosen: ChosenReading,
  ): Result<ReadonlyMap<number, number>, Unreadable> {
    // Bank totals cover booked rows, or all listed rows.
    const [all, booked] = [new SumRows(decided, chosen), hasPending ? new SumRows(decided, chosen) : null];
    const read = this.#each(selection, this.#shares.proof, (row, place) => {
      all.add(place, row);
      if (decided.waiting.leavesOut(row) === null) booked?.add(place, row);
    });
    return read.ok ? success(new Map([...all.found(), ...(booked?.found() ?? [])].toSorted(([one], [other]) => one - other))) : read;
  }

  #unbooked(
    selection: Selection,
    { waiting: { allWait, rows, hasPending } }: TableFacts,
    decided: DecidedTable,
    chosen: ChosenReading,
  ): Result<{ readonly found: Pick<UnbookedRows, 'places' | 'rows' | 'notes'>; readonly chosen: ChosenReading }, Unreadable> {
    const found = new UnbookedRows();
    if (allWait) return success({ found: { places: found.places, rows, notes: () => [] }, chosen });
    if (!hasPending) return success({ found, chosen });
    const { layout, currencies, order, waiting } = decided;
    const read = this.#each(selection, this.#shares.proof, (row, place) => {
      const value = valueOf(row, currencies.of(row), chosen.reading, layout);
      const why = waiting.leavesOut(row);
      found.add({ isPending: waiting.isPending(row), value, day: dayOf(row, order), place, row: row.row, why });
    });
    found.end();
    // The balances counted a row that only its reversal shows to be unbooked.
    return read.ok ? success({ found, chosen: found.hasMirrors ? withoutUnbooked(chosen) : chosen }) : read;
  }
}
