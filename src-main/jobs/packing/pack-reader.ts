import type { IdSet } from '../../domain/matching/id-set.ts';
import type { Field } from '../../domain/matching/fields.ts';
import { ANY_NUMBER, type Bounds, type NumberArray, unpackNumbers } from '../../domain/matching/packed-numbers.ts';
import { packedValueBytes, unpackValues, valueRoom } from '../../domain/matching/packed-values.ts';
import { noValues, pickedValues, type ValueColumn } from '../../domain/matching/value-column.ts';
import { CHUNK_ROWS, type ColumnPackRow, isSoundPack, partsOf } from '../../store/column-packs.ts';
import type { ReadHandle } from '../../store/database.ts';
import { type ColumnRoom, type NameCodes, roomFor } from '../tasks/column-room.ts';
import { NUMBER_COLUMNS, type PackBody } from './pack-format.ts';
import { referenceValues } from './reference-values.ts';

/** The records of a pack that are asked for, in the order of their content. */
export interface PackRows {
  readonly pack: ColumnPackRow;
  readonly room: ColumnRoom;
  /** What `lookOf` answers for each; null where the pack is damaged. */
  readonly looks: () => Int32Array | null;
  /** A field of each; null where the pack does not hold it, or is damaged. */
  readonly values: (field: Field) => ValueColumn | null;
}

export interface PackAsked {
  readonly pack: ColumnPackRow;
  /** Ids of records that are left out. */
  readonly leftOut: IdSet;
  readonly names: NameCodes;
  readonly streamCode: number;
  /** Told when something of the pack is not as it was written. */
  readonly onDoubt: (packId: number) => void;
}

/** Reads a pack's numbers; its values are read when they are asked for. Null where anything is in doubt. */
export function readPack(read: ReadHandle, asked: PackAsked): PackRows | null {
  const { pack, leftOut, names, streamCode } = asked;
  const doubt = (): null => {
    asked.onDoubt(pack.id);
    return null;
  };
  if (!isSoundPack(pack)) return doubt();
  const body = JSON.parse(pack.body) as PackBody;
  const numbers = <T extends NumberArray>(name: string, into: T, bounds: Bounds = ANY_NUMBER): T | null =>
    unpacked(partsOf(read, pack, name), into, bounds);
  const all = roomFor(pack.records);
  const isWhole =
    numbers(NUMBER_COLUMNS.ids, all.ids, { least: pack.first_id, most: pack.last_id }) !== null &&
    numbers(NUMBER_COLUMNS.days, all.days) !== null &&
    numbers(NUMBER_COLUMNS.amounts, all.amounts, { least: 0, most: Number.MAX_SAFE_INTEGER }) !== null &&
    numbers(NUMBER_COLUMNS.credits, all.credits, { least: 0, most: 1 }) !== null &&
    numbers(NUMBER_COLUMNS.decimalPlaces, all.decimalPlaces, { least: 0, most: 0xff }) !== null &&
    numbers(NUMBER_COLUMNS.currencies, all.currencies, { least: 0, most: body.currencies.length - 1 }) !== null;
  if (!isWhole) return doubt();
  nameCurrencies(all.currencies, body.currencies, names);
  all.streams.fill(streamCode);
  const kept = keptRows(all.ids, leftOut);
  const values = (name: string): ValueColumn | null => {
    const column = unpackedValues(partsOf(read, pack, name), pack.records);
    if (column === null) return doubt();
    return kept === null ? column : pickedValues(column, kept);
  };
  const looks = (): Int32Array | null => {
    const found = numbers(NUMBER_COLUMNS.looks, new Int32Array(pack.records));
    if (found === null) return doubt();
    return kept === null ? found : Int32Array.from(kept, (row) => found[row] as number);
  };
  const rows = kept?.length ?? pack.records;
  return { pack, room: kept === null ? all : keptRoom(all, kept), looks, values: (field) => fieldOfPack(pack, body, rows, field, values) };
}

function unpacked<T extends NumberArray>(parts: readonly Uint8Array[] | null, into: T, bounds: Bounds): T | null {
  if (parts === null) return null;
  for (const [chunk, part] of parts.entries()) {
    const from = chunk * CHUNK_ROWS;
    if (!unpackNumbers(part, Math.min(CHUNK_ROWS, into.length - from), into, from, bounds)) return null;
  }
  return into;
}

function unpackedValues(parts: readonly Uint8Array[] | null, records: number): ValueColumn | null {
  if (parts === null) return null;
  let bytes = 0;
  for (const part of parts) bytes += packedValueBytes(part) ?? 0;
  const room = valueRoom(records, bytes);
  for (const [chunk, part] of parts.entries()) {
    if (!unpackValues(part, Math.min(CHUNK_ROWS, records - chunk * CHUNK_ROWS), room)) return null;
  }
  return room.column;
}

/** Codes of a pack's own currencies become those of the side. */
function nameCurrencies(codes: Uint16Array, currencies: readonly string[], names: NameCodes): void {
  const own = currencies.map((name) => names.codeOf(name));
  if (own.every((code, index) => code === index)) return;
  for (let row = 0; row < codes.length; row += 1) codes[row] = own[codes[row] as number] as number;
}

/** Rows that are not left out; null for all of them. */
function keptRows(ids: Float64Array, leftOut: IdSet): Int32Array | null {
  if (leftOut.isEmpty) return null;
  const kept = new Int32Array(ids.length);
  let count = 0;
  for (let row = 0; row < ids.length; row += 1) {
    if (leftOut.has(ids[row] as number)) continue;
    kept[count] = row;
    count += 1;
  }
  return count === ids.length ? null : kept.subarray(0, count);
}

function keptRoom(all: ColumnRoom, rows: Int32Array): ColumnRoom {
  const room = roomFor(rows.length);
  const pick = (from: NumberArray, into: NumberArray): void => {
    for (let at = 0; at < rows.length; at += 1) into[at] = from[rows[at] as number] as number;
  };
  pick(all.ids, room.ids);
  pick(all.amounts, room.amounts);
  pick(all.days, room.days);
  pick(all.decimalPlaces, room.decimalPlaces);
  pick(all.credits, room.credits);
  pick(all.currencies, room.currencies);
  pick(all.streams, room.streams);
  return room;
}

/** A field of the kept rows: as a column holds it, derived from one, or empty where no record has it. */
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
