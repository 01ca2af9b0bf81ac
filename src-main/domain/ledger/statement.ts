import type { DifferenceCode } from '../../../src-shared/contract/index.ts';
import type { AccountOff, BalanceBreak, LedgerRecord, LedgerSide, OpenItemNote, PeriodSpan } from './input.ts';

type DoubtCode = 'balance_unknown' | 'unexplained' | 'lines_missing' | 'opening_unknown' | 'not_stated' | 'balance_of_earlier_day';

/** A reason why the figures of a period do not agree. */
export interface Doubt {
  readonly code: DoubtCode;
  /** The side it concerns; null for both. */
  readonly side: LedgerSide | null;
  /** In minor units; null if it concerns no amount. For accounts that cancel each other, the sum of the absolute amounts. */
  readonly amount: number | null;
  /** Worded to follow `while`: `100.00 is unexplained`. */
  readonly text: string;
}

/** A number of items and their sum in minor units, with the sign with which they enter the balance. */
export interface GroupTotal {
  readonly count: number;
  readonly total: number;
}

/** In minor units; payments are negative. Null if a balance is unknown. */
export interface SideFigures {
  readonly opening: number | null;
  readonly receipts: number;
  readonly payments: number;
  readonly receiptCount: number;
  readonly paymentCount: number;
  /** Computed: opening balance plus receipts and payments. */
  readonly closing: number | null;
  readonly statedClosing: number | null;
  /** Starting point of the statement: the stated closing balance, or else the computed one. */
  readonly balance: number | null;
  /** Stated closing balance less the computed one: lines that are missing from the side, or surplus ones. Null if one of them is unknown. */
  readonly linesMissing: number | null;
  /** The days between which lines are missing, as far as stated balances within the period show it. */
  readonly breaks: readonly BalanceBreak[];
  /** On a side with several accounts, those whose own balances do not agree. */
  readonly offByAccount: readonly AccountOff[];
  /** The day for which the closing balance was stated, if that is before the last day and nothing shows that it was still valid then. */
  readonly earlierDay: number | null;
  /** Whether the stated closing balance equals the computed one, also for each account; null if one of them is unknown. */
  readonly holds: boolean | null;
}

export type OpenGroup =
  | 'deposits_in_transit'
  | 'outstanding_payments'
  | 'unbooked_receipts'
  | 'unbooked_payments'
  | 'bank_errors'
  | 'book_errors';

/** Why a record is open: no match, an undecided proposal, or a match with a record dated after the last day. */
export type OpenReason = 'unmatched' | 'proposed' | 'reaches_past';

export interface OpenItem {
  readonly record: LedgerRecord;
  readonly group: OpenGroup;
  readonly reason: OpenReason;
  /** The proposal, or the match that reaches past the last day. */
  readonly matchId: number | null;
  readonly note: OpenItemNote | null;
}

/** A match that is cleared as of the last day, in minor units. */
export interface ClearedMatch {
  readonly id: number;
  readonly bank: number;
  readonly books: number;
  /** Bank less books. */
  readonly difference: number;
  readonly reason: DifferenceCode | null;
  readonly recordIds: readonly number[];
}

type WarningCode =
  | 'opening_unknown'
  | 'balance_unknown'
  | 'closing_not_stated'
  | 'balance_does_not_hold'
  | 'opening_difference'
  | 'proposals_undecided';

export interface LedgerWarning {
  readonly code: WarningCode;
  /** The side it concerns; null for both. */
  readonly side: LedgerSide | null;
  readonly message: string;
}

/** The reconciliation statement of a period in one currency. */
export interface Statement {
  readonly period: PeriodSpan;
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly bank: SideFigures;
  readonly books: SideFigures;
  readonly depositsInTransit: GroupTotal;
  /** Negative. */
  readonly outstandingPayments: GroupTotal;
  readonly unbookedReceipts: GroupTotal;
  /** Negative. */
  readonly unbookedPayments: GroupTotal;
  /** Bank less books of the cleared matches whose difference is not 0 and whose reason is not a bank error. */
  readonly matchDifferences: GroupTotal;
  /** Errors of the bank, with the opposite sign. */
  readonly bankErrors: GroupTotal;
  /** Errors of the books, with the opposite sign. */
  readonly bookErrors: GroupTotal;
  readonly adjustedBank: number | null;
  readonly adjustedBooks: number | null;
  /** Adjusted bank less adjusted books, each from the stated balance if there is one. */
  readonly unexplained: number | null;
  /** Why the figures do not agree; empty exactly if they agree. */
  readonly doubts: readonly Doubt[];
  /** Balance of the bank less that of the books, before adjustment. */
  readonly rawDifference: number | null;
  /** Difference of the opening balances beyond the records dated before the first day. */
  readonly openingDifference: number | null;
  /** Ordered by day, bank before books, then id. */
  readonly openItems: readonly OpenItem[];
  readonly clearedMatches: readonly ClearedMatch[];
  /** Number of undecided proposals with a record up to the last day. */
  readonly proposals: number;
  /** Number of records up to the last day that are in cleared matches. */
  readonly clearedRecords: number;
  readonly warnings: readonly LedgerWarning[];
}

/** A total that exceeds the safe integers. */
export interface TotalOutOfRange {
  readonly code: 'total_out_of_range';
  readonly message: string;
}
