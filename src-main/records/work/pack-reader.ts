import type { ReadHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { IdSet } from '../../domain/collections/id-set.ts';
import type { FieldsToFill } from '../../domain/matching/index.ts';
import type { Field } from '../../domain/records/fields.ts';
import {
  ANY_NUMBER,
  type Bounds,
  FilledValues,
  type NumberArray,
  packedValueBytes,
  packNumbers,
  packValues,
  unpackNumbers,
  unpackValues,
  valueRoom,
} from '../../domain/records/packed-values.ts';
import { type RecordColumns, rowsWhere } from '../../domain/records/record-columns.ts';
import {
  endOf,
  noValues,
  pickedValues,
  startOf,
  textOfBytes,
  VALUE,
  type ValueColumn,
  valueColumnBuilder,
} from '../../domain/records/value-column.ts';
import { CHUNK_ROWS, type ColumnPackRow, isSoundPack, partsOf } from '../store/column-packs.ts';
import { type ColumnRoom, type NameCodes, roomFor } from './row-columns.ts';

const NOTHING = VALUE.none;

/** Returns the rows that are not skipped, ascending; null if none is skipped. */
function rowsNotLeftOut(ids: Float64Array, leftOut: IdSet): Int32Array | null {
  const isKept = new Uint8Array(ids.length);
  for (let row = 0; row < ids.length; row += 1) isKept[row] = leftOut.has(ids[row] as number) ? 0 : 1;
  return rowsMarked(isKept);
}

/**
 * Returns those rows (null means all) that have a value in every field of some set; null for all of the pack. `valuesOf` returns a field of the whole
 * pack, or null if the pack lacks it; any row may then have a value.
 */
function rowsFilled(
  rows: Int32Array | null,
  count: number,
  toFill: FieldsToFill,
  valuesOf: (field: Field) => ValueColumn | null,
): Int32Array | null {
  if (toFill === null) return rows;
  const sets: ValueColumn[][] = [];
  for (const fields of toFill) {
    const columns = fields.map(valuesOf).filter((column) => column !== null);
    if (columns.length === 0) return rows;
    sets.push(columns);
  }
  const marks = sets.map(filledInAll);
  const [isFilled = new Uint8Array(count), ...others] = marks;
  for (const other of others) for (let row = 0; row < count; row += 1) if (other[row] === 1) isFilled[row] = 1;
  if (rows === null) return rowsMarked(isFilled);
  return rows.filter((row) => isFilled[row] === 1);
}

/** Marks the rows that have a value in all of the columns. */
function filledInAll(columns: readonly ValueColumn[]): Uint8Array {
  const [first, ...others] = columns;
  const marks = new Uint8Array(first?.kinds.length ?? 0);
  if (first !== undefined) markFilled(first.kinds, marks);
  for (const { kinds } of others) for (let row = 0; row < marks.length; row += 1) if (kinds[row] === NOTHING) marks[row] = 0;
  return marks;
}

function markFilled(kinds: Uint8Array, marks: Uint8Array): void {
  for (let row = 0; row < kinds.length; row += 1) if (kinds[row] !== NOTHING) marks[row] = 1;
}

function rowsMarked(marks: Uint8Array): Int32Array | null {
  const rows = rowsWhere(marks, 1);
  return rows.length === marks.length ? null : rows;
}

/** The requested records of a pack, in content order. */
export interface PackRows {
  readonly pack: ColumnPackRow;
  /** The number of records that are not skipped, including those not read because they lack values. */
  readonly free: number;
  readonly room: ColumnRoom;
  /** Returns `lookOf` for each record; null if the pack is damaged. */
  readonly looks: () => Int32Array | null;
  /** Returns a field of each record; null if the pack does not hold it or is damaged. */
  readonly values: (field: Field) => ValueColumn | null;
}

interface PackAsked {
  readonly pack: ColumnPackRow;
  /** Ids of records to skip. */
  readonly leftOut: IdSet;
  /** Records that lack a value in some field of each set need not be read. */
  readonly toFill: FieldsToFill;
  readonly names: NameCodes;
  readonly streamCode: number;
  /** Called with the pack's id if any of it is damaged. */
  readonly onDoubt: (packId: number) => void;
}

/** Reads the numbers of a pack; values are read on demand. Returns null if anything is damaged. */
export function readPack(read: ReadHandle, asked: PackAsked): PackRows | null {
  const { pack, leftOut, toFill, names, streamCode } = asked;
  const doubt = (): null => {
    asked.onDoubt(pack.id);
    return null;
  };
  if (!isSoundPack(pack)) return doubt();
  const { records } = pack;
  const body = storedJson('column_packs.body', pack.body, pack.id);
  const parts = (name: string) => partsOf(read, pack, name);
  const idBounds = { least: pack.first_id, most: pack.last_id };
  let free: Int32Array | null = null;
  if (!leftOut.isEmpty) {
    const ids = unpacked(parts(NUMBER_COLUMNS.ids), new Float64Array(records), idBounds);
    if (ids === null) return doubt();
    free = rowsNotLeftOut(ids, leftOut);
  }
  const wholeOf = (name: string): ValueColumn | null => unpackedValues(parts(name), records) ?? doubt();
  const known = new Map<string, ValueColumn>();
  const sole = free === null ? soleColumn(pack, body, toFill) : null;
  let kept: Int32Array | null;
  if (sole !== null) {
    const filled = filledValues(parts(sole), records);
    if (filled === null) return doubt();
    known.set(sole, filled.column);
    kept = filled.rows.length === records ? null : filled.rows;
  } else {
    let isDoubted = false;
    kept = rowsFilled(free, records, toFill, (field) =>
      fieldOfPack(pack, body, records, field, (name) => {
        const column = wholeOf(name);
        isDoubted ||= column === null;
        return column;
      }),
    );
    if (isDoubted) return null;
  }
  const picker = kept === null ? null : new NumberPicker(kept, records);
  const rows = kept?.length ?? records;
  const room = roomFor(rows);
  const numbers = <T extends NumberArray>(name: string, into: T, bounds: Bounds = ANY_NUMBER): T | null =>
    picker === null ? unpacked(parts(name), into, bounds) : picker.numbers(parts(name), into, bounds);
  const isWhole =
    numbers(NUMBER_COLUMNS.ids, room.ids, idBounds) !== null &&
    numbers(NUMBER_COLUMNS.days, room.days) !== null &&
    numbers(NUMBER_COLUMNS.amounts, room.amounts, { least: 0, most: Number.MAX_SAFE_INTEGER }) !== null &&
    numbers(NUMBER_COLUMNS.credits, room.credits, { least: 0, most: 1 }) !== null &&
    numbers(NUMBER_COLUMNS.decimalPlaces, room.decimalPlaces, { least: 0, most: 0xff }) !== null &&
    numbers(NUMBER_COLUMNS.currencies, room.currencies, { least: 0, most: body.currencies.length - 1 }) !== null;
  if (!isWhole) return doubt();
  nameCurrencies(room.currencies, body.currencies, names);
  room.streams.fill(streamCode);
  const values = (name: string): ValueColumn | null => {
    const ready = known.get(name);
    if (ready !== undefined) return ready;
    const column = wholeOf(name);
    return column === null || kept === null ? column : pickedValues(column, kept);
  };
  const looks = (): Int32Array | null => numbers(NUMBER_COLUMNS.looks, new Int32Array(rows)) ?? doubt();
  return {
    pack,
    free: free?.length ?? records,
    room,
    looks,
    values: (field) => fieldOfPack(pack, body, rows, field, values),
  };
}

/** Reads the numbers of some rows of a pack, ascending. */
class NumberPicker {
  readonly #rows: Int32Array;
  readonly #records: number;
  readonly #chunk: Float64Array;
  readonly #picked: Float64Array;

  constructor(rows: Int32Array, records: number) {
    this.#rows = rows;
    this.#records = records;
    this.#chunk = new Float64Array(Math.min(records, CHUNK_ROWS));
    this.#picked = new Float64Array(rows.length);
  }

  /** Returns the picked numbers; null if any segment is missing or damaged, even one without picked rows. */
  numbers<T extends NumberArray>(parts: readonly Uint8Array[] | null, into: T, bounds: Bounds): T | null {
    if (parts === null) return null;
    const rows = this.#rows;
    const records = this.#records;
    const chunk = this.#chunk;
    const picked = this.#picked;
    let next = 0;
    for (const [index, part] of parts.entries()) {
      const from = index * CHUNK_ROWS;
      const count = Math.min(CHUNK_ROWS, records - from);
      if (!unpackNumbers(part, count, chunk, 0, bounds)) return null;
      next = pickFloats(chunk, rows, next, from, from + count, picked);
    }
    into.set(picked);
    return into;
  }
}

/** Picks the rows of a chunk and returns the next row. Takes a single kind of array, because that compiles to faster code. */
function pickFloats(chunk: Float64Array, rows: Int32Array, start: number, from: number, to: number, into: Float64Array): number {
  let next = start;
  for (; next < rows.length; next += 1) {
    const row = rows[next] as number;
    if (row >= to) break;
    into[next] = chunk[row - from] as number;
  }
  return next;
}

function unpacked<T extends NumberArray>(parts: readonly Uint8Array[] | null, into: T, bounds: Bounds): T | null {
  if (parts === null) return null;
  for (const [chunk, part] of parts.entries()) {
    const from = chunk * CHUNK_ROWS;
    if (!unpackNumbers(part, Math.min(CHUNK_ROWS, into.length - from), into, from, bounds)) return null;
  }
  return into;
}

function filledValues(parts: readonly Uint8Array[] | null, records: number): FilledValues | null {
  if (parts === null) return null;
  const filled = new FilledValues(records, bytesOf(parts), Math.min(records, CHUNK_ROWS));
  for (const [chunk, part] of parts.entries()) {
    const from = chunk * CHUNK_ROWS;
    if (!filled.add(part, Math.min(CHUNK_ROWS, records - from), from)) return null;
  }
  return filled;
}

function bytesOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + (packedValueBytes(part) ?? 0), 0);
}

function unpackedValues(parts: readonly Uint8Array[] | null, records: number): ValueColumn | null {
  if (parts === null) return null;
  const room = valueRoom(records, bytesOf(parts));
  for (const [chunk, part] of parts.entries()) {
    if (!unpackValues(part, Math.min(CHUNK_ROWS, records - chunk * CHUNK_ROWS), room)) return null;
  }
  return room.column;
}

/** Replaces a pack's own currency codes by those of the side. */
function nameCurrencies(codes: Uint16Array, currencies: readonly string[], names: NameCodes): void {
  const own = currencies.map((name) => names.codeOf(name));
  if (own.every((code, index) => code === index)) return;
  for (let row = 0; row < codes.length; row += 1) codes[row] = own[codes[row] as number] as number;
}

/** Returns the single column that decides which records need not be read; null if there are several or none. */
function soleColumn(pack: ColumnPackRow, body: PackBody, toFill: FieldsToFill): string | null {
  const [[field, ...others] = [], ...sets] = toFill ?? [];
  if (field === undefined || others.length + sets.length > 0) return null;
  const name = field.name === 'reference' ? pack.reference_field : field.name;
  return name !== null && body.values.includes(name) ? name : null;
}

/** Returns a field of the kept rows: from a column, derived from one, or empty if no record has it. */
function fieldOfPack(
  { reference_field: reference }: ColumnPackRow,
  body: PackBody,
  rows: number,
  field: Field,
  read: (name: string) => ValueColumn | null,
): ValueColumn | null {
  if (field.name !== 'reference') return namedValues(body, rows, field.name, read);
  if (reference === null) return noValues(rows);
  const isOwn = reference === 'description' || reference === 'external_id' || reference.startsWith('metadata.');
  const values = isOwn ? namedValues(body, rows, reference, read) : null;
  return values === null ? null : referenceValues(values);
}

function namedValues(body: PackBody, rows: number, name: string, read: (name: string) => ValueColumn | null): ValueColumn | null {
  if (body.values.includes(name)) return read(name);
  if (!name.startsWith('metadata.')) return null;
  const isNowhere = name.slice('metadata.'.length).includes('.') ? !body.isDeep : !body.hasOtherKeys;
  return isNowhere ? noValues(rows) : null;
}

/** Returns the references derived from the values of the field that a stream names, as `referenceText` does for a record. */
export function referenceValues(values: ValueColumn): ValueColumn {
  if (isReferenceAsItStands(values)) return values;
  const builder = valueColumnBuilder(values.kinds.length);
  for (let place = 0; place < values.kinds.length; place += 1) {
    const kind = values.kinds[place];
    const isNamed = kind === VALUE.text || kind === VALUE.number;
    const text = isNamed ? textOfBytes(values.bytes, startOf(values, place), endOf(values, place)).trim() : '';
    builder.addText(text === '' ? null : text);
  }
  return builder.finished();
}

/** Whether every value is empty, or a text without white space at its ends. */
function isReferenceAsItStands({ kinds, ends, bytes }: ValueColumn): boolean {
  let start = 0;
  for (let place = 0; place < kinds.length; place += 1) {
    const end = ends[place] as number;
    if (kinds[place] !== VALUE.none && (kinds[place] !== VALUE.text || start === end || !isInk(bytes[start]) || !isInk(bytes[end - 1]))) {
      return false;
    }
    start = end;
  }
  return true;
}

/** Whether a byte is printable ASCII and not white space. */
function isInk(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0x20 && byte < 0x7f;
}

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
const NUMBER_COLUMNS = {
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
