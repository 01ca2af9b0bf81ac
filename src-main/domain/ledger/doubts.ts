import type { LedgerInput, LedgerSide } from './input.ts';
import { amountText, cancellingText, missingTitle, sideName } from './ledger-words.ts';
import type { Doubt, SideFigures } from './statement.ts';

type Told = Pick<LedgerInput, 'isNeutral' | 'bankSide' | 'decimalPlaces'>;

function sideDoubts(told: Told, side: LedgerSide, { opening, statedClosing, linesMissing, offByAccount }: SideFigures): Doubt[] {
  const name = sideName(told, side);
  if (opening === null && statedClosing === null) {
    return [{ code: 'balance_unknown', side, amount: null, text: `no balance of ${name} is known` }];
  }
  if (statedClosing === null) {
    return [{ code: 'not_stated', side, amount: null, text: `the closing balance of ${name} is computed, not stated` }];
  }
  if (opening === null) {
    const text = `the opening balance of ${name} is not known, so nothing shows whether lines are missing`;
    return [{ code: 'opening_unknown', side, amount: null, text }];
  }
  if (linesMissing === null || (linesMissing === 0 && offByAccount.length === 0)) return [];
  const title = missingTitle(told, side);
  const amounts = linesMissing === 0 ? cancellingText(offByAccount, told.decimalPlaces) : amountText(linesMissing, told.decimalPlaces);
  const text = `${title.charAt(0).toLowerCase()}${title.slice(1)}, come to ${amounts}`;
  return [{ code: 'lines_missing', side, amount: linesMissing, text }];
}

/**
 * What speaks against a period: what is unexplained, lines that are missing or too many, and balances that nobody states. The figures agree where this is empty,
 * and only there: the screen, the first page, the report, the command line and the refusal to close all ask here.
 */
export function doubtsOf(
  told: Told,
  { bank, books, unexplained }: Readonly<Record<LedgerSide, SideFigures>> & { readonly unexplained: number | null },
): Doubt[] {
  const doubts = [...sideDoubts(told, 'bank', bank), ...sideDoubts(told, 'books', books)];
  if (unexplained === null || unexplained === 0) return doubts;
  const text = `${amountText(unexplained, told.decimalPlaces)} is unexplained`;
  return [{ code: 'unexplained', side: null, amount: unexplained, text }, ...doubts];
}
