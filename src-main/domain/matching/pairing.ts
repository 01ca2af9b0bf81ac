import type { Candidates } from './candidates.ts';
import { certaintyOf, type ClassFacts, fixedEdges } from './certainty.ts';
import { type Classes, rowsOf, sizeOf } from './classes.ts';
import { type Component, componentsOf } from './components.ts';
import { areAlike } from './content-columns.ts';
import { CERTAINTIES } from './found-matches.ts';
import { type DistanceMeter, distanceMeter, type OwnUnits, type RuleView } from './predicate.ts';
import type { RecordColumns } from './record-columns.ts';
import { type EditedProblem, solve, WORK_LIMIT } from './solve.ts';
import { intAt, itemAt } from './typed.ts';
import type { Watch } from './watch.ts';

export interface Matcher {
  readonly view: RuleView;
  readonly classesA: Classes;
  readonly classesB: Classes;
  readonly candidates: Candidates;
  readonly ownUnits: OwnUnits;
  readonly watch: Watch;
}

/** The pairs of a rule by row of side A. */
export interface Paired {
  /** Row of side B; -1 for none. */
  readonly partners: Int32Array;
  /** How sure each pair is, as a place in `CERTAINTIES`. */
  readonly certainties: Uint8Array;
}

interface Pairing extends Matcher, Paired {
  /** Place of each class of side B in the component that is looked at. */
  readonly placeOfB: Int32Array;
  readonly distanceAt: DistanceMeter;
}

const UNIQUE = CERTAINTIES.indexOf('unique');
/** Records paired, or distances measured, between two looks at the cancel flag. */
const STEPS_PER_LOOK = 1 << 14;

/** Pairs the records of every component. Null when cancelled. */
export function pairAll(matcher: Matcher): Paired | null {
  const { view, classesA, classesB, candidates, watch } = matcher;
  const pairing: Pairing = {
    ...matcher,
    partners: new Int32Array(view.sideA.count).fill(-1),
    certainties: new Uint8Array(view.sideA.count),
    placeOfB: new Int32Array(classesB.count),
    distanceAt: distanceMeter(view, matcher.ownUnits),
  };
  const components = componentsOf(candidates, classesB.count);
  let sinceLook = 0;
  for (let root = 0; root < components.roots; root += 1) {
    const fromB = intAt(components.startsB, root);
    const toB = intAt(components.startsB, root + 1);
    if (fromB === toB) continue;
    const fromA = intAt(components.startsA, root);
    const toA = intAt(components.startsA, root + 1);
    const a = intAt(components.a, fromA);
    const b = intAt(components.b, fromB);
    if (toA - fromA === 1 && toB - fromB === 1 && sizeOf(classesA, a) === 1 && sizeOf(classesB, b) === 1) {
      const row = intAt(classesA.first, a);
      pairing.partners[row] = intAt(classesB.first, b);
      pairing.certainties[row] = UNIQUE;
      watch.advance(1);
    } else if (!pairComponent(pairing, { a: components.a.subarray(fromA, toA), b: components.b.subarray(fromB, toB) })) return null;
    sinceLook += toB - fromB;
    if (sinceLook < STEPS_PER_LOOK) continue;
    sinceLook = 0;
    if (watch.isCancelled()) return null;
  }
  return pairing;
}

/** Pairs the records of one component; false when cancelled. */
function pairComponent(pairing: Pairing, component: Component): boolean {
  const { classesA, classesB, watch } = pairing;
  const a = intAt(component.a, 0);
  if (component.a.length === 1 && component.b.length === 1) {
    const flow = Math.min(sizeOf(classesA, a), sizeOf(classesB, intAt(component.b, 0)));
    deal(pairing, component, Int32Array.of(0, 1), Int32Array.of(0), Int32Array.of(flow), Uint8Array.of(1));
    watch.advance(flow);
    return true;
  }
  const problem = problemOf(pairing, component);
  const solution = problem === null ? null : solve(problem, watch.isCancelled, WORK_LIMIT, watch.advance);
  if (problem === null || solution === null) return false;
  deal(pairing, component, problem.starts, problem.columns, solution.flow, fixedEdges(solution));
  return true;
}

/** Null when cancelled. */
function problemOf(
  { view, classesA, classesB, candidates, distanceAt, placeOfB, watch }: Pairing,
  component: Component,
): EditedProblem | null {
  for (let index = 0; index < component.b.length; index += 1) placeOfB[intAt(component.b, index)] = index;
  const starts = new Int32Array(component.a.length + 1);
  for (let index = 0; index < component.a.length; index += 1) {
    const a = intAt(component.a, index);
    starts[index + 1] = intAt(starts, index) + intAt(candidates.starts, a + 1) - intAt(candidates.starts, a);
  }
  const edgeCount = intAt(starts, component.a.length);
  const columns = new Int32Array(edgeCount);
  const days = new Float64Array(edgeCount);
  const units = new Float64Array(edgeCount);
  const edits = new Float64Array(edgeCount);
  const scale = Math.max(finestScale(view.sideA, classesA, component.a), finestScale(view.sideB, classesB, component.b));
  let sinceLook = 0;
  for (let index = 0; index < component.a.length; index += 1) {
    const a = intAt(component.a, index);
    const first = intAt(candidates.starts, a) - intAt(starts, index);
    const end = intAt(starts, index + 1);
    for (let edge = intAt(starts, index); edge < end; edge += 1) {
      const b = intAt(candidates.columns, first + edge);
      const distance = distanceAt(intAt(classesA.first, a), intAt(classesB.first, b), scale);
      columns[edge] = intAt(placeOfB, b);
      days[edge] = distance.days;
      units[edge] = distance.units;
      edits[edge] = distance.edits;
    }
    sinceLook += end - intAt(starts, index);
    if (sinceLook < STEPS_PER_LOOK) continue;
    sinceLook = 0;
    if (watch.isCancelled()) return null;
  }
  return { supply: sizes(classesA, component.a), room: sizes(classesB, component.b), starts, columns, days, units, edits };
}

function sizes(classes: Classes, members: Int32Array): Int32Array {
  return members.map((member) => sizeOf(classes, member));
}

/** All distances within a component are measured at one scale. */
function finestScale({ decimalPlaces }: RecordColumns, classes: Classes, members: Int32Array): number {
  let scale = 0;
  for (const member of members) scale = Math.max(scale, decimalPlaces[intAt(classes.first, member)] as number);
  return scale;
}

/** Hands the records of the classes out to the pairs, in the order of their content on both sides. */
function deal(pairing: Pairing, component: Component, starts: Int32Array, columns: Int32Array, flow: Int32Array, fixed: Uint8Array): void {
  const { view, classesA, classesB, partners, certainties } = pairing;
  const degreeB = new Int32Array(component.b.length);
  for (const column of columns) degreeB[column] = intAt(degreeB, column) + 1;
  const nextB = new Int32Array(component.b.length);
  const factsB: ClassFacts[] = Array.from(component.b, (b, index) => factsOf(view.sideB, classesB, b, intAt(degreeB, index)));
  for (let index = 0; index < component.a.length; index += 1) {
    const a = intAt(component.a, index);
    const rowsA = rowsOf(classesA, a);
    const end = intAt(starts, index + 1);
    const facts = factsOf(view.sideA, classesA, a, end - intAt(starts, index));
    let nextA = 0;
    for (let edge = intAt(starts, index); edge < end; edge += 1) {
      const count = intAt(flow, edge);
      if (count === 0) continue;
      const column = intAt(columns, edge);
      const rowsB = rowsOf(classesB, intAt(component.b, column));
      const certainty = CERTAINTIES.indexOf(certaintyOf(count, fixed[edge] === 1, facts, itemAt(factsB, column)));
      for (let pair = 0; pair < count; pair += 1) {
        const position = intAt(nextB, column);
        const row = intAt(rowsA, nextA);
        partners[row] = intAt(rowsB, position);
        certainties[row] = certainty;
        nextB[column] = position + 1;
        nextA += 1;
      }
    }
  }
}

function factsOf(columns: RecordColumns, classes: Classes, index: number, degree: number): ClassFacts {
  let alike: boolean | null = null;
  const isAlike = (): boolean => (alike ??= areAlike(columns, rowsOf(classes, index)));
  return { size: sizeOf(classes, index), degree, isAlike };
}
