import { intAt } from './typed-arrays.ts';

/** Disjoint sets of the numbers from 0 on. The smallest member of a set is its root. */
export class DisjointSets {
  readonly #parent: Int32Array;

  constructor(count: number) {
    this.#parent = new Int32Array(count);
    for (let member = 0; member < count; member += 1) this.#parent[member] = member;
  }

  #rootOf(member: number): number {
    const parent = this.#parent;
    let root = member;
    while (intAt(parent, root) !== root) root = intAt(parent, root);
    for (let step = member; step !== root;) {
      const next = intAt(parent, step);
      parent[step] = root;
      step = next;
    }
    return root;
  }

  /** Returns the root of each member, in the memory of the sets. `join` must not be called afterwards. */
  roots(): Int32Array {
    const parent = this.#parent;
    // The parent of a member is smaller and therefore already points to its root.
    for (let member = 0; member < parent.length; member += 1) parent[member] = intAt(parent, intAt(parent, member));
    return parent;
  }

  join(left: number, right: number): void {
    const parent = this.#parent;
    // Members that are joined repeatedly nearly always have the same parent already.
    if (intAt(parent, left) === intAt(parent, right)) return;
    const first = this.#rootOf(left);
    const second = this.#rootOf(right);
    if (first < second) parent[second] = first;
    else if (second < first) parent[first] = second;
  }
}
