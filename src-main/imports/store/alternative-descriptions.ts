import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import { fingerprintOf, KeysOfStream } from '../../records/store/listed-records.ts';
import { batchesBeingWritten, PUBLISHED_RECORD } from './import-batches.ts';

/**
 * An alternative description of a record: a line of another file that says the same payment in other words. The table of the book is called
 * `wordings`.
 */
export type AlternativeDescription = Row<'wordings'>;
type NewAlternativeDescription = Omit<AlternativeDescription, 'id'>;

/** The SQL condition that the alternative description belongs to a visible import. */
const SEEN = 'EXISTS (SELECT 1 FROM import_batches b WHERE b.id = w.batch_id AND b.writing = 0)';

export function insertAlternativeDescription(write: WriteHandle, alternative: NewAlternativeDescription): void {
  write.run(query.insertInto('wordings').values(alternative));
}

/** Returns whether a stream has alternative descriptions. */
export function hasAlternativeDescriptions(read: ReadHandle, streamId: number): boolean {
  return read.prepare<[number], unknown>('SELECT 1 FROM wordings WHERE stream_id = ? LIMIT 1').get(streamId) !== undefined;
}

/** The dedupe key of an alternative description, with the record and the record's own key. */
export interface AlternativeKey {
  readonly key: string;
  readonly recordId: number;
  readonly ownKey: string | null;
}

/** Returns those of the keys that belong to visible alternative descriptions of a stream, in the order in which these were imported. */
function alternativeKeys(read: ReadHandle, streamId: number, keys: readonly string[]): AlternativeKey[] {
  return read
    .prepare<[string, number], AlternativeKey>(
      `SELECT w.dedupe_key AS key, w.record_id AS recordId, r.dedupe_key AS ownKey FROM json_each(?) j CROSS JOIN wordings w INDEXED BY wordings_key
         ON w.stream_id = ? AND w.dedupe_key = j.value CROSS JOIN records r ON r.id = w.record_id
       WHERE ${SEEN} AND ${PUBLISHED_RECORD} ORDER BY w.id`,
    )
    .all(JSON.stringify(keys), streamId);
}

/** Returns the record that has an alternative description with this key, and the file that the description came from. */
export function alternativeDescriptionOfKey(
  read: ReadHandle,
  streamId: number,
  key: string,
): { readonly record_id: number; readonly filename: string | null; readonly batch_created_at: number } | undefined {
  return read
    .prepare<[number, string], { record_id: number; filename: string | null; batch_created_at: number }>(
      `SELECT w.record_id, b.filename, b.created_at AS batch_created_at FROM wordings w INDEXED BY wordings_key JOIN import_batches b ON b.id = w.batch_id
         JOIN records r ON r.id = w.record_id
       WHERE w.stream_id = ? AND w.dedupe_key = ? AND b.writing = 0 AND ${PUBLISHED_RECORD} ORDER BY w.id LIMIT 1`,
    )
    .get(streamId, key);
}

export type AlternativeDescriptionWithFile = AlternativeDescription & {
  readonly filename: string | null;
  readonly format: string;
  readonly batch_created_at: number;
};

/** Returns the visible alternative descriptions of records, oldest first. */
export function alternativeDescriptionsOf(read: ReadHandle, recordIds: readonly number[]): AlternativeDescriptionWithFile[] {
  return read
    .prepare<[string], AlternativeDescriptionWithFile>(
      `SELECT w.*, b.filename, b.format, b.created_at AS batch_created_at FROM json_each(?) j CROSS JOIN wordings w INDEXED BY wordings_record
         ON w.record_id = j.value JOIN import_batches b ON b.id = w.batch_id AND b.writing = 0 ORDER BY w.id`,
    )
    .all(JSON.stringify(recordIds));
}

/** The columns of a record that joining and parting of descriptions needs. */
export type JoinedRecord = Pick<
  Row<'records'>,
  | 'id'
  | 'stream_id'
  | 'batch_id'
  | 'day'
  | 'value_day'
  | 'amount'
  | 'direction'
  | 'currency'
  | 'decimal_places'
  | 'description'
  | 'external_id'
  | 'metadata'
  | 'dedupe_key'
>;
const JOINED_COLUMNS =
  'r.id, r.stream_id, r.batch_id, r.day, r.value_day, r.amount, r.direction, r.currency, r.decimal_places, r.description, r.external_id, r.metadata, r.dedupe_key';

/** Returns the visible records with these ids, in the order of the ids. */
export function recordsToJoin(read: ReadHandle, ids: readonly number[]): JoinedRecord[] {
  return read
    .prepare<[string], JoinedRecord>(
      `SELECT ${JOINED_COLUMNS} FROM json_each(?) j CROSS JOIN records r ON r.id = j.value WHERE ${PUBLISHED_RECORD} ORDER BY r.id`,
    )
    .all(JSON.stringify(ids));
}

/** The records of a batch that another file has too. `w` is the description in that file. */
const KEPT_BY_OTHERS = `FROM wordings w INDEXED BY wordings_key JOIN records r ON r.id = w.record_id
  WHERE w.stream_id = (SELECT stream_id FROM import_batches WHERE id = ?) AND r.batch_id = ? AND w.batch_id <> r.batch_id AND ${SEEN}`;

/** Returns up to `limit` records of a batch that another file has too, in the order of their ids. */
export function recordsKeptByOthers(read: ReadHandle, batchId: number, limit: number): JoinedRecord[] {
  const columns = `SELECT DISTINCT ${JOINED_COLUMNS} ${KEPT_BY_OTHERS} ORDER BY r.id LIMIT ?`;
  return read.prepare<[number, number, number], JoinedRecord>(columns).all(batchId, batchId, limit);
}

/**
 * Counts the lines that outlast the undo of a batch: its records that another file has too, and the records of others for which it has a description.
 */
export function countKeptByOthers(read: ReadHandle, batchId: number): { readonly records: number; readonly alternatives: number } {
  const count = (sql: string, ...values: number[]): number =>
    read.prepare<number[], { n: number }>(`SELECT count(DISTINCT w.record_id) AS n ${sql}`).get(...values)?.n ?? 0;
  return {
    records: count(KEPT_BY_OTHERS, batchId, batchId),
    alternatives: count('FROM wordings w WHERE w.batch_id = ?', batchId),
  };
}

/** The SQL condition that another file has the record `r` of a batch too. */
export const IS_KEPT_BY_OTHERS = `EXISTS (SELECT 1 FROM wordings w INDEXED BY wordings_record WHERE w.record_id = r.id AND ${SEEN})`;

/** Gives a record the content, the key and the import of another file's description. */
export function takeAlternativeDescription(
  write: WriteHandle,
  recordId: number,
  change: Omit<JoinedRecord, 'id' | 'stream_id' | 'amount' | 'direction' | 'currency' | 'decimal_places'>,
): void {
  write.run(query.updateTable('records').set(change).where('id', '=', recordId));
}

export function deleteAlternativeDescription(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('wordings').where('id', '=', id));
}

export function setAdded(write: WriteHandle, id: number, added: string): void {
  write.run(query.updateTable('wordings').set({ added }).where('id', '=', id));
}

/** Returns up to `limit` alternative descriptions of the batches of a wipe. */
export function alternativeDescriptionsOfWipe(read: ReadHandle, wipeId: number, limit: number): AlternativeDescription[] {
  return read
    .prepare<[number, number], AlternativeDescription>(
      `SELECT w.* FROM import_batches b CROSS JOIN wordings w INDEXED BY wordings_batch ON w.batch_id = b.id WHERE b.wiped_by = ? LIMIT ?`,
    )
    .all(wipeId, limit);
}

/** Returns the ids of records that people edited. */
export function editedRecords(read: ReadHandle): ReadonlySet<number> {
  const edited = "SELECT DISTINCT json_extract(detail, '$.record_id') AS id FROM audit_log WHERE action = 'record.updated'";
  return new Set(
    read
      .prepare<[], { id: number }>(edited)
      .all()
      .map(({ id }) => id),
  );
}

/** Number of alternative descriptions that one SQL statement looks up. */
const KEYS_AT_ONCE = 1_000;

/** Looks up which dedupe keys belong to visible records of a stream. Made for very many look-ups within one snapshot. */
export class KnownKeys {
  readonly #read: ReadHandle;
  readonly #streamId: number;
  readonly #keys: KeysOfStream;
  readonly #hidden: ReadonlySet<number>;
  readonly #hasAlternativeDescriptions: boolean;

  constructor(read: ReadHandle, streamId: number) {
    this.#read = read;
    this.#streamId = streamId;
    this.#keys = new KeysOfStream(read, streamId);
    this.#hidden = new Set(batchesBeingWritten(read));
    this.#hasAlternativeDescriptions = hasAlternativeDescriptions(read, streamId);
  }

  /** Returns for each key whether a record or an alternative description has it. `prints`: the fingerprints of the keys, if they are known. */
  ofThem(keys: readonly string[], prints?: ArrayLike<number>): readonly boolean[] {
    const found = this.ofRecords(keys, prints);
    if (!this.#hasAlternativeDescriptions) return found;
    const ofAlternatives = new Set(this.alternativesOf(keys.filter((_, at) => found[at] !== true)).map(({ key }) => key));
    return found.map((is, at) => is || ofAlternatives.has(keys[at] ?? ''));
  }

  ofRecords(keys: readonly string[], prints?: ArrayLike<number>): readonly boolean[] {
    return this.#keys.ofThem(
      keys.map((key, at) => ({ key, print: prints?.[at] ?? fingerprintOf(key) })),
      this.#hidden,
    );
  }

  alternativesOf(keys: readonly string[]): AlternativeKey[] {
    if (!this.#hasAlternativeDescriptions) return [];
    const found: AlternativeKey[] = [];
    for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
      found.push(...alternativeKeys(this.#read, this.#streamId, keys.slice(start, start + KEYS_AT_ONCE)));
    }
    return found;
  }
}
