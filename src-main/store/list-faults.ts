import type { Database, ReadHandle } from './database.ts';
import { fingerprintOf } from './listed-records.ts';

interface ListedRow {
  readonly id: number;
  readonly dedupe_key: string | null;
  readonly key_print: number;
  readonly has_key: 0 | 1;
  readonly has_amount: 0 | 1;
}

/**
 * Ids of records that should stand in the lists of keys and amounts and do not, or otherwise than they are. Those of a batch that is being written may
 * not be listed yet. One after another, since a book may have millions.
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

/** Entries of the lists whose record does not exist, or stands in the indices; up to `limit`. */
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
