import { describe, expect, it } from 'vitest';
import { correctedLogOdds } from '../../../src-main/domain/evidence/calibrate.ts';
import { customers, settlements } from '../../bench/data/evidence-generators.ts';
import { type EvidenceSet, thinned, turned } from '../../bench/data/evidence-sets.ts';
import { figuresOf, inputOf, weigh } from '../../support/inputs/evidence-run.ts';

const CERTAIN = 425;

describe('likelihoods that a book corrects by trials on itself', () => {
  it.each([
    ['side B is the bank', settlements(100, 4, 100)],
    ['side A is the bank', turned(settlements(100, 4, 100))],
  ])('commit more of a book whose lines all have partners than the doubt about missing lines would: %s', (_name, book) => {
    const { links } = weigh(inputOf(book));
    const { recall, wrongCommitted } = figuresOf(book, links);
    expect(wrongCommitted).toBe(0);
    expect(recall).toBeGreaterThan(0.75);
  });

  it.each([
    ['settlements, both sides thinned', [100, 101].map((seed) => thinned(settlements(150, 4, seed), 0.3, 'both', seed))],
    ['customers who pay twice, both sides thinned', [100, 101].map((seed) => thinned(customers(600, 0.08, seed), 0.3, 'both', seed))],
    ['customers who pay twice, payments missing', [102, 103].map((seed) => thinned(customers(600, 0.08, seed), 0.3, 'b', seed))],
  ] as const)('expect as many wrong links as there are: %s', (_name, books: readonly EvidenceSet[]) => {
    let [expected, wrong, committed, wrongCommitted] = [0, 0, 0, 0];
    for (const book of books) {
      const figures = figuresOf(book, weigh(inputOf(book)).links);
      expected += figures.at[1]?.expected ?? 0;
      wrong += figures.at[1]?.wrong ?? 0;
      committed += figures.committed;
      wrongCommitted += figures.wrongCommitted;
    }
    expect(wrong).toBeLessThanOrEqual(expected + 2 * Math.sqrt(expected));
    expect(wrongCommitted).toBeLessThanOrEqual(Math.max(1, committed / 500));
  });

  it('are kept with what was learned, and correct the next run as they corrected the first', () => {
    const book = settlements(100, 4, 100);
    const first = weigh(inputOf(book));
    expect(first.parameters.calibration.flat().some((bits) => bits !== 0)).toBe(true);
    const second = weigh(inputOf(book, { parameters: first.parameters }));
    expect(second.parameters.calibration).toEqual(first.parameters.calibration);
    expect(second.links.map(({ aIds, bIds, status }) => [aIds, bIds, status])).toEqual(
      first.links.map(({ aIds, bIds, status }) => [aIds, bIds, status]),
    );
  });

  it('are left alone in a book that is too small to try anything', () => {
    expect(weigh(inputOf(settlements(20, 4, 100))).parameters.calibration).toEqual([]);
  });
});

describe('a corrected likelihood', () => {
  const shifts = [0, 2, 1, 2];

  it('keeps the order of links of one kind', () => {
    const corrected = Array.from({ length: 1_500 }, (_, logOdds) => correctedLogOdds(logOdds, 1, shifts));
    expect(corrected).toEqual(corrected.toSorted((left, right) => left - right));
  });

  it('does not touch the doubt about which of several lines is the partner', () => {
    expect(correctedLogOdds(CERTAIN, 0, shifts)).toBe(CERTAIN);
    const half = correctedLogOdds(CERTAIN, 0.5, shifts);
    expect(half).toBeGreaterThan(CERTAIN);
    expect(half).toBeLessThan(correctedLogOdds(CERTAIN, 1, shifts));
  });

  it('is what it was where no trial was made', () => {
    expect(correctedLogOdds(CERTAIN, 1, undefined)).toBe(CERTAIN);
  });
});
