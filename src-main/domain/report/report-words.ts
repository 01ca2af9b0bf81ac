import { amountText, type CauseKind, type LedgerRecord, type SignOffKind } from '../ledger/index.ts';
import type { CloseReport, Moment, ReportCertainty } from './close-report.ts';
import type { Identity } from './document.ts';
import { dateText, dayText } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';

const HASH_GROUP = 4;
const SHORT_HASH = 16;

/** Formats minor units for people: -127500 at two places becomes `−1,275.00`. */
export function readableAmount(amount: number, decimalPlaces: number): string {
  return amountText(amount, decimalPlaces).replace('-', '−');
}

/** Replaces hyphens before numbers by minus signs. */
export function readableSentence(text: string): string {
  return text.replaceAll(/(?<![\p{L}\p{N}])-(?=\d)/gu, '−');
}

/** Returns the description of a line; empty if it only repeats the reference or serves as its label. */
export function particulars({ reference, description }: Pick<LedgerRecord, 'reference' | 'description'>): string {
  return reference === null || description === null || description.trim() === reference.trim() ? '' : description;
}

/** Formats `2026-07-02T09:14:00.000Z` as `02/07/2026 09:14`. */
export function momentText(moment: Moment): string {
  const [date = '', time = ''] = moment.split('T');
  return `${dateText(date)} ${time.slice(0, 5)}`.trim();
}

/** Returns the first 16 digits of a hash in groups, such as `f2c9 17db b5a4 6fb3`. */
export function shortHash(hash: string): string {
  return groupedHash(hash.slice(0, SHORT_HASH));
}

/** Returns all digits of a hash in groups of four. */
export function groupedHash(hash: string): string {
  const groups: string[] = [];
  for (let at = 0; at < hash.length; at += HASH_GROUP) groups.push(hash.slice(at, at + HASH_GROUP));
  return groups.join(' ');
}

/** Formats a range of days as `01/06/2026 to 30/06/2026`. */
export function daysText(from: number, to: number): string {
  return `${dayText(from)} to ${dayText(to)}`;
}

const CAUSE_TITLES: Readonly<Record<CauseKind, string>> = {
  reference_differs: phrase('report.reportWords.referenceDiffers'),
  amount_differs: phrase('report.reportWords.amountDiffers'),
  transposed_digits: phrase('report.reportWords.digitsTransposed'),
  sign_reversed: phrase('report.reportWords.signReversed'),
  duplicate: phrase('report.reportWords.possibleDuplicate'),
  adds_up: phrase('report.reportWords.addsUpWithOthers'),
  near_cut_off: phrase('report.reportWords.nearTheCutOff'),
  bank_charge: phrase('report.reportWords.bankChargeNotBooked'),
  interest: phrase('report.reportWords.interestNotBooked'),
  deposit_in_transit: phrase('report.reportWords.depositInTransit'),
  outstanding_payment: phrase('report.reportWords.paymentOutstanding'),
  long_outstanding: phrase('report.reportWords.outstandingForLong'),
  unbooked: phrase('report.reportWords.notBooked'),
  broken_import: phrase('report.reportWords.runningBalanceBreaks'),
};

/** Without a bank nothing is in transit, and nobody charges for an account. */
const NEUTRAL_CAUSES: Readonly<Partial<Record<CauseKind, string>>> = {
  deposit_in_transit: phrase('report.reportWords.notOnTheOtherSide'),
  outstanding_payment: phrase('report.reportWords.notOnTheOtherSide'),
  long_outstanding: phrase('report.reportWords.notOnTheOtherSide'),
  unbooked: phrase('report.reportWords.notOnTheOtherSide'),
  bank_charge: phrase('report.reportWords.chargeOnlyOnOneSide'),
  interest: phrase('report.reportWords.interestOnlyOnOneSide'),
};

/** Returns the title of a cause. */
export function causeTitle({ isNeutral }: Pick<CloseReport, 'isNeutral'>, kind: CauseKind): string {
  return (isNeutral ? NEUTRAL_CAUSES[kind] : undefined) ?? CAUSE_TITLES[kind];
}

export const CERTAINTY_WORDS: Readonly<Record<ReportCertainty, string>> = {
  unique: 'unique',
  best: phrase('report.reportWords.bestOfSeveral'),
  interchangeable: 'interchangeable',
  contested: 'contested',
};

export const SIGN_OFF_WORDS: Readonly<Record<SignOffKind, string>> = {
  prepare: 'Prepared',
  review: 'Reviewed',
  close: 'Closed',
  reopen: 'Reopened',
};

/** Returns the facts about a report as names and values. They are the head of every page, sheet and file. */
export function identityRows(identity: Identity): (readonly [string, string])[] {
  const {
    bookName,
    reconciliation,
    account,
    accountNumber,
    sources,
    days,
    currency,
    preparedBy,
    state,
    isStale,
    fingerprint,
    contents,
    printed,
  } = identity;
  return [
    ['Reconciliation', bookName === null ? reconciliation : `${reconciliation}, ${bookName}`],
    ['Account', accountNumber === null ? account : `${account}, ${accountNumber}`],
    ['Sources', sources.join('; ')],
    ['Period', `${days}, ${currency}`],
    [phrase('report.reportWords.preparedBy'), preparedBy ?? phrase('report.reportWords.notPreparedYet')],
    ['State', isStale ? phrase('report.reportWords.changedSinceSigned', { state }) : state],
    ['Fingerprint', fingerprint],
    ['Contents', contents],
    ['Printed', printed],
  ];
}
