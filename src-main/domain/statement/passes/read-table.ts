import type { Problem } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { EvenSample } from '../../collections/even-sample.ts';
import { isBlank, sampleOfSome, type Table, understandColumns, withSaidDirections } from '../columns/layout.ts';
import { HEAD_ROWS, layoutOfRecipe, mayShowBalances, recognised, settledBy, tableAmong, withSeen } from '../columns/recipe.ts';
import { RUNNING_ROWS } from '../columns/running-columns.ts';
import type { Layout } from '../columns/table-columns.ts';
import { isDataRow } from '../cells/dates.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { cancelled, PlaceSet, RowNumbers, unreadable } from '../model/problems.ts';
import type { ReadControl, ReadOptions, TableRecipe } from '../model/read-options.ts';
import type { RowSource, Share } from '../model/row-source.ts';
import type { BuiltLine, Statement, Unreadable } from '../model/statement.ts';
import { dayOf, ReadingCheck, type ReadingOptions, TableFacts } from '../table/table-facts.ts';
import { valueOf } from '../rows/signs.ts';
import type { ChosenReading } from '../proof/chain.ts';
import { accountsOfTable, isOfAccount, mismatchOfAccount, NO_SIDES, othersLeftOut } from '../proof/table-accounts.ts';
import { UnbookedRows } from '../rows/pending.ts';
import { type AroundRows, cellOf, DateCells, RowSorter, type WrittenRow } from '../rows/sort-rows.ts';
import { balancesAlone, statesBalanceAbove } from '../table/balance-days.ts';
import { type SourceOfTable, TableTally, type UnderstoodTable, withoutUnbooked } from '../table/build-statement.ts';
import { type DecidedTable, mismatchOfAnswers, noRows, questionsOf, refusalOf } from '../table/questions.ts';
import { maySum, SumRows } from '../table/subtotal-rows.ts';
import { mismatchOfWords } from '../table/unknown-directions.ts';
import { ownRow } from '../text/grid.ts';
import { EarlyLines, isReadAlike, type LineTaker, ROWS_AT_ONCE } from './speculative-lines.ts';

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
interface TableSource extends Omit<SourceOfTable, 'head'> {
  readonly rows: RowSource;
  /** False where a known recipe set another encoding or delimiter than the detected one. */
  readonly isAsItLooks?: boolean;
}

/** The location of a table in a file, and the roles of its columns. */
interface ScannedTable {
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
    const message = phrase('statement.readTable.fileHasMoreThanRows', { rows: STATEMENT_LIMITS.rows });
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
function scanTable(
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
