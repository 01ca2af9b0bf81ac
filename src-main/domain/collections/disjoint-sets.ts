import { intAt } from './typed-arrays.ts';

/** Sets of numbers from 0 on that only grow; the smallest member stands for all of a set. */
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

  /** The root of each member, in the memory of the sets themselves: none is joined to another from here on. */
  roots(): Int32Array {
    const parent = this.#parent;
    // What a member stands below is smaller, and so stands right below its root already.
    for (let member = 0; member < parent.length; member += 1) parent[member] = intAt(parent, intAt(parent, member));
    return parent;
  }

  join(left: number, right: number): void {
    const parent = this.#parent;
    // Of two that are joined again and again, both nearly always stand right below their smallest.
    if (intAt(parent, left) === intAt(parent, right)) return;
    const first = this.#rootOf(left);
    const second = this.#rootOf(right);
    if (first < second) parent[second] = first;
    else if (second < first) parent[first] = second;
  }
}
