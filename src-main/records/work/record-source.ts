import { present } from '../../../src-shared/values/assert.ts';
import type { ReadHandle } from '../../database/database.ts';
import { type Field, rawValue } from '../../domain/records/fields.ts';
import type { RecordSource } from '../../domain/records/record-columns.ts';
import type { EngineRecord } from '../../domain/records/record.ts';
import { type ValueColumn, valueColumnBuilder } from '../../domain/records/value-column.ts';
import { engineRecordsById } from './engine-input.ts';

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
