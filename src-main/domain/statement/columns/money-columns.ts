import { amountShape, isNothing } from '../cells/amounts.ts';
import type { GridRow } from '../model/grid-row.ts';
import { currencyCode, settleSign, signInHeader } from '../vocabulary/currencies.ts';
import {
  headerWords,
  isAmountOfOther,
  isBalanceBefore,
  isBalanceLoose,
  isFee,
  isNet,
  isWithoutFees,
  meaningsOf,
} from '../vocabulary/header-words.ts';
import { type Choice, type ColumnFacts, pick } from './column-facts.ts';
import { type Moving, RunningColumns } from './running-columns.ts';

/** The columns of money; indices from 0, null where there is none. */
export interface MoneyColumns {
  readonly amount: number | null;
  readonly paidIn: number | null;
  readonly paidOut: number | null;
  readonly balance: number | null;
  /** True where the column states the balance before each row, not after it. */
  readonly isBalanceBefore: boolean;
  /** True where the header calls it the available balance, which moves by more than the rows. */
  readonly isBalanceLoose: boolean;
  /** The choice that only the content decided: which column of a pair is money in, or which of several holds the amount. */
  readonly guessed: 'pair' | 'amount' | null;
}

/** Most money columns that are tried with each other. */
const MAX_TRIED = 8;
const NONE: MoneyColumns = {
  amount: null,
  paidIn: null,
  paidOut: null,
  balance: null,
  isBalanceBefore: false,
  isBalanceLoose: false,
  guessed: null,
};

/** The rows that are examined: a sample of all rows, and rows that follow one another. */
interface SeenRows {
  readonly sample: readonly GridRow[];
  readonly running: readonly GridRow[];
  readonly headers: readonly string[];
  readonly hasHeader: boolean;
  readonly date: number;
}

/**
 * Finds the columns of money by the words of the header, or else by their content; null where no column is money. `perCurrency`: columns that each
 * hold the amounts of one currency; the first represents all.
 */
export function moneyColumns(choice: Choice, seen: SeenRows, perCurrency: readonly CurrencyColumn[] = []): MoneyColumns | null {
  const readable = (one: ColumnFacts): boolean => one.money * 2 >= one.filled;
  const filled = (one: ColumnFacts): boolean => one.filled > 0 && readable(one);
  const moving = (one: ColumnFacts): boolean => filled(one) && one.nils < one.filled;
  const balance = pick(choice, 'balance', filled);
  const paidIn = pick(choice, 'paid_in', readable);
  const paidOut = pick(choice, 'paid_out', readable);
  const whole = netAmount(choice, seen.headers) ?? pick(choice, 'amount', moving) ?? pick(choice, 'amount', filled);
  const isOfOne = whole === null || perCurrency.some(({ column }) => column === whole);
  const amount = isOfOne ? (perCurrency[0]?.column ?? whole) : whole;
  const none = { ...NONE, balance, ...kindOfBalance(balance === null ? '' : (seen.headers[balance] ?? '')) };
  if (paidIn !== null && paidOut !== null) {
    const covered = seen.sample.filter((row) => !isNothing(row.cells[paidIn] ?? '') || !isNothing(row.cells[paidOut] ?? '')).length;
    if (amount === null || (covered * 2 >= seen.sample.length && !areTotals(seen.sample, paidIn, paidOut)))
      return withBalance({ ...none, paidIn, paidOut }, choice, seen);
  }
  if (amount !== null) return withBalance({ ...none, amount }, choice, seen);
  if (paidIn !== null || paidOut !== null) return withPartner({ ...none, paidIn, paidOut }, choice, seen);
  return moneyByContent(choice, seen, none) ?? namedMoney(choice, none);
}

/** Whether both columns hold an amount in each row: they are then turnovers of the statement, since no row is both. */
function areTotals(sample: readonly GridRow[], paidIn: number, paidOut: number): boolean {
  return sample.every((row) => [paidIn, paidOut].every((column) => /[1-9]/.test(row.cells[column] ?? '')));
}

/** Returns what kind of balance the header names. */
export function kindOfBalance(header: string): Pick<MoneyColumns, 'isBalanceBefore' | 'isBalanceLoose'> {
  return { isBalanceBefore: isBalanceBefore(header), isBalanceLoose: isBalanceLoose(header) };
}

/** Returns the amount without fees, which moves the account where a column of fees exists. */
function netAmount({ facts, taken }: Choice, headers: readonly string[]): number | null {
  if (!headers.some(isFee)) return null;
  const net = facts.find(({ index, money, filled }) => !taken.has(index) && filled > 0 && money === filled && isNet(headers[index] ?? ''));
  return net?.index ?? null;
}

/** Returns columns that the header calls money although no cell reads as an amount: every row will then report it. */
function namedMoney(choice: Choice, none: MoneyColumns): MoneyColumns | null {
  const amount = pick(choice, 'amount', () => true);
  const paidIn = pick(choice, 'paid_in', () => true);
  const paidOut = pick(choice, 'paid_out', () => true);
  if (amount !== null) return { ...none, amount };
  return paidIn === null && paidOut === null ? null : { ...none, paidIn, paidOut };
}

/** Returns columns of numbers that no header gives another meaning. */
function freeOf(choice: Choice, balance: number | null, others: readonly (number | null)[] = []): readonly ColumnFacts[] {
  return choice.facts.filter(
    (one) =>
      !choice.taken.has(one.index) &&
      one.index !== balance &&
      !others.includes(one.index) &&
      one.filled > 0 &&
      one.dates === 0 &&
      one.money >= one.filled * 0.9,
  );
}

function isWhole(one: ColumnFacts): boolean {
  return one.filled * 10 >= one.rows * 9;
}

/** Adds a balance without a header, where one column runs with the amounts. */
function withBalance(money: MoneyColumns, choice: Choice, seen: SeenRows): MoneyColumns {
  if (money.balance !== null) return money;
  const moving = movingOf(money);
  const free = freeOf(choice, null, [...moving]).filter((one) => isWhole(one) && choice.meanings[one.index]?.size === 0);
  if (free.length === 0) return money;
  const columns = new RunningColumns(seen.running, seen.date, [...moving, ...free.map(({ index }) => index)]);
  const balance = free.find(({ index }) => columns.runsBehind(moving, index));
  return balance === undefined ? money : { ...money, balance: balance.index };
}

/** Adds the other column of a pair of amounts whose name is not understood: each row fills one of them, and the balance runs with both. */
function withPartner(money: MoneyColumns, choice: Choice, seen: SeenRows): MoneyColumns {
  const { balance } = money;
  const known = money.paidIn ?? money.paidOut ?? 0;
  const free = freeOf(choice, balance, [known]).filter(({ index }) => choice.meanings[index]?.size === 0);
  if (balance === null || free.length === 0) return money;
  const columns = new RunningColumns(seen.running, seen.date, [known, balance, ...free.map(({ index }) => index)]);
  const partner = free.find(({ index }) => columns.isEitherOr(known, index) && columns.runsBehind([known, index], balance))?.index ?? null;
  return { ...money, paidIn: money.paidIn ?? partner, paidOut: money.paidOut ?? partner };
}

function movingOf({ amount, paidIn, paidOut }: MoneyColumns): Moving {
  return amount === null ? [paidIn ?? 0, paidOut ?? 0] : [amount];
}

function moneyByContent(choice: Choice, seen: SeenRows, none: MoneyColumns): MoneyColumns | null {
  const free = freeOf(choice, none.balance);
  const sure = free.filter((one) => one.surelyMoney > 0);
  const candidates = sure.length > 0 ? sure : seen.hasHeader ? [] : free.filter((one) => one.characters <= 9 * one.filled);
  const [first, second] = candidates;
  if (first === undefined) return null;
  const tried = free.slice(0, MAX_TRIED);
  const balances = none.balance === null ? tried.filter(isWhole).map(({ index }) => index) : [none.balance];
  const columns = new RunningColumns(seen.running, seen.date, [...tried.map(({ index }) => index), ...balances]);
  const running = runningMoney(columns, tried, balances, none);
  if (running !== null) return running;
  if (
    second !== undefined &&
    columns.isEitherOr(first.index, second.index) &&
    ![first, second].some(({ index }) => columns.hasBothSigns(index))
  ) {
    return { ...none, ...pairOf(first, second), guessed: 'pair' };
  }
  const whole = candidates.filter(isWhole);
  const amount = whole.find((one) => one.negatives > 0) ?? whole[0] ?? first;
  return { ...none, amount: amount.index, guessed: candidates.length > 1 ? 'amount' : null };
}

/** Guesses which of two columns is money in: people are charged more often than they are paid, so it is the one with fewer cells. */
function pairOf(first: ColumnFacts, second: ColumnFacts): { readonly paidIn: number; readonly paidOut: number } {
  const isInFirst = first.filled < second.filled;
  return { paidIn: (isInFirst ? first : second).index, paidOut: (isInFirst ? second : first).index };
}

/** Returns two columns of which each row fills one, where a balance runs with both: one of them alone would lose the rows of the other. */
function runningPair(
  columns: RunningColumns,
  tried: readonly ColumnFacts[],
  balances: readonly number[],
  none: MoneyColumns,
): MoneyColumns | null {
  for (const [at, first] of tried.entries()) {
    for (const second of tried.slice(at + 1)) {
      if (!columns.isEitherOr(first.index, second.index)) continue;
      const balance = balances.find(
        (each) => each !== first.index && each !== second.index && columns.runsBehind([first.index, second.index], each),
      );
      if (balance !== undefined) return { ...none, ...pairOf(first, second), balance, guessed: 'pair' };
    }
  }
  return null;
}

/** Returns a balance and the columns that move it. */
function runningMoney(
  columns: RunningColumns,
  tried: readonly ColumnFacts[],
  balances: readonly number[],
  none: MoneyColumns,
): MoneyColumns | null {
  const pair = runningPair(columns, tried, balances, none);
  if (pair !== null) return pair;
  // Balance lines above and below the rows have no amount.
  const whole = tried.filter((one) => one.filled * 2 >= one.rows);
  for (const { index: amount } of whole) {
    for (const balance of balances) {
      if (balance === amount) continue;
      if (!columns.runsBehind([amount], balance)) continue;
      const isBehindAnother = balances.some((before) => before !== amount && before !== balance && columns.isSum(before, amount, balance));
      if (isBehindAnother) return { ...none, amount, balance };
    }
  }
  for (const { index: amount } of whole) {
    const balance = balances.find((each) => each !== amount && columns.runsBehind([amount], each));
    if (balance !== undefined) return { ...none, amount, balance };
  }
  for (const { index: amount } of whole) {
    const balance = balances.find((each) => each !== amount && columns.runsBefore([amount], each));
    if (balance !== undefined) return { ...none, amount, balance, isBalanceBefore: true };
  }
  return null;
}

/**
 * Columns that add to the money in others. Header and content identify them, so that no recipe names them. Indices from 0, null where there is none.
 */
export interface BesideMoney {
  /** The fee that the bank took for a row; the balances decide whether it is beside the amount or within it. */
  readonly fee: number | null;
  /** The side of the balance: credit or debit. */
  readonly balanceSide: number | null;
  /** Parts of the amount in the row above. */
  readonly parts: number | null;
}

type Money = Pick<MoneyColumns, 'amount' | 'paidIn' | 'paidOut' | 'balance'>;

const PARTS =
  /^(?:einzelbetrag|betrag (?:detail|einzeln)|detail(?:s|lierter)? (?:amount|betrag)|individual amount|sub ?amount|montant (?:individuel|detaille|detail)|importo (?:singolo|dettaglio))$/;

export function besideMoney(
  headers: readonly string[],
  facts: readonly ColumnFacts[],
  money: Money,
  direction: number | null,
): BesideMoney {
  const used = new Set([money.amount, money.paidIn, money.paidOut, money.balance, direction]);
  const isMoney = ({ index, filled, money: amounts }: ColumnFacts): boolean => filled > 0 && amounts === filled && !used.has(index);
  const isAmountNet = [money.amount, money.paidIn, money.paidOut].some((column) => column !== null && isWithoutFees(headers[column] ?? ''));
  const fee = facts.find((one) => !isAmountNet && isMoney(one) && isFee(headers[one.index] ?? ''));
  const parts = facts.find((one) => isMoney(one) && PARTS.test(headerWords(headers[one.index] ?? '')));
  const side = sideOfBalance(headers, facts, money);
  return { fee: fee?.index ?? null, parts: parts?.index ?? null, balanceSide: side === direction ? null : side };
}

const SURE = 10;

/** Returns the direction column directly behind the balance, or null. */
export function sideOfBalance(headers: readonly string[], facts: readonly ColumnFacts[], { balance }: Money): number | null {
  const one = balance === null ? undefined : facts[balance + 1];
  if (one === undefined || one.filled === 0 || one.creditWords + one.debitWords !== one.filled) return null;
  // A column that is only called a type may hold the type of the row: income, expense.
  return meaningsOf(headers[one.index] ?? '').some(({ meaning, rank }) => meaning === 'direction' && rank >= SURE) ? one.index : null;
}

/**
 * Returns, of two amounts with a currency behind each, the one whose currency is the same in all rows: it moves the account, and the other is the
 * amount paid elsewhere. Null where `amount` is not such a pair.
 */
export function bookedPair(
  { facts, meanings }: Choice,
  amount: number | null,
  currency: number | null,
): { readonly amount: number; readonly currency: number } | null {
  if (amount === null || currency !== amount + 1 || (facts[currency]?.distinct ?? 0) < 2) return null;
  const isWhole = (one: ColumnFacts | undefined): boolean => one !== undefined && one.filled === one.rows;
  const found = facts.find((one) => {
    const before = facts[one.index - 1];
    const isCurrency = meanings[one.index]?.has('currency') === true && one.codes === one.filled && one.distinct === 1;
    const isAmount = meanings[one.index - 1]?.has('amount') === true && before !== undefined && before.money === before.filled;
    return isCurrency && isAmount && isWhole(one) && isWhole(before) && before?.index !== amount;
  });
  return found === undefined ? null : { amount: found.index - 1, currency: found.index };
}

/** Whether a row states only a part of the amount above. */
export function isPart(row: GridRow, { parts, balance }: Pick<BesideMoney, 'parts'> & Pick<Money, 'balance'>): boolean {
  return parts !== null && amountShape(row.cells[parts] ?? '') !== null && (balance === null || isNothing(row.cells[balance] ?? ''));
}

/** A column that holds the amounts of one currency. Index from 0. */
export interface CurrencyColumn {
  readonly column: number;
  readonly currency: string;
}

/** Fewest tenths of rows that fill exactly one of these columns; the other rows are balances and the like. */
const MIN_TENTHS = 9;

/**
 * Returns the columns that each hold the amounts of one currency that its header names (`CAD$`, `Amount USD`), where every row fills one of them;
 * empty where fewer than two do.
 */
export function currencyColumns(
  headers: readonly string[],
  facts: readonly ColumnFacts[],
  sample: readonly GridRow[],
): readonly CurrencyColumn[] {
  const found = facts.flatMap(({ index, filled, money, dates }) => {
    const currency = currencyOfHeader(headers[index] ?? '');
    return currency === null || money !== filled || dates > 0 ? [] : [{ column: index, currency }];
  });
  const areDistinct = new Set(found.map(({ currency }) => currency)).size === found.length;
  if (found.length < 2 || !areDistinct || found.every(({ column }) => facts[column]?.filled === 0)) return [];
  const filled = sample.map((row) => found.filter(({ column }) => isFilled(row, column)));
  const ones = filled.filter((columns) => columns.length === 1);
  const severalTimes = filled.filter((columns) => columns.length > 1).length;
  // A column that repeats the amount in another currency is never filled alone.
  const areAlone = found.every((one) => facts[one.column]?.nils === facts[one.column]?.filled || ones.some(([only]) => only === one));
  return areAlone && ones.length * 10 >= sample.length * MIN_TENTHS && severalTimes * 100 <= sample.length ? found : [];
}

/** Returns the currency where a header names nothing else, or nothing else beside an amount; otherwise null. */
function currencyOfHeader(header: string): string | null {
  const text = header.trim();
  const sign = currencyCode(text) ?? signInHeader(text);
  if (sign === null || isAmountOfOther(header) || isFee(header)) return null;
  const words = headerWords(header);
  const isAlone = words === '' || words.length <= LONGEST_SIGN;
  const isAmount = meaningsOf(header).some(({ meaning }) => meaning === 'amount');
  const isElse = meaningsOf(header).some(({ meaning }) => meaning !== 'amount' && meaning !== 'currency');
  return (isAlone || isAmount) && !isElse ? settleSign(sign, null) : null;
}

/** Most letters that may be left of a header whose currency sign is no word. */
const LONGEST_SIGN = 3;

/** Whether a row has an amount in a column that is not zero. */
function isFilled({ cells }: Pick<GridRow, 'cells'>, column: number): boolean {
  const cell = cells[column] ?? '';
  return !isNothing(cell) && /[1-9]/.test(cell);
}

/** Returns the columns that a row fills. A zero counts where no other column is filled. */
export function filledColumns(row: Pick<GridRow, 'cells'>, columns: readonly CurrencyColumn[]): readonly CurrencyColumn[] {
  const filled = columns.filter(({ column }) => isFilled(row, column));
  return filled.length > 0 ? filled : columns.filter(({ column }) => !isNothing(row.cells[column] ?? '')).slice(0, 1);
}
