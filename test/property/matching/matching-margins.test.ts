import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Margin } from '../../../src-main/domain/matching/model/match.ts';
import { FixedEdges } from '../../../src-main/domain/matching/one-to-one/exact/certainty.ts';
import { MarginList, Margins } from '../../../src-main/domain/matching/one-to-one/exact/second-best.ts';
import { solve, solver } from '../../../src-main/domain/matching/one-to-one/exact/solve.ts';
import { type Problem, solverState } from '../../../src-main/domain/matching/one-to-one/exact/solver-state.ts';
import { runs } from '../../support/long.ts';

interface Cell {
  readonly isEdge: boolean;
  readonly days: number;
  readonly units: number;
  readonly edits: number;
}

const MOST = 4;
const problem = fc.record({
  supply: fc.array(fc.constantFrom(1, 1, 1, 2), { minLength: 1, maxLength: MOST }),
  room: fc.array(fc.constantFrom(1, 1, 1, 2), { minLength: 1, maxLength: MOST }),
  cells: fc.array(fc.record({ isEdge: fc.constantFrom(true, true, false), days: fc.nat(3), units: fc.nat(3), edits: fc.nat(2) }), {
    minLength: MOST * MOST,
    maxLength: MOST * MOST,
  }),
});

function problemOf(supply: readonly number[], room: readonly number[], cells: readonly Cell[], without = -1): Problem {
  const starts = [0];
  const edges: (Cell & { readonly column: number })[] = [];
  for (let row = 0; row < supply.length; row += 1) {
    for (let column = 0; column < room.length; column += 1) {
      const cell = cells[row * MOST + column];
      if (cell?.isEdge === true && row * MOST + column !== without) edges.push({ ...cell, column });
    }
    starts.push(edges.length);
  }
  return {
    rowCount: supply.length,
    columnCount: room.length,
    supply: Int32Array.from(supply),
    room: Int32Array.from(room),
    starts: Int32Array.from(starts),
    columns: Int32Array.from(edges, ({ column }) => column),
    days: Float64Array.from(edges, ({ days }) => days),
    units: Float64Array.from(edges, ({ units }) => units),
    edits: Float64Array.from(edges, ({ edits }) => edits),
  };
}

type Cost = readonly [pairs: number, days: number, units: number, edits: number];

/** The best of all pairings, by trying each: most pairs, then least days, units, edits. */
function bestOf(supply: readonly number[], room: readonly number[], cells: readonly Cell[], without: number): Cost {
  let best: Cost = [0, 0, 0, 0];
  const isBetter = (cost: Cost): boolean => {
    const at = cost.findIndex((figure, place) => figure !== best[place]);
    if (at < 0) return false;
    return at === 0 ? cost[0] > best[0] : (cost[at] ?? 0) < (best[at] ?? 0);
  };
  const extend = (cell: number, left: readonly number[], open: readonly number[], cost: Cost): void => {
    if (isBetter(cost)) best = cost;
    if (cell === MOST * supply.length) return;
    const [row, column] = [Math.floor(cell / MOST), cell % MOST];
    extend(cell + 1, left, open, cost);
    const found = cells[cell];
    if (found?.isEdge !== true || cell === without) return;
    for (let pairs = 1; pairs <= Math.min(left[row] ?? 0, open[column] ?? 0); pairs += 1) {
      const { days, units, edits } = found;
      const more: Cost = [cost[0] + pairs, cost[1] + pairs * days, cost[2] + pairs * units, cost[3] + pairs * edits];
      extend(cell + 1, left.with(row, (left[row] ?? 0) - pairs), open.with(column, (open[column] ?? 0) - pairs), more);
    }
  };
  extend(0, supply, room, [0, 0, 0, 0]);
  return best;
}

/** One for all problems: what an earlier one left in them must not matter. */
const state = solverState();
const margins = new Margins();

function marginOf(edge: number): Margin | null {
  const list = new MarginList();
  const place = margins.of(state, edge, 1, list);
  return place < 0 ? null : list.at(place);
}

function solved(given: Problem): void {
  const solution = solve({ ...solver(() => false), state }, given);
  expect(solution?.isOptimal).toBe(true);
}

describe('the margin of a pair', () => {
  it('is what the best of all pairings without it costs more', () => {
    fc.assert(
      fc.property(problem, ({ supply, room, cells }) => {
        const given = problemOf(supply, room, cells);
        solved(given);
        const best = bestOf(supply, room, cells, -1);
        const fixed = new FixedEdges().of({ isOptimal: true, state });
        margins.begin(state);
        for (let row = 0; row < supply.length; row += 1) {
          for (let edge = given.starts[row] ?? 0; edge < (given.starts[row + 1] ?? 0); edge += 1) {
            const column = given.columns[edge] ?? 0;
            if (state.flow[edge] !== 1 || supply[row] !== 1 || room[column] !== 1) continue;
            const next = bestOf(supply, room, cells, row * MOST + column);
            const margin = marginOf(edge);
            expect(margin).toEqual({
              pairs: best[0] - next[0],
              days: next[1] - best[1],
              units: next[2] - best[2],
              edits: next[3] - best[3],
            });
            const first = [margin?.pairs, margin?.days, margin?.units, margin?.edits].find((figure) => figure !== 0);
            // One that every best pairing has is a margin apart from the next; any other is not.
            expect(first === undefined ? 0 : Math.sign(first)).toBe(fixed[edge] === 1 ? 1 : 0);
          }
        }
      }),
      { numRuns: runs(1_500) },
    );
  });

  it('is not known where units were too large to be told apart, or a component costs too much', () => {
    const cell = (units: number, edits = 0): Cell => ({ isEdge: true, days: 0, units, edits });
    solved(problemOf([1], [1, 1], [cell(0), cell(Number.MAX_SAFE_INTEGER)]));
    margins.begin(state);
    expect(marginOf(0)).toBeNull();
    solved(problemOf([1], [1, 1], [cell(0), cell(7)]));
    margins.begin(state);
    expect(marginOf(0)).toEqual({ pairs: 0, days: 0, units: 7, edits: 0 });
    let known = 0;
    while (known < 10_000 && marginOf(0) !== null) known += 1;
    expect(known).toBeGreaterThan(100);
    expect(known).toBeLessThan(10_000);
  });
});
