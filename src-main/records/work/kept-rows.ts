import type { Field } from '../../domain/records/fields.ts';
import type { FieldsToFill } from '../../domain/matching/index.ts';
import type { IdSet } from '../../domain/collections/id-set.ts';
import { rowsWhere } from '../../domain/records/record-columns.ts';
import { VALUE, type ValueColumn } from '../../domain/records/value-column.ts';

const NOTHING = VALUE.none;

/** Rows of a pack that are not skipped, ascending; null where all are read. */
export function rowsNotLeftOut(ids: Float64Array, leftOut: IdSet): Int32Array | null {
  const isKept = new Uint8Array(ids.length);
  for (let row = 0; row < ids.length; row += 1) isKept[row] = leftOut.has(ids[row] as number) ? 0 : 1;
  return rowsMarked(isKept);
}

/**
 * Those of some rows, or of all, that have something in every field of some set; null for all of the pack. `valuesOf`: a field of the whole pack, null where it is
 * not there: then any row may have it.
 */
export function rowsFilled(
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

/** Marks the rows that have something in all of some columns. */
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
