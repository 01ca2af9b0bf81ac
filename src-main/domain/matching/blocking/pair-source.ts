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

/** Source of the candidate pairs of classes. */
export interface PairSource {
  /** Visits the components; returns false if a visitor ended the walk. */
  readonly eachComponent: (visit: VisitComponent) => boolean;
  /** Returns an upper bound of the candidates of a class of side A, in classes of side B. */
  readonly countOf: (a: number) => number;
  /** Writes the candidates, ascending, into `into` from index `at` on; returns the index after the last one. */
  readonly read: (a: number, into: Int32Array, at: number) => number;
  /** The scans from which pairs are read, or null if the pairs are listed. */
  readonly scanned: Scanned | null;
}

/** Scans that find each pair once. Every pair they find is a candidate unless it is barred. */
export interface Scanned {
  readonly scans: readonly Scan[];
  /** Distance along the scans' axis within which a pair lies. */
  readonly window: Window;
  /** Place of each class in the scans' orders; -1 if it has none. */
  readonly placesA: Int32Array;
  readonly placesB: Int32Array;
  /** Takes classes; null if no pair is barred. */
  readonly isBarred: ((a: number, b: number) => boolean) | null;
}

/**
 * Returns the pairs that a plan finds. If its scans find only allowed pairs, or too many pairs to test in advance, pairs are read from the scans.
 * Otherwise they are tested and listed. Returns null when cancelled. `mayBar` says that some pair may be barred independently of the rule.
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

/** Returns a source of pairs that were tested one by one. */
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

/** Returns a source that reads pairs from scans without listing them. The scans find each pair once. */
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

/** Returns the place of each class in an order; -1 if it has none. */
function placesOf(order: Int32Array, count: number): Int32Array {
  const places = new Int32Array(count).fill(-1);
  for (let place = 0; place < order.length; place += 1) places[intAt(order, place)] = place;
  return places;
}
