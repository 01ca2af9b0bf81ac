import { failed, success } from '../../../../src-shared/values/result.ts';
import type { Result } from '../../../../src-shared/values/result.ts';
import { mayShowBalances } from '../columns/better-guess.ts';
import { sampleOf, understandColumns } from '../columns/layout.ts';
import { dateShape } from '../cells/dates.ts';
import { surelyWaits, unbookedRows } from '../rows/pending.ts';
import { ReadingCheck, valueOf } from '../proof/choose-reading.ts';
import { layoutOfRecipe, recognised, settledBy, tableAmong } from '../columns/recipe.ts';
import { RowNumbers } from '../model/row-numbers.ts';
import { sortRows } from '../rows/sort-rows.ts';
import type { SortedRows, WrittenRow } from '../rows/sort-rows.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { withSaidDirections } from '../columns/said-directions.ts';
import { unreadable } from '../model/problems.ts';
import { HEAD_ROWS, withSeen } from '../columns/seen-table.ts';
import { accountsOfTable, isOfAccount, misfitOfAccount, NO_SIDES, othersLeftOut } from '../proof/table-accounts.ts';
import type { Table } from '../columns/find-table.ts';
import type { Layout } from '../columns/table-columns.ts';
import type { GridRow } from '../model/grid-row.ts';
import type { ReadControl, ReadOptions } from '../model/read-options.ts';
import type { Statement, Unreadable } from '../model/statement.ts';
import type { ChosenReading } from '../proof/reading.ts';
import { misfitOfAnswers } from './questions.ts';
import { SumRows } from './subtotal-rows.ts';
import { dayOf, TableFacts } from './table-facts.ts';
import type { ReadingOptions } from './table-facts.ts';
import { TableTally, withoutUnbooked } from './build-statement.ts';
import type { FollowedRecipe, SourceOfTable, UnderstoodTable } from './build-statement.ts';
import { misfitOfWords } from './unknown-directions.ts';

/** Share of the work that is done when the table is understood, for the progress. */
const TABLE_SHARE = 0.8;

/** A table of cells, from whatever kind of file. */
interface TableSource extends Omit<SourceOfTable, 'head'> {
  readonly rows: readonly GridRow[];
  /** False where a known recipe brought another encoding or delimiter than the file seems to have. */
  readonly isAsItLooks?: boolean;
}

/** Understands a table as a statement or ledger: every row is a line, a rejected row with its reason, or named in a note. */
export function readTable(
  source: TableSource,
  options: ReadOptions,
  control: ReadControl,
  totalBytes: number,
): Result<Statement, Unreadable> {
  const head = source.rows.slice(0, HEAD_ROWS);
  const known = options.recipe || options.table ? null : recognised(source.rows, options.known ?? []);
  const recipe = options.recipe ?? known?.recipe ?? null;
  const found = tableAmong(source.rows, recipe, options.table);
  const asSeen = (reason: Unreadable) => failed(withSeen(reason, { ...source, head }, found.ok ? found.value : null));
  if (!found.ok) return asSeen(found.error);
  const table = found.value;
  const refusal = refusalOf(table);
  if (refusal !== null) return asSeen(refusal);
  const seen = recipe === null ? understandColumns(table) : success(layoutOfRecipe(table, recipe));
  if (!seen.ok) return asSeen(seen.error);
  const layout = withSaidDirections(seen.value, recipe, options.answers);
  const misfit = misfitOfAnswers(layout, options.answers);
  if (misfit !== null) return asSeen(misfit);
  if (control.isCancelled()) return failed(cancelled());
  const settled = settledBy(recipe, options);
  const understood = understand({ ...source, head }, table, layout, { ...options, settled });
  if (!understood.ok) return asSeen(understood.error);
  if (understood.value === null) return asSeen(noRows(table));
  const { understood: read } = understood.value;
  const other = misfitOfWords(read.directionWords, read.layout, options.answers);
  if (other !== null) return asSeen(other);
  if (control.isCancelled()) return failed(cancelled());
  control.onProgress(Math.floor(totalBytes * TABLE_SHARE), totalBytes);
  const isOfAnotherDialect = source.isAsItLooks === false;
  const mayShow =
    known !== null &&
    (isOfAnotherDialect || mayShowBalances(source.rows, table, { sample: sampleOf(table.body), first: table.body }, known.recipe));
  return builtStatement(understood.value, { settled, followed: known?.id ?? null, mayShowBalances: mayShow }, control, totalBytes);
}

function builtStatement(
  { understood, unbooked, written }: UnderstoodRows,
  followed: FollowedRecipe,
  control: ReadControl,
  totalBytes: number,
): Result<Statement, Unreadable> {
  const tally = new TableTally(understood, followed, Infinity);
  for (const [index, row] of written.entries()) {
    if (!unbooked.has(index)) tally.add(row);
    if (index % STATEMENT_LIMITS.rowsPerCheck === 0) {
      if (control.isCancelled()) return failed(cancelled());
      control.onProgress(Math.floor(totalBytes * (TABLE_SHARE + ((1 - TABLE_SHARE) * index) / written.length)), totalBytes, index);
    }
  }
  control.onProgress(totalBytes, totalBytes, written.length);
  return success(tally.statement());
}

export function cancelled(): Unreadable {
  return unreadable('cancelled', 'Reading was cancelled; nothing was imported.');
}

export function noRows(table: Table): Unreadable {
  const where = table.header === null ? '' : ` below the header in row ${table.header.row}`;
  return unreadable(
    'no_rows',
    `The file has no transactions${where}. Choose another period and download it again.`,
    table.header?.row ?? null,
  );
}

/** Why a table cannot be read, if it cannot. */
export function refusalOf(table: Table): Unreadable | null {
  const filled = table.body.filter((row) => row.cells.some((cell) => cell !== ''));
  if (table.header === null) {
    const hasData = filled.some((row) => row.cells.some((cell) => dateShape(cell) !== null) && row.cells.length > 1);
    if (hasData) return null;
    return unreadable(
      'not_csv',
      'This does not look like a statement: no row holds a date and an amount, and no header names them. Choose the CSV export of the account.',
    );
  }
  return filled.length === 0 ? noRows(table) : null;
}

interface UnderstoodRows {
  readonly understood: UnderstoodTable;
  readonly written: readonly WrittenRow[];
  /** Places among the written rows. */
  readonly unbooked: ReadonlySet<number>;
}

/** Null for a table without transactions. */
function understand(
  source: SourceOfTable,
  table: Table,
  found: Layout,
  options: ReadingOptions,
): Result<UnderstoodRows | null, Unreadable> {
  const sorted = sortRows(table, found);
  if (sorted.written.length === 0) return success(null);
  const all = understandSums(source, table, found, sorted, options);
  if (allWait(all, found)) return success(withNothingBooked(all));
  const { named, chosen } = all.understood;
  const accounts = accountsOfTable(named, chosen);
  const account = options.account ?? null;
  if (account === null) return success({ ...all, understood: { ...all.understood, accounts } });
  const misfit = misfitOfAccount(account, found, named);
  if (misfit !== null) return failed(misfit);
  const written = sorted.written.filter((row) => isOfAccount(row, account, found));
  const own = accounts.length === 0 ? { ...sorted, written } : { ...sorted, ...NO_SIDES, written };
  const one = understandSums(source, table, found, own, options);
  const problems = [...source.problems, ...othersLeftOut(account, all.written.length - one.written.length)];
  const ofAccount = { ...one, understood: { ...one.understood, source: { ...source, problems }, accounts, account } };
  return success(allWait(one, found) ? withNothingBooked(ofAccount) : ofAccount);
}

/** Whether every row waits to be booked. Sums among the rows are removed before. */
function allWait({ written }: UnderstoodRows, layout: Layout): boolean {
  return written.length > 0 && written.every((row) => surelyWaits(row, layout));
}

function withNothingBooked({ understood, written }: UnderstoodRows): UnderstoodRows {
  const unbookedPlaces = new RowNumbers(written.map(({ row }) => row));
  const chosen = withoutUnbooked(understood.chosen, written.length);
  return { understood: { ...understood, chosen, unbookedPlaces, isNothingBooked: true }, written, unbooked: new Set(written.keys()) };
}

function understandSums(source: SourceOfTable, table: Table, layout: Layout, sorted: SortedRows, options: ReadingOptions): UnderstoodRows {
  const all = understandRows(source, table, layout, sorted, options);
  const sums = new SumRows(all.understood, all.balanced);
  for (const [place, row] of sorted.written.entries()) sums.add(place, row);
  const found = sums.found();
  if (found.size === 0) return { ...all, written: sorted.written };
  const written = sorted.written.filter((_, place) => !found.has(place));
  const fewer = { ...sorted, written, totals: sorted.totals.with(found.values()) };
  return { ...understandRows(source, table, layout, fewer, options), written };
}

function understandRows(
  source: SourceOfTable,
  table: Table,
  found: Layout,
  sorted: SortedRows,
  options: ReadingOptions,
): { readonly understood: UnderstoodTable; readonly balanced: ChosenReading; readonly unbooked: ReadonlySet<number> } {
  const ids = new Set<string>();
  const facts = new TableFacts(found, options, (id) => (ids.size < ids.add(id).size ? 1 : 2));
  for (const row of sorted.written) facts.add(row);
  const decided = facts.decided(table, sorted);
  const { layout, currencies, order, isMarkOpen } = decided;
  const days = sorted.written.map((row) => dayOf(row, order));
  const check = new ReadingCheck(decided.candidates, layout, currencies.main);
  for (const [index, row] of sorted.written.entries()) check.add(row, currencies.of(row), days[index] ?? null);
  const balanced = check.chosen(sorted, isMarkOpen);
  const values = sorted.written.map((row) => valueOf(row, currencies.of(row), balanced.reading, layout));
  const unbooked = unbookedRows(sorted.written, values, days, layout);
  const unbookedPlaces = new RowNumbers([...unbooked].map((index) => sorted.written[index]?.row ?? 0));
  return {
    understood: {
      ...decided,
      source,
      table,
      around: sorted,
      chosen: withoutUnbooked(balanced, unbooked.size),
      accounts: [],
      account: null,
      unbookedPlaces,
    },
    balanced,
    unbooked,
  };
}
