import { expect, test } from 'vitest';
import { findSums, isOnly, type SumCandidate, type SumProblem } from '../../../src-main/domain/groups/sums.ts';

const WORK = 300_000;

function distinct(units: readonly number[]): SumCandidate[] {
  return units.map((value, index) => ({ units: value, days: 0, likeness: () => `${index}` }));
}

function problem(units: readonly number[], sum: number, given: Partial<SumProblem> = {}): SumProblem {
  return { candidates: distinct(units), ranges: [{ low: sum, high: sum }], least: 2, most: 6, work: WORK, wanted: 2, ...given };
}

test('three of five receipts make up a deposit, and nothing else does', () => {
  const found = findSums(problem([50_000, 45_000, 30_000, 61_700, 8_333], 125_000));
  expect(found.combinations).toEqual([{ members: [0, 1, 2], days: 0, choice: 'whole' }]);
  expect(found).toMatchObject({ count: 1, gaveUp: false, knownUpTo: 6 });
  expect(isOnly(found, 6)).toBe(true);
  expect([...found.touched]).toEqual([1, 1, 1, 0, 0]);
});

test('fewer records come first, then nearer ones', () => {
  const candidates = distinct([60, 40, 70, 30, 50, 20]).map((candidate, index) => ({ ...candidate, days: [2, 2, 0, 1, 0, 0][index] ?? 0 }));
  const found = findSums({ ...problem([], 100), candidates, wanted: 10 });
  expect(found.combinations.map(({ members, days }) => ({ members, days }))).toEqual([
    { members: [2, 3], days: 1 },
    { members: [0, 1], days: 4 },
    { members: [3, 4, 5], days: 1 },
  ]);
  expect(isOnly(found, 6)).toBe(false);
});

test('a refund may be part of a sum, a record of 0 may not', () => {
  const found = findSums(problem([80, 45, -25, 0], 100, { wanted: 10 }));
  expect(found.combinations.map(({ members }) => members)).toEqual([[0, 1, 2]]);
});

test('among equal amounts: all, some that look alike, the nearest, or an open choice', () => {
  const one = (days: number, look: string): SumCandidate => ({ units: 50, days, likeness: () => look });
  const choice = (...candidates: SumCandidate[]) => findSums({ ...problem([], 100), candidates }).combinations.map((found) => found.choice);
  expect(choice(one(0, 'x'), one(1, 'y'))).toEqual(['whole']);
  expect(choice(one(1, 'x'), one(1, 'x'), one(1, 'x'))).toEqual(['alike']);
  expect(choice(one(0, 'x'), one(1, 'y'), one(2, 'z'))).toEqual(['nearest']);
  expect(choice(one(0, 'x'), one(1, 'y'), one(1, 'z'))).toEqual(['open']);
  // Which of the two is no difference, though there is a farther third.
  expect(choice(one(0, 'x'), one(1, 'y'), one(1, 'y'), one(4, 'z'))).toEqual(['nearest']);
});

test('a thousand equal amounts are one amount', () => {
  const units = Array.from({ length: 1000 }, () => 250);
  const found = findSums(problem(units, 3000, { most: 12 }));
  expect(found).toMatchObject({ count: 1, gaveUp: false, knownUpTo: 12 });
  expect(found.combinations[0]?.members).toHaveLength(12);
  expect(isOnly(found, 12)).toBe(false);
  expect(findSums(problem(units, 3001, { most: 12 }))).toMatchObject({ count: 0, gaveUp: false, knownUpTo: 12 });
});

test('all powers of two: eight of thirty are found, in full or with an honest end', () => {
  const units = Array.from({ length: 30 }, (_, index) => 2 ** index);
  const sum = units.filter((_, index) => index % 4 === 1).reduce((total, value) => total + value, 0);
  expect(findSums(problem(units, sum, { most: 8, work: 3_000_000 }))).toMatchObject({ count: 1, gaveUp: false, knownUpTo: 8 });
  const bounded = findSums(problem(units, sum, { most: 8, work: 50_000 }));
  expect(bounded).toMatchObject({ count: 0, gaveUp: true });
  expect(bounded.knownUpTo).toBeLessThan(8);
});

test('1 to 2,000: hundreds of pairs are all looked at, and no more is claimed than was', () => {
  const units = Array.from({ length: 2000 }, (_, index) => index + 1);
  const pairs = findSums(problem(units, 1500, { wanted: 5 }));
  expect(pairs).toMatchObject({ count: 749, gaveUp: false, knownUpTo: 2 });
  expect(pairs.combinations).toHaveLength(5);
  const all = findSums(problem(units, 1500, { wanted: 1000, most: 12 }));
  expect(all.gaveUp).toBe(true);
  expect(all.knownUpTo).toBeLessThan(12);
  expect(isOnly(all, 12)).toBe(false);
});

test('nothing of both signs ends in bounds', () => {
  const units = Array.from({ length: 2000 }, (_, index) => (index + 1) * (index % 2 === 0 ? 7 : -7));
  const found = findSums(problem(units, 3, { most: 12 }));
  expect(found).toMatchObject({ count: 0, gaveUp: true });
  expect(found.knownUpTo).toBeGreaterThanOrEqual(2);
});

test('no candidates, or fewer than asked for', () => {
  expect(findSums(problem([], 100))).toMatchObject({ count: 0, gaveUp: false, combinations: [] });
  expect(findSums(problem([100], 100))).toMatchObject({ count: 0, gaveUp: false });
  expect(findSums(problem([100], 100, { least: 1 })).combinations).toEqual([{ members: [0], days: 0, choice: 'whole' }]);
});
