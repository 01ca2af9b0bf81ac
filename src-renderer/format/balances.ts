import type { BalanceType, ImportedBalances } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';

export const BALANCE_LABELS: Readonly<Record<BalanceType, string>> = {
  opening_ledger: say('imports.balanceLabels.openingLedger'),
  closing_ledger: say('imports.balanceLabels.closingLedger'),
  current_ledger: say('imports.balanceLabels.currentLedger'),
  opening_available: say('imports.balanceLabels.openingAvailable'),
  opening_available_next_business_day: say('imports.balanceLabels.openingAvailableNextBusiness'),
  closing_available: say('imports.balanceLabels.closingAvailable'),
  current_available: say('imports.balanceLabels.currentAvailable'),
  previously_closed_book: say('imports.balanceLabels.previouslyClosedBook'),
  other: say('imports.balanceLabels.other'),
};

/** Returns a sentence about a statement's balances and where they are stored. */
export function balancesSentence({ bank_account: account, stated, new: made, same, conflicts }: ImportedBalances): string {
  if (account === null) {
    return say('imports.balances.theStatementSaysBalances', { stated });
  }
  const parts = [
    ...(made > 0 ? [say('imports.balances.balancesNewFor', { made, name: account.name })] : []),
    ...(same > 0 ? [say('imports.balances.balancesThereAlready', { same })] : []),
    ...(conflicts > 0 ? [say('imports.balances.balancesThereWithAnother', { conflicts })] : []),
  ];
  return parts.length === 0 ? say('imports.balances.hasAnotherCurrencyItsBalances', { name: account.name }) : `${parts.join(', ')}.`;
}

/** Returns a sentence about the balances that undoing an import removes and keeps; null when the import had none. */
export function undoneBalancesSentence(removed: number, kept: number): string | null {
  if (removed === 0 && kept === 0) return null;
  const gone =
    removed === 0 ? say('imports.balances.noBalanceOfTheBankAccountGoes') : say('imports.balances.balancesOfTheBank', { removed });
  return `${gone}${kept === 0 ? '' : say('imports.balances.balancesThatWereChanged', { kept })}.`;
}
