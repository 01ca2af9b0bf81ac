import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import type { RecordRow } from '../../database/rows.ts';
import { isPublished, PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';

/** A line that says that it takes another one back. `mark` is JSON. */
export interface NewReversal {
  readonly recordId: number;
  readonly streamId: number;
  readonly mark: string;
}

export function insertReversals(write: WriteHandle, reversals: readonly NewReversal[]): void {
  const statement = write.prepare<[number, number, string], unknown>('INSERT INTO reversals(record_id, stream_id, mark) VALUES (?, ?, ?)');
  for (const { recordId, streamId, mark } of reversals) statement.run(recordId, streamId, mark);
}

/** Whether of two records, by their aliases, one takes the other back. */
function takesBack(back: string, original: string): string {
  return `${back}.amount = ${original}.amount AND ${back}.direction <> ${original}.direction AND ${back}.currency = ${original}.currency
    AND ${back}.decimal_places = ${original}.decimal_places AND ${back}.stream_id = ${original}.stream_id`;
}

/** Whether the record `r` is seen, or of a batch that is being written. */
const IN_SIGHT = `(${PUBLISHED_RECORD} OR r.batch_id = ?)`;

/** The parts of a line by which its counterpart is recognised. */
export type TellingRow = Pick<
  RecordRow,
  'id' | 'day' | 'amount' | 'direction' | 'currency' | 'decimal_places' | 'description' | 'external_id' | 'metadata'
>;
const TELLING = 'r.id, r.day, r.amount, r.direction, r.currency, r.decimal_places, r.description, r.external_id, r.metadata';

/** Marked lines of a stream that take no line back yet, some days, the newest first; those of a batch that nobody sees yet are among them. Days since 1970-01-01. */
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

/** A return and the line that it takes back, both seen. */
const PAIR = `FROM reversals v CROSS JOIN records vb ON vb.id = v.record_id CROSS JOIN records vo ON vo.id = v.reverses_record_id
  WHERE ${isPublished('vb')} AND ${isPublished('vo')} AND ${takesBack('vb', 'vo')}`;
/** Whether the mark counts without a known counterpart. Mere words in a text do not. */
const BY_ITSELF = "v.mark ->> 'by' <> 'words'";

/** Whether a record `r` says that it is a return, or is taken back by one: what `reversalViews` tells. */
export const IS_REVERSAL = `(EXISTS (SELECT 1 FROM reversals v WHERE v.record_id = r.id AND ${BY_ITSELF})
  OR EXISTS (SELECT 1 ${PAIR} AND v.record_id = r.id) OR EXISTS (SELECT 1 ${PAIR} AND v.reverses_record_id = r.id))`;
/** SELECT of the ids of such records, some of them twice. */
export const REVERSAL_IDS = `SELECT v.record_id AS id FROM reversals v WHERE ${BY_ITSELF}
  UNION ALL SELECT v.record_id ${PAIR} UNION ALL SELECT v.reverses_record_id ${PAIR}`;

/** What lines are looked for by. */
interface AmountOfStream {
  readonly environmentId: number;
  readonly streamId: number;
  readonly currency: string;
  readonly direction: number;
  /** Minor units. */
  readonly amount: number;
}

/** Ids and days of the newest records of the environment with an amount, whether seen or not; up to `limit`. */
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

/** Of some records those that are no reversals themselves, and that none takes back yet. A batch that is being written is looked at as well. */
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

/** Notes that a marked line takes another one back. What did so before, and does not count any more, lets go of it. */
export function linkReversal(write: WriteHandle, recordId: number, originalId: number): void {
  write.prepare<[number], unknown>('UPDATE reversals SET reverses_record_id = NULL WHERE reverses_record_id = ?').run(originalId);
  write.prepare<[number, number], unknown>('UPDATE reversals SET reverses_record_id = ? WHERE record_id = ?').run(originalId, recordId);
}

export interface ReversalOfRecord {
  readonly record_id: number;
  readonly mark: string;
  readonly reverses_record_id: number | null;
}

/** What is known of reversals among some records, with the lines that they take back as far as these are seen. */
export function reversalsOf(read: ReadHandle, recordIds: readonly number[]): ReversalOfRecord[] {
  return read
    .prepare<[string], ReversalOfRecord>(
      `SELECT v.record_id, v.mark, o.id AS reverses_record_id FROM json_each(?) j CROSS JOIN reversals v ON v.record_id = j.value
         CROSS JOIN records r ON r.id = v.record_id
         LEFT JOIN records o ON o.id = v.reverses_record_id AND ${isPublished('o')} AND ${takesBack('r', 'o')}`,
    )
    .all(JSON.stringify(recordIds));
}

/** The seen lines that take back some records: `record_id` is the line that is taken back. */
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

/** A line and the one that takes it back, by their ids. */
interface ReturnedLine {
  readonly originalId: number;
  readonly returnId: number;
}

/** Lines of streams that are taken back, with what takes them back, as people see them. */
export function returnedLines(read: ReadHandle, streamIds: readonly number[]): ReturnedLine[] {
  return read
    .prepare<[string], ReturnedLine>(
      `SELECT o.id AS originalId, r.id AS returnId FROM json_each(?) j CROSS JOIN reversals v INDEXED BY reversals_stream ON v.stream_id = j.value
         CROSS JOIN records r ON r.id = v.record_id CROSS JOIN records o ON o.id = v.reverses_record_id
       WHERE ${PUBLISHED_RECORD} AND ${isPublished('o')} AND ${takesBack('r', 'o')} ORDER BY r.id`,
    )
    .all(JSON.stringify(streamIds));
}
