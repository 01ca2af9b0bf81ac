import type { Direction } from '../../../src-shared/values/money.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { present } from '../../../src-shared/values/assert.ts';
import type { SignConvention } from '../../../src-shared/contract/index.ts';
import type { IdSet } from '../collections/id-set.ts';
import { intAt, itemAt } from '../collections/typed-arrays.ts';
import { hashOfText } from './dictionary-encoding.ts';
import { type Field, fieldOf, rawValue, type Side } from './fields.ts';
import type { EngineRecord } from './record.ts';
import { type ValueColumn, valueAt, valueColumnBuilder } from './value-column.ts';

/** Source of records. Data other than the numbers is loaded on demand. Places index the records in the order in which they were read. */
export interface RecordSource {
  readonly ids: Float64Array;
  /** Returns the values of `reference`, `description`, `external_id`, `value_date` or a metadata field, by place. */
  readonly column: (field: Field) => ValueColumn;
  /** Releases the loaded values. Reading them again is slow. */
  readonly forget: () => void;
  /** Returns the results of `lookOf` by place. Records with different results do not look alike. */
  readonly looks: () => Int32Array;
  /** Returns whole records of some places, in the order of the places. */
  readonly records: (places: Int32Array) => EngineRecord[];
}

/** Records of one side as columns; row r of each column is one record. */
export interface RecordColumns {
  readonly count: number;
  /** Unsigned amounts in minor units. */
  readonly amounts: Float64Array;
  readonly days: Int32Array;
  readonly decimalPlaces: Uint8Array;
  /** 1 for credits, 0 for debits. */
  readonly credits: Uint8Array;
  /** Indexes into `names`. */
  readonly currencies: Uint16Array;
  readonly streams: Uint16Array;
  readonly names: readonly string[];
  readonly places: Int32Array;
  readonly source: RecordSource;
  /** Whether rows are in content order. Any selection that keeps the order is as well. */
  readonly isInContentOrder: boolean;
}

const DIRECTIONS: readonly Direction[] = ['debit', 'credit'];

const NO_METADATA: EngineRecord['metadata'] = Object.freeze({});

export const DESCRIPTION = present(fieldOf('description'), 'field');

/** Returns a hash of a record's description, or of its external id if it has none. */
export function lookOf(description: string | null, externalId: string | null): number {
  if (description !== null) return hashOfText(description);
  return externalId === null ? 0 : ~hashOfText(externalId);
}

/** Returns columns of records that are given as objects. */
export function columnsOfRecords(records: readonly EngineRecord[]): RecordColumns {
  const known = new Map<string, number>();
  const codeOf = (text: string): number => {
    const code = known.get(text) ?? known.size;
    if (code === known.size) known.set(text, code);
    return code;
  };
  const columns = new Map<string, ValueColumn>();
  const column = (field: Field): ValueColumn => {
    let found = columns.get(field.name);
    if (found === undefined) {
      const builder = valueColumnBuilder(records.length);
      for (const record of records) builder.add(rawValue(field, record));
      found = builder.finished();
      columns.set(field.name, found);
    }
    return found;
  };
  let looks: Int32Array | null = null;
  return {
    count: records.length,
    amounts: Float64Array.from(records, (record) => record.amountMinor),
    days: Int32Array.from(records, (record) => record.day),
    decimalPlaces: Uint8Array.from(records, (record) => record.decimalPlaces),
    credits: Uint8Array.from(records, (record) => (record.direction === 'credit' ? 1 : 0)),
    currencies: Uint16Array.from(records, (record) => codeOf(record.currency)),
    streams: Uint16Array.from(records, (record) => codeOf(record.streamKey)),
    names: [...known.keys()],
    places: Int32Array.from(records, (_, place) => place),
    isInContentOrder: false,
    source: {
      ids: Float64Array.from(records, (record) => record.id),
      column,
      forget: () => columns.clear(),
      looks: () => (looks ??= Int32Array.from(records, (record) => lookOf(record.description, record.externalId))),
      records: (places) => Array.from(places, (place) => itemAt(records, place)),
    },
  };
}

/** Returns some rows of the columns, in the given order. */
export function pickRows(columns: RecordColumns, rows: Int32Array): RecordColumns {
  return {
    ...columns,
    count: rows.length,
    amounts: picked(columns.amounts, rows, new Float64Array(rows.length)),
    days: picked(columns.days, rows, new Int32Array(rows.length)),
    decimalPlaces: picked(columns.decimalPlaces, rows, new Uint8Array(rows.length)),
    credits: picked(columns.credits, rows, new Uint8Array(rows.length)),
    currencies: picked(columns.currencies, rows, new Uint16Array(rows.length)),
    streams: picked(columns.streams, rows, new Uint16Array(rows.length)),
    places: picked(columns.places, rows, new Int32Array(rows.length)),
  };
}

type Numbers = Float64Array | Int32Array | Uint16Array | Uint8Array;

/** Reorders all rows within their arrays. */
export function reorderRows(columns: RecordColumns, rows: Int32Array): void {
  const scratch = new ArrayBuffer(rows.length * Float64Array.BYTES_PER_ELEMENT);
  columns.amounts.set(picked(columns.amounts, rows, new Float64Array(scratch, 0, rows.length)));
  columns.days.set(picked(columns.days, rows, new Int32Array(scratch, 0, rows.length)));
  columns.places.set(picked(columns.places, rows, new Int32Array(scratch, 0, rows.length)));
  columns.currencies.set(picked(columns.currencies, rows, new Uint16Array(scratch, 0, rows.length)));
  columns.streams.set(picked(columns.streams, rows, new Uint16Array(scratch, 0, rows.length)));
  columns.decimalPlaces.set(picked(columns.decimalPlaces, rows, new Uint8Array(scratch, 0, rows.length)));
  columns.credits.set(picked(columns.credits, rows, new Uint8Array(scratch, 0, rows.length)));
}

/** Returns a view of the rows from `from` up to but excluding `to` in the same arrays. */
export function rowsBetween(columns: RecordColumns, from: number, to: number): RecordColumns {
  return {
    ...columns,
    count: to - from,
    amounts: columns.amounts.subarray(from, to),
    days: columns.days.subarray(from, to),
    decimalPlaces: columns.decimalPlaces.subarray(from, to),
    credits: columns.credits.subarray(from, to),
    currencies: columns.currencies.subarray(from, to),
    streams: columns.streams.subarray(from, to),
    places: columns.places.subarray(from, to),
  };
}

export function idAt({ source, places }: RecordColumns, row: number): number {
  return source.ids[intAt(places, row)] as number;
}

function picked<T extends Numbers>(values: T, rows: Int32Array, into: T): T {
  for (let index = 0; index < rows.length; index += 1) into[index] = values[intAt(rows, index)] as number;
  return into;
}

/** Returns the rows whose ids are not in a set, in their order. */
export function withoutIds(columns: RecordColumns, ids: IdSet): RecordColumns {
  if (ids.isEmpty) return columns;
  const isIn = new Uint8Array(columns.count);
  for (let row = 0; row < columns.count; row += 1) if (ids.has(idAt(columns, row))) isIn[row] = 1;
  return pickRows(columns, rowsWhere(isIn, 0));
}

/** Returns the rows whose mark is the wanted one. */
export function rowsWhere(marks: Uint8Array, wanted: number): Int32Array {
  let count = 0;
  for (let row = 0; row < marks.length; row += 1) if (marks[row] === wanted) count += 1;
  const rows = new Int32Array(count);
  let next = 0;
  for (let row = 0; row < marks.length; row += 1) {
    if (marks[row] !== wanted) continue;
    rows[next] = row;
    next += 1;
  }
  return rows;
}

export function recordsOf(columns: RecordColumns): EngineRecord[] {
  return columns.source.records(columns.places);
}

/** Returns records with their numbers only, without texts and metadata. */
export function bareRecords(columns: RecordColumns): EngineRecord[] {
  return Array.from({ length: columns.count }, (_, row) => bareRecord(columns, row));
}

export function bareRecord(columns: RecordColumns, row: number): EngineRecord {
  return {
    id: idAt(columns, row),
    amountMinor: columns.amounts[row] as number,
    decimalPlaces: columns.decimalPlaces[row] as number,
    direction: itemAt(DIRECTIONS, columns.credits[row] as number),
    day: intAt(columns.days, row),
    valueDay: null,
    currency: itemAt(columns.names, columns.currencies[row] as number),
    streamKey: itemAt(columns.names, columns.streams[row] as number),
    description: null,
    externalId: null,
    reference: null,
    metadata: NO_METADATA,
  };
}

export function recordAt(columns: RecordColumns, row: number): EngineRecord {
  return itemAt(columns.source.records(Int32Array.of(intAt(columns.places, row))), 0);
}

/** Returns a function for the raw value of a field by row, which equals `rawValue` of the record. */
export function rawReader(columns: RecordColumns, field: Field): (row: number) => unknown {
  const { names, places } = columns;
  switch (field.name) {
    case 'amount':
    case 'signed_amount':
      return (row) => columns.amounts[row];
    case 'date':
      return (row) => isoFromDay(intAt(columns.days, row));
    case 'currency':
      return (row) => names[columns.currencies[row] as number];
    case 'data_stream_key':
      return (row) => names[columns.streams[row] as number];
    case 'direction':
      return (row) => DIRECTIONS[columns.credits[row] as number];
    default: {
      const values = columns.source.column(field);
      return (row) => valueAt(values, intAt(places, row));
    }
  }
}

/** Fields that every record has and whose columns hold codes. */
export const CODED_FIELDS: ReadonlySet<string> = new Set(['currency', 'data_stream_key', 'direction']);

/** Returns the codes and names of a field that is stored by codes, or null for any other field. */
export function codedField(
  columns: RecordColumns,
  field: Field,
): { readonly codes: Uint16Array | Uint8Array; readonly names: readonly string[] } | null {
  if (field.name === 'currency') return { codes: columns.currencies, names: columns.names };
  if (field.name === 'data_stream_key') return { codes: columns.streams, names: columns.names };
  return field.name === 'direction' ? { codes: columns.credits, names: DIRECTIONS } : null;
}

/** Returns the value of a row in a match: its magnitude under `any`, else its signed amount under the convention. In minor units at its own scale. */
export function weightAt(columns: RecordColumns, row: number, side: Side, convention: SignConvention): number {
  const amount = columns.amounts[row] as number;
  if (convention === 'any') return amount;
  const isNegative = (columns.credits[row] === 0) !== (side === 'b' && convention === 'opposite');
  return isNegative ? 0 - amount : amount;
}
