import { array, assert, integer, option, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { coverageOf, type CoveredPeriod, weekdaysIn } from '../../../src-main/domain/statement/proof/coverage.ts';
import { runs } from '../../support/long.ts';

const period = record({
  batchId: integer({ min: 1, max: 6 }),
  firstDay: integer({ min: 20_000, max: 20_060 }),
  length: integer({ min: 1, max: 12 }),
  openingMinor: option(integer({ min: -2, max: 2 })),
  closingMinor: option(integer({ min: -2, max: 2 })),
}).map(({ length, ...rest }): CoveredPeriod => ({ ...rest, lastDay: rest.firstDay + length - 1 }));

/** Day by day, as one would tick it on a paper calendar. */
function byDay(periods: readonly CoveredPeriod[]) {
  const days = new Map<number, Set<number>>();
  for (const { firstDay, lastDay, batchId } of periods) {
    for (let day = firstDay; day <= lastDay; day += 1) days.set(day, (days.get(day) ?? new Set()).add(batchId));
  }
  return days;
}

function daysIn(ranges: readonly { readonly firstDay: number; readonly lastDay: number }[]): number[] {
  return ranges.flatMap(({ firstDay, lastDay }) => Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index));
}

test('every day between the first and the last is covered or in a gap, once; overlaps name exactly their statements', () => {
  assert(
    property(array(period, { minLength: 1, maxLength: 8 }), (periods) => {
      const ticked = byDay(periods);
      const { covered, gaps, overlaps } = coverageOf(periods);
      const first = Math.min(...ticked.keys());
      const last = Math.max(...ticked.keys());
      expect(daysIn(covered)).toEqual([...ticked.keys()].toSorted((left, right) => left - right));
      expect([...daysIn(covered), ...daysIn(gaps)].toSorted((left, right) => left - right)).toEqual(
        daysIn([{ firstDay: first, lastDay: last }]),
      );
      const twice = [...ticked].filter(([, batches]) => batches.size > 1).map(([day]) => day);
      expect(daysIn(overlaps)).toEqual(twice.toSorted((left, right) => left - right));
      for (const overlap of overlaps) {
        for (const day of daysIn([overlap])) expect(new Set(overlap.batchIds)).toEqual(ticked.get(day));
      }
      expect(coverageOf(periods.toReversed())).toEqual(coverageOf(periods));
    }),
    { numRuns: runs(500) },
  );
});

test('weekdays are counted as a calendar counts them', () => {
  assert(
    property(integer({ min: -1_000, max: 40_000 }), integer({ min: 0, max: 40 }), (firstDay, length) => {
      const range = { firstDay, lastDay: firstDay + length };
      const isWeekday = (day: number) => ![0, 6].includes(new Date(day * 86_400_000).getUTCDay());
      expect(weekdaysIn(range)).toBe(daysIn([range]).filter(isWeekday).length);
    }),
  );
});
