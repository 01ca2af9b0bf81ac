import type { DifferenceCode } from '../../../src-shared/contract/index.ts';

/** The two roles in a close. Without a bank they are simply the two sides. */
export type LedgerSide = 'bank' | 'books';

/** First and last day, both included, as days since 1970-01-01. */
export interface PeriodSpan {
  readonly from: number;
  readonly to: number;
}

/** Two stated balances that do not agree with the lines between them. */
export interface BalanceBreak {
  /** First and last day between them. */
  readonly from: number;
  readonly to: number;
  /** Later balance less the earlier one and the lines between them, in minor units; not 0. */
  readonly amount: number;
}

/** An account whose lines do not lead from its opening to its closing balance, with the difference in minor units; not 0. */
export interface AccountOff {
  readonly name: string;
  readonly amount: number;
}

/** The known balances of a side, in minor units; null if unknown. */
export interface SideBalances {
  /** At the beginning of the first day. */
  readonly opening: number | null;
  /** At the end of the last day, as the bank states it or a person entered it. */
  readonly stated: number | null;
  /** Ranges of days between stated balances that do not agree, the earliest first; none if only the first and last balance are known. */
  readonly breaks?: readonly BalanceBreak[];
  /** On a side with several accounts, those whose own balances do not agree. Their amounts may cancel each other. */
  readonly offByAccount?: readonly AccountOff[];
  /** The day for which the closing balance was stated, if that is before the last day and nothing shows that it was still valid then. */
  readonly earlierDay?: number | null;
}

export interface LedgerRecord {
  readonly id: number;
  readonly side: LedgerSide;
  /** Days since 1970-01-01. */
  readonly day: number;
  /** Signed minor units, a safe integer; incoming money is positive on both sides. */
  readonly amount: number;
  readonly reference: string | null;
  readonly description: string | null;
  /** The file's code for the kind of line, such as `CHG` or `INT`; null if there is none. */
  readonly kindText: string | null;
  readonly streamId: number;
  /** The import of the record; null for a record that was added alone. */
  readonly importId: number | null;
  /** Whether a person made it to balance a match, so that it is no line of either side. */
  readonly isAdjustment: boolean;
}

export interface LedgerMatch {
  readonly id: number;
  /** Records of both sides, including adjustments. A record is in at most one confirmed match. */
  readonly recordIds: readonly number[];
  readonly status: 'confirmed' | 'proposed';
  /** Why the sides differ; null if unknown or if they do not. */
  readonly reason: DifferenceCode | null;
}

export type OpenItemStatus = 'open' | 'in_transit' | 'outstanding' | 'to_be_booked' | 'bank_error' | 'book_error' | 'timing' | 'disputed';

/** A person's note on an open item. */
export interface OpenItemNote {
  readonly recordId: number;
  readonly status: OpenItemStatus;
  readonly owner: string | null;
  readonly comment: string | null;
}

/** A place where the running balance of an import does not follow from line to line. */
export interface ChainBreak {
  readonly day: number;
  /** Stated balance less the balance computed from the lines, in minor units; not 0. */
  readonly amount: number;
}

export interface LedgerImport {
  readonly id: number;
  readonly side: LedgerSide;
  /** Name of the file. */
  readonly name: string;
  /** Hash of the file's bytes; null if there was no file. */
  readonly contentHash: string | null;
  readonly breaks: readonly ChainBreak[];
}

/** Input of a close of one currency. */
export interface LedgerInput {
  readonly period: PeriodSpan;
  readonly currency: string;
  readonly decimalPlaces: number;
  /** Whether no side is a bank, so that sentences name side A and side B. */
  readonly isNeutral: boolean;
  /** The side of the reconciliation that has the role `bank`. */
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
