import type { Problem } from '../../../src-shared/contract/index.ts';
import { DEFAULT_CURRENCY } from '../../../src-shared/values/money.ts';
import { currencyCode, currencyOfPreamble, settleSign, signInHeader } from './currencies.ts';
import type { Layout } from './columns.ts';
import { cellOf } from './rows.ts';
import type { SortedRows, WrittenRow } from './rows.ts';
import { note } from './sentences.ts';
import type { Table } from './table.ts';

export interface FileCurrencies {
  /** Currency of each written row. */
  readonly perRow: readonly string[];
  /** The one of most rows. */
  readonly main: string;
  /** False when neither the file nor the user named one. */
  readonly known: boolean;
  readonly problems: readonly Problem[];
}

/** Currency of each row: its column, the sign beside its amount, the header, the lines above; then the user's, then USD. */
export function currenciesOfFile(table: Table, layout: Layout, sorted: SortedRows, wished: string | null): FileCurrencies {
  const stated = statedOnce(table, layout, sorted, wished);
  const counts = new Map<string, number>();
  let own = 0;
  const perRow = sorted.written.map((row) => {
    const found = ofRow(row, layout, wished) ?? stated;
    if (found !== null) own += 1;
    const currency = found ?? wished ?? DEFAULT_CURRENCY;
    counts.set(currency, (counts.get(currency) ?? 0) + 1);
    return currency;
  });
  const fallback = stated ?? wished ?? DEFAULT_CURRENCY;
  const main = [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? fallback;
  const problems: Problem[] = [];
  if (own < perRow.length && wished === null) {
    problems.push(
      note('currency_assumed', `The file names no currency; ${DEFAULT_CURRENCY} was assumed. Choose the right one before you import.`),
    );
  }
  if (wished !== null && own > 0 && !counts.has(wished)) {
    problems.push(
      note('currency_differs', `The file says ${main}, not ${wished}; its own currency was taken. Check that this is the right file.`),
    );
  }
  return { perRow, main, known: own > 0 || wished !== null, problems };
}

function ofRow(row: WrittenRow, layout: Layout, wished: string | null): string | null {
  const cell = cellOf(row, layout.currency);
  if (currencyCode(cell) !== null || /^[A-Za-z]{3}$/.test(cell)) return cell.toUpperCase();
  const signed = cell === '' ? null : settleSign(cell, wished);
  if (signed !== null) return signed;
  const sign = row.amount?.sign ?? row.paidIn?.sign ?? row.paidOut?.sign ?? null;
  return sign === null ? null : settleSign(sign, wished);
}

/** The currency that holds for the whole file: named in a money header, above the table, or beside a balance. */
function statedOnce(table: Table, layout: Layout, sorted: SortedRows, wished: string | null): string | null {
  const columns = [layout.amount, layout.paidIn, layout.paidOut, layout.balance];
  for (const column of columns) {
    const sign = column === null ? null : signInHeader(layout.headers[column] ?? '');
    const settled = sign === null ? null : settleSign(sign, wished);
    if (settled !== null) return settled;
  }
  const above = currencyOfPreamble(table.preamble.flatMap((row) => row.cells));
  if (above !== null) return above;
  return onlyOneBeside(sorted, wished);
}

/** The currency that stands beside some amounts or balances, when it is the same one wherever one stands. */
function onlyOneBeside(sorted: SortedRows, wished: string | null): string | null {
  const signs = new Set<string>();
  for (const row of sorted.written) {
    for (const shape of [row.amount, row.paidIn, row.paidOut, row.balance])
      if (shape !== null && shape.sign !== null) signs.add(shape.sign);
  }
  for (const line of [...sorted.openingSide, ...sorted.closingSide]) if (line.shape.sign !== null) signs.add(line.shape.sign);
  const settled = new Set([...signs].map((sign) => settleSign(sign, wished)));
  const [only] = settled;
  return settled.size === 1 && only !== undefined ? only : null;
}
