import { idAt, type RecordColumns } from '../../records/record-columns.ts';

/** Returns rows by record id: those of all records, or of the wanted ones only. */
export function rowById(columns: RecordColumns, wanted: ReadonlySet<number> | null = null): Map<number, number> {
  const rows = new Map<number, number>();
  for (let row = 0; row < columns.count; row += 1) {
    const id = idAt(columns, row);
    if (wanted === null || wanted.has(id)) rows.set(id, row);
  }
  return rows;
}
