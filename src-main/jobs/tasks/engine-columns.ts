import { present } from '../../../src-shared/values/assert.ts';
import { broughtInContentOrder } from '../../domain/matching/content-columns.ts';
import { type Field, lookUp, rawValue } from '../../domain/matching/fields.ts';
import { lookOf, type RecordColumns, type RecordSource } from '../../domain/matching/record-columns.ts';
import { type ValueColumn, type ValueColumnBuilder, valueColumnBuilder } from '../../domain/matching/value-column.ts';
import type { Database } from '../../store/database.ts';
import { PUBLISHED_RECORD } from '../../store/import-batches.ts';
import { engineRecordsById, FREE, referenceText } from './engine-input.ts';
import { textMember } from './metadata-member.ts';

/** What a run reads of its sides. */
export interface SidesAsked {
  /** Its matched records are left out; null leaves out none. */
  readonly reconciliationId: number | null;
  /** Ids of the streams of each side. */
  readonly streams: { readonly a: readonly number[]; readonly b: readonly number[] };
  /** Texts and metadata that will be compared; any other is read by need, which takes longer. */
  readonly fields: { readonly a: readonly Field[]; readonly b: readonly Field[] };
}

export interface ReadControl {
  /** Records read, and about how many there are. */
  readonly onProgress: (read: number, total: number) => void;
  readonly isCancelled: () => boolean;
}

interface Stream {
  readonly id: number;
  readonly key: string;
  readonly reference_field: string | null;
  /** About how many records it has: what imports kept and what came otherwise. */
  readonly records: number;
}

/** The row that is read; one object for all of them. */
interface Row {
  id: number;
  streamId: number;
  day: number;
  amount: number;
  direction: number;
  decimalPlaces: number;
  currency: string;
  description: string | null;
  externalId: string | null;
  metadata: string | null;
}

type Values = [
  id: number,
  streamId: number,
  day: number,
  amount: number,
  direction: number,
  decimalPlaces: number,
  currency: string,
  description: string | null,
  externalId: string | null,
  metadata: string | null,
];

const COLUMNS = ['r.id', 'r.stream_id', 'r.day', 'r.amount', 'r.direction', 'r.decimal_places', 'r.currency', 'r.description'] as const;
const ROWS_PER_LOOK = 1 << 14;
/** A table is read whole where the streams hold at least this share of it; else by an index of streams. */
const LEAST_SHARE = 0.3;

class Cancelled extends Error {}

/**
 * The free records of both sides as columns in the order of their content, read in one pass; null when cancelled. Whole records are
 * read later by need, so the caller holds a snapshot for as long as the columns are used.
 */
export function freeColumns(database: Database, asked: SidesAsked, control: ReadControl): { a: RecordColumns; b: RecordColumns } | null {
  const streams = streamsOf(database, [...asked.streams.a, ...asked.streams.b]);
  const readers = {
    a: sideReader(
      database,
      streams.filter(({ id }) => asked.streams.a.includes(id)),
      asked.fields.a,
    ),
    b: sideReader(
      database,
      streams.filter(({ id }) => asked.streams.b.includes(id)),
      asked.fields.b,
    ),
  };
  const total = streams.reduce((sum, stream) => sum + stream.records, 0);
  const visit = visitor(asked, readers, control, total);
  try {
    const { from, parameters } = fromClause(database, asked, streams, total);
    const isWanted = (is: (reader: SideReader) => boolean): boolean => is(readers.a) || is(readers.b);
    const columns = [
      ...COLUMNS,
      isWanted((reader) => reader.needsExternalId) ? 'r.external_id' : 'iif(r.description IS NULL, r.external_id, NULL)',
      isWanted((reader) => reader.needsMetadata) ? 'r.metadata' : 'NULL',
    ];
    database.visitRows<Values>(columns, from, parameters, visit);
  } catch (error) {
    if (error instanceof Cancelled) return null;
    throw error;
  }
  return { a: readers.a.finished(), b: readers.b.finished() };
}

/** Hands each row to its side's reader. */
function visitor(
  { streams }: SidesAsked,
  readers: { readonly a: SideReader; readonly b: SideReader },
  control: ReadControl,
  total: number,
): (nothing: null, ...values: Values) => void {
  const row: Row = {
    id: 0,
    streamId: 0,
    day: 0,
    amount: 0,
    direction: 0,
    decimalPlaces: 0,
    currency: '',
    description: null,
    externalId: null,
    metadata: null,
  };
  const [ofA, ofB] = [new Set(streams.a), new Set(streams.b)];
  let isOfA = false;
  let isOfB = false;
  let latest = -1;
  let read = 0;
  return (_, id, streamId, day, amount, direction, decimalPlaces, currency, description, externalId, metadata) => {
    row.id = id;
    row.streamId = streamId;
    row.day = day;
    row.amount = amount;
    row.direction = direction;
    row.decimalPlaces = decimalPlaces;
    row.currency = currency;
    row.description = description;
    row.externalId = externalId;
    row.metadata = metadata;
    if (streamId !== latest) {
      latest = streamId;
      isOfA = ofA.has(streamId);
      isOfB = ofB.has(streamId);
    }
    if (isOfA) readers.a.add(row);
    if (isOfB) readers.b.add(row);
    read += 1;
    if (read % ROWS_PER_LOOK !== 0) return;
    control.onProgress(read, Math.max(read, total));
    if (control.isCancelled()) throw new Cancelled();
  };
}

function streamsOf(database: Database, ids: readonly number[]): Stream[] {
  return database
    .prepare<[string], Stream>(
      `SELECT s.id, s.key, s.reference_field, (SELECT coalesce(sum(kept), 0) FROM import_batches WHERE stream_id = s.id)
         + (SELECT count(*) FROM records r INDEXED BY records_loose WHERE r.stream_id = s.id AND r.batch_id IS NULL) AS records
       FROM streams s WHERE s.id IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(ids));
}

/** Where the rows come from. What nearly always leaves nothing out is only asked where it can. */
function fromClause(database: Database, { reconciliationId }: SidesAsked, streams: readonly Stream[], total: number) {
  const facts = present(
    database
      .prepare<[number], { importing: number; matched: number; newest: number }>(
        `SELECT EXISTS (SELECT 1 FROM import_batches WHERE writing = 1) AS importing,
           EXISTS (SELECT 1 FROM matches WHERE reconciliation_id = ? AND status = 'matched') AS matched,
           (SELECT coalesce(max(id), 0) FROM records) AS newest`,
      )
      .get(reconciliationId ?? 0),
    'facts of the book',
  );
  const isWhole = total >= facts.newest * LEAST_SHARE;
  const conditions = [`r.stream_id IN (${streams.map(({ id }) => id).join(', ')})`];
  if (facts.importing === 1) conditions.push(PUBLISHED_RECORD);
  if (facts.matched === 1) conditions.push(FREE);
  return {
    from: `FROM records r ${isWhole ? 'NOT INDEXED' : ''} WHERE ${conditions.join(' AND ')}`,
    parameters: facts.matched === 1 ? [reconciliationId ?? 0] : [],
  };
}

interface SideReader {
  readonly needsExternalId: boolean;
  readonly needsMetadata: boolean;
  readonly add: (row: Row) => void;
  readonly finished: () => RecordColumns;
}

const LEAST_ROOM = 1_024;

interface Room {
  readonly ids: Float64Array;
  readonly amounts: Float64Array;
  readonly days: Int32Array;
  readonly decimalPlaces: Uint8Array;
  readonly credits: Uint8Array;
  readonly currencies: Uint16Array;
  readonly streams: Uint16Array;
  readonly looks: Int32Array;
}

/** Room for so many rows; what is given is copied into it. */
function roomFor(rows: number, filled?: Room): Room {
  const room: Room = {
    ids: new Float64Array(rows),
    amounts: new Float64Array(rows),
    days: new Int32Array(rows),
    decimalPlaces: new Uint8Array(rows),
    credits: new Uint8Array(rows),
    currencies: new Uint16Array(rows),
    streams: new Uint16Array(rows),
    looks: new Int32Array(rows),
  };
  if (filled === undefined) return room;
  room.ids.set(filled.ids);
  room.amounts.set(filled.amounts);
  room.days.set(filled.days);
  room.decimalPlaces.set(filled.decimalPlaces);
  room.credits.set(filled.credits);
  room.currencies.set(filled.currencies);
  room.streams.set(filled.streams);
  room.looks.set(filled.looks);
  return room;
}

/** A field that is read with the rows: adds its value to a column. */
interface FieldReader {
  readonly name: string;
  readonly add: (row: Row) => void;
  readonly builder: ValueColumnBuilder;
}

function sideReader(database: Database, streams: readonly Stream[], wanted: readonly Field[]): SideReader {
  const room = streams.reduce((sum, stream) => sum + stream.records, 0);
  const names: string[] = [];
  const codes = new Map<string, number>();
  let latest = { name: '', code: -1 };
  const nameCode = (name: string): number => {
    if (latest.name === name && latest.code >= 0) return latest.code;
    const code = codes.get(name) ?? names.push(name) - 1;
    codes.set(name, code);
    latest = { name, code };
    return code;
  };
  const streamCodes = new Map(streams.map((stream) => [stream.id, nameCode(stream.key)]));
  let rows = roomFor(room + LEAST_ROOM);
  const descriptions = valueColumnBuilder(room);
  const fields = wanted.flatMap((field): FieldReader[] => fieldReader(field, streams, room));
  let count = 0;
  const add = (row: Row): void => {
    if (count === rows.ids.length) rows = roomFor(count * 2, rows);
    rows.ids[count] = row.id;
    rows.streams[count] = streamCodes.get(row.streamId) ?? 0;
    rows.days[count] = row.day;
    rows.amounts[count] = row.amount;
    rows.credits[count] = row.direction;
    rows.decimalPlaces[count] = row.decimalPlaces;
    rows.currencies[count] = nameCode(row.currency);
    descriptions.addText(row.description);
    rows.looks[count] = lookOf(row.description, row.externalId);
    for (const field of fields) field.add(row);
    count += 1;
  };
  const finished = (): RecordColumns => {
    const ids = rows.ids.subarray(0, count);
    const places = new Int32Array(count);
    for (let place = 0; place < count; place += 1) places[place] = place;
    const columns = new Map<string, ValueColumn>(fields.map(({ name, builder }) => [name, builder.finished()]));
    columns.set('description', descriptions.finished());
    const ordered = broughtInContentOrder({
      count,
      amounts: rows.amounts.subarray(0, count),
      days: rows.days.subarray(0, count),
      decimalPlaces: rows.decimalPlaces.subarray(0, count),
      credits: rows.credits.subarray(0, count),
      currencies: rows.currencies.subarray(0, count),
      streams: rows.streams.subarray(0, count),
      names,
      places,
      source: recordSource(database, ids, columns, rows.looks.subarray(0, count)),
      isInContentOrder: false,
    });
    // Once the order is known, descriptions that no rule looks at tell no more than their looks.
    if (!wanted.some(({ name }) => name === 'description')) columns.delete('description');
    return ordered;
  };
  const isReference = wanted.some(({ name }) => name === 'reference');
  return {
    needsExternalId: wanted.some(({ name }) => name === 'external_id') || (isReference && streams.some(refersTo('external_id'))),
    needsMetadata: wanted.some(({ kind }) => kind === 'metadata') || (isReference && streams.some(refersTo('metadata.'))),
    add,
    finished,
  };
}

function refersTo(start: string): (stream: Stream) => boolean {
  return ({ reference_field: field }) => field !== null && field.startsWith(start);
}

function fieldReader(field: Field, streams: readonly Stream[], room: number): FieldReader[] {
  const builder = valueColumnBuilder(room);
  const { name } = field;
  if (name === 'external_id') return [{ name, builder, add: (row) => builder.addText(row.externalId) }];
  if (name === 'reference') {
    const read = new Map(streams.map((stream) => [stream.id, referenceReader(stream.reference_field)]));
    return [{ name, builder, add: (row) => builder.addText(read.get(row.streamId)?.(row) ?? null) }];
  }
  if (field.kind !== 'metadata') return [];
  const member = textMember(field.path);
  const add = (row: Row): void => {
    const metadata = row.metadata ?? '{}';
    const text = member(metadata);
    if (text === undefined) builder.add(lookUp(JSON.parse(metadata), field.path));
    else builder.addText(text);
  };
  return [{ name, builder, add }];
}

/** As `referenceText` of a record. */
function referenceReader(field: string | null): (row: Row) => string | null {
  const member = field?.startsWith('metadata.') === true ? textMember(field.slice('metadata.'.length)) : () => undefined;
  return (row) => {
    const metadata = row.metadata ?? '{}';
    const text = member(metadata);
    if (typeof text === 'string') return text.trim() === '' ? null : text.trim();
    if (text === null) return null;
    const parsed = field?.startsWith('metadata.') === true ? (JSON.parse(metadata) as Record<string, unknown>) : {};
    return referenceText(field, { description: row.description, external_id: row.externalId }, parsed);
  };
}

/** Records read whole at a time. */
const RECORDS_AT_ONCE = 5_000;

function recordSource(database: Database, ids: Float64Array, columns: Map<string, ValueColumn>, looks: Int32Array): RecordSource {
  const records: RecordSource['records'] = (places) => {
    const found = Array.from(places, (place) => ids[place] as number);
    const byId = new Map<number, ReturnType<typeof engineRecordsById>[number]>();
    for (let start = 0; start < found.length; start += RECORDS_AT_ONCE) {
      for (const record of engineRecordsById(database, found.slice(start, start + RECORDS_AT_ONCE))) byId.set(record.id, record);
    }
    return found.map((id) => present(byId.get(id), 'record of the snapshot'));
  };
  const column: RecordSource['column'] = (field) => {
    const known = columns.get(field.name);
    if (known !== undefined) return known;
    const builder = valueColumnBuilder(ids.length);
    for (let start = 0; start < ids.length; start += RECORDS_AT_ONCE) {
      const places = Int32Array.from({ length: Math.min(RECORDS_AT_ONCE, ids.length - start) }, (_, index) => start + index);
      for (const record of records(places)) builder.add(rawValue(field, record));
    }
    const read = builder.finished();
    columns.set(field.name, read);
    return read;
  };
  return { ids, column, looks: () => looks, records };
}
