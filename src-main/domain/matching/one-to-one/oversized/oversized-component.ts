import { intAt } from '../../../collections/typed-arrays.ts';
import type { Component } from '../../blocking/components.ts';
import type { Classes } from '../../blocking/equivalence-classes.ts';
import type { Scanned } from '../../blocking/pair-source.ts';
import type { Scan } from '../../blocking/scan.ts';
import type { RuleView } from '../../comparison/predicate.ts';
import type { MatchLimits } from '../../model/limits.ts';
import { NearestFirst } from './greedy-nearest.ts';
import { augment } from './maximum-matching.ts';
import { type OversizedSide, oversizedSide, turned } from './oversized-side.ts';
import type { AugmentingSearch } from './search-problem.ts';

/** Data needed to pair a component that is too large for the exact search. */
interface OversizedMatcher {
  readonly view: RuleView;
  readonly classesA: Classes;
  readonly classesB: Classes;
  readonly scanned: Scanned;
  readonly limits: Pick<MatchLimits, 'rounds' | 'tests'>;
  readonly isCancelled: () => boolean;
  /** Called with the number of records done since the last call, `records` in total. */
  readonly advance: (records: number) => void;
  readonly records: number;
}

/** Share of the remaining progress for each round of augmenting paths, because the number of rounds is unknown until the last one. */
const SHARE_OF_ROUND = 1 / 16;

/**
 * Pairs the records of an oversized component without listing its pairs. First the nearest records are paired, day by day, those nearest along the
 * scans' axis first. Then augmenting paths increase the number of pairs to the maximum, unless a limit ends the search. Each pair is a candidate
 * pair, and the same records in any order give the same pairs. Their distance is nearly minimal, without proof. Returns the number of records without
 * a partner whose search hit a limit, or null when cancelled.
 */
export function pairOversized(
  { view, classesA, classesB, scanned, limits, isCancelled, advance, records }: OversizedMatcher,
  component: Component,
  tie: (rowA: number, rowB: number) => void,
): number | null {
  const { scans, window, placesA, placesB, isBarred } = scanned;
  const [first] = scans;
  if (first === undefined) return 0;
  const [ofA, ofB] = [component.a.subarray(component.fromA, component.toA), component.b.subarray(component.fromB, component.toB)];
  const a = oversizedSide({ ...first.a, places: placesA }, classesA, view.sideA.days, ofA, isBarred !== null);
  const b = oversizedSide({ ...first.b, places: placesB }, classesB, view.sideB.days, ofB, isBarred !== null);
  const ofPlaces =
    isBarred === null ? null : (placeA: number, placeB: number): boolean => isBarred(intAt(a.members, placeA), intAt(b.members, placeB));
  const meets = nearestDaysFirst(scans).map(meeting);
  const steps = new OversizedSteps(records, Math.min(a.count, b.count), advance);
  const onPairs = (pairs: number): boolean => {
    steps.pair(pairs);
    return !isCancelled();
  };
  const nearest = new NearestFirst(a, b, window, ofPlaces, onPairs);
  for (const blocks of meets) {
    for (let block = 0; block < blocks.length; block += 1)
      if (intAt(blocks, block) >= 0 && !nearest.pairBlocks(block, intAt(blocks, block))) return null;
    if (!nearest.report()) return null;
  }
  const onRound = (): void => steps.round();
  const onTests = (share: number): void => steps.test(share);
  const search = searchOf(a, b, { meets, window, isBarred: ofPlaces, isCancelled, onRound, onTests, tests: limits.tests });
  const left = augment(search, limits.rounds);
  if (left === null) return null;
  for (let place = 0; place < a.count; place += 1) {
    const mate = intAt(a.mates, place);
    if (mate >= 0) tie(intAt(a.rows, place), intAt(b.rows, mate));
  }
  steps.end();
  return left;
}

/**
 * Progress of a component in records: the first half by pairs while the nearest are paired, the second half by rounds of augmenting paths or by tests
 * of pairs.
 */
class OversizedSteps {
  readonly #records: number;
  readonly #most: number;
  readonly #advance: (records: number) => void;
  #paired = 0;
  #reported = 0;

  /** `most` is the largest possible number of pairs. */
  constructor(records: number, most: number, advance: (records: number) => void) {
    this.#records = records;
    this.#most = most;
    this.#advance = advance;
  }

  pair(pairs: number): void {
    this.#paired += pairs;
    this.#report(Math.floor((this.#records / 2) * (this.#paired / this.#most)));
  }

  round(): void {
    const half = Math.floor(this.#records / 2);
    this.#report(Math.max(half, this.#reported + Math.floor((this.#records - this.#reported) * SHARE_OF_ROUND)));
  }

  /** If pairs must be tested, one round may be most of the work. `share` is the part of the tests that is used up. */
  test(share: number): void {
    this.#report(Math.max(this.#reported, Math.floor((this.#records / 2) * (1 + Math.min(1, share)))));
  }

  end(): void {
    this.#report(this.#records);
  }

  #report(done: number): void {
    this.#advance(done - this.#reported);
    this.#reported = done;
  }
}

/** Returns the scans ordered by the days between both sides; for equal distances, the earlier day first. */
function nearestDaysFirst(scans: readonly Scan[]): Scan[] {
  const middle = (scans.length - 1) / 2;
  const apart = scans.map((scan, index) => ({ scan, days: Math.abs(index - middle), index }));
  return apart.toSorted((left, right) => left.days - right.days || left.index - right.index).map(({ scan }) => scan);
}

function meeting({ a, partner }: Scan): Int32Array {
  return Int32Array.from({ length: a.starts.length - 1 }, (_, block) => partner(block));
}

/** Augmenting paths start from the side with fewer free records, of which most find one. */
function searchOf(a: OversizedSide, b: OversizedSide, given: Omit<AugmentingSearch, 'from' | 'to'>): AugmentingSearch {
  if (a.count < b.count) return { ...given, from: a, to: b };
  const { meets, isBarred } = given;
  const blocksB = b.starts.length - 1;
  return {
    ...given,
    from: b,
    to: a,
    meets: meets.map((blocks) => turned(blocks, blocksB)),
    isBarred: isBarred === null ? null : (from, to) => isBarred(to, from),
  };
}
