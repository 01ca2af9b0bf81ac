import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { type Candidates, findCandidates } from './candidates.ts';
import { classesOfSide } from './classes.ts';
import { readColumns } from './columns.ts';
import { CANCELLED } from './cohort-fits.ts';
import type { CohortsFound } from './cohort-types.ts';
import { componentsOf } from './components.ts';
import { inContentOrder } from './content.ts';
import { differenceOf, ownUnitsOf } from './difference.ts';
import { reasonOf } from './explain.ts';
import { matchCohorts } from './match-cohorts.ts';
import { matchSubsets } from './match-subsets.ts';
import { type Matcher, pairComponent, type Pairing } from './pairing.ts';
import { MAX_CANDIDATE_PAIRS, planRule } from './plan.ts';
import { pairTest, type RuleView, ruleView } from './predicate.ts';
import { type ReadyRule, readyRules } from './ready-rules.ts';
import { type SeparatedPairs, separatedPairs } from './separations.ts';
import { tooManyPairs } from './too-many.ts';
import { itemAt } from './typed.ts';
import type {
  EngineControl,
  EngineFailure,
  EngineInput,
  EngineMatch,
  EngineRecord,
  EngineResult,
  EngineRule,
  RuleOutcome,
} from './types.ts';
import { type Watch, watchOf } from './watch.ts';

interface Run {
  readonly input: EngineInput;
  readonly separated: SeparatedPairs;
  readonly watch: Watch;
}

/**
 * Runs the rules over the free records of both sides, one to one or many to one. A pure function: the same records in any order give
 * the same result. Rules run by priority, then id, and each sees only the records that no rule before it has tied or
 * proposed.
 */
export function matchRecords(input: EngineInput, control: EngineControl): Result<EngineResult, EngineFailure> {
  const rules = readyRules(input.rules, input.types);
  if (!rules.ok) return rules;
  const run: Run = {
    input,
    separated: separatedPairs(input.separations),
    watch: watchOf(control, input.rules.length * (input.sideA.length + input.sideB.length)),
  };
  let freeA = inContentOrder(input.sideA);
  let freeB = inContentOrder(input.sideB);
  const matches: EngineMatch[] = [];
  const outcomes: RuleOutcome[] = [];
  for (const ready of rules.value) {
    const ran = ready.rule.cardinality === 'many_to_one' ? rollUp(run, ready, freeA, freeB) : runRule(run, ready, freeA, freeB);
    if (!ran.ok) return ran;
    const found = ran.value.matches;
    const usedA = new Set(found.flatMap((match) => match.aIds));
    const usedB = new Set(found.flatMap((match) => match.bIds));
    freeA = freeA.filter((record) => !usedA.has(record.id));
    freeB = freeB.filter((record) => !usedB.has(record.id));
    for (const match of found) matches.push(match);
    outcomes.push(outcomeOf(ready.rule.id, ran.value));
  }
  return success({ matches, rules: outcomes });
}

/** `matches` and `records` are those that count; what waits for a person is in `proposed`. */
function outcomeOf(ruleId: number, { matches: found, outsideWindow, gaveUp }: CohortsFound): RuleOutcome {
  const counted = found.filter((match) => match.status === 'matched');
  const records = counted.reduce((sum, match) => sum + match.aIds.length + match.bIds.length, 0);
  return { ruleId, matches: counted.length, records, proposed: found.length - counted.length, outsideWindow, gaveUp };
}

/** Ties several records of one side to one of the other. */
function rollUp(
  { input, watch }: Run,
  { rule, compiled }: ReadyRule,
  sideA: readonly EngineRecord[],
  sideB: readonly EngineRecord[],
): Result<CohortsFound, EngineFailure> {
  if (watch.isCancelled()) return failed(CANCELLED);
  const { types, signConvention, separations } = input;
  const matcher = rule.rollup?.group_by_kind === 'subset' ? matchSubsets : matchCohorts;
  return matcher({ rule, compiled, types, sideA, sideB, signConvention, separations, watch });
}

function runRule(
  run: Run,
  { rule, compiled }: ReadyRule,
  sideA: readonly EngineRecord[],
  sideB: readonly EngineRecord[],
): Result<CohortsFound, EngineFailure> {
  const { input, separated, watch } = run;
  if (watch.isCancelled()) return failed(CANCELLED);
  watch.beginStage(rule.id, input.sideA.length);
  const view = ruleView({
    rule: compiled,
    columns: readColumns(compiled, sideA, sideB, input.signConvention),
    sideA,
    sideB,
    isBarred: (recordA, recordB) =>
      separated.separates(recordA.id, recordB.id) || differenceOf(recordA, recordB, input.signConvention) === null,
  });
  const isSingle = (record: EngineRecord): boolean => separated.concerns(record.id);
  const classesA = classesOfSide(view, 'a', isSingle);
  const classesB = classesOfSide(view, 'b', isSingle);
  const plan = planRule(view, classesA, classesB);
  if (plan.pairs > MAX_CANDIDATE_PAIRS) return failed(tooManyPairs(rule.id, plan.pairs, view));
  const candidates = findCandidates(plan, classesA, classesB, pairTest(view), watch);
  if (candidates === null) return failed(CANCELLED);
  watch.finishStage();
  watch.beginStage(rule.id, input.sideB.length);
  const matcher: Matcher = {
    view,
    classesA,
    classesB,
    candidates,
    ownUnits: ownUnitsOf(input.signConvention),
    isCancelled: watch.isCancelled,
  };
  const pairings = pairAll(matcher, candidates, watch);
  if (pairings === null) return failed(CANCELLED);
  watch.finishStage();
  return success({ matches: pairings.map((pairing) => matchOf(run, rule, view, pairing)), outsideWindow: 0, gaveUp: null });
}

function pairAll(matcher: Matcher, candidates: Candidates, watch: Watch): Pairing[] | null {
  const pairings: Pairing[] = [];
  let sinceLook = 0;
  for (const component of componentsOf(candidates, matcher.classesB.count)) {
    const found = pairComponent(matcher, component);
    if (found === null) return null;
    for (const pairing of found) pairings.push(pairing);
    watch.advance(found.length);
    sinceLook += found.length;
    if (sinceLook < 4_096) continue;
    sinceLook = 0;
    if (watch.isCancelled()) return null;
  }
  // Rows are in content order, so this is the order by content.
  return pairings.toSorted((left, right) => left.rowA - right.rowA);
}

function matchOf(run: Run, rule: EngineRule, view: RuleView, pairing: Pairing): EngineMatch {
  const recordA = itemAt(view.sideA, pairing.rowA);
  const recordB = itemAt(view.sideB, pairing.rowB);
  const commits = rule.outcome === 'match' && rule.commitCertainty.includes(pairing.certainty);
  const { groupKey, explanation } = reasonOf(view, pairing.rowA, pairing.rowB, run.input.signConvention);
  return {
    ruleId: rule.id,
    aIds: [recordA.id],
    bIds: [recordB.id],
    status: commits ? 'matched' : 'proposed',
    certainty: pairing.certainty,
    differenceMinor: differenceOf(recordA, recordB, run.input.signConvention) ?? 0,
    groupKey,
    explanation,
  };
}
