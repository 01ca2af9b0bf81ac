import type { Candidates } from './candidates.ts';
import { intAt, layOut, rangeStarts } from './typed.ts';

/** Classes that candidate pairs connect; what happens in one component cannot touch another. Classes ascending. */
export interface Component {
  readonly a: Int32Array;
  readonly b: Int32Array;
}

/**
 * All components, each known by its first class of side A: the classes of root r are `a[startsA[r]] .. a[startsA[r + 1]]`, likewise
 * for side B. Where side B's range is empty there is no component of that root.
 */
export interface Components {
  readonly roots: number;
  readonly startsA: Int32Array;
  readonly a: Int32Array;
  readonly startsB: Int32Array;
  readonly b: Int32Array;
}

/** Connected components with at least one pair, in the order of their first class of side A. */
export function componentsOf(candidates: Candidates, countB: number): Components {
  const countA = candidates.starts.length - 1;
  const parent = new Int32Array(countA + countB);
  for (let node = 0; node < parent.length; node += 1) parent[node] = node;
  const find = (node: number): number => {
    let root = node;
    while (intAt(parent, root) !== root) root = intAt(parent, root);
    let step = node;
    while (intAt(parent, step) !== root) {
      const next = intAt(parent, step);
      parent[step] = root;
      step = next;
    }
    return root;
  };
  for (let a = 0; a < countA; a += 1) {
    for (let edge = intAt(candidates.starts, a); edge < intAt(candidates.starts, a + 1); edge += 1) {
      const left = find(a);
      const right = find(countA + intAt(candidates.columns, edge));
      // The smaller root stands for both, so that a component is known by its first class of side A.
      if (left !== right) parent[Math.max(left, right)] = Math.min(left, right);
    }
  }
  const componentOfA = new Int32Array(countA);
  for (let a = 0; a < countA; a += 1) componentOfA[a] = find(a);
  const componentOfB = new Int32Array(countB);
  for (let b = 0; b < countB; b += 1) {
    const root = find(countA + b);
    componentOfB[b] = root < countA ? root : -1;
  }
  const startsA = rangeStarts(componentOfA, countA);
  const startsB = rangeStarts(componentOfB, countA);
  return { roots: countA, startsA, a: layOut(componentOfA, startsA), startsB, b: layOut(componentOfB, startsB) };
}
