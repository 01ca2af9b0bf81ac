import { failed, success } from '../../../src-shared/values/result.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import { minorOf, amountShape, decideMark, isNothing } from './amounts.ts';
import { EvenSample } from './even-sample.ts';
import { factsOf } from './column-facts.ts';
import { namesOf } from './column-names.ts';
import type { ColumnFacts } from './column-facts.ts';
import { type DateForm, dateFormOf } from './date-forms.ts';
import { isDataRow } from './dialect.ts';
import type { GridRow } from './grid.ts';
import { isLiteralDebitCredit, meaningsOf } from './header-words.ts';
import type { Meaning } from './header-words.ts';
import { STATEMENT_LIMITS } from './limits.ts';
import { unreadable } from './sentences.ts';
import { isBlank } from './table.ts';
import type { Table } from './table.ts';
import type { Unreadable } from './types.ts';

/** Which column plays which part; indices from 0, null where none does. */
export interface Layout {
  /** Header texts; `Column 3` where the file has none. Several may be equal. */
  readonly headers: readonly string[];
  /** What a person calls the columns; no two are equal. */
  readonly names: readonly string[];
  readonly facts: readonly ColumnFacts[];
  readonly date: number;
  /** Where its cells are digits that say a date only under this header. */
  readonly dateForm: DateForm | null;
  readonly amount: number | null;
  readonly paidIn: number | null;
  readonly paidOut: number | null;
  readonly direction: number | null;
  readonly balance: number | null;
  readonly currency: number | null;
  readonly description: number | null;
  readonly externalId: number | null;
  readonly status: number | null;
  readonly account: number | null;
  /** Named by a recipe; else found by what the columns hold. */
  readonly reference: number | null;
  /** Columns whose cells a recipe leaves out. */
  readonly ignored: ReadonlySet<number>;
  readonly literalDebitCredit: boolean;
  /** The two amount columns were told apart by content alone. */
  readonly guessedPair: boolean;
}

interface Choice {
  readonly facts: readonly ColumnFacts[];
  readonly meanings: readonly ReadonlyMap<Meaning, number>[];
  readonly taken: Set<number>;
}

/** Understands the columns of a table by the words of its header and by what stands in them. */
export function understandColumns(table: Table, sample: readonly GridRow[] = sampleOf(table.body)): Result<Layout, Unreadable> {
  const width = widthOf(table, sample);
  const headers = Array.from({ length: width }, (_, index) => headerOf(table, index));
  const facts = factsOf(sample, width);
  const meanings = headers.map(
    (header) => new Map(meaningsOf(header.replace(/^#\s*/, '')).map((found) => [found.meaning, found.rank] as const)),
  );
  const choice: Choice = { facts, meanings, taken: new Set() };
  const headerRow = table.header?.row ?? null;
  const date = dateColumn(choice, sample);
  if (date === null) {
    const message = 'No column holds dates. A statement needs a column of booking dates, such as 2026-06-30 or 30/06/2026.';
    return failed(unreadable('no_date_column', message, headerRow));
  }
  choice.taken.add(date);
  const money = moneyColumns(choice, sample, table.header !== null);
  if (money === null) {
    const message = 'No column holds amounts. A statement needs an amount column, or columns for money in and money out.';
    return failed(unreadable('no_amount_column', message, headerRow));
  }
  for (const index of [money.amount, money.paidIn, money.paidOut, money.balance]) if (index !== null) choice.taken.add(index);
  const direction = money.amount === null ? null : take(choice, directionColumn(choice, money.amount));
  const currency = take(
    choice,
    pick(choice, 'currency', (one) => one.filled > 0 && one.currencies * 2 >= one.filled) ?? codeColumn(choice),
  );
  const externalId = take(
    choice,
    pick(choice, 'external_id', (one) => one.filled > 0 && one.filled === one.distinct),
  );
  const status = pick(choice, 'status', (one) => one.filled > 0);
  const account = pick(choice, 'account', (one) => one.filled === one.rows);
  const description = take(choice, descriptionColumn(choice));
  const pair = [money.paidIn, money.paidOut].filter((index) => index !== null);
  const literalDebitCredit = pair.length > 0 && pair.every((index) => isLiteralDebitCredit(headers[index] ?? ''));
  const byRecipe = { reference: null, ignored: new Set<number>() };
  const others = { direction, currency, externalId, status, account, description, literalDebitCredit };
  const dateForm = formOfDates(sample, date);
  return success({ headers, names: namesOf(headers), facts, date, dateForm, ...money, ...others, ...byRecipe });
}

/** The header of a column. */
export function headerOf(table: Table, index: number): string {
  return table.header?.cells[index]?.replaceAll(/\s+/g, ' ') || `Column ${index + 1}`;
}

/** Rows of data, evenly over the file; where none looks like data, whatever is filled. */
export function sampleOf(body: readonly GridRow[]): readonly GridRow[] {
  const sample = new EvenSample<GridRow>(STATEMENT_LIMITS.columnSampleRows);
  for (const row of body) sample.add(row);
  return sampleOfSome(sample.items);
}

/** Those of some rows that hold data. */
export function sampleOfSome(rows: readonly GridRow[]): readonly GridRow[] {
  const some = rows.filter((row) => !isBlank(row));
  const data = some.filter((row) => isDataRow(row.cells));
  return data.length > 0 ? data : some;
}

/** How many columns a table has. */
export function widthOf(table: Table, sample: readonly GridRow[]): number {
  const named = table.header?.cells.length ?? 0;
  const wider = sample.filter((row) => row.cells.some((cell, index) => index >= named && cell !== '')).length;
  if (table.header !== null && wider * 2 <= sample.length) return named;
  return sample.reduce((width, row) => Math.max(width, row.cells.length), named);
}

function take(choice: Choice, index: number | null): number | null {
  if (index !== null) choice.taken.add(index);
  return index;
}

/** The free column of highest rank for a meaning whose content agrees; a sparsely filled one counts less. */
function pick(choice: Choice, meaning: Meaning, agrees: (facts: ColumnFacts) => boolean): number | null {
  let best: { index: number; score: number } | null = null;
  for (const one of choice.facts) {
    const rank = choice.meanings[one.index]?.get(meaning);
    if (rank === undefined || choice.taken.has(one.index) || !agrees(one)) continue;
    const score = rank - (one.filled * 2 < one.rows ? 6 : 0);
    if (best === null || score > best.score) best = { index: one.index, score };
  }
  return best?.index ?? null;
}

/** How a column that is called a date writes dates as digits alone. */
export function formOfDates(sample: readonly GridRow[], column: number): DateForm | null {
  return dateFormOf(sample.map((row) => row.cells[column] ?? '').filter((cell) => !isNothing(cell)));
}

function dateColumn(choice: Choice, sample: readonly GridRow[]): number | null {
  const named = pick(choice, 'date', (one) => one.filled > 0 && one.dates * 2 >= one.filled);
  if (named !== null) return named;
  const byContent = choice.facts.find((one) => one.filled > 0 && one.dates * 2 >= one.filled && one.filled * 2 >= one.rows);
  return byContent?.index ?? pick(choice, 'date', ({ index }) => formOfDates(sample, index) !== null) ?? pick(choice, 'date', () => true);
}

type Money = Pick<Layout, 'amount' | 'paidIn' | 'paidOut' | 'balance' | 'guessedPair'>;

function moneyColumns(choice: Choice, sample: readonly GridRow[], hasHeader: boolean): Money | null {
  const readable = (one: ColumnFacts): boolean => one.money * 2 >= one.filled;
  const filled = (one: ColumnFacts): boolean => one.filled > 0 && readable(one);
  const balance = pick(choice, 'balance', filled);
  const paidIn = pick(choice, 'paid_in', readable);
  const paidOut = pick(choice, 'paid_out', readable);
  const amount = pick(choice, 'amount', filled);
  const none = { amount: null, paidIn: null, paidOut: null, balance, guessedPair: false };
  if (paidIn !== null && paidOut !== null) {
    const covered = sample.filter((row) => !isNothing(row.cells[paidIn] ?? '') || !isNothing(row.cells[paidOut] ?? '')).length;
    if (amount === null || covered * 2 >= sample.length) return { ...none, paidIn, paidOut };
  }
  if (amount !== null) return { ...none, amount };
  if (paidIn !== null || paidOut !== null) return { ...none, paidIn, paidOut };
  const byContent = moneyByContent(choice, sample, hasHeader, balance);
  return byContent ?? namedMoney(choice, none);
}

/** Columns that the header calls money although nothing in them reads as such: every row will say so. */
function namedMoney(choice: Choice, none: Money): Money | null {
  const amount = pick(choice, 'amount', () => true);
  const paidIn = pick(choice, 'paid_in', () => true);
  const paidOut = pick(choice, 'paid_out', () => true);
  if (amount !== null) return { ...none, amount };
  return paidIn === null && paidOut === null ? null : { ...none, paidIn, paidOut };
}

function moneyByContent(choice: Choice, sample: readonly GridRow[], hasHeader: boolean, balance: number | null): Money | null {
  const free = choice.facts.filter(
    (one) => !choice.taken.has(one.index) && one.index !== balance && one.filled > 0 && one.dates === 0 && one.money >= one.filled * 0.9,
  );
  const sure = free.filter((one) => one.surelyMoney > 0);
  const candidates = sure.length > 0 ? sure : hasHeader ? [] : free.filter((one) => one.characters <= 9 * one.filled);
  const none = { amount: null, paidIn: null, paidOut: null, balance, guessedPair: false };
  const [first, second] = candidates;
  if (first === undefined) return null;
  const whole = candidates.filter((one) => one.filled * 10 >= one.rows * 9);
  if (second !== undefined && whole.length === 0 && isEitherOr(sample, first.index, second.index)) {
    // People are charged more often than they are paid.
    const isInFirst = first.filled < second.filled;
    return { ...none, paidIn: (isInFirst ? first : second).index, paidOut: (isInFirst ? second : first).index, guessedPair: true };
  }
  for (const amount of whole.slice(0, 4)) {
    const running = whole.find((one) => one.index !== amount.index && followsSteps(sample, amount.index, one.index));
    if (balance === null && running !== undefined) return { ...none, amount: amount.index, balance: running.index };
  }
  return { ...none, amount: (whole.find((one) => one.negatives > 0) ?? whole[0] ?? first).index };
}

function isEitherOr(sample: readonly GridRow[], first: number, second: number): boolean {
  const one = sample.filter((row) => isNothing(row.cells[first] ?? '') !== isNothing(row.cells[second] ?? '')).length;
  return one * 10 >= sample.length * 9;
}

/** Whether one column moves by the other's amounts from row to row, in either order of the rows. */
function followsSteps(sample: readonly GridRow[], amount: number, balance: number): boolean {
  const shapes = (index: number) => sample.slice(0, 200).map((row) => amountShape(row.cells[index] ?? ''));
  const amounts = shapes(amount);
  const balances = shapes(balance);
  const mark = decideMark([...amounts, ...balances].filter((shape) => shape !== null).map((shape) => shape.body)).mark ?? '.';
  const number = (shape: (typeof amounts)[number] | undefined): number => {
    const minor = shape === null || shape === undefined ? Number.NaN : minorOf(shape.body, mark, 4);
    return typeof minor === 'number' ? (shape?.negative === true ? -minor : minor) : Number.NaN;
  };
  let steps = 0;
  for (let index = 1; index < balances.length; index += 1) {
    const moved = Math.abs(number(balances[index]) - number(balances[index - 1]));
    if (moved === Math.abs(number(amounts[index])) || moved === Math.abs(number(amounts[index - 1]))) steps += 1;
  }
  return steps >= 2 && steps >= (balances.length - 1) * 0.8;
}

function directionColumn(choice: Choice, amount: number): number | null {
  const isDirection = (one: ColumnFacts): boolean =>
    one.filled > 0 && one.filled * 10 >= one.rows * 9 && one.creditWords + one.debitWords === one.filled;
  const named = pick(choice, 'direction', isDirection);
  if (named !== null) return named;
  const negatives = choice.facts[amount]?.negatives ?? 0;
  const unnamed = choice.facts.find(
    (one) =>
      negatives === 0 &&
      !choice.taken.has(one.index) &&
      isDirection(one) &&
      one.creditWords > 0 &&
      one.debitWords > 0 &&
      choice.meanings[one.index]?.size === 0,
  );
  return unnamed?.index ?? null;
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
    if (best === null || one.characters > best.characters) best = one;
  }
  return best?.index ?? null;
}
