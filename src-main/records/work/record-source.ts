import { present } from '../../../src-shared/values/assert.ts';
import type { ReadHandle } from '../../database/database.ts';
import { type Field, rawValue } from '../../domain/records/fields.ts';
import type { RecordSource } from '../../domain/records/record-columns.ts';
import type { EngineRecord } from '../../domain/records/record.ts';
import { type ValueColumn, valueColumnBuilder } from '../../domain/records/value-column.ts';
import { engineRecordsById } from './engine-input.ts';

/** Records read whole at a time. */
const RECORDS_AT_ONCE = 5_000;

/** Records by ids, in the order of the ids. */
function recordsOfIds(read: ReadHandle, ids: readonly number[]): EngineRecord[] {
  const byId = new Map<number, EngineRecord>();
  for (let start = 0; start < ids.length; start += RECORDS_AT_ONCE) {
    for (const record of engineRecordsById(read, ids.slice(start, start + RECORDS_AT_ONCE))) byId.set(record.id, record);
  }
  return ids.map((id) => present(byId.get(id), 'record of the snapshot'));
}

/** A field of records, read one by one. */
export function valuesOfIds(read: ReadHandle, ids: Float64Array, field: Field): ValueColumn {
  const builder = valueColumnBuilder(ids.length);
  for (let start = 0; start < ids.length; start += RECORDS_AT_ONCE) {
    for (const record of recordsOfIds(read, [...ids.subarray(start, start + RECORDS_AT_ONCE)])) builder.add(rawValue(field, record));
  }
  return builder.finished();
}

/** A source of records that are kept as columns; what `columns` lacks is read by `missing`, or else one by one, and kept there. */
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
