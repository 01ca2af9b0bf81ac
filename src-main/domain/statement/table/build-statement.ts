import { LIMITS } from '../../../../src-shared/contract/common.ts';
import type { Problem } from '../../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, decimalText, signedMinor } from '../../../../src-shared/values/money.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { EvenSample } from '../../collections/even-sample.ts';
import { isNothing } from '../cells/amounts.ts';
import { type DecidedOrder, type ExchangedDates, exchangedDay } from '../cells/date-order.ts';
import {
  beyondMonth,
  type DateOrder,
  dateShape,
  fits,
  LEAP_YEAR,
  orderWords,
  type StatedYears,
  whyNoDay,
  windowUnder,
  wordsOfForm,
} from '../cells/dates.ts';
import { bytesOf, sizeProblems } from '../cells/line-limits.ts';
import { type ColumnField, fieldsOf, REFERENCE_SAMPLE, referenceAmong } from '../columns/fields.ts';
import type { Table } from '../columns/layout.ts';
import { filledColumns } from '../columns/money-columns.ts';
import type { Settled } from '../columns/recipe.ts';
import type { Layout } from '../columns/table-columns.ts';
import type { GridRow } from '../model/grid-row.ts';
import { LineArithmetic, withNoMovementNote } from '../model/line-arithmetic.ts';
import { note, placed, quoted, rejection, type RowNumbers } from '../model/problems.ts';
import type { TableRecipe } from '../model/read-options.ts';
import type {
  BuiltLine,
  ReadSheet,
  RejectedRow,
  ReversalMark,
  Statement,
  StatementAccount,
  StatementBalance,
  StatementLine,
  StatementPeriod,
} from '../model/statement.ts';
import { BrokenDays, MonthEnds } from '../proof/broken-days.ts';
import type { ChosenReading, Reading } from '../proof/chain.ts';
import type { DayRange } from '../proof/coverage.ts';
import { AccountDays, mixedAccounts, whoseRows } from '../proof/table-accounts.ts';
import { markOfWords } from '../reversals/originals.ts';
import { columnSignNotes } from '../rows/column-signs.ts';
import { nothingBooked } from '../rows/pending.ts';
import { balanceAfter, type RowValue, type SignsAssumed, valueOf, wordsOfModel } from '../rows/signs.ts';
import { type AroundRows, cellOf, type WrittenRow } from '../rows/sort-rows.ts';
import { leftOutNotes, withoutStranger } from '../rows/truncated-row.ts';
import { ownLine } from '../text/grid.ts';
import { bookingOf, saysPending, type Unbooked } from '../vocabulary/booking.ts';
import { currencyCode, isCurrencyCell } from '../vocabulary/currencies.ts';
import { sideOfTransfer } from '../vocabulary/header-words.ts';
import { balanceDays, type BalanceDays } from './balance-days.ts';
import { type DecidedTable, questionsOf } from './questions.ts';
import { dayOf, valueDayOf } from './table-facts.ts';
import { keptDirections } from './unknown-directions.ts';
import { UnreadValueDates } from './value-days.ts';

const NO_ENDS = { opening: null, closing: null };

/** Returns opening and closing balance with the sign of the lines: inverted where the balance counts debits up. */
function endsOf({ check, polarity }: Reading): { readonly opening: number | null; readonly closing: number | null } {
  const turned = (minor: number | null): number | null => (minor === null ? null : minor * polarity + 0);
  return { opening: turned(check.opening), closing: turned(check.closing) };
}

/**
 * Returns the opening and closing balance of a table, where the running balance or lines around the transactions state them and no check fails. A
 * proved running balance adds the balance at the end of each month between.
 */
function balancesOfTable(
  days: BalanceDays | null,
  { reading, proof }: ChosenReading,
  currency: string,
  monthEnds: MonthEnds | null,
): StatementBalance[] {
  const { opening, closing } = endsOf(reading);
  if (proof === 'broken' || days === null) return [];
  const balances: StatementBalance[] = [];
  if (opening !== null) balances.push({ type: 'opening_ledger', day: days.opening, minor: opening, currency });
  const within = proof === 'proved' && opening !== null && monthEnds !== null ? monthEnds.balances(opening) : [];
  balances.push(...within.map(({ day, minor }) => ({ type: 'closing_ledger' as const, day, minor, currency })));
  if (closing !== null) balances.push({ type: 'closing_ledger', day: days.closing, minor: closing, currency });
  return balances;
}

/** Origin of the cells of a table. */
export interface SourceOfTable {
  readonly format: string;
  readonly encoding: string;
  readonly delimiter: string;
  /** Set for a workbook. */
  readonly sheet?: ReadSheet;
  readonly head: readonly GridRow[];
  /** Problems found while the cells were read. */
  readonly problems: readonly Problem[];
}

/** A table with all decisions made before its lines are built. */
export interface UnderstoodTable extends DecidedTable {
  readonly source: SourceOfTable;
  readonly table: Pick<Table, 'header' | 'footer'>;
  readonly around: AroundRows;
  readonly chosen: ChosenReading;
  /** All accounts of a file that has several, whichever of them is read; else empty. */
  readonly accounts: readonly StatementAccount[];
  /** The account that is read of a file that has several. */
  readonly account: string | null;
  /** Notes about rows that were skipped because they are not booked yet. */
  readonly unbookedNotes: readonly Problem[];
  /** Lines of the file of the skipped rows. */
  readonly unbookedPlaces: RowNumbers;
  /** Whether all rows were skipped for that reason. */
  readonly isNothingBooked?: boolean;
  /** Set for a table of balances without a transaction. */
  readonly alone?: Pick<Statement, 'balances' | 'periods'>;
}

export interface FollowedRecipe {
  readonly settled: Settled | null;
  /** Guessing may see balances that the known recipe does not. */
  readonly mayShowBalances: boolean;
  /** Id of the known recipe that was followed. */
  readonly followed: number | null;
}

/** Most rejected rows and problems that are listed for a large file; all are counted. */
const KEPT_REJECTED = 1_000;

/** Returns a reading without proof: where rows are left out, the balances of the file cover more than is imported. */
export function withoutUnbooked(chosen: ChosenReading): ChosenReading {
  const check = { ...chosen.reading.check, opening: null, closing: null };
  return {
    reading: { ...chosen.reading, check },
    proof: 'unproved',
    problems: chosen.problems.filter((problem) => problem.code !== 'balance_broken'),
  };
}

/** Returns the name of the column with a row's currency. */
function currencyColumn({ names, currency, amount, paidIn, paidOut }: Layout): string | null {
  return names[currency ?? amount ?? paidIn ?? paidOut ?? names.length] ?? null;
}

/** Builds the lines of a table from its rows, in the order of the file, and sums them up. */
export class TableTally {
  readonly #understood: UnderstoodTable;
  readonly #followed: FollowedRecipe;
  readonly #keptLines: number;
  readonly #fields: readonly ColumnField[];
  readonly #lines: StatementLine[] = [];
  readonly #rejected: RejectedRow[] = [];
  readonly #problems: Problem[] = [];
  readonly #sample: EvenSample<StatementLine>;
  #lineCount = 0;
  #rejectedCount = 0;
  /** Rejected rows that no balance counts. */
  #unbooked = 0;
  #problemCount = 0;
  #firstDay = Infinity;
  #lastDay = -Infinity;
  readonly #currencies = new Set<string>();
  readonly #arithmetic = new LineArithmetic();
  readonly #days = new AccountDays();
  readonly #valueDates = new UnreadValueDates();
  readonly #monthEnds: MonthEnds | null;
  readonly #brokenDays: BrokenDays | null;

  /** `keptLines`: how many of the first lines the statement lists; with fewer than all of them, rejected rows are bounded as well. */
  constructor(understood: UnderstoodTable, followed: FollowedRecipe, keptLines: number) {
    this.#understood = understood;
    this.#followed = followed;
    this.#keptLines = keptLines;
    // Lines of a large file are copied: their texts are slices of the file's text, which they would keep in memory.
    this.#sample = new EvenSample(REFERENCE_SAMPLE, keptLines === Infinity ? undefined : ownLine);
    this.#fields = fieldsOf(understood.layout);
    this.#monthEnds = understood.layout.balance !== null && understood.chosen.proof === 'proved' ? new MonthEnds() : null;
    this.#brokenDays = understood.layout.balance !== null && understood.chosen.proof === 'broken' ? new BrokenDays() : null;
  }

  add(row: WrittenRow): BuiltLine {
    const { layout, currencies, strangers, order, chosen, torn } = this.#understood;
    const currency = currencies.of(row);
    const value = valueOf(row, currency, chosen.reading, layout);
    const days = { day: dayOf(row, order), valueDay: valueDayOf(row, this.#understood) };
    const read = buildLine(row, days, value, currency, {
      layout,
      fields: this.#fields,
      order,
      torn: torn !== null && torn.row === row.row ? torn : null,
    });
    const built = strangers === null ? read : withoutStranger(read, currencyColumn(layout), strangers);
    if (cellOf(row, layout.valueDate) !== '') this.#valueDates.add(row.row, days.valueDay !== null);
    if (built.line !== null) this.#addLine(built.line);
    const running = this.#monthEnds ?? this.#brokenDays;
    if (built.line !== null && running !== null && 'minor' in value) {
      const { polarity } = chosen.reading;
      const signed = signedMinor(value.minor, value.direction);
      const balance = balanceAfter(row, currency, polarity * signed, chosen.reading, layout);
      running.add({ day: built.line.day, signed, balance: balance === null ? null : balance * polarity });
    }
    if (built.line !== null && layout.account !== null) this.#days.add(cellOf(row, layout.account), built.line.day);
    else if (built.rejected !== null) this.#addRejected(built.rejected);
    if (row.unbooked !== null) this.#unbooked += 1;
    for (const problem of built.problems) {
      this.#problemCount += 1;
      if (this.#keepsAll || this.#problems.length < KEPT_REJECTED) this.#problems.push(problem);
    }
    return built;
  }

  get #keepsAll(): boolean {
    return this.#keptLines === Infinity;
  }

  #addLine(line: StatementLine): void {
    this.#lineCount += 1;
    if (this.#lineCount <= this.#keptLines) this.#lines.push(line);
    this.#sample.add(line);
    this.#firstDay = Math.min(this.#firstDay, line.day);
    this.#lastDay = Math.max(this.#lastDay, line.day);
    this.#currencies.add(line.currency);
    this.#arithmetic.add(line);
  }

  #addRejected(rejected: RejectedRow): void {
    this.#rejectedCount += 1;
    if (this.#keepsAll || this.#rejected.length < KEPT_REJECTED) this.#rejected.push(rejected);
  }

  get lines(): number {
    return this.#lineCount;
  }

  /** Returns the statement; call once, after the last row. `understood`, `followed`: newer values, under which all rows must read alike. */
  statement(understood = this.#understood, followed = this.#followed): Statement {
    const { source, table, layout, currencies, order, chosen } = understood;
    const { reading } = chosen;
    const referenceField = this.#referenceField(understood);
    const lineDays = { firstDay: this.#firstDay, lastDay: this.#lastDay };
    const days = this.#lineCount === 0 ? null : balanceDays(lineDays, understood.around, understood, reading);
    const areSeveral = understood.accounts.length > 0 && understood.account === null;
    const { opening, closing } = areSeveral ? NO_ENDS : endsOf(reading);
    const missing = this.#rejectedCount - this.#unbooked;
    const isConfirmed = chosen.proof === 'proved';
    const isProved = this.#arithmetic.proves({ opening, closing, isConfirmed, missing });
    const ofProof = isConfirmed && !isProved ? [this.#arithmetic.shortfall({ opening, closing, missing }, currencies.main)] : [];
    return withBalancesAlone(understood, {
      format: source.format,
      dialect: {
        encoding: source.encoding,
        delimiter: source.delimiter,
        headerRow: table.header?.row ?? null,
        dateOrder: order.order,
        decimalMark: reading.mark,
        signModel: wordsOfModel(reading.model, layout),
      },
      head: source.head,
      columns: understood.columns,
      rows: this.#lineCount + this.#rejectedCount,
      lines: this.#lines,
      problems: [
        ...notesOf(understood, this.#lineCount),
        ...ofProof,
        ...this.#valueDates.notes(layout.names[layout.valueDate ?? -1] ?? ''),
        ...this.#problems,
      ],
      unlistedProblems: this.#problemCount - this.#problems.length,
      questions: understood.isNothingBooked === true ? [] : questionsOf(understood, chosen),
      rejectedRows: this.#rejectedCount,
      rejected: this.#rejected,
      referenceField,
      currencies: currencies.all,
      currency: currencies.main,
      namesCurrency: currencies.areNamed,
      openingBalanceMinor: opening,
      closingBalanceMinor: closing,
      balances:
        !areSeveral && this.#isOfOneCurrency(currencies.main) && missing === 0 && (isProved || !isConfirmed)
          ? balancesOfTable(days, chosen, currencies.main, isProved ? this.#monthEnds : null)
          : [],
      proof: isConfirmed && !isProved ? 'unproved' : chosen.proof,
      isConfirmed,
      // A balance that rises with credits shows the account as the bank does.
      literalDebitCredit: layout.literalDebitCredit && !(isConfirmed && reading.polarity === 1),
      accounts: understood.accounts,
      whose: whoseRows(understood),
      periods: areSeveral
        ? this.#days.periods(understood.accounts)
        : this.#periods(days?.covered ?? null, { opening, closing }, currencies.main),
      table: {
        recipe: this.#recipe(understood, followed, referenceField),
        followed: followed.followed,
        hasBalances: hasBalances(understood, followed),
        sheet: source.sheet ?? null,
      },
    });
  }

  /** Returns the period of the whole file; where its running balance breaks, with the balances around each break. */
  #periods(days: DayRange | null, ends: Parameters<BrokenDays['ends']>[0], currency: string): StatementPeriod[] {
    if (days === null) return [];
    const dayEnds = this.#isOfOneCurrency(currency) ? (this.#brokenDays?.ends(ends) ?? []) : [];
    const period = { account: null, ...days, openingMinor: ends.opening, closingMinor: ends.closing };
    return [dayEnds.length === 0 ? period : { ...period, dayEnds }];
  }

  #isOfOneCurrency(main: string): boolean {
    return this.#currencies.size === 0 || (this.#currencies.size === 1 && this.#currencies.has(main));
  }

  #referenceField({ layout }: UnderstoodTable): string | null {
    if (layout.reference !== null) return this.#fields[layout.reference]?.field ?? null;
    const candidates = this.#fields.flatMap((one, index) =>
      (one.role === 'metadata' || one.role === 'description') && one.field !== null
        ? [{ field: one.field, header: layout.headers[index] ?? '' }]
        : [],
    );
    return referenceAmong(this.#sample.items, candidates);
  }

  /** Returns the reading of the table as a recipe for the next file of its kind. */
  #recipe(
    { source, table, chosen, order, directionWords, layout }: UnderstoodTable,
    { settled }: FollowedRecipe,
    referenceField: string | null,
  ): TableRecipe {
    return {
      encoding: source.encoding === '' ? null : source.encoding,
      delimiter: source.delimiter === '' ? null : source.delimiter,
      sheet: source.sheet === undefined ? (settled?.sheet ?? null) : source.sheet.isNamed ? source.sheet.name : null,
      has_header: table.header !== null,
      columns: this.#fields.map(({ role, field }, index) => ({
        header: table.header?.cells[index] ?? '',
        role: role === 'metadata' && field === referenceField ? 'reference' : role,
      })),
      date_order: order.exchanged?.isTurned === false ? 'ymd' : (order.order ?? settled?.date_order ?? null),
      decimal_mark: chosen.reading.mark ?? settled?.decimal_mark ?? null,
      sign_model: chosen.reading.model,
      footer_rows: settled?.footer_rows ?? null,
      direction_words: keptDirections(directionWords, layout),
    };
  }
}

/** Returns the statement; for a table of balances without a transaction with these balances and a note. */
function withBalancesAlone({ alone }: UnderstoodTable, statement: Statement): Statement {
  return alone === undefined ? statement : withNoMovementNote({ ...statement, ...alone });
}

const ASSUMED_SIGNS: Readonly<Record<SignsAssumed, string>> = {
  unsigned: phrase('statement.buildStatement.noAmountHasASign'),
  positive: phrase('statement.buildStatement.mostAmountsArePositive'),
  mirrored: phrase('statement.buildStatement.everyCreditIsNegative'),
  card: phrase('statement.buildStatement.paymentsAreNegativeAndPurchases'),
};

function feeNote({ layout, chosen }: UnderstoodTable): Problem {
  const name = layout.names[layout.fee ?? 0] ?? '';
  const message =
    chosen.reading.fee === 0
      ? phrase('statement.buildStatement.columnHoldsFees', { name })
      : phrase('statement.buildStatement.balancesMoveByTheAmounts', { name });
  return note(chosen.reading.fee === 0 ? 'fees_assumed' : 'fees_included', message, null, name);
}

function yearNote({ byOrder, row }: StatedYears, order: DateOrder | null, column: string | null): Problem {
  const window = windowUnder(byOrder, order);
  const days = window === null ? '' : `: ${window.from === window.to ? '' : `${isoFromDay(window.from)} to `}${isoFromDay(window.to)}`;
  return note('year_from_file', phrase('statement.buildStatement.theDatesHaveNoYear', { row, days }), row, column);
}

function hasBalances({ layout, around }: UnderstoodTable, { mayShowBalances }: FollowedRecipe): boolean {
  return mayShowBalances || layout.balance !== null || around.openingSide.length + around.closingSide.length > 0;
}

function exchangedNote({ isTurned, because, examples, order, areAlone }: ExchangedDates, column: string | null): Problem {
  const [day = 0] = examples;
  const read = isTurned ? exchangedDay(day) : day;
  const seen =
    areAlone === true
      ? phrase('statement.buildStatement.allDatesAreOfTheFirst')
      : phrase('statement.buildStatement.someDatesAreTextsOfDays', { order: orderWords(order) });
  const message = phrase('statement.buildStatement.spreadsheetTakesDaysForMonths', {
    seen,
    isTurned: isTurned ? 'yes' : 'no',
    because: because ?? '',
    noBecause: because === null ? 'yes' : 'no',
    day: isoFromDay(day),
    read: isoFromDay(read),
  });
  return note('date_notations_mixed', message, null, column);
}

function dateNotes({ layout, order }: UnderstoodTable): readonly Problem[] {
  const notes: Problem[] = [];
  const dateHeader = layout.names[layout.date] ?? null;
  if (order.assumedBecause !== null && order.choices === undefined) {
    const message = phrase('statement.buildStatement.theDatesReadDayFirst', {
      isOrder: order.order === 'mdy' ? 'yes' : 'no',
      order: orderWords(order.order),
      assumedBecause: order.assumedBecause,
    });
    notes.push(note('date_order_assumed', message, null, dateHeader));
  }
  if (order.years) notes.push(yearNote(order.years, order.order, dateHeader));
  const form = wordsOfForm(layout.dateForm);
  if (form !== null) notes.push(note('date_numbers', phrase('statement.buildStatement.theDatesAreCheckOne', { form }), null, dateHeader));
  if (order.exchanged !== undefined && !order.exchanged.isOpen) notes.push(exchangedNote(order.exchanged, dateHeader));
  return notes;
}

function turnedBalances({ chosen: { reading }, currencies }: UnderstoodTable): readonly Problem[] {
  const { opening, closing } = reading.check;
  const stated = closing ?? opening;
  if (reading.polarity === 1 || stated === null) return [];
  const money = (minor: number): string => `${decimalText(minor, decimalPlacesOf(currencies.main))} ${currencies.main}`;
  const message = phrase('statement.buildStatement.balancesRiseWithWhatIsPaidOut', { stated: money(-stated), stated2: money(stated) });
  return [note('balances_turned', message)];
}

function amountNotes(understood: UnderstoodTable, lineCount: number): readonly Problem[] {
  const { layout, chosen } = understood;
  const notes: Problem[] = [...turnedBalances(understood)];
  if (understood.assumedSigns !== null && chosen.proof !== 'proved' && lineCount > 0)
    notes.push(note('signs_assumed', ASSUMED_SIGNS[understood.assumedSigns], null, layout.names[layout.amount ?? 0] ?? null));
  if (layout.amount === null && chosen.proof !== 'proved' && !understood.isModelSaid)
    notes.push(...columnSignNotes(understood.columnSigns, layout, chosen.reading.model));
  if (understood.hasFees && (chosen.reading.fee !== 0 || chosen.proof !== 'proved')) notes.push(feeNote(understood));
  if (layout.currencyColumns.length > 0) {
    const columns = layout.currencyColumns.map(({ column, currency }) => `${layout.names[column] ?? ''} (${currency})`).join(', ');
    notes.push(note('currency_columns', phrase('statement.buildStatement.eachOfTheColumnsHolds', { columns })));
  }
  const received =
    sideOfTransfer(layout.headers[layout.amount ?? -1] ?? '') === 'sent'
      ? layout.headers.findIndex((header) => sideOfTransfer(header) === 'received')
      : -1;
  if (received >= 0 && chosen.proof !== 'proved') {
    const [sent, other] = [layout.amount ?? 0, received].map((column) => layout.names[column] ?? '');
    const message = phrase('statement.buildStatement.eachRowStatesWhatWasSent', { sent: sent ?? '', otherPart: other ?? '' });
    notes.push(note('sent_amounts_assumed', message, null, sent ?? null));
  }
  if (understood.returns.count > 0) {
    const message = phrase('statement.buildStatement.amountsSayInBracketsWhatCame', { returns: placed(understood.returns) });
    notes.push(
      note('returns_in_amounts', message, understood.returns.first[0] ?? null, layout.names[layout.amount ?? layout.paidOut ?? 0] ?? null),
    );
  }
  if (layout.guessed === 'amount' && chosen.proof !== 'proved') {
    const message = phrase('statement.buildStatement.nothingNamesTheColumnOfTheAmounts', { names: layout.names[layout.amount ?? 0] ?? '' });
    notes.push(note('columns_assumed', message));
  }
  if (layout.guessed === 'pair' && chosen.proof !== 'proved') {
    const [paidIn, paidOut] = [layout.names[layout.paidIn ?? 0] ?? '', layout.names[layout.paidOut ?? 0] ?? ''];
    notes.push(note('columns_assumed', phrase('statement.buildStatement.nothingNamesTheTwoAmount', { paidIn, paidOut })));
  }
  return notes;
}

/** Returns a note on rows that say they wait, as invoices do, and are read as lines. */
function keptNote({ waiting: { kept }, layout, unbookedPlaces }: UnderstoodTable): readonly Problem[] {
  if (kept.count === 0 || unbookedPlaces.count > 0) return [];
  const column = layout.names[layout.status ?? -1] ?? null;
  const message = phrase('statement.buildStatement.rowsThatSayInThatThey', {
    count: kept.count,
    column: column ?? phrase('statement.buildStatement.theirColumn'),
    kept: placed(kept),
  });
  return [note('pending_rows_kept', message, kept.first[0] ?? null, column)];
}

function notesOf(understood: UnderstoodTable, lineCount: number): readonly Problem[] {
  const { layout, chosen, around, unbookedPlaces: rows, currencies } = understood;
  if (understood.isNothingBooked === true) {
    const said = nothingBooked(rows.count, rows.first[0] ?? null);
    return [...understood.source.problems, said, ...leftOutNotes(around, understood.table.footer)];
  }
  const notes: Problem[] = [
    ...understood.source.problems,
    ...currencies.problems,
    ...dateNotes(understood),
    ...amountNotes(understood, lineCount),
  ];
  notes.push(...understood.unbookedNotes, ...keptNote(understood), ...understood.waiting.unknown);
  if (understood.accounts.length === 0) notes.push(...mixedAccounts(understood.named, chosen, layout));
  return [...notes, ...leftOutNotes(around, understood.table.footer), ...chosen.problems];
}

/** The context in which a row is read. */
interface LineInput {
  readonly layout: Layout;
  readonly fields: readonly ColumnField[];
  readonly order: DecidedOrder;
  /** The rejection of the row in which the file is cut off. */
  readonly torn: Problem | null;
}

/** Days since 1970-01-01; null where the row says none that can be read. */
interface DaysOfRow {
  readonly day: number | null;
  readonly valueDay: number | null;
}

/** Returns a line from a row with its days, amount and currency; or the reasons why not, one per faulty cell. */
function buildLine(row: WrittenRow, { day, valueDay }: DaysOfRow, value: RowValue, currency: string, input: LineInput): BuiltLine {
  const problems: Problem[] = [];
  const surplus = row.cells.findIndex((cell, index) => index >= input.layout.names.length && cell !== '');
  if (surplus >= 0) {
    const message = phrase('statement.buildStatement.rowHasCellsWhereTheTable', {
      row: row.row,
      cells: row.cells.length,
      names: input.layout.names.length,
    });
    const problem = rejection(row.row, null, 'too_many_cells', message);
    const nothing = { day: null, valueDay: null, amountMinor: null, direction: null, description: null, externalId: null, metadata: {} };
    const rejected = { row: row.row, ...nothing, currency, decimalPlaces: decimalPlacesOf(currency), problems: [problem] };
    return { line: null, rejected, problems: [problem] };
  }
  if (input.torn !== null) problems.push(input.torn);
  else if (row.unbooked !== null) problems.push(unbookedProblem(row, row.unbooked, input.layout));
  else if (day === null) problems.push(dateProblem(row, input));
  const currencyCell = cellOf(row, input.layout.currency);
  if (currencyCell !== '' && !isCurrencyCell(currencyCell)) problems.push(currencyProblem(row, currencyCell, input.layout));
  if ('code' in value && row.unbooked === null && input.torn === null) problems.push(amountProblem(row, value, currency, input.layout));
  const description = descriptionOf(row, input.layout);
  const externalId = cellOf(row, input.layout.externalId) || null;
  const metadata = metadataOf(row, input.fields, valueDay === null ? null : input.layout.valueDate);
  const header = (index: number | null): string | null => (index === null ? null : (input.layout.names[index] ?? null));
  const columns = { description: header(input.layout.description), externalId: header(input.layout.externalId) };
  problems.push(...sizeProblems({ row: row.row, description, externalId, metadata, metadataBytes: metadataBytes(row, metadata) }, columns));
  const rest = { row: row.row, valueDay, currency, decimalPlaces: decimalPlacesOf(currency), description, externalId, metadata };
  if (day === null || 'code' in value || problems.length > 0) {
    const read = 'code' in value ? { amountMinor: null, direction: null } : { amountMinor: value.minor, direction: value.direction };
    return { line: null, rejected: { ...rest, day, ...read, problems }, problems };
  }
  const line: StatementLine = { ...rest, day, amountMinor: value.minor, direction: value.direction };
  const reversal = markOfWords(description) ?? markOfKind(row, input.fields);
  return { line: reversal === null ? line : { ...line, reversal }, rejected: null, problems };
}

/** Matches headers of columns that name the kind of transaction. */
const OF_KIND =
  /(?:^|_)(?:type|kind|status|art|buchungstext|vorgang|umsatzart|operation|operacion|tipo|omschrijving|mutatiesoort|rodzaj|typ)(?:_|$)/;
const kindColumns = new WeakMap<readonly ColumnField[], readonly number[]>();

/** Returns the mark of a column of kinds, such as `Reversal`. */
function markOfKind({ cells }: WrittenRow, fields: readonly ColumnField[]): ReversalMark | null {
  let columns = kindColumns.get(fields);
  if (columns === undefined) {
    columns = fields.flatMap(({ key }, index) => (key !== null && OF_KIND.test(key) ? [index] : []));
    kindColumns.set(fields, columns);
  }
  for (const column of columns) {
    const mark = markOfWords(cells[column] ?? null);
    if (mark !== null) return mark;
  }
  return null;
}

function descriptionOf(row: WrittenRow, layout: Layout): string | null {
  const own = cellOf(row, layout.description);
  const text = row.continuation.length === 0 ? own : [own, ...row.continuation].filter((part) => part !== '').join(' ');
  return text === '' ? null : text;
}

/** `but`: a column whose cell has been read as something else. */
function metadataOf(row: WrittenRow, fields: readonly ColumnField[], but: number | null): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (let index = 0; index < fields.length; index += 1) {
    const key = fields[index]?.key ?? null;
    const cell = row.cells[index] ?? '';
    if (key === null || cell === '' || index === but) continue;
    // A header may be called `__proto__`.
    if (key === '__proto__') Object.defineProperty(metadata, key, { value: cell, enumerable: true, configurable: true, writable: true });
    else metadata[key] = cell;
  }
  return metadata;
}

function currencyProblem(row: WrittenRow, cell: string, layout: Layout): Problem {
  const column = layout.names[layout.currency ?? 0] ?? null;
  const message = phrase('statement.buildStatement.notACurrency', { cell: quoted(cell), row: row.row, column: column ?? '' });
  return rejection(row.row, column, 'unknown_currency', message);
}

/** Returns the rejection of a row that says it is not booked; its cells have no fault. */
function unbookedProblem(row: WrittenRow, unbooked: Unbooked, layout: Layout): Problem {
  const status = cellOf(row, layout.status);
  const isStatus = unbooked === 'never' ? bookingOf(status) === 'never' : saysPending(status);
  const column = isStatus ? layout.status : layout.date;
  const said = quoted(isStatus ? status : cellOf(row, layout.date));
  const what =
    unbooked === 'never'
      ? phrase('statement.buildStatement.wasNeverBookedItSays', { said })
      : phrase('statement.buildStatement.isNotBookedYetIt', { said });
  const message = phrase('statement.buildStatement.rowCorrectTheRowToImport', { row: row.row, what });
  return rejection(row.row, column === null ? null : (layout.names[column] ?? null), 'not_booked', message);
}

const NO_YEAR = /^'?\d{1,2}[-/.]\d{1,2}[-/.]?$/;

function dateProblem(row: WrittenRow, input: LineInput): Problem {
  const column = input.layout.names[input.layout.date] ?? null;
  const cell = cellOf(row, input.layout.date);
  const place = `row ${row.row}, column ${column ?? ''}`;
  if (cell === '') return rejection(row.row, column, 'unreadable_date', phrase('statement.buildStatement.theDateInIsEmpty', { place }));
  const { order } = input.order;
  const yearless = whyNoYear(row, cell, place, input.order);
  if (yearless !== null) return rejection(row.row, column, 'unreadable_date', yearless);
  const ofFormula = formulaProblem(row.row, column, cell, place);
  if (ofFormula !== null) return ofFormula;
  const compact = row.date === null ? whyNoDigits(cell) : null;
  if (compact !== null)
    return rejection(
      row.row,
      column,
      'impossible_date',
      phrase('statement.buildStatement.theDateIn', { cell: quoted(cell), place, compact, mendDate: MEND_DATE }),
    );
  if (row.date === null) {
    return rejection(row.row, column, 'unreadable_date', phrase('statement.buildStatement.inIsNotADate', { cell: quoted(cell), place }));
  }
  const outOfRange = order !== null && !fits(row.date, order);
  const reason = outOfRange
    ? phrase('statement.buildStatement.isNotADateWhenRead', { order: orderWords(order) })
    : `${whyNoDay(row.date, order) ?? phrase('statement.buildStatement.isNotOnTheCalendar')} ${MEND_DATE}`;
  return rejection(
    row.row,
    column,
    'impossible_date',
    phrase('statement.buildStatement.dateIsUnreadable', { cell: quoted(cell), place, reason }),
  );
}

/** Returns why a date without a year is rejected; null where that is not the reason. */
function whyNoYear({ date }: WrittenRow, cell: string, place: string, { order, years }: DecidedOrder): string | null {
  const isYearless = date === null ? NO_YEAR.test(cell) || dateShape(`${cell} ${LEAP_YEAR}`) !== null : date.kind === 'yearless';
  if (!isYearless || (date !== null && order !== null && !fits(date, order))) return null;
  const values = { cell: quoted(cell), place, mend: MEND_YEAR };
  if (date === null || !years) return phrase('statement.buildStatement.inIsADateWithout', values);
  const window = windowUnder(years.byOrder, order);
  const near =
    window === null ? { hasDays: 'no', from: '', to: '' } : { hasDays: 'yes', from: isoFromDay(window.from), to: isoFromDay(window.to) };
  return phrase('statement.buildStatement.noSuchDayIsNear', { ...values, ...near, row: years.row });
}

const MEND_YEAR = phrase('statement.buildStatement.writeItLike20260630Or');
const MEND_DATE = phrase('statement.buildStatement.correctItInTheFile');

/** Returns why eight digits are not a date. */
function whyNoDigits(cell: string): string | null {
  const found = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(cell);
  return found === null ? null : beyondMonth([Number(found[1]), Number(found[2]), Number(found[3])]);
}

function amountProblem(row: WrittenRow, fault: Extract<RowValue, { code: string }>, currency: string, layout: Layout): Problem {
  const column = layout.names[fault.column] ?? null;
  const cell = cellOf(row, fault.column);
  const place = `row ${row.row}, column ${column ?? ''}`;
  const ofFormula = formulaProblem(row.row, column, cell, place);
  return ofFormula ?? rejection(row.row, column, fault.code, amountSentence(row, fault, cell, place, currency, layout));
}

/** Returns the problem of a cell that holds a spreadsheet formula or its error; null for any other. */
function formulaProblem(row: number, column: string | null, cell: string, place: string): Problem | null {
  if (cell.startsWith('=')) {
    const message = phrase('statement.buildStatement.formulaWithoutResult', { cell: quoted(cell), place });
    return rejection(row, column, 'formula_without_result', message);
  }
  if (!/^#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|ERROR!)$/.test(cell)) return null;
  const message = phrase('statement.buildStatement.inIsTheError', { cell: quoted(cell), place });
  return rejection(row, column, 'formula_error', message);
}

function amountSentence(
  row: WrittenRow,
  fault: Extract<RowValue, { code: string }>,
  cell: string,
  place: string,
  currency: string,
  layout: Layout,
): string {
  if (fault.code === 'two_amounts') {
    const [paidIn, paidOut] = [quoted(cellOf(row, layout.paidIn)), quoted(cellOf(row, layout.paidOut))];
    return phrase('statement.buildStatement.rowHasAnAmountBoth', {
      row: row.row,
      names: layout.names[layout.paidIn ?? 0] ?? '',
      paidIn,
      names2: layout.names[layout.paidOut ?? 0] ?? '',
      paidOut,
    });
  }
  const [one, other] = filledColumns(row, layout.currencyColumns);
  if (one !== undefined && other !== undefined) {
    const [first, second] = [one, other].map(({ column: index }) => `${layout.names[index] ?? ''} (${quoted(cellOf(row, index))})`);
    return phrase('statement.buildStatement.rowHasTwoAmounts', { row: row.row, first: first ?? '', second: second ?? '' });
  }
  if (fault.code === 'unknown_direction') return phrase('statement.buildStatement.inSaysNeitherCreditNor', { cell: quoted(cell), place });
  if (fault.code === 'too_many_decimals') {
    return currencyCode(currency) === null
      ? phrase('statement.buildStatement.amountInHasMoreDecimals', {
          cell: quoted(cell),
          place,
          currency,
          decimalPlacesOf: decimalPlacesOf(currency),
        })
      : phrase('statement.buildStatement.amountHasTooManyDecimals', {
          cell: quoted(cell),
          place,
          currency,
          decimalPlacesOf: decimalPlacesOf(currency),
        });
  }
  if (fault.code === 'amount_out_of_range') return phrase('statement.buildStatement.amountInIsTooLarge', { cell: quoted(cell), place });
  if (isNothing(cell)) return phrase('statement.buildStatement.theAmountInIsEmpty', { place });
  const unit = (AMOUNT_OF_UNIT.exec(cell) ?? []).slice(1).find((each) => each !== undefined);
  if (unit !== undefined) return phrase('statement.buildStatement.inIsAnAmount', { cell: quoted(cell), place, unit });
  return phrase('statement.buildStatement.inIsNotAnAmount', { cell: quoted(cell), place, example: '1234.50' });
}

/** Digits with capitals behind or before them, as exchanges write what they trade. */
const AMOUNT_OF_UNIT = /^[-+]?\d[\d.,]*\s?([A-Z]{3,6})$|^([A-Z]{3,6})\s?[-+]?\d[\d.,]*$/;

/** Serialised size in bytes; worked out only where the row is long enough to matter. */
function metadataBytes(row: WrittenRow, metadata: Readonly<Record<string, string>>): number {
  const characters = row.cells.reduce((sum, cell) => sum + cell.length, 0) + row.cells.length * LIMITS.metadataKeyLength;
  // A character is at most six bytes as JSON.
  return characters * 6 <= LIMITS.metadataBytes ? 0 : bytesOf(metadata);
}
