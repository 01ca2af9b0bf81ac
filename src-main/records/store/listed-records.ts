import { textPrint } from '../../../src-shared/values/text-print.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';

/** Returns the fingerprint of a dedupe key in the list of keys. */
export function fingerprintOf(dedupeKey: string): number {
  return textPrint(dedupeKey);
}

/** Selects the ids of a stream's records with a dedupe key, visible or not; bind `keyValues`. */
const IDS_OF_KEY = `WITH wanted(stream_id, dedupe_key, key_print) AS MATERIALIZED (SELECT ?, ?, CAST(? AS INTEGER))
  SELECT e.id FROM wanted k CROSS JOIN records e INDEXED BY records_dedupe ON e.stream_id = k.stream_id AND e.dedupe_key = k.dedupe_key
    WHERE e.key_print IS NULL
  UNION ALL SELECT e.id FROM wanted k CROSS JOIN listed_keys l ON l.stream_id = k.stream_id AND l.key_print = k.key_print
    CROSS JOIN records e ON e.id = l.record_id WHERE e.dedupe_key = k.dedupe_key`;

/** Returns the parameters of a statement of `recordsOfKey`. */
export function keyValues(streamId: number, dedupeKey: string): [number, string, number] {
  return [streamId, dedupeKey, fingerprintOf(dedupeKey)];
}

/** Returns a SELECT of columns of the records `r` that have a dedupe key and satisfy `condition`; bind `keyValues`. */
export function recordsOfKey(columns: string, condition: string): string {
  return `SELECT ${columns} FROM (${IDS_OF_KEY}) k CROSS JOIN records r ON r.id = k.id WHERE ${condition}`;
}

interface Holder {
  readonly dedupe_key: string;
  readonly batch_id: number | null;
}

/** The number of keys that one statement looks up. */
const KEYS_AT_ONCE = 1_000;

/** Looks up very many keys of one stream, within one transaction or snapshot. */
export class KeysOfStream {
  readonly #read: ReadHandle;
  readonly #streamId: number;
  readonly hasIndexed: boolean;
  readonly hasListed: boolean;

  constructor(read: ReadHandle, streamId: number) {
    this.#read = read;
    this.#streamId = streamId;
    const indexed = "SELECT 1 FROM records INDEXED BY records_dedupe WHERE stream_id = ? AND dedupe_key > '' AND key_print IS NULL LIMIT 1";
    this.hasIndexed = read.prepare<[number], unknown>(indexed).get(streamId) !== undefined;
    this.hasListed = read.prepare<[number], unknown>('SELECT 1 FROM listed_keys WHERE stream_id = ? LIMIT 1').get(streamId) !== undefined;
  }

  /** Whether the stream has any keys. */
  get isThereAny(): boolean {
    return this.hasIndexed || this.hasListed;
  }

  /** Returns for each key whether a record outside of the `hidden` batches has it. */
  ofThem(keys: readonly { readonly key: string; readonly print: number }[], hidden: ReadonlySet<number>): readonly boolean[] {
    const found = keys.map(() => false);
    const note = (at: number, { dedupe_key: key, batch_id: batchId }: Holder): void => {
      if (keys[at]?.key === key && (batchId === null || !hidden.has(batchId))) found[at] = true;
    };
    if (this.hasListed) {
      const listed = this.#read.prepare<[string, number], Holder & { readonly at: number }>(
        `SELECT j.key AS at, r.dedupe_key, r.batch_id FROM json_each(?) j CROSS JOIN listed_keys l ON l.stream_id = ? AND l.key_print = j.value
           CROSS JOIN records r ON r.id = l.record_id`,
      );
      for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
        const prints = keys.slice(start, start + KEYS_AT_ONCE).map(({ print }) => print);
        for (const holder of listed.all(JSON.stringify(prints), this.#streamId)) note(start + holder.at, holder);
      }
    }
    if (!this.hasIndexed) return found;
    const indexed = this.#read.prepare<[number, string], Holder>(
      'SELECT dedupe_key, batch_id FROM records INDEXED BY records_dedupe WHERE stream_id = ? AND dedupe_key = ? AND key_print IS NULL',
    );
    for (const [at, { key }] of keys.entries()) {
      const holder = found[at] === true ? undefined : indexed.get(this.#streamId, key);
      if (holder !== undefined) note(at, holder);
    }
    return found;
  }
}

interface KeyHolder {
  readonly record_id: number;
  readonly batch_id: number | null;
  readonly dedupe_key: string | null;
  /** Whether the record is being wiped; it then gives up its key. */
  readonly is_wiped: 0 | 1;
}

/** Returns the record that has a fingerprint in the list. */
export function holderOfPrint(read: ReadHandle, streamId: number, print: number): KeyHolder | undefined {
  return read
    .prepare<[number, number], KeyHolder>(
      `SELECT l.record_id, r.batch_id, r.dedupe_key, coalesce(b.wiped_by IS NOT NULL, 0) AS is_wiped FROM listed_keys l JOIN records r ON r.id = l.record_id
         LEFT JOIN import_batches b ON b.id = r.batch_id WHERE l.stream_id = ? AND l.key_print = ?`,
    )
    .get(streamId, print);
}

/** A dedupe key that is in the index and not in the list. */
interface OtherKey {
  readonly id: number;
  readonly dedupe_key: string;
}

const IN_INDEX = `o.stream_id = ? AND o.dedupe_key IS NOT NULL AND o.key_print IS NULL
  AND (o.batch_id IS NULL OR o.batch_id NOT IN (SELECT id FROM import_batches WHERE wiped_by IS NOT NULL))`;

/** Returns the indexed keys of a stream's records in an inclusive range of ids. */
export function indexedKeysBetween(read: ReadHandle, streamId: number, from: number, to: number): OtherKey[] {
  return read
    .prepare<[number, number, number], OtherKey>(
      `SELECT o.id, o.dedupe_key FROM records o NOT INDEXED WHERE o.id BETWEEN ? AND ? AND ${IN_INDEX}`,
    )
    .all(from, to, streamId);
}

/** Returns the indexed keys of a stream's records that were edited after an entry of the audit log. */
export function indexedKeysEditedSince(read: ReadHandle, streamId: number, auditId: number): OtherKey[] {
  return read
    .prepare<[number, number], OtherKey>(
      `SELECT o.id, o.dedupe_key FROM audit_log a CROSS JOIN records o ON o.id = json_extract(a.detail, '$.record_id')
       WHERE a.id > ? AND a.action = 'record.updated' AND ${IN_INDEX}`,
    )
    .all(auditId, streamId);
}

/** Moves a record from the lists to the index. */
export function unlist(write: WriteHandle, recordId: number): void {
  write.prepare<[number], unknown>('UPDATE records SET key_print = NULL WHERE id = ?').run(recordId);
}
