import { describe, expect, it } from 'vitest';
import { explainEvidence, learnedWords } from '../../../src-main/domain/evidence/explain-evidence.ts';
import { BookWriter } from '../../bench/data/evidence-generators.ts';
import { type EvidenceSet, thinned, turned } from '../../bench/data/evidence-sets.ts';
import { payoutsLess } from '../../bench/data/evidence-kinds.ts';
import { figuresOf, inputOf, weigh } from '../../support/inputs/evidence-run.ts';

/** Sales paid out a few days later, less what `keptOf` says. */
function payouts(lines: number, keptOf: (gross: number, book: BookWriter) => number, seed = 5): EvidenceSet {
  const book = new BookWriter(seed);
  for (let number = 0; number < lines; number += 1) {
    const [day, gross] = [Math.floor((number * 200) / lines), 2_000 + book.int(90_000)];
    const sale = book.line('a', day, gross, `Card sale ${book.name()}`);
    book.pair(sale, book.line('b', day + 1 + book.int(3), gross - keptOf(gross, book), 'PSP PAYOUT'));
  }
  return book.set('payouts');
}

describe('differences that follow a formula', () => {
  it.each([
    ['a rate and a fixed part', (gross: number) => Math.round(gross * 0.014) + 20, '1.4 % + 0.20'],
    ['a rate', (gross: number) => Math.round(gross * 0.029), '2.9 %'],
    ['a fixed part', () => 35, '0.35'],
  ])('are learned, said and committed: %s', (_name, keptOf, text) => {
    const set = payouts(200, keptOf);
    const { links, parameters } = weigh(inputOf(set));
    const { recall, wrongCommitted } = figuresOf(set, links);
    expect(recall).toBeGreaterThan(0.95);
    expect(wrongCommitted).toBe(0);
    expect(learnedWords(parameters).join(' ')).toContain(`Side B is less by ${text}, to the cent, in`);
    const link = links.find(({ aIds, bIds }) => set.truth.has(`${aIds[0]},${bIds[0]}`));
    const [a, b] = [set.a.filter(({ id }) => link?.aIds.includes(id)), set.b.filter(({ id }) => link?.bIds.includes(id))];
    const said = explainEvidence(a, b, link?.weight ?? { logOdds: 0, parts: [] }, { fieldsA: [], fieldsB: [], parameters });
    expect(said[0]?.words).toMatch(
      new RegExp(`^Same amount less ${text.replaceAll('+', '\\+')}, .*: as \\d+ of \\d+ such differences here$`),
    );
  });

  it.each([
    ['a rate and a fixed part', (gross: number) => Math.round(gross * 0.014) + 20],
    ['a rate', (gross: number) => Math.round(gross * 0.029)],
  ])('are committed as well where the bank is side A, so that its lines come later: %s', (_name, keptOf) => {
    const set = turned(payouts(200, keptOf));
    const { links, parameters } = weigh(inputOf(set));
    expect(parameters.formulas.map(({ grossOn }) => grossOn)).toEqual(['b']);
    expect(figuresOf(set, links)).toMatchObject({ wrongCommitted: 0 });
    expect(figuresOf(set, links).recall).toBeGreaterThan(0.95);
  });

  it('are committed by the formula alone: one sale whose fee is another is only proposed', () => {
    const set = payouts(200, (gross) => Math.round(gross * 0.014) + 20 + (gross % 23 === 0 ? 7 : 0));
    const { links } = weigh(inputOf(set));
    const odd = new Set(set.a.filter(({ amountMinor }) => amountMinor % 23 === 0).map(({ id }) => id));
    expect(odd.size).toBeGreaterThan(3);
    expect(links.filter(({ aIds, status }) => status === 'matched' && aIds.some((id) => odd.has(id)))).toEqual([]);
    expect(figuresOf(set, links).wrongCommitted).toBe(0);
  });

  it('are no formula where each is another one, and none is committed', () => {
    const set = payouts(200, (gross, book) => Math.round(gross * (0.01 + 0.02 * book.random())));
    const { links, parameters } = weigh(inputOf(set));
    expect(parameters.formulas).toEqual([]);
    expect(links.filter(({ status }) => status === 'matched')).toEqual([]);
  });

  it('are too few to learn from in a book of ten', () => {
    const { links, parameters } = weigh(inputOf(payouts(10, (gross) => Math.round(gross * 0.014) + 20)));
    expect(parameters.formulas).toEqual([]);
    expect(links.filter(({ status }) => status === 'matched')).toEqual([]);
  });

  it('keep to the budget where a third of the lines is missing', () => {
    let [committed, wrong] = [0, 0];
    for (const seed of [1, 2, 3]) {
      const set = thinned(
        payouts(300, (gross) => Math.round(gross * 0.014) + 20, seed),
        0.3,
        'both',
        seed,
      );
      const figures = figuresOf(set, weigh(inputOf(set)).links);
      committed += figures.committed;
      wrong += figures.wrongCommitted;
    }
    expect(committed).toBeGreaterThan(300);
    expect(wrong).toBeLessThanOrEqual(1);
  });

  it('are known to the next run as the first one learned them', () => {
    const set = payouts(200, (gross) => Math.round(gross * 0.014) + 20);
    const first = weigh(inputOf(set));
    const second = weigh(inputOf(set, { parameters: first.parameters }));
    expect(second.links).toEqual(first.links);
  });
});

describe('sums that reach the other side less a fee', () => {
  it.each([
    ['a fee of each line', payoutsLess(150, 'line', false), '1.4 % + 0.20 a line'],
    ['a fee of the sum', payoutsLess(150, 'sum', false), '1.4 % + 0.20'],
    ['a fee of the sum, under the number of the payout', payoutsLess(150, 'sum', true, 6), '1.4 % + 0.20'],
  ])('are found whole, committed and said: %s', (_name, set, text) => {
    const { links, parameters } = weigh(inputOf(set));
    const { recall, f1OfAll, wrongCommitted } = figuresOf(set, links);
    expect(wrongCommitted).toBe(0);
    expect(f1OfAll).toBeGreaterThan(0.98);
    expect(recall).toBeGreaterThan(0.9);
    expect(learnedWords(parameters).join(' ')).toMatch(
      new RegExp(`Side B is less by ${text.replaceAll('+', '\\+')}, to the cent, in \\d+ of \\d+ sums of several lines`),
    );
    const link = links.find(({ aIds, status }) => aIds.length > 2 && status === 'matched');
    const [a, b] = [set.a.filter(({ id }) => link?.aIds.includes(id)), set.b.filter(({ id }) => link?.bIds.includes(id))];
    const said = explainEvidence(a, b, link?.weight ?? { logOdds: 0, parts: [] }, { fieldsA: [], fieldsB: [], parameters });
    expect(said[0]?.words).toMatch(
      new RegExp(`lines add up to [\\d.]+ less ${text.replaceAll('+', '\\+')}, [\\d.]+: as \\d+ of \\d+ such sums here$`),
    );
  });

  it('are found as well where the payouts are side A', () => {
    const set = turned(payoutsLess(150, 'line', false, 6));
    const { links, parameters } = weigh(inputOf(set));
    expect(parameters.formulas.map(({ grossOn }) => grossOn)).toContain('b');
    expect(figuresOf(set, links)).toMatchObject({ wrongCommitted: 0 });
    expect(figuresOf(set, links).f1OfAll).toBeGreaterThan(0.98);
  });

  it('are not committed where the fee of one is another, not even by a cent', () => {
    const set = payoutsLess(150, 'sum', true, 6);
    const odd = new Set(
      set.b.filter(({ id, description }) => id % 10 === 0 && description === 'CARD ACQUIRER SETTLEMENT').map(({ id }) => id),
    );
    const changed = {
      ...set,
      b: set.b.map((record) => (odd.has(record.id) ? { ...record, amountMinor: record.amountMinor - 1 } : record)),
    };
    const { links } = weigh(inputOf(changed));
    expect(odd.size).toBeGreaterThan(5);
    expect(links.filter(({ bIds, status }) => status === 'matched' && bIds.some((id) => odd.has(id)))).toEqual([]);
  });

  it('are no formula where each is less by something else', () => {
    const set = payoutsLess(150, 'sum', false, 6);
    const changed = { ...set, b: set.b.map((record) => ({ ...record, amountMinor: record.amountMinor - (record.id % 97) })) };
    const { links, parameters } = weigh(inputOf(changed));
    expect(parameters.formulas).toEqual([]);
    expect(links.filter(({ aIds, status }) => aIds.length > 1 && status === 'matched')).toEqual([]);
  });

  it('keep to the budget where a third of the lines is missing', () => {
    let wrong = 0;
    for (const seed of [1, 2, 3, 4]) {
      const set = thinned(payoutsLess(150, seed % 2 === 0 ? 'line' : 'sum', seed > 2, seed), 0.3, 'both', seed);
      wrong += figuresOf(set, weigh(inputOf(set)).links).wrongCommitted;
    }
    expect(wrong).toBe(0);
  });

  it('are known to the next run as the first one learned them', () => {
    const set = payoutsLess(150, 'line', false, 6);
    const first = weigh(inputOf(set));
    expect(weigh(inputOf(set, { parameters: first.parameters })).links).toEqual(first.links);
  });
});
