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
import { accountsOfTable, isOfAccount, misfitOfAccount, NO_SIDES, othersLeftOut } from '../proof/table-accounts.ts';
import type { BuiltLine } from '../rows/build-line.ts';
import { UnbookedRows } from '../rows/pending.ts';
import { balancesAlone } from '../table/balance-days.ts';
import { TableTally, type UnderstoodTable, withoutUnbooked } from '../table/build-statement.ts';
import type { DecidedTable } from '../table/decided-table.ts';
import { misfitOfAnswers, questionsOf } from '../table/questions.ts';
import { noRows } from '../table/refusals.ts';
import { maySum, SumRows } from '../table/subtotal-rows.ts';
import { dayOf, type ReadingOptions, TableFacts } from '../table/table-facts.ts';
import { misfitOfWords } from '../table/unknown-directions.ts';
import { type AroundRows, DateCells, RowSorter, type WrittenRow } from '../rows/sort-rows.ts';
import { type ScannedTable, scanTable, type TableSource } from './scan.ts';
import type { LineTaker } from './speculative-lines.ts';

/** A file that is understood. */
export interface OpenStatement {
  readonly proof: Statement['proof'];
  readonly questions: Statement['questions'];
  readonly currencies: Statement['currencies'];
  readonly accounts: Statement['accounts'];
  /** Transactions, those included that are rejected or skipped in the end. */
  readonly rows: number;
  /** The known recipe that was followed. */
  readonly followed: number | null;
  /** Whether `taken` lists all of its lines. */
  readonly isHeld: boolean;
  /** What lines say that came while the file was understood; null where none did, or they were dropped again. */
  readonly taken: Statement | null;
  /** Reads the lines of a file that is not held, from its beginning, some thousands at a time. */
  readonly read: (control: ReadControl, visit: (built: readonly BuiltLine[]) => void) => Result<Statement, Unreadable>;
}

/** How far each kind of pass brings the reading, for the progress. */
interface Shares {
  readonly scan: Share;
  readonly facts: Share;
  readonly proof: Share;
  readonly lines: Share;
}

/** What the caller wants of the lines. */
interface WantedLines {
  /** So many of the first lines, the statement lists; with fewer than all of them, rejected rows are bounded as well. */
  readonly listed: number;
  /** Where lines are wanted as soon as the first rows show how they are to be read. */
  readonly taker: LineTaker | null;
}

const ALL: Share = [0, 1];
/** A file is read anew for each pass. */
const OF_FILE: Shares = { scan: [0, 0.5], facts: [0.5, 0.9], proof: [0.9, 1], lines: ALL };
/** Half of the work is done when the cells are in memory. */
const OF_HELD: Shares = { scan: [0.5, 0.6], facts: [0.6, 0.75], proof: [0.75, 0.8], lines: [0.8, 1] };

/** Reads a table in memory as a statement or ledger: every row is a line, a rejected row with its reason, or named in a note. */
export function readTable(source: TableSource, options: ReadOptions, control: ReadControl): Result<Statement, Unreadable> {
  const opened = openTable(source, options, control, { listed: Infinity, taker: null });
  return opened.ok ? opened.value.read(control, () => undefined) : opened;
}

/**
 * Understands a table: where it is, what its columns hold, what all rows say together, which reading the balances prove. Each is a pass over the rows, and
 * memory holds no more of them than the source does.
 */
export function openTable(
  source: TableSource,
  options: ReadOptions,
  control: ReadControl,
  wanted: WantedLines,
): Result<OpenStatement, Unreadable> {
  // Lines are not taken before it is known of which account they are.
  const taker = options.account ? null : wanted.taker;
  const shares = source.rows.isHeld ? OF_HELD : OF_FILE;
  const scanned = scanTable(source, options, control, taker === null ? shares.scan : ALL, taker);
  if (!scanned.ok) return scanned;
  const { followed, recipe, head, table: found, early } = scanned.value;
  const asSeen = (reason: Unreadable) => failed(reason.code === 'cancelled' ? reason : withSeen(reason, { ...source, head }, found));
  const misfit = misfitOfAnswers(scanned.value.layout, options.answers);
  if (misfit !== null) return asSeen(misfit);
  const settled = settledBy(recipe, options);
  const rows = new WrittenRows(source.rows, scanned.value);
  const understood = new TableReader(rows, { ...options, settled, isSheet: source.sheet !== undefined }, control, shares).understand();
  if (!understood.ok) return ['no_rows', 'no_such_account'].includes(understood.error.code) ? asSeen(understood.error) : understood;
  control.onProgress(Math.floor(source.rows.byteLength * shares.proof[1]), source.rows.byteLength);
  const { account, others, unbooked, sums } = understood.value;
  const other = misfitOfWords(understood.value.directionWords, understood.value.layout, options.answers);
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

/** Rows in memory. */
export function heldRows(rows: readonly GridRow[], byteLength: number): RowSource {
  const read: RowSource['read'] = (control, share, visit) => {
    const left = inStretches(rows, byteLength, control, share, visit);
    return left === null ? success([]) : failed(left);
  };
  return { byteLength, isHeld: true, read };
}

/** Shows what is in memory, some thousands at a time, with progress and cancel. */
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

/** What a reading of all rows found beside the transactions. */
interface AroundTable {
  readonly around: AroundRows;
  /** Lines at the end that a recipe skips. */
  readonly footer: readonly number[];
}

/** Some transactions in the order of the table; `place` is that of the first of them among all, from 0. */
type Visit = (written: readonly WrittenRow[], place: number) => void;

/** The transactions of a table that was found, read as often as wanted. */
class WrittenRows {
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

type UnderstoodRows = Omit<UnderstoodTable, 'source'> & {
  /** Places of rows that the bank did not book. */
  readonly unbooked: PlaceSet;
  /** Places of rows that sum others up. */
  readonly sums: ReadonlySet<number>;
  readonly rows: number;
};

interface UnderstoodAccount extends UnderstoodRows {
  /** What is said of the rows of other accounts. */
  readonly others: readonly Problem[];
}

/** Which of the transactions are looked at. */
interface Selection {
  /** The one whose rows are read, of a table with several; else null. */
  readonly account: string | null;
  /** Balances around the rows are of several accounts, so of none of them. */
  readonly isOneOfSeveral: boolean;
  /** Places of rows that sum others up. */
  readonly sums: ReadonlySet<number>;
  /** Their lines in the file. */
  readonly totals: readonly number[];
}

const EVERYTHING: Selection = { account: null, isOneOfSeveral: false, sums: new Set(), totals: [] };

/** Understands the transactions of a table, pass by pass. */
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

  /** Of all rows, or of one account. */
  understand(): Result<UnderstoodAccount, Unreadable> {
    const all = this.#understand(EVERYTHING);
    if (!all.ok) return all;
    if (all.value.isNothingBooked === true) return success({ ...all.value, others: [] });
    const { named, chosen, rows } = all.value;
    const accounts = accountsOfTable(named, chosen);
    const account = this.#options.account ?? null;
    if (account === null) return success({ ...all.value, accounts, others: [] });
    const misfit = misfitOfAccount(account, this.#rows.scanned.layout, named);
    if (misfit !== null) return failed(misfit);
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

  /** A table of balances alone. */
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

  /** What all transactions tell; the pass that found the table may have told it already. */
  #facts(selection: Selection): { readonly facts: TableFacts; readonly found: Result<AroundTable, Unreadable> } {
    const { layout, early } = this.#rows.scanned;
    if (early !== null && selection.sums.size === 0 && selection.account === null)
      return { facts: early.facts, found: success({ around: early.around, footer: [] }) };
    const facts = new TableFacts(layout, this.#options);
    return { facts, found: this.#each(selection, this.#shares.facts, (row) => facts.add(row)) };
  }

  /** Shows the rows that are looked at, one by one, with their places. */
  #each({ account, sums }: Selection, share: Share, visit: (row: WrittenRow, place: number) => void): Result<AroundTable, Unreadable> {
    return this.#rows.read(this.#control, share, account, (written, start) => {
      for (let index = 0; index < written.length; index += 1)
        if (!sums.has(start + index)) visit(written[index] as WrittenRow, start + index);
    });
  }

  /**
   * The reading for which the balances hold; a table that states none needs no look at its rows for that. Balances are of what is booked; some count what waits as
   * well, and then they choose how amounts are read, and prove nothing of the lines.
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

  /** Rows that sum others up, in order: their places, and lines of the file. */
  #sums(
    selection: Selection,
    hasPending: boolean,
    decided: DecidedTable,
    chosen: ChosenReading,
  ): Result<ReadonlyMap<number, number>, Unreadable> {
    // Banks sum up what is booked, or all that they list.
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
    // A row that only its mirror betrays was counted by the balances.
    return read.ok ? success({ found, chosen: found.hasMirrors ? withoutUnbooked(chosen) : chosen }) : read;
  }
}
