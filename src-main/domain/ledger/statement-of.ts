import { assert } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { itemAt } from '../collections/typed-arrays.ts';
import { ExactSum, isSafe } from './exact-sum.ts';
import type { LedgerInput, LedgerMatch, LedgerRecord, LedgerSide, OpenItemNote } from './input.ts';
import { amountText, missingText, missingTitle, sideName } from './ledger-words.ts';
import type {
  ClearedMatch,
  Doubt,
  GroupTotal,
  LedgerWarning,
  OpenGroup,
  OpenItem,
  OpenReason,
  SideFigures,
  Statement,
  TotalOutOfRange,
} from './statement.ts';
import { dayText } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';

/** Most breaks of one side that a warning lists. */
const MOST_BREAKS = 5;

/** Facts on which warnings are based. */
interface Facts {
  readonly sides: Readonly<Record<LedgerSide, SideFigures>>;
  /** In exact minor units. */
  readonly openingDifference: bigint | null;
  /** Number of records in proposals. */
  readonly undecided: number;
}

/** Returns where lines are missing: ` Between 05/06/2026 and 09/06/2026 the balances break by 100.00.` */
function breakSentences({ breaks }: SideFigures, decimalPlaces: number): string {
  const said = breaks.map(({ from, to, amount }) => {
    const broken = amountText(amount, decimalPlaces);
    return from === to
      ? phrase('ledger.statementOf.breakOnADay', { day: dayText(from), broken })
      : phrase('ledger.statementOf.breakBetweenDays', { from: dayText(from), to: dayText(to), broken });
  });
  const shown = said.slice(0, MOST_BREAKS);
  const more = said.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [phrase('ledger.statementOf.moreBreaks', { more })])].map((sentence) => ` ${sentence}`).join('');
}

function sideWarnings(input: LedgerInput, side: LedgerSide, figures: SideFigures): LedgerWarning[] {
  const { opening, closing, statedClosing: stated, linesMissing, offByAccount } = figures;
  const { from, to } = input.period;
  const name = sideName(input, side);
  const written = (amount: number): string => amountText(amount, input.decimalPlaces);
  if (opening === null && stated === null) {
    const message = phrase('ledger.statementOf.noBalanceOfIsKnown', { name, from: dayText(from), to: dayText(to) });
    return [{ code: 'balance_unknown', side, message }];
  }
  if (opening === null) {
    const message = phrase('ledger.statementOf.openingBalanceOfOnIsNotKnown', {
      name,
      from: dayText(from),
      stated: written(stated ?? 0),
      to: dayText(to),
    });
    return [{ code: 'opening_unknown', side, message }];
  }
  if (stated === null || closing === null) {
    const message = phrase('ledger.statementOf.noClosingBalanceOfIsStated', { name, to: dayText(to), closing: written(closing ?? 0) });
    return [{ code: 'closing_not_stated', side, message }];
  }
  if (linesMissing === 0 && offByAccount.length > 0) {
    const message = `${missingTitle(input, side)}: ${missingText(0, offByAccount, input.decimalPlaces)}.`;
    return [{ code: 'balance_does_not_hold', side, message: `${message}${breakSentences(figures, input.decimalPlaces)}` }];
  }
  if (linesMissing === null || linesMissing === 0) return [];
  const message = phrase('ledger.statementOf.isStatedForAndTheOpening', {
    missingTitle: missingTitle(input, side),
    missing: missingText(linesMissing, offByAccount, input.decimalPlaces),
    stated: written(stated),
    to: dayText(to),
    closing: written(closing),
  });
  return [{ code: 'balance_does_not_hold', side, message: `${message}${breakSentences(figures, input.decimalPlaces)}` }];
}

/** Returns warnings about missing or inconsistent balances, each as a sentence to show in place of the figure. */
function warningsOf(input: LedgerInput, { sides, openingDifference, undecided }: Facts): LedgerWarning[] {
  const warnings = [...sideWarnings(input, 'bank', sides.bank), ...sideWarnings(input, 'books', sides.books)];
  if (openingDifference !== null && openingDifference !== 0n && isSafe(openingDifference)) {
    const amount = amountText(Number(openingDifference), input.decimalPlaces);
    const message = phrase('ledger.statementOf.itemsFromBeforeAreMissing', { from: dayText(input.period.from), amount });
    warnings.push({ code: 'opening_difference', side: null, message });
  }
  if (undecided > 0) {
    const message = phrase('ledger.statementOf.linesAreInProposalsThatNobody', { undecided });
    warnings.push({ code: 'proposals_undecided', side: null, message });
  }
  return warnings;
}

interface SideSums {
  readonly before: ExactSum;
  readonly receipts: ExactSum;
  readonly payments: ExactSum;
}

interface Tally {
  readonly sides: Readonly<Record<LedgerSide, SideSums>>;
  /** With the sign with which each enters the balance. */
  readonly groups: Readonly<Record<OpenGroup | 'match_differences', ExactSum>>;
  readonly openItems: readonly OpenItem[];
  readonly clearedRecords: number;
  readonly undecided: number;
}

const sideSums = (): SideSums => ({ before: new ExactSum(), receipts: new ExactSum(), payments: new ExactSum() });

function groupOf({ side, amount }: LedgerRecord, note: OpenItemNote | null): OpenGroup {
  if (side === 'bank') {
    if (note?.status === 'bank_error') return 'bank_errors';
    return amount < 0 ? 'unbooked_payments' : 'unbooked_receipts';
  }
  if (note?.status === 'book_error') return 'book_errors';
  return amount < 0 ? 'outstanding_payments' : 'deposits_in_transit';
}

function isError(group: OpenGroup): boolean {
  return group === 'bank_errors' || group === 'book_errors';
}

function addToSide(sums: SideSums, record: LedgerRecord, from: number): void {
  if (record.day < from) sums.before.add(record.amount);
  else if (record.amount < 0) sums.payments.add(record.amount);
  else sums.receipts.add(record.amount);
}

/** Orders open items by day, then bank before books, then id. */
function inOrder(left: OpenItem, right: OpenItem): number {
  const [a, b] = [left.record, right.record];
  return a.day - b.day || (a.side === b.side ? a.id - b.id : a.side === 'bank' ? -1 : 1);
}

/** Sums up everything dated on or before the last day. */
function tallyOf({ records, period, notes }: LedgerInput, { cleared, isCleared, holders }: Sorted): Tally {
  const noteById = new Map(notes.map((note) => [note.recordId, note]));
  const sides = { bank: sideSums(), books: sideSums() };
  const groups = {
    deposits_in_transit: new ExactSum(),
    outstanding_payments: new ExactSum(),
    unbooked_receipts: new ExactSum(),
    unbooked_payments: new ExactSum(),
    bank_errors: new ExactSum(),
    book_errors: new ExactSum(),
    match_differences: new ExactSum(),
  };
  const openItems: OpenItem[] = [];
  let clearedRecords = 0;
  let undecided = 0;
  for (let place = 0; place < records.length; place += 1) {
    const record = itemAt(records, place);
    if (record.day > period.to || record.isAdjustment) continue;
    addToSide(sides[record.side], record, period.from);
    if (isCleared[place] === 1) {
      clearedRecords += 1;
      continue;
    }
    const note = noteById.get(record.id) ?? null;
    const holder = holders.get(place);
    const group = groupOf(record, note);
    groups[group].add(isError(group) ? 0 - record.amount : record.amount);
    if (holder?.reason === 'proposed') undecided += 1;
    openItems.push({ record, group, reason: holder?.reason ?? 'unmatched', matchId: holder?.matchId ?? null, note });
  }
  for (const { match, bank, books } of cleared) {
    const difference = bank - books;
    if (difference === 0n) continue;
    if (match.reason === 'bank_error') groups.bank_errors.addExact(-difference);
    else groups.match_differences.addExact(difference);
  }
  openItems.sort(inOrder);
  return { sides, groups, openItems, clearedRecords, undecided };
}

/** Exact minor units of one side. */
interface SideBalance {
  /** Computed from the opening balance. */
  readonly closing: bigint | null;
  /** Starting point of the statement: the stated closing balance, or else the computed one. */
  readonly basis: bigint | null;
  /** The known opening balance, or else the one that follows from the stated closing balance. */
  readonly opening: bigint | null;
  readonly before: bigint;
}

/** Converts exact numbers into plain ones and records whether one did not fit. */
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
  const { opening, stated, breaks = [], offByAccount = [], earlierDay = null } = input.balances[side];
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
    offByAccount,
    earlierDay: stated === null ? null : earlierDay,
    holds: missing === null ? null : missing === 0n && offByAccount.length === 0,
  };
}

function less(left: bigint | null, right: bigint | null): bigint | null {
  return left === null || right === null ? null : left - right;
}

const OUT_OF_RANGE: TotalOutOfRange = {
  code: 'total_out_of_range',
  message: phrase('ledger.statementOf.aTotalOfThisPeriod'),
};

/** Returns the reconciliation statement of a period. Fails only if a total exceeds the safe integers. */
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
    proposals: sorted.proposals,
    clearedRecords: tally.clearedRecords,
    warnings: warningsOf(input, {
      sides,
      openingDifference,
      undecided: tally.undecided,
    }),
  };
  return narrow.hasOverflow ? failed(OUT_OF_RANGE) : success(statement);
}

/** A cleared match with its nets in minor units. */
interface Nets {
  readonly match: LedgerMatch;
  readonly bank: bigint;
  readonly books: bigint;
}

/** A match that leaves its records open. */
interface Holder {
  readonly matchId: number;
  readonly reason: Exclude<OpenReason, 'unmatched'>;
}

interface Sorted {
  readonly cleared: readonly Nets[];
  /** By index of the record: 1 if it is in a cleared match. */
  readonly isCleared: Uint8Array;
  /** By index of the record: a match that holds it without clearing it. */
  readonly holders: ReadonlyMap<number, Holder>;
  /** Number of proposals that hold a record dated on or before the last day. */
  readonly proposals: number;
}

/** Returns the indexes of a match's lines without adjustments, or null if one of them is dated after the last day or is not among the records. */
function placesOf(
  match: LedgerMatch,
  records: readonly LedgerRecord[],
  placeById: ReadonlyMap<number, number>,
  to: number,
): number[] | null {
  const places: number[] = [];
  for (const id of match.recordIds) {
    const place = placeById.get(id);
    if (place === undefined) return null;
    const record = itemAt(records, place);
    if (record.isAdjustment) continue;
    if (record.day > to) return null;
    places.push(place);
  }
  return places;
}

function netsOf(match: LedgerMatch, places: readonly number[], records: readonly LedgerRecord[]): Nets {
  let bank = 0n;
  let books = 0n;
  for (const place of places) {
    const { side, amount } = itemAt(records, place);
    if (side === 'bank') bank += BigInt(amount);
    else books += BigInt(amount);
  }
  return { match, bank, books };
}

/** Returns the matches that are cleared as of the last day, and what holds the records of the others. */
function clearedMatches({ records, matches, period }: LedgerInput): Sorted {
  const placeById = new Map<number, number>();
  for (let place = 0; place < records.length; place += 1) placeById.set(itemAt(records, place).id, place);
  assert(placeById.size === records.length, 'a record stands twice among those of a period');
  const isCleared = new Uint8Array(records.length);
  const holders = new Map<number, Holder>();
  const cleared: Nets[] = [];
  let proposals = 0;
  for (const match of matches) {
    const places = match.status === 'confirmed' ? placesOf(match, records, placeById, period.to) : null;
    if (places === null) {
      const reason = match.status === 'confirmed' ? 'reaches_past' : 'proposed';
      let isWithin = false;
      for (const id of match.recordIds) {
        const place = placeById.get(id);
        if (place !== undefined && itemAt(records, place).day <= period.to) isWithin = true;
        // A record may be in several proposals; a confirmed match has precedence over them.
        if (place !== undefined && (reason === 'reaches_past' || !holders.has(place))) holders.set(place, { matchId: match.id, reason });
      }
      if (reason === 'proposed' && isWithin) proposals += 1;
      continue;
    }
    if (places.length === 0) continue;
    for (const place of places) {
      assert(isCleared[place] === 0, 'a record is in two cleared matches');
      isCleared[place] = 1;
    }
    cleared.push(netsOf(match, places, records));
  }
  return { cleared, isCleared, holders, proposals };
}

type Context = Pick<LedgerInput, 'isNeutral' | 'bankSide' | 'decimalPlaces' | 'period'>;

/** A balance of an earlier day proves only a part of the period. */
function earlierDoubts(context: Context, side: LedgerSide, { earlierDay }: SideFigures): Doubt[] {
  if (earlierDay === null) return [];
  const text = phrase('ledger.statementOf.closingBalanceOfIsStated', {
    context: sideName(context, side),
    earlierDay: dayText(earlierDay),
    to: dayText(context.period.to),
  });
  return [{ code: 'balance_of_earlier_day', side, amount: null, text }];
}

function sideDoubts(context: Context, side: LedgerSide, figures: SideFigures): Doubt[] {
  const { opening, statedClosing, linesMissing, offByAccount } = figures;
  const name = sideName(context, side);
  if (opening === null && statedClosing === null) {
    return [{ code: 'balance_unknown', side, amount: null, text: phrase('ledger.statementOf.noBalanceKnown', { name }) }];
  }
  if (statedClosing === null) {
    return [{ code: 'not_stated', side, amount: null, text: phrase('ledger.statementOf.closingBalanceIsComputed', { name }) }];
  }
  if (opening === null) {
    const text = phrase('ledger.statementOf.openingBalanceOfIsNotKnown', { name });
    return [{ code: 'opening_unknown', side, amount: null, text }, ...earlierDoubts(context, side, figures)];
  }
  if (linesMissing === null || (linesMissing === 0 && offByAccount.length === 0)) return earlierDoubts(context, side, figures);
  const title = missingTitle(context, side);
  const text = phrase('ledger.statementOf.comeTo', {
    charAt: title.charAt(0).toLowerCase(),
    title: title.slice(1),
    missing: missingText(linesMissing, offByAccount, context.decimalPlaces),
  });
  const amount = linesMissing === 0 ? offByAccount.reduce((sum, account) => sum + Math.abs(account.amount), 0) : linesMissing;
  return [{ code: 'lines_missing', side, amount, text }, ...earlierDoubts(context, side, figures)];
}

/**
 * Returns the doubts about a period: an unexplained amount, missing or surplus lines, and balances that are not stated. The figures agree exactly if
 * there are none. The screen, the first page, the report, the command line and the refusal to close all use this function.
 */
function doubtsOf(
  context: Context,
  { bank, books, unexplained }: Readonly<Record<LedgerSide, SideFigures>> & { readonly unexplained: number | null },
): Doubt[] {
  const doubts = [...sideDoubts(context, 'bank', bank), ...sideDoubts(context, 'books', books)];
  if (unexplained === null || unexplained === 0) return doubts;
  const text = phrase('ledger.statementOf.isUnexplained', { unexplained: amountText(unexplained, context.decimalPlaces) });
  return [{ code: 'unexplained', side: null, amount: unexplained, text }, ...doubts];
}
