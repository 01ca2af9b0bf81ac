import { amountShape, isNothing } from '../cells/amounts.ts';
import type { GridRow } from '../model/grid-row.ts';
import { headerWords, isFee, isWithoutFees, meaningsOf } from '../vocabulary/header-words.ts';
import type { Choice } from './column-choice.ts';
import type { ColumnFacts } from './column-facts.ts';
import type { MoneyColumns } from './money-columns.ts';

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
