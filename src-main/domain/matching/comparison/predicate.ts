import { floatAt, intAt, itemAt } from '../../collections/typed-arrays.ts';
import type { RecordColumns } from '../../records/record-columns.ts';
import type { CompiledRule, RuleNode } from '../rules/compile.ts';
import { daysApart, distanceOf, isListing, type LeafColumns, MISSING_CODE, type RuleColumns } from './condition-columns.ts';
import { editsApart, type LeafTest, leafTest } from './condition-test.ts';

/** A rule with the data it compares, over two lists of records. Rows are indexes into these lists. */
export interface RuleView {
  readonly rule: CompiledRule;
  readonly columns: RuleColumns;
  /** Test of each leaf, by its index. */
  readonly tests: readonly LeafTest[];
  readonly sideA: RecordColumns;
  readonly sideB: RecordColumns;
  /** Returns whether a pair cannot be a candidate whatever the rule says, because it is separated or its difference is out of range. */
  readonly isBarred: (rowA: number, rowB: number) => boolean;
}

export function ruleView(given: Omit<RuleView, 'tests'>): RuleView {
  return { ...given, tests: given.columns.leaves.map(leafTest) };
}

export type PairTest = (rowA: number, rowB: number) => boolean;

/** Returns the test of a whole pair: the tree, the currency, and barred pairs. */
export function pairTest(view: RuleView): PairTest {
  const { rule, columns, tests, sideA, sideB, isBarred } = view;
  const placesA = sideA.decimalPlaces;
  const placesB = sideB.decimalPlaces;
  const places = (rowA: number, rowB: number): number => Math.max(placesA[rowA] as number, placesB[rowB] as number);
  const tree = nodeTest(rule.root, tests, places);
  const sharesCurrency = columns.currency === null ? null : leafTest(columns.currency);
  return (rowA, rowB) => (sharesCurrency === null || sharesCurrency(rowA, rowB, 0)) && tree(rowA, rowB) && !isBarred(rowA, rowB);
}

function nodeTest(node: RuleNode, leaves: readonly LeafTest[], places: (rowA: number, rowB: number) => number): PairTest {
  if (node.type === 'leaf') {
    const holds = itemAt(leaves, node.index);
    return (rowA, rowB) => holds(rowA, rowB, places(rowA, rowB));
  }
  const tests = node.children.map((child) => nodeTest(child, leaves, places));
  const isOr = node.operand === 'or';
  return (rowA, rowB) => {
    for (const test of tests) if (test(rowA, rowB) === isOr) return isOr;
    return !isOr;
  };
}

/** Returns the conditions of the true branch: all of an `and`, and the first true member of an `or`. Returns null if the tree is false. */
export function trueBranch(view: RuleView, rowA: number, rowB: number): LeafColumns[] | null {
  const places = Math.max(view.sideA.decimalPlaces[rowA] as number, view.sideB.decimalPlaces[rowB] as number);
  const collect = (node: RuleNode): LeafColumns[] | null => {
    if (node.type === 'leaf') {
      return itemAt(view.tests, node.index)(rowA, rowB, places) ? [itemAt(view.columns.leaves, node.index)] : null;
    }
    const held: LeafColumns[] = [];
    for (const child of node.children) {
      const found = collect(child);
      if (node.operand === 'or' && found !== null) return found;
      if (node.operand === 'and' && found === null) return null;
      if (found !== null) held.push(...found);
    }
    return node.operand === 'or' ? null : held;
  };
  return collect(view.rule.root);
}

/** Returns whether a condition holds only because a side has no value. */
export function holdsByAbsence(columns: LeafColumns, rowA: number, rowB: number): boolean {
  return intAt(columns.a.codes, rowA) === MISSING_CODE || intAt(columns.b.codes, rowB) === MISSING_CODE;
}

/** Distance of a pair: days, then minor units at the requested scale, then edits. */
export interface Distance {
  readonly days: number;
  readonly units: number;
  readonly edits: number;
}

/** Returns the distance of a pair in an object that the next call overwrites. `scale` must fit all pairs that are compared with each other. */
export type DistanceMeter = (rowA: number, rowB: number, scale: number) => Distance;

/**
 * Returns a function that measures a pair by the conditions of its true branch: calendar days of date conditions, units of number conditions, and
 * edits of text conditions with a tolerance. If no date condition measures anything, the records' own dates are compared, and likewise their amounts;
 * conditions held by absence and lists measure nothing. So the nearer of two partners that the rule accepts equally is taken. Units beyond the safe
 * range count as the largest safe integer.
 */
export function distanceMeter(view: RuleView, ownUnits: OwnUnits): DistanceMeter {
  const always = isConjunction(view.rule.root) ? view.columns.leaves.filter(measures) : null;
  if (always !== null && always.every(({ leaf }) => leaf.operand === 'eq')) return plainMeter(view, always, ownUnits);
  const distance = { days: 0, units: 0, edits: 0 };
  return (rowA, rowB, scale) => {
    let days = -1;
    let units = -1;
    distance.edits = 0;
    const branch = always ?? (trueBranch(view, rowA, rowB) ?? []).filter(measures);
    for (const columns of branch) {
      if (holdsByAbsence(columns, rowA, rowB)) continue;
      const { kind } = columns.leaf;
      if (kind === 'date') days = Math.max(days, 0) + daysApart(columns, rowA, rowB);
      else if (kind === 'number') units = Math.max(units, 0) + rescaled(distanceOf(columns, rowA, rowB), columns.scale, scale);
      else distance.edits += editsApart(columns, rowA, rowB);
    }
    distance.days = days >= 0 ? days : Math.abs(intAt(view.sideA.days, rowA) - intAt(view.sideB.days, rowB));
    distance.units = Math.min(units >= 0 ? units : ownUnits(rowA, rowB, scale), Number.MAX_SAFE_INTEGER);
    return distance;
  };
}

const NO_CODES = new Int32Array(0);

/**
 * Returns a view that holds only what distances are measured by, for use when every visited pair is known to satisfy the rule; the other columns are
 * released. Returns the same view if measuring requires to test a pair.
 */
export function measuringView(view: RuleView): RuleView {
  const { rule, columns } = view;
  if (
    !isConjunction(rule.root) ||
    columns.leaves.some(({ leaf }) => leaf.operand !== 'eq' || (leaf.kind === 'text' && leaf.tolerance !== null))
  )
    return view;
  const leaves = columns.leaves.map((leaf) => ({ ...leaf, a: { ...leaf.a, codes: NO_CODES }, b: { ...leaf.b, codes: NO_CODES } }));
  return { ...view, columns: { leaves, currency: null }, tests: [] };
}

/** Returns a meter for rules whose conditions all hold by their values, so that none has to be tested. */
function plainMeter(view: RuleView, measured: readonly LeafColumns[], ownUnits: OwnUnits): DistanceMeter {
  const dates = measured.filter(({ leaf }) => leaf.kind === 'date');
  const texts = measured.filter(({ leaf }) => leaf.kind === 'text');
  const ofNumbers = measured.filter(({ leaf }) => leaf.kind === 'number');
  // Equal numbers have no distance.
  const numbers = ofNumbers.filter(({ leaf }) => leaf.tolerance !== null);
  const { days: daysA } = view.sideA;
  const { days: daysB } = view.sideB;
  const distance = { days: 0, units: 0, edits: 0 };
  const [date] = dates;
  const [number] = numbers;
  // Most rules with a tolerance tolerate days and an amount.
  if (date !== undefined && number !== undefined && dates.length + numbers.length + texts.length === 2 && isNarrow(number)) {
    const [ofA, ofB] = [date.a.days, date.b.days];
    const [axisA, axisB] = [number.a.axis, number.b.axis];
    return (rowA, rowB, scale) => {
      const units = Math.abs(floatAt(axisA, rowA) - floatAt(axisB, rowB));
      distance.days = Math.abs(floatAt(ofA, rowA) - floatAt(ofB, rowB));
      distance.units = number.scale === scale ? units : Math.min(rescaled(units, number.scale, scale), Number.MAX_SAFE_INTEGER);
      return distance;
    };
  }
  return (rowA, rowB, scale) => {
    let days = dates.length === 0 ? Math.abs(intAt(daysA, rowA) - intAt(daysB, rowB)) : 0;
    for (const columns of dates) days += daysApart(columns, rowA, rowB);
    let units = ofNumbers.length === 0 ? ownUnits(rowA, rowB, scale) : 0;
    for (const columns of numbers) units += rescaled(distanceOf(columns, rowA, rowB), columns.scale, scale);
    distance.days = days;
    distance.units = Math.min(units, Number.MAX_SAFE_INTEGER);
    distance.edits = 0;
    for (const columns of texts) distance.edits += editsApart(columns, rowA, rowB);
    return distance;
  };
}

/** Returns whether the differences of a column are safe integers. */
function isNarrow({ a, b }: LeafColumns): boolean {
  return a.wide === null && b.wide === null;
}

/** Returns whether a condition measures a distance when it holds. Lists and texts without a tolerance do not. */
function measures({ leaf }: LeafColumns): boolean {
  return !isListing(leaf) && (leaf.kind !== 'text' || leaf.tolerance !== null);
}

/** Returns whether a pair of a rule may be edits apart. */
export function measuresEdits({ rule }: RuleView): boolean {
  return rule.leaves.some(({ kind, tolerance }) => kind === 'text' && tolerance !== null);
}

/** Returns whether every condition of the tree holds if the tree does. */
function isConjunction(node: RuleNode): boolean {
  return node.type === 'leaf' || (node.operand === 'and' && node.children.every(isConjunction));
}

/** Returns the difference of two rows' own amounts under the sign convention, in units at a scale. */
export type OwnUnits = (rowA: number, rowB: number, scale: number) => number;

function rescaled(distance: number | bigint, from: number, to: number): number {
  if (distance === 0) return 0;
  if (from === to) return Number(distance);
  const exact = from > to ? BigInt(distance) / 10n ** BigInt(from - to) : BigInt(distance) * 10n ** BigInt(to - from);
  return Number(exact);
}
