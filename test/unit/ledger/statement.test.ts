import { describe, expect, it } from 'vitest';
import { type LedgerInput, type Statement, statementOf } from '../../../src-main/domain/ledger/index.ts';
import { cfp, CFP_JUNE, CFP_MATCHED, dayOf, EMPTY_JUNE, line, match } from '../../support/inputs/ledger-input.ts';

function stated(input: LedgerInput): Statement {
  const result = statementOf(input);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const codes = (statement: Statement): (readonly [string, string | null])[] => statement.warnings.map(({ code, side }) => [code, side]);

describe('the worked example', () => {
  it('comes out to the cent', () => {
    const statement = stated(CFP_MATCHED);
    expect(statement).toMatchObject({
      bank: {
        opening: 1_250_000,
        receipts: 747_700,
        payments: -869_651,
        receiptCount: 7,
        paymentCount: 10,
        closing: 1_128_049,
        statedClosing: 1_128_049,
        holds: true,
      },
      books: { opening: 1_250_000, receipts: 1_017_515, payments: -1_001_350, closing: 1_266_165, statedClosing: null, holds: null },
      depositsInTransit: { count: 2, total: 271_030 },
      outstandingPayments: { count: 1, total: -127_500 },
      unbookedReceipts: { count: 1, total: 1_215 },
      unbookedPayments: { count: 1, total: -3_000 },
      matchDifferences: { count: 2, total: 7_199 },
      bankErrors: { count: 0, total: 0 },
      bookErrors: { count: 0, total: 0 },
      adjustedBank: 1_271_579,
      adjustedBooks: 1_271_579,
      unexplained: 0,
      rawDifference: -138_116,
      openingDifference: 0,
      clearedRecords: 32,
    });
    expect(codes(statement)).toEqual([['closing_not_stated', 'books']]);
    expect(statement.clearedMatches).toHaveLength(15);
    expect(statement.openItems.map(({ record }) => record.reference ?? record.description)).toEqual([
      'CHG-Q2',
      'CHQ-1043',
      'RCT-DEL',
      'RCT-0629',
      'INT-JUN',
    ]);
  });

  it('is explained without remainder before any manual work as well', () => {
    expect(stated(CFP_JUNE)).toMatchObject({ rawDifference: -138_116, unexplained: 0, matchDifferences: { count: 0, total: 0 } });
    expect(stated(CFP_JUNE).openItems).toHaveLength(15);
  });

  it('moves what the bank or the books have wrong to their own side', () => {
    const noted = stated({
      ...CFP_MATCHED,
      notes: [
        { recordId: cfp('bank', 'INT-JUN'), status: 'bank_error', owner: null, comment: 'of another customer' },
        { recordId: cfp('books', 'RCT-DEL'), status: 'book_error', owner: null, comment: null },
        { recordId: cfp('bank', 'CHG-Q2'), status: 'book_error', owner: null, comment: null },
      ],
    });
    expect(noted).toMatchObject({
      unbookedReceipts: { count: 0, total: 0 },
      unbookedPayments: { count: 1, total: -3_000 },
      depositsInTransit: { count: 1, total: 226_030 },
      bankErrors: { count: 1, total: -1_215 },
      bookErrors: { count: 1, total: -45_000 },
      adjustedBank: 1_225_364,
      adjustedBooks: 1_225_364,
      unexplained: 0,
    });
    const matches = CFP_MATCHED.matches.map((made) => (made.id === 13 ? { ...made, reason: 'bank_error' as const } : made));
    expect(stated({ ...CFP_MATCHED, matches })).toMatchObject({
      matchDifferences: { count: 1, total: -1 },
      bankErrors: { count: 1, total: -7_200 },
      unexplained: 0,
    });
  });
});

describe('as of the last day', () => {
  const records = [
    line({ id: 1, side: 'bank', amount: 500, day: dayOf('2026-07-02') }),
    line({ id: 2, side: 'books', amount: 500, day: dayOf('2026-06-30') }),
    line({ id: 3, side: 'bank', amount: -200, day: dayOf('2026-06-30') }),
    line({ id: 4, side: 'books', amount: -200, day: dayOf('2026-06-30') }),
  ];

  it('a match that reaches past the day leaves its records open, and so does a proposal', () => {
    const statement = stated({ ...EMPTY_JUNE, records, matches: [match(1, 1, 2), { ...match(2, 3, 4), status: 'proposed' }] });
    expect(statement.openItems.map(({ record, reason, matchId }) => [record.id, reason, matchId])).toEqual([
      [3, 'proposed', 2],
      [2, 'reaches_past', 1],
      [4, 'proposed', 2],
    ]);
    expect(statement).toMatchObject({ bank: { closing: -200 }, books: { closing: 300 }, unexplained: 0, clearedRecords: 0 });
    expect(statement.warnings.map(({ message }) => message)).toContain(
      '2 lines are in proposals that nobody has decided; they count as open.',
    );
  });

  it('a match with a record that is not among those given reaches past it', () => {
    expect(stated({ ...EMPTY_JUNE, records: records.slice(1), matches: [match(1, 1, 2)] }).openItems[0]).toMatchObject({
      record: { id: 3 },
    });
    expect(stated({ ...EMPTY_JUNE, records: records.slice(1), matches: [match(1, 1, 2)] }).openItems[1]).toMatchObject({
      reason: 'reaches_past',
    });
  });

  it('an adjustment is no line: the difference that it balances stays, with its reason', () => {
    const adjusted = stated({
      ...EMPTY_JUNE,
      records: [
        line({ id: 1, side: 'bank', amount: -819 }),
        line({ id: 2, side: 'books', amount: -891 }),
        line({ id: 3, side: 'books', amount: 72, isAdjustment: true, day: dayOf('2026-07-03') }),
      ],
      matches: [{ ...match(1, 1, 2, 3), reason: 'book_error' }],
    });
    expect(adjusted).toMatchObject({ books: { closing: -891 }, matchDifferences: { count: 1, total: 72 }, unexplained: 0, openItems: [] });
  });
});

describe('balances that are missing or do not hold', () => {
  const records = [line({ id: 1, side: 'bank', amount: 700 }), line({ id: 2, side: 'books', amount: 300, day: dayOf('2026-05-31') })];
  const given = (bank: (number | null)[], books: (number | null)[]): LedgerInput => ({
    ...EMPTY_JUNE,
    records,
    balances: {
      bank: { opening: bank[0] ?? null, stated: bank[1] ?? null },
      books: { opening: books[0] ?? null, stated: books[1] ?? null },
    },
  });

  it('nothing is known of a side', () => {
    const statement = stated(given([100, 800], []));
    expect(statement).toMatchObject({
      adjustedBank: 1_100,
      adjustedBooks: null,
      unexplained: null,
      rawDifference: null,
      openingDifference: null,
    });
    expect(codes(statement)).toEqual([['balance_unknown', 'books']]);
  });

  it('the stated closing balance stands in for an opening that is not known', () => {
    const statement = stated(given([null, 800], [400]));
    expect(statement).toMatchObject({
      bank: { opening: null, closing: null, statedClosing: 800, holds: null },
      adjustedBank: 1_100,
      adjustedBooks: 1_100,
      unexplained: 0,
      openingDifference: 0,
    });
    expect(codes(statement)).toEqual([
      ['opening_unknown', 'bank'],
      ['closing_not_stated', 'books'],
    ]);
  });

  it('the stated balances count: what the lines do not come to stands as lines missing, and what is left between the sides is unexplained', () => {
    const statement = stated(given([100, 8_000_000], [400, 400]));
    expect(statement.bank).toMatchObject({
      closing: 800,
      statedClosing: 8_000_000,
      balance: 8_000_000,
      linesMissing: 7_999_200,
      holds: false,
    });
    expect(statement.unexplained).toBe(7_999_200);
    expect(statement.doubts.map(({ code, side, amount }) => [code, side, amount])).toEqual([
      ['unexplained', null, 7_999_200],
      ['lines_missing', 'bank', 7_999_200],
    ]);
    expect(statement.warnings).toEqual([
      {
        code: 'balance_does_not_hold',
        side: 'bank',
        message:
          'Lines missing from the bank’s file, or too many: 79,992.00. 80,000.00 is stated for 30/06/2026, and the opening balance with all lines comes to 8.00.',
      },
    ]);
  });

  it('a month whose stated balances are off by 100.00 on both sides does not agree, although nothing is unexplained', () => {
    const statement = stated(given([100, 10_800], [400, 10_400]));
    expect(statement).toMatchObject({ unexplained: 0, bank: { linesMissing: 10_000 }, books: { linesMissing: 10_000 } });
    expect(statement.doubts.map(({ text }) => text)).toEqual([
      'lines missing from the bank’s file, or too many, come to 100.00',
      'lines missing from the books, or too many, come to 100.00',
    ]);
  });

  it('the days between which the balances break are told', () => {
    const input = given([100, 900], [400, 400]);
    const breaks = [{ from: dayOf('2026-06-05'), to: dayOf('2026-06-09'), amount: 100 }];
    const bank = { ...input.balances.bank, breaks };
    const [warning] = stated({ ...input, balances: { ...input.balances, bank } }).warnings;
    expect(warning?.message).toMatch(/ Between 05\/06\/2026 and 09\/06\/2026 the balances break by 1\.00\.$/);
  });

  it('figures agree only where both closing balances are stated and hold', () => {
    const doubtsWith = (bank: (number | null)[], books: (number | null)[]) =>
      stated(given(bank, books)).doubts.map(({ code, side }) => [code, side]);
    expect(doubtsWith([100, 800], [400, 400])).toEqual([]);
    expect(doubtsWith([100, null], [400, 400])).toEqual([['not_stated', 'bank']]);
    expect(doubtsWith([100, 800], [400, null])).toEqual([['not_stated', 'books']]);
    expect(doubtsWith([null, 800], [400, 400])).toEqual([['opening_unknown', 'bank']]);
    expect(doubtsWith([100, 801], [400, 400])).toEqual([
      ['unexplained', null],
      ['lines_missing', 'bank'],
    ]);
    expect(doubtsWith([100, 800], [])).toEqual([['balance_unknown', 'books']]);
  });

  it('items from before the first day that are missing are what remains unexplained', () => {
    const statement = stated(given([125_100, null], [400]));
    expect(statement).toMatchObject({ openingDifference: 125_000, unexplained: 125_000 });
    expect(codes(statement)).toEqual([
      ['closing_not_stated', 'bank'],
      ['closing_not_stated', 'books'],
      ['opening_difference', null],
    ]);
    expect(statement.warnings[2]?.message).toMatch(/^Items from before 01\/06\/2026 are missing: 1,250\.00\./);
  });

  it('totals that no number holds are refused', () => {
    const huge = Number.MAX_SAFE_INTEGER;
    const result = statementOf({
      ...EMPTY_JUNE,
      records: [line({ id: 1, side: 'bank', amount: huge }), line({ id: 2, side: 'bank', amount: huge })],
    });
    expect(result).toMatchObject({ ok: false, error: { code: 'total_out_of_range' } });
    const apart = [
      line({ id: 1, side: 'bank', amount: huge, day: 1 }),
      line({ id: 2, side: 'bank', amount: -huge }),
      line({ id: 3, side: 'books', amount: -1, day: 1 }),
    ];
    expect(
      stated({
        ...EMPTY_JUNE,
        records: apart,
        balances: { bank: { opening: huge, stated: null }, books: { opening: -1, stated: null } },
      }),
    ).toMatchObject({ bank: { closing: 0 }, unexplained: 0 });
  });

  it('words are neutral where no side is a bank', () => {
    const statement = stated({ ...given([], [400]), isNeutral: true, bankSide: 'b' });
    expect(statement.warnings[0]?.message).toBe(
      'No balance of side B is known: neither the one at the beginning of 01/06/2026 nor the one at the end of 30/06/2026.',
    );
  });
});
