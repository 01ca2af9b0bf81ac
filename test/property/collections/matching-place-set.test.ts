import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlaceSet } from '../../../src-main/domain/matching/one-to-one/oversized/oversized-component.ts';
import { runs } from '../../support/long.ts';

const COUNTS = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.constantFrom(31, 32, 33, 63, 64, 65, 96));

describe('places of which some are taken out', () => {
  it('are found between any two places as a plain list has them, whatever was taken out in whatever order', () => {
    fc.assert(
      fc.property(COUNTS, fc.array(fc.nat(199), { maxLength: 400, size: 'max' }), fc.array(fc.nat(200)), (count, removals, bounds) => {
        const places = new PlaceSet(count);
        const left = new Set(Array.from({ length: count }, (_, place) => place));
        for (const [turn, removal] of removals.entries()) {
          if (removal < count) {
            places.remove(removal);
            left.delete(removal);
          }
          const from = Math.min(bounds[turn % bounds.length] ?? 0, count);
          const end = Math.min(bounds[(turn + 1) % bounds.length] ?? count, count);
          const expected = [...left].find((place) => place >= from && place < end) ?? -1;
          expect(places.firstBetween(from, end)).toBe(expected);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('are all there again once it is filled', () => {
    fc.assert(
      fc.property(COUNTS, (count) => {
        const places = new PlaceSet(count);
        for (let place = 0; place < count; place += 1) places.remove(place);
        expect(places.firstBetween(0, count)).toBe(-1);
        places.fill();
        for (let place = 0; place < count; place += 1) expect(places.firstBetween(place, count)).toBe(place);
        expect(places.firstBetween(count, count)).toBe(-1);
      }),
    );
  });
});
