import { present } from '../../../src-shared/values/assert.ts';
import type { ReadHandle } from '../../database/database.ts';
import { isPublished, PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { UNWIPED_RECORD } from './records.ts';

/** Amounts of one currency and direction, in minor units. */
export interface MoneyOfLines {
  readonly currency: string;
  /** 1 for credit, 0 for debit. */
  readonly direction: 0 | 1;
  readonly amounts: readonly number[];
}

/** A record by its amount and day. */
interface RecordOfMoney {
  readonly id: number;
  readonly amount: number;
  /** Days since 1970-01-01. */
  readonly day: number;
}

/**
 * Returns the records of a stream that have one of the amounts, in no order, from the list of amounts and from the index: the first `limit`, or all
 * for -1. Leaves out imports in progress.
 */
export function recordsOfMoney(
  read: ReadHandle,
  environmentId: number,
  streamId: number,
  { currency, direction, amounts }: MoneyOfLines,
  limit = -1,
): RecordOfMoney[] {
  const wanted = JSON.stringify(amounts);
  return read
    .prepare<(string | number)[], RecordOfMoney>(
      `SELECT l.id, l.amount, l.day FROM json_each(?) j CROSS JOIN listed_amounts l
         ON l.environment_id = ? AND l.currency = ? AND l.direction = ? AND l.amount = j.value WHERE l.stream_id = ? AND ${isPublished('l')}
       UNION ALL SELECT r.id, r.amount, r.day FROM json_each(?) j CROSS JOIN records r INDEXED BY records_all_amount
         ON r.environment_id = ? AND r.currency = ? AND r.direction = ? AND r.amount = j.value AND r.key_print IS NULL WHERE r.stream_id = ? AND ${PUBLISHED_RECORD} LIMIT ?`,
    )
    .all(wanted, environmentId, currency, direction, streamId, wanted, environmentId, currency, direction, streamId, limit);
}

/** The texts of a record, and the import that brought it. */
interface WordsOfRecord {
  readonly id: number;
  readonly description: string | null;
  /** JSON. */
  readonly metadata: string;
  readonly external_id: string | null;
  readonly dedupe_key: string | null;
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly value_day: number | null;
  readonly amount: number;
  readonly direction: number;
  readonly currency: string;
  readonly decimal_places: number;
  readonly batch_id: number | null;
  /** Null for a record that no import brought. */
  readonly format: string | null;
  readonly filename: string | null;
}

/** Returns the visible records among `ids`, in id order. */
export function wordsOfRecords(read: ReadHandle, ids: readonly number[]): WordsOfRecord[] {
  return read
    .prepare<[string], WordsOfRecord>(
      `SELECT r.id, r.description, r.metadata, r.external_id, r.dedupe_key, r.day, r.value_day, r.amount, r.direction, r.currency, r.decimal_places, r.batch_id, b.format, b.filename FROM json_each(?) j CROSS JOIN records r ON r.id = j.value
         LEFT JOIN import_batches b ON b.id = r.batch_id WHERE ${PUBLISHED_RECORD} AND ${UNWIPED_RECORD} ORDER BY r.id`,
    )
    .all(JSON.stringify(ids));
}

/** The highest number of records without an import that are counted; more make no difference to how often amounts coincide. */
const LOOSE = 20_000;

interface ExtentOfStream {
  readonly lines: number;
  /** From the first to the last, inclusive. */
  readonly days: number;
  /** Null if the stream has no lines. */
  readonly lastDay: number | null;
}

/** Returns the number of lines and of days of a stream. Leaves out an import in progress. */
export function extentOfStream(read: ReadHandle, streamId: number): ExtentOfStream {
  const found = read
    .prepare<[number], { lines: number | null; first: number | null; last: number | null }>(
      `SELECT sum(kept) AS lines, min(date_start) AS first, max(date_end) AS last FROM import_batches
       WHERE stream_id = ? AND writing = 0 AND wiped_by IS NULL AND id > 0`,
    )
    .get(streamId);
  const loose = read
    .prepare<[number], { lines: number }>(
      `SELECT count(*) AS lines FROM (SELECT 1 FROM records INDEXED BY records_loose WHERE stream_id = ? AND batch_id IS NULL LIMIT ${LOOSE})`,
    )
    .get(streamId);
  // With records that came singly, the days are those of all records: the index has the first and the last.
  const all =
    loose === undefined || loose.lines === 0
      ? undefined
      : read
          .prepare<[number, number], { first: number | null; last: number | null }>(
            `SELECT (SELECT min(day) FROM records INDEXED BY records_day WHERE stream_id = ?) AS first,
               (SELECT max(day) FROM records INDEXED BY records_day WHERE stream_id = ?) AS last`,
          )
          .get(streamId, streamId);
  const [first, last] = [all?.first ?? found?.first ?? null, all?.last ?? found?.last ?? null];
  return { lines: (found?.lines ?? 0) + (loose?.lines ?? 0), days: first === null || last === null ? 0 : last - first + 1, lastDay: last };
}

/** The content of a line of a batch. */
interface LineOfSample {
  readonly day: number;
  readonly amount: number;
  readonly direction: 0 | 1;
  readonly currency: string;
  readonly decimal_places: number;
  readonly description: string | null;
  readonly external_id: string | null;
  readonly dedupe_key: string;
}

/** Returns every `step`-th record of a batch in an inclusive range of ids. */
export function sampleOfBatch(read: ReadHandle, batchId: number, from: number, to: number, step: number): LineOfSample[] {
  return read
    .prepare<[number, number, number, number, number], LineOfSample>(
      `SELECT day, amount, direction, currency, decimal_places, description, external_id, dedupe_key FROM records NOT INDEXED
       WHERE id BETWEEN ? AND ? AND batch_id = ? AND (id - ?) % ? = 0`,
    )
    .all(from, to, batchId, from, step);
}

/** Returns the number of visible records of a stream on the given days, inclusive. */
export function recordsOfDays(read: ReadHandle, streamId: number, firstDay: number, lastDay: number): number {
  return present(
    read
      .prepare<[number, number, number], { count: number }>(
        `SELECT count(*) AS count FROM records r WHERE r.stream_id = ? AND r.day BETWEEN ? AND ? AND ${PUBLISHED_RECORD} AND ${UNWIPED_RECORD}`,
      )
      .get(streamId, firstDay, lastDay),
    'count',
  ).count;
}

/** The key of a record, and where it belongs. */
interface KeyOfDay {
  readonly id: number;
  readonly batch_id: number | null;
  readonly day: number;
  readonly currency: string;
  readonly dedupe_key: string | null;
}

/** Returns the keys of the visible records of a stream on some days, in the order of the days. */
export function keysOfDays(read: ReadHandle, streamId: number, { firstDay, lastDay }: Pick<MoneyOfDays, 'firstDay' | 'lastDay'>) {
  return read
    .prepare<[number, number, number], KeyOfDay>(
      `SELECT r.id, r.batch_id, r.day, r.currency, r.dedupe_key FROM records r
       WHERE r.stream_id = ? AND r.day BETWEEN ? AND ? AND ${PUBLISHED_RECORD} AND ${UNWIPED_RECORD} ORDER BY r.day, r.id`,
    )
    .iterate(streamId, firstDay, lastDay);
}

/** Returns the number of visible records of a stream on each of some days that has any. */
export function countsOfDays(
  read: ReadHandle,
  streamId: number,
  { firstDay, lastDay }: Pick<MoneyOfDays, 'firstDay' | 'lastDay'>,
): { readonly day: number; readonly count: number }[] {
  return read
    .prepare<[number, number, number], { day: number; count: number }>(
      `SELECT r.day, count(*) AS count FROM records r
       WHERE r.stream_id = ? AND r.day BETWEEN ? AND ? AND ${PUBLISHED_RECORD} AND ${UNWIPED_RECORD} GROUP BY r.day ORDER BY r.day`,
    )
    .all(streamId, firstDay, lastDay);
}

/** Returns those of some days on which a stream has visible records beside the given ones. */
export function daysOfOthers(
  read: ReadHandle,
  streamId: number,
  { days, ids }: { readonly days: readonly number[]; readonly ids: readonly number[] },
): Set<number> {
  const rows = read
    .prepare<[string, number, string], { day: number }>(
      `SELECT DISTINCT r.day FROM json_each(?) d CROSS JOIN records r ON r.stream_id = ? AND r.day = d.value
       WHERE r.id NOT IN (SELECT value FROM json_each(?)) AND ${PUBLISHED_RECORD} AND ${UNWIPED_RECORD}`,
    )
    .all(JSON.stringify(days), streamId, JSON.stringify(ids));
  return new Set(rows.map(({ day }) => day));
}

/** The days (inclusive) and the currency that `sumOfDays` sums. */
interface MoneyOfDays {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly currency: string;
  readonly decimalPlaces: number;
}

/**
 * Returns the signed sum, in minor units, of a stream's visible records on some days in a currency; null if some have other decimals or the sum is
 * too large.
 */
export function sumOfDays(read: ReadHandle, streamId: number, { firstDay, lastDay, currency, decimalPlaces }: MoneyOfDays): number | null {
  const sums = read
    .prepare<[number, number, number, string], { places: number; sum: number }>(
      `SELECT r.decimal_places AS places, sum(CASE WHEN r.direction = 1 THEN r.amount ELSE -r.amount END) AS sum FROM records r
       WHERE r.stream_id = ? AND r.day BETWEEN ? AND ? AND r.currency = ? AND ${PUBLISHED_RECORD} AND ${UNWIPED_RECORD} GROUP BY r.decimal_places`,
    )
    .all(streamId, firstDay, lastDay, currency);
  const [first, ...others] = sums;
  if (first === undefined) return 0;
  return others.length > 0 || first.places !== decimalPlaces || !Number.isSafeInteger(first.sum) ? null : first.sum;
}
