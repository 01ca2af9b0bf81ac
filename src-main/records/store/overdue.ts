import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type OverdueRow = Row<'overdue_records'>;

/** Marks a record, or changes the time of its mark. */
export function markOverdue(write: WriteHandle, mark: OverdueRow): void {
  write.run(
    query
      .insertInto('overdue_records')
      .values(mark)
      .onConflict((conflict) => conflict.columns(['record_id', 'reconciliation_id']).doUpdateSet({ overdue_at: mark.overdue_at })),
  );
}

/** Returns the marks of records, ordered by reconciliation. */
export function overdueMarks(read: ReadHandle, recordIds: readonly number[]): OverdueRow[] {
  return read
    .prepare<[string], OverdueRow>(
      'SELECT o.* FROM json_each(?) j JOIN overdue_records o ON o.record_id = j.value ORDER BY o.reconciliation_id',
    )
    .all(JSON.stringify(recordIds));
}
