import { businessDayOf } from '../../../../src-shared/values/civil-date.ts';

/** The days that one statement covers of an account. Days since 1970-01-01, both included; balances in signed minor units. */
export interface CoveredPeriod {
  readonly batchId: number;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly openingMinor: number | null;
  readonly closingMinor: number | null;
}

export interface DayRange {
  readonly firstDay: number;
  readonly lastDay: number;
}

/**
 * Why days between two statements are not covered. `missing`: the balances around them differ; `quiet`: they are equal, so nothing can be missing;
 * `weekend`: they contain no working day, and no balance contradicts that; `unknown`: the files do not show it.
 */
type GapKind = 'missing' | 'quiet' | 'weekend' | 'unknown';

interface CoverageGap extends DayRange {
  readonly kind: GapKind;
  /** Opening balance after the gap minus closing balance before it; null where one of them is not stated. */
  readonly differenceMinor: number | null;
}

interface CoverageOverlap extends DayRange {
  readonly batchIds: readonly number[];
}

/** Two statements on consecutive days whose balances do not match. */
interface BalanceBreak {
  /** First day of the later statement. */
  readonly day: number;
  readonly earlierBatchId: number;
  readonly laterBatchId: number;
  readonly closingMinor: number;
  readonly openingMinor: number;
}

interface Coverage {
  readonly covered: readonly DayRange[];
  readonly gaps: readonly CoverageGap[];
  readonly overlaps: readonly CoverageOverlap[];
  readonly breaks: readonly BalanceBreak[];
}

/** Returns the days that the statements of one account cover, the gaps between them, and the days that two or more cover. */
export function coverageOf(periods: readonly CoveredPeriod[]): Coverage {
  const ordered = periods.toSorted(inOrder);
  const covered: { firstDay: number; lastDay: number }[] = [];
  const gaps: CoverageGap[] = [];
  const breaks: BalanceBreak[] = [];
  /** The period that ends last so far: its closing balance is the last known. */
  let furthest: CoveredPeriod | null = null;
  for (const period of ordered) {
    const open = covered.at(-1);
    if (open === undefined || furthest === null) covered.push({ firstDay: period.firstDay, lastDay: period.lastDay });
    else if (period.firstDay <= open.lastDay + 1) {
      if (period.firstDay === furthest.lastDay + 1) breaks.push(...breakBetween(furthest, period));
      open.lastDay = Math.max(open.lastDay, period.lastDay);
    } else {
      gaps.push(gapBetween(furthest, period));
      covered.push({ firstDay: period.firstDay, lastDay: period.lastDay });
    }
    if (furthest === null || period.lastDay > furthest.lastDay || tellsCloseOf(furthest, period)) furthest = period;
  }
  return { covered, gaps, overlaps: overlapsOf(ordered), breaks };
}

/** Orders periods by their days; of those that begin on one day, one with an opening balance comes first, so that the input order does not matter. */
function inOrder(left: CoveredPeriod, right: CoveredPeriod): number {
  return (
    left.firstDay - right.firstDay ||
    Number(left.openingMinor === null) - Number(right.openingMinor === null) ||
    left.lastDay - right.lastDay ||
    left.batchId - right.batchId ||
    (left.openingMinor ?? 0) - (right.openingMinor ?? 0) ||
    (left.closingMinor ?? Number.POSITIVE_INFINITY) - (right.closingMinor ?? Number.POSITIVE_INFINITY) ||
    0
  );
}

/** Whether `period` states the closing balance of a day on which `untold` ends without one. */
function tellsCloseOf(untold: CoveredPeriod, period: CoveredPeriod): boolean {
  return period.lastDay === untold.lastDay && untold.closingMinor === null && period.closingMinor !== null;
}

function gapBetween(before: CoveredPeriod, after: CoveredPeriod): CoverageGap {
  const firstDay = before.lastDay + 1;
  const lastDay = after.firstDay - 1;
  const differenceMinor = before.closingMinor === null || after.openingMinor === null ? null : after.openingMinor - before.closingMinor;
  const isWeekend = weekdaysIn({ firstDay, lastDay }) === 0;
  const kind = differenceMinor === null ? (isWeekend ? 'weekend' : 'unknown') : differenceMinor === 0 ? 'quiet' : 'missing';
  return { firstDay, lastDay, kind, differenceMinor };
}

function breakBetween(earlier: CoveredPeriod, later: CoveredPeriod): BalanceBreak[] {
  const { closingMinor } = earlier;
  const { openingMinor } = later;
  if (closingMinor === null || openingMinor === null || closingMinor === openingMinor) return [];
  return [{ day: later.firstDay, earlierBatchId: earlier.batchId, laterBatchId: later.batchId, closingMinor, openingMinor }];
}

/** Days from Monday to Friday in a range. */
export function weekdaysIn({ firstDay, lastDay }: DayRange): number {
  return businessDayOf(lastDay + 1) - businessDayOf(firstDay);
}

/** Returns ranges of days that two or more statements cover, each with the same statements throughout. */
function overlapsOf(ordered: readonly CoveredPeriod[]): CoverageOverlap[] {
  const edges = [...new Set(ordered.flatMap((period) => [period.firstDay, period.lastDay + 1]))].toSorted((left, right) => left - right);
  const overlaps: CoverageOverlap[] = [];
  let open: CoveredPeriod[] = [];
  let next = 0;
  for (const [index, edge] of edges.entries()) {
    open = open.filter((period) => period.lastDay >= edge);
    for (let period = ordered[next]; period !== undefined && period.firstDay === edge; period = ordered[next]) {
      open.push(period);
      next += 1;
    }
    const end = edges[index + 1];
    if (open.length < 2 || end === undefined) continue;
    const batchIds = [...new Set(open.map((period) => period.batchId))].toSorted((left, right) => left - right);
    if (batchIds.length < 2) continue;
    // Files of a statement overlap day by day: that is one range.
    const before = overlaps.at(-1);
    const goesOn = before !== undefined && before.lastDay === edge - 1 && before.batchIds.join() === batchIds.join();
    if (goesOn) overlaps[overlaps.length - 1] = { ...before, lastDay: end - 1 };
    else overlaps.push({ firstDay: edge, lastDay: end - 1, batchIds });
  }
  return overlaps;
}
