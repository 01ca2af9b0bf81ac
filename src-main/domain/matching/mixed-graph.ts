import { append, intAt, intList, itemAt, layOut, rangeStarts } from './typed.ts';

/**
 * A graph whose edges can be walked one way (`left` to `right`) or both ways. No two edges join the same two nodes.
 */
export interface MixedGraph {
  readonly nodeCount: number;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly bothWays: Uint8Array;
}

/** Edges at each node: `edges[starts[n]] .. edges[starts[n + 1]]`. */
interface Incidence {
  readonly starts: Int32Array;
  readonly edges: Int32Array;
}

/**
 * For each edge whether it lies on a closed walk that uses no edge twice (1) or on none (0). That is so when both ends are in
 * one strongly connected part and the edge is no bridge of that part's undirected shape: a two-way edge that is no bridge of
 * a strongly connected mixed graph can be given either direction without breaking the connection (Boesch and Tindell, 1980).
 */
export function edgesOnCycles(graph: MixedGraph): Uint8Array {
  const outgoing = incidence(graph, (edge) => graph.bothWays[edge] === 1);
  const parts = strongParts(graph, outgoing);
  const inside = graph.left.map((node, edge) => (intAt(parts, node) === intAt(parts, intAt(graph.right, edge)) ? 1 : 0));
  const onCycle = Uint8Array.from(inside);
  for (const bridge of bridges(graph, inside)) onCycle[bridge] = 0;
  return onCycle;
}

function incidence(graph: MixedGraph, fromRight: (edge: number) => boolean, keep?: Int32Array): Incidence {
  const count = graph.left.length;
  const keys = new Int32Array(2 * count).fill(-1);
  for (let edge = 0; edge < count; edge += 1) {
    if (keep !== undefined && intAt(keep, edge) === 0) continue;
    keys[edge] = intAt(graph.left, edge);
    if (fromRight(edge)) keys[count + edge] = intAt(graph.right, edge);
  }
  const starts = rangeStarts(keys, graph.nodeCount);
  return { starts, edges: layOut(keys, starts).map((index) => index % count) };
}

function otherEnd(graph: MixedGraph, edge: number, node: number): number {
  const left = intAt(graph.left, edge);
  return left === node ? intAt(graph.right, edge) : left;
}

/** Tarjan's strongly connected components without recursion: the part of each node. */
function strongParts(graph: MixedGraph, outgoing: Incidence): Int32Array {
  const { nodeCount } = graph;
  const order = new Int32Array(nodeCount).fill(-1);
  const low = new Int32Array(nodeCount);
  const part = new Int32Array(nodeCount).fill(-1);
  const next = outgoing.starts.slice(0, nodeCount);
  const open: number[] = [];
  const path: number[] = [];
  let visited = 0;
  const enter = (node: number): void => {
    order[node] = visited;
    low[node] = visited;
    visited += 1;
    open.push(node);
    path.push(node);
  };
  const close = (node: number): void => {
    for (let member = -1; member !== node;) {
      member = open.pop() ?? node;
      part[member] = node;
    }
  };
  for (let root = 0; root < nodeCount; root += 1) {
    if (intAt(order, root) >= 0) continue;
    enter(root);
    while (path.length > 0) {
      const node = itemAt(path, path.length - 1);
      const step = intAt(next, node);
      if (step < intAt(outgoing.starts, node + 1)) {
        next[node] = step + 1;
        const other = otherEnd(graph, intAt(outgoing.edges, step), node);
        if (intAt(order, other) < 0) enter(other);
        else if (intAt(part, other) < 0) low[node] = Math.min(intAt(low, node), intAt(order, other));
        continue;
      }
      path.pop();
      if (intAt(low, node) === intAt(order, node)) close(node);
      const above = path.at(-1);
      if (above !== undefined) low[above] = Math.min(intAt(low, above), intAt(low, node));
    }
  }
  return part;
}

/** Bridges of the undirected graph of the edges that `keep` marks, by depth-first search without recursion. */
function bridges(graph: MixedGraph, keep: Int32Array): Int32Array {
  const { nodeCount } = graph;
  const around = incidence(graph, () => true, keep);
  const order = new Int32Array(nodeCount).fill(-1);
  const low = new Int32Array(nodeCount);
  const next = around.starts.slice(0, nodeCount);
  const cameBy = new Int32Array(nodeCount).fill(-1);
  const path: number[] = [];
  const found = intList();
  let visited = 0;
  const enter = (node: number, edge: number): void => {
    order[node] = visited;
    low[node] = visited;
    visited += 1;
    cameBy[node] = edge;
    path.push(node);
  };
  for (let root = 0; root < nodeCount; root += 1) {
    if (intAt(order, root) >= 0) continue;
    enter(root, -1);
    while (path.length > 0) {
      const node = itemAt(path, path.length - 1);
      const step = intAt(next, node);
      if (step < intAt(around.starts, node + 1)) {
        next[node] = step + 1;
        const edge = intAt(around.edges, step);
        if (edge === intAt(cameBy, node)) continue;
        const other = otherEnd(graph, edge, node);
        if (intAt(order, other) < 0) enter(other, edge);
        else low[node] = Math.min(intAt(low, node), intAt(order, other));
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above === undefined) continue;
      low[above] = Math.min(intAt(low, above), intAt(low, node));
      if (intAt(low, node) > intAt(order, above)) append(found, intAt(cameBy, node));
    }
  }
  return found.items.slice(0, found.length);
}
