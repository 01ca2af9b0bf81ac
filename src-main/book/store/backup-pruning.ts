/** What is known of a backup when it is decided which ones go. */
export interface Prunable {
  readonly name: string;
  readonly madeAtMs: number;
  /** Made because somebody asked for it. */
  readonly isByHand: boolean;
  /** Made before a sync that brings something and deletes nothing, only so that it can be undone. */
  readonly isForUndo?: boolean;
  /** It was checked when it was written, and has the same length as then. */
  readonly isGood: boolean;
}

export const KEPT_DAYS = 14;
export const KEPT_MONTHS = 12;
/** So many of the newest syncs that only bring something can be undone: with a schedule there are many of them a day. */
const KEPT_FOR_UNDO = 5;
const DAY_MS = 86_400_000;

/** Months since the year 0, in UTC. */
function monthOf(atMs: number): number {
  const date = new Date(atMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/**
 * Names of the backups that go: all are kept for 14 days, and of each of the last 12 months the last good one. What somebody asked for stays
 * until somebody deletes it, and so does the last good one, however old it is. A backup that is not good takes no other one's place.
 */
export function toPrune(backups: readonly Prunable[], nowMs: number): string[] {
  const newestFirst = backups.toSorted((left, right) => right.madeAtMs - left.madeAtMs || (left.name < right.name ? 1 : -1));
  const months = new Set<number>();
  const thisMonth = monthOf(nowMs);
  let hasGood = false;
  let forUndo = 0;
  return newestFirst
    .filter(({ madeAtMs, isByHand, isGood, isForUndo = false }) => {
      if (isForUndo) {
        forUndo += 1;
        return forUndo > KEPT_FOR_UNDO || nowMs - madeAtMs >= KEPT_DAYS * DAY_MS;
      }
      const month = monthOf(madeAtMs);
      const isLastOfMonth = isGood && !months.has(month) && thisMonth - month < KEPT_MONTHS;
      const isLastGood = isGood && !hasGood;
      if (isGood) {
        months.add(month);
        hasGood = true;
      }
      return !(isByHand || isLastGood || isLastOfMonth || nowMs - madeAtMs < KEPT_DAYS * DAY_MS);
    })
    .map(({ name }) => name);
}
