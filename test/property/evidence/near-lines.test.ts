import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MissingLines } from '../../../src-main/domain/evidence/groups/attempts.ts';
import { nearestRows, NearLinesFinder } from '../../../src-main/domain/evidence/groups/name-groups.ts';
import { type Frame, LINE, type OpenSide } from '../../../src-main/domain/evidence/groups/open-lines.ts';

const DAYS = 260;
const line = fc.record({
  day: fc.oneof(fc.integer({ min: 0, max: DAYS }), fc.integer({ min: 90, max: 110 })),
  name: fc.integer({ min: -1, max: 1 }),
  currency: fc.integer({ min: 0, max: 1 }),
  value: fc.integer({ min: -9, max: 9 }),
  isClosed: fc.boolean(),
});
type Line = typeof line extends fc.Arbitrary<infer T> ? T : never;

function sideOf(side: 'a' | 'b', lines: readonly Line[]): OpenSide {
  const sorted = lines.toSorted((left, right) => left.day - right.day);
  const of = <T>(pick: (line: Line) => T): T[] => sorted.map(pick);
  return {
    side,
    features: { count: lines.length, days: Int32Array.from(of(({ day }) => day)), names: Int32Array.from(of(({ name }) => name)) },
    state: Uint8Array.from(of(({ isClosed }) => (isClosed ? LINE.closed : LINE.open))),
    values: Float64Array.from(of(({ value }) => value)),
    currencies: Int32Array.from(of(({ currency }) => currency)),
    scales: [2, 2],
  } as unknown as OpenSide;
}

/** By sorting all lines. */
function nearestBySorting(days: Int32Array, day: number, rows: readonly number[], most: number): number[] {
  const away = (row: number): number => Math.abs((days[row] ?? 0) - day);
  return rows
    .toSorted((left, right) => away(left) - away(right) || left - right)
    .slice(0, most)
    .toSorted((left, right) => left - right);
}

test('lines near a target are those that sorting all of them by distance finds', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('a' as const, 'b' as const),
      fc.array(line, { minLength: 1, maxLength: 6 }),
      fc.array(line, { maxLength: 500, size: 'max' }),
      (side, asking, others) => {
        const frame: Frame = { targets: sideOf(side, asking), members: sideOf(side === 'a' ? 'b' : 'a', others) };
        const { targets, members } = frame;
        const missing = { usualDays: () => 1 } as unknown as MissingLines;
        const finder = new NearLinesFinder(frame, missing);
        const { days, names } = members.features;
        const rows = [...days.keys()];
        expect(finder.names()).toEqual(
          [
            ...new Set(rows.filter((row) => members.state[row] === LINE.open && (names[row] ?? -1) >= 0).map((row) => names[row] ?? 0)),
          ].toSorted((left, right) => left - right),
        );
        const [back, ahead] = side === 'b' ? [70, 70] : [70, 190];
        for (const target of targets.features.days.keys()) {
          const day = targets.features.days[target] ?? 0;
          for (const name of [0, 1]) {
            const inWindow = rows.filter((row) => {
              const lag = (days[row] ?? 0) - day;
              const isOfKind = names[row] === name && members.currencies[row] === targets.currencies[target];
              return isOfKind && members.state[row] === LINE.open && lag >= 0 - back && lag <= ahead;
            });
            const found = finder.of(target, name);
            expect(found.rows).toEqual(nearestBySorting(days, day, inWindow, 64));
            expect(nearestRows(frame, target, found.rows.toReversed(), 24)).toEqual(nearestBySorting(days, day, found.rows, 24));
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});
