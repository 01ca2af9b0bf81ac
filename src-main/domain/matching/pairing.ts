import type { Certainty } from '../../../src-shared/contract/index.ts';
import type { Candidates } from './candidates.ts';
import { certaintyOf, type ClassFacts, fixedEdges } from './certainty.ts';
import type { Classes } from './classes.ts';
import type { Component } from './components.ts';
import { visibleContent } from './content.ts';
import { distanceOfPair, type OwnUnits, type RuleView } from './predicate.ts';
import { type EditedProblem, solve } from './solve.ts';
import { intAt, itemAt } from './typed.ts';
import type { EngineRecord } from './types.ts';

/** One pair of a rule: rows of both sides, and how sure it is. */
export interface Pairing {
  readonly rowA: number;
  readonly rowB: number;
  readonly certainty: Certainty;
}

export interface Matcher {
  readonly view: RuleView;
  readonly classesA: Classes;
  readonly classesB: Classes;
  readonly candidates: Candidates;
  readonly ownUnits: OwnUnits;
  readonly isCancelled: () => boolean;
}

/** Pairs the records of one component. Null when cancelled. */
export function pairComponent(matcher: Matcher, component: Component): Pairing[] | null {
  const { candidates } = matcher;
  const a = intAt(component.a, 0);
  if (component.a.length === 1 && component.b.length === 1) {
    const b = intAt(component.b, 0);
    const flow = Math.min(itemAt(matcher.classesA.rows, a).length, itemAt(matcher.classesB.rows, b).length);
    return deal(matcher, component, Int32Array.of(0, 1), Int32Array.of(0), Int32Array.of(flow), Uint8Array.of(1));
  }
  const problem = problemOf(matcher, component, candidates);
  const solution = solve(problem, matcher.isCancelled);
  if (solution === null) return null;
  return deal(matcher, component, problem.starts, problem.columns, solution.flow, fixedEdges(solution));
}

function problemOf(matcher: Matcher, component: Component, candidates: Candidates): EditedProblem {
  const { view, classesA, classesB } = matcher;
  const place = new Map<number, number>();
  for (const [index, b] of component.b.entries()) place.set(b, index);
  const starts = new Int32Array(component.a.length + 1);
  for (const [index, a] of component.a.entries()) {
    starts[index + 1] = intAt(starts, index) + intAt(candidates.starts, a + 1) - intAt(candidates.starts, a);
  }
  const edgeCount = intAt(starts, component.a.length);
  const columns = new Int32Array(edgeCount);
  const days = new Float64Array(edgeCount);
  const units = new Float64Array(edgeCount);
  const edits = new Float64Array(edgeCount);
  const scale = finestScale(matcher, component);
  for (const [index, a] of component.a.entries()) {
    const first = intAt(candidates.starts, a);
    for (let edge = intAt(starts, index); edge < intAt(starts, index + 1); edge += 1) {
      const b = intAt(candidates.columns, first + edge - intAt(starts, index));
      const distance = distanceOfPair(view, intAt(classesA.first, a), intAt(classesB.first, b), scale, matcher.ownUnits);
      columns[edge] = place.get(b) ?? 0;
      days[edge] = distance.days;
      units[edge] = distance.units;
      edits[edge] = distance.edits;
    }
  }
  return { supply: sizes(classesA, component.a), room: sizes(classesB, component.b), starts, columns, days, units, edits };
}

function sizes(classes: Classes, members: Int32Array): Int32Array {
  return members.map((member) => itemAt(classes.rows, member).length);
}

/** All distances within a component are measured at one scale. */
function finestScale(matcher: Matcher, component: Component): number {
  let scale = 0;
  for (const a of component.a) scale = Math.max(scale, itemAt(matcher.view.sideA, intAt(matcher.classesA.first, a)).decimalPlaces);
  for (const b of component.b) scale = Math.max(scale, itemAt(matcher.view.sideB, intAt(matcher.classesB.first, b)).decimalPlaces);
  return scale;
}

/** Hands the records of the classes out to the pairs, in the order of their content on both sides. */
function deal(
  matcher: Matcher,
  component: Component,
  starts: Int32Array,
  columns: Int32Array,
  flow: Int32Array,
  fixed: Uint8Array,
): Pairing[] {
  const { view, classesA, classesB } = matcher;
  const degreeB = new Int32Array(component.b.length);
  for (const column of columns) degreeB[column] = intAt(degreeB, column) + 1;
  const nextB = new Int32Array(component.b.length);
  const factsB: ClassFacts[] = Array.from(component.b, (b, index) => factsOf(view.sideB, itemAt(classesB.rows, b), intAt(degreeB, index)));
  const pairings: Pairing[] = [];
  for (const [index, a] of component.a.entries()) {
    const rowsA = itemAt(classesA.rows, a);
    const end = intAt(starts, index + 1);
    const facts = factsOf(view.sideA, rowsA, end - intAt(starts, index));
    let nextA = 0;
    for (let edge = intAt(starts, index); edge < end; edge += 1) {
      const count = intAt(flow, edge);
      if (count === 0) continue;
      const column = intAt(columns, edge);
      const rowsB = itemAt(classesB.rows, intAt(component.b, column));
      const certainty = certaintyOf(count, fixed[edge] === 1, facts, itemAt(factsB, column));
      for (let pair = 0; pair < count; pair += 1) {
        const position = intAt(nextB, column);
        pairings.push({ rowA: itemAt(rowsA, nextA), rowB: itemAt(rowsB, position), certainty });
        nextB[column] = position + 1;
        nextA += 1;
      }
    }
  }
  return pairings;
}

function factsOf(records: readonly EngineRecord[], rows: readonly number[], degree: number): ClassFacts {
  let alike: boolean | null = null;
  const isAlike = (): boolean => {
    if (alike === null) {
      const first = visibleContent(itemAt(records, itemAt(rows, 0)));
      alike = rows.every((row) => visibleContent(itemAt(records, row)) === first);
    }
    return alike;
  };
  return { size: rows.length, degree, isAlike };
}
