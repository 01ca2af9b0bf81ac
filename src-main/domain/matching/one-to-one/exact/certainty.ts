import type { Certainty } from '../../../../../src-shared/contract/index.ts';
import { floatAt, grownTo, intAt } from '../../../collections/typed-arrays.ts';
import { addEdge, beginGraph, emptyGraph, type MixedGraph, WalkFinder } from './mixed-graph.ts';
import type { Solution } from './solve.ts';
import type { SolverState } from './solver-state.ts';

/** Tells which pairs are fixed; its arrays serve one solution after another. */
export class FixedEdges {
  readonly #graph: MixedGraph = emptyGraph();
  readonly #walks = new WalkFinder();
  /** The problem's edge of each edge of the graph; -1 for those at the node of the unpaired. */
  #edgeOf: Int32Array = new Int32Array(0);
  #fixed: Uint8Array = new Uint8Array(0);

  /**
   * For each edge with flow: 1 when every optimal solution has the same number of pairs over it. Valid until it is asked for again.
   *
   * The optimal solutions are those that use only edges without reduced cost, keep every row with a binding potential busy and every
   * column with a binding potential full. Any two of them differ by closed walks in the graph of the moves that cost nothing; a number of pairs is
   * fixed exactly when its edge lies on no such walk. One node stands for both "unpaired" and "room to spare".
   */
  of({ isOptimal, state }: Solution): Uint8Array {
    const { edgeCount, rowCount, columnCount } = state;
    this.#fixed = grownTo(this.#fixed, edgeCount);
    this.#fixed.fill(isOptimal ? 1 : 0, 0, edgeCount);
    if (!isOptimal) return this.#fixed;
    this.#edgeOf = grownTo(this.#edgeOf, edgeCount + rowCount + columnCount);
    this.#addFreeMoves(state);
    const onWalk = this.#walks.edgesOnWalks(this.#graph);
    for (let index = 0; index < this.#graph.edgeCount; index += 1) {
      const edge = intAt(this.#edgeOf, index);
      if (edge >= 0 && onWalk[index] === 1) this.#fixed[edge] = 0;
    }
    return this.#fixed;
  }

  #addFreeMoves(state: SolverState): void {
    const { rowCount, columnCount, edgeCount, columns, days, units, edgeRow, rowDays, rowUnits, columnDays, columnUnits } = state;
    const outside = rowCount + columnCount;
    beginGraph(this.#graph, outside + 1, edgeCount + outside);
    for (let edge = 0; edge < edgeCount; edge += 1) {
      const row = intAt(edgeRow, edge);
      const column = intAt(columns, edge);
      const costsNothing =
        floatAt(days, edge) === floatAt(rowDays, row) + floatAt(columnDays, column) &&
        floatAt(units, edge) === floatAt(rowUnits, row) + floatAt(columnUnits, column);
      if (costsNothing) this.#add(row, rowCount + column, intAt(state.flow, edge) > 0, edge);
    }
    for (let row = 0; row < rowCount; row += 1) {
      const mayStayUnpaired = floatAt(rowDays, row) === state.penalty && floatAt(rowUnits, row) === 0;
      if (mayStayUnpaired) this.#add(row, outside, intAt(state.unpaired, row) > 0, -1);
    }
    for (let column = 0; column < columnCount; column += 1) {
      const hasRoom = intAt(state.roomLeft, column) > 0;
      const mayEmpty =
        intAt(state.roomLeft, column) < intAt(state.room, column) &&
        floatAt(columnDays, column) === 0 &&
        floatAt(columnUnits, column) === 0;
      if (hasRoom) this.#add(rowCount + column, outside, mayEmpty, -1);
      else if (mayEmpty) this.#add(outside, rowCount + column, false, -1);
    }
  }

  #add(left: number, right: number, isTwoWay: boolean, edge: number): void {
    this.#edgeOf[this.#graph.edgeCount] = edge;
    addEdge(this.#graph, left, right, isTwoWay);
  }
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
