import { HOME_AGES } from '../../../src-shared/contract/book/home.ts';
import { describe, expect, it } from 'vitest';
import {
  AGE_BOUNDS,
  ageBuckets,
  ageOf,
  clearingTimes,
  type Journal,
  journalOf,
  type LedgerInput,
  type OpenItem,
  type Statement,
  statementOf,
} from '../../../src-main/domain/ledger/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { cfp, CFP_MATCHED, dayOf, EMPTY_JUNE, line, match } from '../../support/inputs/ledger-input.ts';

function stated(input: LedgerInput): Statement {
  const result = statementOf(input);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe('the journal', () => {
  const day = dayOf('2026-07-01');
  const accounts = { bank: '1200', byReason: { bank_charge: '7901', rounding: '7906', book_error: '2100' } };
  const made = (input: LedgerInput): Journal =>
    journalOf(input, stated(input), {
      day,
      accounts,
      reasonOf: ({ record }: OpenItem) =>
        record.description === 'CHG-Q2' ? 'bank_charge' : record.description === 'INT-JUN' ? 'interest' : null,
    });
  const note = (recordId: number, status: 'to_be_booked' | 'book_error') => ({ recordId, status, owner: null, comment: null });

  it('takes over match differences and what is to be booked, and comes to the adjusted book balance', () => {
    const notes = [note(cfp('bank', 'CHG-Q2'), 'to_be_booked'), note(cfp('bank', 'INT-JUN'), 'to_be_booked')];
    const journal = made({ ...CFP_MATCHED, notes });
    const common = { day, bankAccount: '1200' };
    expect(journal.entries).toEqual([
      { ...common, reason: 'rounding', account: '7906', amount: -1, text: 'INV-2230', matchId: 12, recordId: null },
      { ...common, reason: 'book_error', account: '2100', amount: 7_200, text: 'INV-2214', matchId: 13, recordId: null },
      { ...common, reason: 'bank_charge', account: '7901', amount: -3_000, text: 'CHG-Q2', matchId: null, recordId: 2 },
      { ...common, reason: 'interest', account: null, amount: 1_215, text: 'INT-JUN', matchId: null, recordId: 17 },
    ]);
    expect([journal.total, journal.undecided, journal.undecidedTotal]).toEqual([5_414, [], 0]);
    expect(1_266_165 + (journal.total ?? 0)).toBe(stated(CFP_MATCHED).adjustedBooks);
  });

  it('says what nobody decided, and takes back what the books have twice', () => {
    const matches = CFP_MATCHED.matches.map((one) => (one.id === 13 ? { ...one, reason: 'left_open' as const } : one));
    const input = { ...CFP_MATCHED, matches, notes: [note(cfp('books', 'RCT-DEL'), 'book_error')] };
    const journal = made(input);
    expect(journal.entries.map(({ reason, amount }) => [reason, amount])).toEqual([
      ['rounding', -1],
      ['book_error', -45_000],
    ]);
    expect(journal.undecided).toEqual([
      { amount: 7_200, matchId: 13, recordId: null },
      { amount: -3_000, matchId: null, recordId: 2 },
      { amount: 1_215, matchId: null, recordId: 17 },
    ]);
    expect(1_266_165 + (journal.total ?? 0) + (journal.undecidedTotal ?? 0)).toBe(stated(input).adjustedBooks);
  });
});

describe('the age of open items', () => {
  it('stands in buckets, by default up to 7, 30 and 60 days, as on the first screen', () => {
    const items = stated({
      ...EMPTY_JUNE,
      records: [0, 7, 8, 30, 31, 60, 61].map((age, index) =>
        line({ id: index + 1, side: 'books', amount: index % 2 === 0 ? 10 ** index : -(10 ** index), day: EMPTY_JUNE.period.to - age }),
      ),
    }).openItems;
    expect(AGE_BOUNDS).toEqual(HOME_AGES);
    expect(ageBuckets(items, EMPTY_JUNE.period.to)).toEqual([
      { from: 0, to: 7, count: 2, receipts: 1, payments: -10, net: -9 },
      { from: 8, to: 30, count: 2, receipts: 100, payments: -1_000, net: -900 },
      { from: 31, to: 60, count: 2, receipts: 10_000, payments: -100_000, net: -90_000 },
      { from: 61, to: null, count: 1, receipts: 1_000_000, payments: 0, net: 1_000_000 },
    ]);
    expect(ageBuckets(stated(CFP_MATCHED).openItems, EMPTY_JUNE.period.to, [7, 30]).map(({ count, net }) => [count, net])).toEqual([
      [3, 272_245],
      [2, -130_500],
      [0, 0],
    ]);
  });

  /** Cheques that took 1, 2, .. days to be paid out, and one that is still open since `age` days. */
  function cheques(count: number, age: number): LedgerInput {
    const { to } = EMPTY_JUNE.period;
    const records = Array.from({ length: count }, (_, index) => [
      line({ id: 2 * index + 2, side: 'books', amount: -100, day: to - 50 }),
      line({ id: 2 * index + 3, side: 'bank', amount: -100, day: to - 50 + index + 1 }),
    ]).flat();
    return {
      ...EMPTY_JUNE,
      records: [line({ id: 1, side: 'books', amount: -700, day: to - age }), ...records],
      matches: Array.from({ length: count }, (_, index) => match(index + 1, 2 * index + 2, 2 * index + 3)),
    };
  }

  function ageIn(input: LedgerInput): unknown {
    const statement = stated(input);
    return ageOf(present(statement.openItems[0], 'item'), EMPTY_JUNE.period.to, clearingTimes(input, statement));
  }

  it('says when it should clear, and calls late only what is older than 95 of 100', () => {
    const { to } = EMPTY_JUNE.period;
    expect(ageIn(cheques(20, 19))).toEqual({ days: 19, expected: to - 9, isLate: false });
    expect(ageIn(cheques(20, 20))).toEqual({ days: 20, expected: to - 10, isLate: true });
    expect([...clearingTimes(cheques(20, 1), stated(cheques(20, 1))).values()]).toEqual([
      { streamId: 2, isPayment: true, observations: 20, median: 10, late: 19 },
      { streamId: 1, isPayment: true, observations: 20, median: 0, late: 0 },
    ]);
  });

  it('says nothing after fewer than ten observations', () => {
    expect(ageIn(cheques(9, 45))).toEqual({ days: 45, expected: null, isLate: false });
    expect(ageIn(cheques(10, 45))).toMatchObject({ isLate: true });
  });
});
