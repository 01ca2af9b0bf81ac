import type { RuleView } from '../comparison/predicate.ts';
import type { EngineFailure } from '../model/input.ts';
import { MAX_CANDIDATE_PAIRS, millions } from '../model/limits.ts';
import { missingCondition, type Plan } from './plan.ts';

/**
 * Returns the error for a rule whose plan is too wide, naming a condition that would narrow it. If every alternative is already narrowed, the remedy
 * is to split them into rules.
 */
export function tooManyPairs(ruleId: number, { pairs, isNarrowed }: Pick<Plan, 'pairs' | 'isNarrowed'>, view: RuleView): EngineFailure {
  const remedy = isNarrowed
    ? 'Give each alternative of its `or` group a rule of its own: one by itself may leave any number of pairs.'
    : `Add ${missingCondition(view)} to narrow it.`;
  const message = `Rule ${ruleId} would compare about ${millions(pairs)} million pairs (the limit is ${millions(MAX_CANDIDATE_PAIRS)} million). ${remedy}`;
  return { code: 'too_many_candidates', message, ruleId };
}
