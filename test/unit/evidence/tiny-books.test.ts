import { describe, expect, it } from 'vitest';
import { accounts, alikeNames, bankAndLedger, payouts, shop, tenancies } from '../../bench/data/evidence-small-generators.ts';
import { type EvidenceSet, thinned, withoutPartners } from '../../bench/data/evidence-sets.ts';
import { figuresOf, inputOf, weigh } from '../../support/inputs/evidence-run.ts';
import { lineOf, tiesOf } from '../../support/inputs/evidence-records.ts';
import { IS_LONG, some } from '../../support/long.ts';

/** Sixteen open entries: day, amount, what they are for, number of the document, number that the supplier gave it. */
const LEDGER = [
  ['2026-01-01', 412_000, 'Order 5016', '9017', '18051'],
  ['2026-01-02', 97_500, 'Order benches 5018', '9018', '24365'],
  ['2026-01-26', 240_000, 'Invoice 9001', '9001', '25760'],
  ['2026-02-01', 61_400, 'Order 5019', '9019', '27116'],
  ['2026-02-03', 88_250, 'Order 5022', '9020', '27118'],
  ['2026-02-27', 7_500, 'Invoice 9002', '9002', '35111'],
  ['2026-02-28', 25_000, 'Invoice 9005', '9005', '35113'],
  ['2026-03-01', 240_000, 'Invoice 9006', '9006', '20053'],
  ['2026-03-04', 36_900, 'Order 5020', '9021', '35211'],
  ['2026-04-01', 47_100, 'Order 5021', '9022', '36668'],
  ['2026-04-30', 5_500, 'Invoice 9003', '9003', '37552'],
  ['2026-05-01', 531_500, 'Order 5026', '9023', '21152'],
  ['2026-05-30', 15_000, 'Invoice 9004', '9004', '38661'],
  ['2026-05-31', 7_500, 'Invoice 9007', '9007', '24054'],
  ['2026-06-01', 187_000, 'Order 5027', '9024', '24057'],
  ['2026-06-30', 5_500, 'Invoice 9008', '9008', '36455'],
] as const;

const ledger = () =>
  LEDGER.map(([on, amountMinor, description, document, supplier], place) =>
    lineOf('a', place + 1, { on, amountMinor, description, metadata: { document, supplier } }),
  );

type BankLine = readonly [on: string, amountMinor: number, description: string];

/** Ties of some lines of a bank with the ledger, of one status. */
function ties(lines: readonly BankLine[], status: 'matched' | 'proposed'): string[] {
  const b = lines.map(([on, amountMinor, description], place) => lineOf('b', place + 1, { on, amountMinor, description }));
  return tiesOf(weigh(inputOf({ a: ledger(), b, percent: null })).links, status);
}

const STATEMENT: readonly BankLine[] = [
  ['2026-01-03', 412_000, 'Here you go'],
  ['2026-01-04', 47_500, 'For the benches (1 of 2)'],
  ['2026-01-05', 50_000, 'For the benches (2 of 2)'],
  ['2026-01-28', 62_500, 'Instalment 1 for 25760'],
  ['2026-01-30', 177_500, 'Instalment 2 for 25760'],
  ['2026-02-28', 295_000, 'Three invoices'],
  ['2026-04-04', 84_000, 'Two orders (36668 and 35211)'],
  ['2026-05-03', 531_505, 'Lease of the hall'],
  ['2026-05-07', 5_500, 'Payment for 9003'],
  ['2026-06-03', 187_000, 'For the carpet'],
  ['2026-07-06', 33_500, 'Invoices 36455, 24054 and 38661 and one more'],
];

describe('a few bank lines against sixteen open entries', () => {
  it('are tied where they name what they pay, one by one, in a list, and in instalments', () => {
    expect(ties(STATEMENT, 'matched')).toEqual(['3-4+5', '9+10-7', '11-9']);
  });

  it('are only proposed where nothing but an amount or a word speaks for them', () => {
    expect(ties(STATEMENT, 'proposed')).toEqual(expect.arrayContaining(['2-2+3', '15-10']));
  });

  it('are not tied where three of them fit one entry', () => {
    const same = ['2026-01-02', '2026-01-10', '2026-01-12'].map((on): BankLine => [on, 412_000, 'Payment for invoice']);
    expect(ties(same, 'matched')).toEqual([]);
  });

  it('are not tied by a number of which two entries of that amount may be meant', () => {
    const b = [lineOf('b', 1, { on: '2026-05-07', amountMinor: 5_500, description: 'Payment for 9003' })];
    const again = lineOf('a', 20, { on: '2026-05-01', amountMinor: 5_500, description: 'Invoice 9003', metadata: { document: '9003' } });
    expect(tiesOf(weigh(inputOf({ a: [...ledger(), again], b, percent: null })).links, 'matched')).toEqual([]);
  });
});

describe('a number that comes again', () => {
  const rent = (day: string) => ({ on: `2026-${day}`, amountMinor: 81_300, description: 'Rent', metadata: { tenancy: '40077' } });
  const payment = (day: string) => ({ on: `2026-${day}`, amountMinor: 81_300, description: 'RENT 40077' });
  const likelihood = (paid: string): number => {
    const a = [...ledger(), lineOf('a', 20, rent('03-01'))];
    const b = [...STATEMENT.slice(8), ...STATEMENT.slice(3, 5)].map(([on, amountMinor, description], place) =>
      lineOf('b', place + 10, { on, amountMinor, description }),
    );
    const { links } = weigh(inputOf({ a, b: [...b, lineOf('b', 1, payment(paid))], percent: null }));
    return links.find(({ aIds }) => aIds[0] === 20)?.weight.logOdds ?? 0;
  };

  it('is the payment of that month on its days, and may be that of the next one a month later', () => {
    expect(likelihood('03-02')).toBeGreaterThan(64 * 8);
    expect(likelihood('03-31')).toBeLessThan(64 * 4);
  });

  it('says that sums of its lines come out by chance', () => {
    const invoices = [40_000, 60_000, 90_000, 50_000].map((amountMinor, place) =>
      lineOf('a', 30 + place, {
        on: `2026-03-0${place + 1}`,
        amountMinor,
        description: 'Delivery',
        metadata: { customer: place < 3 ? '70031' : '70044' },
      }),
    );
    const b = [lineOf('b', 1, { on: '2026-03-08', amountMinor: 100_000, description: 'ON ACCOUNT 70031' })];
    expect(tiesOf(weigh(inputOf({ a: invoices, b, percent: null })).links, 'matched')).toEqual([]);
  });
});

describe('a number that a line holds in two fields', () => {
  const likelihood = (description: string): number => {
    const a = [...ledger(), lineOf('a', 20, { on: '2026-03-01', amountMinor: 81_300, description, metadata: { document: '9077' } })];
    const b = [lineOf('b', 1, { on: '2026-03-02', amountMinor: 81_300, description: 'Payment for 9077' })];
    return weigh(inputOf({ a, b, percent: null })).links[0]?.weight.logOdds ?? 0;
  };

  it('is worth as much as in one of them', () => {
    expect(Math.abs(likelihood('Delivery 9077') - likelihood('Delivery'))).toBeLessThan(64);
  });
});

describe('many small books', () => {
  const SEEDS = IS_LONG ? 12 : 3;
  const kinds: readonly (readonly [string, (seed: number) => EvidenceSet, number])[] = [
    ['bank lines and a ledger', bankAndLedger, 0.35],
    ['tenancies', tenancies, 0.5],
    ['names alike', alikeNames, 0.3],
    ['payouts', payouts, 0.6],
    ['accounts', accounts, 0],
    ['a shop', shop, 0.6],
  ];
  const seeds = Array.from({ length: SEEDS }, (_, place) => 7_000 + place);
  const weighed = (set: EvidenceSet) => {
    const { links, outcome } = weigh(inputOf(set));
    return { ...figuresOf(set, links), expected: outcome.committed.expectedWrong };
  };
  const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

  it.each(some(kinds, 2))(
    'commit much where all lines are there, and nothing wrong but what they expect where lines are missing: %s',
    (_name, kind, least) => {
      const whole = seeds.map((seed) => weighed(kind(seed)));
      const thin = seeds.flatMap((seed) => [0.1, 0.3, 0.6].map((share) => weighed(thinned(kind(seed), share, 'both', seed))));
      const expected = sumOf([...whole, ...thin].map((figures) => figures.expected));
      expect(sumOf([...whole, ...thin].map(({ wrongCommitted }) => wrongCommitted))).toBeLessThanOrEqual(
        expected + 2 * Math.sqrt(expected),
      );
      expect(sumOf(whole.map(({ recall, links }) => recall * links)) / sumOf(whole.map(({ links }) => links))).toBeGreaterThanOrEqual(
        least,
      );
    },
  );

  it.each(some(kinds, 2))('commit nothing in nearly all where no line has its partner: %s', (_name, kind) => {
    const fooled = seeds.filter((seed) => weighed(withoutPartners(kind(seed), seed)).committed > 0);
    expect(fooled.length).toBeLessThanOrEqual(1);
  });
});
