import { intAt } from '../../collections/typed-arrays.ts';
import type { MatchLimits } from '../model/limits.ts';
import { pairTest, type RuleView } from '../comparison/predicate.ts';
import type { Window } from '../comparison/tolerance-windows.ts';
import type { Watch } from '../model/watch.ts';
import { type Candidates, findCandidates } from './candidates.ts';
import type { Classes } from './equivalence-classes.ts';
import { eachListedComponent, eachScannedComponent, type VisitComponent } from './components.ts';
import type { Plan } from './plan.ts';
import type { Scan } from './scan.ts';
import { countAt, endAt, startAt } from './sweep-windows.ts';

/** Where candidate pairs of classes come from. */
export interface PairSource {
  /** Visits the components; false where a visit ended the walk. */
  readonly eachComponent: (visit: VisitComponent) => boolean;
  /** How many classes of side B a class of side A may be paired with. */
  readonly countOf: (a: number) => number;
  /** Writes them, ascending, from place `at` of `into` on; answers the place behind the last. */
  readonly read: (a: number, into: Int32Array, at: number) => number;
  /** Where pairs are not listed: what they are read from. */
  readonly scanned: Scanned | null;
}

/** Scans that find a pair once; every pair of them is a candidate, but for those that are barred. */
export interface Scanned {
  readonly scans: readonly Scan[];
  /** How far apart values along the scans' axis may lie. */
  readonly window: Window;
  /** Where each class stands in the scans' orders; -1 for those that do not. */
  readonly placesA: Int32Array;
  readonly placesB: Int32Array;
  /** By classes; null where no pair is barred. */
  readonly isBarred: ((a: number, b: number) => boolean) | null;
}

/**
 * The pairs that a plan leads to: those of its scans as they stand where these find nothing else, or too many to be tested one by one;
 * else those that pass the rule's test. Null when cancelled. `mayBar`: some pair may be barred whatever the rule says.
 */
export function sourceOf(
  plan: Plan,
  view: RuleView,
  classesA: Classes,
  classesB: Classes,
  mayBar: boolean,
  limits: MatchLimits,
  watch: Watch,
): PairSource | 'too_many' | null {
  const { scans, window, isExact, isNarrowed, pairs } = plan;
  const [first] = scans;
  const isWide = pairs > limits.tests;
  if (window !== null && first !== undefined && isNarrowed && (isExact || isWide)) {
    const test = isExact ? null : pairTest(view);
    const bars = (a: number, b: number): boolean => {
      const [rowA, rowB] = [intAt(classesA.first, a), intAt(classesB.first, b)];
      return test === null ? view.isBarred(rowA, rowB) : !test(rowA, rowB);
    };
    const placesA = placesOf(first.orderA, classesA.count);
    const placesB = placesOf(first.orderB, classesB.count);
    return scannedPairs({ scans, window, placesA, placesB, isBarred: mayBar || !isExact ? bars : null });
  }
  if (isWide) return 'too_many';
  const candidates = findCandidates(plan, classesA, classesB, pairTest(view), watch);
  return candidates === null ? null : listedPairs(candidates, classesB.count);
}

/** Pairs that were tested one by one. */
function listedPairs(candidates: Candidates, countB: number): PairSource {
  const { starts, columns } = candidates;
  return {
    eachComponent: (visit) => eachListedComponent(candidates, countB, visit),
    countOf: (a) => intAt(starts, a + 1) - intAt(starts, a),
    read: (a, into, from) => {
      let at = from;
      for (let edge = intAt(starts, a); edge < intAt(starts, a + 1); edge += 1) {
        into[at] = intAt(columns, edge);
        at += 1;
      }
      return at;
    },
    scanned: null,
  };
}

/** All pairs of scans that find a pair once and none that the rule does not allow: they are never listed. */
function scannedPairs(scanned: Scanned): PairSource {
  const { scans, placesA: places, isBarred } = scanned;
  const read = (a: number, into: Int32Array, start: number): number => {
    const place = intAt(places, a);
    if (place < 0) return start;
    let at = start;
    let isAscending = true;
    let last = -1;
    for (const scan of scans) {
      const { orderB } = scan;
      const end = endAt(scan, place);
      for (let other = startAt(scan, place); other < end; other += 1) {
        const b = intAt(orderB, other);
        if (isBarred?.(a, b) === true) continue;
        if (b < last) isAscending = false;
        last = b;
        into[at] = b;
        at += 1;
      }
    }
    if (!isAscending) into.set(into.subarray(start, at).toSorted(), start);
    return at;
  };
  return {
    eachComponent: (visit) => eachScannedComponent(scans, places.length, scanned.placesB.length, visit),
    countOf: (a) => {
      const place = intAt(places, a);
      let count = 0;
      if (place >= 0) for (const scan of scans) count += countAt(scan, place);
      return count;
    },
    read,
    scanned,
  };
}

/** Where each class stands in an order; -1 for those that do not. */
function placesOf(order: Int32Array, count: number): Int32Array {
  const places = new Int32Array(count).fill(-1);
  for (let place = 0; place < order.length; place += 1) places[intAt(order, place)] = place;
  return places;
}
