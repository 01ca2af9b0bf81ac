import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import type { RecordRow } from '../../database/rows.ts';
import { isPublished, PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';

/** A line that states that it reverses another one. `mark` is JSON. */
export interface NewReversal {
  readonly recordId: number;
  readonly streamId: number;
  readonly mark: string;
}

export function insertReversals(write: WriteHandle, reversals: readonly NewReversal[]): void {
  const statement = write.prepare<[number, number, string], unknown>('INSERT INTO reversals(record_id, stream_id, mark) VALUES (?, ?, ?)');
  for (const { recordId, streamId, mark } of reversals) statement.run(recordId, streamId, mark);
}

/** Returns the condition that record `back` (an alias) reverses record `original`. */
function takesBack(back: string, original: string): string {
  return `${back}.amount = ${original}.amount AND ${back}.direction <> ${original}.direction AND ${back}.currency = ${original}.currency
    AND ${back}.decimal_places = ${original}.decimal_places AND ${back}.stream_id = ${original}.stream_id`;
}

/** Whether the record `r` is visible or belongs to the given batch, which is being written. */
const IN_SIGHT = `(${PUBLISHED_RECORD} OR r.batch_id = ?)`;

/** The parts of a line by which its counterpart is recognised. */
export type TellingRow = Pick<
  RecordRow,
  'id' | 'day' | 'amount' | 'direction' | 'currency' | 'decimal_places' | 'description' | 'external_id' | 'metadata'
>;
const TELLING = 'r.id, r.day, r.amount, r.direction, r.currency, r.decimal_places, r.description, r.external_id, r.metadata';

/**
 * Returns marked lines of a stream on some days that do not reverse a line yet, newest first, including those of the given unpublished batch. Days
 * since 1970-01-01.
 */
export function openReversals(
  read: ReadHandle,
  {
    streamId,
    batchId,
    firstDay,
    lastDay,
  }: { readonly streamId: number; readonly batchId: number; readonly firstDay: number; readonly lastDay: number },
  limit: number,
): (TellingRow & { readonly mark: string })[] {
  return read
    .prepare<[number, number, number, number, number], TellingRow & { mark: string }>(
      `SELECT ${TELLING}, v.mark FROM reversals v INDEXED BY reversals_stream CROSS JOIN records r ON r.id = v.record_id
         LEFT JOIN records o ON o.id = v.reverses_record_id
       WHERE v.stream_id = ? AND ${IN_SIGHT} AND r.day BETWEEN ? AND ?
         AND (o.id IS NULL OR NOT (${isPublished('o')} AND ${takesBack('r', 'o')}))
       ORDER BY v.record_id DESC LIMIT ?`,
    )
    .all(streamId, batchId, firstDay, lastDay, limit);
}

/** A visible reversal `vb` and the visible line `vo` that it reverses. */
const PAIR = `FROM reversals v CROSS JOIN records vb ON vb.id = v.record_id CROSS JOIN records vo ON vo.id = v.reverses_record_id
  WHERE ${isPublished('vb')} AND ${isPublished('vo')} AND ${takesBack('vb', 'vo')}`;
/** Whether the mark counts without a known counterpart; words in a text alone do not. */
const BY_ITSELF = "v.mark ->> 'by' <> 'words'";

/** Whether a record `r` is a reversal or is reversed, as `reversalViews` shows it. */
export const IS_REVERSAL = `(EXISTS (SELECT 1 FROM reversals v WHERE v.record_id = r.id AND ${BY_ITSELF})
  OR EXISTS (SELECT 1 ${PAIR} AND v.record_id = r.id) OR EXISTS (SELECT 1 ${PAIR} AND v.reverses_record_id = r.id))`;
/** Selects the ids of such records, some of them twice. */
export const REVERSAL_IDS = `SELECT v.record_id AS id FROM reversals v WHERE ${BY_ITSELF}
  UNION ALL SELECT v.record_id ${PAIR} UNION ALL SELECT v.reverses_record_id ${PAIR}`;

/** The key by which lines are looked up. */
interface AmountOfStream {
  readonly environmentId: number;
  readonly streamId: number;
  readonly currency: string;
  readonly direction: number;
  /** Minor units. */
  readonly amount: number;
}

/** Returns ids and days of the newest records of the environment with an amount, visible or not; up to `limit`. */
export function recordsOfAmount(read: ReadHandle, { environmentId, currency, direction, amount, streamId }: AmountOfStream, limit: number) {
  const of = 'environment_id = ? AND currency = ? AND direction = ? AND amount = ? ORDER BY id DESC LIMIT ?';
  const values = [environmentId, currency, direction, amount, limit] as const;
  const rows = (from: string): { id: number; day: number; stream_id: number }[] =>
    read
      .prepare<[number, string, number, number, number], { id: number; day: number; stream_id: number }>(
        `SELECT id, day, stream_id FROM ${from} WHERE ${of}`,
      )
      .all(...values);
  const listed = rows('listed_amounts');
  const others = read
    .prepare<[number, string, number, number, number], { id: number; day: number; stream_id: number }>(
      `SELECT id, day, stream_id FROM records INDEXED BY records_all_amount WHERE key_print IS NULL AND ${of}`,
    )
    .all(...values);
  return {
    ofStream: [...listed, ...others].filter((row) => row.stream_id === streamId),
    isCut: listed.length === limit || others.length === limit,
  };
}

/** Returns those of some records that are no reversals and are not reversed yet. A batch that is being written counts too. */
export function mayBeTakenBack(read: ReadHandle, ids: readonly number[], batchId: number): TellingRow[] {
  return read
    .prepare<[string, number, number], TellingRow>(
      `SELECT ${TELLING} FROM json_each(?) j CROSS JOIN records r ON r.id = j.value
       WHERE ${IN_SIGHT} AND NOT EXISTS (SELECT 1 FROM reversals v WHERE v.record_id = r.id)
         AND NOT EXISTS (SELECT 1 FROM reversals v CROSS JOIN records b ON b.id = v.record_id
           WHERE v.reverses_record_id = r.id AND (${isPublished('b')} OR b.batch_id = ?) AND ${takesBack('b', 'r')})
       ORDER BY r.id`,
    )
    .all(JSON.stringify(ids), batchId, batchId);
}

/** Notes that a marked line reverses another one. An earlier reversal of the same line, which no longer counts, is unlinked. */
export function linkReversal(write: WriteHandle, recordId: number, originalId: number): void {
  write.prepare<[number], unknown>('UPDATE reversals SET reverses_record_id = NULL WHERE reverses_record_id = ?').run(originalId);
  write.prepare<[number, number], unknown>('UPDATE reversals SET reverses_record_id = ? WHERE record_id = ?').run(originalId, recordId);
}

export interface ReversalOfRecord {
  readonly record_id: number;
  readonly mark: string;
  readonly reverses_record_id: number | null;
}

/** Returns the reversals among some records, with the lines that they reverse where these are visible. */
export function reversalsOf(read: ReadHandle, recordIds: readonly number[]): ReversalOfRecord[] {
  return read
    .prepare<[string], ReversalOfRecord>(
      `SELECT v.record_id, v.mark, o.id AS reverses_record_id FROM json_each(?) j CROSS JOIN reversals v ON v.record_id = j.value
         CROSS JOIN records r ON r.id = v.record_id
         LEFT JOIN records o ON o.id = v.reverses_record_id AND ${isPublished('o')} AND ${takesBack('r', 'o')}`,
    )
    .all(JSON.stringify(recordIds));
}

/** Returns the visible lines that reverse some records; `record_id` is the reversed line. */
export function reversersOf(
  read: ReadHandle,
  recordIds: readonly number[],
): { readonly record_id: number; readonly reversed_by: number }[] {
  return read
    .prepare<[string], { record_id: number; reversed_by: number }>(
      `SELECT o.id AS record_id, r.id AS reversed_by FROM json_each(?) j CROSS JOIN reversals v ON v.reverses_record_id = j.value
         CROSS JOIN records o ON o.id = v.reverses_record_id CROSS JOIN records r ON r.id = v.record_id
       WHERE ${PUBLISHED_RECORD} AND ${takesBack('r', 'o')}`,
    )
    .all(JSON.stringify(recordIds));
}

/** A reversed line and its reversal, by id. */
interface ReturnedLine {
  readonly originalId: number;
  readonly returnId: number;
}

/** Returns the reversed lines of streams with their reversals, where both are visible. */
export function returnedLines(read: ReadHandle, streamIds: readonly number[]): ReturnedLine[] {
  return read
    .prepare<[string], ReturnedLine>(
      `SELECT o.id AS originalId, r.id AS returnId FROM json_each(?) j CROSS JOIN reversals v INDEXED BY reversals_stream ON v.stream_id = j.value
         CROSS JOIN records r ON r.id = v.record_id CROSS JOIN records o ON o.id = v.reverses_record_id
       WHERE ${PUBLISHED_RECORD} AND ${isPublished('o')} AND ${takesBack('r', 'o')} ORDER BY r.id`,
    )
    .all(JSON.stringify(streamIds));
}
