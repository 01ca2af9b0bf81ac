import { describe, expect, it } from 'vitest';
import { LAG_BINS, lagBin, lagRange } from '../../../src-main/domain/evidence/comparison/levels.ts';
import type { Coverage } from '../../../src-main/domain/evidence/model/input.ts';
import type { EvidenceInput } from '../../../src-main/domain/evidence/model/input.ts';
import { PARTS } from '../../../src-main/domain/evidence/model/weight.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { customers, rents, settlements } from '../../bench/data/evidence-generators.ts';
import { formulas as lessFees, invoices as secondPayments } from '../../bench/data/evidence-kinds.ts';
import { thinned } from '../../bench/data/evidence-sets.ts';
import { figuresOf, inputOf, weigh } from '../../support/inputs/evidence-run.ts';
import { lineOf, tiesOf } from '../../support/inputs/evidence-records.ts';

const DAY = 20_500;
const PARTIES = ['Alder Foods', 'Birch Print', 'Cedar Steel', 'Dover Media', 'Elgin Paper', 'Forth Motors', 'Gower Linen'];

const amountOf = (number: number): number => 12_345 + ((number * 7_919) % 90_001) * 13;
const nameOf = (number: number): string => `${PARTIES[number % PARTIES.length] ?? ''} ${['Ltd', 'GmbH', 'Inc'][number % 3] ?? ''}`;

const invoice = (number: number, given: Parameters<typeof lineOf>[2] = {}) =>
  lineOf('a', number, {
    on: isoFromDay(DAY + (number % 80)),
    amountMinor: amountOf(number),
    description: nameOf(number),
    metadata: { invoice: `INV-${2_000 + number}` },
    ...given,
  });

const payment = (number: number, of: number, later = 4) =>
  lineOf('b', number, {
    on: isoFromDay(DAY + (of % 80) + later),
    amountMinor: amountOf(of),
    description: `${nameOf(of)} INV-${2_000 + of}`,
  });

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, place) => from + place);

function run(a: ReturnType<typeof lineOf>[], b: ReturnType<typeof lineOf>[], coverage: Coverage = 'days'): ReturnType<typeof weigh> {
  const input: EvidenceInput = inputOf({ a, b, percent: null });
  return weigh({ ...input, a: { ...input.a, coverage }, b: { ...input.b, coverage } });
}

const likelihoodOf = (links: ReturnType<typeof weigh>['links'], tie: string): number => {
  const link = links.find(({ aIds, bIds }) => tiesOf([{ aIds, bIds, status: 'matched' } as never], 'matched')[0] === tie);
  return link === undefined ? 0 : 1 / (1 + 2 ** (-link.weight.logOdds / 64));
};

describe('second payments', () => {
  const invoices = numbers(1, 201).map((number) => invoice(number));
  const paid = numbers(1, 161).map((number) => payment(number, number, 4 + (number % 9)));

  it.each([0, 4, 8])('of %i bills leave the other bills certain where files cover all days, however many bills are unpaid', (seconds) => {
    const again = numbers(0, seconds).map((place) => payment(500 + place, 1 + place * 19, 20));
    const committed = tiesOf(run(invoices, [...paid, ...again]).links, 'matched');
    expect(committed.length).toBeGreaterThanOrEqual(160 - 2 * seconds);
    expect(committed.every((tie) => tie.split('-')[0] === tie.split('-')[1])).toBe(true);
  });

  it('make payments more doubtful where days are not covered, since a first payment may be missing', () => {
    const again = numbers(0, 8).map((place) => payment(500 + place, 1 + place * 19, 20));
    const doubtOf = (coverage: Coverage): number =>
      run(invoices, [...paid, ...again], coverage).links.reduce((sum, { weight }) => sum + 1 / (1 + 2 ** (weight.logOdds / 64)), 0);
    expect(doubtOf('open')).toBeGreaterThan(doubtOf('days'));
  });

  it.each([1, 2, 3])('whose first one is missing are not taken for it where more bills than usual have no payment: %i', (seed) => {
    const set = thinned(secondPayments(1_000, 0.04, seed), 0.3, 'b', seed);
    const of = (coverage: Coverage): ReturnType<typeof figuresOf> => figuresOf(set, run([...set.a], [...set.b], coverage).links);
    expect(of('days').wrongCommitted).toBe(0);
    // Balances that prove the files whole would say that these bills are unpaid.
    expect(of('proved').committed).toBeGreaterThan(2 * of('days').committed);
  });
});

describe('amounts that a party pays each month', () => {
  const months = numbers(0, 480).map((place) => ({ unit: Math.floor(place / 12), month: place % 12 }));
  const rent = (side: 'a' | 'b', unit: number, month: number): ReturnType<typeof lineOf> =>
    lineOf(side, 1 + unit * 12 + month, {
      on: isoFromDay(DAY + month * 30 + (side === 'a' ? 0 : 2 + ((unit * 7 + month * 5) % 9))),
      amountMinor: 65_000 + (unit % 5) * 5_000,
      description: `Rent of WE${100 + unit}`,
    });
  const due = months.map(({ unit, month }) => rent('a', unit, month));
  const paid = months.map(({ unit, month }) => rent('b', unit, month));
  const truth = new Set(due.map(({ id }, place) => `${id},${paid[place]?.id ?? 0}`));

  it.each([1, 3])('are no second payments where both sides repeat them, so that lines may be missing from covered days: %i', (seed) => {
    const set = thinned({ name: 'rents of units', a: due, b: paid, truth, percent: null }, 0.3, 'both', seed);
    const { links } = run([...set.a], [...set.b]);
    expect(links.length).toBeGreaterThan(200);
    expect(figuresOf(set, links).at[0]?.wrong).toBe(0);
  });

  it('are committed with lines missing, since another line of the name is that of another month', () => {
    const figures = [71, 72, 73].map((seed) => {
      const set = thinned(rents(40, seed), 0.3, 'both', seed);
      return figuresOf(set, weigh(inputOf(set)).links);
    });
    expect(figures.map(({ wrongCommitted }) => wrongCommitted)).toEqual([0, 0, 0]);
    expect(figures.reduce((sum, { recall }) => sum + recall, 0) / 3).toBeGreaterThan(0.78);
  });
});

describe('proposals', () => {
  const LEAST = 0.6;
  const LEAST_WITH_DIFFERENCE = 0.9;

  it.each([
    ['card settlements net of fees', settlements(90, 4, 201)],
    ['customers who pay twice', customers(500, 0.08, 201)],
    ['fees by formula, lines missing', thinned(lessFees(500, 0, 2), 0.3, 'both', 2)],
  ] as const)('are no links that a person would take back as often as not: %s', (_name, set) => {
    const { links } = weigh(inputOf(set));
    const proposed = links.filter(({ status }) => status === 'proposed');
    const least = ({ kind, differenceMinor, weight }: (typeof links)[number]): number => {
      const isByReference = (weight.parts[PARTS.indexOf('references')] ?? 0) > 0;
      return kind === 'pair' && differenceMinor !== 0 && set.percent === null && !isByReference ? LEAST_WITH_DIFFERENCE : LEAST;
    };
    const likelihood = ({ weight }: (typeof links)[number]): number => 1 / (1 + 2 ** (-weight.logOdds / 64));
    expect(proposed.length).toBeGreaterThan(0);
    expect(proposed.filter((link) => likelihood(link) < least(link) - 0.005)).toEqual([]);
  });
});

describe('days between two lines', () => {
  it('have a bin that holds them, on both sides of zero', () => {
    for (let day = -400; day <= 430; day += 1) {
      const [first, last] = lagRange(lagBin(day));
      if (day >= first && day <= last) continue;
      expect(`day ${day} lies in ${first}..${last}`).toBe('');
    }
    expect(new Set(numbers(-400, 430).map(lagBin)).size).toBe(LAG_BINS);
  });

  const book = numbers(1, 301).map((number) => invoice(number, { on: isoFromDay(DAY + number) }));
  const bank = numbers(1, 301).map((number) =>
    lineOf('b', number, { on: isoFromDay(DAY + number + 2 + (number % 5)), amountMinor: amountOf(number), description: nameOf(number) }),
  );
  const farther = numbers(0, LAG_BINS).filter((bin) => lagRange(bin)[0] > 7 || lagRange(bin)[1] < 1);

  it.each(farther.map((bin) => lagRange(bin)))('%i to %i days, which no pair of the book has, speak against a pair', (first, last) => {
    const days = Math.max(first, Math.min(last, first < 0 ? last : first));
    const odd = { amountMinor: 77_777, description: nameOf(1) };
    const a = [...book, lineOf('a', 900, { ...odd, on: isoFromDay(DAY + 150) })];
    const b = [...bank, lineOf('b', 900, { ...odd, on: isoFromDay(DAY + 150 + days) })];
    const link = run(a, b).links.find(({ aIds }) => aIds.length === 1 && a.at(-1)?.id === aIds[0]);
    expect(link?.weight.parts[1] ?? -1).toBeLessThanOrEqual(0);
  });
});

describe('what contradicts a pair', () => {
  const cheques = numbers(1, 121);
  const ledger = cheques.map((number) =>
    lineOf('a', number, {
      on: isoFromDay(DAY + number),
      amountMinor: amountOf(number),
      description: `${nameOf(number)} - supplies`,
      metadata: { reference: `CHK-${4_700 + number}` },
    }),
  );
  const bank = cheques.map((number) =>
    lineOf('b', number, { on: isoFromDay(DAY + number + 1), amountMinor: amountOf(number), description: `CHECK #${4_700 + number}` }),
  );

  it('is another number of the same kind, whatever agrees besides', () => {
    const given = { on: isoFromDay(DAY + 50), amountMinor: 891_394 };
    const a = [...ledger, lineOf('a', 900, { ...given, description: 'Forth Motors Ltd', metadata: { reference: 'CHK-5101' } })];
    const b = [...bank, lineOf('b', 900, { ...given, description: 'CHECK #5100' })];
    const { links } = run(a, b);
    expect(tiesOf(links, 'matched')).toHaveLength(120);
    expect(likelihoodOf(links, '900-900')).toBeLessThan(0.9);
  });

  it('is no running number that only one side has', () => {
    const numbered = ledger.map((record, place) => ({ ...record, metadata: { voucher: `G${String(place + 600).padStart(4, '0')}` } }));
    const named = cheques.map((number) =>
      lineOf('b', number, {
        on: isoFromDay(DAY + number + 1),
        amountMinor: amountOf(number),
        description: `${nameOf(number)} 99${8_000 + number}`,
      }),
    );
    const { links } = run(numbered, named);
    expect(tiesOf(links, 'matched').length).toBeGreaterThan(100);
  });

  it('is a party that the book knows by another name', () => {
    const named = cheques.map((number) =>
      lineOf('b', number, { on: isoFromDay(DAY + number + 1), amountMinor: amountOf(number), description: nameOf(number) }),
    );
    const given = { on: isoFromDay(DAY + 50), amountMinor: 891_394 };
    const a = [...ledger, lineOf('a', 900, { ...given, description: 'Alder Foods Ltd - supplies' })];
    const b = [...named, lineOf('b', 900, { ...given, description: 'Gower Linen Ltd' })];
    expect(likelihoodOf(run(a, b).links, '900-900')).toBeLessThan(0.9);
  });
});

describe('numbers that are joined', () => {
  const groups = numbers(0, 40);
  const codeOf = (number: number): string => String(1_000_000_000 + ((number * 48_271) % 899_999_999) * 10 + (number % 10));
  const members = groups.flatMap((group) => numbers(0, 2 + (group % 4)).map((place) => ({ group, number: group * 8 + place + 1 })));
  const ledger = members.map(({ group, number }) =>
    lineOf('a', number, {
      on: isoFromDay(DAY + group),
      amountMinor: amountOf(number),
      description: 'Delivery',
      metadata: { invoice: codeOf(number) },
    }),
  );

  it.each([
    ['to words', (codes: string[]) => codes.map((code, place) => `NO ${place}: ${code}`).join('')],
    ['to each other', (codes: string[]) => codes.join('')],
    ['by spaces', (codes: string[]) => codes.join(' ')],
  ])('%s name the bills of a payment', (_, textOf) => {
    const bank = groups.map((group) => {
      const own = members.filter((member) => member.group === group).map(({ number }) => number);
      const amountMinor = own.reduce((sum, number) => sum + amountOf(number), 0);
      return lineOf('b', group + 1, { on: isoFromDay(DAY + group + 3), amountMinor, description: textOf(own.map(codeOf)) });
    });
    const { links } = run(ledger, bank);
    const right = links.filter(({ status, aIds, bIds }) => {
      const group = members.filter(({ number }) => aIds.includes(ledger[members.findIndex((each) => each.number === number)]?.id ?? -1));
      return status === 'matched' && bIds.length === 1 && group.every((member) => member.group === group[0]?.group);
    });
    expect(right).toHaveLength(groups.length);
  });
});

describe('groups', () => {
  const VENDORS = ['Alder Foods Wholesale', 'Birch Print Works', 'Cedar Steel Trading', 'Dover Media Partners', 'Elgin Paper Mills'];
  const MEMOS = [
    'toner',
    'chairs',
    'cleaning',
    'floor repairs',
    'boxes',
    'training',
    'licence',
    'samples',
    'catering',
    'uniforms',
    'parking',
  ];
  const groups = numbers(0, 40);
  /** Five bills of a vendor on each of 40 days, and one payment for each five. */
  const book = (memoOf: (number: number) => string) => ({
    a: groups.flatMap((group) =>
      numbers(0, 5).map((place) =>
        lineOf('a', group * 5 + place + 1, {
          on: isoFromDay(DAY + group * 3),
          amountMinor: amountOf(group * 5 + place),
          description: `${VENDORS[group % 5] ?? ''}${memoOf(group * 5 + place)}`,
        }),
      ),
    ),
    b: groups.map((group) =>
      lineOf('b', group + 1, {
        on: isoFromDay(DAY + group * 3 + 2),
        amountMinor: numbers(0, 5).reduce((sum, place) => sum + amountOf(group * 5 + place), 0),
        description: `ACH ${(VENDORS[group % 5] ?? '').toUpperCase()}`,
      }),
    ),
  });
  const rightOf = ({ a, b }: ReturnType<typeof book>): number =>
    run(a, b).links.filter(({ aIds, bIds }) => {
      const own = new Set(aIds.map((id) => Math.floor((id - 1) / 5)));
      return aIds.length === 5 && bIds.length === 1 && own.size === 1;
    }).length;

  it('of one party are found as well where each of its lines has another memo', () => {
    const plain = rightOf(book(() => ''));
    const withMemos = rightOf(book((number) => ` ${MEMOS[number % 11] ?? ''} ${MEMOS[(number * 7 + 3) % 11] ?? ''}`));
    expect(plain).toBeGreaterThanOrEqual(32);
    expect(withMemos).toBeGreaterThanOrEqual(32);
  });

  it('hold no members that cancel each other beside the one that is the partner', () => {
    const others = numbers(1, 61);
    const ledger = others.map((number) => invoice(number, { metadata: {} }));
    const bank = others.map((number) =>
      lineOf('b', number, { on: isoFromDay(DAY + (number % 80) + 3), amountMinor: amountOf(number), description: nameOf(number) }),
    );
    const of = { amountMinor: 480_000, description: 'Gower Linen Ltd' };
    const a = [
      ...ledger,
      lineOf('a', 901, { ...of, on: isoFromDay(DAY + 40), direction: 'debit' }),
      lineOf('a', 902, { ...of, on: isoFromDay(DAY + 41), direction: 'credit', description: 'Gower Linen Ltd void' }),
      lineOf('a', 903, { ...of, on: isoFromDay(DAY + 42), direction: 'debit' }),
    ];
    const b = [...bank, lineOf('b', 901, { ...of, on: isoFromDay(DAY + 43), direction: 'debit' })];
    const { links } = run(a, b);
    const taken = links.filter(({ bIds }) => bIds.includes(1_000_901));
    expect(taken.map(({ aIds }) => aIds.length)).toEqual([1]);
  });
});
