import type { BalanceType, ImportedBalances } from '../../src-shared/contract/index.ts';
import { counted } from './counts.ts';

export const BALANCE_LABELS: Readonly<Record<BalanceType, string>> = {
  opening_ledger: 'Opening',
  closing_ledger: 'Closing',
  current_ledger: 'Current',
  opening_available: 'Opening, available',
  opening_available_next_business_day: 'Opening, available the next business day',
  closing_available: 'Closing, available',
  current_available: 'Current, available',
  previously_closed_book: 'Closing of the statement before',
  other: 'Other',
};

/** Returns a sentence about a statement's balances and where they are stored. */
export function balancesSentence({ bank_account: account, stated, new: made, same, conflicts }: ImportedBalances): string {
  if (account === null) {
    return `The statement says ${counted(stated, 'balance')}. They are kept with the import, and count once the stream is linked to a bank account.`;
  }
  const parts = [
    ...(made > 0 ? [`${counted(made, 'balance')} new for “${account.name}”`] : []),
    ...(same > 0 ? [`${counted(same, 'balance')} there already`] : []),
    ...(conflicts > 0 ? [`${counted(conflicts, 'balance')} there with another amount, which stays`] : []),
  ];
  return parts.length === 0 ? `“${account.name}” has another currency: its balances stay as they are.` : `${parts.join(', ')}.`;
}

/** Returns a sentence about the balances that undoing an import removes and keeps; null when the import had none. */
export function undoneBalancesSentence(removed: number, kept: number): string | null {
  if (removed === 0 && kept === 0) return null;
  const gone = removed === 0 ? 'No balance of the bank account goes' : `${counted(removed, 'balance')} of the bank account will go`;
  return `${gone}${kept === 0 ? '' : `; ${counted(kept, 'balance')} that were changed by hand, or that another import says, stay`}.`;
}
