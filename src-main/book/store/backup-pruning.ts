/** The facts that decide which backups are deleted. */
export interface Prunable {
  readonly name: string;
  readonly madeAtMs: number;
  /** Whether a person asked for it. */
  readonly isByHand: boolean;
  /** Whether it was made only so that a sync without deletions can be undone. */
  readonly isForUndo?: boolean;
  /** Whether it was checked when it was written, and still has the same length. */
  readonly isGood: boolean;
}

export const KEPT_DAYS = 14;
export const KEPT_MONTHS = 12;
/** Only this many of the newest such syncs can be undone; a schedule makes many of them a day. */
const KEPT_FOR_UNDO = 5;
const DAY_MS = 86_400_000;

/** Returns the months since the year 0, in UTC. */
function monthOf(atMs: number): number {
  const date = new Date(atMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/**
 * Returns the names of the backups to delete. Keeps all for 14 days, and the last good one of each of the last 12 months. A backup that a person
 * asked for is never deleted, nor is the last good one. A backup that is not good does not count as the last of a month.
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
