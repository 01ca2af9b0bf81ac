import type { ReadHandle } from '../../database/database.ts';
import { WIPED_MATCH_IDS } from '../../records/store/wipes.ts';
import { MEMBER_ID, MEMBER_SIDE, MEMBERS } from './match-members.ts';

interface Member {
  readonly match_id: number;
  readonly record_id: number;
}

/**
 * Returns up to `limit` members of matches that `match_records` lacks, or has with another side or slot. Leaves out matches that a wipe hid, which
 * may have lost records, and matches of a run in progress, whose members are written later.
 */
export function unlistedMembers(read: ReadHandle, limit: number): Member[] {
  return read
    .prepare<[number], Member>(
      `SELECT m.id AS match_id, ${MEMBER_ID} AS record_id FROM matches m CROSS JOIN ${MEMBERS}
       WHERE NOT EXISTS (SELECT 1 FROM match_records x WHERE x.record_id = ${MEMBER_ID} AND x.reconciliation_id = m.reconciliation_id
           AND x.slot = iif(m.status = 'matched', 0, m.id) AND x.match_id = m.id AND x.side = ${MEMBER_SIDE})
         AND NOT (m.id IN (${WIPED_MATCH_IDS}) AND EXISTS (SELECT 1 FROM match_records x WHERE x.record_id = ${MEMBER_ID}
           AND x.reconciliation_id = m.reconciliation_id AND x.slot = m.id AND x.match_id = m.id))
         AND (m.run_id IS NULL OR m.run_id NOT IN (SELECT id FROM runs WHERE writing = 1))
       LIMIT ?`,
    )
    .all(limit);
}

/** Returns up to `limit` rows of `match_records` whose match does not hold the record, or whose record does not exist. */
export function unheldMembers(read: ReadHandle, limit: number): (Member & { readonly is_record: 0 | 1 })[] {
  return read
    .prepare<[number], Member & { readonly is_record: 0 | 1 }>(
      `SELECT x.match_id, x.record_id, r.id IS NOT NULL AS is_record
       FROM match_records x LEFT JOIN matches m ON m.id = x.match_id AND m.reconciliation_id = x.reconciliation_id
         LEFT JOIN records r ON r.id = x.record_id
       WHERE r.id IS NULL OR m.id IS NULL OR NOT iif(m.members IS NULL, x.record_id IN (m.a_record_id, m.b_record_id),
         EXISTS (SELECT 1 FROM json_each(m.members) j WHERE abs(j.value) = x.record_id))
       LIMIT ?`,
    )
    .all(limit);
}
