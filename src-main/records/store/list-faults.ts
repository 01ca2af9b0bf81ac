import type { Database, ReadHandle } from '../../database/database.ts';
import { fingerprintOf } from './listed-records.ts';

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
