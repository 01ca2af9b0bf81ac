import { MOST_DIRECTION_WORDS } from '../../../../src-shared/contract/imports/import-recipes.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { EvenSample } from '../../collections/even-sample.ts';
import { amountShape, isNothing } from '../cells/amounts.ts';
import { type DateForm, dateFormOf, dateShape, isDataRow } from '../cells/dates.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { unreadable } from '../model/problems.ts';
import type { ReadOptions, TableRecipe } from '../model/read-options.ts';
import type { Unreadable } from '../model/statement.ts';
import { bookingOf } from '../vocabulary/booking.ts';
import { signInHeader } from '../vocabulary/currencies.ts';
import { directionWord, isInOrOut, saysDirectionOrNeither } from '../vocabulary/direction-words.ts';
import { isAmountOfOther, isCurrencyOfOther, isLiteralDebitCredit, isPocket, meaningsOf } from '../vocabulary/header-words.ts';
import type { Meaning } from '../vocabulary/meaning.ts';
import { type Choice, type ColumnFacts, factsOf, pick, take } from './column-facts.ts';
import { besideMoney, bookedPair, currencyColumns, moneyColumns, type MoneyColumns, sideOfBalance } from './money-columns.ts';
import { RUNNING_ROWS } from './running-columns.ts';
import { type Layout, namesOf, type SaidDirections } from './table-columns.ts';

/**
 * Finds the role of each column by the words of the header and by the content. `sample`: rows spread evenly over the file; `first`: consecutive rows
 * at its beginning.
 */
export function understandColumns(
  table: Table,
  sample: readonly GridRow[] = sampleOf(table.body),
  first: readonly GridRow[] = table.body,
): Result<Layout, Unreadable> {
  const width = widthOf(table, sample);
  const headers = Array.from({ length: width }, (_, index) => headerOf(table, index));
  const facts = factsOf(sample, width);
  const named = headers.map(
    (header) => new Map(meaningsOf(header.replace(/^#\s*/, '')).map((found) => [found.meaning, found.rank] as const)),
  );
  const meanings = namesOverTwo(table, facts, named);
  const choice: Choice = { facts, meanings, taken: new Set() };
  const headerRow = table.header?.row ?? null;
  if (table.header !== null && areDecimalsSplit(table.header.cells.length, sample)) {
    const message = phrase('statement.layout.theRowsHaveMoreCells');
    return failed(unreadable('not_csv', message, headerRow));
  }
  const date = dateColumn(choice, sample);
  if (date === null) {
    const message = phrase('statement.layout.noColumnHoldsDates', { other: '30/06/2026' });
    return failed(unreadable('no_date_column', message, headerRow));
  }
  choice.taken.add(date);
  const valueDates = valueDateColumn(choice, sample);
  const perCurrency = currencyColumns(headers, facts, sample);
  const seen = { sample, running: first.slice(0, RUNNING_ROWS), headers, hasHeader: table.header !== null, date };
  const money = moneyColumns(choice, seen, perCurrency);
  if (money === null) {
    const message = phrase('statement.layout.noColumnHoldsAmounts');
    return failed(unreadable('no_amount_column', message, headerRow));
  }
  const areSeveral = perCurrency.some(({ column }) => column === money.amount);
  const others = areSeveral ? perCurrency.map(({ column }) => column) : [];
  for (const index of [money.amount, money.paidIn, money.paidOut, money.balance, ...others]) if (index !== null) choice.taken.add(index);
  // Amounts with signs of their own do not need the sign of the balance.
  if (money.amount !== null && (facts[money.amount]?.negatives ?? 0) > 0) take(choice, sideOfBalance(headers, facts, money));
  const direction = money.amount === null ? null : take(choice, directionColumn(choice, money.amount, sample));
  const namedCurrency = currencyColumn(choice, money, headers);
  const booked = bookedPair(choice, money.amount, namedCurrency);
  const currency = take(choice, booked?.currency ?? namedCurrency);
  const externalId = take(
    choice,
    pick(choice, 'external_id', (one) => one.filled > 0 && one.filled === one.distinct),
  );
  const status = statusColumn(choice, sample);
  const account =
    pick(choice, 'account', (one) => one.filled === one.rows) ?? (money.balance === null ? null : pocketColumn(choice, headers));
  const asked = askedDirection(choice, direction === null ? money.amount : null, [status, account]);
  const description = take(choice, descriptionColumn(choice));
  const pair = [money.paidIn, money.paidOut].filter((index) => index !== null);
  const literalDebitCredit = pair.length > 0 && pair.every((index) => isLiteralDebitCredit(headers[index] ?? ''));
  const byRecipe = { reference: null, ignored: new Set<number>() };
  const parts = { direction, ...asked, currency, externalId, status, account, description, literalDebitCredit, ...valueDates };
  const amounts = { ...money, amount: booked?.amount ?? money.amount };
  const beside = besideMoney(headers, facts, amounts, direction);
  return success({
    headers,
    names: namesOf(headers),
    facts,
    date,
    dateForm: formOfDates(sample, date),
    ...amounts,
    ...beside,
    ...parts,
    currencyColumns: areSeveral ? perCurrency : [],
    ...byRecipe,
  });
}

const MOST_POCKETS = 20;
const MONEY = ['amount', 'paid_in', 'paid_out', 'balance'] as const;

/** A money header may span two columns, the currency and the amount; the second has no header then. */
function namesOverTwo(table: Table, facts: readonly ColumnFacts[], meanings: Choice['meanings']): Choice['meanings'] {
  const isOverTwo = (index: number): boolean => {
    const [first, second] = [facts[index], facts[index + 1]];
    if (table.header === null || first === undefined || second === undefined || (table.header.cells[index + 1] ?? '') !== '') return false;
    const isMoney = MONEY.some((meaning) => meanings[index]?.has(meaning) === true);
    return isMoney && first.filled > 0 && first.codes === first.filled && second.filled > 0 && second.money === second.filled;
  };
  return meanings.map((own, index) => {
    if (isOverTwo(index)) return new Map([['currency', own.has('balance') ? 4 : 10] as const]);
    return index > 0 && isOverTwo(index - 1) ? (meanings[index - 1] ?? own) : own;
  });
}

/** Whether a column holds the currencies of the booked amounts, not those of amounts paid elsewhere. */
function isCurrency(
  { index, filled, currencies }: ColumnFacts,
  { amount, paidIn, paidOut }: MoneyColumns,
  headers: readonly string[],
  meanings: Choice['meanings'],
): boolean {
  const booked = [amount, paidIn, paidOut].filter((column) => column !== null);
  const others = booked.some((column) => isAmountOfOther(headers[column] ?? ''));
  const saysItself = booked.some((column) => signInHeader(headers[column] ?? '') !== null);
  const isBehindOther = saysItself && !booked.includes(index - 1) && meanings[index - 1]?.has('amount') === true;
  const isOfOther = isCurrencyOfOther(headers[index] ?? '') || isBehindOther;
  return filled > 0 && currencies * 2 >= filled && (!isOfOther || others || booked.includes(index - 1));
}

function currencyColumn(choice: Choice, money: MoneyColumns, headers: readonly string[]): number | null {
  const mayBe = (one: ColumnFacts): boolean => isCurrency(one, money, headers, choice.meanings);
  return (
    currencyBeside(choice, [money.amount ?? money.paidOut, money.paidIn], mayBe) ?? pick(choice, 'currency', mayBe) ?? codeColumn(choice)
  );
}

/** Returns the currency column directly behind or before an amount that is not named after another amount. */
function currencyBeside(
  { facts, meanings, taken }: Choice,
  booked: readonly (number | null)[],
  mayBe: (one: ColumnFacts) => boolean,
): number | null {
  const places = booked.flatMap((column) => (column === null ? [] : [column + 1, column - 1]));
  const found = places.find((index) => {
    const one = facts[index];
    return one !== undefined && !taken.has(index) && meanings[index]?.get('currency') === SURE_CURRENCY && mayBe(one);
  });
  return found ?? null;
}

const SURE_CURRENCY = 10;

/** Whether each row has cells beyond the header, and as many places where two digits follow a whole number: `-12,50` without quotation marks. */
function areDecimalsSplit(named: number, sample: readonly GridRow[]): boolean {
  const surplus = sample.map(({ cells }) => cells.findLastIndex((cell) => cell !== '') + 1 - named);
  const most = Math.max(0, ...surplus);
  return (
    most > 0 &&
    sample.every(({ cells }, index) => {
      const halves = cells.filter((cell, at) => /^[-+]?\d+$/.test(cell) && /^\d{2}$/.test(cells[at + 1] ?? '')).length;
      return surplus[index] === most && halves >= most;
    })
  );
}

export function headerOf(table: Table, index: number): string {
  return table.header?.cells[index]?.replaceAll(/\s+/g, ' ') || columnName(index);
}

/** Returns the name of a column without a header. */
export function columnName(index: number): string {
  return `Column ${index + 1}`;
}

/** Returns rows of data, spread evenly over the file; where no row looks like data, the filled rows. */
export function sampleOf(body: readonly GridRow[]): readonly GridRow[] {
  const sample = new EvenSample<GridRow>(STATEMENT_LIMITS.columnSampleRows);
  for (const row of body) sample.add(row);
  return sampleOfSome(sample.items);
}

/** Returns those of `rows` that hold data; where none does, the filled ones. */
export function sampleOfSome(rows: readonly GridRow[]): readonly GridRow[] {
  const some = rows.filter((row) => !isBlank(row));
  const data = some.filter((row) => isDataRow(row.cells));
  return data.length > 0 ? data : some;
}

/** Returns how many columns a table has. */
export function widthOf(table: Table, sample: readonly GridRow[]): number {
  const named = table.header?.cells.length ?? 0;
  const wider = sample.filter((row) => row.cells.some((cell, index) => index >= named && cell !== '')).length;
  if (table.header !== null && wider * 2 <= sample.length) return named;
  return sample.reduce((width, row) => Math.max(width, row.cells.length), named);
}

/** Returns the column that is called a status, or else one whose cells all state whether their rows are booked, with both answers among them. */
function statusColumn(choice: Choice, sample: readonly GridRow[]): number | null {
  const named = pick(choice, 'status', (one) => one.filled > 0 && one.dates === 0);
  if (named !== null) return named;
  const found = choice.facts.find(({ index, filled, rows, distinct, money, dates }) => {
    const isFree = !choice.taken.has(index) && !SAYS_OTHER.some((meaning) => choice.meanings[index]?.has(meaning) === true);
    if (!isFree || filled < 2 || filled < rows || distinct < 2 || distinct > MOST_STATES || money + dates > 0) return false;
    const said = new Set(sample.map(({ cells }) => bookingOf(cells[index] ?? '')));
    return said.has('booked') && said.has('pending') && !said.has(null);
  });
  return found?.index ?? null;
}

const MOST_STATES = 8;
/** Text in such a column may be about something pending. */
const SAYS_OTHER = ['description', 'reference', 'external_id', 'account', 'currency'] as const;

/** Returns a column of pockets: parts of one account, each with a balance of its own. */
function pocketColumn({ facts, taken }: Choice, headers: readonly string[]): number | null {
  const found = facts.find(
    ({ index, filled, rows, distinct, money }) =>
      !taken.has(index) && filled === rows && money === 0 && distinct <= MOST_POCKETS && isPocket(headers[index] ?? ''),
  );
  return found?.index ?? null;
}

/** Returns how a column that is called a date writes dates as digits alone. */
export function formOfDates(sample: readonly GridRow[], column: number): DateForm | null {
  return dateFormOf(sample.map((row) => row.cells[column] ?? '').filter((cell) => !isNothing(cell)));
}

function dateColumn(choice: Choice, sample: readonly GridRow[]): number | null {
  const named = pick(choice, 'date', (one) => one.filled > 0 && one.dates * 2 >= one.filled);
  if (named !== null) return named;
  const dated = choice.facts.filter((one) => one.filled > 0 && one.dates * 2 >= one.filled && one.filled * 2 >= one.rows);
  // The day of the export, equal in each row, is not the day of the transactions.
  const varied = dated.find((one) => one.distinct > 2);
  const byContent = dated[0]?.distinct === 1 ? (varied ?? dated[0]) : dated[0];
  return byContent?.index ?? pick(choice, 'date', ({ index }) => formOfDates(sample, index) !== null) ?? pick(choice, 'date', () => true);
}

/** Returns a column that is called a value date, or the date of a document, and holds dates. */
function valueDateColumn(choice: Choice, sample: readonly GridRow[]): Pick<Layout, 'valueDate' | 'valueDateForm'> {
  const form = (index: number): DateForm | null => formOfDates(sample, index);
  const found = pick(choice, 'value_date', ({ index, filled, dates }) => filled > 0 && (dates * 2 >= filled || form(index) !== null));
  return { valueDate: take(choice, found), valueDateForm: found === null ? null : form(found) };
}

/** Returns the direction column. One that is only called a type does not count where the signs of the amounts contradict it. */
function directionColumn(choice: Choice, amount: number, sample: readonly GridRow[]): number | null {
  const isDirection = (one: ColumnFacts): boolean =>
    one.filled + one.minuses > 0 &&
    (one.filled + one.minuses) * 10 >= one.rows * 9 &&
    one.creditWords + one.debitWords === one.filled &&
    (one.minuses === 0 || one.creditWords > 0);
  // A wallet also lists transfers between its pockets.
  const isMostly = (one: ColumnFacts): boolean =>
    choice.meanings[one.index]?.get('direction') === SURE_DIRECTION &&
    one.creditWords + one.debitWords > 0 &&
    ((one.creditWords > 0 && one.debitWords > 0 && (one.creditWords + one.debitWords) * 10 >= one.rows * 7) ||
      sample.every((row) => saysDirectionOrNeither(row.cells[one.index] ?? '')));
  const agrees = (one: ColumnFacts): boolean =>
    (choice.meanings[one.index]?.get('direction') ?? 0) >= SURE_DIRECTION || !contradicts(sample, one.index, amount);
  const negatives = choice.facts[amount]?.negatives ?? 0;
  // A card says CR beside its payments, and nothing beside what was spent.
  const isCreditsOnly = (one: ColumnFacts): boolean =>
    choice.meanings[one.index]?.get('direction') === SURE_DIRECTION &&
    Math.abs(one.index - amount) === 1 &&
    one.creditWords > 0 &&
    one.creditWords === one.filled &&
    one.letters === one.filled &&
    one.minuses === 0 &&
    negatives === 0;
  // `O` alone may mean anything, except under a header that names a direction.
  const isScheme = (one: ColumnFacts): boolean =>
    choice.meanings[one.index]?.get('direction') === SURE_DIRECTION ||
    (one.creditWords > 0 && one.debitWords > 0) ||
    !sample.some((row) => isInOrOut(row.cells[one.index] ?? ''));
  const isNamed = (one: ColumnFacts): boolean => (isDirection(one) && agrees(one)) || isMostly(one) || isCreditsOnly(one);
  const named = pick(choice, 'direction', (one) => isNamed(one) && isScheme(one));
  if (named !== null) return named;
  const saysBoth = choice.facts.filter(
    (one) =>
      negatives === 0 &&
      !choice.taken.has(one.index) &&
      isDirection(one) &&
      isScheme(one) &&
      one.creditWords > 0 &&
      one.debitWords + one.minuses > 0,
  );
  const unnamed = saysBoth.find(({ index }) => choice.meanings[index]?.size === 0);
  // A column counts, whatever its name, if each row says deposit or withdrawal: nothing else shows the direction.
  return (unnamed ?? saysBoth.find(({ filled, rows, debitWords }) => filled === rows && debitWords > 0))?.index ?? null;
}

const SURE_DIRECTION = 10;

/** Whether amounts have signs, and some of them contradict the words beside them. */
function contradicts(sample: readonly GridRow[], direction: number, amount: number): boolean {
  const rows = sample.flatMap((row) => {
    const shape = amountShape(row.cells[amount] ?? '');
    return shape === null ? [] : [{ isNegative: shape.negative, word: directionWord(row.cells[direction] ?? '') }];
  });
  return rows.some(({ isNegative }) => isNegative) && rows.some(({ isNegative, word }) => (word === 'debit') !== isNegative);
}

function codeColumn(choice: Choice): number | null {
  const found = choice.facts.find(
    (one) => !choice.taken.has(one.index) && one.filled === one.rows && one.codes === one.filled && choice.meanings[one.index]?.size === 0,
  );
  return found?.index ?? null;
}

function descriptionColumn(choice: Choice): number | null {
  const hasText = (one: ColumnFacts): boolean => one.letters > 0 && (one.distinct > 1 || one.rows < 4);
  const named = pick(choice, 'description', hasText) ?? pick(choice, 'description', (one) => one.filled > 0);
  if (named !== null) return named;
  let best: ColumnFacts | null = null;
  for (const one of choice.facts) {
    const meanings = choice.meanings[one.index];
    if (
      choice.taken.has(one.index) ||
      !hasText(one) ||
      one.letters * 2 < one.filled ||
      one.dates > 0 ||
      one.creditWords + one.debitWords === one.filled
    )
      continue;
    if (
      meanings !== undefined &&
      (meanings.has('reference') ||
        meanings.has('status') ||
        meanings.has('account') ||
        meanings.has('currency') ||
        meanings.has('external_id') ||
        meanings.has('direction'))
    )
      continue;
    if (best === null || isMoreOfAText(one, best)) best = one;
  }
  return best?.index ?? null;
}

/** Whether `one` is more of a text: texts rank before account numbers, and varied values before repeated kinds. */
function isMoreOfAText(one: ColumnFacts, other: ColumnFacts): boolean {
  const [own, others] = [one.textCharacters * one.distinct, other.textCharacters * other.distinct];
  return own === others ? one.characters > other.characters : own > others;
}

/** Most different words under a header that names a direction, and under one that is less clear: a list of kinds is longer. */
const MOST_WORDS_NAMED = MOST_DIRECTION_WORDS;
const MOST_WORDS_OF_TYPE = 4;
/** Longest word in a column without a header: it qualifies with two short words right beside the amount. */
const LONGEST_UNNAMED = 20;

/** Fewest rows for a column without a header: a handful of amounts without a sign may well be money in. */
const LEAST_ROWS = 5;

/** At most one amount in this many has a minus where words state the direction. */
const ROWS_PER_MINUS = 10;

/** Returns the column to ask about, where no known column states the direction of the amounts in `amount`. `others`: columns of another meaning. */
function askedDirection(choice: Choice, amount: number | null, others: readonly (number | null)[]) {
  const column = amount === null ? null : unknownDirectionColumn(choice, amount);
  return { askedDirection: others.includes(column) ? null : column, saidDirections: null };
}

/** Returns a column that may state in and out by unknown words; only where hardly an amount has a sign. */
function unknownDirectionColumn(choice: Choice, amount: number): number | null {
  const { negatives, filled: amounts } = choice.facts[amount] ?? { negatives: 0, filled: 0 };
  const rankOf = (index: number): number => choice.meanings[index]?.get('direction') ?? 0;
  const free = choice.facts.filter(({ index, filled, dates, codes }) => {
    return !choice.taken.has(index) && filled > 0 && dates === 0 && (codes < filled || rankOf(index) >= SURE_DIRECTION);
  });
  const found = free.filter(({ filled, rows, money }) => filled === rows && money === 0);
  // Words of a direction recur; with two words in a small table one of them does.
  const recur = ({ distinct, rows }: ColumnFacts): boolean => distinct * 2 <= rows || (distinct === 2 && rows > 2);
  // Under a header that names a direction the words may be numbers, some rows may lack them, and one amount in ten may be a reversal.
  const named = free.find(
    (one) =>
      rankOf(one.index) >= SURE_DIRECTION &&
      one.filled * 2 > one.rows &&
      one.surelyMoney === 0 &&
      one.distinct <= MOST_WORDS_NAMED &&
      (one.distinct <= MOST_WORDS_OF_TYPE || recur(one)),
  );
  if (negatives > 0) return negatives * ROWS_PER_MINUS <= amounts ? (named?.index ?? null) : null;
  // `O` alone is asked about as well: in a scheme of in and out it means money out.
  const mayTell = ({ distinct, debitWords, filled }: ColumnFacts): boolean => distinct > 1 || debitWords === filled;
  const ofType = found.find((one) => rankOf(one.index) > 0 && mayTell(one) && one.distinct <= MOST_WORDS_OF_TYPE && recur(one));
  const unnamed = found.find(
    ({ index, distinct, rows, characters, letters }) =>
      choice.meanings[index]?.size === 0 &&
      Math.abs(index - amount) === 1 &&
      distinct === 2 &&
      rows >= LEAST_ROWS &&
      letters === rows &&
      characters <= rows * LONGEST_UNNAMED,
  );
  return (named ?? ofType ?? unnamed)?.index ?? null;
}

/** Returns the layout with the meanings that a recipe or a person gives to its words. */
export function withSaidDirections(layout: Layout, recipe: TableRecipe | null, answers: ReadOptions['answers']): Layout {
  const ofRecipe = recipe?.direction_words ?? null;
  const out = answers?.money_out ?? null;
  const column = layout.direction ?? layout.askedDirection;
  if (out === null || column === null)
    return ofRecipe === null ? layout : { ...layout, saidDirections: { ...ofRecipe, areOthersIn: false } };
  // No word means money out, not even a known one: then the column is not a direction.
  const saysOut = (layout.facts[column]?.debitWords ?? 0) > 0;
  if (out.length === 0 && layout.direction === null && !saysOut) return { ...layout, askedDirection: null };
  const isOut = new Set(out.map(plain));
  return {
    ...layout,
    direction: column,
    description: layout.description === column ? null : layout.description,
    saidDirections: {
      in: (ofRecipe?.in ?? []).filter((word) => !isOut.has(plain(word))),
      out: [...out, ...(ofRecipe?.out ?? []).filter((word) => !isOut.has(plain(word)))],
      areOthersIn: true,
    },
  };
}

/** Returns a function that gives the direction of a word, or undefined where neither recipe nor person gives one. */
export function directionLookup(said: SaidDirections | null): (word: string) => 'credit' | 'debit' | undefined {
  if (said === null) return () => undefined;
  const stated = new Map([
    ...said.in.map((word) => [plain(word), 'credit'] as const),
    ...said.out.map((word) => [plain(word), 'debit'] as const),
  ]);
  return (word) => stated.get(plain(word));
}

/** Returns the form in which words are compared. */
export function plain(word: string): string {
  return word.trim().toLowerCase();
}

/** The parts of a file: lines above the header, the header, and everything below. */
export interface Table {
  readonly preamble: readonly GridRow[];
  readonly header: GridRow | null;
  readonly body: readonly GridRow[];
  /** Whether the words of the header were understood; otherwise only its form was recognised. */
  readonly knownHeader: boolean;
  /** Rows at the end that a recipe leaves out. */
  readonly footer?: readonly number[];
}

const MONEY_MEANINGS: ReadonlySet<Meaning> = new Set(['amount', 'paid_in', 'paid_out']);

/** Most characters of a cell that may be the name of a column. */
const LONGEST_NAME = 80;
const MIN_NAMES_BEFORE_REMARK = 3;

export function isBlank(row: GridRow): boolean {
  return row.cells.every((cell) => cell === '');
}

/** Finds the header by its words, or else by its form (a row of texts directly above the first row of data); otherwise the table has none. */
export function findTable(rows: readonly GridRow[]): Table {
  const byWords = headerByWords(rows);
  const index = byWords ?? headerByForm(rows);
  if (index === null) return tableWithoutHeader(rows);
  const [alone, together] = headersAt(rows, index);
  if (alone === undefined) return tableWithoutHeader(rows);
  const chosen = together !== undefined && knownNames(together) > knownNames(alone) ? together : alone;
  return tableAt(rows, index, chosen, byWords !== null);
}

/** A header and the number of rows it takes. */
interface HeaderRows {
  readonly header: GridRow;
  readonly rows: number;
}

/**
 * Returns the headers that may begin in a row: the row alone, and the row joined with a row of texts below it, as in `Booking | Value` above `date |
 * date`.
 */
export function headersAt(rows: readonly GridRow[], index: number): readonly HeaderRows[] {
  const [first, second] = [rows[index], rows[index + 1]];
  if (first === undefined) return [];
  const alone = { header: first, rows: 1 };
  const below = second?.cells.filter((cell) => cell !== '') ?? [];
  if (second === undefined || below.length < 2 || below.length > first.cells.length || !below.every(isText)) return [alone];
  const cells = Array.from({ length: Math.max(first.cells.length, second.cells.length) }, (_, at) =>
    `${first.cells[at] ?? ''} ${second.cells[at] ?? ''}`.trim(),
  );
  return [alone, { header: { row: first.row, cells }, rows: 2 }];
}

/** Returns the table whose header begins in a row. */
export function tableAt(rows: readonly GridRow[], index: number, { header, rows: used }: HeaderRows, knownHeader: boolean): Table {
  return { preamble: rows.slice(0, index), header, body: rows.slice(index + used), knownHeader };
}

function isText(cell: string): boolean {
  return cell.length <= 60 && dateShape(cell) === null && amountShape(cell) === null;
}

function knownNames({ header }: HeaderRows): number {
  return new Set(header.cells.filter((cell) => meaningsOf(cell).length > 0)).size;
}

/** Returns a table without a header, which begins with the first row of data. */
export function tableWithoutHeader(rows: readonly GridRow[]): Table {
  const start = Math.max(
    rows.findIndex((row) => isDataRow(row.cells)),
    0,
  );
  return { preamble: rows.slice(0, start), header: null, body: rows.slice(start), knownHeader: false };
}

function headerByWords(rows: readonly GridRow[]): number | null {
  let best: { index: number; score: number } | null = null;
  const limit = Math.min(rows.length, STATEMENT_LIMITS.headerSearchRows);
  for (let index = 0; index < limit; index += 1) {
    const cells = rows[index]?.cells ?? [];
    if (best !== null && isDataRow(cells)) break;
    const score = headerScore(cells);
    if (score > (best?.score ?? 0)) best = { index, score };
  }
  return best?.index ?? null;
}

/** Returns a score that grows with the count of understood cells, or 0 where the row does not name a date and money, or holds either. */
function headerScore(cells: readonly string[]): number {
  let dates = 0;
  let money = 0;
  let known = 0;
  let filled = 0;
  let remarks = 0;
  for (const cell of cells) {
    if (cell === '') continue;
    filled += 1;
    if (cell.length > LONGEST_NAME) {
      remarks += 1;
      continue;
    }
    if (dateShape(cell) !== null || amountShape(cell) !== null) return 0;
    const meanings = meaningsOf(cell.replace(/^#\s*/, ''));
    if (meanings.length > 0) known += 1;
    if (meanings.some((found) => found.meaning === 'date')) dates += 1;
    if (meanings.some((found) => MONEY_MEANINGS.has(found.meaning))) money += 1;
  }
  // A bank may write one remark behind the names.
  if (remarks > (known >= MIN_NAMES_BEFORE_REMARK ? 1 : 0)) return 0;
  const enough = filled >= 2 && ((dates > 0 && money > 0) || (known >= 3 && dates + money > 0));
  return enough ? known + (dates > 0 && money > 0 ? 100 : 0) : 0;
}

function headerByForm(rows: readonly GridRow[]): number | null {
  const first = rows.findIndex((row) => isDataRow(row.cells));
  if (first <= 0) return null;
  for (let index = first - 1; index >= 0; index -= 1) {
    const row = rows[index];
    if (row === undefined || isBlank(row)) continue;
    const filled = row.cells.filter((cell) => cell !== '');
    const width = rows[first]?.cells.length ?? 0;
    const isTexts = filled.every(isText);
    // Names may repeat, but a row that mostly repeats one text is not a header.
    const isNaming = filled.length >= 2 && new Set(filled).size * 2 > filled.length;
    return isTexts && isNaming && filled.length * 2 >= width ? index : null;
  }
  return null;
}
