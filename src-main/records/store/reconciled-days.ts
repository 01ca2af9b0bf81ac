import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import { COUNTED_IN_PEACE, isSomethingHidden } from './record-conditions.ts';

/** Days since 1970-01-01, both inclusive. */
interface DayRange {
  readonly from: number;
  readonly to: number;
}

interface ReconciledDay {
  readonly day: number;
  /** Whether the day has records that were added after it was noted. */
  readonly isStale: number;
  /** The next day that has records. */
  readonly next: number | null;
}

/**
 * Returns the known ranges of days on which every record of a stream is reconciled, in order. Days without records do not split a range. Correct only
 * while nothing is hidden (`isSomethingHidden`).
 */
export function reconciledStretches(read: ReadHandle, reconciliationId: number, streamId: number): DayRange[] {
  const days = read
    .prepare<[number, number], ReconciledDay>(
      `SELECT d.day,
         EXISTS (SELECT 1 FROM records n INDEXED BY records_day WHERE n.stream_id = d.stream_id AND n.day = d.day AND n.id > d.through) AS isStale,
         (SELECT n.day FROM records n INDEXED BY records_day WHERE n.stream_id = d.stream_id AND n.day > d.day ORDER BY n.day LIMIT 1) AS next
       FROM reconciled_days d WHERE d.stream_id = ? AND d.reconciliation_id = ? ORDER BY d.day`,
    )
    .all(streamId, reconciliationId);
  const stretches: DayRange[] = [];
  let expected: number | null = null;
  for (const { day, isStale, next } of days) {
    const last = stretches.at(-1);
    if (isStale === 0) {
      if (last !== undefined && day === expected) stretches[stretches.length - 1] = { from: last.from, to: day };
      else stretches.push({ from: day, to: day });
    }
    expected = isStale === 0 ? next : null;
  }
  return stretches;
}

/** Returns the parts of `within` outside of the ranges, in order. Ignores short ranges if there would be more than `mostPieces` parts. */
export function outsideOf(stretches: readonly DayRange[], within: DayRange, mostPieces: number): DayRange[] {
  const longest = stretches
    .toSorted((left, right) => right.to - right.from - (left.to - left.from))
    .slice(0, mostPieces - 1)
    .toSorted((left, right) => left.from - right.from);
  const pieces: DayRange[] = [];
  let { from } = within;
  for (const stretch of longest) {
    pieces.push({ from, to: Math.min(stretch.from - 1, within.to) });
    from = Math.max(from, stretch.to + 1);
  }
  pieces.push({ from, to: within.to });
  return pieces.filter((piece) => piece.from <= piece.to);
}

/** Days with more records than this are never noted, because checking one would take long. */
const MOST_OF_A_DAY = 20_000;

/**
 * Notes the reconciled days of a stream from a day on until `isOver` returns true; at least one. Days that are already noted, and days that begin
 * with an open record, take no time. Returns the day to continue from; null at the end, or while something is hidden.
 */
export function noteReconciledDays(
  write: WriteHandle,
  reconciliationId: number,
  streamId: number,
  fromDay: number,
  isOver: () => boolean,
): number | null {
  if (isSomethingHidden(write)) return null;
  const dayFrom = write.prepare<[number, number], { day: number }>(
    'SELECT day FROM records INDEXED BY records_day WHERE stream_id = ? AND day >= ? ORDER BY day LIMIT 1',
  );
  const isLarge = write.prepare<[number, number], unknown>(
    `SELECT 1 FROM records INDEXED BY records_day WHERE stream_id = ? AND day = ? LIMIT 1 OFFSET ${MOST_OF_A_DAY}`,
  );
  const isNoted = write.prepare<[number, number, number], unknown>(
    `SELECT 1 FROM reconciled_days d WHERE d.stream_id = ? AND d.day = ? AND d.reconciliation_id = ? AND NOT EXISTS (
       SELECT 1 FROM records n INDEXED BY records_day WHERE n.stream_id = d.stream_id AND n.day = d.day AND n.id > d.through)`,
  );
  const isOpen = write.prepare<[number, number, number], unknown>(
    `SELECT 1 FROM records r INDEXED BY records_day WHERE r.stream_id = ? AND r.day = ?
       AND NOT EXISTS (${COUNTED_IN_PEACE} AND mr.reconciliation_id = ?) LIMIT 1`,
  );
  const note = write.prepare<[number, number, number], unknown>(
    `INSERT INTO reconciled_days(stream_id, day, reconciliation_id, through) SELECT ?, ?, ?, max(id) FROM records WHERE true
     ON CONFLICT(stream_id, day, reconciliation_id) DO UPDATE SET through = excluded.through`,
  );
  for (let day = dayFrom.get(streamId, fromDay)?.day; day !== undefined; day = dayFrom.get(streamId, day + 1)?.day) {
    const isKnown =
      isNoted.get(streamId, day, reconciliationId) ?? isLarge.get(streamId, day) ?? isOpen.get(streamId, day, reconciliationId);
    if (isKnown === undefined) note.run(streamId, day, reconciliationId);
    if (isOver()) return day + 1;
  }
  return null;
}

/** Forgets that a day is reconciled, because a record of it returned under an old id. */
export function forgetReconciledDay(write: WriteHandle, streamId: number, day: number): void {
  write.prepare<[number, number], unknown>('DELETE FROM reconciled_days WHERE stream_id = ? AND day = ?').run(streamId, day);
}
