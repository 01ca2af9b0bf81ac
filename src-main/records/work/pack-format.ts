import { packNumbers } from '../../domain/records/packed-numbers.ts';
import { packValues } from '../../domain/records/packed-values.ts';
import type { RecordColumns } from '../../domain/records/record-columns.ts';
import type { ValueColumn } from '../../domain/records/value-column.ts';
import { CHUNK_ROWS } from '../store/column-packs.ts';

/** The description of a pack, stored as JSON. */
export interface PackBody {
  /** The currencies that the codes of the currency column stand for. */
  readonly currencies: readonly string[];
  /** The names of the value columns: `description`, `external_id`, `value_date`, `metadata.KEY`. Other fields are read from the records. */
  readonly values: readonly string[];
  /** Whether a record has metadata keys that no column holds. */
  readonly hasOtherKeys: boolean;
  /** Whether the metadata of a record has an object, a list or a key with a dot, so that a path with dots may lead to a value. */
  readonly isDeep: boolean;
}

/** The number columns of every pack. */
export const NUMBER_COLUMNS = {
  ids: 'ids',
  days: 'days',
  amounts: 'amounts',
  credits: 'credits',
  decimalPlaces: 'decimal_places',
  currencies: 'currencies',
  looks: 'looks',
} as const;

/** A segment: one chunk of one column. */
interface PackPart {
  readonly name: string;
  readonly chunk: number;
  readonly body: Uint8Array;
}

/** A column with a larger chunk is left out of the pack. */
const MOST_CHUNK_BYTES = 1 << 26;

/** Whether all chunks of a value column are small enough. `places` is the order in which they are packed. */
export function fitsInParts({ ends }: ValueColumn, places: Int32Array): boolean {
  for (let from = 0; from < places.length; from += CHUNK_ROWS) {
    let bytes = 0;
    for (const place of places.subarray(from, from + CHUNK_ROWS)) {
      bytes += (ends[place] as number) - (place === 0 ? 0 : (ends[place - 1] as number));
    }
    if (bytes > MOST_CHUNK_BYTES) return false;
  }
  return true;
}

/** Yields the column segments of a pack, in content order. Numbers are in the order of rows; looks and values are in the order of places. */
export function* packParts(columns: RecordColumns, values: ReadonlyMap<string, ValueColumn>): Generator<PackPart, void> {
  const { count, places, source, amounts, days, credits, decimalPlaces, currencies } = columns;
  const looks = source.looks();
  const numbers = (from: number, to: number): [string, Uint8Array][] => {
    const ofChunk = places.subarray(from, to);
    return [
      [NUMBER_COLUMNS.ids, packNumbers(idsOf(source.ids, ofChunk))],
      [NUMBER_COLUMNS.days, packNumbers(days.subarray(from, to))],
      [NUMBER_COLUMNS.amounts, packNumbers(amounts.subarray(from, to))],
      [NUMBER_COLUMNS.credits, packNumbers(credits.subarray(from, to))],
      [NUMBER_COLUMNS.decimalPlaces, packNumbers(decimalPlaces.subarray(from, to))],
      [NUMBER_COLUMNS.currencies, packNumbers(currencies.subarray(from, to))],
      [NUMBER_COLUMNS.looks, packNumbers(looksOf(looks, ofChunk))],
    ];
  };
  for (let chunk = 0; chunk * CHUNK_ROWS < count; chunk += 1) {
    const from = chunk * CHUNK_ROWS;
    const to = Math.min(count, from + CHUNK_ROWS);
    for (const [name, body] of numbers(from, to)) yield { name, chunk, body };
    for (const [name, column] of values) yield { name, chunk, body: packValues(column, places.subarray(from, to)) };
  }
}

function idsOf(ids: Float64Array, places: Int32Array): Float64Array {
  const picked = new Float64Array(places.length);
  for (let at = 0; at < places.length; at += 1) picked[at] = ids[places[at] as number] as number;
  return picked;
}

function looksOf(looks: Int32Array, places: Int32Array): Int32Array {
  const picked = new Int32Array(places.length);
  for (let at = 0; at < places.length; at += 1) picked[at] = looks[places[at] as number] as number;
  return picked;
}
