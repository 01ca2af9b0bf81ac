import { storedJson } from '../../database/json-columns.ts';
/**
 * The row of a match says which records it holds (see database/migrations/first-book/reconciliations.ts). `match_records` has the same by record:
 * `insertMatch` and, for runs, `runs/store/run-matches.ts` write it with the match; triggers change and delete it with the match.
 */

/** A join for the match `m`: a row `mr` for each member. */
export const MEMBERS = 'json_each(coalesce(m.members, json_array(m.a_record_id, -m.b_record_id))) mr';
export const MEMBER_ID = 'abs(mr.value)';
export const MEMBER_SIDE = "iif(mr.value > 0, 'a', 'b')";

/** Selects the record ids of a match; bind its id. */
export const MEMBER_IDS_OF_MATCH = `SELECT ${MEMBER_ID} AS id FROM matches m CROSS JOIN ${MEMBERS} WHERE m.id = ?`;

/** Inserts the rows of `match_records` for matches `m` that have none; append a condition. */
export const INSERT_MEMBERS = `INSERT INTO match_records(record_id, reconciliation_id, slot, match_id, side)
  SELECT ${MEMBER_ID}, m.reconciliation_id, iif(m.status = 'matched', 0, m.id), m.id, ${MEMBER_SIDE} FROM matches m CROSS JOIN ${MEMBERS}`;
/** Does so for one match; bind its id. */
export const INSERT_MEMBERS_OF_MATCH = `${INSERT_MEMBERS} WHERE m.id = ?`;

/** The columns of a match that contain its members. */
export interface MemberColumns {
  readonly record_count: number;
  readonly side_a_count: number;
  readonly a_record_id: number | null;
  readonly b_record_id: number | null;
  readonly members: string | null;
}

/** Returns the ids of side A, and those of side B negated. */
function signed(aIds: readonly number[], bIds: readonly number[]): number[] {
  const ids = aIds.slice();
  for (const id of bIds) ids.push(-id);
  return ids;
}

/** Returns the columns to write for a match of these records. */
export function memberColumns(aIds: readonly number[], bIds: readonly number[]): MemberColumns {
  const counts = { record_count: aIds.length + bIds.length, side_a_count: aIds.length };
  const [a] = aIds;
  const [b] = bIds;
  if (counts.record_count === 2 && a !== undefined && b !== undefined) return { ...counts, a_record_id: a, b_record_id: b, members: null };
  return { ...counts, a_record_id: null, b_record_id: null, members: JSON.stringify(signed(aIds, bIds)) };
}

/** Returns the record ids of a match, of both sides. */
export function recordIdsOf(match: Pick<MemberColumns, 'a_record_id' | 'b_record_id' | 'members'> & { readonly id: number }): number[] {
  if (match.members !== null) return storedJson('matches.members', match.members, match.id).map(Math.abs);
  return [match.a_record_id, match.b_record_id].filter((id) => id !== null);
}
