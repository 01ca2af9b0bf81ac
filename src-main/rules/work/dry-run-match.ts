import type { WouldBeMatch } from '../../../src-shared/contract/index.ts';
import { WOULD_BE_RECORDS } from '../../../src-shared/contract/matches/would-be-matches.ts';
import { probabilityOf, storedWeight } from '../../domain/evidence/model/weight.ts';
import { type EngineMatch, marginView } from '../../domain/matching/index.ts';

/** Returns a match of the engine as people see it before it is made. */
export function wouldBeMatch(match: EngineMatch, ruleId: number | null): WouldBeMatch {
  return {
    status: match.status,
    group_key: match.groupKey,
    reconciliation_rule_id: ruleId,
    record_count: match.aIds.length + match.bIds.length,
    difference: match.differenceMinor,
    certainty: match.certainty,
    margin: match.margin === undefined ? null : marginView(match.margin),
    explanation: [...match.explanation],
    likelihood: match.weight === undefined ? null : probabilityOf(storedWeight(match.weight).likelihood),
    evidence: [...(match.evidence ?? [])],
    side_a_record_ids: match.aIds.slice(0, WOULD_BE_RECORDS),
    side_b_record_ids: match.bIds.slice(0, WOULD_BE_RECORDS),
  };
}
