import type { ReadHandle } from '../../database/database.ts';
import { VISIBLE_MATCH } from '../../matches/store/matches.ts';

/** A proposal that waits for a person, with the log odds that it is right. */
export interface LikelyProposal {
  readonly id: number;
  readonly likelihood: number;
}

/** Returns visible proposals without a difference and with at least these log odds, most likely first. */
export function likelyProposals(read: ReadHandle, reconciliationId: number, leastLogOdds: number, limit: number): LikelyProposal[] {
  return read
    .prepare<[number, number, number], LikelyProposal>(
      `SELECT m.id, m.likelihood FROM matches m INDEXED BY matches_likelihood
       WHERE m.reconciliation_id = ? AND m.status = 'proposed' AND m.likelihood IS NOT NULL AND m.likelihood >= ? AND m.difference = 0
         AND ${VISIBLE_MATCH} ORDER BY m.likelihood DESC, m.id DESC LIMIT ?`,
    )
    .all(reconciliationId, leastLogOdds, limit);
}
