import { isSafe } from '../model/exact-sum.ts';
import type { LedgerInput, LedgerSide } from '../model/input.ts';
import { amountText, counted, dayText, sideName } from '../words/ledger-words.ts';
import type { LedgerWarning } from './statement.ts';

/** What the warnings speak of; balances as exact minor units. */
interface Facts {
  readonly closing: Readonly<Record<LedgerSide, bigint | null>>;
  readonly openingDifference: bigint | null;
  /** Records in proposals. */
  readonly undecided: number;
}

function sideWarnings(input: LedgerInput, side: LedgerSide, closing: bigint | null): LedgerWarning[] {
  const { opening, stated } = input.balances[side];
  const { from, to } = input.period;
  const name = sideName(input, side);
  const written = (amount: bigint | number): string => amountText(Number(amount), input.decimalPlaces);
  if (opening === null && stated === null) {
    const message = `No balance of ${name} is known: neither the one at the beginning of ${dayText(from)} nor the one at the end of ${dayText(to)}.`;
    return [{ code: 'balance_unknown', side, message }];
  }
  if (opening === null) {
    const message = `The opening balance of ${name} on ${dayText(from)} is not known; the closing balance of ${written(stated ?? 0)} that is stated for ${dayText(to)} counts.`;
    return [{ code: 'opening_unknown', side, message }];
  }
  if (stated === null || closing === null) {
    if (input.isNeutral || side === 'books') return [];
    const message = `The bank states no closing balance for ${dayText(to)}, so nothing proves the computed one.`;
    return [{ code: 'closing_not_stated', side, message }];
  }
  const apart = BigInt(stated) - closing;
  if (apart === 0n) return [];
  const message = `The balance of ${name} does not hold: ${written(stated)} is stated for ${dayText(to)}, and the opening balance with all lines comes to ${written(closing)} (difference ${written(apart)}).`;
  return [{ code: 'balance_does_not_hold', side, message }];
}

/** What is missing or does not hold, each in a sentence for where the figure would stand. */
export function warningsOf(input: LedgerInput, { closing, openingDifference, undecided }: Facts): LedgerWarning[] {
  const warnings = [...sideWarnings(input, 'bank', closing.bank), ...sideWarnings(input, 'books', closing.books)];
  if (openingDifference !== null && openingDifference !== 0n && isSafe(openingDifference)) {
    const amount = amountText(Number(openingDifference), input.decimalPlaces);
    const message = `Items from before ${dayText(input.period.from)} are missing: ${amount}. By so much the opening balances differ beyond the open items dated before that day.`;
    warnings.push({ code: 'opening_difference', side: null, message });
  }
  if (undecided > 0) {
    const message = `${counted(undecided, 'line is', 'lines are')} in proposals that nobody has decided; they count as open.`;
    warnings.push({ code: 'proposals_undecided', side: null, message });
  }
  return warnings;
}
