import { present } from '../../../src-shared/values/assert.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import type { Database, ReadHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { firstNumbers, longer } from '../../domain/collections/typed-arrays.ts';
import { broughtInContentOrder } from '../../domain/records/content-order.ts';
import { type Field, lookUp, rawValue } from '../../domain/records/fields.ts';
import { lookOf, type RecordColumns, type RecordSource } from '../../domain/records/record-columns.ts';
import type { EngineRecord } from '../../domain/records/record.ts';
import { type ValueColumn, type ValueColumnBuilder, valueColumnBuilder } from '../../domain/records/value-column.ts';
import { engineRecordsById, referenceText } from './engine-input.ts';

/** A stream whose records are read. */
export interface ReadStream {
  readonly id: number;
  readonly key: string;
  readonly reference_field: string | null;
  /** About how many records it has: those kept by imports and those without a batch. */
  readonly records: number;
}

/** The current row. One object is reused for all rows. */
export interface ReadRow {
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
  valueDay: number | null;
}

export type ReadValues = [
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
  valueDay: number | null,
];

const COLUMNS = ['r.id', 'r.stream_id', 'r.day', 'r.amount', 'r.direction', 'r.decimal_places', 'r.currency', 'r.description'] as const;

/** The columns to read in addition to those that every run needs. */
interface Needs {
  readonly externalId: boolean;
  readonly metadata: boolean;
  readonly valueDay: boolean;
}

/** Returns the columns of a record `r` to select, as `ReadValues`. A record without a description always has its external id read, for its look. */
export function columnsToRead(needs: Needs): string[] {
  return [
    ...COLUMNS,
    needs.externalId ? 'r.external_id' : 'iif(r.description IS NULL, r.external_id, NULL)',
    needs.metadata ? 'r.metadata' : 'NULL',
    needs.valueDay ? 'r.value_day' : 'NULL',
  ];
}

/** Returns a visitor that puts each row into one reused object. */
export function rowVisitor(visit: (row: ReadRow) => void): (nothing: null, ...values: ReadValues) => void {
  const row: ReadRow = {
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
    valueDay: null,
  };
  return (_, id, streamId, day, amount, direction, decimalPlaces, currency, description, externalId, metadata, valueDay) => {
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
    row.valueDay = valueDay;
    visit(row);
  };
}

/** Adds a field that is read with the rows to a column. */
interface FieldReader {
  readonly name: string;
  readonly add: (row: ReadRow) => void;
  readonly builder: ValueColumnBuilder;
}

/** Columns as read, in no order. */
interface ReadColumns {
  readonly count: number;
  readonly room: ColumnRoom;
  readonly looks: Int32Array;
  readonly values: Map<string, ValueColumn>;
}

/** Collects rows of some streams as columns. */
interface RowCollector {
  readonly add: (row: ReadRow) => void;
  readonly finished: () => ReadColumns;
}

const LEAST_ROOM = 1_024;

/** `room` is the expected number of rows; more may come. Descriptions are always read, because content order needs them. */
export function rowCollector(
  streamCodes: ReadonlyMap<number, number>,
  names: NameCodes,
  fields: readonly FieldReader[],
  room: number,
): RowCollector {
  let rows = roomFor(room + LEAST_ROOM);
  let looks = new Int32Array(room + LEAST_ROOM);
  const descriptions = valueColumnBuilder(room);
  let count = 0;
  const add = (row: ReadRow): void => {
    if (count === looks.length) {
      rows = roomFor(count * 2, rows);
      looks = longer(looks, count * 2);
    }
    rows.ids[count] = row.id;
    rows.streams[count] = streamCodes.get(row.streamId) ?? 0;
    rows.days[count] = row.day;
    rows.amounts[count] = row.amount;
    rows.credits[count] = row.direction;
    rows.decimalPlaces[count] = row.decimalPlaces;
    rows.currencies[count] = names.codeOf(row.currency);
    descriptions.addText(row.description);
    looks[count] = lookOf(row.description, row.externalId);
    for (const field of fields) field.add(row);
    count += 1;
  };
  const finished = (): ReadColumns => {
    const values = new Map(fields.map(({ name, builder }) => [name, builder.finished()]));
    values.set('description', descriptions.finished());
    return { count, room: roomOf(rows, 0, count), looks: looks.subarray(0, count), values };
  };
  return { add, finished };
}

/** Returns the rows read as columns in content order. */
export function orderedColumns(database: Database, { count, room, looks, values }: ReadColumns, names: NameCodes): RecordColumns {
  const places = firstNumbers(count);
  const source = recordSource(database, room.ids, values, () => looks);
  return broughtInContentOrder({ count, ...room, names: names.names, places, source, isInContentOrder: false });
}

const VALUE_DATE = 'value_date';

/** Reads value dates as `rawValue` returns them. Keeps the text of each day, because many records share few days. */
export function valueDateReader(builder: ValueColumnBuilder): FieldReader {
  const known = new Map<number, string>();
  const textOf = (day: number): string => {
    let text = known.get(day);
    if (text === undefined) {
      text = isoFromDay(day);
      known.set(day, text);
    }
    return text;
  };
  return { name: VALUE_DATE, builder, add: ({ valueDay }) => builder.addText(valueDay === null ? null : textOf(valueDay)) };
}

/** Returns readers for the wanted fields that are not read anyway. */
export function fieldReaders(wanted: readonly Field[], streams: readonly ReadStream[], room: number): FieldReader[] {
  return wanted.flatMap((field) => fieldReader(field, streams, room));
}

/** Returns the columns that the wanted fields need. */
export function needsOf(wanted: readonly Field[], streams: readonly ReadStream[]): Needs {
  const isReference = wanted.some(({ name }) => name === 'reference');
  return {
    externalId: wanted.some(({ name }) => name === 'external_id') || (isReference && streams.some(refersTo('external_id'))),
    metadata: wanted.some(({ kind }) => kind === 'metadata') || (isReference && streams.some(refersTo('metadata.'))),
    valueDay: wanted.some(({ name }) => name === VALUE_DATE),
  };
}

function refersTo(start: string): (stream: ReadStream) => boolean {
  return ({ reference_field: field }) => field !== null && field.startsWith(start);
}

function fieldReader(field: Field, streams: readonly ReadStream[], room: number): FieldReader[] {
  const builder = valueColumnBuilder(room);
  const { name } = field;
  if (name === VALUE_DATE) return [valueDateReader(builder)];
  if (name === 'external_id') return [{ name, builder, add: (row) => builder.addText(row.externalId) }];
  if (name === 'reference') {
    const read = new Map(streams.map((stream) => [stream.id, referenceReader(stream.reference_field)]));
    return [{ name, builder, add: (row) => builder.addText(read.get(row.streamId)?.(row) ?? null) }];
  }
  if (field.kind !== 'metadata') return [];
  const member = textMember(field.path);
  const add = (row: ReadRow): void => {
    const metadata = row.metadata ?? '{}';
    const text = member(metadata);
    if (text === undefined) builder.add(lookUp(storedJson('records.metadata', metadata, row.id), field.path));
    else builder.addText(text);
  };
  return [{ name, builder, add }];
}

/** Returns a reader that does for a row what `referenceText` does for a record. */
function referenceReader(field: string | null): (row: ReadRow) => string | null {
  const member = field?.startsWith('metadata.') === true ? textMember(field.slice('metadata.'.length)) : () => undefined;
  return (row) => {
    const metadata = row.metadata ?? '{}';
    const text = member(metadata);
    if (typeof text === 'string') return text.trim() === '' ? null : text.trim();
    if (text === null) return null;
    const parsed = field?.startsWith('metadata.') === true ? storedJson('records.metadata', metadata, row.id) : {};
    return referenceText(field, { description: row.description, external_id: row.externalId }, parsed);
  };
}

/** Matches keys that JSON writes without escapes. */
const PLAIN_KEY = /^[^"\\\p{Cc}\ud800-\udfff]*$/u;

/**
 * Returns a function that finds the text at a top-level key of stored metadata without parsing all of it. The function returns null if there is
 * nothing, and undefined if only parsing can tell: nested values, escapes, another type, an unusual key. Relies on metadata being stored as
 * `JSON.stringify` writes it, without white space around keys.
 */
export function textMember(path: string): (metadata: string) => string | null | undefined {
  const named = `"${path}":`;
  if (!PLAIN_KEY.test(path)) return () => undefined;
  return (metadata) => {
    if (metadata.length === 2) return null;
    if (metadata.lastIndexOf('{') !== 0) return undefined;
    const at = metadata.indexOf(named);
    if (at < 0) return null;
    const before = metadata.charCodeAt(at - 1);
    const start = at + named.length;
    if ((before !== BRACE && before !== COMMA) || metadata.charCodeAt(start) !== QUOTE) return undefined;
    const end = metadata.indexOf('"', start + 1);
    const text = metadata.slice(start + 1, end);
    return text.includes('\\') ? undefined : text;
  };
}

const BRACE = 0x7b;
const COMMA = 0x2c;
const QUOTE = 0x22;

/** The number of whole records read at a time. */
const RECORDS_AT_ONCE = 5_000;

/** Returns records by id, in the order of the ids. */
function recordsOfIds(read: ReadHandle, ids: readonly number[]): EngineRecord[] {
  const byId = new Map<number, EngineRecord>();
  for (let start = 0; start < ids.length; start += RECORDS_AT_ONCE) {
    for (const record of engineRecordsById(read, ids.slice(start, start + RECORDS_AT_ONCE))) byId.set(record.id, record);
  }
  return ids.map((id) => present(byId.get(id), 'record of the snapshot'));
}

/** Returns a field of records, read one by one. */
export function valuesOfIds(read: ReadHandle, ids: Float64Array, field: Field): ValueColumn {
  const builder = valueColumnBuilder(ids.length);
  for (let start = 0; start < ids.length; start += RECORDS_AT_ONCE) {
    for (const record of recordsOfIds(read, [...ids.subarray(start, start + RECORDS_AT_ONCE)])) builder.add(rawValue(field, record));
  }
  return builder.finished();
}

/**
 * Returns a source of records kept as columns. A field that `columns` lacks is read by `missing` (by default one by one) and then kept in `columns`.
 */
export function recordSource(
  read: ReadHandle,
  ids: Float64Array,
  columns: Map<string, ValueColumn>,
  looks: () => Int32Array,
  missing: (field: Field) => ValueColumn = (field) => valuesOfIds(read, ids, field),
): RecordSource {
  const column: RecordSource['column'] = (field) => {
    const known = columns.get(field.name) ?? missing(field);
    columns.set(field.name, known);
    return known;
  };
  return {
    ids,
    column,
    forget: () => columns.clear(),
    looks,
    records: (places) =>
      recordsOfIds(
        read,
        Array.from(places, (place) => ids[place] as number),
      ),
  };
}

/** Texts that rows refer to by code: streams and currencies of one side. */
export interface NameCodes {
  readonly names: readonly string[];
  readonly codeOf: (name: string) => number;
}

export function nameCodes(): NameCodes {
  const names: string[] = [];
  const codes = new Map<string, number>();
  let latest = { name: '', code: -1 };
  const codeOf = (name: string): number => {
    if (latest.name === name && latest.code >= 0) return latest.code;
    const code = codes.get(name) ?? names.push(name) - 1;
    codes.set(name, code);
    latest = { name, code };
    return code;
  };
  return { names, codeOf };
}

/** The columns that every row has. */
export type ColumnRoom = Pick<RecordColumns, 'amounts' | 'days' | 'decimalPlaces' | 'credits' | 'currencies' | 'streams'> & {
  readonly ids: Float64Array;
};

/** Returns columns for `rows` rows; `filled` is copied to their beginning. */
export function roomFor(rows: number, filled?: ColumnRoom): ColumnRoom {
  const room: ColumnRoom = {
    ids: new Float64Array(rows),
    amounts: new Float64Array(rows),
    days: new Int32Array(rows),
    decimalPlaces: new Uint8Array(rows),
    credits: new Uint8Array(rows),
    currencies: new Uint16Array(rows),
    streams: new Uint16Array(rows),
  };
  if (filled !== undefined) fillRoom(room, 0, filled);
  return room;
}

/** Copies rows into columns, the first of them to row `from`. */
export function fillRoom(room: ColumnRoom, from: number, filled: ColumnRoom): void {
  room.ids.set(filled.ids, from);
  room.amounts.set(filled.amounts, from);
  room.days.set(filled.days, from);
  room.decimalPlaces.set(filled.decimalPlaces, from);
  room.credits.set(filled.credits, from);
  room.currencies.set(filled.currencies, from);
  room.streams.set(filled.streams, from);
}

/** Returns a range of rows as views of the same memory. */
function roomOf(room: ColumnRoom, from: number, to: number): ColumnRoom {
  return {
    ids: room.ids.subarray(from, to),
    amounts: room.amounts.subarray(from, to),
    days: room.days.subarray(from, to),
    decimalPlaces: room.decimalPlaces.subarray(from, to),
    credits: room.credits.subarray(from, to),
    currencies: room.currencies.subarray(from, to),
    streams: room.streams.subarray(from, to),
  };
}
