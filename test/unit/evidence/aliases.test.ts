import { describe, expect, it } from 'vitest';
import { explainEvidence } from '../../../src-main/domain/evidence/explain-evidence.ts';
import { evidenceSentence } from '../../support/references/evidence-sentence.ts';
import { TEXT_LEVELS } from '../../../src-main/domain/evidence/comparison/levels.ts';
import { MOST_ALIASES } from '../../../src-main/domain/evidence/frequencies/alias-levels.ts';
import type { PeoplesPairs } from '../../../src-main/domain/evidence/model/input.ts';
import type { EvidenceLink } from '../../../src-main/domain/evidence/model/link.ts';
import { PART_STEPS, PARTS } from '../../../src-main/domain/evidence/model/weight.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { thinned } from '../../bench/data/evidence-sets.ts';
import { lineOf, tiesOf } from '../../support/inputs/evidence-records.ts';
import { fieldsOf, figuresOf, weigh } from '../../support/inputs/evidence-run.ts';
import { payers, taught } from '../../support/books/payers-book.ts';

const CUSTOMER = 'Swift Logistics';
const PAYER = 'J MARLOWE';
const FIRST_OF_B = 1_000_000;

const BUYERS = ['Miller', 'Baxter', 'Keller', 'Santos', 'Okafor', 'Lindqvist', 'Moreau', 'Tanaka', 'Novak', 'Rossi', 'Haddad', 'Walsh'];

const NEW_YEAR = 20_454;

/** Sales of each their own amount and reference to people who pay by their own names, so that the book is none of a few lines. */
const others = (side: 'a' | 'b'): EngineRecord[] =>
  Array.from({ length: 120 }, (_, number) =>
    lineOf(side, 100 + number, {
      day: NEW_YEAR + Math.floor(number * 1.5) + (side === 'a' ? 0 : (number * 5) % 11),
      amountMinor: 5_003 + 731 * number,
      description: `${BUYERS[number % BUYERS.length] ?? ''} INV-${4_000 + number}`,
    }),
  );

type Bill = readonly [on: string, paidOn: string, amountMinor: number, paidMinor?: number];
const BILLS: readonly Bill[] = [
  ['2026-02-03', '2026-02-06', 41_200],
  ['2026-03-03', '2026-03-05', 38_990],
  ['2026-04-02', '2026-04-07', 52_310],
];

/** Bills of a customer that somebody of another name pays; the first line of either side has number 1. */
function book(bills: readonly Bill[], names: { readonly a: string; readonly b: string } = { a: CUSTOMER, b: PAYER }) {
  return {
    a: [...others('a'), ...bills.map(([on, , amountMinor], place) => lineOf('a', place + 1, { on, amountMinor, description: names.a }))],
    b: [
      ...others('b'),
      ...bills.map(([, on, amount, paid], place) => lineOf('b', place + 1, { on, amountMinor: paid ?? amount, description: names.b })),
    ],
    percent: null,
  };
}

const pairs = (...numbers: readonly number[]): PeoplesPairs['confirmed'] => numbers.map((number) => [number, FIRST_OF_B + number] as const);
const namesOf = (run: ReturnType<typeof weigh>): string[] => run.parameters.aliases.map(({ a, b }) => `${a} = ${b}`);
const bitsOf = (link: EvidenceLink | undefined): number => (link?.weight.parts[PARTS.indexOf('text')] ?? 0) / PART_STEPS;
const linkOf = (run: ReturnType<typeof weigh>, number: number): EvidenceLink | undefined =>
  run.links.find(({ aIds, bIds }) => aIds[0] === number && bIds[0] === FIRST_OF_B + number);

describe('names that people tied', () => {
  it('are one from three different days on, with the pairs that say so', () => {
    expect(weigh(taught(book(BILLS), { confirmed: pairs(1, 2) })).parameters.aliases).toEqual([]);
    const { aliases } = weigh(taught(book(BILLS), { confirmed: pairs(3, 1, 2) })).parameters;
    expect(aliases).toEqual([{ a: 'SWIFT LOGISTICS', b: PAYER, pairs: pairs(1, 2, 3), bits: expect.any(Number) }]);
  });

  it('are not one by three pairs of one day, on either side', () => {
    const one = BILLS.map(([, paidOn, amount]): Bill => ['2026-02-03', paidOn, amount]);
    expect(weigh(taught(book(one), { confirmed: pairs(1, 2, 3) })).parameters.aliases).toEqual([]);
    const other = BILLS.map(([on, , amount]): Bill => [on, '2026-04-07', amount]);
    expect(weigh(taught(book(other), { confirmed: pairs(1, 2, 3) })).parameters.aliases).toEqual([]);
  });

  it('are not one where people took them apart as often', () => {
    const confirmed = pairs(1, 2, 3);
    const apart = [
      [1, FIRST_OF_B + 2],
      [2, FIRST_OF_B + 1],
      [3, FIRST_OF_B + 1],
    ] as const;
    expect(weigh(taught(book(BILLS), { confirmed, rejected: apart })).parameters.aliases).toEqual([]);
    const [few] = weigh(taught(book(BILLS), { confirmed, rejected: apart.slice(0, 2) })).parameters.aliases;
    const [none] = weigh(taught(book(BILLS), { confirmed })).parameters.aliases;
    expect(few?.bits).toBeLessThan(none?.bits ?? 0);
  });

  it('need no alias where their words say it', () => {
    const confirmed = pairs(1, 2, 3);
    for (const b of ['SWIFT LOGISTICS', 'LOGISTICS SWIFT LTD', 'SWIFT LOGISTIC']) {
      expect(namesOf(weigh(taught(book(BILLS, { a: CUSTOMER, b }), { confirmed })))).toEqual([]);
    }
    expect(namesOf(weigh(taught(book(BILLS, { a: 'J Swift', b: 'SWIFT LOGISTICS' }), { confirmed })))).toEqual([
      'J SWIFT = SWIFT LOGISTICS',
    ]);
  });

  it('are none where they are too long to be taken away by name', () => {
    const b = Array.from({ length: 16 }, (_, word) => String.fromCharCode(65 + word).repeat(40)).join(' ');
    const confirmed = pairs(1, 2, 3);
    expect(namesOf(weigh(taught(book(BILLS, { a: CUSTOMER, b }), { confirmed })))).toEqual([]);
    expect(namesOf(weigh(taught(book(BILLS, { a: CUSTOMER, b: b.slice(0, 400) }), { confirmed })))).toHaveLength(1);
  });

  it('are so few at most that each has a level of its own in a byte', () => {
    expect(TEXT_LEVELS + MOST_ALIASES).toBeLessThanOrEqual(256);
  });

  it('tell nothing where half of the lines have them', () => {
    const set = book(BILLS);
    const common = (lines: readonly EngineRecord[], description: string): EngineRecord[] =>
      lines.map((line, place) => (place % 4 === 0 ? line : { ...line, description }));
    const run = weigh(taught({ a: common(set.a, CUSTOMER), b: common(set.b, PAYER), percent: null }, { confirmed: pairs(1, 2, 3) }));
    expect(run.parameters.aliases).toEqual([]);
  });
});

describe('an alias', () => {
  const fourth: Bill = ['2026-05-04', '2026-05-07', 47_130];
  const set = book([...BILLS, fourth]);
  const confirmed = pairs(1, 2, 3);

  it('stands in for the text of a pair, with eight bits at most', () => {
    const before = linkOf(weigh(taught(set, { confirmed: pairs(1, 2) })), 4);
    const run = weigh(taught(set, { confirmed }));
    const after = linkOf(run, 4);
    expect(after?.status).toBe('matched');
    expect(bitsOf(after)).toBe(run.parameters.aliases[0]?.bits);
    expect(bitsOf(after)).toBeGreaterThan(bitsOf(before) + 3);
    const large = weigh(taught(payers(26, 60), { confirmed: payers(26, 60).byCustomer.flatMap((of) => of.slice(0, 50)) }));
    expect(Math.max(...large.parameters.aliases.map(({ bits }) => bits))).toBeLessThanOrEqual(8);
  });

  it('counts as the larger of text and alias, never as both', () => {
    const names = { a: 'J Swift', b: 'SWIFT LOGISTICS' };
    const shared = book([...BILLS, fourth], names);
    const run = weigh(taught(shared, { confirmed }));
    const { parameters } = run;
    const removed = weigh(taught(shared, { confirmed, removedAliases: [{ a: 'J SWIFT', b: 'SWIFT LOGISTICS' }] }, { parameters }));
    expect(bitsOf(linkOf(run, 4))).toBe(Math.max(run.parameters.aliases[0]?.bits ?? 0, bitsOf(linkOf(removed, 4))));
  });

  it('finds lines that nothing else would, where amount and day are near', () => {
    const near = book([...BILLS, ['2026-05-04', '2026-05-12', 47_130, 45_300]]);
    expect(linkOf(weigh(taught(near, { confirmed: pairs(1, 2) })), 4)).toBeUndefined();
    expect(linkOf(weigh(taught(near, { confirmed })), 4)).toMatchObject({ status: 'proposed', differenceMinor: 1_830 });
  });

  it('is named in the evidence', () => {
    const run = weigh(taught(set, { confirmed }));
    const ids = new Set([4, FIRST_OF_B + 4]);
    const [a, b] = [set.a.filter(({ id }) => ids.has(id)), set.b.filter(({ id }) => ids.has(id))];
    const facts = { fieldsA: fieldsOf(set.a), fieldsB: fieldsOf(set.b), parameters: run.parameters };
    const link = linkOf(run, 4);
    if (link === undefined) throw new Error('the fourth bill is tied');
    const lines = explainEvidence(a, b, link.weight, facts);
    const bits = Math.round(run.parameters.aliases[0]?.bits ?? 0);
    expect(lines.map(evidenceSentence)).toContain(`"J MARLOWE" stands for "SWIFT LOGISTICS": tied 3 times by people: +${bits}`);
    expect(lines.find(({ field }) => field === 'text')?.level).toBe('alias');
    // A weight that its text made is told by its words.
    const bare = explainEvidence(a, b, { ...link.weight, parts: [36, 8, -3, 0, 0] }, facts);
    expect(bare.map(evidenceSentence)).toContain('No words in common: -1');
  });

  it('is gone as soon as a person takes it away, also where what was learned is used again, and back when it is restored', () => {
    const first = weigh(taught(set, { confirmed }));
    const parameters = JSON.parse(JSON.stringify(first.parameters)) as typeof first.parameters;
    const again = weigh(taught(set, { confirmed }, { parameters }));
    expect(bitsOf(linkOf(again, 4))).toBe(bitsOf(linkOf(first, 4)));
    const removedAliases = parameters.aliases.map(({ a, b }) => ({ a, b }));
    for (const known of [null, parameters]) {
      const removed = weigh(taught(set, { confirmed, removedAliases }, { parameters: known }));
      expect(bitsOf(linkOf(removed, 4))).toBeLessThanOrEqual(0);
      // It is kept with what was learned, so that it can be restored.
      expect(removed.parameters.aliases).toEqual(parameters.aliases);
    }
    expect(JSON.stringify(weigh(taught(set, { confirmed }, { parameters })))).toBe(JSON.stringify(again));
    const other = [{ a: 'SWIFT LOGISTICS', b: 'J MARLOW' }];
    expect(bitsOf(linkOf(weigh(taught(set, { confirmed, removedAliases: other }, { parameters })), 4))).toBe(bitsOf(linkOf(again, 4)));
  });

  it('says nothing of how texts of other true pairs look', () => {
    const shares = (run: ReturnType<typeof weigh>): number =>
      run.parameters.text.find(({ name }) => name === 'little of nothing rare')?.m ?? 0;
    const all = payers(20, 10);
    const told = all.byCustomer.flatMap((of) => of.slice(0, 4));
    const run = weigh(taught(all, { confirmed: told }));
    const untaught = weigh(taught(all, {}));
    expect(shares(run)).toBeLessThanOrEqual(shares(untaught));
  });
});

const HALF_A_BIT = 32;

describe('what an alias cannot do', () => {
  const confirmed = pairs(1, 2, 3);
  const last = (bill: Bill): ReturnType<typeof weigh> => weigh(taught(book([...BILLS, bill]), { confirmed }));

  it.each<readonly [string, Bill]>([
    ['an amount that differs a little', ['2026-05-04', '2026-05-07', 47_130, 47_030]],
    ['an amount of its own', ['2026-05-04', '2026-05-07', 47_130, 31_777]],
    ['a day months away', ['2026-02-04', '2026-06-20', 47_130]],
  ])('commits nothing by itself: %s', (_name, bill) => {
    expect(tiesOf(last(bill).links, 'matched')).not.toContain('4-4');
  });

  it('makes no pair surer than one name on both sides would, where the amount is always the same', () => {
    const rents = Array.from({ length: 8 }, (_, month): Bill => [`2026-0${month + 1}-02`, `2026-0${month + 1}-04`, 85_000]);
    // The payment of May and the bill of June are missing.
    const sure = (names: { readonly a: string; readonly b: string }): number => {
      const { a, b } = book(rents, names);
      const thin = { a: a.filter(({ id }) => id !== 6), b: b.filter(({ id }) => id !== FIRST_OF_B + 5), percent: null };
      const { links } = weigh(taught(thin, { confirmed }));
      return links.find(({ aIds, bIds }) => aIds[0] === 5 && bIds[0] === FIRST_OF_B + 6)?.weight.logOdds ?? 0;
    };
    // Each book corrects its likelihoods by trials on itself, which makes a fraction of a bit.
    expect(sure({ a: CUSTOMER, b: PAYER })).toBeLessThanOrEqual(sure({ a: CUSTOMER, b: CUSTOMER }) + HALF_A_BIT);
  });

  it('commits no more than people accept, though they were taught nonsense', () => {
    const whole = payers(26, 20);
    for (const set of [whole, thinned(whole, 0.2, 'both', 3)]) {
      const [idsA, idsB] = [new Set(set.a.map(({ id }) => id)), new Set(set.b.map(({ id }) => id))];
      // Each customer is tied, three times, to the payer of the next one.
      const nonsense = whole.byCustomer.flatMap((of, place) =>
        of.flatMap(([a], bill) => {
          const [, b] = whole.byCustomer[(place + 1) % whole.byCustomer.length]?.[bill] ?? [0, 0];
          return bill < 8 && bill % 2 === 0 && idsA.has(a) && idsB.has(b) ? [[a, b] as const] : [];
        }),
      );
      const run = weigh(taught(set, { confirmed: nonsense }));
      expect(run.parameters.aliases.length).toBeGreaterThan(10);
      expect(figuresOf(set, run.links).wrongCommitted).toBe(0);
    }
  });

  it('makes what it expects to be wrong no smaller than what is, where lines are missing', () => {
    let [expected, wrong] = [0, 0];
    for (let seed = 1; seed <= 4; seed += 1) {
      const whole = payers(26, 20, seed);
      const set = thinned(whole, 0.2, 'both', seed);
      const [idsA, idsB] = [new Set(set.a.map(({ id }) => id)), new Set(set.b.map(({ id }) => id))];
      const told = whole.byCustomer.flatMap((of) => of.filter(([a, b]) => idsA.has(a) && idsB.has(b)).slice(0, 4));
      const { at } = figuresOf(set, weigh(taught(set, { confirmed: told })).links);
      expected += at[2]?.expected ?? 0;
      wrong += at[2]?.wrong ?? 0;
    }
    expect(wrong).toBeLessThanOrEqual(Math.max(2, expected + 2 * Math.sqrt(expected)));
  });

  it('more than doubles what is committed of a book whose payers have other names, with nothing wrong', () => {
    const set = payers(20, 10);
    const told = set.byCustomer.flatMap((of) => of.slice(0, 4));
    const before = figuresOf(
      set,
      weigh(taught(set, { confirmed: told, removedAliases: weigh(taught(set, { confirmed: told })).parameters.aliases })).links,
    );
    const after = figuresOf(set, weigh(taught(set, { confirmed: told })).links);
    expect(after.wrongCommitted).toBe(0);
    expect(after.committed).toBeGreaterThan(2 * before.committed);
  });
});
