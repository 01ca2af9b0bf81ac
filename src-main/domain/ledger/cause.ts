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

/** The compared amounts and days, and one sentence about them. */
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

/** Limits of the search for causes, so that 10,000 open items take less than a second. */
export const CAUSE_LIMITS = {
  /** Open items that are compared with others, the largest first. */
  items: 20_000,
  /** Causes of one item. */
  causes: 4,
  /** Items for which sums are searched: those without a better cause, the largest first. */
  sums: 400,
  /** Lines of the other side that may be part of a sum, the nearest by day. */
  sumLines: 24,
  /** Lines of one sum. */
  sumMembers: 6,
  /** Days between an item and the parts of a sum. */
  sumDays: 14,
  /** Steps of one search. */
  sumWork: 20_000,
  /** A reference on more open lines of a side identifies nothing. */
  linesOfReference: 32,
  /** Lines that one line of the other side may name. */
  documents: 200,
  /** Days after which a line of the books no longer counts as in transit, if too few similar ones are known. */
  onItsWay: 30,
  /** Days between two lines of one reference, between two of one amount, and between the last day and a later line. */
  referenceDays: 62,
  amountDays: 31,
  cutOffDays: 31,
  /** Days between two lines that may be duplicates. */
  repeatDays: 5,
} as const;
