import type { Certainty, FieldError, RuleBody } from '../../src-shared/contract/index.ts';
import { compileRule } from '../domain/matching/compile.ts';
import type { NewRule } from '../store/rules.ts';
import { refuse } from './answers.ts';

/** What may count at once when a rule does not say. */
export const DEFAULT_COMMIT_CERTAINTY: readonly Certainty[] = ['unique', 'best', 'interchangeable'];

export function newRuleRow(
  body: RuleBody,
  place: {
    readonly reconciliationId: number;
    readonly priority: number;
    readonly source: 'user' | 'default';
    readonly createdAtMs: number;
  },
): NewRule {
  return {
    reconciliation_id: place.reconciliationId,
    priority: body.priority ?? place.priority,
    filters: JSON.stringify(body.filters),
    description: body.description ?? null,
    source: place.source,
    status: 'active',
    outcome: body.outcome ?? 'match',
    commit_certainty: JSON.stringify(body.commit_certainty ?? DEFAULT_COMMIT_CERTAINTY),
    cardinality: body.cardinality ?? 'one_to_one',
    group_by: '[]',
    rollup: null,
    created_at: place.createdAtMs,
  };
}

/** Whether a rule can mean anything; else a refusal with the path of each faulty node. */
export function checkRule(filters: RuleBody['filters']) {
  const compiled = compileRule(filters);
  if (compiled.ok) return null;
  const errors: readonly FieldError[] = compiled.error;
  return refuse('invalid_rule', errors.map((error) => error.message).join(' '), errors);
}

/** The first fault among the rules of a file, told with the rule's place. */
export function checkRules(rules: readonly RuleBody[]) {
  for (const [position, body] of rules.entries()) {
    const faults = checkRule(body.filters);
    if (faults === null) continue;
    const errors = (faults.error.errors ?? []).map((error) => ({ ...error, path: `rules.${position}.${error.path}` }));
    return refuse('invalid_rule', `Rule ${position + 1}: ${faults.error.message}`, errors);
  }
  return null;
}
