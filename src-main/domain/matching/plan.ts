import { type LeafColumns, windowOf } from './columns.ts';
import type { Leaf, RuleNode } from './compile.ts';
import type { Classes } from './classes.ts';
import type { RuleView } from './predicate.ts';
import { floatAt, intAt, itemAt, layOut, rangeStarts } from './typed.ts';

/** Above this many candidate pairs (of classes) a rule is refused. */
export const MAX_CANDIDATE_PAIRS = 50_000_000;

/**
 * A superset of the pairs that one conjunction allows: for the class at position p of `orderA`, the classes of side B at
 * positions `from[p]` to `to[p]` (exclusive) of `orderB`.
 */
export interface Scan {
  readonly orderA: Int32Array;
  readonly orderB: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly pairs: number;
}

/** The scans whose union covers every pair that the rule allows. */
export interface Plan {
  readonly scans: readonly Scan[];
  readonly pairs: number;
}

interface Planner {
  readonly view: RuleView;
  readonly classesA: Classes;
  readonly classesB: Classes;
}

/**
 * Finds a cheap way to enumerate candidates. Exact conditions become hash blocks, one tolerance becomes a sorted sweep
 * inside the blocks, an `or` becomes the union of its members' plans; an `and` is planned through its own conditions
 * or, when that is cheaper, by carrying them into the members of one of its `or` groups. What a plan does not use is tested on the
 * candidates, so every plan is right and only the cost differs.
 */
export function planRule(view: RuleView, classesA: Classes, classesB: Classes): Plan {
  return planNode({ view, classesA, classesB }, view.rule.root, []);
}

function planNode(planner: Planner, node: RuleNode, inherited: readonly Leaf[]): Plan {
  if (node.type === 'leaf') return planConjunction(planner, [...inherited, node]);
  if (node.operand === 'or') return union(node.children.map((child) => planNode(planner, child, inherited)));
  const leaves = [...inherited];
  const choices: RuleNode[][] = [];
  const flatten = (children: readonly RuleNode[]): void => {
    for (const child of children) {
      if (child.type === 'leaf') leaves.push(child);
      else if (child.operand === 'and') flatten(child.children);
      else choices.push([...child.children]);
    }
  };
  flatten(node.children);
  let best = planConjunction(planner, leaves);
  const cheapEnough = 4 * (planner.classesA.count + planner.classesB.count);
  for (const members of choices) {
    if (best.pairs <= cheapEnough) break;
    const through = union(members.map((member) => planNode(planner, member, leaves)));
    if (through.pairs < best.pairs) best = through;
  }
  return best;
}

function union(plans: readonly Plan[]): Plan {
  return { scans: plans.flatMap((plan) => plan.scans), pairs: plans.reduce((sum, plan) => sum + plan.pairs, 0) };
}

function planConjunction(planner: Planner, leaves: readonly Leaf[]): Plan {
  const { view, classesA, classesB } = planner;
  const columns = leaves.filter((leaf) => !leaf.orMissing).map((leaf) => itemAt(view.columns.leaves, leaf.index));
  const exact = columns.filter((column) => column.leaf.tolerance === null);
  if (view.columns.currency !== null) exact.push(view.columns.currency);
  const blocks = blockKeys(exact, classesA, classesB);
  const sweeps = columns.filter((column) => column.leaf.tolerance !== null);
  const scans = sweeps.length === 0 ? [scan(planner, blocks, null)] : sweeps.map((sweep) => scan(planner, blocks, sweep));
  const cheapest = scans.reduce((best, candidate) => (candidate.pairs < best.pairs ? candidate : best));
  return { scans: [cheapest], pairs: cheapest.pairs };
}

interface Blocks {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly count: number;
}

/** One number per combination of exact values; -1 for classes that lack a value or have no counterpart. */
function blockKeys(exact: readonly LeafColumns[], classesA: Classes, classesB: Classes): Blocks {
  let blocks: Blocks = { a: new Int32Array(classesA.count), b: new Int32Array(classesB.count), count: 1 };
  for (const columns of exact) blocks = refine(blocks, columns, classesA, classesB);
  return blocks;
}

function refine(blocks: Blocks, columns: LeafColumns, classesA: Classes, classesB: Classes): Blocks {
  // Codes and blocks are counts of records, so the product of the two stays far below the safe range.
  const stride = classesA.first.length + classesB.first.length + columns.a.codes.length + columns.b.codes.length + 1;
  const known = new Map<number, number>();
  const a = new Int32Array(classesA.count).fill(-1);
  const b = new Int32Array(classesB.count).fill(-1);
  for (let index = 0; index < classesA.count; index += 1) {
    const block = intAt(blocks.a, index);
    const code = intAt(columns.a.codes, intAt(classesA.first, index));
    if (block < 0 || code < 0) continue;
    const key = block * stride + code;
    const found = known.get(key) ?? known.size;
    if (found === known.size) known.set(key, found);
    a[index] = found;
  }
  for (let index = 0; index < classesB.count; index += 1) {
    const block = intAt(blocks.b, index);
    const code = intAt(columns.b.codes, intAt(classesB.first, index));
    if (block >= 0 && code >= 0) b[index] = known.get(block * stride + code) ?? -1;
  }
  return { a, b, count: known.size };
}

/** Lays classes out by block and, within a block, along the sweep's axis, and finds each class's window by two pointers. */
function scan(planner: Planner, blocks: Blocks, sweep: LeafColumns | null): Scan {
  const { classesA, classesB } = planner;
  const axisA = axisOf(sweep?.a ?? null, classesA);
  const axisB = axisOf(sweep?.b ?? null, classesB);
  const startsA = rangeStarts(axisA.keys(blocks.a), blocks.count);
  const startsB = rangeStarts(axisB.keys(blocks.b), blocks.count);
  const orderA = sortRanges(layOut(axisA.keys(blocks.a), startsA), startsA, axisA.values);
  const orderB = sortRanges(layOut(axisB.keys(blocks.b), startsB), startsB, axisB.values);
  const from = new Int32Array(orderA.length);
  const to = new Int32Array(orderA.length);
  const width = sweep === null ? 0 : windowOf(sweep);
  let pairs = 0;
  for (let block = 0; block < blocks.count; block += 1) {
    const end = intAt(startsB, block + 1);
    let low = intAt(startsB, block);
    let high = low;
    for (let position = intAt(startsA, block); position < intAt(startsA, block + 1); position += 1) {
      const value = axisA.values === null ? 0 : floatAt(axisA.values, intAt(orderA, position));
      if (axisB.values === null) high = end;
      else {
        while (low < end && floatAt(axisB.values, intAt(orderB, low)) < value - width) low += 1;
        high = Math.max(high, low);
        while (high < end && floatAt(axisB.values, intAt(orderB, high)) <= value + width) high += 1;
      }
      from[position] = low;
      to[position] = high;
      pairs += high - low;
    }
  }
  return { orderA, orderB, from, to, pairs };
}

interface Axis {
  /** Position of each class; null when there is no sweep. */
  readonly values: Float64Array | null;
  /** Block keys without the classes that have no place on the axis. */
  readonly keys: (blocks: Int32Array) => Int32Array;
}

function axisOf(column: LeafColumns['a'] | null, classes: Classes): Axis {
  if (column === null) return { values: null, keys: (blocks) => blocks };
  const values = Float64Array.from(classes.first, (row) => floatAt(column.axis, row));
  const placed = (index: number): boolean => intAt(column.codes, intAt(classes.first, index)) >= 0;
  return { values, keys: (blocks) => blocks.map((block, index) => (placed(index) ? block : -1)) };
}

function sortRanges(order: Int32Array, starts: Int32Array, values: Float64Array | null): Int32Array {
  if (values === null) return order;
  for (let block = 0; block + 1 < starts.length; block += 1) {
    const from = intAt(starts, block);
    const to = intAt(starts, block + 1);
    if (to - from < 2) continue;
    const sorted = order.subarray(from, to).toSorted((left, right) => floatAt(values, left) - floatAt(values, right) || left - right);
    order.set(sorted, from);
  }
  return order;
}

/** What to add to a rule whose plan is too wide, in words. */
export function missingCondition(view: RuleView): string {
  const exactNumber = view.rule.leaves.some((leaf) => leaf.kind === 'number' && leaf.tolerance === null && !leaf.orMissing);
  if (!exactNumber) return 'a condition that the amounts are equal (`amount` with `amount`)';
  const dates = view.rule.leaves.some((leaf) => leaf.kind === 'date' && !leaf.orMissing);
  if (!dates) return 'a date window (`date` with `date`, `tolerance_amount` 3)';
  return 'a condition that references are equal (`reference` with `reference`)';
}
