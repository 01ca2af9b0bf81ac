import { MAX_CANDIDATE_PAIRS, missingCondition } from './plan.ts';
import type { RuleView } from './predicate.ts';
import type { EngineFailure } from './types.ts';

/** The refusal of a rule whose plan is too wide, naming what narrows it. */
export function tooManyPairs(ruleId: number, pairs: number, view: RuleView): EngineFailure {
  const message = `Rule ${ruleId} would compare about ${millions(pairs)} million pairs (the limit is ${millions(MAX_CANDIDATE_PAIRS)} million). Add ${missingCondition(view)} to narrow it.`;
  return { code: 'too_many_candidates', message, ruleId };
}

function millions(count: number): string {
  return String(Math.round(count / 1_000_000));
}
