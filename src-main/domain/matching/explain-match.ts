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
import { compiledRule } from './ready-rules.ts';
import { groupValues, type RolledRule, rolledRule } from './rolled-rule.ts';
import { floatAt, itemAt } from './typed.ts';
import type { EngineFailure, EngineInput, EngineRecord, EngineRule } from './types.ts';

/** Why the records of one match were tied. Both sides hold at least one record, in any order. */
export type ExplainMatch = (sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]) => Reason;

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
  return (a, b) => {
    if (a.length === 0 || b.length === 0) return NOTHING;
    const [sideA, sideB] = [columnsOfRecords(a.slice(0, 1)), columnsOfRecords(b.slice(0, 1))];
    const columns = readColumns(rule, sideA, sideB, convention);
    return reasonOf(ruleView({ rule, columns, sideA, sideB, isBarred: () => false }), 0, 0, convention);
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
