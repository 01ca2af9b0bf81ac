import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { clearedMatches } from './cleared.ts';
import { doubtsOf } from './doubts.ts';
import { ExactSum, isSafe } from './exact-sum.ts';
import type { LedgerInput, LedgerSide } from './input.ts';
import type { ClearedMatch, GroupTotal, SideFigures, Statement, TotalOutOfRange } from './statement.ts';
import { type Tally, tallyOf } from './tally.ts';
import { warningsOf } from './warnings.ts';

/** Exact minor units of one side. */
interface SideBalance {
  /** Computed. */
  readonly closing: bigint | null;
  /** What the statement starts from: the stated closing balance, else the computed one. */
  readonly basis: bigint | null;
  /** As it is known, else what the stated closing balance says of it. */
  readonly opening: bigint | null;
  readonly before: bigint;
}

/** Makes plain numbers of exact ones, and remembers whether one did not fit. */
class Narrowing {
  hasOverflow = false;

  number(value: bigint): number {
    if (!isSafe(value)) this.hasOverflow = true;
    return Number(value);
  }

  numberOrNull(value: bigint | null): number | null {
    return value === null ? null : this.number(value);
  }

  group(sum: ExactSum): GroupTotal {
    return { count: sum.count, total: this.number(sum.total) };
  }
}

function balanceOf({ balances }: LedgerInput, side: LedgerSide, tally: Tally): SideBalance {
  const { opening, stated } = balances[side];
  const { before, receipts, payments } = tally.sides[side];
  const moved = receipts.total + payments.total;
  const closing = opening === null ? null : BigInt(opening) + moved;
  const basis = stated === null ? closing : BigInt(stated);
  const known = opening === null ? (basis === null ? null : basis - moved) : BigInt(opening);
  return { closing, basis, opening: known, before: before.total };
}

function figuresOf(input: LedgerInput, side: LedgerSide, tally: Tally, { closing, basis }: SideBalance, narrow: Narrowing): SideFigures {
  const { opening, stated, breaks = [] } = input.balances[side];
  const { receipts, payments } = tally.sides[side];
  const missing = closing === null || stated === null ? null : BigInt(stated) - closing;
  return {
    opening,
    receipts: narrow.number(receipts.total),
    payments: narrow.number(payments.total),
    receiptCount: receipts.count,
    paymentCount: payments.count,
    closing: narrow.numberOrNull(closing),
    statedClosing: stated,
    balance: narrow.numberOrNull(basis),
    linesMissing: narrow.numberOrNull(missing),
    breaks,
    holds: missing === null ? null : missing === 0n,
  };
}

function less(left: bigint | null, right: bigint | null): bigint | null {
  return left === null || right === null ? null : left - right;
}

const OUT_OF_RANGE: TotalOutOfRange = {
  code: 'total_out_of_range',
  message: 'A total of this period is beyond 2^53 - 1 minor units, where it would have to be rounded.',
};

/** The reconciliation statement of a period. Fails only where a total is beyond what a number holds exactly. */
export function statementOf(input: LedgerInput): Result<Statement, TotalOutOfRange> {
  const sorted = clearedMatches(input);
  const tally = tallyOf(input, sorted);
  const { groups } = tally;
  const bank = balanceOf(input, 'bank', tally);
  const books = balanceOf(input, 'books', tally);
  const plus = (basis: bigint | null, sums: readonly ExactSum[]): bigint | null =>
    basis === null ? null : sums.reduce((total, sum) => total + sum.total, basis);
  const adjustedBank = plus(bank.basis, [groups.deposits_in_transit, groups.outstanding_payments, groups.bank_errors]);
  const adjustedBooks = plus(books.basis, [
    groups.unbooked_receipts,
    groups.unbooked_payments,
    groups.match_differences,
    groups.book_errors,
  ]);
  const openings = less(bank.opening, books.opening);
  const openingDifference = openings === null ? null : openings - (bank.before - books.before);
  const narrow = new Narrowing();
  const sides = { bank: figuresOf(input, 'bank', tally, bank, narrow), books: figuresOf(input, 'books', tally, books, narrow) };
  const unexplained = narrow.numberOrNull(less(adjustedBank, adjustedBooks));
  const statement: Statement = {
    period: input.period,
    currency: input.currency,
    decimalPlaces: input.decimalPlaces,
    ...sides,
    depositsInTransit: narrow.group(groups.deposits_in_transit),
    outstandingPayments: narrow.group(groups.outstanding_payments),
    unbookedReceipts: narrow.group(groups.unbooked_receipts),
    unbookedPayments: narrow.group(groups.unbooked_payments),
    matchDifferences: narrow.group(groups.match_differences),
    bankErrors: narrow.group(groups.bank_errors),
    bookErrors: narrow.group(groups.book_errors),
    adjustedBank: narrow.numberOrNull(adjustedBank),
    adjustedBooks: narrow.numberOrNull(adjustedBooks),
    unexplained,
    doubts: doubtsOf(input, { ...sides, unexplained }),
    rawDifference: narrow.numberOrNull(less(bank.basis, books.basis)),
    openingDifference: narrow.numberOrNull(openingDifference),
    openItems: tally.openItems,
    clearedMatches: sorted.cleared.map((nets): ClearedMatch => ({
      id: nets.match.id,
      bank: narrow.number(nets.bank),
      books: narrow.number(nets.books),
      difference: narrow.number(nets.bank - nets.books),
      reason: nets.match.reason,
      recordIds: nets.match.recordIds,
    })),
    clearedRecords: tally.clearedRecords,
    warnings: warningsOf(input, {
      sides,
      openingDifference,
      undecided: tally.undecided,
    }),
  };
  return narrow.hasOverflow ? failed(OUT_OF_RANGE) : success(statement);
}
