import { DisjointSets } from '../../collections/disjoint-sets.ts';
import { IntList } from '../../collections/growable-array.ts';
import { intAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import type { Candidates } from './candidates.ts';
import type { Scan } from './scan.ts';
import { countAt, endAt, startAt } from './sweep-windows.ts';

/**
 * Classes that candidate pairs connect; components do not influence each other. The classes of side A are `a[fromA]` up to but excluding `a[toA]`,
 * ascending, and likewise for side B. The walk reuses one object for all components, so a visitor must not keep it.
 */
export interface Component {
  a: Int32Array;
  fromA: number;
  toA: number;
  b: Int32Array;
  fromB: number;
  toB: number;
}

/** Visits a component; returns false to end the walk. */
export type VisitComponent = (component: Component) => boolean;

/**
 * Returns the classes of both sides by group. A group has the number of its first class of side A. In the sets, classes of side B are numbered after
 * those of side A.
 */
function groupsOf(sets: DisjointSets, countA: number): { readonly a: Grouped; readonly b: Grouped } {
  const roots = sets.roots();
  const ofB = roots.subarray(countA);
  for (let index = 0; index < ofB.length; index += 1) if (intAt(ofB, index) >= countA) ofB[index] = -1;
  return { a: laidOut(roots.subarray(0, countA), countA), b: laidOut(ofB, countA) };
}

/** Classes of a side by group. */
interface Grouped {
  readonly starts: Int32Array;
  readonly members: Int32Array;
}

function laidOut(keys: Int32Array, groups: number): Grouped {
  const starts = rangeStarts(keys, groups);
  return { starts, members: layOut(keys, starts) };
}

/** Visits the groups that hold classes of both sides. The disjoint sets are not retained. */
function eachGroup({ a, b }: { readonly a: Grouped; readonly b: Grouped }, visit: VisitComponent): boolean {
  const component: Component = { a: a.members, fromA: 0, toA: 0, b: b.members, fromB: 0, toB: 0 };
  const point = (root: number): boolean => {
    component.fromB = intAt(b.starts, root);
    component.toB = intAt(b.starts, root + 1);
    if (component.fromB === component.toB) return false;
    component.fromA = intAt(a.starts, root);
    component.toA = intAt(a.starts, root + 1);
    return true;
  };
  return visitInTurn(component, a.starts.length - 1, point, visit);
}

/** A component with more classes takes tenths of a second. Such components come last, so that the pairs of the others are written in the meantime. */
const LARGE = 4_096;

/**
 * Visits the components in the order of their first class of side A, large ones last. `point` sets `component` to the one that begins with a class,
 * or returns false if there is none.
 */
function visitInTurn(component: Component, countA: number, point: (first: number) => boolean, visit: VisitComponent): boolean {
  const large = new IntList();
  for (let first = 0; first < countA; first += 1) {
    if (!point(first)) continue;
    if (component.toA - component.fromA + component.toB - component.fromB > LARGE) large.push(first);
    else if (!visit(component)) return false;
  }
  for (let at = 0; at < large.length; at += 1) {
    point(intAt(large.items, at));
    if (!visit(component)) return false;
  }
  return true;
}

/** Visits the components of listed candidates; returns false if a visitor ended the walk. */
export function eachListedComponent(candidates: Candidates, countB: number, visit: VisitComponent): boolean {
  const countA = candidates.starts.length - 1;
  return eachGroup(groupsOf(joinedByList(candidates, countB), countA), visit);
}

function joinedByList({ starts, columns }: Candidates, countB: number): DisjointSets {
  const countA = starts.length - 1;
  const groups = new DisjointSets(countA + countB);
  for (let a = 0; a < countA; a += 1) {
    for (let edge = intAt(starts, a); edge < intAt(starts, a + 1); edge += 1) groups.join(a, countA + intAt(columns, edge));
  }
  return groups;
}

/** Visits the components of scans whose pairs are all candidates; returns false if a visitor ended the walk. */
export function eachScannedComponent(scans: readonly Scan[], countA: number, countB: number, visit: VisitComponent): boolean {
  const [only] = scans;
  if (scans.length === 1 && only !== undefined) return eachRun(only, countA, visit);
  return eachGroup(groupsOf(joinedByScans(scans, countA, countB), countA), visit);
}

function joinedByScans(scans: readonly Scan[], countA: number, countB: number): DisjointSets {
  const groups = new DisjointSets(countA + countB);
  let order: Int32Array | null = null;
  let isJoined = new Uint8Array(0);
  for (const scan of scans) {
    const { orderA, orderB } = scan;
    // Scans of different days share an order and find the same neighbours; 1 marks a class that is joined to the next. The alternatives of an `or`
    // have orders of their own.
    if (orderB !== order) {
      order = orderB;
      isJoined = new Uint8Array(orderB.length);
    }
    let joined = -1;
    let begun = -1;
    for (let position = 0; position < orderA.length; position += 1) {
      const start = startAt(scan, position);
      const end = endAt(scan, position);
      if (start >= end) continue;
      // The windows of one block move forward, so neighbours inside them are joined once.
      if (start < begun || start > joined) joined = start;
      begun = start;
      groups.join(intAt(orderA, position), countA + intAt(orderB, start));
      for (; joined + 1 < end; joined += 1) {
        if (isJoined[joined] === 1) continue;
        isJoined[joined] = 1;
        groups.join(countA + intAt(orderB, joined), countA + intAt(orderB, joined + 1));
      }
    }
  }
  return groups;
}

/**
 * Visits the components of one scan. Within a block its windows move forward, so a component is a run of neighbours whose windows overlap. After an
 * empty window the next one begins at the first class not seen yet. Visits follow the first classes, which are scattered over the scan's order. For a
 * pair of single classes the partner is stored in advance, so that the order is not read again.
 */
function eachRun(scan: Scan, countA: number, visit: VisitComponent): boolean {
  const { orderA, orderB } = scan;
  const run: Run = { next: 0, endB: 0, firstClass: 0 };
  // By first class: the start of its run; for a run of one class on each side, the class of side B.
  const begins = new Int32Array(countA).fill(-1);
  const isPair = new Uint8Array(countA);
  for (let begin = 0; begin < orderA.length; begin = run.next) {
    readRun(scan, begin, run);
    const first = startAt(scan, begin);
    if (countAt(scan, begin) === 0) continue;
    const pairs = run.next === begin + 1 && run.endB === first + 1;
    isPair[run.firstClass] = pairs ? 1 : 0;
    begins[run.firstClass] = pairs ? intAt(orderB, first) : begin;
  }
  const pair = { a: new Int32Array(1), b: new Int32Array(1) };
  const component: Component = { a: orderA, fromA: 0, toA: 0, b: orderB, fromB: 0, toB: 0 };
  const point = (first: number): boolean => {
    const begin = intAt(begins, first);
    if (begin < 0) return false;
    if (isPair[first] === 1) {
      pair.a[0] = first;
      pair.b[0] = begin;
      [component.a, component.fromA, component.toA] = [pair.a, 0, 1];
      [component.b, component.fromB, component.toB] = [pair.b, 0, 1];
    } else {
      readRun(scan, begin, run);
      [component.a, component.fromA, component.toA] = ascending(orderA, begin, run.next);
      [component.b, component.fromB, component.toB] = ascending(orderB, startAt(scan, begin), run.endB);
    }
    return true;
  };
  return visitInTurn(component, countA, point, visit);
}

interface Run {
  /** Start of the next run. */
  next: number;
  /** End of its classes of side B. */
  endB: number;
  /** Its least class of side A. */
  firstClass: number;
}

function readRun(scan: Scan, begin: number, run: Run): void {
  const { orderA } = scan;
  const first = startAt(scan, begin);
  let end = endAt(scan, begin);
  let least = intAt(orderA, begin);
  let next = begin + 1;
  if (first < end) {
    for (; next < orderA.length && startAt(scan, next) >= first && startAt(scan, next) < end; next += 1) {
      end = Math.max(end, endAt(scan, next));
      least = Math.min(least, intAt(orderA, next));
    }
  }
  run.next = next;
  run.endB = end;
  run.firstClass = least;
}

function ascending(order: Int32Array, from: number, to: number): [Int32Array, number, number] {
  for (let at = from + 1; at < to; at += 1) {
    if (intAt(order, at - 1) > intAt(order, at)) return [order.subarray(from, to).toSorted(), 0, to - from];
  }
  return [order, from, to];
}
