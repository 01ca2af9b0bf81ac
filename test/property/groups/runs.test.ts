import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DayRuns, Runs } from '../../../src-main/domain/groups/runs.ts';

const amounts = fc.array(fc.oneof(fc.integer({ min: -9, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.constant(2 ** 53 - 1)), {
  maxLength: 90,
  size: 'max',
});
const oneSigned = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 90, size: 'max' });

/** Returns the runs whose total lies in a range, by trying all of them. */
function tried(units: readonly number[], from: number, end: number, low: bigint, high: bigint): string[] {
  const found: string[] = [];
  for (let first = from; first < end; first += 1) {
    let total = 0n;
    for (let last = first; last < end; last += 1) {
      total += BigInt(units[last] ?? 0);
      if (total >= low && total <= high) found.push(`${first}-${last}`);
    }
  }
  return found.toSorted();
}

test('runs that add up are those that trying all of them finds, however many amounts there are', () => {
  fc.assert(
    fc.property(fc.oneof(oneSigned, amounts), fc.integer({ min: -30, max: 60 }), fc.nat(12), fc.nat(5), (units, low, width, from) => {
      const magnitude = units.reduce((sum, value) => sum + Math.abs(value), 0);
      const runs = new Runs(Float64Array.from(units), magnitude);
      const range = { low, high: low + width };
      const within: string[] = [];
      runs.within(from, units.length, range, (first, last) => within.push(`${first}-${last}`));
      const expected = tried(units, from, units.length, BigInt(low), BigInt(low + width));
      // Rounded totals give a superset, which the caller tests exactly.
      expect(within).toEqual(expect.arrayContaining(expected));
      if (runs.slack > 0) return;
      expect(within.toSorted()).toEqual(expected);
      const starting: string[] = [];
      runs.startingAt(from, units.length, range, (first, last) => starting.push(`${first}-${last}`));
      expect(starting).toEqual(within.filter((run) => run.startsWith(`${from}-`)).toSorted((left, right) => lastOf(left) - lastOf(right)));
    }),
    { numRuns: 300 },
  );
});

function lastOf(run: string): number {
  return Number(run.split('-').at(-1));
}

test('lines of one day are taken together, with their total', () => {
  const lines = [
    { day: 3, units: 5 },
    { day: 3, units: 2 },
    { day: 7, units: -1 },
  ];
  const byDay = new DayRuns(lines, { day: ({ day }) => day, units: ({ units }) => units });
  expect([...byDay.days]).toEqual([3, 7]);
  expect([...byDay.starts]).toEqual([0, 2, 3]);
  expect([byDay.placeOf(2), byDay.placeOf(4), byDay.placeOf(8)]).toEqual([0, 1, 2]);
  const found: unknown[] = [];
  byDay.runs.within(0, 2, { low: 6, high: 7 }, (first, last, total) => found.push([first, last, total, byDay.itemsOf(first, last).length]));
  expect(found).toEqual([
    [0, 0, 7, 2],
    [0, 1, 6, 3],
  ]);
});
