import { phrase } from '../../../../src-shared/words/say.ts';
import { IntList } from '../../collections/growable-array.ts';
import { intAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import type { PairTest, RuleView } from '../comparison/predicate.ts';
import type { EngineFailure } from '../model/input.ts';
import { MAX_CANDIDATE_PAIRS, millions } from '../model/limits.ts';
import type { Watch } from '../model/watch.ts';
import { type Classes, sizeOf } from './equivalence-classes.ts';
import { missingCondition, type Plan } from './plan.ts';
import type { Scan } from './scan.ts';
import { endAt, startAt } from './sweep-windows.ts';

/** Pairs of classes that the rule allows. The pairs of class i of side A are `columns[starts[i]] .. columns[starts[i + 1]]`, ascending. */
export interface Candidates {
  readonly starts: Int32Array;
  readonly columns: Int32Array;
}

/** Number of tests between two checks of the cancel flag. A test of two long texts may take a tenth of a millisecond. */
const TESTS_PER_LOOK = 1 << 13;

/** Share of the scans in the progress of a rule's first stage. */
const OF_SCANS = 3 / 4;

/** Runs the scans of a plan and keeps the pairs that pass the test. Returns null when cancelled. */
export function findCandidates(plan: Plan, classesA: Classes, classesB: Classes, test: PairTest, watch: Watch): Candidates | null {
  const left = new IntList();
  const right = new IntList();
  for (const scan of plan.scans) {
    const advance = (records: number): void => watch.advance((records * OF_SCANS) / plan.scans.length);
    if (!runScan(scan, classesA, classesB, test, { advance, isCancelled: watch.isCancelled }, left, right)) return null;
  }
  const keys = left.items.subarray(0, left.length);
  const starts = rangeStarts(keys, classesA.count);
  const columns = layOut(keys, starts).map((position) => intAt(right.items, position));
  return sortedAndDistinct(starts, columns);
}

function runScan(
  scan: Scan,
  classesA: Classes,
  classesB: Classes,
  test: PairTest,
  watch: Pick<Watch, 'advance' | 'isCancelled'>,
  left: IntList,
  right: IntList,
): boolean {
  let tests = 0;
  for (let position = 0; position < scan.orderA.length; position += 1) {
    const a = intAt(scan.orderA, position);
    const rowA = intAt(classesA.first, a);
    const start = startAt(scan, position);
    const end = endAt(scan, position);
    for (let other = start; other < end; other += 1) {
      const b = intAt(scan.orderB, other);
      if (!test(rowA, intAt(classesB.first, b))) continue;
      left.push(a);
      right.push(b);
    }
    tests += end - start + 1;
    watch.advance(sizeOf(classesA, a));
    if (tests < TESTS_PER_LOOK) continue;
    tests = 0;
    if (watch.isCancelled()) return false;
  }
  return !watch.isCancelled();
}

/** Removes duplicates, because the scans of an `or` may find a pair twice. */
function sortedAndDistinct(starts: Int32Array, columns: Int32Array): Candidates {
  const distinctStarts = new Int32Array(starts.length);
  let length = 0;
  for (let row = 0; row + 1 < starts.length; row += 1) {
    distinctStarts[row] = length;
    const from = intAt(starts, row);
    const to = intAt(starts, row + 1);
    const sorted = to - from > 1 ? columns.subarray(from, to).toSorted() : columns.subarray(from, to);
    let previous = -1;
    for (const column of sorted) {
      if (column === previous) continue;
      columns[length] = column;
      length += 1;
      previous = column;
    }
  }
  distinctStarts[starts.length - 1] = length;
  return { starts: distinctStarts, columns: columns.subarray(0, length) };
}

/**
 * Returns the error for a rule whose plan is too wide, naming a condition that would narrow it. If every alternative is already narrowed, the remedy
 * is to split them into rules.
 */
export function tooManyPairs(ruleId: number, { pairs, isNarrowed }: Pick<Plan, 'pairs' | 'isNarrowed'>, view: RuleView): EngineFailure {
  const remedy = isNarrowed
    ? phrase('rules.tooManyCandidates.giveEachAlternative')
    : phrase('rules.tooManyCandidates.addToNarrowIt', { missingCondition: missingCondition(view) });
  const message = phrase('rules.tooManyCandidates.ruleWouldCompareAboutMillion', {
    ruleId,
    millions: millions(pairs),
    millions2: millions(MAX_CANDIDATE_PAIRS),
    remedy,
  });
  return { code: 'too_many_candidates', message, ruleId };
}
