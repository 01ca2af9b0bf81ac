import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import { hasAlternativeDescriptions } from '../../imports/store/alternative-descriptions.ts';
import type { KeysOfStream } from './listed-records.ts';
import { UNWIPED_RECORD } from './records.ts';

/** A table beside the book that an import hands over. */
export interface StagedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Lines of a file; `file_row` is the row of the line in the file. */
export const STAGED_LINES: StagedTable = {
  name: 'staged_lines',
  columns: [
    'file_row',
    'day',
    'amount',
    'direction',
    'currency',
    'decimal_places',
    'description',
    'external_id',
    'metadata',
    'dedupe_key',
    'key_print',
    'reversal',
    'value_day',
  ],
};
/** Keys and amounts of records that wait to be listed, sorted. */
export const STAGED_KEYS: StagedTable = { name: 'staged_keys', columns: ['key_print', 'record_id'] };
export const STAGED_AMOUNTS: StagedTable = {
  name: 'staged_amounts',
  columns: ['currency', 'direction', 'amount', 'id', 'day', 'created_at'],
};

/** The rows of a staged table after the id `behind`, up to the id `to`. */
export interface Stretch {
  readonly behind: number;
  readonly to: number;
}

/** The environment, stream and batch of the rows. */
export interface OwnerOfRows {
  readonly environmentId: number;
  readonly streamId: number;
  readonly batchId: number;
}

const IN_STRETCH = 's.rowid > ? AND s.rowid <= ?';

/** Returns the ids, in order, of staged lines whose key a record of the stream or an alternative description has. `keys` are those of the stream. */
export function linesThatAreThere(read: ReadHandle, keys: KeysOfStream, streamId: number, { behind, to }: Stretch): number[] {
  const found: number[] = [];
  const look = (from: string): void => {
    const statement = read.prepare<[number, number, number], { id: number }>(`SELECT s.rowid AS id FROM staged_lines s ${from}`);
    for (const { id } of statement.all(streamId, behind, to)) found.push(id);
  };
  if (keys.hasListed) {
    look(`CROSS JOIN listed_keys l ON l.stream_id = ? AND l.key_print = s.key_print CROSS JOIN records r ON r.id = l.record_id
      WHERE ${IN_STRETCH} AND r.dedupe_key = s.dedupe_key AND ${UNWIPED_RECORD}`);
  }
  if (keys.hasIndexed) {
    look(`CROSS JOIN records r INDEXED BY records_dedupe ON r.stream_id = ? AND r.dedupe_key = s.dedupe_key AND r.key_print IS NULL
      WHERE ${IN_STRETCH} AND ${UNWIPED_RECORD}`);
  }
  const mayRepeat = hasAlternativeDescriptions(read, streamId);
  if (mayRepeat) {
    look(`CROSS JOIN wordings w INDEXED BY wordings_key ON w.stream_id = ? AND w.dedupe_key = s.dedupe_key
      CROSS JOIN import_batches b ON b.id = w.batch_id AND b.wiped_by IS NULL CROSS JOIN records r ON r.id = w.record_id
      WHERE ${IN_STRETCH} AND ${UNWIPED_RECORD}`);
  }
  return mayRepeat || (keys.hasListed && keys.hasIndexed) ? [...new Set(found)].toSorted((one, other) => one - other) : found;
}

/** Whether batch, stream and environment exist, and the batch is being written. */
export function mayHoldRows(read: ReadHandle, { environmentId, streamId, batchId }: OwnerOfRows): boolean {
  return (
    read
      .prepare<[number, number, number], unknown>(
        `SELECT 1 FROM import_batches b JOIN streams s ON s.id = b.stream_id JOIN environments e ON e.id = b.environment_id
         WHERE b.id = ? AND s.id = ? AND e.id = ? AND b.writing = 1`,
      )
      .get(batchId, streamId, environmentId) !== undefined
  );
}

/**
 * Writes staged lines as records of an unpublished batch; they must be listed before it is published. Leaves out the ids in `but`. Returns the id of
 * the last record; the others directly precede it, in the order of the lines.
 */
export function insertStagedLines(
  write: WriteHandle,
  { environmentId, streamId, batchId }: OwnerOfRows,
  createdAtMs: number,
  { behind, to }: Stretch,
  but: readonly number[],
): number {
  const others = but.length === 0 ? '' : 'AND s.rowid NOT IN (SELECT value FROM json_each(?))';
  const values = [environmentId, streamId, batchId, createdAtMs, behind, to, ...(but.length === 0 ? [] : [JSON.stringify(but)])];
  const { lastInsertRowid } = write
    .prepare<(number | string)[], unknown>(
      `INSERT INTO records(environment_id, stream_id, batch_id, created_at, day, amount, direction, currency, decimal_places, description, external_id, metadata,
         dedupe_key, key_print, value_day)
       SELECT ?, ?, ?, ?, day, amount, direction, currency, decimal_places, description, external_id, metadata, dedupe_key, key_print, value_day
       FROM staged_lines s WHERE ${IN_STRETCH} ${others} ORDER BY s.rowid`,
    )
    .run(...values);
  return Number(lastInsertRowid);
}

/** Returns the reversal marks of staged lines, by line id. */
export function stagedReversals(read: ReadHandle, { behind, to }: Stretch): { readonly id: number; readonly mark: string }[] {
  return read
    .prepare<[number, number], { id: number; mark: string }>(
      `SELECT s.rowid AS id, s.reversal AS mark FROM staged_lines s WHERE ${IN_STRETCH} AND s.reversal IS NOT NULL ORDER BY s.rowid`,
    )
    .all(behind, to);
}

/** Lists staged keys and returns how many were inserted: a fingerprint that is already listed keeps its record. */
export function listStagedKeys(write: WriteHandle, streamId: number, { behind, to }: Stretch): number {
  return write
    .prepare<[number, number, number], unknown>(
      `INSERT INTO listed_keys(stream_id, key_print, record_id) SELECT ?, key_print, record_id FROM staged_keys s WHERE ${IN_STRETCH} ORDER BY s.rowid
       ON CONFLICT(stream_id, key_print) DO NOTHING`,
    )
    .run(streamId, behind, to).changes;
}

/** Lists one key; returns false if its fingerprint is already listed. */
export function listKey(write: WriteHandle, streamId: number, print: number, recordId: number): boolean {
  const text = 'INSERT INTO listed_keys(stream_id, key_print, record_id) VALUES (?, ?, ?) ON CONFLICT(stream_id, key_print) DO NOTHING';
  return write.prepare<[number, number, number], unknown>(text).run(streamId, print, recordId).changes === 1;
}

export interface UnlistedKey {
  readonly print: number;
  readonly recordId: number;
}

/** Returns staged keys that are not listed, or whose fingerprint belongs to another record. */
export function stagedKeysOutside(read: ReadHandle, streamId: number, { behind, to }: Stretch): UnlistedKey[] {
  return read
    .prepare<[number, number, number], UnlistedKey>(
      `SELECT s.key_print AS print, s.record_id AS recordId FROM staged_keys s LEFT JOIN listed_keys l ON l.stream_id = ? AND l.key_print = s.key_print
       WHERE ${IN_STRETCH} AND l.record_id IS NOT s.record_id`,
    )
    .all(streamId, behind, to);
}

export function listStagedAmounts(write: WriteHandle, { environmentId, streamId, batchId }: OwnerOfRows, { behind, to }: Stretch): void {
  write
    .prepare<[number, number, number, number, number], unknown>(
      `INSERT INTO listed_amounts(environment_id, currency, direction, amount, id, stream_id, batch_id, day, created_at)
       SELECT ?, currency, direction, amount, id, ?, ?, day, created_at FROM staged_amounts s WHERE ${IN_STRETCH} ORDER BY s.rowid`,
    )
    .run(environmentId, streamId, batchId, behind, to);
}

/** Returns the dedupe keys of staged lines, in order. */
export function stagedDedupeKeys(read: ReadHandle): string[] {
  return read
    .prepare<[], { key: string }>('SELECT dedupe_key AS key FROM staged_lines ORDER BY rowid')
    .all()
    .map(({ key }) => key);
}

/** A staged line as it is reported. */
export interface StagedLine {
  readonly row: number;
  readonly day: number;
  readonly valueDay: number | null;
  readonly amount: number;
  readonly direction: 0 | 1;
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly description: string | null;
  readonly externalId: string | null;
  readonly key: string;
}

/** Returns staged lines by id, in id order. */
export function stagedLines(read: ReadHandle, ids: readonly number[]): StagedLine[] {
  return read
    .prepare<[string], StagedLine>(
      `SELECT s.file_row AS row, s.day, s.value_day AS valueDay, s.amount, s.direction, s.currency, s.decimal_places AS decimalPlaces, s.description, s.external_id AS externalId,
         s.dedupe_key AS key FROM json_each(?) j CROSS JOIN staged_lines s ON s.rowid = j.value`,
    )
    .all(JSON.stringify(ids));
}
