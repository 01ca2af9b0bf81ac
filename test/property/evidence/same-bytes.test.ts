import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactOdds } from '../../../src-main/domain/evidence/marginals/weigh-pairs.ts';
import { exp2Of, log2Of } from '../../../src-main/domain/evidence/model/logarithm.ts';
import { customers, rents } from '../../bench/data/evidence-generators.ts';
import { thinned } from '../../bench/data/evidence-sets.ts';
import { payers, taught } from '../../support/books/payers-book.ts';
import { inputOf, weigh } from '../../support/inputs/evidence-run.ts';
import { runs } from '../../support/long.ts';

describe('the same records in any order', () => {
  it.each([
    ['rents', thinned(rents(25), 0.2, 'both', 3)],
    ['customers', thinned(customers(250), 0.2, 'both', 3)],
  ])('give the same bytes: %s', (_name, set) => {
    const expected = JSON.stringify(weigh(inputOf(set)));
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...set.a], { minLength: set.a.length }),
        fc.shuffledSubarray([...set.b], { minLength: set.b.length }),
        (a, b) => {
          expect(JSON.stringify(weigh(inputOf({ a, b, percent: null })))).toBe(expected);
        },
      ),
      { numRuns: runs(5, 2) },
    );
  });
});

describe('the same decisions of people in any order', () => {
  it('give the same aliases, and the same bytes, with the records in any order too', () => {
    const set = payers(12, 8);
    const confirmed = set.byCustomer.flatMap((of) => of.slice(0, 4));
    const rejected = set.byCustomer.flatMap((of, place) => (place % 3 === 0 ? [[of[0]?.[0] ?? 0, of[1]?.[1] ?? 0] as const] : []));
    const told = weigh(taught(set, { confirmed, rejected }));
    expect(told.parameters.aliases).toHaveLength(12);
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...set.a], { minLength: set.a.length }),
        fc.shuffledSubarray([...set.b], { minLength: set.b.length }),
        fc.shuffledSubarray(confirmed, { minLength: confirmed.length }),
        fc.shuffledSubarray(rejected, { minLength: rejected.length }),
        (a, b, tied, apart) => {
          const people = { confirmed: tied, rejected: apart };
          expect(JSON.stringify(weigh(taught({ a, b, percent: null }, people)))).toBe(JSON.stringify(told));
        },
      ),
      { numRuns: runs(5, 2) },
    );
  });
});

describe('logarithms in plain arithmetic', () => {
  it('are those of the machine to its last digits', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (value) => {
        expect(Math.abs(log2Of(value) - Math.log2(value))).toBeLessThan(1e-12 * Math.max(1, Math.abs(Math.log2(value))));
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: -900, max: 900, noNaN: true }), (power) => {
        expect(Math.abs(exp2Of(power) / 2 ** power - 1)).toBeLessThan(1e-12);
      }),
    );
  });
});

/** Odds of each edge by trying all ways to pair. */
function bruteOdds(rows: number, edges: readonly (readonly [number, number, number])[]): number[] {
  const withEdge = edges.map(() => 0);
  let all = 0;
  const visit = (row: number, taken: number, weight: number, used: readonly number[]): void => {
    if (row === rows) {
      all += weight;
      for (const edge of used) withEdge[edge] = (withEdge[edge] ?? 0) + weight;
      return;
    }
    visit(row + 1, taken, weight, used);
    edges.forEach(([from, to, odds], edge) => {
      if (from === row && (taken & (1 << to)) === 0) visit(row + 1, taken | (1 << to), weight * odds, [...used, edge]);
    });
  };
  visit(0, 0, 1, []);
  return withEdge.map((weight) => weight / (all - weight));
}

describe('small components', () => {
  it('are counted out as brute force counts them', () => {
    const shape = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 4 }));
    const problem = shape.chain(([rows, columns]) =>
      fc.record({
        rows: fc.constant(rows),
        columns: fc.constant(columns),
        cells: fc.array(fc.option(fc.integer({ min: -8, max: 8 })), { minLength: rows * columns, maxLength: rows * columns }),
      }),
    );
    fc.assert(
      fc.property(problem, ({ rows, columns, cells }) => {
        const edges = cells.flatMap((power, at) => (power === null ? [] : [[Math.floor(at / columns), at % columns, 2 ** power] as const]));
        const found = exactOdds({
          rows,
          columns,
          aloneRow: new Float64Array(rows).fill(1),
          aloneColumn: new Float64Array(columns).fill(1),
          edges: edges.length,
          edgeRow: Int32Array.from(edges, ([row]) => row),
          edgeColumn: Int32Array.from(edges, ([, column]) => column),
          odds: Float64Array.from(edges, ([, , odds]) => odds),
        });
        bruteOdds(rows, edges).forEach((odds, edge) => expect((found[edge] ?? 0) / odds).toBeCloseTo(1, 9));
      }),
    );
  });
});
