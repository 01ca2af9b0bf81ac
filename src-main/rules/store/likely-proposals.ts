import type { ReadHandle } from '../../database/database.ts';
import { VISIBLE_MATCH } from '../../matches/store/matches.ts';

/** A proposal that waits for a person, with the log odds that it is right; null if its rule has none. */
export interface LikelyProposal {
  readonly id: number;
  readonly likelihood: number | null;
  readonly difference: number;
}

/** Which proposals of a reconciliation are meant. */
export interface ProposalChoice {
  readonly reconciliationId: number;
  /** Null for any, also for none. */
  readonly leastLogOdds: number | null;
  readonly ruleId: number | null;
  /** Null for all. */
  readonly matchIds: readonly number[] | null;
  /** In minor units, whatever the sign of the difference. */
  readonly mostDifference: number;
}

/** Returns visible proposals of a choice, the most likely first, those without a likelihood last. */
export function likelyProposals(read: ReadHandle, choice: ProposalChoice, limit: number): LikelyProposal[] {
  const { reconciliationId, leastLogOdds, ruleId, matchIds, mostDifference } = choice;
  const source = leastLogOdds === null ? 'matches_status' : 'matches_likelihood';
  const likely = leastLogOdds === null ? '' : 'AND m.likelihood IS NOT NULL AND m.likelihood >= ?';
  const ofRule = ruleId === null ? '' : 'AND m.rule_id = ?';
  const selected = matchIds === null ? '' : 'AND m.id IN (SELECT value FROM json_each(?))';
  return read
    .prepare<(number | string)[], LikelyProposal>(
      `SELECT m.id, m.likelihood, m.difference FROM matches m INDEXED BY ${source}
       WHERE m.reconciliation_id = ? AND m.status = 'proposed' ${likely} ${ofRule} ${selected}
         AND m.difference BETWEEN ? AND ?
         AND ${VISIBLE_MATCH} ORDER BY m.likelihood DESC NULLS LAST, m.id DESC LIMIT ?`,
    )
    .all(
      reconciliationId,
      ...(leastLogOdds === null ? [] : [leastLogOdds]),
      ...(ruleId === null ? [] : [ruleId]),
      ...(matchIds === null ? [] : [JSON.stringify(matchIds)]),
      -mostDifference,
      mostDifference,
      limit,
    );
}
