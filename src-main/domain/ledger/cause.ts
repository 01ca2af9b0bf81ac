import type { LedgerRecord } from './input.ts';
import type { OpenItem } from './statement.ts';

export type CauseKind =
  | 'reference_differs'
  | 'amount_differs'
  | 'transposed_digits'
  | 'sign_reversed'
  | 'duplicate'
  | 'adds_up'
  | 'near_cut_off'
  | 'bank_charge'
  | 'interest'
  | 'deposit_in_transit'
  | 'outstanding_payment'
  | 'long_outstanding'
  | 'unbooked'
  | 'broken_import';

export interface Cause {
  readonly kind: CauseKind;
  /** Signed minor units that it accounts for: bank less books where two amounts are compared, else the item's own. */
  readonly amount: number;
  /** The other records that it speaks of. */
  readonly recordIds: readonly number[];
  /** The evidence, one sentence. */
  readonly sentence: string;
}

/** A cause with what ranks it. */
export interface Found extends Omit<Cause, 'sentence'> {
  /** 0..1; no chance, only an order. */
  readonly weight: number;
  /** Most are never read, so they are written when they are. */
  readonly sentence: () => string;
}

/** What was compared, in figures and in one sentence. */
export interface LookedAt {
  readonly items: number;
  readonly itemsOf: number;
  /** Items for which sums were searched, and those that had no better cause. */
  readonly sums: number;
  readonly sumsOf: number;
  readonly isAll: boolean;
  readonly sentence: string;
}

export interface Causes {
  /** Of an open item of the statement, the likeliest first; never empty. */
  readonly of: (item: OpenItem) => readonly Cause[];
  readonly lookedAt: LookedAt;
}

/** Bank less books of two lines of different sides. Minor units. */
export function bankLessBooks(item: LedgerRecord, other: LedgerRecord): number {
  return item.side === 'bank' ? item.amount - other.amount : other.amount - item.amount;
}

export const idsOf = (records: readonly LedgerRecord[]): number[] => records.map(({ id }) => id);

/** The best first; of causes that say the same of the same records only the best. */
export function ranked(found: readonly Found[], most: number): Cause[] {
  const seen = new Set<string>();
  const causes: Cause[] = [];
  for (const { kind, amount, recordIds, sentence } of found.toSorted((left, right) => right.weight - left.weight)) {
    const key = `${kind} ${amount} ${recordIds.join(' ')}`;
    if (causes.length >= most || seen.has(key)) continue;
    seen.add(key);
    causes.push({ kind, amount, recordIds, sentence: sentence() });
  }
  return causes;
}
