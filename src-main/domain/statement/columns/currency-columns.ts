import { isNothing } from '../cells/amounts.ts';
import type { GridRow } from '../model/grid-row.ts';
import { currencyCode, settleSign, signInHeader } from '../vocabulary/currencies.ts';
import { headerWords, isAmountOfOther, isFee, meaningsOf } from '../vocabulary/header-words.ts';
import type { ColumnFacts } from './column-facts.ts';

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
