import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCandidates } from '../../../src-main/domain/matching/blocking/candidates.ts';
import { classesOfSide } from '../../../src-main/domain/matching/blocking/equivalence-classes.ts';
import { planRule } from '../../../src-main/domain/matching/blocking/plan.ts';
import { pairTest, ruleView } from '../../../src-main/domain/matching/comparison/predicate.ts';
import { readColumns } from '../../../src-main/domain/matching/comparison/read-columns.ts';
import { watchOf } from '../../../src-main/domain/matching/engine.ts';
import { WORK_LIMIT } from '../../../src-main/domain/matching/model/limits.ts';
import {
  addEdge,
  beginGraph,
  emptyGraph,
  FixedEdges,
  type MixedGraph,
  WalkFinder,
} from '../../../src-main/domain/matching/one-to-one/exact/certainty.ts';
import { type Solution, solve } from '../../../src-main/domain/matching/one-to-one/exact/solve.ts';
import { type Problem, solverState } from '../../../src-main/domain/matching/one-to-one/exact/solver-state.ts';
import { compileRule } from '../../../src-main/domain/matching/rules/compile.ts';
import { columnsOfRecords } from '../../../src-main/domain/records/record-columns.ts';
import { decimalValueText, parseDecimal } from '../../../src-main/domain/records/values.ts';
import { oracleCase } from '../../support/inputs/matching-arbitraries.ts';
import { UNWATCHED } from '../../support/inputs/matching-records.ts';
import { runs } from '../../support/long.ts';

function shape({ left, right }: { left: number; right: number }): number {
  return Math.min(left, right) * 100 + Math.max(left, right);
}

const mixedGraph: fc.Arbitrary<MixedGraph> = fc.integer({ min: 2, max: 8 }).chain((nodeCount) => {
  const node = fc.integer({ min: 0, max: nodeCount - 1 });
  const edge = fc.record({ left: node, right: node, both: fc.boolean() }).filter(({ left, right }) => left !== right);
  return fc.uniqueArray(edge, { selector: shape, maxLength: 16 }).map((edges) => {
    const graph = emptyGraph();
    beginGraph(graph, nodeCount, edges.length);
    for (const { left, right, both } of edges) addEdge(graph, left, right, both);
    return graph;
  });
});

/** Whether one can walk from `from` to `to` without using edge `without`. */
function canWalk(graph: MixedGraph, from: number, to: number, without: number): boolean {
  const seen = new Set([from]);
  const queue = [from];
  for (const node of queue) {
    for (let edge = 0; edge < graph.edgeCount; edge += 1) {
      if (edge === without) continue;
      const [left, right] = [graph.left[edge] ?? -1, graph.right[edge] ?? -1];
      const next = [left === node ? right : -1, right === node && graph.bothWays[edge] === 1 ? left : -1];
      for (const other of next) {
        if (other < 0 || seen.has(other)) continue;
        seen.add(other);
        queue.push(other);
      }
    }
  }
  return seen.has(to);
}

const problem = problemOf(5, 5);

function problemOf(mostRows: number, mostColumns: number): fc.Arbitrary<Problem> {
  return fc
    .record({
      supply: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: mostRows }),
      room: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: mostColumns }),
      cells: fc.array(fc.record({ isEdge: fc.boolean(), days: fc.nat(2), units: fc.nat(2), edits: fc.nat(3) }), {
        minLength: 25,
        maxLength: 25,
      }),
    })
    .map(({ supply, room, cells }) => {
      const starts = [0];
      const columns: number[] = [];
      const days: number[] = [];
      const units: number[] = [];
      const edits: number[] = [];
      for (let row = 0; row < supply.length; row += 1) {
        for (let column = 0; column < room.length; column += 1) {
          const cell = cells[row * 5 + column];
          if (cell === undefined || !cell.isEdge) continue;
          columns.push(column);
          days.push(cell.days);
          units.push(cell.units);
          edits.push(cell.edits);
        }
        starts.push(columns.length);
      }
      return {
        rowCount: supply.length,
        columnCount: room.length,
        supply: Int32Array.from(supply),
        room: Int32Array.from(room),
        starts: Int32Array.from(starts),
        columns: Int32Array.from(columns),
        days: Float64Array.from(days),
        units: Float64Array.from(units),
        edits: Float64Array.from(edits),
      };
    });
}

function solved(given: Problem, work: number = WORK_LIMIT): Solution {
  const solution = solve({ isCancelled: () => false, advance: () => undefined, work, fills: true, state }, given);
  if (solution === null) throw new Error('nobody cancelled');
  return solution;
}

function flowOf({ state }: Solution): number[] {
  return [...state.flow.subarray(0, state.edgeCount)];
}

function sum(counts: Int32Array | readonly number[]): number {
  return [...counts].reduce((total, count) => total + count, 0);
}

/** One for all graphs and one for all problems: what an earlier one left in them must not matter. */
const walks = new WalkFinder();
const state = solverState();

describe('the parts', () => {
  it('finds exactly the edges on closed walks', () => {
    fc.assert(
      fc.property(mixedGraph, (graph) => {
        const expected = Array.from(graph.left.subarray(0, graph.edgeCount), (left, edge) => {
          const right = graph.right[edge] ?? -1;
          return canWalk(graph, right, left, edge) || (graph.bothWays[edge] === 1 && canWalk(graph, left, right, edge)) ? 1 : 0;
        });
        expect([...walks.edgesOnWalks(graph).subarray(0, graph.edgeCount)]).toEqual(expected);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('fills up to the most pairs when the exact search gives up', () => {
    fc.assert(
      fc.property(problem, fc.integer({ min: -1, max: 40 }), (given, work) => {
        const exact = solved(given);
        expect(exact.isOptimal).toBe(true);
        const most = sum(flowOf(exact));
        const filled = solved(given, work);
        expect(sum(flowOf(filled))).toBe(most);
        // What is not proved optimal has no fixed pair, so that all of it is contested.
        const fixed = new FixedEdges().of(filled).subarray(0, filled.state.edgeCount);
        expect(filled.isOptimal || fixed.every((isFixed) => isFixed === 0)).toBe(true);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('keeps within supply and room, with potentials that prove the least distance', () => {
    fc.assert(
      fc.property(problem, (given) => {
        const flow = flowOf(solved(given));
        for (let edge = 0; edge < flow.length; edge += 1) {
          const [row, column] = [state.edgeRow[edge] ?? 0, given.columns[edge] ?? 0];
          const days = (given.days[edge] ?? 0) - (state.rowDays[row] ?? 0) - (state.columnDays[column] ?? 0);
          const units = (state.units[edge] ?? 0) - (state.rowUnits[row] ?? 0) - (state.columnUnits[column] ?? 0);
          const isFree = days === 0 && units === 0;
          expect(isFree || (flow[edge] === 0 && (days > 0 || (days === 0 && units > 0)))).toBe(true);
        }
        for (const [column, room] of state.roomLeft.subarray(0, given.columnCount).entries()) {
          const hasNoPrice = state.columnDays[column] === 0 && state.columnUnits[column] === 0;
          expect(room === 0 || (room > 0 && hasNoPrice)).toBe(true);
        }
        expect(sum(flow) + sum(state.unpaired.subarray(0, given.rowCount))).toBe(sum(given.supply));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('puts a unit before any number of edits, and edits before nothing', () => {
    fc.assert(
      fc.property(problem, (given) => {
        const cost = (solution: Solution) => {
          const flow = flowOf(solution);
          const sum = (costs: Float64Array) => flow.reduce((total, pairs, edge) => total + pairs * (costs[edge] ?? 0), 0);
          return [sum(given.days), sum(given.units), sum(given.edits)];
        };
        const exact = cost(solved(given));
        const withoutEdits = cost(solved({ ...given, edits: given.edits.map(() => 0) }));
        // A thousand times the units leaves room for all edits without any folding.
        const scaled = cost(
          solved({
            ...given,
            units: given.units.map((units, edge) => units * 1_000 + (given.edits[edge] ?? 0)),
            edits: given.edits.map(() => 0),
          }),
        );
        expect(exact.slice(0, 2)).toEqual(withoutEdits.slice(0, 2));
        expect(exact).toEqual(scaled);
      }),
      { numRuns: runs(500) },
    );
  });

  it('plans never miss a pair that the rule allows', () => {
    fc.assert(
      fc.property(oracleCase(8), (given) => {
        const compiled = compileRule(given.filters);
        if (!compiled.ok) throw new Error('the generator makes valid rules');
        const { sideA, sideB } = given;
        const [a, b] = [columnsOfRecords(sideA), columnsOfRecords(sideB)];
        const columns = readColumns(compiled.value, a, b, 'same');
        const view = ruleView({ rule: compiled.value, columns, sideA: a, sideB: b, isBarred: () => false });
        // Every record a class of its own, so that rows and classes are the same.
        const classesA = classesOfSide(view, 'a', () => true);
        const classesB = classesOfSide(view, 'b', () => true);
        const test = pairTest(view);
        const found = findCandidates(planRule(view, classesA, classesB), classesA, classesB, test, watchOf(UNWATCHED, 100));
        for (let a = 0; a < sideA.length; a += 1) {
          const expected = sideB.flatMap((_, b) => (test(a, b) ? [b] : []));
          expect([...(found?.columns.slice(found.starts[a], found.starts[a + 1]) ?? [])]).toEqual(expected);
        }
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('reads decimals exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }), (units, scale) => {
        const text = decimalValueText({ units, scale }, 0);
        const parsed = parseDecimal(text);
        expect(parsed === null ? null : decimalValueText(parsed, scale)).toBe(text);
      }),
    );
  });
});
