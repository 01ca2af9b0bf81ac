import { idAt, type RecordColumns } from '../../records/record-columns.ts';

/** Rows by the ids of their records: of all, or of those that are wanted. */
export function rowById(columns: RecordColumns, wanted: ReadonlySet<number> | null = null): Map<number, number> {
  const rows = new Map<number, number>();
  for (let row = 0; row < columns.count; row += 1) {
    const id = idAt(columns, row);
    if (wanted === null || wanted.has(id)) rows.set(id, row);
  }
  return rows;
}
