import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSums, isOnly, type SumCandidate, type SumProblem, type SumsFound } from '../../../src-main/domain/groups/sums.ts';
import { amountsOf, inRanges, tryAllSums } from '../../support/references/subset-sum-oracle.ts';
import { runs } from '../../support/long.ts';

const PLENTY = 10_000_000;

/** Few amounts, so that equal ones, several ways and twins are the rule. Content order stands for order by day. */
function candidatesOf(amounts: fc.Arbitrary<number>): fc.Arbitrary<SumCandidate[]> {
  const candidate = fc.record({ units: amounts, days: fc.nat(3), look: fc.constantFrom('x', 'x', 'y') });
  return fc
    .array(candidate, { maxLength: 11, size: 'max' })
    .map((drawn) => drawn.map(({ units, days, look }) => ({ units, days, likeness: () => `${units} ${days} ${look}` })))
    .map((drawn) =>
      drawn.toSorted((left, right) => left.days - right.days || left.units - right.units || (left.likeness() < right.likeness() ? -1 : 1)),
    );
}

const range = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 0, 0, 1, 3), fc.boolean())
  .map(([sum, more, isNegative]) => (isNegative ? { low: -sum - more, high: -sum } : { low: sum, high: sum + more }));
const ranges = fc.oneof(
  { arbitrary: range.map((one) => [one]), weight: 4 },
  // Magnitudes: the sum may have either sign.
  {
    arbitrary: range.map(({ low, high }) =>
      [
        { low, high },
        { low: -high, high: -low },
      ].toSorted((one, two) => one.low - two.low),
    ),
    weight: 1,
  },
);
const amounts = fc.oneof(
  fc.constant(fc.integer({ min: 1, max: 12 })),
  fc.constant(fc.integer({ min: -9, max: 12 })),
  fc.constant(fc.constantFrom(5, 5, 7, 10)),
  fc.constant(fc.constantFrom(1, 2, 4, 8, 16, 32, 0)),
);

const problem: fc.Arbitrary<SumProblem> = amounts.chain((ofAmounts) =>
  fc.record({
    candidates: candidatesOf(ofAmounts),
    ranges,
    least: fc.constantFrom(1, 2),
    most: fc.integer({ min: 2, max: 7 }),
    work: fc.constant(PLENTY),
    wanted: fc.constant(10_000),
  }),
);

function bySize(given: SumProblem, found: SumsFound): Map<number, string[]> {
  const sizes = new Map<number, string[]>();
  for (const { members } of found.combinations) {
    const set = amountsOf(given.candidates.filter((_, index) => members.includes(index)));
    sizes.set(members.length, [...(sizes.get(members.length) ?? []), set].toSorted());
  }
  return sizes;
}

/** What the search tells, and what trying everything tells of the same. */
function toldAndTried(given: SumProblem, find: (problem: SumProblem) => SumsFound): { readonly told: unknown; readonly tried: unknown } {
  const found = find(given);
  const tried = tryAllSums(given);
  const nearest = found.combinations.map(({ members, days }) => [
    amountsOf(given.candidates.filter((_, index) => members.includes(index))),
    days,
  ]);
  return {
    told: {
      sums: bySize(given, found),
      days: new Map(nearest as [string, number][]),
      isOnly: isOnly(found, given.most),
      gaveUp: found.gaveUp,
    },
    tried: { sums: tried.amountsBySize, days: tried.leastDays, isOnly: tried.visiblyDifferent === 1, gaveUp: false },
  };
}

test('the search finds exactly the sets of amounts that trying everything finds, with the nearest records, and knows when there is one alone', () => {
  fc.assert(
    fc.property(problem, (given) => {
      const { told, tried } = toldAndTried(given, findSums);
      expect(told).toEqual(tried);
    }),
    { numRuns: runs(600) },
  );
});

test('with few wanted, the best come first and those of the smallest size are complete', () => {
  fc.assert(
    fc.property(problem, fc.integer({ min: 1, max: 4 }), (given, wanted) => {
      const all = findSums(given).combinations;
      const few = findSums({ ...given, wanted });
      expect(few.combinations).toEqual(all.slice(0, wanted));
      expect(few.count).toBeGreaterThanOrEqual(Math.min(wanted, all.length));
    }),
    { numRuns: runs(200) },
  );
});

test('whatever the work, what is found adds up, and what is said to be known is', () => {
  fc.assert(
    fc.property(problem, fc.integer({ min: 0, max: 400 }), (given, work) => {
      const found = findSums({ ...given, work });
      const tried = tryAllSums(given);
      for (const { members } of found.combinations) {
        expect(new Set(members).size).toBe(members.length);
        expect(
          inRanges(
            members.reduce((sum, member) => sum + (given.candidates[member]?.units ?? 0), 0),
            given.ranges,
          ),
        ).toBe(true);
      }
      expect(found.gaveUp).toBe(found.knownUpTo < given.most);
      const known = (sizes: ReadonlyMap<number, readonly string[]>) => [...sizes].filter(([size]) => size <= found.knownUpTo).toSorted();
      expect(known(bySize(given, found))).toEqual(known(tried.amountsBySize));
      expect(isOnly(found, given.most) && tried.visiblyDifferent !== 1).toBe(false);
    }),
    { numRuns: runs(300) },
  );
});

test('a candidate that cannot be part of the sum changes nothing; signs and scale may change together', () => {
  fc.assert(
    fc.property(problem, (given) => {
      const found = findSums(given);
      const strange: SumCandidate = { units: 1_000_000, days: 0, likeness: () => 'strange' };
      expect(findSums({ ...given, candidates: [...given.candidates, strange] }).combinations).toEqual(found.combinations);
      const turned: SumProblem = {
        ...given,
        candidates: given.candidates.map((candidate) => ({ ...candidate, units: -candidate.units })),
        ranges: given.ranges.map(({ low, high }) => ({ low: -high, high: -low })),
      };
      expect(findSums(turned).combinations).toEqual(found.combinations);
      const finer: SumProblem = {
        ...given,
        candidates: given.candidates.map((candidate) => ({ ...candidate, units: candidate.units * 1000 })),
        ranges: given.ranges.map(({ low, high }) => ({ low: low * 1000, high: high * 1000 })),
      };
      expect(findSums(finer).combinations).toEqual(found.combinations);
    }),
    { numRuns: runs(200) },
  );
});

test('a search that loses one way, or tells of none but the first, is caught', () => {
  const losing = (given: SumProblem): SumsFound => {
    const found = findSums(given);
    return found.count < 3 ? found : { ...found, combinations: found.combinations.slice(0, -1) };
  };
  const forgetful = (given: SumProblem): SumsFound => {
    const found = findSums(given);
    return { ...found, count: Math.min(1, found.count), combinations: found.combinations.slice(0, 1) };
  };
  for (const wrong of [losing, forgetful]) {
    const outcome = fc.check(
      fc.property(problem, (given) => {
        const { told, tried } = toldAndTried(given, wrong);
        return isDeepStrictEqual(told, tried);
      }),
      // Found within some dozens of cases: tried often enough in npm test too, and not made smaller.
      { numRuns: 600, endOnFailure: true },
    );
    expect(outcome.failed).toBe(true);
  }
});
