import { describe, expect, it } from 'vitest';
import { CAUSE_LIMITS, type Cause, causesOf, type LedgerInput, type LookedAt, statementOf } from '../../../src-main/domain/ledger/index.ts';
import { cfp, CFP_JUNE, CFP_MATCHED, dayOf, EMPTY_JUNE, line, match } from '../../support/inputs/ledger-input.ts';

interface Told {
  readonly byRecord: ReadonlyMap<number, readonly Cause[]>;
  readonly lookedAt: LookedAt;
}

function causes(input: LedgerInput): Told {
  const statement = statementOf(input);
  if (!statement.ok) throw new Error(statement.error.message);
  const { of, lookedAt } = causesOf(input, statement.value);
  return { byRecord: new Map(statement.value.openItems.map((item) => [item.record.id, of(item)])), lookedAt };
}

function first(input: LedgerInput, id: number): Cause | undefined {
  return causes(input).byRecord.get(id)?.[0];
}

const open = (...records: LedgerInput['records']): LedgerInput => ({ ...EMPTY_JUNE, records });

describe('the cfp June pair before any manual work', () => {
  it.each([
    [
      'bank',
      'INV-2214',
      'transposed_digits',
      7_200,
      ['INV-2214'],
      'The books have -891.00, the bank -819.00: two digits are exchanged (difference 72.00).',
    ],
    [
      'books',
      'INV-2214',
      'transposed_digits',
      7_200,
      ['INV-2214'],
      'The books have -891.00, the bank -819.00: two digits are exchanged (difference 72.00).',
    ],
    [
      'bank',
      'INV-2230',
      'amount_differs',
      -1,
      ['INV-2230'],
      'INV-2230 stands on both sides: the books have -64.30, the bank -64.31 (difference 0.01).',
    ],
    [
      'bank',
      'TRF-998812',
      'reference_differs',
      -100_000,
      ['TRF-5567'],
      'The same amount stands on both sides on the same day, under other words (the bank: TRF-998812, the books: TRF-5567).',
    ],
    [
      'books',
      'TRF-5567',
      'reference_differs',
      -100_000,
      ['TRF-998812'],
      'The same amount stands on both sides on the same day, under other words (the bank: TRF-998812, the books: TRF-5567).',
    ],
    [
      'bank',
      'DEP-0629',
      'adds_up',
      90_000,
      ['RCT-W1', 'RCT-W2', 'RCT-W3'],
      '3 lines of the books add up to 900.00: 300.00 (RCT-W1), 250.00 (RCT-W2) and 350.00 (RCT-W3).',
    ],
    [
      'books',
      'RCT-W2',
      'adds_up',
      25_000,
      ['DEP-0629', 'RCT-W1', 'RCT-W3'],
      'With 300.00 (RCT-W1) and 350.00 (RCT-W3) it adds up to 900.00 (DEP-0629) of the bank.',
    ],
    ['bank', 'CHG-Q2', 'bank_charge', -3_000, [], 'Its words (CHG-Q2, of the kind CHG) say that it is a bank charge.'],
    ['bank', 'INT-JUN', 'interest', 1_215, [], 'Its words (INT-JUN, of the kind INT) say that it is interest.'],
    [
      'books',
      'CHQ-1043',
      'outstanding_payment',
      -127_500,
      [],
      'The bank has no open line of -1,275.00 up to 30/06/2026; booked 17 days before, it is probably not paid out yet.',
    ],
    [
      'books',
      'RCT-DEL',
      'deposit_in_transit',
      45_000,
      [],
      'The bank has no open line of 450.00 up to 30/06/2026; booked 4 days before, it is probably on its way.',
    ],
    [
      'books',
      'RCT-0629',
      'deposit_in_transit',
      226_030,
      [],
      'The bank has no open line of 2,260.30 up to 30/06/2026; booked 1 day before, it is probably on its way.',
    ],
  ] as const)('%s %s: %s', (side, label, kind, amount, others, sentence) => {
    const recordIds = others.map((other) =>
      cfp(other === 'DEP-0629' || (side === 'books' && !other.startsWith('RCT')) ? 'bank' : 'books', other),
    );
    expect(first(CFP_JUNE, cfp(side, label))).toEqual({ kind, amount, recordIds, sentence });
  });

  it('says the same where the rules only proposed, and where the kind of line is not known', () => {
    const proposed = CFP_MATCHED.matches.map((made) => (made.id > 11 ? { ...made, status: 'proposed' as const } : made));
    const plain = CFP_JUNE.records.map((record) => ({ ...record, kindText: null }));
    const kinds = (input: LedgerInput): unknown => [...causes(input).byRecord].map(([id, [cause]]) => [id, cause?.kind]);
    expect(kinds({ ...CFP_JUNE, matches: proposed })).toEqual(kinds(CFP_JUNE));
    expect(kinds({ ...CFP_JUNE, records: plain })).toEqual(kinds(CFP_JUNE));
    expect(causes(CFP_JUNE).lookedAt).toEqual({
      items: 15,
      itemsOf: 15,
      sums: 9,
      sumsOf: 9,
      isAll: true,
      sentence: 'Compared all 15 open items, and searched sums for each that had no better cause.',
    });
  });
});

describe('other causes', () => {
  it('a sign that is reversed', () => {
    const input = open(line({ id: 1, side: 'bank', amount: 1_500 }), line({ id: 2, side: 'books', amount: -1_500 }));
    expect(first(input, 1)).toMatchObject({ kind: 'sign_reversed', amount: 3_000, recordIds: [2] });
    expect(first(input, 2)?.sentence).toBe(
      'The books have -15.00, the bank 15.00 on the same day: the sign is reversed (difference 30.00).',
    );
  });

  it('a line twice on one side, though the first is matched', () => {
    const twice = { side: 'books', amount: -4_520, reference: 'V-77881' } as const;
    const records = [
      line({ id: 1, side: 'bank', amount: -4_520 }),
      line({ id: 2, ...twice }),
      line({ id: 3, ...twice, day: dayOf('2026-06-03') }),
    ];
    expect(first({ ...EMPTY_JUNE, records, matches: [match(1, 1, 2)] }, 3)).toEqual({
      kind: 'duplicate',
      amount: -4_520,
      recordIds: [2],
      sentence: 'The books have -45.20 as V-77881 twice: on 01/06/2026 and on 03/06/2026.',
    });
  });

  it('what is paid again each week under one name is no duplicate', () => {
    const rent = { side: 'books', amount: -500, reference: 'RENT' } as const;
    const input = open(line({ id: 1, ...rent }), line({ id: 2, ...rent, day: dayOf('2026-06-08') }));
    expect(first(input, 2)?.kind).toBe('outstanding_payment');
  });

  it('a counterpart just after the last day, matched or not', () => {
    const records = [
      line({ id: 1, side: 'books', amount: 7_700, day: dayOf('2026-06-29'), reference: 'INV-501' }),
      line({ id: 2, side: 'bank', amount: 7_700, day: dayOf('2026-07-02'), description: 'BGC INV 501' }),
    ];
    expect(first({ ...EMPTY_JUNE, records }, 1)).toMatchObject({
      kind: 'near_cut_off',
      recordIds: [2],
      sentence: 'The bank has the same amount (BGC INV 501) on 02/07/2026, 2 days after the last day of the period.',
    });
    expect(first({ ...EMPTY_JUNE, records, matches: [match(1, 1, 2)] }, 1)?.sentence).toBe(
      'It is matched with a line of the bank (BGC INV 501) of 02/07/2026, 2 days after the last day of the period.',
    );
    expect(first({ ...EMPTY_JUNE, records: records.slice(0, 1), matches: [match(1, 1, 2)] }, 1)?.sentence).toBe(
      'It is matched with a line dated after 30/06/2026.',
    );
    // One that another match holds explains nothing.
    const third = line({ id: 3, side: 'books', amount: 7_700, day: dayOf('2026-07-01') });
    expect(first({ ...EMPTY_JUNE, records: [...records, third], matches: [match(1, 2, 3)] }, 1)?.kind).toBe('deposit_in_transit');
  });

  it('lines that share a reference and add up, more of them than a search would find', () => {
    const parts = Array.from({ length: 12 }, (_, index) =>
      line({ id: index + 2, side: 'books', amount: 1_000 + index, description: `Order ${index} payout PO-7781` }),
    );
    const total = parts.reduce((sum, { amount }) => sum + amount, 0);
    const input = open(line({ id: 1, side: 'bank', amount: total, description: 'PO-7781' }), ...parts);
    expect(first(input, 1)).toMatchObject({ kind: 'adds_up', recordIds: parts.map(({ id }) => id) });
    expect(first(input, 7)?.kind).toBe('adds_up');
  });

  it('an import whose running balance breaks by the amount of the line', () => {
    const input: LedgerInput = {
      ...open(line({ id: 1, side: 'bank', amount: -3_333, importId: 9 })),
      imports: [{ id: 9, side: 'bank', name: 'june.csv', contentHash: null, breaks: [{ day: dayOf('2026-06-14'), amount: 3_333 }] }],
    };
    expect(first(input, 1)).toEqual({
      kind: 'broken_import',
      amount: 3_333,
      recordIds: [],
      sentence: 'The running balance of june.csv breaks on 14/06/2026 by 33.33: a line may be missing or stand twice.',
    });
  });

  it.each([
    ['Kontoführungsgebühr', 'bank_charge'],
    ['Entgelt Kontoabschluss', 'bank_charge'],
    ['FRAIS DE TENUE DE COMPTE', 'bank_charge'],
    ['Commissioni bancarie', 'bank_charge'],
    ['Comisión mantenimiento', 'bank_charge'],
    ['Prowizja za przelew', 'bank_charge'],
    ['Комиссия банка', 'bank_charge'],
    ['MONTHLY ACCOUNT FEE', 'bank_charge'],
    ['手续费', 'bank_charge'],
    ['Fee', 'bank_charge'],
    ['Habenzinsen', 'interest'],
    ['Intérêts débiteurs', 'interest'],
    ['Interessi attivi', 'interest'],
    ['Odsetki', 'interest'],
    ['Rente', 'interest'],
    ['Debit interest charged', 'interest'],
    ['利息', 'interest'],
    ['School fees of the year for Anna Miller', 'unbooked'],
    ['INT TRANSFER ACME', 'unbooked'],
    ['Charger for laptop', 'unbooked'],
  ])('%s is %s', (description, kind) => {
    expect(first(open(line({ id: 1, side: 'bank', amount: -1_234, description })), 1)?.kind).toBe(kind);
  });

  it('words are neutral where no side is a bank', () => {
    const input = { ...open(line({ id: 1, side: 'books', amount: 100 })), isNeutral: true };
    expect(first(input, 1)?.sentence).toBe(
      'Side B has no open line of 1.00 up to 30/06/2026; booked 29 days before, it is probably on its way.',
    );
  });
});

it('beyond the limit the largest items are compared, and it says so', () => {
  const records = Array.from({ length: CAUSE_LIMITS.items + 5 }, (_, index) =>
    line({ id: index + 1, side: index % 2 === 0 ? 'bank' : 'books', amount: 1_000 + Math.floor(index / 2) }),
  );
  const told = causes({ ...EMPTY_JUNE, records });
  expect(told.byRecord.get(records.length - 2)?.[0]?.kind).toBe('reference_differs');
  // Too small to be looked at, though its counterpart is there.
  expect(told.byRecord.get(1)).toMatchObject([{ kind: 'unbooked' }]);
  expect(told.lookedAt).toMatchObject({ items: 20_000, itemsOf: 20_005, isAll: false });
  expect(told.lookedAt.sentence).toMatch(/^Compared the 20,000 largest of 20,005 open items, and searched sums for /);
});
