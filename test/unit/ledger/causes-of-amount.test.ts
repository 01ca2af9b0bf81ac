import { describe, expect, it } from 'vitest';
import { type Cause, causesOfAmount, type LedgerInput, statementOf } from '../../../src-main/domain/ledger/index.ts';
import { dayOf, EMPTY_JUNE, line, match } from '../../support/inputs/ledger-input.ts';

function causes(input: LedgerInput, amount: number): readonly Cause[] {
  const statement = statementOf(input);
  if (!statement.ok) throw new Error(statement.error.message);
  return causesOfAmount(input, statement.value, amount);
}

describe('an amount that nothing explains', () => {
  const records = [
    line({ id: 1, side: 'bank', amount: -3_000, reference: 'CHG' }),
    line({ id: 2, side: 'bank', amount: 1_500, reference: 'A-1' }),
    line({ id: 3, side: 'books', amount: 1_500, reference: 'A-1' }),
    line({ id: 4, side: 'books', amount: 9_400, reference: 'B-1' }),
  ];
  const input = { ...EMPTY_JUNE, records, matches: [match(1, 2, 3)] };

  it('an open item of just that amount, then lines of half of it', () => {
    expect(causes(input, 3_000).map(({ kind, recordIds, sentence }) => [kind, recordIds, sentence])).toEqual([
      ['unbooked', [1], 'An open item has just this amount: -30.00 (CHG) of the bank, 01/06/2026.'],
      ['sign_reversed', [2], '15.00 (A-1) of the bank, 01/06/2026, is half of it: with the wrong sign it makes a difference of 30.00.'],
      ['sign_reversed', [3], '15.00 (A-1) of the books, 01/06/2026, is half of it: with the wrong sign it makes a difference of 30.00.'],
    ]);
  });

  it('digits that exchanging would make just that, where it divides by 9', () => {
    // 94.00 and 49.00 are 45.00 apart.
    expect(causes(input, -4_500)).toEqual([
      {
        kind: 'transposed_digits',
        amount: -4_500,
        recordIds: [4],
        sentence: '45.00 divides by 9, and exchanging two digits of 94.00 (B-1) of the books, 01/06/2026, makes a difference of just that.',
      },
    ]);
    expect(causes(input, 4_501)).toEqual([]);
    expect(causes(input, 0)).toEqual([]);
  });

  it('openings that were typed with two digits exchanged', () => {
    const balances = { bank: { opening: 125_400, stated: null }, books: { opening: 124_500, stated: null } };
    expect(causes({ ...EMPTY_JUNE, balances }, 900)[0]).toMatchObject({
      kind: 'transposed_digits',
      sentence: 'The opening balances of 01/06/2026 are 1,254.00 and 1,245.00: two digits are exchanged.',
    });
  });

  it('imports whose running balance breaks, the one that breaks by that amount first', () => {
    const breaks = [
      { day: dayOf('2026-06-10'), amount: 1 },
      { day: dayOf('2026-06-11'), amount: 2_222 },
    ];
    const imports = [{ id: 1, side: 'bank' as const, name: 'june.csv', contentHash: null, breaks }];
    expect(causes({ ...EMPTY_JUNE, imports }, 2_222).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['broken_import', 2_222],
      ['broken_import', 1],
    ]);
  });

  it('a match that differs by just that', () => {
    const differing = [line({ id: 1, side: 'bank', amount: 707 }), line({ id: 2, side: 'books', amount: 500 })];
    expect(causes({ ...EMPTY_JUNE, records: differing, matches: [match(1, 1, 2)] }, 207)[0]).toMatchObject({
      kind: 'amount_differs',
      amount: 207,
      recordIds: [1, 2],
    });
  });
});
