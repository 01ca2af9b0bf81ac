import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { placed, PlaceSet, RowNumbers } from '../../../src-main/domain/statement/model/problems.ts';

const rows = fc.array(fc.nat(60), { maxLength: 12 });

test('lines that are counted are said as lists of them are', () => {
  fc.assert(
    fc.property(rows, rows, (some, others) => {
      const counted = new RowNumbers(some);
      const all = counted.with(others);
      for (const [numbers, list] of [
        [counted, some],
        [all, [...some, ...others]],
      ] as const) {
        expect(placed(numbers)).toBe(placed(list));
        expect([numbers.count, numbers.first[0], numbers.last]).toEqual([list.length, list[0], list.at(-1) ?? null]);
      }
    }),
  );
});

test('places of rows are those of a set', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(70), fc.nat(5_000)), { maxLength: 40 }), (places) => {
      const [found, expected] = [new PlaceSet(), new Set(places)];
      for (const place of places) found.add(place);
      expect(found.size).toBe(expected.size);
      const all = Array.from({ length: 5_100 }, (_, place) => place);
      expect(all.filter((place) => found.has(place) !== expected.has(place))).toEqual([]);
    }),
  );
});
