import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type OpenItemNoteRow = Row<'open_item_notes'>;

export function notesOf(read: ReadHandle, reconciliationId: number): OpenItemNoteRow[] {
  return read.all(query.selectFrom('open_item_notes').selectAll().where('reconciliation_id', '=', reconciliationId).orderBy('record_id'));
}

export function findNote(read: ReadHandle, reconciliationId: number, recordId: number): OpenItemNoteRow | undefined {
  return read.first(
    query.selectFrom('open_item_notes').selectAll().where('reconciliation_id', '=', reconciliationId).where('record_id', '=', recordId),
  );
}

/** Replaces an existing note on the same record. */
export function putNote(write: WriteHandle, note: OpenItemNoteRow): void {
  const { reconciliation_id: _, record_id: __, ...said } = note;
  write.run(
    query
      .insertInto('open_item_notes')
      .values(note)
      .onConflict((conflict) => conflict.columns(['reconciliation_id', 'record_id']).doUpdateSet(said)),
  );
}
