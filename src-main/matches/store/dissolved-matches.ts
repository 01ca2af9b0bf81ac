import { assert } from '../../../src-shared/values/assert.ts';
import { storedJson } from '../../database/json-columns.ts';
import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';
import type { MatchRow, Side } from '../../database/rows.ts';
import { adjustmentById, type AdjustmentRow, insertAdjustment } from './adjustments.ts';
import { deleteMatch, findMatch, insertMatch, memberIds, type NewMember } from './matches.ts';

/** A match that was taken apart, kept whole so that undo can restore it. */
export interface DissolvedMatch {
  readonly match: MatchRow;
  /** The members without its adjustment. */
  readonly members: readonly NewMember[];
  /** The adjustment, which is deleted and restored with the match. Missing in bodies of older books. */
  readonly adjustment?: (AdjustmentRow & { readonly side: Side }) | null;
}

/** Takes a visible match apart and keeps it with its explanation, because its records may change. `displacedBy` is the match that displaced it. */
export function dissolveMatch(write: WriteHandle, match: MatchRow, atMs: number, displacedBy: number | null): DissolvedMatch {
  assert(match.explanation !== '', 'the reason of a match is stored before it is taken apart');
  const all = memberIds(write, match.id).map((member) => ({ recordId: member.record_id, side: member.side }));
  const members = all.filter((member) => member.recordId !== match.adjustment_id);
  const row = match.adjustment_id === null ? undefined : adjustmentById(write, match.adjustment_id);
  const side = all.find((member) => member.recordId === match.adjustment_id)?.side;
  deleteMatch(write, match.id);
  const body: DissolvedMatch = { match, members, adjustment: row === undefined || side === undefined ? null : { ...row, side } };
  write.run(
    query.insertInto('dissolved_matches').values({
      match_id: match.id,
      reconciliation_id: match.reconciliation_id,
      displaced_by: displacedBy,
      body: JSON.stringify(body),
      dissolved_at: atMs,
    }),
  );
  return body;
}

export function findDissolved(read: ReadHandle, environmentId: number, matchId: number): DissolvedMatch | undefined {
  const row = read.first(
    query
      .selectFrom('dissolved_matches as d')
      .innerJoin('reconciliations as c', 'c.id', 'd.reconciliation_id')
      .select('d.body')
      .where('c.environment_id', '=', environmentId)
      .where('d.match_id', '=', matchId),
  );
  return row === undefined ? undefined : storedJson('dissolved_matches.body', row.body, matchId);
}

export function displacedBy(read: ReadHandle, matchId: number): DissolvedMatch[] {
  return read
    .all(query.selectFrom('dissolved_matches').select(['match_id', 'body']).where('displaced_by', '=', matchId).orderBy('match_id'))
    .map((row) => storedJson('dissolved_matches.body', row.body, row.match_id));
}

/**
 * Restores a match and its adjustment under their own ids, with the present difference of its records. A proposal is restored into the last published
 * run; otherwise it would be invisible.
 */
export function restoreMatch(write: WriteHandle, dissolved: DissolvedMatch, difference: number): MatchRow | undefined {
  const { match, members } = dissolved;
  const reconciliation = write.first(
    query.selectFrom('reconciliations').select(['environment_id', 'published_run_id']).where('id', '=', match.reconciliation_id),
  );
  if (reconciliation === undefined) return undefined;
  const runId = match.status === 'proposed' ? reconciliation.published_run_id : match.run_id;
  write.run(query.deleteFrom('dissolved_matches').where('match_id', '=', match.id));
  const { adjustment = null } = dissolved;
  const held = [...members];
  if (adjustment !== null) {
    const { side, ...row } = adjustment;
    held.push({ recordId: insertAdjustment(write, row), side });
  }
  insertMatch(write, { ...match, run_id: runId, difference }, held, match.id);
  return findMatch(write, reconciliation.environment_id, match.id);
}
