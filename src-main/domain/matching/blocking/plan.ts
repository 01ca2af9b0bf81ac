import { phrase } from '../../../../src-shared/words/say.ts';
import { floatAt, intAt, itemAt } from '../../collections/typed-arrays.ts';
import type { Kind } from '../../records/fields.ts';
import type { Column, LeafColumns } from '../comparison/condition-columns.ts';
import type { RuleView } from '../comparison/predicate.ts';
import { EVERYTHING, isExactWindow, type Window, windowOf } from '../comparison/tolerance-windows.ts';
import { MAX_CANDIDATE_PAIRS, MAX_EXACT_PAIRS } from '../model/limits.ts';
import type { Leaf } from '../rules/compile-leaf.ts';
import { flattened, type RuleNode } from '../rules/compile.ts';
import { isExact, isSortable } from '../rules/tolerances.ts';
import type { Classes } from './equivalence-classes.ts';
import { blockKeys, type Blocks, type Scan, scanDays, scanLists, scanOf, type Sides, sweepBlocks } from './scan.ts';
import { pairsOfSweep } from './sweep-windows.ts';

/** Most cells per class in which pairs are counted. */
const CELLS_PER_CLASS = 8;

/**
 * Returns a lower bound of the pairs of a sweep without laying it out: the pairs of one block whose values lie in one cell as wide as the tolerance.
 * Returns 0 if that would take too much memory, or if the tolerance depends on the value.
 */
export function leastPairs({ classesA, classesB }: Sides, blocks: Blocks, columns: LeafColumns): number {
  const { a, b, allowed } = columns;
  if (allowed.length === 0 || a.wide !== null || b.wide !== null) return 0;
  const range = { low: Infinity, high: -Infinity };
  widen(range, a, classesA);
  widen(range, b, classesB);
  if (range.low > range.high) return 0;
  const widest = allowed.reduce<number>((width, distance) => Math.max(width, Number(distance)), 0);
  const width = Math.floor(widest) + 1;
  const cells = Math.floor((range.high - range.low) / width) + 1;
  if (!(cells * blocks.count <= CELLS_PER_CLASS * (classesA.count + classesB.count))) return 0;
  const countsOf = (of: Int32Array, { codes, axis }: Column, { first }: Classes): Int32Array => {
    const counts = new Int32Array(cells * blocks.count);
    for (let index = 0; index < of.length; index += 1) {
      const row = intAt(first, index);
      const block = intAt(of, index);
      if (block < 0 || intAt(codes, row) < 0) continue;
      const cell = block * cells + Math.floor((floatAt(axis, row) - range.low) / width);
      counts[cell] = intAt(counts, cell) + 1;
    }
    return counts;
  };
  const [ofA, ofB] = [countsOf(blocks.a, a, classesA), countsOf(blocks.b, b, classesB)];
  let pairs = 0;
  for (let cell = 0; cell < ofA.length; cell += 1) pairs += intAt(ofA, cell) * intAt(ofB, cell);
  return pairs;
}

function widen(range: { low: number; high: number }, { codes, axis }: Column, { first }: Classes): void {
  let { low, high } = range;
  for (let index = 0; index < first.length; index += 1) {
    const row = intAt(first, index);
    if (intAt(codes, row) < 0) continue;
    const value = floatAt(axis, row);
    if (value < low) low = value;
    if (value > high) high = value;
  }
  range.low = low;
  range.high = high;
}

/** Date windows of up to this many days may be swept day by day along the amounts. */
const MAX_GRID_DAYS = 62;

/** Scans whose union contains every pair that the rule allows. */
export interface Plan {
  readonly scans: readonly Scan[];
  readonly pairs: number;
  /**
   * The window along the axis of the scans if there is one scan, or one for each day of a window in ascending order, so that each pair is found once.
   * Otherwise null.
   */
  readonly window: Window | null;
  /** Whether the scans find only pairs that the rule allows. */
  readonly isExact: boolean;
  /** Whether an equality, list or tolerance of the rule narrows every scan. */
  readonly isNarrowed: boolean;
  /** How the plan uses the conditions, for the explanation. */
  readonly chosen: ChosenPlan;
}

/**
 * Finds a cheap way to enumerate candidates. Exact conditions become hash blocks. One tolerance becomes a sorted sweep inside the blocks; a date
 * window and an amount tolerance together become a sweep along the amounts for each day. A list becomes a hash block for each member. An `or` becomes
 * the union of its members' plans. An `and` is planned by its own conditions or, if that is cheaper, by distributing them over the members of one of
 * its `or` groups. Conditions that a plan does not use are tested on the candidates, so every plan is correct and only the cost differs.
 */
export function planRule(view: RuleView, classesA: Classes, classesB: Classes): Plan {
  return planNode({ view, classesA, classesB }, view.rule.root, []);
}

function planNode(sides: Sides, node: RuleNode, inherited: readonly Leaf[]): Plan {
  if (node.type === 'leaf') return planConjunction(sides, [...inherited, node]);
  if (node.operand === 'or') return union(node.children.map((child) => planNode(sides, child, inherited)));
  const { leaves: own, choices } = flattened(node);
  const leaves = [...inherited, ...own];
  let best = planConjunction(sides, leaves);
  if (choices.length > 0) best = testing({ ...best, isExact: false }, choices);
  for (const choice of choices) {
    if (best.pairs <= cheapEnough(sides)) break;
    const through = union(choice.children.map((member) => planNode(sides, member, leaves)));
    if (through.pairs >= best.pairs) continue;
    const others = choices.filter((other) => other !== choice);
    best = testing(through, others);
  }
  return best;
}

function union(plans: readonly Plan[]): Plan {
  const [only] = plans;
  if (plans.length === 1 && only !== undefined) return only;
  return {
    scans: plans.flatMap((plan) => plan.scans),
    pairs: plans.reduce((sum, plan) => sum + plan.pairs, 0),
    window: null,
    isExact: false,
    isNarrowed: plans.every((plan) => plan.isNarrowed),
    chosen: { ways: plans.map((plan) => plan.chosen), tested: [] },
  };
}

function planConjunction(sides: Sides, leaves: readonly Leaf[]): Plan {
  const columns = leaves.map((leaf) => itemAt(sides.view.columns.leaves, leaf.index));
  const exact = columns.filter(({ leaf }) => isExact(leaf));
  const isNarrowed = leaves.some((leaf) => isExact(leaf) || isSortable(leaf) || leaf.operand === 'in');
  const rest = columns.filter(({ leaf }) => !isExact(leaf));
  if (sides.view.columns.currency !== null) exact.push(sides.view.columns.currency);
  const blocks = blockKeys(sides, exact);
  const planOf = (scans: readonly Scan[], swept: readonly LeafColumns[], listing: LeafColumns | null = null): Plan => ({
    scans,
    pairs: scans.reduce((sum, scan) => sum + scan.pairs, 0),
    window: windowOfLast(swept),
    isExact: rest.length === swept.length && swept.every((columns) => isExactSweep(columns, sides)),
    isNarrowed,
    chosen: chosenOf(leaves, swept, listing),
  });
  const sweeps = columns.filter(({ leaf }) => isSortable(leaf));
  const swept = planSweeps(sides, blocks, sweeps, planOf);
  const listed = columns.filter(({ leaf }) => leaf.operand === 'in').map((listing) => planList(listing));
  // The scans of a list may find a pair twice. If there are too many of their pairs to list, they cannot be read from the scans as those of a sweep
  // can.
  return listed.filter((plan) => plan.pairs <= MAX_CANDIDATE_PAIRS).reduce((best, plan) => (plan.pairs < best.pairs ? plan : best), swept);

  function planList(listing: LeafColumns): Plan {
    return { ...planOf([scanLists(sides, blocks, listing)], [], listing), window: null, isExact: false };
  }
}

function chosenOf(leaves: readonly Leaf[], swept: readonly LeafColumns[], listing: LeafColumns | null): ChosenPlan {
  const searched = swept.map(({ leaf }) => leaf);
  const listed = listing?.leaf ?? null;
  const tested = leaves.filter((leaf) => !isExact(leaf) && !searched.includes(leaf) && leaf !== listed);
  return { exact: leaves.filter(isExact), listed, swept: searched, tested };
}

/** Returns the window of the last sweep, along whose axis the scans lie. */
function windowOfLast(swept: readonly LeafColumns[]): Window {
  const last = swept.at(-1);
  return last === undefined ? EVERYTHING : windowOf(last);
}

function isExactSweep(columns: LeafColumns, { view }: Sides): boolean {
  return isExactWindow(columns, view.sideA.decimalPlaces, view.sideB.decimalPlaces);
}

type PlanOf = (scans: readonly Scan[], swept: readonly LeafColumns[]) => Plan;

function planSweeps(sides: Sides, blocks: Blocks, sweeps: readonly LeafColumns[], planOf: PlanOf): Plan {
  const planBy = (columns: LeafColumns | null): Plan =>
    planOf([scanOf(sweepBlocks(sides, blocks, columns))], columns === null ? [] : [columns]);
  if (sweeps.length <= 1) return planBy(sweeps[0] ?? null);
  const planGrid = (dates: LeafColumns, numbers: LeafColumns): Plan =>
    planOf(scanDays(sides, blocks, dates, numbers, daysOf(dates)), [dates, numbers]);
  const certain = gridForSure(sides, blocks, sweeps, planGrid);
  if (certain !== null) return certain;
  // With a million records the layout of a sweep takes about 30 MB, so only the counts are kept.
  const counted = sweeps.map((columns) => ({ columns, pairs: pairsOfSweep(sweepBlocks(sides, blocks, columns)) }));
  const byDate = cheapest(counted, 'date');
  const byNumber = cheapest(counted, 'number');
  const best = byDate === null || (byNumber !== null && byNumber.pairs < byDate.pairs) ? byNumber : byDate;
  if (byDate !== null && byNumber !== null && best !== null && best.pairs > cheapEnough(sides) && daysOf(byDate.columns) <= MAX_GRID_DAYS) {
    const grid = planGrid(byDate.columns, byNumber.columns);
    if (grid.pairs < best.pairs) return grid;
  }
  return planBy(best?.columns ?? null);
}

function daysOf(dates: LeafColumns): number {
  return Number(dates.allowed[0] ?? 0);
}

/**
 * Returns the sweeps by day if they have fewer pairs than the lower bound of either sweep alone. In that case neither has to be laid out and counted.
 */
function gridForSure(
  sides: Sides,
  blocks: Blocks,
  sweeps: readonly LeafColumns[],
  planGrid: (dates: LeafColumns, numbers: LeafColumns) => Plan,
): Plan | null {
  const [dates, numbers] = sweeps.toSorted((left, right) => (left.leaf.kind < right.leaf.kind ? -1 : 1));
  if (sweeps.length !== 2 || dates?.leaf.kind !== 'date' || numbers?.leaf.kind !== 'number' || daysOf(dates) > MAX_GRID_DAYS) return null;
  const least = Math.min(leastPairs(sides, blocks, dates), leastPairs(sides, blocks, numbers));
  if (least <= cheapEnough(sides)) return null;
  const grid = planGrid(dates, numbers);
  return grid.pairs < least ? grid : null;
}

interface CountedSweep {
  readonly columns: LeafColumns;
  readonly pairs: number;
}

/** With at most this many pairs no component is oversized. Otherwise records from elsewhere could change how a component is solved. */
function cheapEnough(sides: Sides): number {
  return Math.min(4 * (sides.classesA.count + sides.classesB.count), MAX_EXACT_PAIRS);
}

/** Returns the sweep of a kind with the fewest pairs. */
function cheapest(counted: readonly CountedSweep[], kind: Kind): CountedSweep | null {
  return counted
    .filter(({ columns }) => columns.leaf.kind === kind)
    .reduce<CountedSweep | null>((best, found) => (best === null || found.pairs < best.pairs ? found : best), null);
}

/** Returns the condition to add to a rule whose plan is too wide, in words. */
export function missingCondition(view: RuleView): string {
  const exactNumber = view.rule.leaves.some((leaf) => leaf.kind === 'number' && isExact(leaf));
  if (!exactNumber) return phrase('rules.plan.aConditionThatTheAmounts');
  const dates = view.rule.leaves.some((leaf) => leaf.kind === 'date' && (isExact(leaf) || isSortable(leaf)));
  if (!dates) return phrase('rules.plan.dateWindowDateWithDateTolerance');
  return phrase('rules.plan.conditionThatReferencesAreEqual');
}

/** How a plan uses a rule's conditions. It serves the explanation only; the search does not read it. */
export type ChosenPlan = ChosenScans | ChosenWays;

/** Scans for pairs that satisfy all of these conditions. */
export interface ChosenScans {
  /** Conditions looked up by equal values. The currency is looked up as well, even if no condition names it. */
  readonly exact: readonly Leaf[];
  /** Condition looked up among the members of its list. */
  readonly listed: Leaf | null;
  /** Conditions searched along a sorted range: none, one, or a date searched day by day with a number on each day. */
  readonly swept: readonly Leaf[];
  /** Conditions, and `or` groups, that no lookup or search covers. */
  readonly tested: readonly RuleNode[];
}

/** Union of several plans: the alternatives of an `or`. */
export interface ChosenWays {
  readonly ways: readonly ChosenPlan[];
  /** Conditions that must hold in addition, whichever alternative finds a pair. */
  readonly tested: readonly RuleNode[];
}

/** The plan that a rule used. */
export interface UsedPlan {
  readonly chosen: ChosenPlan;
  /** Number of pairs of classes that its scans find. */
  readonly pairs: number;
  /** Whether there are too many pairs to test in advance, so that each is tested when it is visited. */
  readonly isTestedLate: boolean;
}

/** Returns the plan with more conditions to test. */
function testing<Plan extends { readonly chosen: ChosenPlan }>(plan: Plan, more: readonly RuleNode[]): Plan {
  if (more.length === 0) return plan;
  return { ...plan, chosen: { ...plan.chosen, tested: [...plan.chosen.tested, ...more] } };
}
