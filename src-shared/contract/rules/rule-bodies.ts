import type { Rule, RuleBody } from './rules.ts';

/** Returns the body that would create a stored rule, without its place. */
export function bodyOf({ filters, description, outcome, method, ...rule }: Rule): RuleBody {
  const common = { filters, description, outcome };
  if (method === 'evidence') return { ...common, method, budget: rule.budget, max_difference: rule.max_difference };
  const { group_by, cardinality, rollup, commit_certainty } = rule;
  return { ...common, group_by, cardinality, rollup, commit_certainty };
}
