import type { PeriodOpenItem, PeriodStatement } from '../../src-shared/contract/index.ts';
import { fullDay } from './close-days.ts';

export type Slot = PeriodOpenItem['side'];
export type GroupName =
  | 'deposits_in_transit'
  | 'outstanding_payments'
  | 'unbooked_receipts'
  | 'unbooked_payments'
  | 'match_differences'
  | 'bank_errors'
  | 'book_errors';

/** A group of a statement in one column. */
export interface GroupRow {
  readonly name: GroupName;
  readonly label: string;
  readonly count: number;
  readonly total: number;
}

/** In which column a group stands. */
const GROUPS: Readonly<Record<Slot, readonly GroupName[]>> = {
  bank: ['deposits_in_transit', 'outstanding_payments', 'bank_errors'],
  books: ['unbooked_receipts', 'unbooked_payments', 'match_differences', 'book_errors'],
};

const LABELS: Readonly<Record<GroupName, string>> = {
  deposits_in_transit: 'Add: deposits in transit',
  outstanding_payments: 'Less: outstanding payments',
  unbooked_receipts: 'Add: receipts not booked',
  unbooked_payments: 'Less: payments not booked',
  match_differences: 'Match differences',
  bank_errors: 'Errors of the bank',
  book_errors: 'Errors in the books',
};

const NEUTRAL_LABELS: Readonly<Record<GroupName, string>> = {
  deposits_in_transit: 'Add: money in on side B only',
  outstanding_payments: 'Less: money out on side B only',
  unbooked_receipts: 'Add: money in on side A only',
  unbooked_payments: 'Less: money out on side A only',
  match_differences: 'Match differences',
  bank_errors: 'Errors of side A',
  book_errors: 'Errors of side B',
};

/** Groups that always stand there; the others only where they hold something. */
const ALWAYS: ReadonlySet<GroupName> = new Set(['deposits_in_transit', 'outstanding_payments', 'unbooked_receipts', 'unbooked_payments']);

export function groupLabel(statement: Pick<PeriodStatement, 'bank_side'>, name: GroupName): string {
  return (statement.bank_side === null ? NEUTRAL_LABELS : LABELS)[name];
}

/** The groups of one column, from the balance to the adjusted balance. */
export function groupRows(statement: PeriodStatement, slot: Slot): GroupRow[] {
  return GROUPS[slot]
    .filter((name) => ALWAYS.has(name) || statement[name].count > 0 || statement[name].total !== 0)
    .map((name) => ({ name, label: groupLabel(statement, name), ...statement[name] }));
}

/** Of a balance that is worked out from the opening balance and the lines, since nobody states it. */
export const COMPUTED = 'computed, not stated';

/** Whether the balance of a side is computed alone. */
export function isComputed(statement: Pick<PeriodStatement, Slot>, slot: Slot): boolean {
  return statement[slot].stated_closing === null && statement[slot].balance !== null;
}

/** The day for which the closing balance of a side was stated, where that is too early to prove the period; else null. */
export function earlierDayOf(statement: Pick<PeriodStatement, Slot | 'doubts' | 'currency'>, slot: Slot): string | null {
  const isEarlier = statement.doubts.some(
    ({ code, side, currency }) => code === 'balance_of_earlier_day' && side === slot && currency === statement.currency,
  );
  return isEarlier ? statement[slot].closing_balance.as_of : null;
}

/** `Balance per statement, 30/06/2026`. */
export function balanceLabel(statement: Pick<PeriodStatement, 'bank_side' | 'period'>, slot: Slot): string {
  const at = fullDay(statement.period.to);
  if (statement.bank_side === null) return `Balance of ${slot === 'bank' ? 'side A' : 'side B'}, ${at}`;
  return slot === 'bank' ? `Balance per statement, ${at}` : `Balance per books, ${at}`;
}

export function adjustedLabel(statement: Pick<PeriodStatement, 'bank_side'>, slot: Slot): string {
  if (statement.bank_side === null) return `Adjusted balance of ${slot === 'bank' ? 'side A' : 'side B'}`;
  return slot === 'bank' ? 'Adjusted bank balance' : 'Adjusted book balance';
}

/** The balance a column starts from: stated, else computed. */
export function balanceOf(statement: PeriodStatement, slot: Slot): number | null {
  return statement[slot].balance;
}

/** The amount with which an item enters its group: an error enters with the opposite sign. */
export function enteredAmount({ group, amount }: Pick<PeriodOpenItem, 'group' | 'amount'>): number {
  return group === 'bank_errors' || group === 'book_errors' ? -amount : amount;
}

/** What is said of a figure that is looked into. */
export type FigureKey =
  | { readonly kind: 'group'; readonly name: GroupName }
  | { readonly kind: 'balance' | 'adjusted'; readonly slot: Slot }
  | { readonly kind: 'item'; readonly recordId: number }
  | { readonly kind: 'unexplained' };
