import { type Convention, type Member as Amount, matchDifference } from '../../../src-shared/values/balancing.ts';
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

interface MemberOfMatch extends Amount {
  readonly match_id: number;
  readonly difference: number;
  readonly sign_convention: Convention;
}

interface WrongDifference {
  readonly id: number;
  readonly stated: number;
  /** Null where it is beyond 2^53-1. */
  readonly summed: number | null;
}

function wrongDifference(members: readonly MemberOfMatch[]): readonly WrongDifference[] {
  const [first] = members;
  if (first === undefined) return [];
  const summed = matchDifference(members, first.sign_convention);
  return summed === first.difference ? [] : [{ id: first.match_id, stated: first.difference, summed }];
}

/** Yields the matches whose difference is another one than their lines add up to; not those of a run under way or hidden by a wipe. */
export function* wrongDifferences(read: ReadHandle): Generator<WrongDifference> {
  const rows = read
    .prepare<[], MemberOfMatch>(
      `SELECT m.id AS match_id, m.difference, c.sign_convention, ${MEMBER_SIDE} AS side, r.amount, r.direction, r.decimal_places
       FROM matches m CROSS JOIN reconciliations c ON c.id = m.reconciliation_id CROSS JOIN ${MEMBERS} CROSS JOIN records r ON r.id = ${MEMBER_ID}
       WHERE m.id NOT IN (${WIPED_MATCH_IDS}) AND (m.run_id IS NULL OR m.run_id NOT IN (SELECT id FROM runs WHERE writing = 1))
       ORDER BY m.id`,
    )
    .iterate();
  let members: MemberOfMatch[] = [];
  for (const row of rows) {
    if (members[0]?.match_id !== row.match_id) {
      yield* wrongDifference(members);
      members = [];
    }
    members.push(row);
  }
  yield* wrongDifference(members);
}
