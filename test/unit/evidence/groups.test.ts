import { describe, expect, it } from 'vitest';
import { explainEvidence } from '../../../src-main/domain/evidence/explain-evidence.ts';
import type { EvidenceInput } from '../../../src-main/domain/evidence/model/input.ts';
import type { EvidenceLink } from '../../../src-main/domain/evidence/model/link.ts';
import { weighEvidence } from '../../../src-main/domain/evidence/weigh-evidence.ts';
import { DESCRIPTION } from '../../../src-main/domain/records/record-columns.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { lineOf, tiesOf } from '../../support/inputs/evidence-records.ts';
import { figuresOf, inputOf, weigh } from '../../support/inputs/evidence-run.ts';
import { cashApplication, slips } from '../../bench/data/evidence-kinds.ts';

type Lines = readonly EngineRecord[];

const onDay = (day: number): string => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);

/** Sixty lines that are paid one by one, each under its reference: the rest of a book. */
const plain = (side: 'a' | 'b'): EngineRecord[] =>
  Array.from({ length: 60 }, (_, number) =>
    lineOf(side, 100 + number, {
      on: onDay(number * 3 + (side === 'b' ? 1 : 0)),
      amountMinor: 10_007 + number * 1_313,
      description: side === 'a' ? `Invoice Customer ${String.fromCharCode(65 + (number % 26))}` : `BGC RCT-${4_100 + number}`,
      metadata: side === 'a' ? { voucher: `RCT-${4_100 + number}` } : {},
    }),
  );

function run(a: Lines, b: Lines, given: Partial<EvidenceInput> = {}): EvidenceLink[] {
  return weigh(inputOf({ a: [...plain('a'), ...a], b: [...plain('b'), ...b], percent: null }, given)).links;
}

/** What is tied besides the plain lines. */
const groupsOf = (links: readonly EvidenceLink[], status: string): string[] =>
  tiesOf(
    links.filter(({ kind }) => kind === 'group'),
    status,
  );

const invoices = [31_417, 27_183, 57_721].map((amountMinor, number) =>
  lineOf('a', 1 + number, {
    on: onDay(20 + number * 4),
    amountMinor,
    description: 'Invoice Harbour Lights',
    metadata: { voucher: `INV-${7_001 + number * 3}` },
  }),
);
const PAID = 31_417 + 27_183 + 57_721;
const payment = (given: Parameters<typeof lineOf>[2]): EngineRecord =>
  lineOf('b', 1, { on: onDay(33), amountMinor: PAID, description: 'HARBOUR LIGHTS INV-7001, INV-7004, INV-7007', ...given });

describe('several lines that add up to one', () => {
  it('are tied by a list of references in its text', () => {
    expect(groupsOf(run(invoices, [payment({})]), 'matched')).toEqual(['1+2+3-1']);
  });

  it('are tied by a name', () => {
    const links = run(invoices, [payment({ description: 'HARBOUR LIGHTS' })]);
    expect(links.filter(({ kind }) => kind === 'group')).toMatchObject([{ aIds: [1, 2, 3], differenceMinor: 0 }]);
  });

  it('are tied by the reference of their batch, two hundred of them', () => {
    const batch = Array.from({ length: 200 }, (_, number) =>
      lineOf('a', 300 + number, {
        on: onDay(40),
        amountMinor: 1_009 + ((number * 7_919) % 5_003),
        description: `Order ${number}`,
        metadata: { batch: 'PAYOUT-X41' },
      }),
    );
    const total = batch.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    const links = run(batch, [lineOf('b', 1, { on: onDay(42), amountMinor: total, description: 'SETTLEMENT PAYOUT-X41' })]);
    const [group, ...others] = links.filter(({ kind }) => kind === 'group');
    expect(group?.status).toBe('matched');
    expect(group?.aIds.toSorted((left, right) => left - right)).toEqual(batch.map(({ id }) => id));
    expect(others).toEqual([]);
  });

  it('are tied where one invoice is paid in parts, after its day', () => {
    const rent = lineOf('a', 1, {
      on: onDay(30),
      amountMinor: 91_337,
      description: 'Invoice Saltmarsh Gallery',
      metadata: { voucher: 'INV-8123' },
    });
    const parts = [41_337, 30_000, 20_000].map((amountMinor, number) =>
      lineOf('b', 1 + number, { on: onDay(34 + number * 12), amountMinor, description: `SALTMARSH GALLERY INV-8123 PART ${number + 1}` }),
    );
    expect(groupsOf(run([rent], parts), 'matched')).toEqual(['1-1+2+3']);
  });

  it('are tied by days in a row, where other lines of both kinds are', () => {
    const takings: EngineRecord[] = [];
    const settled: EngineRecord[] = [];
    let total = 0;
    for (let day = 0; day < 56; day += 1) {
      const amountMinor = 20_011 + ((day * 7_919) % 90_001);
      takings.push(lineOf('a', 1_000 + day, { on: onDay(day), amountMinor, description: 'Card takings' }));
      total += amountMinor;
      if (day % 7 >= 5) continue;
      if (day % 7 === 0 && day > 0)
        settled.push(lineOf('b', 1_000 + day, { on: onDay(day + 1), amountMinor: total, description: 'ELAVON' }));
      else if (day > 0 || total > 0)
        settled.push(lineOf('b', 1_000 + day, { on: onDay(day + 1), amountMinor: total, description: 'ELAVON' }));
      total = 0;
    }
    const links = run(takings, settled);
    const weekends = groupsOf(links, 'matched');
    expect(weekends).toContain('1005+1006+1007-1007');
    expect(weekends.length + groupsOf(links, 'proposed').length).toBe(7);
  });

  it('are not committed where only amounts and days speak for them', () => {
    const receipts = [30_000, 25_000, 35_000].map((amountMinor, number) =>
      lineOf('a', 1 + number, { on: onDay(88 + number), amountMinor, description: ['Deposit', 'Bar sales', 'Room hire'][number] ?? null }),
    );
    const links = run(receipts, [lineOf('b', 1, { on: onDay(90), amountMinor: 90_000, description: 'DEP-0629' })]);
    expect(groupsOf(links, 'matched')).toEqual([]);
  });
});

describe('all open lines of one word near a line', () => {
  const banked = lineOf('b', 1, { on: onDay(90), amountMinor: 90_000, description: 'DEP-0629' });
  const sold = (whats: readonly string[]): EngineRecord[] =>
    [30_000, 25_000, 35_000].map((amountMinor, number) =>
      lineOf('a', 1 + number, { on: onDay(88 + number), amountMinor, description: whats[number] ?? null }),
    );
  const other = lineOf('a', 4, { on: onDay(87), amountMinor: 45_000, description: 'Delgado cheque received' });

  it('are proposed when they add up to it, though it names nobody', () => {
    const links = run([...sold(['Webb catering deposit', 'Webb bar sales', 'Webb function room hire']), other], [banked]);
    expect(groupsOf(links, 'proposed')).toEqual(['1+2+3-1']);
    expect(groupsOf(links, 'matched')).toEqual([]);
  });

  it('are not tied when round amounts of different people come to it', () => {
    expect(
      run([...sold(['Webb catering', 'Miller sales', 'Barista hire']), other], [banked]).filter(({ kind }) => kind === 'group'),
    ).toEqual([]);
  });
});

describe('a group that leaves a difference', () => {
  it('is only proposed where one of its lines is missing, with what is missing', () => {
    const others = paidLists();
    const links = run([...others.a, ...invoices.slice(0, 2)], [...others.b, payment({})]);
    const group = links.find(({ aIds }) => aIds.includes(1));
    expect(group).toMatchObject({ kind: 'group', status: 'proposed', aIds: [1, 2], differenceMinor: 0 - 57_721 });
  });

  it('is only proposed where a fee is off, and committed where that is allowed', () => {
    const others = paidLists(125);
    const charged = payment({ amountMinor: PAID - 1_450 });
    const [a, b] = [
      [...others.a, ...invoices],
      [...others.b, charged],
    ];
    const group = run(a, b).find(({ aIds }) => aIds.includes(1));
    expect(group).toMatchObject({ status: 'proposed', aIds: [1, 2, 3], differenceMinor: 1_450 });
    const allowing = (maxDifference: EvidenceInput['rule']['maxDifference']) =>
      run(a, b, { rule: { id: 1, budget: 10, maxDifference } }).find(({ aIds }) => aIds.includes(1))?.status;
    expect([allowing({ minor: 1_450 }), allowing({ percent: 2 })]).toEqual(['matched', 'matched']);
    expect([allowing({ minor: 1_449 }), allowing({ percent: 1 })]).toEqual(['proposed', 'proposed']);
  });
});

/** Twelve payments that name two invoices each; `fee`: basis points that are off. */
function paidLists(fee = 0): { readonly a: EngineRecord[]; readonly b: EngineRecord[] } {
  const [a, b]: [EngineRecord[], EngineRecord[]] = [[], []];
  for (let number = 0; number < 12; number += 1) {
    const names = [9_001 + number * 2, 9_002 + number * 2];
    const amounts = [12_345 + number * 777, 45_678 + number * 991];
    names.forEach((name, place) =>
      a.push(
        lineOf('a', name, {
          on: onDay(number * 9 + place),
          amountMinor: amounts[place] ?? 0,
          description: `Invoice Client ${number}`,
          metadata: { voucher: `INV-${name}` },
        }),
      ),
    );
    const total = amounts.reduce((sum, amount) => sum + amount, 0);
    const off = Math.round((total * fee) / 10_000);
    b.push(
      lineOf('b', 9_000 + number, {
        on: onDay(number * 9 + 8),
        amountMinor: total - off,
        description: `CLIENT ${number} INV-${names[0]} INV-${names[1]}`,
      }),
    );
  }
  return { a, b };
}

describe('a payment of a part of a bill', () => {
  const bill = lineOf('a', 1, { on: onDay(20), amountMinor: 44_145, description: 'Invoice Harbour', metadata: { voucher: 'RCT-9001' } });
  const part = (id: number, day: number, amountMinor: number, text = 'BGC RCT-9001'): EngineRecord =>
    lineOf('b', id, { on: onDay(day), amountMinor, description: text });
  const ofBill = (links: readonly EvidenceLink[]): EvidenceLink[] => links.filter(({ aIds }) => aIds.includes(1));

  it('is proposed with the bill, and says what is left', () => {
    const b = [part(1, 25, 17_300)];
    const links = ofBill(run([bill], b));
    expect(links).toMatchObject([{ kind: 'pair', status: 'proposed', bIds: [b[0]?.id], differenceMinor: 26_845 }]);
    const said = explainEvidence([bill], b, links[0]?.weight ?? { logOdds: 0, parts: [] }, {
      fieldsA: [DESCRIPTION],
      fieldsB: [DESCRIPTION],
      parameters: null,
    });
    expect(said.map(({ words }) => words)).toContain('173.00 of 441.45, 268.45 is left');
  });

  it('is matched with the rest when that comes', () => {
    const b = [part(1, 25, 17_300), part(2, 70, 26_845)];
    expect(ofBill(run([bill], b))).toMatchObject([{ kind: 'group', status: 'matched', bIds: b.map(({ id }) => id), differenceMinor: 0 }]);
  });

  it('is found whichever file holds the bill', () => {
    const paid = part(1, 25, 17_300);
    const links = weigh(inputOf({ a: [...plain('b'), paid], b: [...plain('a'), bill], percent: null })).links;
    expect(links.filter(({ bIds }) => bIds.includes(1))).toMatchObject([{ status: 'proposed', aIds: [paid.id], differenceMinor: -26_845 }]);
  });

  it('is proposed as well where the bill is the part, and another bill is not in the files', () => {
    expect(ofBill(run([bill], [part(1, 25, 90_000)]))).toMatchObject([{ status: 'proposed', differenceMinor: -45_855 }]);
  });

  it('is none where it comes years later, runs the other way, or names two open bills', () => {
    const other = lineOf('a', 2, { ...bill, on: onDay(20), amountMinor: 60_000, metadata: { voucher: 'RCT-9002' } });
    expect(ofBill(run([bill], [part(1, 900, 17_300)]))).toEqual([]);
    expect(ofBill(run([bill], [{ ...part(1, 25, 17_300), direction: 'debit' }]))).toEqual([]);
    expect(ofBill(run([bill, other], [part(1, 25, 17_300, 'BGC RCT-9001 RCT-9002')]))).toEqual([]);
  });

  it('is not taken from what a person separated', () => {
    expect(ofBill(run([bill], [part(1, 25, 17_300)], { isApart: (ids) => ids.includes(1) }))).toEqual([]);
  });
});

describe('what people decided', () => {
  it('keeps a group that was taken apart from coming back', () => {
    const apart = (ids: readonly number[]): boolean => ids.length === 4;
    expect(groupsOf(run(invoices, [payment({})], { isApart: apart }), 'matched')).toEqual([]);
  });

  it('keeps barred pairs out of groups', () => {
    const input = inputOf({ a: [...plain('a'), ...invoices], b: [...plain('b'), payment({})], percent: null });
    const { links } = weigh({ ...input, isBarred: (rowA) => input.a.free.amounts[rowA] === 27_183 });
    expect(links.filter(({ aIds }) => aIds.includes(2))).toEqual([]);
  });
});

describe('a line and its reversal on one side', () => {
  const charge = { amountMinor: 4_477, description: 'Returned cheque Wexford Mill' };
  const both = [
    lineOf('b', 1, { ...charge, on: onDay(50), direction: 'debit' }),
    lineOf('b', 2, { ...charge, on: onDay(52), direction: 'credit' }),
  ];

  it('is proposed', () => {
    const links = run([], both).filter(({ kind }) => kind === 'reversal');
    expect(links).toMatchObject([{ status: 'proposed', aIds: [], bIds: both.map(({ id }) => id), differenceMinor: 0 }]);
  });

  it('is not where the other side has both lines', () => {
    const lines = both.map((line, number) => ({ ...line, id: 1 + number, streamKey: 'a' }));
    const links = run(lines, both);
    expect(links.filter(({ kind }) => kind === 'reversal')).toEqual([]);
    expect(tiesOf(links, 'matched')).toEqual(expect.arrayContaining(['1-1', '2-2']));
  });
});

it('hears a cancel among the groups', () => {
  let asked = 0;
  const input = inputOf({ a: [...plain('a'), ...invoices], b: [...plain('b'), payment({})], percent: null });
  const counting = { ...input.watch, isCancelled: () => (asked += 1) < 0 };
  weighEvidence({ ...input, watch: counting }, () => undefined);
  const last = asked;
  asked = 0;
  const late = { ...input.watch, isCancelled: () => (asked += 1) >= last };
  expect(weighEvidence({ ...input, watch: late }, () => undefined)).toMatchObject({ ok: false, error: { code: 'cancelled' } });
});

describe('lines that only their own side ties together', () => {
  it.each([
    ['the number of a paying-in slip', true],
    ['the order in which they were entered', false],
  ] as const)('are found by %s', (_name, isNumbered) => {
    const set = slips(120, isNumbered);
    const { recall, f1OfAll, wrongCommitted } = figuresOf(set, weigh(inputOf(set)).links);
    expect(f1OfAll).toBeGreaterThan(0.95);
    expect(recall).toBeGreaterThan(0.85);
    expect(wrongCommitted).toBe(0);
  });

  it('are found among the invoices of a customer, which are paid weeks later in the order of their numbers', () => {
    const set = cashApplication(150);
    const { f1OfAll, wrongCommitted } = figuresOf(set, weigh(inputOf(set)).links);
    expect(f1OfAll).toBeGreaterThan(0.97);
    expect(wrongCommitted).toBe(0);
  });

  it('are found before lines that only happen to have the amount of a receipt', () => {
    const set = slips(120, true);
    const first = set.a[0];
    if (first === undefined) throw new Error('the book has no lines');
    // Transfers without a word in common, which are paired by their amounts.
    const transfers = Array.from({ length: 300 }, (_, number) => ({
      ...first,
      id: 50_000 + number,
      amountMinor: 3_000 + ((number * 7_919) % 87_001),
      day: first.day + ((number * 13) % 90),
      description: 'Transfer',
      metadata: {},
    }));
    const paid = transfers.map((line) => ({ ...line, id: line.id + 20_000_000, day: line.day + 1, description: 'CREDIT' }));
    const receipts = set.a.filter(({ description }) => description?.includes('slip') === true).filter((_, place) => place % 30 === 5);
    const chance = receipts.map((line) => ({ ...line, id: line.id + 30_000_000, day: line.day + 1, description: 'CREDIT', metadata: {} }));
    const truth = new Set([...set.truth, ...transfers.map(({ id }) => `${id},${id + 20_000_000}`)]);
    const book = { ...set, a: [...set.a, ...transfers], b: [...set.b, ...paid, ...chance], truth };
    const { links } = weigh(inputOf(book));
    expect(chance.length).toBeGreaterThan(8);
    expect(figuresOf(book, links).wrongCommitted).toBe(0);
    expect(links.filter(({ kind }) => kind === 'group')).toHaveLength(120);
  });

  it('are not found by a number that each of them has for itself, nor by an order that says nothing', () => {
    const { a, b, ...rest } = slips(120, false);
    const numbers = a.map(({ metadata }) => metadata).toSorted((left, right) => hashOf(left) - hashOf(right));
    const shuffled = { ...rest, b, a: a.map((record, place) => ({ ...record, metadata: numbers[place] ?? {} })) };
    const { wrongCommitted, recall } = figuresOf(shuffled, weigh(inputOf(shuffled)).links);
    expect(wrongCommitted).toBe(0);
    expect(recall).toBeLessThan(0.6);
  });
});

/** Mixes the numbers of entries, so that neighbours are torn apart. */
function hashOf({ entry = '' }: Readonly<Record<string, unknown>>): number {
  return (Number(String(entry).slice(2)) * 7_919) % 10_007;
}
