import type { DifferenceCode } from '../../../src-shared/contract/index.ts';

/** The two slots of a close. Without a bank they are simply the two sides. */
export type LedgerSide = 'bank' | 'books';

/** First and last day, both included, as days since 1970-01-01. */
export interface PeriodSpan {
  readonly from: number;
  readonly to: number;
}

/** Two stated balances between which the lines do not lead from the one to the other. */
export interface BalanceBreak {
  /** First and last day between them. */
  readonly from: number;
  readonly to: number;
  /** Later balance less the earlier one and the lines between them, minor units; not 0. */
  readonly amount: number;
}

/** By how much the lines of an account do not lead from its opening balance to its closing one, in minor units; not 0. */
export interface AccountOff {
  readonly name: string;
  readonly amount: number;
}

/** What is known of a side's balance, in minor units; null where nobody said. */
export interface SideBalances {
  /** At the beginning of the first day. */
  readonly opening: number | null;
  /** At the end of the last day, as the bank states it or a person entered it. */
  readonly stated: number | null;
  /** Between which days stated balances do not follow from each other, the earliest first; none where only the first and last are known. */
  readonly breaks?: readonly BalanceBreak[];
  /** Of several accounts on a side, those whose own balances do not hold; their amounts may cancel each other. */
  readonly offByAccount?: readonly AccountOff[];
  /** The day for which the closing balance was stated, where it is earlier than the last one and nothing says that it still held then. */
  readonly earlierDay?: number | null;
}

export interface LedgerRecord {
  readonly id: number;
  readonly side: LedgerSide;
  /** Days since 1970-01-01. */
  readonly day: number;
  /** Signed minor units, a safe integer; money in is positive on both sides. */
  readonly amount: number;
  readonly reference: string | null;
  readonly description: string | null;
  /** What the file calls the kind of line, such as `CHG` or `INT`; null where it says nothing. */
  readonly kindText: string | null;
  readonly streamId: number;
  /** The import that brought it; null for a record that came alone. */
  readonly importId: number | null;
  /** A person made it to balance a match: no line of either side. */
  readonly isAdjustment: boolean;
}

export interface LedgerMatch {
  readonly id: number;
  /** Records of both sides, adjustments included; a record is in one confirmed match at most. */
  readonly recordIds: readonly number[];
  readonly status: 'confirmed' | 'proposed';
  /** Why the sides differ; null where nobody said or they do not. */
  readonly reason: DifferenceCode | null;
}

export type OpenItemStatus = 'open' | 'in_transit' | 'outstanding' | 'to_be_booked' | 'bank_error' | 'book_error' | 'timing' | 'disputed';

/** What a person wrote on an open item. */
export interface OpenItemNote {
  readonly recordId: number;
  readonly status: OpenItemStatus;
  readonly owner: string | null;
  readonly comment: string | null;
}

/** Where the running balance of an import does not follow from line to line. */
export interface ChainBreak {
  readonly day: number;
  /** Stated balance less the balance that the lines give, minor units; not 0. */
  readonly amount: number;
}

export interface LedgerImport {
  readonly id: number;
  readonly side: LedgerSide;
  /** Of the file, as people know it. */
  readonly name: string;
  /** Hash of the file's bytes; null where there was no file. */
  readonly contentHash: string | null;
  readonly breaks: readonly ChainBreak[];
}

/** All that a close of one currency is computed from. */
export interface LedgerInput {
  readonly period: PeriodSpan;
  readonly currency: string;
  readonly decimalPlaces: number;
  /** No side is a bank: the sentences speak of side A and side B. */
  readonly isNeutral: boolean;
  /** Which side of the reconciliation stands in the slot `bank`. */
  readonly bankSide: 'a' | 'b';
  readonly balances: Readonly<Record<LedgerSide, SideBalances>>;
  /** All records of both sides dated on or before the last day, and those dated shortly after it, in any order. */
  readonly records: readonly LedgerRecord[];
  readonly matches: readonly LedgerMatch[];
  readonly notes: readonly OpenItemNote[];
  readonly imports: readonly LedgerImport[];
}

export function otherSide(side: LedgerSide): LedgerSide {
  return side === 'bank' ? 'books' : 'bank';
}
