import type { Database, ReadHandle } from '../../database/database.ts';
import { IdSet } from '../../domain/collections/id-set.ts';
import { firstNumbers, intAt } from '../../domain/collections/typed-arrays.ts';
import type { FieldsToFill } from '../../domain/matching/index.ts';
import { settleRuns, type Stretch } from '../../domain/records/content-order.ts';
import { compareText } from '../../domain/records/content.ts';
import type { Field } from '../../domain/records/fields.ts';
import { lookOf, type RecordColumns, reorderRows, rowsBetween } from '../../domain/records/record-columns.ts';
import { joinedValues, type ValueColumn } from '../../domain/records/value-column.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { changedIds, type ColumnPackRow, newestRecordId, readyPacks, recordsOfRange, uncovered } from '../store/column-packs.ts';
import { WIPED_MATCH_IDS } from '../store/wipes.ts';
import { engineRecordsById, FREE } from './engine-input.ts';
import { type PackRows, readPack } from './pack-reader.ts';
import {
  type ColumnRoom,
  columnsToRead,
  fieldReaders,
  fillRoom,
  type NameCodes,
  nameCodes,
  needsOf,
  orderedColumns,
  type ReadRow,
  type ReadStream,
  type ReadValues,
  recordSource,
  roomFor,
  rowCollector,
  rowVisitor,
  valuesOfIds,
} from './row-columns.ts';

/** The records that a run reads of its sides. */
interface SidesAsked {
  /** Matched records of this reconciliation are skipped; null skips none. */
  readonly reconciliationId: number | null;
  /** The ids of each side's streams. */
  readonly streams: { readonly a: readonly number[]; readonly b: readonly number[] };
  /** The fields that will be compared. Any other field is read when needed, which may take longer. */
  readonly fields: { readonly a: readonly Field[]; readonly b: readonly Field[] };
  /** Records that lack a value in some field of each set need not be read; they are read where that is less work. */
  readonly toFill?: { readonly a: FieldsToFill; readonly b: FieldsToFill } | undefined;
  /** Ids of records that are read even if they are matched. */
  readonly alsoIds?: readonly number[] | undefined;
}

export interface ReadControl {
  /** Called with the number of records read, and about the total. */
  readonly onProgress: (read: number, total: number) => void;
  readonly isCancelled: () => boolean;
  /** Called with the id of a damaged pack, which must then be dropped; also later, while the columns are used. */
  readonly onDoubt: (packId: number) => void;
}

const ROWS_PER_LOOK = 1 << 14;
/** The table is read whole if the streams have at least this share of it, else by an index of streams. */
const LEAST_SHARE = 0.3;

class Cancelled extends Error {}

/** The columns of both sides. `free` is the number of free records, including those that need not be read. */
interface FreeColumns {
  readonly a: RecordColumns;
  readonly b: RecordColumns;
  readonly free: number;
}

/**
 * Returns the free records of both sides as columns in content order: from the packs of their streams, and from the table for records outside of
 * packs. Returns null when cancelled. Whole records and further fields are read later, so the caller must hold a snapshot for as long as it uses the
 * columns.
 */
export function freeColumns(database: Database, asked: SidesAsked, control: ReadControl): FreeColumns | null {
  const streams = streamsOf(database, [...asked.streams.a, ...asked.streams.b]);
  const facts = factsOf(database, asked.reconciliationId);
  const packs = usablePacks(database, streams);
  const progress = progressOf(control, recordsIn(streams));
  const packed: Packed = { leftOut: leftOut(database, asked, facts, packs), broken: new Set() };
  const side = (name: 'a' | 'b'): Side => {
    const names = nameCodes();
    const own = streams.filter(({ id }) => asked.streams[name].includes(id));
    const codes = new Map(own.map((stream) => [stream.id, names.codeOf(stream.key)]));
    return { wanted: asked.fields[name], toFill: asked.toFill?.[name] ?? null, streams: own, names, codes };
  };
  const sides = { a: side('a'), b: side('b') };
  try {
    const rows = {
      a: packRows(database, sides.a, packs, packed, control, progress),
      b: packRows(database, sides.b, packs, packed, control, progress),
    };
    // A damaged pack is not used for the other side either.
    const used = packs.filter(({ id }) => !packed.broken.has(id));
    const isUsed = ({ pack }: PackRows): boolean => !packed.broken.has(pack.id);
    const rest = restColumns(database, asked, sides, { facts, packs: used, progress });
    const [packedA, packedB] = [rows.a.filter(isUsed), rows.b.filter(isUsed)];
    return {
      a: joinedColumns(database, packedA, rest.a, sides.a.names),
      b: joinedColumns(database, packedB, rest.b, sides.b.names),
      free: [...packedA, ...packedB].reduce((sum, { free }) => sum + free, rest.a.count + rest.b.count),
    };
  } catch (error) {
    if (error instanceof Cancelled) return null;
    throw error;
  }
}

interface Side {
  readonly wanted: readonly Field[];
  readonly toFill: FieldsToFill;
  readonly streams: readonly ReadStream[];
  readonly names: NameCodes;
  /** The code of each stream's key, by stream id. */
  readonly codes: ReadonlyMap<number, number>;
}

interface Packed {
  readonly leftOut: IdSet;
  readonly broken: Set<number>;
}

type Progress = (records: number) => void;

/** Returns a counter of records that reports progress at intervals, and throws `Cancelled` when the reading is cancelled. */
function progressOf({ onProgress, isCancelled }: ReadControl, total: number): Progress {
  let read = 0;
  let told = 0;
  return (records) => {
    read += records;
    if (read - told < ROWS_PER_LOOK) return;
    told = read;
    onProgress(read, Math.max(read, total));
    if (isCancelled()) throw new Cancelled();
  };
}

function streamsOf(database: Database, ids: readonly number[]): ReadStream[] {
  return database
    .prepare<[string], ReadStream>(
      `SELECT s.id, s.key, s.reference_field, (SELECT coalesce(sum(kept), 0) FROM import_batches WHERE stream_id = s.id)
         + (SELECT count(*) FROM records r INDEXED BY records_loose WHERE r.stream_id = s.id AND r.batch_id IS NULL) AS records
       FROM streams s WHERE s.id IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(ids));
}

/** Whether the conditions for importing and matched records can exclude anything. Usually they cannot, and are left out of the query. */
interface Facts {
  readonly importing: number;
  readonly matched: number;
}

function factsOf(database: Database, reconciliationId: number | null): Facts {
  const facts = database
    .prepare<[number], Facts>(
      `SELECT EXISTS (SELECT 1 FROM import_batches WHERE writing = 1) AS importing,
         EXISTS (SELECT 1 FROM matches WHERE reconciliation_id = ? AND status = 'matched') AS matched`,
    )
    .get(reconciliationId ?? 0);
  return facts ?? { importing: 1, matched: 1 };
}

/** Returns the packs whose order matches the current reference field of their streams. */
function usablePacks(database: Database, streams: readonly ReadStream[]): ColumnPackRow[] {
  const references = new Map(streams.map((stream) => [stream.id, stream.reference_field]));
  return readyPacks(database, [...references.keys()]).filter((pack) => references.get(pack.stream_id) === pack.reference_field);
}

/** Returns the ids of packed records that are matched, invisible, or changed since they were packed. */
function leftOut(database: Database, { reconciliationId, alsoIds }: SidesAsked, facts: Facts, packs: readonly ColumnPackRow[]): IdSet {
  const largest = Math.max(0, ...packs.map((pack) => pack.last_id));
  const ids = new IdSet(0, largest);
  if (packs.length === 0) return ids;
  const add = (_: null, id: number): void => ids.add(id);
  for (const pack of packs) for (const id of pack.changes === 0 ? [] : changedIds(database, pack.id)) ids.add(id);
  if (facts.importing === 1) {
    const hidden =
      'FROM import_batches b CROSS JOIN records r INDEXED BY records_batch_created ON r.batch_id = b.id WHERE b.writing = 1 AND r.id <= ?';
    database.visitRows<[number]>(['r.id'], hidden, [largest], add);
  }
  if (facts.matched === 1) {
    const matched = `FROM match_records WHERE reconciliation_id = ? AND slot = 0 AND match_id NOT IN (${WIPED_MATCH_IDS})`;
    const also = new Set(alsoIds);
    const addOther = (nothing: null, id: number): void => (also.has(id) ? undefined : add(nothing, id));
    database.visitRows<[number]>(['record_id'], matched, [reconciliationId ?? 0], also.size === 0 ? add : addOther);
  }
  return ids;
}

/** Reads the packs of a side's streams. */
function packRows(
  database: Database,
  { streams, toFill, names, codes }: Side,
  packs: readonly ColumnPackRow[],
  packed: Packed,
  control: ReadControl,
  progress: Progress,
): PackRows[] {
  const rows: PackRows[] = [];
  const onDoubt = (packId: number): void => {
    packed.broken.add(packId);
    control.onDoubt(packId);
  };
  for (const pack of packs) {
    if (!streams.some(({ id }) => id === pack.stream_id)) continue;
    const streamCode = codes.get(pack.stream_id) ?? 0;
    const read = readPack(database, { pack, leftOut: packed.leftOut, toFill, names, streamCode, onDoubt });
    if (read !== null) rows.push(read);
    progress(pack.records);
  }
  return rows;
}

interface Rest {
  readonly facts: Facts;
  readonly packs: readonly ColumnPackRow[];
  readonly progress: Progress;
}

function recordsIn(streams: readonly ReadStream[]): number {
  return streams.reduce((sum, { records }) => sum + records, 0);
}

/** Returns the records outside of packs, as columns in content order. */
function restColumns(database: Database, asked: SidesAsked, sides: { readonly a: Side; readonly b: Side }, rest: Rest) {
  const streams = [...new Map([...sides.a.streams, ...sides.b.streams].map((stream) => [stream.id, stream])).values()];
  const queries = restQueries(database, asked, streams, rest);
  const left = Math.max(0, recordsIn(streams) - rest.packs.reduce((sum, { records }) => sum + records, 0));
  const collector = ({ streams: own, wanted, names, codes }: Side) => {
    const room = Math.min(left, recordsIn(own));
    return rowCollector(codes, names, fieldReaders(wanted, own, room), room);
  };
  const [a, b] = [collector(sides.a), collector(sides.b)];
  const visit = rowVisitor((row: ReadRow) => {
    if (sides.a.codes.has(row.streamId)) a.add(row);
    if (sides.b.codes.has(row.streamId)) b.add(row);
    rest.progress(1);
  });
  const [needsOfA, needsOfB] = [needsOf(sides.a.wanted, sides.a.streams), needsOf(sides.b.wanted, sides.b.streams)];
  const columns = columnsToRead({
    externalId: needsOfA.externalId || needsOfB.externalId,
    metadata: needsOfA.metadata || needsOfB.metadata,
    valueDay: needsOfA.valueDay || needsOfB.valueDay,
  });
  for (const { from, parameters } of queries) database.visitRows<ReadValues>(columns, from, parameters, visit);
  const ordered = (collected: typeof a, { names, wanted }: Side): RecordColumns => {
    const read = collected.finished();
    const inOrder = orderedColumns(database, read, names);
    // Descriptions were needed for the order only, unless a rule reads them.
    if (!wanted.some(({ name }) => name === 'description')) read.values.delete('description');
    return inOrder;
  };
  return { a: ordered(a, sides.a), b: ordered(b, sides.b) };
}

interface RestQuery {
  readonly from: string;
  readonly parameters: readonly unknown[];
}

/** Returns the queries of records outside of packs. */
function restQueries(
  database: Database,
  { reconciliationId, alsoIds = [] }: SidesAsked,
  streams: readonly ReadStream[],
  { facts, packs }: Rest,
): RestQuery[] {
  const isFree = alsoIds.length === 0 ? FREE : `(${FREE} OR r.id IN (SELECT value FROM json_each(?)))`;
  const conditions = [...(facts.importing === 1 ? [PUBLISHED_RECORD] : []), ...(facts.matched === 1 ? [isFree] : [])];
  const asked = facts.matched === 1 ? [reconciliationId ?? 0, ...(alsoIds.length === 0 ? [] : [JSON.stringify(alsoIds)])] : [];
  const also = conditions.map((condition) => ` AND ${condition}`).join('');
  const records = recordsIn(streams);
  const inPacks = packs.reduce((sum, pack) => sum + pack.records, 0);
  const queries = changedQueries(database, packs, also, asked);
  const newest = newestRecordId(database);
  if (records - inPacks >= newest * LEAST_SHARE) {
    const covered = packs.map((pack) => ` AND NOT (r.stream_id = ${pack.stream_id} AND r.id BETWEEN ${pack.first_id} AND ${pack.last_id})`);
    const ids = streams.map(({ id }) => id).join(', ');
    return [...queries, { from: `FROM records r NOT INDEXED WHERE r.stream_id IN (${ids})${covered.join('')}${also}`, parameters: asked }];
  }
  for (const { id, records: streamRecords } of streams) {
    const own = packs.filter((pack) => pack.stream_id === id);
    if (own.length === 0) queries.push({ from: `FROM records r WHERE r.stream_id = ${id}${also}`, parameters: asked });
    for (const range of own.length === 0 ? [] : uncovered(own)) {
      const { from, parameters } = recordsOfRange(id, { from: range.from, to: Math.min(range.to, newest) }, streamRecords / 2);
      queries.push({ from: `${from}${also}`, parameters: [...parameters, ...asked] });
    }
  }
  return queries;
}

/** Returns the queries of packed records that changed since they were packed. */
function changedQueries(database: Database, packs: readonly ColumnPackRow[], also: string, asked: readonly unknown[]): RestQuery[] {
  const changed = new Map<number, Set<number>>();
  for (const pack of packs) {
    if (pack.changes === 0) continue;
    const ids = changed.get(pack.stream_id) ?? new Set();
    for (const id of changedIds(database, pack.id)) ids.add(id);
    changed.set(pack.stream_id, ids);
  }
  return [...changed].map(([streamId, ids]) => ({
    from: `FROM json_each(?) j CROSS JOIN records r ON r.id = j.value WHERE r.stream_id = ${streamId}${also}`,
    parameters: [JSON.stringify([...ids]), ...asked],
  }));
}

/** Joins packed and other records, both in content order, to the columns of one side in that order. */
function joinedColumns(read: ReadHandle, packs: readonly PackRows[], rest: RecordColumns, names: NameCodes): RecordColumns {
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

/** Joins rows. `rest.source.ids` is in the order of places and everything else in the order of rows. */
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

/**
 * Merges sorted stretches of columns into content order. `ends` are the rows at which stretches end, the last one being the count. Rows of several
 * stretches with equal numbers are ordered by their texts. The arrays of the given columns are reused. Merging stretches that hardly overlap takes
 * hardly any time.
 */
export function mergedInContentOrder(columns: RecordColumns, ends: readonly number[]): RecordColumns {
  const filled = [...new Set(ends)].filter((end) => end > 0);
  if (filled.length > 1) {
    const compare = byNumbers(columns);
    const order = mergedOrder(columns.count, compare, filled);
    settleRuns(columns, order, runsOfSeveral(compare, order, filled));
    for (const { from, to } of movedStretches(order)) {
      const moved = order.slice(from, to);
      for (let at = 0; at < moved.length; at += 1) moved[at] = intAt(moved, at) - from;
      reorderRows(rowsBetween(columns, from, to), moved);
    }
  }
  return { ...columns, isInContentOrder: true };
}

type Compare = (left: number, right: number) => number;

/** Returns the order of rows by their numbers and currency. */
function byNumbers({ days, amounts, decimalPlaces, credits, currencies, names }: RecordColumns): Compare {
  const ranks = new Uint16Array(names.length);
  for (const [rank, name] of [...names.entries()].toSorted(([, left], [, right]) => compareText(left, right)).entries())
    ranks[name[0]] = rank;
  return (left, right) =>
    intAt(days, left) - intAt(days, right) ||
    (amounts[left] as number) - (amounts[right] as number) ||
    (decimalPlaces[left] as number) - (decimalPlaces[right] as number) ||
    (credits[right] as number) - (credits[left] as number) ||
    (ranks[currencies[left] as number] as number) - (ranks[currencies[right] as number] as number);
}

/** Merges adjacent stretches in pairs until one is left. */
function mergedOrder(count: number, compare: Compare, ends: readonly number[]): Int32Array {
  const order = firstNumbers(count);
  for (let bounds = [0, ...ends]; bounds.length > 2;) {
    const next = [0];
    for (let at = 0; at + 1 < bounds.length; at += 2) {
      const [from, middle, to] = [bounds[at] ?? 0, bounds[at + 1] ?? 0, bounds[at + 2] ?? bounds[at + 1] ?? 0];
      if (middle < to) merge(compare, order, from, middle, to);
      next.push(to);
    }
    bounds = next;
  }
  return order;
}

/** Merges the range from `first` to `middle` with the one up to `last`. The merge is stable. */
function merge(compare: Compare, order: Int32Array, first: number, middle: number, last: number): void {
  // Rows before all of the other stretch, or after all of it, stay in place.
  const from = firstWhere(first, middle, (at) => compare(intAt(order, at), intAt(order, middle)) > 0);
  const to = firstWhere(middle, last, (at) => compare(intAt(order, at), intAt(order, middle - 1)) >= 0);
  if (from === middle) return;
  const lefts = order.slice(from, middle);
  let [left, right, next] = [0, middle, from];
  while (left < lefts.length && right < to) {
    const isLeft = compare(intAt(lefts, left), intAt(order, right)) <= 0;
    order[next] = isLeft ? intAt(lefts, left) : intAt(order, right);
    next += 1;
    if (isLeft) left += 1;
    else right += 1;
  }
  order.set(lefts.subarray(left), next);
}

/** Returns the first index from which on a condition holds, or `to` if it never holds. */
function firstWhere(from: number, to: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const at = (low + high) >>> 1;
    if (holds(at)) high = at;
    else low = at + 1;
  }
  return low;
}

/** Returns the ranges of an order in which rows have moved. Outside of them each row is at its own place. */
function movedStretches(order: Int32Array): Stretch[] {
  const moved: Stretch[] = [];
  for (let from = 0; from < order.length; from += 1) {
    let furthest = intAt(order, from);
    if (furthest === from) continue;
    let at = from + 1;
    for (; at <= furthest; at += 1) if (intAt(order, at) > furthest) furthest = intAt(order, at);
    moved.push({ from, to: at });
    from = at - 1;
  }
  return moved;
}

/** Returns runs of rows with equal numbers that come from more than one stretch. */
function runsOfSeveral(compare: Compare, order: Int32Array, ends: readonly number[]): Stretch[] {
  const runs: Stretch[] = [];
  const stretchOf = (row: number): number => firstWhere(0, ends.length, (at) => row < (ends[at] ?? 0));
  let covered = 0;
  const look = (at: number): void => {
    const [before, row] = [intAt(order, at - 1), intAt(order, at)];
    if (at < covered || stretchOf(before) === stretchOf(row) || compare(before, row) !== 0) return;
    const from = firstWhere(0, at, (place) => compare(intAt(order, place), row) >= 0);
    const to = firstWhere(at, order.length, (place) => compare(intAt(order, place), row) > 0);
    runs.push({ from, to });
    covered = to;
  };
  // If no row has moved, stretches meet only at their ends.
  const moved = movedStretches(order);
  const places = [...moved, ...ends.map((end) => ({ from: end, to: end }))].toSorted((left, right) => left.from - right.from);
  for (const { from, to } of places) for (let at = Math.max(1, from); at <= Math.min(to, order.length - 1); at += 1) look(at);
  return runs;
}
