import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { customers } from '../../bench/data/evidence-generators.ts';
import { type EvidenceSet, thinned, turned } from '../../bench/data/evidence-sets.ts';
import { cashApplication, club, invoices } from '../../bench/data/evidence-kinds.ts';
import { figuresOf, inputOf, weigh } from '../../support/inputs/evidence-run.ts';
import { runs } from '../../support/long.ts';

const KINDS: readonly ((seed: number) => EvidenceSet)[] = [
  (seed) => cashApplication(70, seed),
  (seed) => customers(150, 0.02, seed),
  (seed) => invoices(150, 0.04, seed),
];
/** Most share of links that only one of the two runs has, and most bits by which nine of ten of the others may differ. */
const MOST_DIFFERING = 0.02;
const MOST_BITS = 0.75;
const NINE_OF_TEN = 0.9;

/** Returns the log odds of the links in bits, by the ids that they tie. */
function bitsOf(set: Pick<EvidenceSet, 'a' | 'b' | 'percent'>): Map<string, number> {
  const keyOf = (ids: readonly number[]): string => ids.toSorted((left, right) => left - right).join('+');
  return new Map(weigh(inputOf(set)).links.map(({ aIds, bIds, weight }) => [keyOf([...aIds, ...bIds]), weight.logOdds / 64]));
}

it('the links and their certainty are the same whichever file is side A', () => {
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), fc.integer({ min: 1, max: 10_000 }), fc.constantFrom(0, 0.3), (make, seed, missing) => {
      const set = thinned(make(seed), missing, 'both', seed);
      const own = bitsOf(set);
      const other = bitsOf(turned(set));
      const shared = [...own.keys()].filter((key) => other.has(key));
      expect(own.size + other.size - 2 * shared.length).toBeLessThanOrEqual(MOST_DIFFERING * (own.size + other.size) + 1);
      const apart = shared.map((key) => Math.abs((own.get(key) ?? 0) - (other.get(key) ?? 0))).toSorted((left, right) => left - right);
      expect(apart[Math.floor(apart.length * NINE_OF_TEN)] ?? 0).toBeLessThanOrEqual(MOST_BITS);
    }),
    { numRuns: runs(40, 6) },
  );
});

it.each([52, 53, 54])('a club commits as much whichever file is side A: %i', (seed) => {
  const set = club(40, 200, seed);
  const [own, other] = [set, turned(set)].map((each) => figuresOf(each, weigh(inputOf(each)).links));
  expect(Math.abs((own?.committed ?? 0) - (other?.committed ?? 0))).toBeLessThanOrEqual(MOST_DIFFERING * (own?.committed ?? 0) + 1);
  expect([own?.wrongCommitted, other?.wrongCommitted]).toEqual([0, 0]);
});
