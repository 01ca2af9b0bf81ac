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
  /** Amount that it explains, in signed minor units: bank less books if two amounts are compared, otherwise the item's own amount. */
  readonly amount: number;
  /** The other records that it refers to. */
  readonly recordIds: readonly number[];
  /** The evidence in one sentence. */
  readonly sentence: string;
}

/** A cause with its rank. */
export interface Found extends Omit<Cause, 'sentence'> {
  /** 0..1. It is no probability and serves only to order causes. */
  readonly weight: number;
  /** Builds the sentence on demand, because most are never read. */
  readonly sentence: () => string;
}

/** What was compared, in figures and in one sentence. */
export interface LookedAt {
  readonly items: number;
  readonly itemsOf: number;
  /** Number of items for which sums were searched, and of those without a better cause. */
  readonly sums: number;
  readonly sumsOf: number;
  readonly isAll: boolean;
  readonly sentence: string;
}

export interface Causes {
  /** Returns the causes of an open item of the statement, the likeliest first; never empty. */
  readonly of: (item: OpenItem) => readonly Cause[];
  readonly lookedAt: LookedAt;
}

/** Returns bank less books of two lines of different sides, in minor units. */
export function bankLessBooks(item: LedgerRecord, other: LedgerRecord): number {
  return item.side === 'bank' ? item.amount - other.amount : other.amount - item.amount;
}

export const idsOf = (records: readonly LedgerRecord[]): number[] => records.map(({ id }) => id);

/** Returns the best causes first. Of causes with the same kind, amount and records only the best is kept. */
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
