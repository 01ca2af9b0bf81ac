import { sql, type SqlBool } from 'kysely';
import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';
import type { RecordRow, RecordWithStream } from '../../database/rows.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { alternativeDescriptionOfKey } from '../../imports/store/alternative-descriptions.ts';
import { COUNTS } from '../../matches/store/matches.ts';
import { fingerprintOf, holderOfPrint, keyValues, recordsOfKey } from './listed-records.ts';
import { releaseDedupeKey } from './wipe-clearing.ts';

/** A condition that hides the rows of batches that are being written; usually there is none. */
export const NOT_IN_WRITING_BATCH = sql<SqlBool>`${sql.raw(PUBLISHED_RECORD)}`;
const COUNTED = sql`SELECT 1 FROM match_records mr JOIN matches m ON m.id = mr.match_id
  WHERE mr.record_id = r.id AND mr.slot = 0 AND ${sql.raw(COUNTS)}`;

/**
 * Returns a SELECT of the ids of a stream's records with an external id, visible or not. `source` has the columns `stream_id`, `external_id` and
 * `key_print` (`printOfExternalId`). Searches the dedupe keys, which nearly all external ids are, in the index and in the list of keys, and then the
 * index of all others.
 */
export function idsOfExternalId(source: string): string {
  return `SELECT e.id FROM ${source} k CROSS JOIN records e INDEXED BY records_dedupe ON e.stream_id = k.stream_id
      AND e.dedupe_key = 'x:' || k.external_id WHERE e.external_id = k.external_id AND e.key_print IS NULL
    UNION ALL SELECT e.id FROM ${source} k CROSS JOIN listed_keys l ON l.stream_id = k.stream_id AND l.key_print = k.key_print
      CROSS JOIN records e ON e.id = l.record_id WHERE e.dedupe_key = 'x:' || k.external_id AND e.external_id = k.external_id
    UNION ALL SELECT e.id FROM ${source} k CROSS JOIN records e INDEXED BY records_other_external ON e.stream_id = k.stream_id
      AND e.external_id = k.external_id WHERE e.dedupe_key IS NOT 'x:' || e.external_id`;
}

export function printOfExternalId(externalId: string): number {
  return fingerprintOf(`x:${externalId}`);
}

/** A condition that leaves out rows of a wiped stream or batch that are not cleared yet. */
export const UNWIPED_RECORD = '(r.batch_id IS NULL OR r.batch_id NOT IN (SELECT id FROM import_batches WHERE wiped_by IS NOT NULL))';

export function findRecord(read: ReadHandle, environmentId: number, id: number): RecordWithStream | undefined {
  return read.first(
    query
      .selectFrom('records as r')
      .innerJoin('streams as s', 's.id', 'r.stream_id')
      .selectAll('r')
      .select('s.key as data_stream_key')
      .where('r.id', '=', id)
      .where('r.environment_id', '=', environmentId)
      .where(NOT_IN_WRITING_BATCH),
  );
}

/** Returns the visible records with the given ids, in no order. The cross join keeps SQLite from scanning the environment's records for the ids. */
export function recordsById(read: ReadHandle, environmentId: number, ids: readonly number[]): RecordWithStream[] {
  const statement = read.prepare<[string, number], RecordWithStream>(
    `SELECT r.*, s.key AS data_stream_key FROM json_each(?) j CROSS JOIN records r ON r.id = j.value CROSS JOIN streams s ON s.id = r.stream_id
     WHERE r.environment_id = ? AND ${PUBLISHED_RECORD}`,
  );
  return statement.all(JSON.stringify(ids), environmentId);
}

/** Returns records by id, visible or not, in no order. The caller must know that they may be shown. */
export function heldRecords(read: ReadHandle, ids: readonly number[]): RecordWithStream[] {
  return read
    .prepare<[string], RecordWithStream>(
      'SELECT r.*, s.key AS data_stream_key FROM json_each(?) j CROSS JOIN records r ON r.id = j.value CROSS JOIN streams s ON s.id = r.stream_id',
    )
    .all(JSON.stringify(ids));
}

export type NewRecord = Omit<RecordRow, 'id' | 'key_print'>;

/** Inserts a record and returns its id; null if its dedupe key is already in the stream. */
export function insertRecord(write: WriteHandle, record: NewRecord): number | null {
  const key = record.dedupe_key;
  if (key !== null && isKeyListed(write, record.stream_id, key)) return null;
  const statement = write.prepare<(number | string | null)[], unknown>(
    `INSERT INTO records(environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, description, external_id, metadata, dedupe_key, created_at,
       value_day)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(stream_id, dedupe_key) WHERE key_print IS NULL DO NOTHING`,
  );
  const { changes, lastInsertRowid } = statement.run(
    record.environment_id,
    record.stream_id,
    record.batch_id,
    record.day,
    record.amount,
    record.direction,
    record.currency,
    record.decimal_places,
    record.description,
    record.external_id,
    record.metadata,
    key,
    record.created_at,
    record.value_day,
  );
  if (changes > 0) return Number(lastInsertRowid);
  const wasWiped = key !== null && releaseDedupeKey(write, record.stream_id, key);
  return wasWiped ? insertRecord(write, record) : null;
}

/** Whether a listed record has the key. A record that is being wiped gives it up. */
function isKeyListed(write: WriteHandle, streamId: number, key: string): boolean {
  const holder = holderOfPrint(write, streamId, fingerprintOf(key));
  if (holder?.dedupe_key !== key) return false;
  return holder.is_wiped === 0 || !releaseDedupeKey(write, streamId, key);
}

/** A visible record and the import that brought it. */
interface RecordOfKey extends Pick<RecordRow, 'id' | 'day' | 'amount' | 'direction' | 'decimal_places' | 'created_at'> {
  readonly filename: string | null;
  readonly batch_created_at: number | null;
  readonly description: string | null;
  /** Whether the key is that of an alternative description. */
  readonly isInOtherWords: boolean;
}

/** Returns a visible record by its key, or by that of an alternative description; the import is then the one that brought the description. */
export function recordOfDedupeKey(read: ReadHandle, streamId: number, dedupeKey: string): RecordOfKey | undefined {
  const columns = `r.id, r.day, r.description, r.amount, r.direction, r.decimal_places, r.created_at,
    (SELECT b.filename FROM import_batches b WHERE b.id = r.batch_id) AS filename,
    (SELECT b.created_at FROM import_batches b WHERE b.id = r.batch_id) AS batch_created_at`;
  const own = read
    .prepare<[number, string, number], Omit<RecordOfKey, 'isInOtherWords'>>(recordsOfKey(columns, PUBLISHED_RECORD))
    .get(...keyValues(streamId, dedupeKey));
  if (own !== undefined) return { ...own, isInOtherWords: false };
  const alternative = alternativeDescriptionOfKey(read, streamId, dedupeKey);
  if (alternative === undefined) return undefined;
  const { record_id: id, filename, batch_created_at } = alternative;
  const record = read.prepare<[number], RecordOfKey>(`SELECT ${columns} FROM records r WHERE r.id = ?`).get(id);
  return record === undefined ? undefined : { ...record, filename, batch_created_at, isInOtherWords: true };
}

/** Whether any row of the stream, visible or not, has the key, or an alternative description of one does. */
export function isDedupeKeyTaken(read: ReadHandle, streamId: number, dedupeKey: string): boolean {
  const statement = read.prepare<[number, string, number], unknown>(recordsOfKey('1', UNWIPED_RECORD));
  if (statement.get(...keyValues(streamId, dedupeKey)) !== undefined) return true;
  return alternativeDescriptionOfKey(read, streamId, dedupeKey) !== undefined;
}

export function externalIdTaken(read: ReadHandle, streamId: number, externalId: string, exceptId: number | null): boolean {
  return (
    read
      .prepare<[number, string, number, number], unknown>(
        `WITH wanted(stream_id, external_id, key_print) AS MATERIALIZED (SELECT ?, ?, CAST(? AS INTEGER))
         SELECT 1 FROM (${idsOfExternalId('wanted')}) f CROSS JOIN records r ON r.id = f.id WHERE r.id <> ? AND ${UNWIPED_RECORD}`,
      )
      .get(streamId, externalId, printOfExternalId(externalId), exceptId ?? 0) !== undefined
  );
}

/** An imported line without its texts. */
type LineOfBatch = Pick<RecordRow, 'day' | 'amount' | 'direction' | 'currency' | 'decimal_places' | 'dedupe_key'>;

/** Iterates over the records of a batch in an inclusive range of ids, in id order. The connection cannot be used until the end. */
export function linesOfBatch(read: ReadHandle, batchId: number, from: number, to: number): IterableIterator<LineOfBatch> {
  return read
    .prepare<[number, number, number], LineOfBatch>(
      `SELECT day, amount, direction, currency, decimal_places, dedupe_key FROM records NOT INDEXED
       WHERE id BETWEEN ? AND ? AND batch_id = ? ORDER BY id`,
    )
    .iterate(from, to, batchId);
}

export type RecordChange = Partial<
  Pick<
    RecordRow,
    'day' | 'value_day' | 'amount' | 'direction' | 'currency' | 'decimal_places' | 'description' | 'external_id' | 'metadata' | 'dedupe_key'
  >
>;

export function updateRecord(write: WriteHandle, id: number, change: RecordChange): void {
  if (Object.keys(change).length > 0) write.run(query.updateTable('records').set(change).where('id', '=', id));
}

export function deleteRecord(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('records').where('id', '=', id));
}

/** Whether a record counts as reconciled in any reconciliation. A run being written does not count. */
export function isReconciled(read: ReadHandle, id: number): boolean {
  return (
    read.first(
      query
        .selectFrom('records as r')
        .select('r.id')
        .where('r.id', '=', id)
        .where(sql<SqlBool>`EXISTS (${COUNTED})`),
    ) !== undefined
  );
}

/** The unit of the high part of a sum. */
export const SUM_BASE = 1_000_000_000n;

/** Returns a sum that a query answers in two parts, since SQLite's sums end at 2^63. */
export function wholeSum({ high, low }: { readonly high: number | bigint; readonly low: number | bigint }): bigint {
  return BigInt(high) * SUM_BASE + BigInt(low);
}

export const SIGNED = 'CASE WHEN r.direction = 1 THEN r.amount ELSE -r.amount END';

/**
 * Whether the match `c.match_id` was written by an unpublished run. The plus makes SQLite look for writing runs first; usually there is none, and the
 * match is not read.
 */
export const OF_WRITING_RUN = `EXISTS (SELECT 1 FROM runs u INDEXED BY runs_writing WHERE u.writing = 1
  AND c.match_id BETWEEN u.first_match_id AND u.last_match_id AND +u.id = (SELECT run_id FROM matches WHERE id = c.match_id))`;
