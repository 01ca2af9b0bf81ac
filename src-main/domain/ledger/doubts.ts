import type { LedgerInput, LedgerSide } from './input.ts';
import { amountText, dayText, missingText, missingTitle, sideName } from './ledger-words.ts';
import type { Doubt, SideFigures } from './statement.ts';

type Context = Pick<LedgerInput, 'isNeutral' | 'bankSide' | 'decimalPlaces' | 'period'>;

/** A balance of an earlier day proves only a part of the period. */
function earlierDoubts(context: Context, side: LedgerSide, { earlierDay }: SideFigures): Doubt[] {
  if (earlierDay === null) return [];
  const text = `the closing balance of ${sideName(context, side)} is stated for ${dayText(earlierDay)}, not for ${dayText(context.period.to)}`;
  return [{ code: 'balance_of_earlier_day', side, amount: null, text }];
}

function sideDoubts(context: Context, side: LedgerSide, figures: SideFigures): Doubt[] {
  const { opening, statedClosing, linesMissing, offByAccount } = figures;
  const name = sideName(context, side);
  if (opening === null && statedClosing === null) {
    return [{ code: 'balance_unknown', side, amount: null, text: `no balance of ${name} is known` }];
  }
  if (statedClosing === null) {
    return [{ code: 'not_stated', side, amount: null, text: `the closing balance of ${name} is computed, not stated` }];
  }
  if (opening === null) {
    const text = `the opening balance of ${name} is not known, so nothing shows whether lines are missing`;
    return [{ code: 'opening_unknown', side, amount: null, text }, ...earlierDoubts(context, side, figures)];
  }
  if (linesMissing === null || (linesMissing === 0 && offByAccount.length === 0)) return earlierDoubts(context, side, figures);
  const title = missingTitle(context, side);
  const text = `${title.charAt(0).toLowerCase()}${title.slice(1)}, come to ${missingText(linesMissing, offByAccount, context.decimalPlaces)}`;
  const amount = linesMissing === 0 ? offByAccount.reduce((sum, account) => sum + Math.abs(account.amount), 0) : linesMissing;
  return [{ code: 'lines_missing', side, amount, text }, ...earlierDoubts(context, side, figures)];
}

/**
 * Returns the doubts about a period: an unexplained amount, missing or surplus lines, and balances that are not stated. The figures agree exactly if
 * there are none. The screen, the first page, the report, the command line and the refusal to close all use this function.
 */
export function doubtsOf(
  context: Context,
  { bank, books, unexplained }: Readonly<Record<LedgerSide, SideFigures>> & { readonly unexplained: number | null },
): Doubt[] {
  const doubts = [...sideDoubts(context, 'bank', bank), ...sideDoubts(context, 'books', books)];
  if (unexplained === null || unexplained === 0) return doubts;
  const text = `${amountText(unexplained, context.decimalPlaces)} is unexplained`;
  return [{ code: 'unexplained', side: null, amount: unexplained, text }, ...doubts];
}
