import type { SignConvention } from '../../../src-shared/contract/index.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { cohortReason, type NamedCohort } from './cohort-reason.ts';
import { daysOfMany, spanOf } from './cohort-window.ts';
import { inPlaceOf, type RolledView, rolledView, totalOf, totalsOf } from './cohorts.ts';
import type { CompiledRule } from './compile.ts';
import { inContentOrder } from './content.ts';
import { type Reason, reasonOf } from './explain.ts';
import type { MetadataTypes } from './fields.ts';
import { ruleView } from './predicate.ts';
import { readColumns } from './read-columns.ts';
import { columnsOfRecords } from './record-columns.ts';
import { marginSentence } from './margin-words.ts';
import type { Margin } from './margins.ts';
import { compiledRule } from './ready-rules.ts';
import { groupValues, type RolledRule, rolledRule } from './rolled-rule.ts';
import { floatAt, itemAt } from './typed.ts';
import type { EngineFailure, EngineInput, EngineRecord, EngineRule } from './types.ts';

/** How sure a match is, as far as its reason tells of it. */
export interface Sureness {
  readonly certainty: string | null;
  readonly margin?: Margin | null | undefined;
}

/** Why the records of one match were tied, and by how much. Both sides hold at least one record, in any order. */
export type ExplainMatch = (sideA: readonly EngineRecord[], sideB: readonly EngineRecord[], sureness: Sureness) => Reason;

const NOTHING: Reason = { groupKey: null, explanation: [] };

/**
 * Explains matches of a rule from the rule and their records alone: given the rule, the types and the convention of the run that made a
 * match, and its records as they were, exactly what holds of it. Where records have changed since and the rule no longer holds
 * between them, no sentence is made of its conditions. Fails where the rule cannot run.
 */
export function matchExplainer(rule: EngineRule, types: MetadataTypes, convention: SignConvention): Result<ExplainMatch, EngineFailure> {
  const compiled = compiledRule(rule, types);
  if (!compiled.ok) return failed(compiled.error);
  if (rule.cardinality === 'one_to_one') return success(pairExplainer(compiled.value, convention));
  return success(cohortExplainer(rolledRule(rule, compiled.value, types, convention), convention));
}

/** The explainers of the rules that a run had, by the rule's id; each is made when it is first asked for. */
export function explainersOf(facts: Pick<EngineInput, 'rules' | 'types' | 'signConvention'>): (ruleId: number) => ExplainMatch {
  const made = new Map<number, ExplainMatch>();
  return (ruleId) => {
    const known = made.get(ruleId);
    if (known !== undefined) return known;
    const rule = present(
      facts.rules.find(({ id }) => id === ruleId),
      'rule of a match',
    );
    const explainer = matchExplainer(rule, facts.types, facts.signConvention);
    assert(explainer.ok, 'a rule that has run can run');
    made.set(ruleId, explainer.value);
    return explainer.value;
  };
}

function pairExplainer(rule: CompiledRule, convention: SignConvention): ExplainMatch {
  return ([a], [b], { certainty, margin }) => {
    if (a === undefined || b === undefined) return NOTHING;
    const [sideA, sideB] = [columnsOfRecords([a]), columnsOfRecords([b])];
    const columns = readColumns(rule, sideA, sideB, convention);
    const { groupKey, explanation } = reasonOf(ruleView({ rule, columns, sideA, sideB, isBarred: () => false }), 0, 0, convention);
    // Of records that were changed since, neither the conditions nor the margin are told.
    if (certainty !== 'best' || explanation.length === 0) return { groupKey, explanation };
    return { groupKey, explanation: [...explanation, marginSentence(margin ?? null, a, b)] };
  };
}

function cohortExplainer(rolled: RolledRule, convention: SignConvention): ExplainMatch {
  return (sideA, sideB) => {
    const [members, others] = rolled.manySide === 'a' ? [sideA, sideB] : [sideB, sideA];
    const many = inContentOrder(members);
    const single = others.slice(0, 1);
    if (many.length === 0 || single.length === 0) return NOTHING;
    const total = totalOf(many);
    if (total === null) return NOTHING;
    const side = { columns: columnsOfRecords(many), records: many };
    const given = rolledView(rolled, side, { columns: columnsOfRecords(single), records: single }, convention);
    const cohort = cohortOfAll(given, daysOfMany(rolled, side.columns));
    const totals = totalsOf(given, [cohort], [inPlaceOf(itemAt(many, cohort.first), total)]);
    const explanation = cohortReason({ given, totals, cohorts: [cohort] }, 0, cohort.rows(), 0);
    return { groupKey: rolled.kind === 'subset' && cohort.key === '' ? null : cohort.key, explanation };
  };
}

/** All records of the many side as one cohort. */
function cohortOfAll({ rolled, many }: RolledView, days: Float64Array): NamedCohort {
  const rows = Array.from(many, (_, row) => row);
  const firstDay = days.reduce((earliest, day) => Math.min(earliest, day), Infinity);
  const lastDay = days.reduce((latest, day) => Math.max(latest, day), -Infinity);
  const first = rolled.kind === 'date' ? rows.findIndex((row) => floatAt(days, row) === firstDay) : 0;
  const segments = rolled.kind === 'date' ? rolled.groups.slice(1) : rolled.groups;
  const values = groupValues(segments, rolled.manySide, itemAt(many, first)) ?? [];
  const parts = rolled.kind === 'date' ? [spanOf(firstDay, lastDay), ...values] : values;
  return { first, rows: () => rows, untested: () => rows, cells: () => rows, firstDay, lastDay, key: parts.join('|') };
}
