import { PREVIEW_LIMITS } from '../../../src-shared/contract/rules/rule-preview.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import type { Database, ReadHandle } from '../../database/database.ts';
import {
  CANCELLED,
  type ColumnResult,
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
  fieldsOfRules,
  findMatches,
  type FoundMatch,
  incomparableValues,
  matchColumns,
  rolledRule,
  type RuleOutcome,
  type UsedPlan,
} from '../../domain/matching/index.ts';
import type { BacktestFound, BacktestRequest, PreviewEnd, PreviewFound, PreviewRequest } from '../../jobs/protocol.ts';
import { separationKeys } from '../../matches/store/separations.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { returnedLines } from '../../records/store/reversals.ts';
import { engineRule, freeRecords, signConventionOf } from '../../records/work/engine-input.ts';
import { propertyTypesBySide } from '../../streams/store/property-definitions.ts';
import { isInUse, listRules, nextPriority } from '../store/rules.ts';
import { explainedMatches, type RunFacts, wouldBeMatch } from './explained-matches.ts';
import { BACKTEST_LIMITS } from '../../../src-shared/contract/rules/backtests.ts';
import type { ReconciliationRow } from '../../database/rows.ts';
import { History, shareOf, summaryOf, type Tally, tallyOf, type Verdicts } from '../../domain/backtest/index.ts';
import { idAt, pickRows, type RecordColumns, rowsWhere } from '../../domain/records/record-columns.ts';
import { matchedHistory } from '../../matches/store/matches.ts';
import { freeColumns } from '../../records/work/engine-columns.ts';

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

interface Sides {
  readonly a: RecordColumns;
  readonly b: RecordColumns;
}

const MATCHES_PER_LOOK = 1 << 14;

/** Returns the records within the period. */
function withinPeriod(columns: RecordColumns, { firstDay, lastDay }: BacktestRequest): RecordColumns {
  if (firstDay === null && lastDay === null) return columns;
  const isWithin = columns.days.map((day) => (day >= (firstDay ?? day) && day <= (lastDay ?? day) ? 1 : 0));
  return pickRows(columns, rowsWhere(Uint8Array.from(isWithin), 1));
}

/** Returns the ids of the examined records. */
function idsOf({ a, b }: Sides): Set<number> {
  const ids = new Set<number>();
  for (const side of [a, b]) for (let row = 0; row < side.count; row += 1) ids.add(idAt(side, row));
  return ids;
}

/** Returns what was matched and taken apart before; null when cancelled. */
function readHistory(read: ReadHandle, request: BacktestRequest, sides: Sides, isCancelled: () => boolean): History | null {
  const { reconciliationId, firstDay, lastDay } = request;
  const history = new History(new Set(separationKeys(read, reconciliationId)));
  // Without a period, every record of a match is examined.
  const seen = firstDay === null && lastDay === null ? null : idsOf(sides);
  let count = 0;
  for (const { id, isJudged, recordIds } of matchedHistory(read, reconciliationId)) {
    if (count % MATCHES_PER_LOOK === 0 && isCancelled()) return null;
    count += 1;
    history.add({ id, isJudged, recordIds, isWhole: seen === null || recordIds.every((recordId) => seen.has(recordId)) });
  }
  return history;
}

/** Returns the counts of verdicts as they are reported. */
function countsOf(verdicts: Verdicts) {
  const contradictions = verdicts.tied_otherwise + verdicts.taken_apart;
  const unjudged = verdicts.same_as_automatic + verdicts.differs_from_automatic + verdicts.outside_period + verdicts.new;
  return {
    matches: verdicts.agreement + verdicts.partial_agreement + contradictions + unjudged,
    agreements: verdicts.agreement,
    partial_agreements: verdicts.partial_agreement,
    contradictions,
    tied_otherwise: verdicts.tied_otherwise,
    taken_apart: verdicts.taken_apart,
    unjudged,
    same_as_automatic: verdicts.same_as_automatic,
    differs_from_automatic: verdicts.differs_from_automatic,
    outside_period: verdicts.outside_period,
  };
}

function figuresOf(tally: Tally, history: History) {
  const counts = countsOf(tally.verdicts);
  const { whole: judged, outside: judgedOutside } = history.judged;
  const shares = {
    precision: shareOf(counts.agreements, counts.agreements + counts.contradictions),
    recall: shareOf(counts.agreements, judged),
  };
  const { agreements, contradictions, taken_apart: takenApart, matches } = counts;
  return {
    summary: summaryOf({ agreements, contradictions, takenApart, judged, judgedOutside, matches, ...shares }),
    ...counts,
    waiting: tally.waiting,
    judged,
    judged_outside: judgedOutside,
    ...shares,
    by_certainty: tally.byCertainty.map(({ certainty, waiting, verdicts }) => ({ certainty, waiting, ...countsOf(verdicts) })),
  };
}

function examplesOf(read: ReadHandle, facts: RunFacts, result: ColumnResult, tally: Tally, history: History, ruleId: number | null) {
  const shown = tally.examples.map(({ verdict, place }) => ({ verdict, match: result.matches.at(place) }));
  const reasons = explainedMatches(
    read,
    facts,
    shown.map(({ match }) => match),
  );
  return reasons.flatMap((match, index) => {
    const verdict = shown[index]?.verdict;
    if (verdict === undefined) return [];
    const against = history.heldBy(match).slice(0, BACKTEST_LIMITS.against);
    return [{ ...wouldBeMatch(match, ruleId), verdict, against_match_ids: against }];
  });
}

/** Runs the rule alone on all records, and compares the result with the history. The caller must hold a snapshot. */
function judged(
  database: Database,
  request: BacktestRequest,
  reconciliation: ReconciliationRow,
  rule: EngineRule,
  isCancelled: () => boolean,
): Result<BacktestFound, EngineFailure> {
  const facts: RunFacts = {
    rules: [rule],
    signConvention: signConventionOf(reconciliation.sign_convention),
    types: propertyTypesBySide(database, reconciliation.id),
  };
  // A backtest writes nothing, so a damaged pack is left to the next run.
  const control = { onProgress: () => {}, isCancelled, onDoubt: () => {} };
  const streams = streamIdsBySide(database, reconciliation.id);
  const fields = fieldsOfRules(facts.rules, facts.types, facts.signConvention);
  const all = freeColumns(database, { reconciliationId: null, streams, fields }, control);
  if (all === null) return failed(CANCELLED);
  const sides = { a: withinPeriod(all.a, request), b: withinPeriod(all.b, request) };
  const returned = returnedLines(database, [...streams.a, ...streams.b]);
  const result = matchColumns({ ...facts, separations: new Set(), returned, sideA: sides.a, sideB: sides.b }, control);
  if (!result.ok) return result;
  const history = readHistory(database, request, sides, isCancelled);
  if (history === null) return failed(CANCELLED);
  const limits = { examples: request.examples, records: BACKTEST_LIMITS.exampleRecords };
  const tally = tallyOf(result.value.matches, history, rule.outcome === 'propose', limits, isCancelled);
  if (tally === null) return failed(CANCELLED);
  const [outcome] = result.value.rules;
  return success({
    ...figuresOf(tally, history),
    records_a: sides.a.count,
    records_b: sides.b.count,
    outside_window: outcome?.outsideWindow ?? 0,
    gave_up: outcome?.gaveUp ?? 0,
    examples: examplesOf(database, facts, result.value, tally, history, request.ruleId),
  });
}

/** Returns what a rule alone would have matched among all records, compared with people's decisions. Reads one snapshot and writes nothing. */
export function backtestRule(database: Database, request: BacktestRequest, isCancelled: () => boolean): PreviewEnd<BacktestFound> {
  const id = request.ruleId ?? 1;
  const rule = engineRule({ ...request.rule, id, edited: 0, confidence: null, sample_match_rate: null });
  const found = database.snapshot(() => {
    const reconciliation = findReconciliation(database, request.environmentId, request.reconciliationId);
    return reconciliation === undefined ? null : judged(database, request, reconciliation, rule, isCancelled);
  });
  if (found === null) return { end: 'missing' };
  if (found.ok) return { end: 'completed', found: found.value };
  const { code, message, path = 'filters' } = found.error;
  if (code === 'cancelled') return { end: 'cancelled' };
  return { end: 'failed', code, message: message.replace(`Rule ${id} `, 'The rule '), ruleId: null, path };
}
