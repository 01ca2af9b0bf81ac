import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type LedgerInput,
  type LedgerMatch,
  type LedgerRecord,
  type OpenItemNote,
  type Statement,
  statementOf,
} from '../../../src-main/domain/ledger/index.ts';
import { EMPTY_JUNE, line } from '../../support/inputs/ledger-input.ts';

const FIRST = EMPTY_JUNE.period.from;

/** A business fact: lines of both sides that belong together, some of them late, split, grouped, missing or wrong. */
const fact = fc.record({
  bank: fc.array(fc.tuple(fc.integer({ min: -90_000, max: 90_000 }), fc.integer({ min: -40, max: 130 })), { maxLength: 4 }),
  books: fc.array(fc.tuple(fc.integer({ min: -90_000, max: 90_000 }), fc.integer({ min: -40, max: 130 })), { maxLength: 4 }),
  state: fc.constantFrom('confirmed' as const, 'proposed' as const, 'open' as const),
  reason: fc.constantFrom(null, 'rounding' as const, 'bank_error' as const, 'book_error' as const, 'left_open' as const),
  mark: fc.constantFrom(null, 'bank_error' as const, 'book_error' as const, 'to_be_booked' as const),
});

interface Book {
  readonly records: readonly LedgerRecord[];
  readonly matches: readonly LedgerMatch[];
  readonly notes: readonly OpenItemNote[];
}

const books = fc.array(fact, { maxLength: 25 }).map((facts): Book => {
  const records: LedgerRecord[] = [];
  const matches: LedgerMatch[] = [];
  const notes: OpenItemNote[] = [];
  for (const { bank, books, state, reason, mark } of facts) {
    const lines = [
      ...bank.map(([amount, day]) => ['bank', amount, day] as const),
      ...books.map(([amount, day]) => ['books', amount, day] as const),
    ];
    const recordIds = lines.map(([side, amount, day]) => {
      const id = records.length + 1;
      records.push(line({ id, side, amount, day: FIRST + day }));
      if (mark !== null) notes.push({ recordId: id, status: mark, owner: null, comment: null });
      return id;
    });
    if (state !== 'open') matches.push({ id: matches.length + 1, recordIds, status: state, reason });
  }
  return { records, matches, notes };
});

function stated(input: LedgerInput): Statement {
  const result = statementOf(input);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** What a side holds at the beginning of a day, all of its lines counted from nothing. */
function heldBefore(records: readonly LedgerRecord[], side: 'bank' | 'books', day: number): number {
  return records.reduce((sum, record) => sum + (record.side === side && record.day < day ? record.amount : 0), 0);
}

const balance = fc.integer({ min: -1_000_000, max: 1_000_000 });

it('with computed balances unexplained is the opening difference and nothing else, period after period', () => {
  fc.assert(
    fc.property(
      books,
      balance,
      fc.oneof(fc.constant(0), balance),
      fc.array(fc.integer({ min: 1, max: 45 }), { minLength: 1, maxLength: 4 }),
      (book, base, apart, lengths) => {
        let from = FIRST;
        let bankOpening = base + apart + heldBefore(book.records, 'bank', from);
        let booksOpening = base + heldBefore(book.records, 'books', from);
        for (const days of lengths) {
          const to = from + days - 1;
          const balances = { bank: { opening: bankOpening, stated: null }, books: { opening: booksOpening, stated: null } };
          const statement = stated({ ...EMPTY_JUNE, ...book, period: { from, to }, balances });
          expect([statement.unexplained, statement.openingDifference]).toEqual([apart, apart]);
          const open = statement.openItems.length + statement.clearedRecords;
          expect(open).toBe(book.records.filter((record) => record.day <= to).length);
          // What was carried forward is where the next period begins.
          bankOpening = statement.bank.closing ?? Number.NaN;
          booksOpening = statement.books.closing ?? Number.NaN;
          from = to + 1;
        }
      },
    ),
  );
});

it('with stated balances unexplained is the opening difference and what the lines of both sides lack, whatever is matched', () => {
  const known = fc.option(balance, { nil: null });
  fc.assert(
    fc.property(books, known, known, known, known, (book, bankOpening, bankStated, booksOpening, booksStated) => {
      const balances = {
        bank: { opening: bankOpening, stated: bankStated },
        books: { opening: booksOpening, stated: booksStated },
      };
      const statement = stated({ ...EMPTY_JUNE, ...book, balances });
      const { bank, books: own, unexplained, openingDifference } = statement;
      for (const [side, given] of [
        [bank, balances.bank],
        [own, balances.books],
      ] as const) {
        // The statement starts from what is stated; opening, lines and what is missing come to it.
        expect(side.balance).toBe(given.stated ?? side.closing);
        const isKnown = given.opening !== null && given.stated !== null;
        expect(side.linesMissing).toBe(isKnown ? (given.stated ?? 0) - (side.closing ?? Number.NaN) : null);
      }
      const isWhole = bank.balance !== null && own.balance !== null;
      expect(unexplained).toBe(isWhole ? (openingDifference ?? Number.NaN) + (bank.linesMissing ?? 0) - (own.linesMissing ?? 0) : null);
      const isProved = unexplained === 0 && bank.linesMissing === 0 && own.linesMissing === 0;
      expect(statement.doubts.length === 0).toBe(isProved);
      // No match changes any of it, which is why the first page needs none.
      const bare = stated({ ...EMPTY_JUNE, records: book.records, balances });
      expect([bare.unexplained, bare.doubts]).toEqual([unexplained, statement.doubts]);
    }),
  );
});

it('the order of what goes in changes no figure, and lines after the last day change nothing', () => {
  fc.assert(
    fc.property(books, fc.integer({ min: 1, max: 60 }), (book, days) => {
      const input = { ...EMPTY_JUNE, ...book, period: { from: FIRST, to: FIRST + days - 1 } };
      const figures = ({ clearedMatches, ...others }: Statement): unknown => ({ ...others, cleared: clearedMatches.length });
      const expected = figures(stated(input));
      const turned = { ...input, records: book.records.toReversed(), matches: book.matches.toReversed(), notes: book.notes.toReversed() };
      // A record is in one match here, so the order of matches decides nothing.
      expect(figures(stated(turned))).toEqual(expected);
      const early = { ...input, records: book.records.filter((record) => record.day <= input.period.to) };
      expect(figures(stated(early))).toEqual(expected);
    }),
  );
});

it('each open item stands in one group, and each difference in one total', () => {
  fc.assert(
    fc.property(books, (book) => {
      const statement = stated({ ...EMPTY_JUNE, ...book });
      const groups = [
        statement.depositsInTransit,
        statement.outstandingPayments,
        statement.unbookedReceipts,
        statement.unbookedPayments,
        statement.bankErrors,
        statement.bookErrors,
        statement.matchDifferences,
      ];
      const differing = statement.clearedMatches.filter(({ difference }) => difference !== 0);
      expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(statement.openItems.length + differing.length);
      expect(statement.outstandingPayments.total).toBeLessThanOrEqual(0);
      expect(statement.unbookedPayments.total).toBeLessThanOrEqual(0);
    }),
  );
});
