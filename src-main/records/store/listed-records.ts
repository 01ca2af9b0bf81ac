import { textPrint } from '../../../src-shared/values/text-print.ts';
import type { Database, ReadHandle, WriteHandle } from '../../database/database.ts';

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

interface ListedRow {
  readonly id: number;
  readonly dedupe_key: string | null;
  readonly key_print: number;
  readonly has_key: 0 | 1;
  readonly has_amount: 0 | 1;
}

/** Id, environment, amount, currency, direction, stream, batch, day, and time of creation. */
type AmountRow = [number, number, number, string, number, number, number | null, number, number];

const TWO_32 = 2 ** 32;

/** Sums over rows, independent of their order. Different sets of rows have different sums, except by chance. */
class SumOfRows {
  #count = 0;
  #low = 0;
  #high = 0;

  add(...values: readonly (number | null)[]): void {
    let [low, high] = [0x9e37_79b1, 0x85eb_ca6b];
    for (const value of values) {
      const number = value ?? -1;
      low = Math.imul(low ^ (number | 0), 0x9e37_79b1);
      high = Math.imul(high ^ Math.floor(number / TWO_32) ^ (low >>> 15), 0x5f35_6495);
      low ^= high >>> 13;
    }
    this.#count += 1;
    this.#low = (this.#low + low) | 0;
    this.#high = (this.#high + high) | 0;
  }

  get text(): string {
    return `${this.#count} ${this.#low} ${this.#high}`;
  }
}

/**
 * Whether the lists hold each listed record exactly once, with its own values, and nothing else. Quick for millions of records, because it reads each
 * table once from end to end; does not find out what is wrong. Returns false while a batch is being written.
 */
export function areListsRight(database: Database): boolean {
  const codes = new Map<string, number>();
  const codeOf = (currency: string): number => {
    let code = codes.get(currency);
    if (code === undefined) codes.set(currency, (code = codes.size));
    return code;
  };
  const [keys, amounts, listedKeys, listedAmounts] = [new SumOfRows(), new SumOfRows(), new SumOfRows(), new SumOfRows()];
  let isRight = true;
  const columns = ['id', 'environment_id', 'amount', 'currency', 'direction', 'stream_id', 'batch_id', 'day', 'created_at'];
  // SQLite takes the number of columns from the parameters of this function, so they are written out.
  database.visitRows<[...AmountRow, number, string | null]>(
    [...columns, 'key_print', 'dedupe_key'],
    'FROM records NOT INDEXED WHERE key_print IS NOT NULL',
    [],
    (_, id, environment, amount, currency, direction, stream, batch, day, created, print, key) => {
      isRight &&= key !== null && fingerprintOf(key) === print;
      keys.add(id, stream, print);
      amounts.add(id, environment, amount, codeOf(currency), direction, stream, batch, day, created);
    },
  );
  if (!isRight) return false;
  database.visitRows<[number, number, number]>(['record_id', 'stream_id', 'key_print'], 'FROM listed_keys', [], (_, id, stream, print) =>
    listedKeys.add(id, stream, print),
  );
  database.visitRows<AmountRow>(
    columns,
    'FROM listed_amounts',
    [],
    (_, id, environment, amount, currency, direction, stream, batch, day, created) =>
      listedAmounts.add(id, environment, amount, codeOf(currency), direction, stream, batch, day, created),
  );
  return keys.text === listedKeys.text && amounts.text === listedAmounts.text;
}

/**
 * Yields the ids of records that are missing from the lists of keys and amounts, or wrong in them. Skips batches that are being written, which may
 * not be listed yet. Yields one at a time, because a book may have millions.
 */
export function* wronglyListed(database: Database): Generator<number> {
  const rows = database.connection
    .prepare<[], ListedRow>(
      `SELECT r.id, r.dedupe_key, r.key_print, l.record_id IS NOT NULL AS has_key, a.id IS NOT NULL AS has_amount FROM records r
         LEFT JOIN listed_keys l ON l.stream_id = r.stream_id AND l.key_print = r.key_print AND l.record_id = r.id
         LEFT JOIN listed_amounts a ON a.environment_id = r.environment_id AND a.currency = r.currency AND a.direction = r.direction
           AND a.amount = r.amount AND a.id = r.id AND a.stream_id = r.stream_id AND a.batch_id IS r.batch_id AND a.day = r.day
           AND a.created_at = r.created_at
       WHERE r.key_print IS NOT NULL AND (r.batch_id IS NULL OR r.batch_id NOT IN (SELECT id FROM import_batches WHERE writing = 1))`,
    )
    .iterate();
  for (const { id, dedupe_key: key, key_print: print, has_key: hasKey, has_amount: hasAmount } of rows) {
    if (hasKey === 0 || hasAmount === 0 || key === null || fingerprintOf(key) !== print) yield id;
  }
}

/** Returns up to `limit` entries of the lists whose record does not exist or is not a listed one. */
export function entriesOfNobody(
  read: ReadHandle,
  limit: number,
): { readonly list: 'listed_keys' | 'listed_amounts'; readonly id: number }[] {
  return read
    .prepare<[number], { list: 'listed_keys' | 'listed_amounts'; id: number }>(
      `SELECT * FROM (
         SELECT 'listed_keys' AS list, l.record_id AS id FROM listed_keys l LEFT JOIN records r ON r.id = l.record_id
           WHERE r.key_print IS NULL OR r.key_print <> l.key_print OR r.stream_id <> l.stream_id
         UNION ALL SELECT 'listed_amounts', a.id FROM listed_amounts a LEFT JOIN records r ON r.id = a.id
           WHERE r.key_print IS NULL OR r.amount <> a.amount OR r.environment_id <> a.environment_id OR r.currency <> a.currency
             OR r.direction <> a.direction
       ) LIMIT ?`,
    )
    .all(limit);
}
