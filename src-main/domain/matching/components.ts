import type { Candidates } from './candidates.ts';
import { intAt, layOut, rangeStarts } from './typed.ts';

/** Classes that candidate pairs connect; what happens in one component cannot touch another. Classes ascending. */
export interface Component {
  readonly a: Int32Array;
  readonly b: Int32Array;
}

/** Connected components with at least one pair, in the order of their first class of side A. */
export function* componentsOf(candidates: Candidates, countB: number): Generator<Component> {
  const countA = candidates.starts.length - 1;
  const parent = Int32Array.from({ length: countA + countB }, (_, index) => index);
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
  const componentOfA = Int32Array.from({ length: countA }, (_, a) => find(a));
  const componentOfB = Int32Array.from({ length: countB }, (_, b) => find(countA + b)).map((root) => (root < countA ? root : -1));
  const startsA = rangeStarts(componentOfA, countA);
  const startsB = rangeStarts(componentOfB, countA);
  const layoutA = layOut(componentOfA, startsA);
  const layoutB = layOut(componentOfB, startsB);
  for (let root = 0; root < countA; root += 1) {
    const b = layoutB.subarray(intAt(startsB, root), intAt(startsB, root + 1));
    if (b.length > 0) yield { a: layoutA.subarray(intAt(startsA, root), intAt(startsA, root + 1)), b };
  }
}
