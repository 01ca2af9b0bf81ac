import { expect, it } from 'vitest';
import { type Cause, causesOf, type LedgerInput, type LedgerRecord, statementOf } from '../../../src-main/domain/ledger/index.ts';
import { dayOf, EMPTY_JUNE, line, match } from '../../support/inputs/ledger-input.ts';

const TO = EMPTY_JUNE.period.to;

function causes(input: LedgerInput): ReadonlyMap<number, readonly Cause[]> {
  const statement = statementOf(input);
  if (!statement.ok) throw new Error(statement.error.message);
  const { of } = causesOf(input, statement.value);
  return new Map(statement.value.openItems.map((item) => [item.record.id, of(item)]));
}

const firstOf = (input: LedgerInput, id: number): Cause | undefined => causes(input).get(id)?.[0];
const open = (...records: LedgerRecord[]): LedgerInput => ({ ...EMPTY_JUNE, records });

/** Invoices and a credit note, and one payment whose text names them. */
function named(text: string, amount: number, documents: readonly (readonly [string, number])[]): LedgerInput {
  return open(
    line({ id: 1, side: 'bank', amount, day: dayOf('2026-06-12'), description: text }),
    ...documents.map(([reference, own], place) =>
      line({ id: place + 2, side: 'books', amount: own, day: dayOf('2026-06-01') + place, reference, description: `Document ${place}` }),
    ),
  );
}

const M = [
  ['RG-300419', 60_000],
  ['RG-300420', 40_000],
  ['GS-77', -15_000],
] as const;

it.each<readonly [string, string, number, readonly (readonly [string, number])[]]>([
  ['over both signs', 'CUSTOMER M RG-300419 RG-300420 LESS CREDIT NOTE GS-77', 85_000, M],
  ['in a list with commas', 'Customer M RG-300419, RG-300420', 100_000, M.slice(0, 2)],
  [
    'in a list whose later numbers are short',
    'Customer M RG300419/20',
    100_000,
    [
      ['RG300419', 60_000],
      ['RG300420', 40_000],
    ],
  ],
  [
    'of three invoices',
    'INV-2101 INV-2102 INV-2103',
    60_100,
    [
      ['INV-2101', 20_000],
      ['INV-2102', 30_000],
      ['INV-2103', 10_100],
    ],
  ],
  [
    'of which one has a number of one digit',
    'CLIENTE N FACTURAS FV-501 FV-502 MENOS ABONO AB-9',
    87_000,
    [
      ['FV-501', 50_000],
      ['FV-502', 45_000],
      ['AB-9', -8_000],
    ],
  ],
  [
    'of payments',
    'Supplier run PO-8801 PO-8802',
    -90_000,
    [
      ['PO-8801', -50_000],
      ['PO-8802', -40_000],
    ],
  ],
])('one payment that names several documents %s leaves no difference', (_how, text, amount, documents) => {
  const input = named(text, amount, documents);
  const told = causes(input);
  for (const [id, found] of told) {
    expect([id, found[0]?.kind]).toEqual([id, 'adds_up']);
    expect(found.filter(({ kind }) => kind === 'amount_differs')).toEqual([]);
  }
  expect(told.get(1)?.[0]?.recordIds).toEqual(documents.map((_, place) => place + 2));
});

it('where the documents come to more than the payment, what is missing is said of all of them together', () => {
  const input = named('RG-300419 RG-300420 less discount', 98_000, M.slice(0, 2));
  expect(firstOf(input, 1)).toMatchObject({ kind: 'amount_differs', amount: -2_000, recordIds: [2, 3] });
  expect(firstOf(input, 1)?.sentence).toContain('add up to 1,000.00');
  expect(firstOf(input, 1)?.sentence).toContain('20.00 is missing');
  for (const id of [2, 3]) expect(firstOf(input, id)).toMatchObject({ kind: 'amount_differs', amount: -2_000 });
});

it('a payout from which 20.00 are withheld says that 20.00 is missing, of each of its 24 orders', () => {
  const orders = Array.from({ length: 24 }, (_, place) =>
    line({
      id: place + 2,
      side: 'books',
      amount: 1_000 + place,
      day: dayOf('2026-06-10'),
      reference: `ORD-90${100 + place}`,
      description: 'Order in PAYOUT-5521',
    }),
  );
  const total = orders.reduce((sum, { amount }) => sum + amount, 0);
  const input = open(
    line({ id: 1, side: 'bank', amount: total - 2_000, day: dayOf('2026-06-12'), description: 'SHOP PAYOUT-5521' }),
    ...orders,
  );
  for (const [id, [found]] of causes(input)) {
    expect([id, found?.kind, found?.sentence.includes('20.00 is missing')]).toEqual([id, 'amount_differs', true]);
  }
});

/** A payout of the bank, and open lines of the books on the days before it that share no word with it. */
function payout(amount: number, orders: readonly number[], more: readonly LedgerRecord[] = []): LedgerInput {
  return open(
    line({ id: 1, side: 'bank', amount, day: dayOf('2026-06-12'), description: 'STRIPE PAYOUT' }),
    ...orders.map((own, place) =>
      line({
        id: place + 2,
        side: 'books',
        amount: own,
        day: dayOf('2026-06-08') + (place % 4),
        description: `Web order ${'abcdefghij'[place]}`,
      }),
    ),
    ...more,
  );
}

it('a payout less a fee does not hold orders of two weeks later, though some happen to add up to it', () => {
  const paid = [
    { id: 1, amount: 7_097, day: '2026-06-05', orders: [3_689, 2_053, 1_517] },
    { id: 2, amount: 19_741, day: '2026-06-09', orders: [8_496, 8_372, 3_214] },
    { id: 3, amount: 26_792, day: '2026-06-21', orders: [10_340, 12_539, 4_355] },
    { id: 4, amount: 25_665, day: '2026-06-25', orders: [11_697, 12_398, 1_996] },
  ];
  const idsOf = (id: number) => [0, 1, 2].map((place) => 10 * id + place);
  const input = open(
    ...paid.flatMap(({ id, amount, day, orders }) => [
      line({ id, side: 'bank', amount, day: dayOf(day), description: 'CARDHOUSE PAYOUT' }),
      ...orders.map((own, place) =>
        line({ id: 10 * id + place, side: 'books', amount: own, day: dayOf(day) - 2, reference: `WO-${id}${place}` }),
      ),
    ]),
  );
  // 3,689 of 3 June, 4,355 of 19 June and 11,697 of 23 June make 19,741.
  for (const { id } of paid) {
    expect(firstOf(input, id)).toMatchObject({ kind: 'amount_differs', recordIds: idsOf(id) });
    for (const order of idsOf(id)) expect(firstOf(input, order)?.kind).toBe('amount_differs');
  }
});

it.each([
  ['with a fee kept back', 78_000, '20.00 is missing'],
  ['paid in full', 80_000, 'adds up to'],
])('a payout whose orders share no word with it, %s, is told of by all of its lines', (_how, amount, said) => {
  const found = causes(payout(amount, [20_000, 25_000, 15_000, 11_000, 9_000]));
  for (const [id, [first]] of found)
    expect([id, first?.sentence]).toEqual([id, expect.stringMatching(id === 1 ? /add up to 800.00/ : new RegExp(said))]);
});

it.each([
  ['more than a twentieth is kept', 70_000, []],
  ['the bank has more than the orders', 81_000, []],
  ['another receipt of the bank is open on its day', 78_000, [line({ id: 90, side: 'bank', amount: 5_000, day: dayOf('2026-06-12') })]],
])('lines are no payout where %s', (_why, amount, more) => {
  const [first] = causes(payout(amount, [20_000, 25_000, 15_000, 11_000, 9_000], more)).get(1) ?? [];
  expect(first?.kind).toBe('unbooked');
});

it('a payment of one invoice with another amount stays a pair', () => {
  const input = named('CUSTOMER K PAYMENT RG-300417', 40_000, [['RG-300417', 30_000]]);
  expect(firstOf(input, 1)).toMatchObject({ kind: 'amount_differs', amount: 10_000, recordIds: [2] });
});

it('lines that a rule proposes together come before a pair that looks alike', () => {
  const records = [
    line({ id: 1, side: 'bank', amount: 50_000, day: dayOf('2026-06-10'), description: 'Deposit' }),
    line({ id: 2, side: 'books', amount: 30_000, day: dayOf('2026-06-09'), description: 'Cheque one' }),
    line({ id: 3, side: 'books', amount: 20_000, day: dayOf('2026-06-09'), description: 'Cheque two' }),
    line({ id: 4, side: 'books', amount: 50_000, day: dayOf('2026-06-10'), description: 'Card takings' }),
  ];
  const proposal = { ...match(7, 1, 2, 3), status: 'proposed' as const };
  const told = firstOf({ ...open(...records), matches: [proposal] }, 1);
  expect(told).toMatchObject({ kind: 'adds_up', recordIds: [2, 3] });
  expect(told?.sentence).toContain('in a proposal that waits for a decision');
});

it.each([
  [-1, 'deposit_in_transit'],
  [-20, 'deposit_in_transit'],
  [-77, 'long_outstanding'],
  [-400, 'long_outstanding'],
])('a receipt of the books %i days before the last day is %s', (days, kind) => {
  const told = firstOf(open(line({ id: 1, side: 'books', amount: 12_345, day: TO + days, description: 'Receipt' })), 1);
  expect(told?.kind).toBe(kind);
  expect(told?.sentence.includes('probably on its way')).toBe(kind === 'deposit_in_transit');
});

it('how long is too long follows what like lines took, where enough of them are known', () => {
  const pairs = Array.from({ length: 12 }, (_, place) => [
    line({ id: 100 + place, side: 'books', amount: 1_000 + place, day: TO - 20 }),
    line({ id: 200 + place, side: 'bank', amount: 1_000 + place, day: TO - 18 }),
  ]).flat();
  const matches = Array.from({ length: 12 }, (_, place) => match(place + 1, 100 + place, 200 + place));
  const waiting = line({ id: 1, side: 'books', amount: 12_345, day: TO - 15, description: 'Receipt' });
  const told = firstOf({ ...open(waiting, ...pairs), matches }, 1);
  expect(told?.kind).toBe('long_outstanding');
  expect(told?.sentence).toContain('95 of 100 like lines had cleared within 2 days');
});
