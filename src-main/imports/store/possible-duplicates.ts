import { present } from '../../../src-shared/values/assert.ts';
import type { ReadHandle } from '../../database/database.ts';
import type { RecordRow } from '../../database/rows.ts';
import { UNWIPED_RECORD } from '../../records/store/records.ts';
import { PUBLISHED_RECORD } from './import-batches.ts';

type Line = Pick<RecordRow, 'day' | 'amount' | 'direction' | 'currency' | 'decimal_places'> & { readonly text: string };
type LineOfBatch = Line & Pick<RecordRow, 'id' | 'environment_id' | 'stream_id' | 'batch_id'>;

/**
 * At most this many entries of the amounts are read. If there are more, records are found by their days instead, since a stream may have one amount a
 * million times.
 */
const ENTRIES_OF_AMOUNTS = 20_000;
/** At most this many records are compared by their texts, to bound the time of one page of results. */
const COMPARED = 20_000;

/** Finds rows `i` of the indices that have one of the given amounts. These are JSON: an array of [currency, direction, amount]. */
const OF_AMOUNTS = ['listed_amounts i', 'records i INDEXED BY records_all_amount']
  .map(
    (from, at) => `SELECT i.id FROM json_each(:money) j CROSS JOIN ${from} ON i.environment_id = :environment
       AND i.currency = j.value ->> 0 AND i.direction = j.value ->> 1 AND i.amount = j.value ->> 2 ${at === 0 ? '' : 'AND i.key_print IS NULL'}
     WHERE i.stream_id = :stream AND i.day IN (SELECT value FROM json_each(:days))`,
  )
  .join(' UNION ALL ');
const OF_DAYS = `SELECT i.id FROM json_each(:days) d CROSS JOIN records i INDEXED BY records_day ON i.stream_id = :stream AND i.day = d.value
  WHERE i.amount IN (SELECT j.value ->> 2 FROM json_each(:money) j)`;

const ENTRIES = `SELECT count(*) AS entries FROM (
  SELECT 1 FROM json_each(:money) j CROSS JOIN listed_amounts i ON i.environment_id = :environment
    AND i.currency = j.value ->> 0 AND i.direction = j.value ->> 1 AND i.amount = j.value ->> 2
  UNION ALL SELECT 1 FROM json_each(:money) j CROSS JOIN records i INDEXED BY records_all_amount ON i.environment_id = :environment
    AND i.currency = j.value ->> 0 AND i.direction = j.value ->> 1 AND i.amount = j.value ->> 2 AND i.key_print IS NULL
  LIMIT ${ENTRIES_OF_AMOUNTS})`;

/** From this number of records on, equal amounts are likely to be chance. */
const FREQUENT = 2_000;

/** Returns whether few enough records have an amount that another one on the same day is suspicious. */
export function isRareAmount(
  read: ReadHandle,
  { environment_id: environment, currency, direction, amount }: Pick<RecordRow, 'environment_id' | 'currency' | 'direction' | 'amount'>,
): boolean {
  const money = JSON.stringify([[currency, direction, amount]]);
  const counted = read.prepare<[{ money: string; environment: number }], { entries: number }>(
    ENTRIES.replace(`LIMIT ${ENTRIES_OF_AMOUNTS}`, `LIMIT ${FREQUENT}`),
  );
  return present(counted.get({ money, environment }), 'count').entries < FREQUENT;
}

interface Wanted {
  readonly environment: number;
  readonly stream: number;
  /** JSON, as are the following fields. */
  readonly money: string;
  readonly days: string;
  readonly texts: string;
  readonly batches: string;
}

/** Returns for each distinct line the oldest visible record of the stream that is in none of the batches. */
function oldestOf(read: ReadHandle, wanted: Wanted): (Line & { readonly id: number })[] {
  const { entries } = present(read.prepare<[Wanted], { entries: number }>(ENTRIES).get(wanted), 'count');
  return read
    .prepare<[Wanted], Line & { id: number }>(
      `SELECT min(r.id) AS id, r.day, r.amount, r.direction, r.currency, r.decimal_places, coalesce(r.description, '') AS text
         FROM (${entries < ENTRIES_OF_AMOUNTS ? OF_AMOUNTS : OF_DAYS} LIMIT ${COMPARED}) alike CROSS JOIN records r ON r.id = alike.id
       WHERE (r.batch_id IS NULL OR r.batch_id NOT IN (SELECT value FROM json_each(:batches))) AND ${PUBLISHED_RECORD} AND ${UNWIPED_RECORD}
         AND coalesce(r.description, '') IN (SELECT value FROM json_each(:texts))
       GROUP BY r.day, r.amount, r.direction, r.currency, r.decimal_places, text`,
    )
    .all(wanted);
}

function keyOf({ day, amount, direction, currency, decimal_places: places, text }: Line): string {
  return JSON.stringify([day, amount, direction, currency, places, text]);
}

/**
 * Finds records from bulk requests without an external id that repeat an older record of the stream from another batch or none: the same day, signed
 * amount, currency and text. Maps each to the oldest such record. If very many records have such an amount on such a day, only some of them are
 * compared.
 *
 * The result is computed on each call, so it follows edits and undone imports, and bulk requests do not become slower by it.
 */
export function possibleDuplicates(read: ReadHandle, recordIds: readonly number[]): Map<number, number> {
  const found = new Map<number, number>();
  if (recordIds.length === 0) return found;
  const lines = read
    .prepare<[string], LineOfBatch>(
      `SELECT r.id, r.environment_id, r.stream_id, r.batch_id, r.day, r.amount, r.direction, r.currency, r.decimal_places, coalesce(r.description, '') AS text
         FROM json_each(?) j CROSS JOIN records r ON r.id = j.value WHERE r.external_id IS NULL AND ${PUBLISHED_RECORD} AND ${UNWIPED_RECORD}`,
    )
    .all(JSON.stringify(recordIds));
  for (const ofStream of Map.groupBy(lines, (line) => line.stream_id).values()) {
    const [{ environment_id: environment, stream_id: stream }] = ofStream as [LineOfBatch];
    const distinct = (value: (line: LineOfBatch) => unknown): string => JSON.stringify([...new Set(ofStream.map(value))]);
    const money = new Map(
      ofStream.map((line) => [`${line.currency} ${line.direction} ${line.amount}`, [line.currency, line.direction, line.amount]]),
    );
    const oldest = oldestOf(read, {
      environment,
      stream,
      money: JSON.stringify([...money.values()]),
      days: distinct((line) => line.day),
      texts: distinct((line) => line.text),
      batches: distinct((line) => line.batch_id ?? 0),
    });
    const byContent = new Map(oldest.map((record) => [keyOf(record), record.id]));
    for (const line of ofStream) {
      const older = byContent.get(keyOf(line));
      if (older !== undefined && older < line.id) found.set(line.id, older);
    }
  }
  return found;
}
