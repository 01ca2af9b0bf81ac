/** Number of records of a side on a day. */
export interface DayCount {
  readonly day: number;
  readonly count: number;
}

/** Whole days, first and last included. */
interface SampleWindow {
  readonly firstDay: number;
  readonly lastDay: number;
}

interface SamplePlan {
  readonly windows: readonly SampleWindow[];
  /**
   * Records are sampled if the remainder of their amount by `AMOUNT_CLASSES` is below this number. Equal to `AMOUNT_CLASSES` if the days alone limit
   * the sample enough.
   */
  readonly amountClasses: number;
}

/** A prime, so that round amounts are spread over the classes. */
export const AMOUNT_CLASSES = 997;
/** Number of ranges of days from which a large book is sampled. */
const WINDOWS = 3;

/**
 * Returns which records to examine. Counterparts are within days of each other, so whole ranges of consecutive days are taken, from the beginning,
 * the middle and the end of the days that both sides have. If single days hold too many records, the sample is thinned by amount, which keeps
 * counterparts of equal amounts together. The plan does not depend on the order in which records were stored.
 *
 * @param limit records of a side to examine; the result is below twice this number if days allow it
 */
export function planSample(sideA: readonly DayCount[], sideB: readonly DayCount[], limit: number): SamplePlan {
  const days = [...sideA, ...sideB].map(({ day }) => day);
  if (days.length === 0) return { windows: [], amountClasses: AMOUNT_CLASSES };
  const first = days.reduce((least, day) => Math.min(least, day));
  const last = days.reduce((most, day) => Math.max(most, day));
  const all: SamplePlan = { windows: [{ firstDay: first, lastDay: last }], amountClasses: AMOUNT_CLASSES };
  if (total(sideA) <= limit && total(sideB) <= limit) return all;
  const firsts = [sideA, sideB].map((side) => side.reduce((least, { day }) => Math.min(least, day), last));
  const lasts = [sideA, sideB].map((side) => side.reduce((most, { day }) => Math.max(most, day), first));
  const from = Math.max(...firsts);
  const to = Math.min(...lasts);
  if (from > to) return thinned(all.windows, sideA, sideB, limit);
  const windows: SampleWindow[] = [];
  for (let index = 0; index < WINDOWS; index += 1) {
    const start = from + Math.floor(((to - from + 1) * index) / WINDOWS);
    const end = from + Math.floor(((to - from + 1) * (index + 1)) / WINDOWS) - 1;
    if (end >= start) windows.push({ firstDay: start, lastDay: grown(start, end, sideA, sideB, Math.floor(limit / WINDOWS)) });
  }
  return thinned(windows, sideA, sideB, limit);
}

/** Returns the last day of a window from `start` on with at most `limit` records of a side, but at least one day. */
function grown(start: number, end: number, sideA: readonly DayCount[], sideB: readonly DayCount[], limit: number): number {
  const counts = [sideA, sideB].map((side) => new Map(side.map(({ day, count }) => [day, count])));
  const held = counts.map(() => 0);
  for (let day = start; day <= end; day += 1) {
    for (const [index, byDay] of counts.entries()) held[index] = (held[index] ?? 0) + (byDay.get(day) ?? 0);
    if (held.some((count) => count > limit) && day > start) return day - 1;
  }
  return end;
}

function thinned(windows: readonly SampleWindow[], sideA: readonly DayCount[], sideB: readonly DayCount[], limit: number): SamplePlan {
  const inside = ({ day }: DayCount): boolean => windows.some(({ firstDay, lastDay }) => day >= firstDay && day <= lastDay);
  const held = Math.max(total(sideA.filter(inside)), total(sideB.filter(inside)));
  const share = held <= 2 * limit ? 1 : limit / held;
  return { windows, amountClasses: Math.max(1, Math.floor(AMOUNT_CLASSES * share)) };
}

function total(side: readonly DayCount[]): number {
  return side.reduce((sum, { count }) => sum + count, 0);
}

/** Returns whether a record is in the sample. */
export function isSampled({ windows, amountClasses }: SamplePlan, record: { readonly day: number; readonly amountMinor: number }): boolean {
  return (
    record.amountMinor % AMOUNT_CLASSES < amountClasses &&
    windows.some(({ firstDay, lastDay }) => record.day >= firstDay && record.day <= lastDay)
  );
}

/** Returns the number of records by day, ascending. */
export function countByDay(records: readonly { readonly day: number }[]): DayCount[] {
  const counts = new Map<number, number>();
  for (const { day } of records) counts.set(day, (counts.get(day) ?? 0) + 1);
  return [...counts].map(([day, count]) => ({ day, count })).toSorted((left, right) => left.day - right.day);
}
