import { ExactSum, safeNumber } from './exact-sum.ts';
import type { LedgerInput, LedgerRecord } from './input.ts';
import type { OpenItem, Statement } from './statement.ts';

/** Last day of each bucket; the final bucket has no last day. */
export const AGE_BOUNDS: readonly number[] = [7, 30, 60];
/** With fewer observations it is unknown when an item should clear. */
const LEAST_OBSERVATIONS = 10;

/** Open items of an age range. Signed minor units as the records have them; null beyond 2^53 - 1. */
export interface AgeBucket {
  /** Days, both included; `to` is null for the last bucket. */
  readonly from: number;
  readonly to: number | null;
  readonly count: number;
  readonly receipts: number | null;
  readonly payments: number | null;
  readonly net: number | null;
}

/** Returns the open items by their age on a day. */
export function ageBuckets(openItems: readonly OpenItem[], day: number, bounds: readonly number[] = AGE_BOUNDS): AgeBucket[] {
  const sums = [...bounds, null].map(() => ({ receipts: new ExactSum(), payments: new ExactSum() }));
  for (const { record } of openItems) {
    const age = Math.max(0, day - record.day);
    const place = bounds.findIndex((bound) => age <= bound);
    const bucket = sums.at(place);
    (record.amount < 0 ? bucket?.payments : bucket?.receipts)?.add(record.amount);
  }
  return sums.map(({ receipts, payments }, place) => ({
    from: place === 0 ? 0 : (bounds[place - 1] ?? 0) + 1,
    to: bounds[place] ?? null,
    count: receipts.count + payments.count,
    receipts: safeNumber(receipts.total),
    payments: safeNumber(payments.total),
    net: safeNumber(receipts.total + payments.total),
  }));
}

/** Days until the other side had the lines of a stream. */
interface ClearingTime {
  readonly streamId: number;
  readonly isPayment: boolean;
  readonly observations: number;
  /** Days within which half of them had cleared. */
  readonly median: number;
  /** Days within which 95 of 100 had cleared. */
  readonly late: number;
}

export type ClearingTimes = ReadonlyMap<string, ClearingTime>;

function keyOf({ streamId, amount }: Pick<LedgerRecord, 'streamId' | 'amount'>): string {
  return `${streamId} ${amount < 0 ? 'payments' : 'receipts'}`;
}

/** Returns the smallest value that at least this share of the values does not exceed. */
function percentile(ascending: readonly number[], hundredths: number): number {
  return ascending[Math.ceil((ascending.length * hundredths) / 100) - 1] ?? 0;
}

/** Returns the clearing times of the matches that are cleared as of the last day, with receipts and payments of each stream separately. */
export function clearingTimes(
  { records }: Pick<LedgerInput, 'records'>,
  { clearedMatches }: Pick<Statement, 'clearedMatches'>,
): ClearingTimes {
  const byId = new Map(records.filter(({ isAdjustment }) => !isAdjustment).map((record) => [record.id, record]));
  const seen = new Map<string, { readonly streamId: number; readonly isPayment: boolean; readonly days: number[] }>();
  for (const { recordIds } of clearedMatches) {
    const lines = recordIds.flatMap((id) => byId.get(id) ?? []);
    const last = { bank: Number.NEGATIVE_INFINITY, books: Number.NEGATIVE_INFINITY };
    for (const { side, day } of lines) last[side] = Math.max(last[side], day);
    for (const line of lines) {
      const cleared = last[line.side === 'bank' ? 'books' : 'bank'];
      if (cleared === Number.NEGATIVE_INFINITY) continue;
      const key = keyOf(line);
      const known = seen.get(key) ?? { streamId: line.streamId, isPayment: line.amount < 0, days: [] };
      known.days.push(Math.max(0, cleared - line.day));
      seen.set(key, known);
    }
  }
  return new Map(
    [...seen].map(([key, { streamId, isPayment, days }]) => {
      const ascending = days.toSorted((left, right) => left - right);
      return [key, { streamId, isPayment, observations: days.length, median: percentile(ascending, 50), late: percentile(ascending, 95) }];
    }),
  );
}

export interface ItemAge {
  /** Days from the record to the last day of the period. */
  readonly days: number;
  /** Day by which half of the similar items had cleared; null if too few were seen. */
  readonly expected: number | null;
  /** Whether it is older than 95 of 100 similar items were. */
  readonly isLate: boolean;
}

/** Returns the age of an open item on a day, and when it should clear. */
export function ageOf({ record }: OpenItem, day: number, times: ClearingTimes): ItemAge {
  const days = Math.max(0, day - record.day);
  const like = times.get(keyOf(record));
  if (like === undefined || like.observations < LEAST_OBSERVATIONS) return { days, expected: null, isLate: false };
  return { days, expected: record.day + like.median, isLate: days > like.late };
}

/** Returns the days within which 95 of 100 similar lines had cleared; null if too few were seen. */
export function lateOf(times: ClearingTimes, record: Pick<LedgerRecord, 'streamId' | 'amount'>): number | null {
  const like = times.get(keyOf(record));
  return like === undefined || like.observations < LEAST_OBSERVATIONS ? null : like.late;
}
