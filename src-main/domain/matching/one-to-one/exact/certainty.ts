import type { Certainty } from '../../../../../src-shared/contract/index.ts';
import { floatAt, grownTo, intAt } from '../../../collections/typed-arrays.ts';
import { addEdge, beginGraph, emptyGraph, type MixedGraph, WalkFinder } from './mixed-graph.ts';
import type { Solution } from './solve.ts';
import type { SolverState } from './solver-state.ts';

/** Finds fixed edges of solutions. Its arrays are reused from one solution to the next. */
export class FixedEdges {
  readonly #graph: MixedGraph = emptyGraph();
  readonly #walks = new WalkFinder();
  /** Edge of the problem, by edge of the graph; -1 for edges at the node of unpaired records. */
  #edgeOf: Int32Array = new Int32Array(0);
  #fixed: Uint8Array = new Uint8Array(0);

  /**
   * Returns, for each edge with flow, 1 if every optimal solution has the same number of pairs on it. The result is valid until the next call.
   *
   * Optimal solutions use only edges without reduced cost, pair every row with a binding potential fully and fill every column with a binding
   * potential. Any two of them differ by closed walks in the graph of moves that cost nothing, so the number of pairs on an edge is fixed exactly if
   * the edge is on no such walk. One node represents both "unpaired" and "free capacity".
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

/** Facts about one side of an edge: the size of the class, its number of candidate classes, and whether its records are indistinguishable. */
export interface ClassFacts {
  readonly size: number;
  readonly degree: number;
  readonly isAlike: () => boolean;
}

/**
 * Returns the certainty of the pairs on one edge. Records of a class can be exchanged at no cost, so a pair is forced only between classes of one
 * record each. Otherwise it is interchangeable if every optimal solution has the same number of visibly equal pairs: the number on the edge is fixed,
 * and each side either holds only indistinguishable records or is used up by this edge against indistinguishable records.
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
