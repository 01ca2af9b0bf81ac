import type { WouldBeMatch } from '../../../src-shared/contract/index.ts';
import { WOULD_BE_RECORDS } from '../../../src-shared/contract/matches/would-be-matches.ts';
import type { ReadHandle } from '../../database/database.ts';
import { probabilityOf, storedWeight } from '../../domain/evidence/model/weight.ts';
import { type EngineInput, type EngineMatch, explained, type FoundMatch, marginView } from '../../domain/matching/index.ts';
import { engineRecordsById } from '../../records/work/engine-input.ts';

/** Everything that a run uses besides its records. */
export type RunFacts = Pick<EngineInput, 'rules' | 'types' | 'signConvention'>;

/** Returns matches of a run with their explanations, made from the present records. Skips matches with a deleted record. */
export function explainedMatches(read: ReadHandle, facts: RunFacts, matches: readonly FoundMatch[]): EngineMatch[] {
  const records = engineRecordsById(
    read,
    matches.flatMap((match) => [...match.aIds, ...match.bIds]),
  );
  const there = new Set(records.map(({ id }) => id));
  const isThere = (id: number): boolean => there.has(id);
  const whole = matches.filter((match) => match.aIds.every(isThere) && match.bIds.every(isThere));
  return explained(facts, records, whole);
}

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
