import type { ReadHandle } from '../../database/database.ts';
import { VISIBLE_MATCH } from './matches.ts';
import { recordIdsOf } from './match-members.ts';

/** A decided match. */
interface HistoryRow {
  readonly id: number;
  /** Made by hand, or confirmed by a person. */
  readonly isJudged: boolean;
  /** The record ids without its adjustment. */
  readonly recordIds: readonly number[];
}

interface StoredRow {
  readonly id: number;
  readonly is_judged: number;
  readonly adjustment_id: number | null;
  readonly a_record_id: number | null;
  readonly b_record_id: number | null;
  readonly members: string | null;
}

/** Yields every visible match of a reconciliation that counts as matched. The connection cannot be used until the end. */
export function* matchedHistory(read: ReadHandle, reconciliationId: number): Generator<HistoryRow> {
  const statement = read.prepare<[number], StoredRow>(
    `SELECT m.id, m.origin = 'manual' OR m.confirmed_at IS NOT NULL AS is_judged, m.adjustment_id, m.a_record_id, m.b_record_id, m.members
     FROM matches m WHERE m.reconciliation_id = ? AND m.status = 'matched' AND ${VISIBLE_MATCH}`,
  );
  for (const row of statement.iterate(reconciliationId)) {
    const ids = recordIdsOf(row);
    yield {
      id: row.id,
      isJudged: row.is_judged === 1,
      recordIds: row.adjustment_id === null ? ids : ids.filter((id) => id !== row.adjustment_id),
    };
  }
}
