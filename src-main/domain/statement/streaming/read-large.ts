import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import type { Problem } from '../../../../src-shared/contract/index.ts';
import { asLegacy } from '../text/decode.ts';
import { foreignByText } from '../text/foreign.ts';
import { isOfFormat } from '../formats/read-format.ts';
import { unifyLineEnds } from '../text/grid.ts';
import { beginsAsHtml } from '../workbook/html-table.ts';
import type { BuiltLine } from '../rows/build-line.ts';
import { isPending, mirror, type PendingRow } from '../rows/pending.ts';
import { decodedBy, dialectOf, type TextDialect } from '../read.ts';
import { settledBy } from '../columns/recipe.ts';
import { noRows } from '../table/read-table.ts';
import { misfitOfAnswers, questionsOf } from '../table/questions.ts';
import { ReadingCheck, valueOf } from '../proof/choose-reading.ts';
import { PlaceSet, RowNumbers } from '../model/row-numbers.ts';
import { withSeen } from '../columns/seen-table.ts';
import type { ReadControl, ReadOptions } from '../model/read-options.ts';
import { maySum, SumRows } from '../table/subtotal-rows.ts';
import { accountsOfTable, misfitOfAccount, NO_SIDES, othersLeftOut } from '../proof/table-accounts.ts';
import { dayOf, type ReadingOptions } from '../table/table-facts.ts';
import { TableTally, type UnderstoodTable, withoutUnbooked } from '../table/build-statement.ts';
import type { Statement, Unreadable } from '../model/statement.ts';
import type { ChosenReading } from '../proof/reading.ts';
import type { DecidedTable } from '../table/decided-table.ts';
import { misfitOfWords } from '../table/unknown-directions.ts';
import { beginsAsWorkbook } from '../workbook/workbook.ts';
import type { FileSource, TextForm } from '../text/bytes.ts';
import { LISTED_LINES, type LineTaker } from './speculative-lines.ts';
import { scanTable } from './scan.ts';
import { NO_SUMS, TablePass } from './table-pass.ts';
import { type AroundTable, type LargeFile, readWritten } from './written-rows.ts';

/** A large table, understood; its lines are read anew each time they are asked for. */
export interface LargeTable {
  readonly proof: Statement['proof'];
  readonly questions: Statement['questions'];
  readonly currency: string;
  readonly currencies: Statement['currencies'];
  readonly accounts: Statement['accounts'];
  /** Transactions, those included that are rejected or left out in the end. */
  readonly rows: number;
  /** The known recipe that was followed. */
  readonly followed: number | null;
  /** Of the lines that were taken while the file was understood; null where none were, or they were dropped again. */
  readonly taken: Statement | null;
  /** Reads all lines, some thousands at a time, in the order of the file. The statement lists the first lines alone. */
  readonly read: (control: ReadControl, visit: (built: readonly BuiltLine[]) => void) => Result<Statement, Unreadable>;
}

/** Shares of the work, for the progress. */
const SCAN = [0, 0.5] as const;
const FACTS = [0.5, 0.9] as const;
const PROOF = [0.9, 1] as const;
const ALL = [0, 1] as const;

/**
 * Understands a table of any size as `readStatement` does, with some passes over the file and memory for some thousands of its rows. Null for a file
 * that is no table as text: it is to be read whole. `taker`: where lines are wanted as soon as the first rows show how they are to be read; those of a file that
 * turns out otherwise are dropped again, and so are all where the reading fails.
 */
export function readLarge(
  source: FileSource,
  options: ReadOptions,
  control: ReadControl,
  taker: LineTaker | null = null,
): Result<LargeTable | null, Unreadable> {
  const taking = taker === null ? null : new Taking(taker);
  const read = readTaking(source, options, control, taking);
  const taken = read.ok ? (read.value?.taken ?? null) : null;
  if (taken === null) taking?.drop();
  return read;
}

/** Drops only what was taken. */
class Taking implements LineTaker {
  readonly #taker: LineTaker;
  #isTaking = false;

  constructor(taker: LineTaker) {
    this.#taker = taker;
  }

  take(built: readonly BuiltLine[]): void {
    this.#isTaking = true;
    this.#taker.take(built);
  }

  drop(): void {
    if (this.#isTaking) this.#taker.drop();
    this.#isTaking = false;
  }
}

function readTaking(
  source: FileSource,
  options: ReadOptions,
  control: ReadControl,
  taker: LineTaker | null,
): Result<LargeTable | null, Unreadable> {
  if (beginsAsWorkbook(source.head)) return success(null);
  const head = source.head.length === source.byteLength ? source.head : wholeLines(source.head);
  const decoded = decodedBy(head, options);
  if (!decoded.ok) return decoded.error.code === 'empty_file' ? success(null) : decoded;
  const text = unifyLineEnds(decoded.value.text);
  if (isOfFormat(text) || beginsAsHtml(text)) return success(null);
  const foreign = foreignByText(text);
  if (foreign !== null) return failed(foreign);
  const dialect = dialectOf(head, { ...decoded.value, text }, options);
  if (!dialect.ok) return dialect;
  const isGuess = dialect.value.encoding === decoded.value.encoding && options.table?.encoding === undefined;
  try {
    return readAs(source, dialect.value, isGuess, options, control, taker);
  } catch (error) {
    if (!isGuess || !(error instanceof TypeError)) throw error;
    // Not UTF-8 further down: the thrown error says no more than that.
    taker?.drop();
    const legacy = asLegacy(head);
    return readAs(source, { ...dialect.value, encoding: legacy.encoding, problems: legacy.problems }, false, options, control, taker);
  }
}

/** The head up to its last line end, or at least without a part of a character at its end. */
function wholeLines(head: Uint8Array): Uint8Array {
  const end = head.lastIndexOf(10);
  if (end > 0) return head.subarray(0, end + 1);
  let length = head.length;
  while (length > head.length - 4 && (head[length - 1] ?? 0) >= 0x80) length -= 1;
  return head.subarray(0, length);
}

function readAs(
  source: FileSource,
  { encoding, delimiter, problems, isAsItLooks }: TextDialect,
  isGuess: boolean,
  options: ReadOptions,
  control: ReadControl,
  taker: LineTaker | null,
): Result<LargeTable | null, Unreadable> {
  // Lines are not taken before it is known of which account they are.
  const early = options.account ? null : taker;
  const form: TextForm = { encoding, isGuess, delimiter };
  const scanned = scanTable(source, form, options, control, early === null ? SCAN : ALL, early);
  if (!scanned.ok) return scanned;
  const whole: LargeFile = { source, form, scanned: scanned.value, account: null };
  const { followed, recipe, head } = scanned.value;
  const mayShowBalances = scanned.value.mayShowBalances || (followed !== null && !isAsItLooks);
  const misfit = misfitOfAnswers(scanned.value.layout, options.answers);
  if (misfit !== null) return failed(withSeen(misfit, { ...form, format: 'csv', head }, scanned.value.table));
  const settled = settledBy(recipe, options);
  const understood = understandAccount(whole, { ...options, settled }, control);
  if (!understood.ok)
    return ['no_rows', 'no_such_account'].includes(understood.error.code)
      ? failed(withSeen(understood.error, { ...form, format: 'csv', head }, scanned.value.table))
      : understood;
  const other = misfitOfWords(understood.value.directionWords, understood.value.layout, options.answers);
  if (other !== null) return failed(withSeen(other, { ...form, format: 'csv', head }, scanned.value.table));
  const { file, others } = understood.value;
  const formed = { format: 'csv', encoding, delimiter, head, problems: [...problems, ...scanned.value.problems, ...others] };
  const table: UnderstoodTable = { ...understood.value, source: formed };
  const { unbooked, sums } = understood.value;
  const recipeFollowed = { settled, followed, mayShowBalances };
  const lines = scanned.value.early?.lines ?? null;
  return success({
    proof: table.chosen.proof,
    questions: table.isNothingBooked === true ? [] : questionsOf(table, table.chosen),
    currency: table.currencies.main,
    currencies: table.currencies.all,
    accounts: table.accounts,
    rows: understood.value.rows,
    followed,
    taken: sums.size === 0 && file.account === null ? (lines?.statement(table, recipeFollowed) ?? null) : null,
    read: (readControl, visit) => {
      const tally = new TableTally(table, recipeFollowed, LISTED_LINES);
      if (table.isNothingBooked === true) return success(tally.statement());
      const read = readWritten(file, readControl, ALL, (written, place) =>
        visit(written.filter((_, index) => !sums.has(place + index) && !unbooked.has(place + index)).map((row) => tally.add(row))),
      );
      return read.ok ? success(tally.statement()) : read;
    },
  });
}

type UnderstoodLarge = Omit<UnderstoodTable, 'source'> & {
  /** Places of rows that are left out. */
  readonly unbooked: PlaceSet;
  /** Places of rows that sum others up. */
  readonly sums: ReadonlySet<number>;
  readonly rows: number;
};

interface UnderstoodAccount extends UnderstoodLarge {
  /** The file as its rows are read. */
  readonly file: LargeFile;
  /** What is said of the rows of other accounts. */
  readonly others: readonly Problem[];
}

/** Understands a file, or one account of it. */
function understandAccount(whole: LargeFile, options: ReadingOptions, control: ReadControl): Result<UnderstoodAccount, Unreadable> {
  const all = understandLarge(whole, options, control);
  if (!all.ok) return all;
  if (all.value.isNothingBooked === true) return success({ ...all.value, file: whole, others: [] });
  const { named, chosen, rows } = all.value;
  const accounts = accountsOfTable(named, chosen);
  const account = options.account ?? null;
  if (account === null) return success({ ...all.value, accounts, file: whole, others: [] });
  const misfit = misfitOfAccount(account, whole.scanned.layout, named);
  if (misfit !== null) return failed(misfit);
  const file = { ...whole, account };
  const one = understandLarge(file, options, control, accounts.length > 0);
  return one.ok ? success({ ...one.value, accounts, account, file, others: othersLeftOut(account, rows - one.value.rows) }) : one;
}

/** `isOneOfSeveral`: balances around the rows are of none of them. */
function understandLarge(
  file: LargeFile,
  options: ReadingOptions,
  control: ReadControl,
  isOneOfSeveral = false,
  sums: ReadonlySet<number> = NO_SUMS,
  totals: readonly number[] = [],
): Result<UnderstoodLarge, Unreadable> {
  const { table } = file.scanned;
  const { pass, ...passed } = passOver(file, options, control, sums);
  if (!passed.found.ok) return passed.found;
  const { facts, maySumUp, hasPending } = pass;
  if (facts.rows === 0) return failed(noRows(table));
  const { footer } = passed.found.value;
  const around = isOneOfSeveral ? { ...passed.found.value.around, ...NO_SIDES } : passed.found.value.around;
  const decided = pass.decided(table, around);
  const chosen = chooseLarge(file, decided, { around, footer }, control, sums);
  if (!chosen.ok) return chosen;
  if (sums.size === 0 && maySum(maySumUp)) {
    const found = sumsOf(file, decided, chosen.value, control);
    if (!found.ok) return found;
    if (found.value.size > 0)
      return understandLarge(file, options, control, isOneOfSeveral, new Set(found.value.keys()), [...found.value.values()]);
  }
  const isNothingBooked = pass.allWait;
  const unbooked = isNothingBooked
    ? success({ places: new PlaceSet(), rows: pass.waiting })
    : hasPending
      ? unbookedOf(file, decided, chosen.value, control, sums)
      : success(noneFound());
  if (!unbooked.ok) return unbooked;
  return success({
    ...decided,
    table: { header: table.header, footer },
    around: { ...around, totals: around.totals.with(totals) },
    chosen: withoutUnbooked(chosen.value, unbooked.value.rows.count),
    unbooked: unbooked.value.places,
    unbookedPlaces: unbooked.value.rows,
    isNothingBooked,
    accounts: [],
    account: null,
    sums,
    rows: facts.rows,
  });
}

/** What all transactions tell; a pass over them is made only where the one that found the table has not told it already. */
function passOver(file: LargeFile, options: ReadingOptions, control: ReadControl, sums: ReadonlySet<number>) {
  const { layout, early } = file.scanned;
  if (early !== null && sums.size === 0 && file.account === null)
    return { pass: early.pass, found: success<AroundTable>({ around: early.around, footer: [] }) };
  const pass = new TablePass(layout, options, sums);
  return { pass, found: readWritten(file, control, FACTS, (written) => pass.add(written)) };
}

/** The reading for which the balances hold; a file that states none needs no look at its rows for that. */
function chooseLarge(
  file: LargeFile,
  { candidates, layout, currencies, order, isMarkOpen }: DecidedTable,
  { around }: AroundTable,
  control: ReadControl,
  sums: ReadonlySet<number>,
): Result<ChosenReading, Unreadable> {
  const check = new ReadingCheck(candidates, layout, currencies.main);
  if (layout.balance !== null || around.openingSide.length + around.closingSide.length > 0) {
    const read = readWritten(file, control, PROOF, (written, place) => {
      for (const [index, row] of written.entries()) if (!sums.has(place + index)) check.add(row, currencies.of(row), dayOf(row, order));
    });
    if (!read.ok) return read;
  }
  return success(check.chosen(around, isMarkOpen));
}

/** Rows that sum others up, in order: their places, and lines of the file. */
function sumsOf(
  file: LargeFile,
  decided: DecidedTable,
  chosen: ChosenReading,
  control: ReadControl,
): Result<ReadonlyMap<number, number>, Unreadable> {
  const sums = new SumRows(decided, chosen);
  const read = readWritten(file, control, PROOF, (written, place) => {
    for (const [index, row] of written.entries()) sums.add(place + index, row);
  });
  return read.ok ? success(sums.found()) : read;
}

/** Rows that were not booked: their places, and lines of the file. */
interface UnbookedRows {
  readonly places: PlaceSet;
  readonly rows: RowNumbers;
}

const noneFound = (): UnbookedRows => ({ places: new PlaceSet(), rows: new RowNumbers() });

function unbookedOf(
  file: LargeFile,
  { layout, currencies, order }: DecidedTable,
  { reading }: ChosenReading,
  control: ReadControl,
  sums: ReadonlySet<number>,
): Result<UnbookedRows, Unreadable> {
  const found = noneFound();
  let before: PendingRow | undefined;
  let row: (PendingRow & { readonly place: number; readonly row: number }) | undefined;
  const next = (after: PendingRow | undefined): void => {
    if (row?.isPending !== true || !(mirror(row, before) || mirror(row, after))) return;
    found.places.add(row.place);
    found.rows.add(row.row);
  };
  const read = readWritten(file, control, PROOF, (written, place) => {
    for (const [index, one] of written.entries()) {
      if (sums.has(place + index)) continue;
      const value = valueOf(one, currencies.of(one), reading, layout);
      const seen = { isPending: isPending(one, layout), value, day: dayOf(one, order), place: place + index, row: one.row };
      next(seen);
      before = row;
      row = seen;
    }
  });
  if (!read.ok) return read;
  next(undefined);
  return success(found);
}
