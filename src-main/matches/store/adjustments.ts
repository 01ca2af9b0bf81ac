import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';
import type { RecordRow, Side } from '../../database/rows.ts';
import { noteChangedRecord } from '../../records/store/column-packs.ts';
import { forgetReconciledDay } from '../../records/store/reconciled-days.ts';
import { noteRestored } from '../../records/store/record-search.ts';
import { SIGNED, SUM_BASE } from '../../records/store/records.ts';
import { VISIBLE_MATCH } from './matches.ts';

/** The record that makes a match balance. A trigger deletes it with its match. */
export type AdjustmentRow = Pick<
  RecordRow,
  | 'id'
  | 'environment_id'
  | 'stream_id'
  | 'day'
  | 'amount'
  | 'direction'
  | 'currency'
  | 'decimal_places'
  | 'description'
  | 'metadata'
  | 'created_at'
>;

export function adjustmentById(read: ReadHandle, id: number): AdjustmentRow | undefined {
  return read.first(
    query
      .selectFrom('records')
      .select([
        'id',
        'environment_id',
        'stream_id',
        'day',
        'amount',
        'direction',
        'currency',
        'decimal_places',
        'description',
        'metadata',
        'created_at',
      ])
      .where('id', '=', id),
  );
}

/** An adjustment that an older book took apart has no metadata, because differences had no codes yet. */
type NewAdjustment = Omit<AdjustmentRow, 'id' | 'metadata'> & Partial<Pick<AdjustmentRow, 'id' | 'metadata'>>;

/** Inserts an adjustment and returns its id; with `id` it is restored under that id. */
export function insertAdjustment(write: WriteHandle, adjustment: NewAdjustment): number {
  const unsaid = { batch_id: null, external_id: null, dedupe_key: null };
  const { lastInsertId: id } = write.run(query.insertInto('records').values({ metadata: '{}', ...adjustment, ...unsaid }));
  if (adjustment.id !== undefined) {
    write.putBack('records', id);
    noteRestored(write, id);
    forgetReconciledDay(write, adjustment.stream_id, adjustment.day);
    noteChangedRecord(write, adjustment.stream_id, id);
  }
  return id;
}

/** Returns the ids of all adjustments in the visible matches of a reconciliation. */
export function adjustmentIds(read: ReadHandle, reconciliationId: number): number[] {
  return read
    .prepare<[number], { id: number }>(
      `SELECT m.adjustment_id AS id FROM matches m WHERE m.reconciliation_id = ? AND m.adjustment_id IS NOT NULL AND ${VISIBLE_MATCH}
       ORDER BY m.id`,
    )
    .all(reconciliationId)
    .map((row) => row.id);
}

/** The signed sum of one side's adjustments, in two parts like those of `lineTotals`. */
export interface AdjustmentTotal {
  readonly side: Side;
  readonly currency: string;
  readonly decimal_places: number;
  readonly high: number;
  readonly low: number;
}

export function adjustmentTotals(read: ReadHandle, reconciliationId: number): AdjustmentTotal[] {
  return read
    .prepare<[number], AdjustmentTotal>(
      `SELECT mr.side, r.currency, r.decimal_places, sum((${SIGNED}) / ${SUM_BASE}) AS high, sum((${SIGNED}) % ${SUM_BASE}) AS low
       FROM matches m JOIN match_records mr ON mr.record_id = m.adjustment_id AND mr.reconciliation_id = m.reconciliation_id AND mr.match_id = m.id
         JOIN records r ON r.id = mr.record_id
       WHERE m.reconciliation_id = ? AND m.adjustment_id IS NOT NULL AND ${VISIBLE_MATCH}
       GROUP BY mr.side, r.currency, r.decimal_places`,
    )
    .all(reconciliationId);
}
