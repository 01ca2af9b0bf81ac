import type { DifferenceCode } from '../../../src-shared/contract/index.ts';
import {
  amountText,
  type CauseKind,
  dayText,
  type LedgerRecord,
  type LedgerSide,
  type OpenGroup,
  type OpenItemStatus,
  sideName,
  type SignOffKind,
} from '../ledger/index.ts';
import type { CloseReport, Moment, ReportCertainty } from './close-report.ts';

const HASH_GROUP = 4;
const SHORT_HASH = 16;

/** `−1,275.00` of -127500 minor units at two places, as people read it. */
export function readableAmount(amount: number, decimalPlaces: number): string {
  return amountText(amount, decimalPlaces).replace('-', '−');
}

/** A sentence with the minus that people read. */
export function readableSentence(text: string): string {
  return text.replaceAll(/(?<![\p{L}\p{N}])-(?=\d)/gu, '−');
}

/** What a line says beside its reference; nothing where that is all it says. */
export function particulars({ reference, description }: Pick<LedgerRecord, 'reference' | 'description'>): string {
  return reference === null || description === null || description.trim() === reference.trim() ? '' : description;
}

/** `02/07/2026 09:14` of `2026-07-02T09:14:00.000Z`. */
export function momentText(moment: Moment): string {
  const [date = '', time = ''] = moment.split('T');
  const [year, month, day] = date.split('-');
  return `${day}/${month}/${year} ${time.slice(0, 5)}`.trim();
}

/** `f2c9 17db b5a4 6fb3`: the first digits of a hash in groups. */
export function shortHash(hash: string): string {
  return groupedHash(hash.slice(0, SHORT_HASH));
}

/** All digits of a hash in groups of four. */
export function groupedHash(hash: string): string {
  const groups: string[] = [];
  for (let at = 0; at < hash.length; at += HASH_GROUP) groups.push(hash.slice(at, at + HASH_GROUP));
  return groups.join(' ');
}

/** `01/06/2026 to 30/06/2026` */
export function daysText(from: number, to: number): string {
  return `${dayText(from)} to ${dayText(to)}`;
}

type Named = Pick<CloseReport, 'isNeutral' | 'bankSide'>;

/** `Bank`, `Books`, `Side A`: as a heading. */
export function slotTitle({ isNeutral, bankSide }: Named, side: LedgerSide): string {
  if (!isNeutral) return side === 'bank' ? 'Bank' : 'Books';
  return `Side ${(side === 'bank') === (bankSide === 'a') ? 'A' : 'B'}`;
}

/** `bank`, `books`, `side A`: within a sentence. */
export function slotWord(report: Named, side: LedgerSide): string {
  return report.isNeutral ? sideName(report, side) : side;
}

interface GroupWords {
  /** In the statement. */
  readonly entry: string;
  readonly title: string;
  readonly remark: string;
  /** Why it makes the balances differ. */
  readonly difference: string;
}

/** The note number of each group of open items. */
export const GROUP_NUMBERS: Readonly<Record<OpenGroup, string>> = {
  deposits_in_transit: '1.1',
  outstanding_payments: '1.2',
  unbooked_receipts: '1.3',
  unbooked_payments: '1.4',
  bank_errors: '1.5',
  book_errors: '1.6',
};

const GROUPS: Readonly<Record<OpenGroup, GroupWords>> = {
  deposits_in_transit: {
    entry: 'Add: deposits in transit',
    title: 'Deposits in transit',
    remark: 'in the books, not yet at the bank',
    difference: 'Booked, not yet at the bank: receipts',
  },
  outstanding_payments: {
    entry: 'Less: outstanding payments',
    title: 'Outstanding payments',
    remark: 'in the books, not yet at the bank',
    difference: 'Booked, not yet at the bank: payments',
  },
  unbooked_receipts: {
    entry: 'Add: receipts not booked',
    title: 'Receipts not booked',
    remark: 'at the bank, not yet in the books',
    difference: 'At the bank, not booked: receipts',
  },
  unbooked_payments: {
    entry: 'Less: payments not booked',
    title: 'Payments not booked',
    remark: 'at the bank, not yet in the books',
    difference: 'At the bank, not booked: payments',
  },
  bank_errors: {
    entry: 'Bank errors',
    title: 'Bank errors',
    remark: 'wrong at the bank, taken back with the opposite sign',
    difference: 'Wrong at the bank',
  },
  book_errors: {
    entry: 'Book errors',
    title: 'Book errors',
    remark: 'wrong in the books, taken back with the opposite sign',
    difference: 'Wrong in the books',
  },
};

/** The words of a group of open items; without a bank they speak of side A and side B. */
export function groupWords(report: Named, group: OpenGroup): GroupWords {
  if (!report.isNeutral) return GROUPS[group];
  const bank = slotWord(report, 'bank');
  const books = slotWord(report, 'books');
  const only = (there: string, not: string, what: string, sign: string): GroupWords => ({
    entry: `${sign}: ${what} only on ${there}`,
    title: `${what.charAt(0).toUpperCase()}${what.slice(1)} only on ${there}`,
    remark: `not on ${not}`,
    difference: `Only on ${there}: ${what}`,
  });
  const wrong = (there: string): GroupWords => ({
    entry: `Errors on ${there}`,
    title: `Errors on ${there}`,
    remark: 'taken back with the opposite sign',
    difference: `Wrong on ${there}`,
  });
  const words: Readonly<Record<OpenGroup, GroupWords>> = {
    deposits_in_transit: only(books, bank, 'receipts', 'Add'),
    outstanding_payments: only(books, bank, 'payments', 'Less'),
    unbooked_receipts: only(bank, books, 'receipts', 'Add'),
    unbooked_payments: only(bank, books, 'payments', 'Less'),
    bank_errors: wrong(bank),
    book_errors: wrong(books),
  };
  return words[group];
}

const CAUSE_TITLES: Readonly<Record<CauseKind, string>> = {
  reference_differs: 'Reference differs',
  amount_differs: 'Amount differs',
  transposed_digits: 'Digits transposed',
  sign_reversed: 'Sign reversed',
  duplicate: 'Perhaps entered twice',
  adds_up: 'Adds up with others',
  near_cut_off: 'Near the cut-off',
  bank_charge: 'Bank charge, not booked',
  interest: 'Interest, not booked',
  deposit_in_transit: 'Deposit in transit',
  outstanding_payment: 'Payment outstanding',
  long_outstanding: 'Outstanding for long',
  unbooked: 'Not booked',
  broken_import: 'Import with a gap',
};

/** Where no side is a bank, nothing is in transit and nobody charges for an account. */
const NEUTRAL_CAUSES: Readonly<Partial<Record<CauseKind, string>>> = {
  deposit_in_transit: 'Not on the other side',
  outstanding_payment: 'Not on the other side',
  long_outstanding: 'Not on the other side',
  unbooked: 'Not on the other side',
  bank_charge: 'Charge, only on one side',
  interest: 'Interest, only on one side',
};

export function causeTitle({ isNeutral }: Named, kind: CauseKind): string {
  return (isNeutral ? NEUTRAL_CAUSES[kind] : undefined) ?? CAUSE_TITLES[kind];
}

export const REASON_TITLES: Readonly<Record<DifferenceCode, string>> = {
  bank_charge: 'Bank charge',
  interest: 'Interest',
  fx: 'Exchange rate',
  rounding: 'Rounding',
  book_error: 'Error in the books',
  bank_error: 'Error of the bank',
  write_off: 'Write-off',
  left_open: 'Left open',
};

export const STATUS_WORDS: Readonly<Record<OpenItemStatus, string>> = {
  open: 'open',
  in_transit: 'in transit',
  outstanding: 'outstanding',
  to_be_booked: 'to be booked',
  bank_error: 'error of the bank',
  book_error: 'error in the books',
  timing: 'a matter of timing',
  disputed: 'disputed',
};

export const CERTAINTY_WORDS: Readonly<Record<ReportCertainty, string>> = {
  unique: 'unique',
  best: 'best of several',
  interchangeable: 'interchangeable',
  contested: 'contested',
};

export const SIGN_OFF_WORDS: Readonly<Record<SignOffKind, string>> = {
  prepare: 'Prepared',
  review: 'Reviewed',
  close: 'Closed',
  reopen: 'Reopened',
};
