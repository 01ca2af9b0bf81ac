import type { Change } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { Certainty, FieldError, MaxDifferenceInput, Rollup, RollupInput, RuleBody } from '../../../src-shared/contract/index.ts';
import { SUBSET_RECORDS } from '../../../src-shared/contract/rules/rule-language.ts';
import { DEFAULT_BUDGET } from '../../../src-shared/contract/rules/rules.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { compileRule, type EngineRule, faultsOfGrouping } from '../../domain/matching/index.ts';
import type { MetadataTypes } from '../../domain/records/fields.ts';
import { refuse } from '../../service/answers.ts';
import type { RuleChange, RuleOfBody, RuleRow } from '../store/rules.ts';

/** Members that only a rule of conditions has. */
const OF_CONDITIONS = ['commit_certainty', 'group_by', 'rollup', 'cardinality'] as const;
const OF_EVIDENCE = ['budget', 'max_difference'] as const;

/** Whether a member has its neutral value, and so does not contradict a rule of evidence. */
function saysNothing(member: (typeof OF_CONDITIONS)[number], body: Change<RuleBody>): boolean {
  if (member === 'cardinality') return body.cardinality === 'one_to_one';
  return member === 'rollup' ? body.rollup === null : member === 'group_by' && body.group_by?.length === 0;
}

/** Returns a fault for each member that does not belong to the rule's method. For a PATCH, `stored` is the rule to change. */
function faultsOfMethod(body: Change<RuleBody>, stored?: Pick<RuleRow, 'method'>): FieldError[] {
  const method = stored?.method ?? body.method ?? 'conditions';
  const errors: FieldError[] = [];
  const add = (path: string, message: string): void => void errors.push({ path, code: 'wrong_method', message });
  if (stored !== undefined && body.method !== undefined && body.method !== stored.method) {
    add('method', phrase('rules.ruleInput.theMethodOfARule', { method: stored.method }));
  }
  if (method === 'evidence') {
    for (const member of OF_CONDITIONS) {
      if (body[member] === undefined || saysNothing(member, body)) continue;
      add(member, phrase('rules.ruleInput.ruleOfEvidenceHasNoIt', { member }));
    }
    if (body.budget === null) add('budget', phrase('rules.ruleInput.evidenceRuleNeedsABudget'));
    return errors;
  }
  for (const member of OF_EVIDENCE) {
    if (body[member] === undefined || body[member] === null) continue;
    add(member, phrase('rules.ruleInput.belongsToRulesWhoseMethod', { member }));
  }
  return errors;
}

/** The certainties that count at once if a rule does not name any. */
const DEFAULT_COMMIT_CERTAINTY: readonly Certainty[] = ['unique', 'best', 'interchangeable'];

/** Returns a rollup with every member, as it is stored and answered. */
function fullRollup(given: RollupInput | null | undefined): Rollup | null {
  if (given === null || given === undefined) return null;
  return {
    lookback_days: given.lookback_days ?? null,
    date_field: given.date_field ?? null,
    group_by_kind: given.group_by_kind ?? 'date',
    many_side: given.many_side ?? 'a',
    ...(given.group_by_kind === 'subset' ? { max_records: given.max_records ?? SUBSET_RECORDS.default } : {}),
  };
}

function differenceText(given: MaxDifferenceInput | null | undefined): string | null {
  return given === null || given === undefined ? null : JSON.stringify(given);
}

function rollupText(given: RollupInput | null): string | null {
  const rollup = fullRollup(given);
  return rollup === null ? null : JSON.stringify(rollup);
}

export function newRuleRow(
  body: RuleBody,
  place: {
    readonly reconciliationId: number;
    readonly priority: number;
    readonly source: 'user' | 'default';
    readonly createdAtMs: number;
  },
): RuleOfBody {
  return {
    reconciliation_id: place.reconciliationId,
    priority: body.priority ?? place.priority,
    filters: JSON.stringify(body.filters),
    description: body.description ?? null,
    source: place.source,
    status: 'active',
    outcome: body.outcome ?? 'match',
    commit_certainty: JSON.stringify(body.commit_certainty ?? DEFAULT_COMMIT_CERTAINTY),
    method: body.method ?? 'conditions',
    budget: body.method === 'evidence' ? (body.budget ?? DEFAULT_BUDGET) : null,
    max_difference: differenceText(body.max_difference),
    paused: body.paused === true ? 1 : 0,
    paused_reason: null,
    cardinality: body.cardinality ?? 'one_to_one',
    group_by: JSON.stringify(body.group_by ?? []),
    rollup: rollupText(body.rollup ?? null),
    created_at: place.createdAtMs,
  };
}

/** Returns the columns that a PATCH changes. */
export function ruleChange(body: Change<RuleBody>): RuleChange {
  return {
    ...(body.filters === undefined ? {} : { filters: JSON.stringify(body.filters) }),
    ...(body.priority === undefined ? {} : { priority: body.priority }),
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.outcome === undefined ? {} : { outcome: body.outcome }),
    ...(body.commit_certainty === undefined ? {} : { commit_certainty: JSON.stringify(body.commit_certainty) }),
    ...(body.group_by === undefined ? {} : { group_by: JSON.stringify(body.group_by) }),
    ...(body.cardinality === undefined ? {} : { cardinality: body.cardinality }),
    ...(body.rollup === undefined ? {} : { rollup: rollupText(body.rollup) }),
    ...(body.budget === undefined ? {} : { budget: body.budget }),
    ...(body.max_difference === undefined ? {} : { max_difference: differenceText(body.max_difference) }),
    ...(body.paused === undefined ? {} : { paused: body.paused ? 1 : 0, paused_reason: null }),
  };
}

/** Returns a rule that is not stored in the form of the engine; its id is its place from 1. */
export function unstoredRule(body: RuleBody, position: number): EngineRule {
  return {
    id: position + 1,
    priority: body.priority ?? (position + 1) * 10,
    filters: body.filters,
    outcome: body.outcome ?? 'match',
    commitCertainty: body.commit_certainty ?? DEFAULT_COMMIT_CERTAINTY,
    cardinality: body.cardinality ?? 'one_to_one',
    groupBy: body.group_by ?? [],
    rollup: fullRollup(body.rollup),
    ...(body.method === 'evidence'
      ? { evidence: { budget: body.budget ?? DEFAULT_BUDGET, maxDifference: body.max_difference ?? null } }
      : {}),
  };
}

/**
 * Returns null if a rule is meaningful for metadata fields of the declared `types`, else a refusal with the path of each wrong node. For a PATCH,
 * `stored` is the rule to change.
 */
export function checkRule(body: Change<RuleBody>, types: MetadataTypes, stored?: RuleRow) {
  const errors: FieldError[] = [];
  if (body.filters !== undefined) {
    const compiled = compileRule(body.filters, types);
    if (!compiled.ok) errors.push(...compiled.error);
  }
  const storedRollup = stored === undefined ? null : storedJson('rules.rollup', stored.rollup, stored.id);
  const touchesGrouping = body.cardinality !== undefined || body.group_by !== undefined || body.rollup !== undefined;
  const grouping = {
    cardinality: body.cardinality ?? (stored?.cardinality === 'many_to_one' ? 'many_to_one' : 'one_to_one'),
    groupBy: body.group_by ?? (stored === undefined ? [] : storedJson('rules.group_by', stored.group_by, stored.id)),
    rollup: body.rollup === undefined ? storedRollup : body.rollup,
  } as const;
  errors.push(...faultsOfMethod(body, stored));
  if (touchesGrouping) errors.push(...faultsOfGrouping(grouping, types));
  return errors.length === 0 ? null : refuse('invalid_rule', errors.map((error) => error.message).join(' '), errors);
}

/** Returns the first fault among the rules of a file, with the rule's place; null if there is none. */
export function checkRules(rules: readonly RuleBody[], types: MetadataTypes) {
  for (const [position, body] of rules.entries()) {
    const faults = checkRule(body, types);
    if (faults === null) continue;
    const errors = (faults.error.errors ?? []).map((error) => ({ ...error, path: `rules.${position}.${error.path}` }));
    return refuse('invalid_rule', `Rule ${position + 1}: ${faults.error.message}`, errors);
  }
  return null;
}
