import type { Certainty } from '../../../../../src-shared/contract/index.ts';
import { floatAt, grownTo, intAt } from '../../../collections/typed-arrays.ts';
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

/**
 * A graph with edges that can be walked one way (`left` to `right`) or both ways. No two edges join the same two nodes. Arrays may be longer than the
 * counts.
 */
export interface MixedGraph {
  nodeCount: number;
  edgeCount: number;
  left: Int32Array;
  right: Int32Array;
  bothWays: Uint8Array;
}

export function emptyGraph(): MixedGraph {
  return { nodeCount: 0, edgeCount: 0, left: new Int32Array(0), right: new Int32Array(0), bothWays: new Uint8Array(0) };
}

/** Empties a graph and reserves capacity for `edges` edges. */
export function beginGraph(graph: MixedGraph, nodeCount: number, edges: number): void {
  graph.nodeCount = nodeCount;
  graph.edgeCount = 0;
  graph.left = grownTo(graph.left, edges);
  graph.right = grownTo(graph.right, edges);
  graph.bothWays = grownTo(graph.bothWays, edges);
}

/** Adds an edge; `beginGraph` must have reserved capacity for it. */
export function addEdge(graph: MixedGraph, left: number, right: number, isTwoWay: boolean): void {
  const at = graph.edgeCount;
  graph.left[at] = left;
  graph.right[at] = right;
  graph.bothWays[at] = isTwoWay ? 1 : 0;
  graph.edgeCount = at + 1;
}

/** Finds the edges on closed walks. Its arrays are reused from one graph to the next. */
export class WalkFinder {
  /** Edges at each node: `around[starts[n]] .. around[starts[n + 1]]`. */
  #starts: Int32Array = new Int32Array(1);
  #around: Int32Array = new Int32Array(0);
  #next: Int32Array = new Int32Array(0);
  #order: Int32Array = new Int32Array(0);
  #low: Int32Array = new Int32Array(0);
  #part: Int32Array = new Int32Array(0);
  #cameBy: Int32Array = new Int32Array(0);
  #open: Int32Array = new Int32Array(0);
  #path: Int32Array = new Int32Array(0);
  #onWalk: Uint8Array = new Uint8Array(0);

  /**
   * Returns, for each edge, 1 if it is on a closed walk that uses no edge twice, and 0 otherwise. This holds if both ends are in one strongly
   * connected component and the edge is no bridge of the component's undirected graph. A two-way edge that is no bridge of a strongly connected mixed
   * graph can be given either direction without breaking the connection (Boesch and Tindell, 1980). The result is valid until the next call.
   */
  edgesOnWalks(graph: MixedGraph): Uint8Array {
    this.#makeRoom(graph);
    this.#layOutEdges(graph, false);
    this.#findParts(graph);
    const onWalk = this.#onWalk;
    const part = this.#part;
    let inside = 0;
    for (let edge = 0; edge < graph.edgeCount; edge += 1) {
      const isInside = intAt(part, intAt(graph.left, edge)) === intAt(part, intAt(graph.right, edge));
      onWalk[edge] = isInside ? 1 : 0;
      if (isInside) inside += 1;
    }
    if (inside === 0) return onWalk;
    this.#layOutEdges(graph, true);
    this.#clearBridges(graph);
    return onWalk;
  }

  #makeRoom({ nodeCount, edgeCount }: MixedGraph): void {
    this.#around = grownTo(this.#around, 2 * edgeCount);
    this.#onWalk = grownTo(this.#onWalk, edgeCount);
    this.#starts = grownTo(this.#starts, nodeCount + 1);
    if (this.#next.length >= nodeCount) return;
    this.#next = grownTo(this.#next, nodeCount);
    this.#order = grownTo(this.#order, nodeCount);
    this.#low = grownTo(this.#low, nodeCount);
    this.#part = grownTo(this.#part, nodeCount);
    this.#cameBy = grownTo(this.#cameBy, nodeCount);
    this.#open = grownTo(this.#open, nodeCount);
    this.#path = grownTo(this.#path, nodeCount);
  }

  /** Lists edges by the nodes from which they can be walked; with `isInside` only those inside a component, in both directions. */
  #layOutEdges({ nodeCount, edgeCount, left, right, bothWays }: MixedGraph, isInside: boolean): void {
    const starts = this.#starts;
    const next = this.#next;
    const around = this.#around;
    const onWalk = this.#onWalk;
    starts.fill(0, 0, nodeCount + 1);
    for (let edge = 0; edge < edgeCount; edge += 1) {
      if (isInside && onWalk[edge] === 0) continue;
      starts[intAt(left, edge) + 1] = intAt(starts, intAt(left, edge) + 1) + 1;
      if (isInside || bothWays[edge] === 1) starts[intAt(right, edge) + 1] = intAt(starts, intAt(right, edge) + 1) + 1;
    }
    for (let node = 0; node < nodeCount; node += 1) {
      starts[node + 1] = intAt(starts, node + 1) + intAt(starts, node);
      next[node] = intAt(starts, node);
    }
    for (let edge = 0; edge < edgeCount; edge += 1) {
      if (isInside && onWalk[edge] === 0) continue;
      const from = intAt(left, edge);
      around[intAt(next, from)] = edge;
      next[from] = intAt(next, from) + 1;
      if (!isInside && bothWays[edge] === 0) continue;
      const to = intAt(right, edge);
      around[intAt(next, to)] = edge;
      next[to] = intAt(next, to) + 1;
    }
    for (let node = 0; node < nodeCount; node += 1) next[node] = intAt(starts, node);
  }

  /** Finds the strongly connected component of each node by Tarjan's algorithm without recursion. */
  #findParts(graph: MixedGraph): void {
    const { nodeCount } = graph;
    const order = this.#order;
    const low = this.#low;
    const part = this.#part;
    const next = this.#next;
    const starts = this.#starts;
    const around = this.#around;
    const open = this.#open;
    const path = this.#path;
    order.fill(-1, 0, nodeCount);
    part.fill(-1, 0, nodeCount);
    let visited = 0;
    let opened = 0;
    let depth = 0;
    for (let root = 0; root < nodeCount; root += 1) {
      if (intAt(order, root) >= 0) continue;
      let entering = root;
      do {
        if (entering >= 0) {
          order[entering] = visited;
          low[entering] = visited;
          visited += 1;
          open[opened] = entering;
          opened += 1;
          path[depth] = entering;
          depth += 1;
          entering = -1;
        }
        const node = intAt(path, depth - 1);
        const step = intAt(next, node);
        if (step < intAt(starts, node + 1)) {
          next[node] = step + 1;
          const other = otherEnd(graph, intAt(around, step), node);
          if (intAt(order, other) < 0) entering = other;
          else if (intAt(part, other) < 0 && intAt(order, other) < intAt(low, node)) low[node] = intAt(order, other);
          continue;
        }
        depth -= 1;
        if (intAt(low, node) === intAt(order, node)) {
          let member: number;
          do {
            opened -= 1;
            member = intAt(open, opened);
            part[member] = node;
          } while (member !== node);
        }
        if (depth > 0) {
          const above = intAt(path, depth - 1);
          if (intAt(low, node) < intAt(low, above)) low[above] = intAt(low, node);
        }
      } while (depth > 0);
    }
  }

  /** Marks bridges among the edges inside components as on no walk, by depth-first search without recursion. */
  #clearBridges(graph: MixedGraph): void {
    const { nodeCount } = graph;
    const order = this.#order;
    const low = this.#low;
    const next = this.#next;
    const starts = this.#starts;
    const around = this.#around;
    const path = this.#path;
    const cameBy = this.#cameBy;
    const onWalk = this.#onWalk;
    order.fill(-1, 0, nodeCount);
    let visited = 0;
    let depth = 0;
    for (let root = 0; root < nodeCount; root += 1) {
      if (intAt(order, root) >= 0) continue;
      let entering = root;
      cameBy[root] = -1;
      do {
        if (entering >= 0) {
          order[entering] = visited;
          low[entering] = visited;
          visited += 1;
          path[depth] = entering;
          depth += 1;
          entering = -1;
        }
        const node = intAt(path, depth - 1);
        const step = intAt(next, node);
        if (step < intAt(starts, node + 1)) {
          next[node] = step + 1;
          const edge = intAt(around, step);
          if (edge === intAt(cameBy, node)) continue;
          const other = otherEnd(graph, edge, node);
          if (intAt(order, other) < 0) {
            entering = other;
            cameBy[other] = edge;
          } else if (intAt(order, other) < intAt(low, node)) low[node] = intAt(order, other);
          continue;
        }
        depth -= 1;
        if (depth === 0) continue;
        const above = intAt(path, depth - 1);
        if (intAt(low, node) < intAt(low, above)) low[above] = intAt(low, node);
        if (intAt(low, node) > intAt(order, above)) onWalk[intAt(cameBy, node)] = 0;
      } while (depth > 0);
    }
  }
}

function otherEnd(graph: MixedGraph, edge: number, node: number): number {
  const left = intAt(graph.left, edge);
  return left === node ? intAt(graph.right, edge) : left;
}
