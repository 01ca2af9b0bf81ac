import { isSafe } from './exact-sum.ts';
import type { LedgerInput, LedgerSide } from './input.ts';
import { amountText, counted, dayText, missingTitle, sideName } from './ledger-words.ts';
import type { LedgerWarning, SideFigures } from './statement.ts';

/** Breaks of one side that a warning lists. */
const MOST_BREAKS = 5;

/** What the warnings speak of. */
interface Facts {
  readonly sides: Readonly<Record<LedgerSide, SideFigures>>;
  /** Exact minor units. */
  readonly openingDifference: bigint | null;
  /** Records in proposals. */
  readonly undecided: number;
}

/** Where the lines are missing: ` Between 05/06/2026 and 09/06/2026 it is 100.00.` */
function breakSentences({ breaks }: SideFigures, decimalPlaces: number): string {
  const said = breaks.map(({ from, to, amount }) => {
    const days = from === to ? `On ${dayText(from)}` : `Between ${dayText(from)} and ${dayText(to)}`;
    return ` ${days} the balances break by ${amountText(amount, decimalPlaces)}.`;
  });
  const shown = said.slice(0, MOST_BREAKS);
  const more = said.length - shown.length;
  return `${shown.join('')}${more === 0 ? '' : ` So they do in ${counted(more, 'more place', 'more places')}.`}`;
}

function sideWarnings(input: LedgerInput, side: LedgerSide, figures: SideFigures): LedgerWarning[] {
  const { opening, closing, statedClosing: stated, linesMissing } = figures;
  const { from, to } = input.period;
  const name = sideName(input, side);
  const written = (amount: number): string => amountText(amount, input.decimalPlaces);
  if (opening === null && stated === null) {
    const message = `No balance of ${name} is known: neither the one at the beginning of ${dayText(from)} nor the one at the end of ${dayText(to)}.`;
    return [{ code: 'balance_unknown', side, message }];
  }
  if (opening === null) {
    const message = `The opening balance of ${name} on ${dayText(from)} is not known, so nothing shows whether lines are missing; the statement starts from ${written(stated ?? 0)}, which is stated for ${dayText(to)}.`;
    return [{ code: 'opening_unknown', side, message }];
  }
  if (stated === null || closing === null) {
    const message = `No closing balance of ${name} is stated for ${dayText(to)}: ${written(closing ?? 0)} is computed, not stated.`;
    return [{ code: 'closing_not_stated', side, message }];
  }
  if (linesMissing === null || linesMissing === 0) return [];
  const message = `${missingTitle(input, side)}: ${written(linesMissing)}. ${written(stated)} is stated for ${dayText(to)}, and the opening balance with all lines comes to ${written(closing)}.`;
  return [{ code: 'balance_does_not_hold', side, message: `${message}${breakSentences(figures, input.decimalPlaces)}` }];
}

/** What is missing or does not hold, each in a sentence for where the figure would stand. */
export function warningsOf(input: LedgerInput, { sides, openingDifference, undecided }: Facts): LedgerWarning[] {
  const warnings = [...sideWarnings(input, 'bank', sides.bank), ...sideWarnings(input, 'books', sides.books)];
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
