import { PREVIEW_LIMITS } from '../../../src-shared/contract/rules/rule-preview.ts';
import { type Result, success } from '../../../src-shared/values/result.ts';
import type { Database, ReadHandle } from '../../database/database.ts';
import {
  type CompiledRule,
  compileRule,
  describePlan,
  describeRollup,
  type EngineControl,
  type EngineFailure,
  type EngineInput,
  type EngineMatch,
  type EngineRule,
  explained,
  findMatches,
  type FoundMatch,
  incomparableValues,
  rolledRule,
  type RuleOutcome,
  type UsedPlan,
} from '../../domain/matching/index.ts';
import type { PreviewEnd, PreviewFound, PreviewRequest } from '../../jobs/protocol.ts';
import { separationKeys } from '../../matches/store/separations.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { returnedLines } from '../../records/store/reversals.ts';
import { engineRule, freeRecords, signConventionOf } from '../../records/work/engine-input.ts';
import { propertyTypesBySide } from '../../streams/store/property-definitions.ts';
import { isInUse, listRules, nextPriority } from '../store/rules.ts';
import { wouldBeMatch } from './explained-matches.ts';

/** The present input of a run, and the rules before and after the change, in the order in which they run. */
interface Situation {
  readonly free: Omit<EngineInput, 'rules'>;
  readonly rule: EngineRule;
  readonly before: readonly EngineRule[];
  readonly after: readonly EngineRule[];
}

type Matched = Result<{ readonly matches: readonly FoundMatch[]; readonly rules: readonly RuleOutcome[] }, EngineFailure>;

function inOrder(rules: readonly EngineRule[]): EngineRule[] {
  return rules.toSorted((left, right) => left.priority - right.priority || left.id - right.id);
}

function readSituation(read: ReadHandle, request: PreviewRequest): Situation | null {
  const reconciliation = findReconciliation(read, request.environmentId, request.reconciliationId);
  if (reconciliation === undefined) return null;
  const rules = listRules(read, reconciliation.id);
  const replaced = rules.find((rule) => rule.id === request.replaces);
  const id = replaced?.id ?? rules.reduce((highest, rule) => Math.max(highest, rule.id), 0) + 1;
  const priority = request.rule.priority ?? replaced?.priority ?? nextPriority(read, reconciliation.id);
  // An edit does not change whether a rule is a default rule.
  const source = replaced?.source ?? request.rule.source;
  const rule = engineRule({ ...request.rule, source, id, priority, edited: 0, confidence: null, sample_match_rate: null });
  const active = rules.filter(isInUse).map(engineRule);
  const sides = streamIdsBySide(read, reconciliation.id);
  return {
    free: {
      sideA: freeRecords(read, reconciliation.id, sides.a),
      sideB: freeRecords(read, reconciliation.id, sides.b),
      signConvention: signConventionOf(reconciliation.sign_convention),
      types: propertyTypesBySide(read, reconciliation.id),
      separations: new Set(separationKeys(read, reconciliation.id)),
      returned: returnedLines(read, [...sides.a, ...sides.b]),
    },
    rule,
    before: inOrder(active),
    after: inOrder([...active.filter((stored) => stored.id !== id), rule]),
  };
}

function without(free: Situation['free'], matches: readonly FoundMatch[]): Situation['free'] {
  const used = new Set(matches.flatMap((match) => [...match.aIds, ...match.bIds]));
  const isFree = ({ id }: { readonly id: number }): boolean => !used.has(id);
  return { ...free, sideA: free.sideA.filter(isFree), sideB: free.sideB.filter(isFree) };
}

/** Returns the number of matches of each rule. */
function countByRule(matches: readonly FoundMatch[]): Map<number, number> {
  return new Map([...Map.groupBy(matches, (match) => match.ruleId)].map(([ruleId, own]) => [ruleId, own.length]));
}

/** Returns up to `wanted` matches, spread evenly, that together stay within the limit of records. */
function sampleOf(matches: readonly FoundMatch[], wanted: number): FoundMatch[] {
  const count = Math.min(wanted, matches.length);
  const sample: FoundMatch[] = [];
  let records = 0;
  for (let index = 0; index < count; index += 1) {
    const match = matches[Math.floor((index * matches.length) / count)];
    if (match === undefined) break;
    records += match.aIds.length + match.bIds.length;
    if (records > PREVIEW_LIMITS.sampleRecords && sample.length > 0) break;
    sample.push(match);
  }
  return sample;
}

function withReasons(seen: Situation['free'], rule: EngineRule, sample: readonly FoundMatch[]): EngineMatch[] {
  const ids = new Set(sample.flatMap((match) => [...match.aIds, ...match.bIds]));
  const records = [seen.sideA, seen.sideB].flatMap((side) => side.filter(({ id }) => ids.has(id)));
  return explained({ ...seen, rules: [rule] }, records, sample);
}

/** Returns in words how the engine searched for a rule's matches. `used` is null if there was nothing to search. */
function planOf(rule: EngineRule, compiled: CompiledRule, used: UsedPlan | null, { types, signConvention }: Situation['free']): string[] {
  if (rule.cardinality === 'one_to_one') return describePlan(compiled, used);
  return describeRollup(rolledRule(rule, compiled, types, signConvention), used);
}

function summed(
  seen: Situation['free'],
  rule: EngineRule,
  own: readonly FoundMatch[],
  used: UsedPlan | null,
  request: PreviewRequest,
): Omit<PreviewFound, 'taken_from' | 'outside_window'> {
  const { filters } = rule;
  const compiled = compileRule(filters, seen.types);
  const sides = { a: seen.sideA, b: seen.sideB };
  const incomparable = compiled.ok ? incomparableValues(filters, compiled.value, sides, seen.signConvention) : [];
  return {
    matches: own.length,
    proposed: own.filter((match) => match.status === 'proposed').length,
    matched_a: own.reduce((sum, match) => sum + match.aIds.length, 0),
    matched_b: own.reduce((sum, match) => sum + match.bIds.length, 0),
    contested: own.filter((match) => match.certainty === 'contested').length,
    plan: compiled.ok ? planOf(rule, compiled.value, used, seen) : [],
    incomparable: incomparable.map(({ path, count, examples }) => ({
      path,
      count,
      examples: examples.map(({ recordId, value }) => ({ record_id: recordId, value })),
    })),
    sample: withReasons(seen, rule, sampleOf(own, request.sample)).map((match) => wouldBeMatch(match, request.replaces)),
  };
}

/** Compares what a run would do now with the rule and without it. Both lists of rules begin alike, and that part is computed once. */
function compare(situation: Situation, request: PreviewRequest, isCancelled: () => boolean): Result<PreviewFound, EngineFailure> {
  const { free, rule, before, after } = situation;
  const match = (from: Situation['free'], rules: readonly EngineRule[], onPlan?: EngineControl['onPlan']): Matched => {
    if (rules.length === 0) return success({ matches: [], rules: [] });
    const found = findMatches({ ...from, rules }, { onProgress: () => {}, isCancelled, ...(onPlan === undefined ? {} : { onPlan }) });
    return found.ok ? success({ matches: [...found.value.matches], rules: found.value.rules }) : found;
  };
  // A line and its return are held back from some rules until all others have run, so the rules before the changed one cannot run separately.
  const areHeld = (free.returned ?? []).length > 0 && [...before, ...after].some(({ isDefault }) => isDefault === true);
  const differsAt = areHeld ? 0 : after.findIndex((each, index) => each !== before[index]);
  const common = match(free, after.slice(0, differsAt));
  if (!common.ok) return common;
  const rest = without(free, common.value.matches);
  const plans = new Map<number, UsedPlan>();
  const withRule = match(rest, after.slice(differsAt), (ruleId, plan) => plans.set(ruleId, plan));
  if (!withRule.ok) return withRule;
  const withoutRule = match(rest, before.slice(differsAt));
  if (!withoutRule.ok) return withoutRule;
  const own = withRule.value.matches.filter((found) => found.ruleId === rule.id);
  const place = after.indexOf(rule);
  const higher = new Set(after.slice(0, place).map((each) => each.id));
  const seen = without(
    rest,
    withRule.value.matches.filter((found) => higher.has(found.ruleId)),
  );
  const outsideWindow = withRule.value.rules.find(({ ruleId }) => ruleId === rule.id)?.outsideWindow ?? 0;
  const counts = { with: countByRule(withRule.value.matches), without: countByRule(withoutRule.value.matches) };
  const takenFrom = after.slice(place + 1).map(({ id }) => ({
    rule_id: id,
    matches: (counts.without.get(id) ?? 0) - (counts.with.get(id) ?? 0),
  }));
  return success({
    ...summed(seen, rule, own, plans.get(rule.id) ?? null, request),
    outside_window: outsideWindow,
    taken_from: takenFrom.filter(({ matches }) => matches > 0),
  });
}

/** Returns what a run would do now with a rule that is not stored. Reads one snapshot and writes nothing. */
export function previewRule(database: Database, request: PreviewRequest, isCancelled: () => boolean): PreviewEnd {
  const situation = database.snapshot(() => readSituation(database, request));
  if (situation === null) return { end: 'missing' };
  const compared = compare(situation, request, isCancelled);
  if (compared.ok) return { end: 'completed', found: compared.value };
  const { code, message, ruleId, path = 'filters' } = compared.error;
  if (code === 'cancelled') return { end: 'cancelled' };
  const isOwn = ruleId === situation.rule.id;
  return {
    end: 'failed',
    code,
    message: isOwn ? message.replace(`Rule ${ruleId} `, 'The rule ') : message,
    ruleId: isOwn ? null : (ruleId ?? null),
    path,
  };
}
