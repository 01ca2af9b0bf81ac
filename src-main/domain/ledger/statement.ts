import type { DifferenceCode } from '../../../src-shared/contract/index.ts';
import type { AccountOff, BalanceBreak, LedgerRecord, LedgerSide, OpenItemNote, PeriodSpan } from './input.ts';

export type DoubtCode = 'balance_unknown' | 'unexplained' | 'lines_missing' | 'opening_unknown' | 'not_stated' | 'balance_of_earlier_day';

/** Why the figures of a period do not agree. */
export interface Doubt {
  readonly code: DoubtCode;
  /** The side it speaks of; null for both. */
  readonly side: LedgerSide | null;
  /** Minor units; null where it is about no amount. Of accounts that cancel each other, all that is missing or too many. */
  readonly amount: number | null;
  /** Goes on from `while`: `100.00 is unexplained`. */
  readonly text: string;
}

/** How many, and what they add up to: minor units, with the sign with which they enter the balance. */
export interface GroupTotal {
  readonly count: number;
  readonly total: number;
}

/** Minor units; payments are negative. Null where a balance is not known. */
export interface SideFigures {
  readonly opening: number | null;
  readonly receipts: number;
  readonly payments: number;
  readonly receiptCount: number;
  readonly paymentCount: number;
  /** Computed: opening balance with receipts and payments. */
  readonly closing: number | null;
  readonly statedClosing: number | null;
  /** What the statement starts from: the stated closing balance, else the computed one. */
  readonly balance: number | null;
  /** Stated closing balance less the computed one: lines that are missing from the side, or too many. Null where one of them is not known. */
  readonly linesMissing: number | null;
  /** Where they are missing, as far as stated balances within the period show it. */
  readonly breaks: readonly BalanceBreak[];
  /** Where the side has several accounts, those whose own balances do not hold. */
  readonly offByAccount: readonly AccountOff[];
  /** The day for which the closing balance was stated, where it is earlier than the last one and nothing says that it still held then. */
  readonly earlierDay: number | null;
  /** Whether the stated closing balance is the computed one, of each account by itself; null where one of them is not known. */
  readonly holds: boolean | null;
}

export type OpenGroup =
  | 'deposits_in_transit'
  | 'outstanding_payments'
  | 'unbooked_receipts'
  | 'unbooked_payments'
  | 'bank_errors'
  | 'book_errors';

/** Why a record is open: no match, a proposal that nobody decided, or a match with a record dated after the last day. */
export type OpenReason = 'unmatched' | 'proposed' | 'reaches_past';

export interface OpenItem {
  readonly record: LedgerRecord;
  readonly group: OpenGroup;
  readonly reason: OpenReason;
  /** The proposal, or the match that reaches past the last day. */
  readonly matchId: number | null;
  readonly note: OpenItemNote | null;
}

/** A match that is cleared as of the last day. Minor units. */
export interface ClearedMatch {
  readonly id: number;
  readonly bank: number;
  readonly books: number;
  /** Bank less books. */
  readonly difference: number;
  readonly reason: DifferenceCode | null;
  readonly recordIds: readonly number[];
}

export type WarningCode =
  | 'opening_unknown'
  | 'balance_unknown'
  | 'closing_not_stated'
  | 'balance_does_not_hold'
  | 'opening_difference'
  | 'proposals_undecided';

export interface LedgerWarning {
  readonly code: WarningCode;
  /** The side it speaks of; null for both. */
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
  /** Bank less books of the cleared matches whose difference is not 0 and whose reason is no bank error. */
  readonly matchDifferences: GroupTotal;
  /** What the bank has wrong, with the opposite sign. */
  readonly bankErrors: GroupTotal;
  /** What the books have wrong, with the opposite sign. */
  readonly bookErrors: GroupTotal;
  readonly adjustedBank: number | null;
  readonly adjustedBooks: number | null;
  /** Adjusted bank less adjusted books, each from the stated balance where there is one. */
  readonly unexplained: number | null;
  /** Why the figures do not agree; empty exactly where they do. */
  readonly doubts: readonly Doubt[];
  /** Balance of the bank less that of the books, before adjustment. */
  readonly rawDifference: number | null;
  /** By how much the openings differ beyond the records dated before the first day. */
  readonly openingDifference: number | null;
  /** By day, bank first, then by id. */
  readonly openItems: readonly OpenItem[];
  readonly clearedMatches: readonly ClearedMatch[];
  /** How many of the records up to the last day are in cleared matches. */
  readonly clearedRecords: number;
  readonly warnings: readonly LedgerWarning[];
}

/** A total that a safe integer does not hold. */
export interface TotalOutOfRange {
  readonly code: 'total_out_of_range';
  readonly message: string;
}
