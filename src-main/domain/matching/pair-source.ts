import type { Candidates } from './candidates.ts';
import { eachListedComponent, eachScannedComponent, type VisitComponent } from './components.ts';
import type { Scan } from './scan.ts';
import { intAt } from './typed.ts';

/** Where candidate pairs of classes come from. */
export interface PairSource {
  /** Visits the components; false where a visit ended the walk. */
  readonly eachComponent: (visit: VisitComponent) => boolean;
  /** How many classes of side B a class of side A may be paired with. */
  readonly countOf: (a: number) => number;
  /** Writes them, ascending, from place `at` of `into` on; answers the place behind the last. */
  readonly read: (a: number, into: Int32Array, at: number) => number;
}

/** Pairs that were tested one by one. */
export function listedPairs(candidates: Candidates, countB: number): PairSource {
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
  };
}

/** All pairs of scans that find a pair once and none that the rule does not allow: they are never listed. */
export function scannedPairs(scans: readonly Scan[], countA: number, countB: number): PairSource {
  const places = scans[0] === undefined ? new Int32Array(countA).fill(-1) : placesOf(scans[0].orderA, countA);
  return {
    eachComponent: (visit) => eachScannedComponent(scans, countA, countB, visit),
    countOf: (a) => {
      const place = intAt(places, a);
      let count = 0;
      if (place >= 0) for (const { from, to } of scans) count += intAt(to, place) - intAt(from, place);
      return count;
    },
    read: (a, into, start) => {
      const place = intAt(places, a);
      if (place < 0) return start;
      let at = start;
      let isAscending = true;
      let last = -1;
      for (const { orderB, from, to } of scans) {
        const end = intAt(to, place);
        for (let other = intAt(from, place); other < end; other += 1) {
          const b = intAt(orderB, other);
          if (b < last) isAscending = false;
          last = b;
          into[at] = b;
          at += 1;
        }
      }
      if (!isAscending) into.subarray(start, at).sort();
      return at;
    },
  };
}

/** Where each class stands in an order; -1 for those that do not. */
export function placesOf(order: Int32Array, count: number): Int32Array {
  const places = new Int32Array(count).fill(-1);
  for (let place = 0; place < order.length; place += 1) places[intAt(order, place)] = place;
  return places;
}
