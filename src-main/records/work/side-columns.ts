import type { Field } from '../../domain/records/fields.ts';
import { mergedInContentOrder } from '../../domain/records/merge-in-order.ts';
import type { RecordColumns } from '../../domain/records/record-columns.ts';
import { joinedValues, type ValueColumn } from '../../domain/records/value-column.ts';
import type { ReadHandle } from '../../database/database.ts';
import { lookOf } from '../../domain/records/record-columns.ts';
import type { PackRows } from './pack-reader.ts';
import { type ColumnRoom, fillRoom, type NameCodes, roomFor } from './column-buffers.ts';
import { engineRecordsById } from './engine-input.ts';
import { recordSource, valuesOfIds } from './record-source.ts';

/** The records of packs and the rest, both in the order of their content, as columns of one side in that order. */
export function joinedColumns(read: ReadHandle, packs: readonly PackRows[], rest: RecordColumns, names: NameCodes): RecordColumns {
  const filled = packs.filter(({ room }) => room.ids.length > 0);
  if (filled.length === 0) return rest;
  const inPacks = filled.reduce((sum, { room }) => sum + room.ids.length, 0);
  const [only] = filled;
  const room = filled.length === 1 && rest.count === 0 && only !== undefined ? only.room : joinedRoom(filled, rest, inPacks);
  const places = new Int32Array(inPacks + rest.count);
  for (let row = 0; row < inPacks; row += 1) places[row] = row;
  for (let row = 0; row < rest.count; row += 1) places[inPacks + row] = inPacks + (rest.places[row] as number);
  const missing = (field: Field): ValueColumn =>
    joinedValues([
      ...filled.map((pack) => pack.values(field) ?? valuesOfIds(read, pack.room.ids, field)),
      ...(rest.count === 0 ? [] : [rest.source.column(field)]),
    ]);
  const looks = lazily(() => joinedLooks(read, filled, rest, places.length));
  const source = recordSource(read, room.ids, new Map(), looks, missing);
  const ends = filled.map(() => 0);
  for (const [index, { room: own }] of filled.entries()) ends[index] = (ends[index - 1] ?? 0) + own.ids.length;
  return mergedInContentOrder({ count: places.length, ...room, names: names.names, places, source, isInContentOrder: false }, [
    ...ends,
    places.length,
  ]);
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Ids stand by place, all else by row. */
function joinedRoom(packs: readonly PackRows[], rest: RecordColumns, inPacks: number): ColumnRoom {
  const room = roomFor(inPacks + rest.count);
  let next = 0;
  for (const pack of packs) {
    fillRoom(room, next, pack.room);
    next += pack.room.ids.length;
  }
  fillRoom(room, next, { ...rest, ids: rest.source.ids });
  return room;
}

function joinedLooks(read: ReadHandle, packs: readonly PackRows[], rest: RecordColumns, count: number): Int32Array {
  const looks = new Int32Array(count);
  let next = 0;
  for (const pack of packs) {
    looks.set(pack.looks() ?? looksOfIds(read, pack.room.ids), next);
    next += pack.room.ids.length;
  }
  if (rest.count > 0) looks.set(rest.source.looks(), next);
  return looks;
}

function looksOfIds(read: ReadHandle, ids: Float64Array): Int32Array {
  const byId = new Map(engineRecordsById(read, [...ids]).map((record) => [record.id, lookOf(record.description, record.externalId)]));
  return Int32Array.from(ids, (id) => byId.get(id) ?? 0);
}
