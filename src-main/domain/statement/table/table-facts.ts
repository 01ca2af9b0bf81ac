import { dayFromParts } from '../../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, decimalText, signedMinor } from '../../../../src-shared/values/money.ts';
import { TextCounts } from '../../collections/text-counts.ts';
import { whoseTable } from '../accounts/account-names.ts';
import { type DecimalMark, DIGITS_OF_GROUP, isNothing, MarkVotes } from '../cells/amounts.ts';
import { type DecidedOrder, exchangedDay, OrderFacts } from '../cells/date-order.ts';
import {
  DateExamples,
  type DateOrder,
  dateShape,
  type DateShape,
  dayOfShape,
  type DayWindow,
  monthNamed,
  plainWord,
  type StatedYears,
} from '../cells/dates.ts';
import { fieldsOf } from '../columns/fields.ts';
import { columnName, type Table } from '../columns/layout.ts';
import type { Settled } from '../columns/recipe.ts';
import type { Layout } from '../columns/table-columns.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import type { ReadOptions } from '../model/read-options.ts';
import type { UnderstoodColumn } from '../model/statement.ts';
import { AccountFacts, groupOf } from '../proof/table-accounts.ts';
import type { BalanceLine } from '../rows/balance-lines.ts';
import { WaitingFacts } from '../rows/pending.ts';
import { type BalanceSides, cellOf, type WrittenRow } from '../rows/sort-rows.ts';
import { strangersAmong, TornRow } from '../rows/truncated-row.ts';
import { meaningsOf } from '../vocabulary/header-words.ts';
import type { DecidedTable } from './questions.ts';
import { CurrencyFacts, currencyOfRow } from './file-currencies.ts';
import { MaySumUp } from './subtotal-rows.ts';
import { DirectionWords } from './unknown-directions.ts';
import { ValueOrderFacts } from './value-days.ts';
import type { Problem } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { note, RowNumbers } from '../model/problems.ts';
import { CardSignFacts, type CardSigns } from '../rows/card-signs.ts';
import { ColumnSignFacts, type ColumnSigns } from '../rows/column-signs.ts';
import { balanceAfter, type Candidate, SignFacts, type SignModel, type SignsAssumed, valueOf, writtenMinor } from '../rows/signs.ts';
import { FileCheck } from '../proof/balance-chain.ts';
import type { Anchors, ChosenReading, Reading } from '../proof/chain.ts';

/** Options for reading one table. */
export interface ReadingOptions extends ReadOptions {
  readonly settled: Settled | null;
  /** The table is a sheet of a workbook, which holds dates as dates. */
  readonly isSheet?: boolean;
}

/** Non-empty cells of each column that a preview shows. */
const SHOWN_SAMPLES = 3;

/**
 * Returns the other columns that hold only dates and whose header names a date, or that have no header. Without a header the cells must differ: a
 * sort code such as 11-22-33 reads as a date as well.
 */
export function otherDateColumns({ facts, headers, date }: Layout): readonly number[] {
  return facts
    .filter(({ index, filled, dates }) => index !== date && filled > 0 && dates === filled)
    .filter(({ index, distinct }) => {
      const header = headers[index] ?? '';
      return header === columnName(index) ? distinct > 1 : meaningsOf(header).some(({ meaning }) => meaning === 'date');
    })
    .map(({ index }) => index);
}

function hasDecimalComma(body: string): boolean {
  return body.includes(',') && /,\d{2}$/.test(body);
}

/**
 * Gathers facts over all rows of a table, in the order of the file. Its memory grows with the rows only by the ids seen and the numbers of pending
 * rows.
 */
export class TableFacts {
  readonly #layout: Layout;
  readonly #options: ReadingOptions;
  readonly #ids: TextCounts;
  readonly #sums: MaySumUp;
  readonly #currencies: CurrencyFacts;
  readonly #order = new OrderFacts();
  readonly #valueOrder = new ValueOrderFacts();
  readonly #dateExamples = new DateExamples();
  readonly #amounts: AmountFacts;
  readonly #accounts: AccountFacts;
  readonly #torn: TornRow;
  readonly #directionWords: DirectionWords;
  readonly #otherColumns: readonly number[];
  readonly #otherDates: DateShape[] = [];
  readonly #samples: string[][];
  #unsampled: number;
  #rows = 0;
  #hasDecimalComma = false;
  #areIdsSure: boolean;
  readonly waiting: WaitingFacts;
  /** Number of rows that may be sums of others. */
  maySumUp = 0;

  constructor(layout: Layout, options: ReadingOptions) {
    this.#layout = layout;
    this.#options = options;
    this.#ids = new TextCounts(options.spill);
    this.#sums = new MaySumUp(layout);
    this.#amounts = new AmountFacts(layout);
    this.#areIdsSure = layout.externalId !== null;
    this.#torn = new TornRow(layout);
    this.#directionWords = new DirectionWords(layout);
    const wished = options.currency?.toUpperCase() ?? null;
    this.#accounts = new AccountFacts(layout, (row) => currencyOfRow(row, layout, wished));
    this.#currencies = new CurrencyFacts(layout, options);
    this.#samples = layout.headers.map(() => []);
    this.#unsampled = layout.headers.length;
    this.#otherColumns = otherDateColumns(layout);
    this.waiting = new WaitingFacts(layout);
  }

  /** Adds a row; call in the order of the file. */
  add(row: WrittenRow): void {
    const waits = this.waiting.add(row);
    // A pending row may lack an id, because the bank gives it when it books.
    if (this.#areIdsSure && !(waits && isNothing(cellOf(row, this.#layout.externalId)))) {
      // Ids count only when every row of the file has its own; a sample does not prove that.
      const id = cellOf(row, this.#layout.externalId);
      this.#areIdsSure = !isNothing(id) && this.#ids.add(id) === 1;
      if (!this.#areIdsSure) this.#ids.close();
    }
    this.#currencies.add(row);
    if (!waits) this.#accounts.add(row);
    this.#torn.add(row);
    this.#directionWords.add(row);
    if (row.date !== null) {
      this.#order.add(row.date);
      if (this.#dateExamples.wants(row.date)) this.#dateExamples.add(row.date, cellOf(row, this.#layout.date));
    }
    if (row.valueDate !== null) this.#valueOrder.add(row.valueDate, row.date);
    this.#amounts.add(row);
    if (!this.#hasDecimalComma) this.#hasDecimalComma = hasDecimalComma((row.amount ?? row.paidIn ?? row.paidOut)?.body ?? '');
    if (this.#rows < STATEMENT_LIMITS.columnSampleRows) this.#addOtherDates(row);
    if (this.#unsampled > 0) this.#addSamples(row);
    if (this.#sums.is(row)) this.maySumUp += 1;
    this.#rows += 1;
  }

  /** Frees the ids; call when the facts are not needed or no more rows follow. */
  close(): void {
    this.#ids.close();
  }

  #addOtherDates(row: WrittenRow): void {
    for (const column of this.#otherColumns) {
      const shape = dateShape(cellOf(row, column));
      if (shape !== null) this.#otherDates.push(shape);
    }
  }

  #addSamples(row: WrittenRow): void {
    for (const [index, samples] of this.#samples.entries()) {
      const cell = cellOf(row, index);
      if (cell === '' || samples.length === SHOWN_SAMPLES) continue;
      samples.push(cell);
      if (samples.length === SHOWN_SAMPLES) this.#unsampled -= 1;
    }
  }

  get rows(): number {
    return this.#rows;
  }

  /** Whether every row so far has an id of its own. */
  get areIdsSure(): boolean {
    return this.#areIdsSure;
  }

  /** Returns the decisions about the table; call once, after the last row. */
  decided(table: Table, sides: BalanceSides): DecidedTable {
    this.close();
    const layout = this.#areIdsSure || this.#layout.externalId === null ? this.#layout : { ...this.#layout, externalId: null };
    const { settled, filename } = this.#options;
    const currencies = this.#currencies.decided(table, sides);
    const fixedOrder = settled?.date_order ?? null;
    const decided = this.#order.decided({
      otherShapes: [...this.#otherDates, ...datesAbove(table)],
      filename,
      currency: currencies.known ? currencies.main : null,
      decimalComma: this.#hasDecimalComma,
      years: layout.dateForm === 'no_year' ? statedYears(table.preamble, [...sides.openingSide, ...sides.closingSide]) : null,
    });
    const ofSheet = this.#options.isSheet === true ? this.#order.exchangedAlone(fixedOrder, datesAbove(table)) : null;
    const exchanged = this.#order.exchanged(fixedOrder) ?? ofSheet;
    const settledOrder =
      fixedOrder === null ? decided : { order: fixedOrder, assumedBecause: null, ...(decided.years && { years: decided.years }) };
    // Exchanged dates fix the order: their texts show it.
    const order = exchanged === null ? settledOrder : { ...settledOrder, order: exchanged.order, exchanged };
    const fixed = {
      model: settled?.sign_model ?? null,
      isModelOfPerson: (this.#options.answers?.sign_model ?? null) !== null,
      mark: settled?.decimal_mark ?? null,
    };
    const { list, ...ofAmounts } = this.#amounts.candidates(layout, sides, fixed, decimalPlacesOf(currencies.main), [
      filename,
      ...table.preamble.flatMap(({ cells }) => cells),
    ]);
    return {
      layout,
      currencies,
      strangers: strangersAmong(this.#options.accepted, currencies.all),
      order,
      valueOrder: this.#valueOrder.decided(order),
      areValueDatesTurned: this.#valueOrder.areTurned(order, fixedOrder),
      candidates: list,
      ...ofAmounts,
      columns: this.#columns(layout),
      dates: this.#dateExamples.list,
      directionWords: this.#directionWords.decided(),
      torn: this.#torn.found(),
      waiting: this.waiting.decided(),
      named: this.#accounts.list(currencies.settled),
      whose: whoseTable(table.preamble, filename),
    };
  }

  #columns(layout: Layout): readonly UnderstoodColumn[] {
    return fieldsOf(layout).map((one, index) => {
      const samples = this.#samples[index] ?? [];
      const isUnused = samples.length === 0 && one.role === 'metadata';
      return {
        index,
        header: layout.headers[index] ?? '',
        name: layout.names[index] ?? '',
        role: isUnused ? 'ignored' : one.role,
        field: isUnused ? null : one.field,
        samples,
      };
    });
  }
}

const DATE_IN_TEXT = /(?<!\d)\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d{2})(?!\d)/g;

/** Returns the dates in the lines above the table, also inside texts, because the same bank wrote them. */
function datesAbove({ preamble }: Pick<Table, 'preamble'>): readonly DateShape[] {
  const found = preamble.flatMap((row) => row.cells.flatMap((cell) => cell.match(DATE_IN_TEXT) ?? []));
  return found.map(dateShape).filter((shape) => shape !== null);
}

/** Returns the day of a row under the decided order of day and month; null where it has none. */
export function dayOf(row: WrittenRow, { order, years, exchanged }: DecidedOrder): number | null {
  const day = row.date === null ? null : dayOfShape(row.date, order, years?.byOrder);
  return day !== null && exchanged?.isTurned === true && row.date?.kind === 'settled' ? exchangedDay(day) : day;
}

/** Returns the value day of a row under the decided order of value dates; null where it has none. */
export function valueDayOf(
  row: WrittenRow,
  { order, valueOrder, areValueDatesTurned }: Pick<DecidedTable, 'order' | 'valueOrder' | 'areValueDatesTurned'>,
): number | null {
  const day = row.valueDate === null ? null : dayOfShape(row.valueDate, valueOrder, order.years?.byOrder);
  return day !== null && areValueDatesTurned && row.valueDate?.kind === 'settled' ? exchangedDay(day) : day;
}

/** Days that a text names: a single one, a month, a year. */
interface SaidDays {
  readonly row: number;
  readonly isBegin: boolean;
  readonly range: (order: DateOrder) => { readonly first: number; readonly last: number } | null;
}

const ACCEPTED =
  /(?:^| )(?:period|periodo|periode|periodos|statement|from|to|until|through|between|month|cycle|closing|balance|zeitraum|auszug|kontoauszug|von|vom|bis|monat|saldo|kontostand|stichtag|abrechnung|abrechnungsmonat|releve|arrete|du|au|mois|solde|dal|al|mese|desde|hasta|extracto|corte|mes|extrato|estratto|wyciag|okres|obdobi|vypis|utskrift|kontoutdrag|kontoudskrift|ajanjakso|periood|periodas|year|jahr|annee|ano|anno|rok|год|период|выписка)(?= |$)|期间|期間|账单|帳單|对账|明细/;
/** Words for days that do not concern the rows. */
const REFUSED =
  /(?:^| )(?:due|expir\w*|valid\w*|birth|opened|since|geburt\w*|gultig\w*|fallig\w*|echeance|vencimiento|vencimento|scadenza|limit|next|export\w*|downloaded|download|generated|created|printed|erstellt|gedruckt|edite|abgerufen|generado|nr|no|number|nummer)(?= |$)/;
const BEGIN =
  /(?:^| )(?:from|von|vom|du|dal|desde|start\w*|begin\w*|opening|brought|anfang\w*|initial|anterior|precedente?|previous)(?= |$)/;
const YEAR = /(?:^| )(?:year|jahr|annee|ano|anno|rok|год)(?= |$)/;

const DAYS =
  /(?<![\d.,])(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2})|\d{4}年\d{1,2}月\d{1,2}日|(?:19|20)\d{6}|\d{1,2}(?:st|nd|rd|th)?\.?(?: de)?[\s-]?\p{L}{3,12}\.?,?(?: de)?[\s-]\d{4}|\p{L}{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})(?!\d)/gu;
const NAMED_MONTH = /(\p{L}{3,12})\.?\s+(?:de\s+)?((?:19|20)\d{2})(?!\d)/u;
const NUMBERED_MONTH = /(?<![\d/.-])(\d{1,2})[/.-]((?:19|20)\d{2})(?![\d/.-])/;
const YEAR_ALONE = /(?<![\d/.-])((?:19|20)\d{2})(?![\d/.-])/;
const LONGEST = 200;

/** Most days beyond the stated ones that rows may have, since they are booked later than they were made. */
const MOST_BEYOND = 60;
const DAYS_OF_YEAR = 365;
/** Days allowed behind the only stated day, or before it where it is the first one. */
const BEHIND_ONLY = 10;

/** Returns the years that lines above the table and balance lines state for rows without a year; null where they state none. */
function statedYears(preamble: readonly GridRow[], lines: readonly BalanceLine[]): StatedYears | null {
  const said = [
    ...preamble.flatMap((row, index) => saidInRow(row, preamble[index - 1] ?? null)),
    ...lines.flatMap((line) => saidInRow({ row: line.row, cells: line.cells }, null)),
  ];
  const [first] = said;
  if (first === undefined) return null;
  const byOrder = { dmy: windowOf(said, 'dmy'), mdy: windowOf(said, 'mdy') };
  return byOrder.dmy === null && byOrder.mdy === null ? null : { byOrder, row: first.row };
}

function saidInRow({ row, cells }: Pick<GridRow, 'row' | 'cells'>, above: GridRow | null): readonly SaidDays[] {
  const dated = cells.filter((cell) => cell.length <= LONGEST && daysIn(cell).length > 0).length;
  return cells.flatMap((cell, index) => {
    if (cell.length > LONGEST || !/\d{2}/.test(cell)) return [];
    const shapes = daysIn(cell);
    const own = wordsOf(cell);
    const label =
      own !== ''
        ? own
        : wordsOf(cells.slice(0, index).findLast((each) => wordsOf(each) !== '') ?? '') || wordsOf(above?.cells[index] ?? '');
    if (REFUSED.test(label)) return [];
    const isPair = shapes.length === 2 || (dated >= 2 && shapes.length === 1);
    if (!ACCEPTED.test(label) && !isPair && !isMonthAlone(cell)) return [];
    const isBegin = shapes.length === 1 && BEGIN.test(label);
    const ranges = shapes.length > 0 ? shapes.map(rangeOfDay) : [rangeOfMonth(cell, label)];
    return ranges.flatMap((range) => (range === null ? [] : [{ row, isBegin, range }]));
  });
}

/** Words beside the days of a text, with one blank between them. */
function wordsOf(text: string): string {
  return (plainWord(text.replace(DAYS, ' ')).match(/\p{L}+/gu) ?? [])
    .filter((word) => monthNamed(word) === null || ACCEPTED.test(word))
    .join(' ');
}

/** The days that a text names, in its order. */
export function daysIn(text: string): readonly DateShape[] {
  return (text.match(DAYS) ?? []).flatMap((found) => dateShape(found) ?? []);
}

function isMonthAlone(cell: string): boolean {
  const found = NAMED_MONTH.exec(cell);
  return found !== null && found[0].length === cell.trim().length && monthNamed(plainWord(found[1] ?? '')) !== null;
}

function rangeOfDay(shape: DateShape): SaidDays['range'] {
  return (order) => {
    const day = dayOfShape(shape, order);
    return day === null ? null : { first: day, last: day };
  };
}

/** The month or the year that a text names. */
function rangeOfMonth(text: string, label: string): SaidDays['range'] | null {
  const named = NAMED_MONTH.exec(text);
  const numbered = NUMBERED_MONTH.exec(text);
  const month = named === null ? Number(numbered?.[1] ?? 0) : (monthNamed(plainWord(named[1] ?? '')) ?? 0);
  const year = Number((month === 0 ? YEAR_ALONE.exec(text)?.[1] : (named ?? numbered)?.[2]) ?? 0);
  if (year === 0 || (month === 0 && !YEAR.test(label))) return null;
  const first = dayFromParts(year, month === 0 ? 1 : month, 1);
  const behind = month === 0 || month === 12 ? dayFromParts(year + 1, 1, 1) : dayFromParts(year, month + 1, 1);
  return first === null || behind === null ? null : () => ({ first, last: behind - 1 });
}

function windowOf(said: readonly SaidDays[], order: DateOrder): DayWindow | null {
  const ranges = said.flatMap(({ range, isBegin }) => {
    const found = range(order);
    return found === null ? [] : [{ ...found, isBegin }];
  });
  if (ranges.length === 0) return null;
  const from = Math.min(...ranges.map(({ first }) => first));
  const to = Math.max(...ranges.map(({ last }) => last));
  const days = to - from + 1;
  if (days > DAYS_OF_YEAR + 1) return null;
  if (days > 1) {
    const beyond = Math.max(0, Math.min(MOST_BEYOND, Math.floor((DAYS_OF_YEAR - days) / 2)));
    return { from, to, first: from - beyond, last: to + beyond };
  }
  const isBegin = ranges.every((range) => range.isBegin);
  const rest = DAYS_OF_YEAR - 1 - BEHIND_ONLY;
  return isBegin ? { from, to, first: from - BEHIND_ONLY, last: from + rest } : { from, to, first: to - rest, last: to + BEHIND_ONLY };
}

/** All readings that a file allows, and the choices still open. */
interface Candidates {
  readonly list: readonly Candidate[];
  readonly isMarkOpen: boolean;
  readonly assumedSigns: SignsAssumed | null;
  /** True where a recipe or a person sets the sign model, and no sign of the file contradicts it. */
  readonly isModelSaid: boolean;
  readonly columnSigns: ColumnSigns;
  readonly cardSigns: CardSigns;
  readonly hasFees: boolean;
  /** Rows whose amount states a refund in brackets. */
  readonly returns: RowNumbers;
}

/** Collects how amounts are written over all rows, in the order of the file. */
class AmountFacts {
  readonly #votes = new MarkVotes();
  readonly #signs = new SignFacts();
  readonly #columnSigns = new ColumnSignFacts();
  readonly #cardSigns: CardSignFacts;
  readonly #layout: Layout;
  readonly #returns = new RowNumbers();
  #hasFees = false;

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#cardSigns = new CardSignFacts(layout.headers);
  }

  add(row: WrittenRow): void {
    const { fee, amount } = this.#layout;
    this.#signs.add(row);
    if (amount === null) this.#columnSigns.add(row, this.#layout);
    else if (row.amount !== null && /[1-9]/.test(row.amount.body))
      this.#cardSigns.add(row.row, row.cells, cellOf(row, amount), row.amount.negative);
    if (fee !== null && !this.#hasFees) this.#hasFees = /[1-9]/.test(cellOf(row, fee));
    for (const shape of [row.amount, row.paidIn, row.paidOut, row.balance]) if (shape !== null) this.#votes.add(shape.body);
    if ((row.amount ?? row.paidIn ?? row.paidOut)?.hasReturn === true) this.#returns.add(row.row);
  }

  /** Returns every reading that the file allows; the first is the default without proof. `fixed` holds the choices of a recipe or a person. */
  candidates(layout: Layout, sides: BalanceSides, fixed: FixedReading, decimalPlaces: number, around: readonly string[]): Candidates {
    for (const line of [...sides.openingSide, ...sides.closingSide]) this.#votes.add(line.shape.body);
    const decided = this.#votes.decided(decimalPlaces);
    const tried: readonly (DecimalMark | null)[] =
      decided.open && decided.mark !== null ? [decided.mark, decided.mark === '.' ? ',' : '.'] : [decided.mark];
    const marks = fixed.mark === null ? tried : [fixed.mark];
    const columnSigns = this.#columnSigns.decided(layout);
    const cardSigns = this.#cardSigns.decided(around);
    const ofFile = this.#signs.models(layout, columnSigns.models, cardSigns);
    const isModelSaid = fixed.model !== null && (fixed.isModelOfPerson || !dropsSigns(fixed.model, ofFile, columnSigns));
    const models = isModelSaid && fixed.model !== null ? [fixed.model] : ofFile;
    const assumedSigns = isModelSaid ? null : this.#signs.assumed(layout, cardSigns);
    // The debt on a card rises with each purchase.
    const polarities =
      layout.literalDebitCredit || assumedSigns === 'card' || (layout.amount !== null && !isModelSaid && cardSigns.reading === 'open')
        ? ([1, -1] as const)
        : ([1] as const);
    const fees = this.#hasFees && layout.balance !== null ? ([0, -1, 1] as const) : ([0] as const);
    const list = fees.flatMap((fee) =>
      marks.flatMap((mark) => models.flatMap((model) => polarities.map((polarity) => ({ model, mark, polarity, fee })))),
    );
    return {
      list,
      hasFees: this.#hasFees,
      returns: this.#returns,
      isMarkOpen: decided.open && fixed.mark === null,
      assumedSigns,
      isModelSaid,
      columnSigns,
      cardSigns,
    };
  }
}

/** Choices already made about amounts; where one is null, all its values are tried. */
interface FixedReading {
  readonly model: SignModel | null;
  /** True where a person chose the model for this very file. */
  readonly isModelOfPerson: boolean;
  readonly mark: DecimalMark | null;
}

/** Whether a recipe from a file without minus signs would ignore the minus signs of this file. */
function dropsSigns(model: SignModel, ofFile: readonly SignModel[], { isMinusMeant }: ColumnSigns): boolean {
  return (model === 'columns' && isMinusMeant) || (model === 'direction' && ofFile[0] === 'direction_and_sign');
}

/** Checks the balances of a file under each of its readings at once, and chooses the reading for which they hold. */
export class ReadingCheck {
  readonly #layout: Layout;
  readonly #fileCurrency: string;
  readonly #checks: readonly { readonly candidate: Candidate; readonly check: FileCheck }[];
  #rows = 0;
  #hasSign = false;

  constructor(candidates: readonly Candidate[], layout: Layout, fileCurrency: string) {
    this.#layout = layout;
    this.#fileCurrency = fileCurrency;
    this.#checks = candidates.map((candidate) => ({ candidate, check: new FileCheck() }));
  }

  /** Rows in the order of the file. */
  add(row: WrittenRow, currency: string, day: number | null): void {
    if (row.unbooked !== null) return;
    this.#rows += 1;
    this.#hasSign ||= row.amount?.signed !== false;
    const group = groupOf(row, currency, this.#layout);
    for (const { candidate, check } of this.#checks) {
      const value = valueOf(row, currency, candidate, this.#layout);
      const signed = 'minor' in value ? candidate.polarity * signedMinor(value.minor, value.direction) : null;
      const balance = balanceAfter(row, currency, signed, candidate, this.#layout);
      check.add({ row: row.row, day, signed, balance, group });
    }
  }

  chosen(sides: BalanceSides, isMarkOpen: boolean): ChosenReading {
    const readings = this.#checks.map(({ candidate, check }) => ({
      ...candidate,
      isSameBalance: check.isSameBalance,
      ...check.result(anchorsOf(sides, (line) => writtenMinor(line.shape, this.#fileCurrency, candidate.mark))),
    }));
    const { opening } = anchorsOf(sides, (line) => writtenMinor(line.shape, this.#fileCurrency, readings[0]?.mark ?? null));
    const isBetween = this.#rows === 1 && opening?.firm === true;
    const judged = judge(readings, isBetween ? (this.#hasSign ? 'signed' : 'unsigned') : null);
    const isLoose = judged.proof === 'broken' && (this.#layout.isBalanceLoose || judged.reading.isSameBalance);
    const chosen = isLoose ? withoutBalances(judged.reading) : judged;
    const loose = isLoose ? [looseNote(this.#layout)] : [];
    const problems = [
      ...brokenNotes(chosen, this.#layout, this.#fileCurrency),
      ...loose,
      ...markNotes(isMarkOpen, chosen, this.#layout, this.#fileCurrency),
    ];
    return { ...chosen, problems };
  }
}

/** Returns a reading whose balances move by more than the rows: they then neither prove nor break anything. */
function withoutBalances(reading: Reading): { reading: Reading; proof: ChosenReading['proof'] } {
  const check = { ...reading.check, verified: 0, broken: 0, firstBreak: null, opening: null, closing: null };
  return { reading: { ...reading, check }, proof: 'unproved' };
}

function looseNote(layout: Layout): Problem {
  const name = layout.balance === null ? '' : (layout.names[layout.balance] ?? '');
  const message = phrase('statement.chooseReading.theColumnDoesNotRun', { name });
  return note('balance_not_running', message, null, name === '' ? null : name);
}

/**
 * Chooses among readings. `between` is set where the file is a single line, with or without a sign, after an opening balance; any balance behind it
 * then decides.
 */
function judge(readings: readonly Reading[], between: 'signed' | 'unsigned' | null): { reading: Reading; proof: ChosenReading['proof'] } {
  const standing = present(readings[0], 'the reading that stands without proof');
  const unproved = (): ChosenReading['proof'] => (standing.check.broken > 0 ? 'broken' : 'unproved');
  const passing = readings.filter((reading) => reading.check.broken === 0 && reading.check.verified > 0);
  const [first] = passing;
  if (first === undefined) return { reading: standing, proof: unproved() };
  if (passing.length > 1) return { reading: passing.includes(standing) ? standing : first, proof: 'unproved' };
  if (first.check.verified >= 2) return { reading: first, proof: 'proved' };
  // One row is too little evidence to invert the signs of a whole file, unless it has none.
  const isTurned = first.model === 'signed_inverted' && between !== 'unsigned';
  if (between !== null) return isTurned ? { reading: standing, proof: unproved() } : { reading: first, proof: 'proved' };
  return { reading: isTurned ? standing : first, proof: 'unproved' };
}

/** Returns the balances around the transactions that are the opening and the closing one. */
export function anchorsOf({ openingSide, closingSide }: BalanceSides, minorOfLine: (line: BalanceLine) => number | null): Anchors {
  const all = [...openingSide, ...closingSide];
  const anchor = (line: BalanceLine | undefined, firm: boolean): Anchors['opening'] => {
    const minor = line === undefined ? null : minorOfLine(line);
    return line === undefined || minor === null ? null : { minor, row: line.row, firm };
  };
  const opening = all.find((line) => line.kind === 'opening');
  const closing = all.findLast((line) => line.kind === 'closing');
  const above = openingSide.find((line) => line.kind === 'current');
  const below = closingSide.findLast((line) => line.kind === 'current');
  // A balance without a word for its time is the closing one; above the rows it is the opening one when another is below.
  const foundClosing =
    anchor(closing, closing !== undefined && (closingSide.includes(closing) || opening !== undefined)) ??
    anchor(below, true) ??
    anchor(above, false);
  const foundOpening =
    anchor(opening, true) ?? (foundClosing !== null && above !== undefined && foundClosing.row !== above.row ? anchor(above, false) : null);
  return { opening: foundOpening, closing: foundClosing };
}

function brokenNotes(
  chosen: { reading: Reading; proof: ChosenReading['proof'] },
  layout: Layout,
  fileCurrency: string,
): readonly Problem[] {
  const { firstBreak: first, broken } = chosen.reading.check;
  if (chosen.proof !== 'broken' || first === null) return [];
  const places = decimalPlacesOf(fileCurrency);
  const text = (minor: number): string => `${decimalText(minor, places)} ${fileCurrency}`;
  const difference = first.found - first.expected;
  const message = phrase('statement.chooseReading.balanceInRow', {
    row: first.row,
    found: text(first.found),
    expected: text(first.expected),
    abs: text(Math.abs(difference)),
    isDifference: difference > 0 ? 'yes' : 'no',
    others: broken - 1,
  });
  const column = layout.balance === null ? null : (layout.names[layout.balance] ?? null);
  return [note('balance_broken', message, first.row, column)];
}

/** Returns a note on the assumed decimal mark; for a currency with three decimals a question replaces it. */
function markNotes(
  isMarkOpen: boolean,
  chosen: { reading: Reading; proof: ChosenReading['proof'] },
  layout: Layout,
  currency: string,
): readonly Problem[] {
  if (!isMarkOpen || chosen.proof === 'proved' || decimalPlacesOf(currency) === DIGITS_OF_GROUP) return [];
  const mark = chosen.reading.mark === ',' ? 'comma' : 'point';
  const column = layout.names[layout.amount ?? layout.paidIn ?? layout.paidOut ?? 0] ?? null;
  return [note('decimal_mark_assumed', phrase('statement.chooseReading.amountsSuchAs1234Or', { mark }), null, column)];
}
