import { phrase } from '../../../../src-shared/words/say.ts';
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
    ? phrase('rules.tooManyCandidates.giveEachAlternative')
    : phrase('rules.tooManyCandidates.addToNarrowIt', { missingCondition: missingCondition(view) });
  const message = phrase('rules.tooManyCandidates.ruleWouldCompareAboutMillion', {
    ruleId,
    millions: millions(pairs),
    millions2: millions(MAX_CANDIDATE_PAIRS),
    remedy,
  });
  return { code: 'too_many_candidates', message, ruleId };
}
