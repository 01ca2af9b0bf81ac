import type { Certainty } from '../../../src-shared/contract/index.ts';
import type { Solution, SolverState } from './assignment.ts';
import { edgesOnCycles, type MixedGraph } from './mixed-graph.ts';
import { append, floatAt, intAt, type IntList, intList } from './typed.ts';

/**
 * For each edge with flow: 1 when every optimal solution has the same number of pairs over it.
 *
 * The optimal solutions are those that use only edges without reduced cost, keep every row with a binding potential busy and every
 * column with a binding potential full. Any two of them differ by closed walks in the graph of the moves that cost nothing; a number of pairs is
 * fixed exactly when its edge lies on no such walk. One node stands for both "unpaired" and "room to spare".
 */
export function fixedEdges(solution: Solution): Uint8Array {
  const fixed = new Uint8Array(solution.flow.length);
  if (!solution.isOptimal) return fixed;
  const { graph, edgeOf } = freeMoves(solution.state);
  const onCycle = edgesOnCycles(graph);
  fixed.fill(1);
  for (const [index, edge] of edgeOf.entries()) if (edge >= 0 && onCycle[index] === 1) fixed[edge] = 0;
  return fixed;
}

function trimmed(list: IntList): Int32Array {
  return list.items.subarray(0, list.length);
}

interface Moves {
  readonly graph: MixedGraph;
  /** The problem's edge of each edge of the graph; -1 for those at the node of the unpaired. */
  readonly edgeOf: Int32Array;
}

function freeMoves(state: SolverState): Moves {
  const { problem } = state;
  const rows = problem.supply.length;
  const columns = problem.room.length;
  const outside = rows + columns;
  const room = problem.columns.length + rows + columns;
  const left = intList(room);
  const right = intList(room);
  const both = intList(room);
  const edgeOf = intList(room);
  const add = (from: number, to: number, twoWay: boolean, edge: number): void => {
    append(left, from);
    append(right, to);
    append(both, twoWay ? 1 : 0);
    append(edgeOf, edge);
  };
  for (let edge = 0; edge < problem.columns.length; edge += 1) {
    const row = intAt(state.edgeRow, edge);
    const column = intAt(problem.columns, edge);
    const costsNothing =
      floatAt(problem.days, edge) === floatAt(state.rowDays, row) + floatAt(state.columnDays, column) &&
      floatAt(problem.units, edge) === floatAt(state.rowUnits, row) + floatAt(state.columnUnits, column);
    if (costsNothing) add(row, rows + column, intAt(state.flow, edge) > 0, edge);
  }
  for (let row = 0; row < rows; row += 1) {
    const mayStayUnpaired = floatAt(state.rowDays, row) === state.penalty && floatAt(state.rowUnits, row) === 0;
    if (mayStayUnpaired) add(row, outside, intAt(state.unpaired, row) > 0, -1);
  }
  for (let column = 0; column < columns; column += 1) {
    const hasRoom = intAt(state.roomLeft, column) > 0;
    const mayEmpty =
      intAt(state.roomLeft, column) < intAt(problem.room, column) &&
      floatAt(state.columnDays, column) === 0 &&
      floatAt(state.columnUnits, column) === 0;
    if (hasRoom) add(rows + column, outside, mayEmpty, -1);
    else if (mayEmpty) add(outside, rows + column, false, -1);
  }
  const graph = { nodeCount: outside + 1, left: trimmed(left), right: trimmed(right), bothWays: Uint8Array.from(trimmed(both)) };
  return { graph, edgeOf: trimmed(edgeOf) };
}

/** What is known about one side of an edge: the class's size, its number of candidate classes, whether its records are all alike. */
export interface ClassFacts {
  readonly size: number;
  readonly degree: number;
  readonly isAlike: () => boolean;
}

/**
 * Certainty of the pairs over one edge. Records of a class can be exchanged at no cost, so a pair is forced only between classes
 * of one record each. Otherwise it is interchangeable when the number of pairs that a person would see of these two kinds
 * of record is the same in every optimal solution: the edge's number is fixed, and each side either holds records that are all
 * alike or is used up entirely by this edge against records that are all alike.
 */
export function certaintyOf(flow: number, isFixed: boolean, a: ClassFacts, b: ClassFacts): Certainty {
  if (a.size === 1 && b.size === 1 && a.degree === 1 && b.degree === 1) return 'unique';
  if (!isFixed) return 'contested';
  if (a.size === 1 && b.size === 1) return 'best';
  const alikeA = a.size === 1 || a.isAlike();
  const alikeB = b.size === 1 || b.isAlike();
  const exchangesOnlyAlike = (alikeA && alikeB) || (alikeA && flow === b.size && flow >= 1) || (alikeB && flow === a.size);
  return exchangesOnlyAlike ? 'interchangeable' : 'contested';
}
