import type { SignConvention } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { IdSet } from '../collections/id-set.ts';
import { giveBack, intAt, itemAt } from '../collections/typed-arrays.ts';
import type { EvidenceGround } from '../evidence/model/ground.ts';
import type { RuleEvidence } from '../evidence/model/link.ts';
import { logOddsOf, packWeight, weightOf } from '../evidence/model/weight.ts';
import { differenceOfRows } from '../records/amount-difference.ts';
import { columnsInContentOrder } from '../records/content-order.ts';
import { columnsOfRecords, idAt, pickRows, type RecordColumns, rowsWhere, weightAt, withoutIds } from '../records/record-columns.ts';
import type { EngineRecord } from '../records/record.ts';
import { unitsAt } from '../records/values.ts';
import { tooManyPairs } from './blocking/candidates.ts';
import { classesOfSide } from './blocking/equivalence-classes.ts';
import { sourceOf } from './blocking/pair-source.ts';
import { planRule, type UsedPlan } from './blocking/plan.ts';
import { measuringView, type OwnUnits, ruleView } from './comparison/predicate.ts';
import { readColumns } from './comparison/read-columns.ts';
import type { ColumnInput, ColumnResult, EngineControl, EngineResult } from './engine-run.ts';
import { groundOf } from './evidence/evidence-ground.ts';
import { weighRule } from './evidence/weigh-rule.ts';
import { explainersOf } from './explanation/explain-match.ts';
import type { GroupsFound } from './many-to-one/groups.ts';
import { matchGroups } from './many-to-one/match-groups.ts';
import { matchSubsets } from './many-to-one/match-sums.ts';
import { type FoundMatches, MatchCollector } from './matches/match-columns.ts';
import { type SeparatedPairs, separatedPairs } from './matches/separations.ts';
import { CANCELLED, type EngineFailure, type EngineInput, type ReturnedLine, separationKey } from './model/input.ts';
import { MATCH_LIMITS, type MatchLimits } from './model/limits.ts';
import { CERTAINTIES, type EngineMatch, type FoundMatch, type RuleOutcome } from './model/match.ts';
import type { EngineRule } from './model/rule.ts';
import type { Watch } from './model/watch.ts';
import { type Matcher, pairAll, type Paired } from './one-to-one/pairing.ts';
import type { Leaf } from './rules/compile-leaf.ts';
import { type CompiledRule, needed } from './rules/compile.ts';
import { type ReadyRule, readyRules } from './rules/ready-rules.ts';

const RECORDS_PER_REPORT = 2_048;

/** `total` is the sum of all stages. A stage starts where the one before it would have ended, even if that one ended early. */
export function watchOf(control: EngineControl, total: number): Watch {
  let processed = 0;
  let stageEnd = 0;
  let sinceReport = 0;
  let currentRule = 0;
  const report = (): void => {
    sinceReport = 0;
    control.onProgress(Math.floor(processed), total, currentRule);
  };
  return {
    beginStage: (ruleId, records) => {
      currentRule = ruleId;
      processed = stageEnd;
      stageEnd = Math.min(total, stageEnd + records);
      report();
    },
    advance: (records) => {
      const next = Math.min(stageEnd, processed + records);
      sinceReport += next - processed;
      processed = next;
      if (sinceReport >= RECORDS_PER_REPORT) report();
    },
    finishStage: () => {
      processed = stageEnd;
      report();
    },
    // Progress is reported at every check of the cancel flag, however few records were processed, because hundreds of expensive tests per record
    // would otherwise delay it.
    isCancelled: () => {
      if (sinceReport > 0) report();
      return control.isCancelled();
    },
  };
}

/** Records that no rule has matched yet, in content order. */
interface Free {
  readonly a: RecordColumns;
  readonly b: RecordColumns;
}

interface Run {
  readonly input: Omit<ColumnInput, 'sideA' | 'sideB'>;
  readonly limits: MatchLimits;
  readonly separated: SeparatedPairs;
  readonly watch: Watch;
  readonly found: MatchCollector;
  readonly onFound: (found: MatchCollector) => void;
  readonly onPlan: (ruleId: number, plan: UsedPlan) => void;
  /** Number of records of each side at the start, in which the stages of every rule are measured. */
  readonly counts: { readonly a: number; readonly b: number };
  /** Data for rules of evidence; if undefined, the given records are all there are. */
  readonly ground: EvidenceGround | undefined;
}

/** Result of one rule. */
interface Ran {
  /** Returns the records that are left; computed only if another rule follows. */
  readonly left: () => Free;
  readonly outsideWindow: number;
  readonly gaveUp: number | null;
  readonly exact: number | null;
  readonly evidence?: RuleEvidence;
}

/**
 * Runs the rules over the free records of both sides, one to one or many to one. This is a pure function: the same records in any order give the same
 * result. Rules run by priority, then id, and each sees only the records that no earlier rule has matched or proposed. Memory: about 100 bytes per
 * record in addition to the columns.
 */
export function matchColumns(
  input: ColumnInput,
  control: EngineControl,
  limits: MatchLimits = MATCH_LIMITS,
  ground?: EvidenceGround,
): Result<ColumnResult, EngineFailure> {
  const rules = readyRules(input.rules, input.types);
  if (!rules.ok) return rules;
  const run: Run = {
    input,
    limits,
    separated: separatedPairs(input.separations),
    watch: watchOf(control, input.rules.length * (input.sideA.count + input.sideB.count)),
    found: control.into ?? new MatchCollector(),
    onFound: control.onFound ?? (() => undefined),
    onPlan: control.onPlan ?? (() => undefined),
    counts: { a: input.sideA.count, b: input.sideB.count },
    ground,
  };
  if (input.closedThrough !== undefined && input.closedThrough !== null) run.found.proposeWithin(idsThrough(input, input.closedThrough));
  const sortedA = columnsInContentOrder(input.sideA);
  if (run.watch.isCancelled()) return failed(CANCELLED);
  const all: Free = { a: sortedA, b: columnsInContentOrder(input.sideB) };
  const returned = new ReturnedLines(input.returned ?? [], all, input);
  let free = (): Free => all;
  const outcomes: RuleOutcome[] = [];
  for (const [index, ready] of rules.value.entries()) {
    if (run.watch.isCancelled()) return failed(CANCELLED);
    const before = run.found.length;
    const isLast = index + 1 === rules.value.length;
    const given = free();
    const ran = runOne(run, ready, returned.givenTo(ready.rule, given), all, isLast);
    if (!ran.ok) return ran;
    free = returned.leftBy(ready.rule, given, ran.value.left);
    run.onFound(run.found);
    outcomes.push(outcomeOf(ready.rule.id, run.found, before, ran.value));
  }
  const together = returned.propose(all, free, run.found);
  if (together !== null) run.onFound(run.found);
  const withReturns = outcomes.map((each) =>
    each.ruleId === together?.ruleId ? { ...each, proposed: each.proposed + together.proposed } : each,
  );
  return success({ matches: run.found, rules: withReturns });
}

/** Returns the ids of records of both sides that are dated on or before a day. */
function idsThrough({ sideA, sideB }: Pick<ColumnInput, 'sideA' | 'sideB'>, day: number): IdSet {
  const ids: number[] = [];
  for (const side of [sideA, sideB])
    for (let row = 0; row < side.count; row += 1) if (intAt(side.days, row) <= day) ids.push(idAt(side, row));
  return IdSet.of(ids);
}

function runOne(run: Run, ready: ReadyRule, free: Free, all: Free, isLast: boolean): Result<Ran, EngineFailure> {
  if (ready.rule.evidence !== undefined) return weighFree(run, ready, free, all);
  return ready.rule.cardinality === 'many_to_one' ? rollUp(run, ready, free) : runRule(run, ready, free, isLast);
}

/** Runs a rule of evidence. If the run has no ground, the records that it began with serve as the ground. */
function weighFree(run: Run, ready: ReadyRule, free: Free, all: Free): Result<Ran, EngineFailure> {
  const { input, watch, found, counts } = run;
  watch.beginStage(ready.rule.id, counts.a + counts.b);
  const { signConvention, separations } = input;
  const ground = run.ground ?? groundOf(all);
  const weighed = weighRule({ ready, free, ground, signConvention, separations, watch, found });
  if (!weighed.ok) return weighed;
  watch.finishStage();
  const { used, ...evidence } = weighed.value;
  const left = (): Free => ({ a: withoutIds(free.a, used), b: withoutIds(free.b, used) });
  return success({ left, outsideWindow: 0, gaveUp: null, exact: null, evidence });
}

/** Runs `matchColumns` on records given as objects. */
export function findMatches(input: EngineInput, control: EngineControl, limits?: MatchLimits): Result<ColumnResult, EngineFailure> {
  return matchColumns({ ...input, sideA: columnsOfRecords(input.sideA), sideB: columnsOfRecords(input.sideB) }, control, limits);
}

/** Runs `findMatches` and explains each match. */
export function matchRecords(input: EngineInput, control: EngineControl, limits?: MatchLimits): Result<EngineResult, EngineFailure> {
  const result = findMatches(input, control, limits);
  if (!result.ok) return result;
  const { matches, rules } = result.value;
  return success({ matches: explained(input, [...input.sideA, ...input.sideB], matches), rules });
}

/** Returns the matches of a run with their explanations. `records` must contain all records of the matches, in any order. */
export function explained(
  facts: Pick<EngineInput, 'rules' | 'types' | 'signConvention'>,
  records: readonly EngineRecord[],
  matches: Iterable<FoundMatch>,
): EngineMatch[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const recordOf = (id: number): EngineRecord => present(byId.get(id), 'record of a match');
  const explainerOf = explainersOf(facts);
  return Array.from(matches, (match) => ({
    ...match,
    ...explainerOf(match.ruleId)(match.aIds.map(recordOf), match.bIds.map(recordOf), match),
  }));
}

/** `matches` and `records` count what takes effect; matches that wait for a person are counted in `proposed`. */
function outcomeOf(ruleId: number, found: FoundMatches, from: number, ran: Ran): RuleOutcome {
  const { outsideWindow, gaveUp, exact, evidence } = ran;
  let matches = 0;
  let records = 0;
  for (let index = from; index < found.length; index += 1) {
    if (!found.countsAt(index)) continue;
    matches += 1;
    records += found.sizeAt(index);
  }
  return { ruleId, matches, records, proposed: found.length - from - matches, outsideWindow, gaveUp, exact, ...(evidence && { evidence }) };
}

/** Runs a rule that matches several records of one side with one of the other. */
function rollUp({ input, watch, found, onPlan }: Run, { rule, compiled }: ReadyRule, free: Free): Result<Ran, EngineFailure> {
  const { types, signConvention, separations } = input;
  const matcher = rule.rollup?.group_by_kind === 'subset' ? matchSubsets : matchGroups;
  const report = (plan: UsedPlan): void => onPlan(rule.id, plan);
  const tied = matcher({ rule, compiled, types, sideA: free.a, sideB: free.b, signConvention, separations, watch, onPlan: report });
  if (!tied.ok) return tied;
  const { matches, outsideWindow, gaveUp }: GroupsFound = tied.value;
  for (const { match, group } of matches) found.add(match, group);
  const left = (): Free => ({
    a: withoutIds(free.a, IdSet.of(matches.flatMap(({ match }) => match.aIds))),
    b: withoutIds(free.b, IdSet.of(matches.flatMap(({ match }) => match.bIds))),
  });
  return success({ left, outsideWindow, gaveUp, exact: null });
}

/** Returns the records that a rule left. `partners` holds the partner of each row of side A, as in `Paired`. */
function unpaired({ a, b }: Free, partners: Int32Array): Free {
  const usedA = new Uint8Array(a.count);
  const usedB = new Uint8Array(b.count);
  for (let rowA = 0; rowA < a.count; rowA += 1) {
    const rowB = intAt(partners, rowA);
    if (rowB < 0) continue;
    usedA[rowA] = 1;
    usedB[rowB] = 1;
  }
  return { a: pickRows(a, rowsWhere(usedA, 0)), b: pickRows(b, rowsWhere(usedB, 0)) };
}

/** After the last rule its working memory is released, because writing the matches needs as much again. */
function runRule(run: Run, ready: ReadyRule, free: Free, isLast: boolean): Result<Ran, EngineFailure> {
  const { watch, counts } = run;
  const { rule } = ready;
  watch.beginStage(rule.id, counts.a);
  const matcher = matcherOf(run, ready, free);
  if (!matcher.ok) return matcher;
  watch.finishStage();
  watch.beginStage(rule.id, counts.b);
  const pairs = new PairsOfRule(run, ready, free);
  const paired = pairAll(matcher.value, (sofar, rows, from, to) => pairs.takeRows(sofar, rows, from, to));
  if (paired === null) return failed(CANCELLED);
  watch.finishStage();
  const left = (): Free => unpaired(free, paired.partners);
  if (isLast) giveBackMatcher(matcher.value);
  return success({ left, outsideWindow: 0, gaveUp: paired.gaveUp > 0 ? paired.gaveUp : null, exact: pairs.count - paired.inexact });
}

function giveBackMatcher({ classesA, classesB, source: { scanned } }: Matcher): void {
  for (const { starts, rows, first } of [classesA, classesB]) giveBack(starts, rows, first);
  if (scanned === null) return;
  giveBack(scanned.placesA, scanned.placesB);
  for (const { windows, a, b } of scanned.scans) {
    giveBack(windows.firsts, windows.counts);
    for (const { order, values } of [a, b]) giveBack(order, ...(values === null ? [] : [values]));
  }
}

/** Number of pairs between two calls of `onFound`. */
const PAIRS_PER_REPORT = 16_384;

/**
 * Adds the pairs of a rule to the matches. Components come in the order of their first records (the largest ones last), and pairs within a component
 * in content order. The pairs of a component are final once it is solved.
 */
class PairsOfRule {
  count = 0;
  #unreported = 0;
  readonly #run: Run;
  readonly #rule: ReadyRule['rule'];
  readonly #free: Free;
  /** Null if the rule leaves no difference. Most amounts are equal, and reading those of a million pairs takes time. */
  readonly #differenceAt: ReturnType<typeof differenceOfRows> | null;
  /** Status of a pair, by certainty. */
  readonly #statuses: readonly FoundMatch['status'][];

  constructor(run: Run, { rule, compiled }: ReadyRule, free: Free) {
    this.#run = run;
    this.#rule = rule;
    this.#free = free;
    const { signConvention } = run.input;
    this.#differenceAt = leavesNoDifference(compiled, signConvention) ? null : differenceOfRows(free.a, free.b, signConvention);
    this.#statuses = CERTAINTIES.map((certainty) =>
      rule.outcome === 'match' && rule.commitCertainty.includes(certainty) ? 'matched' : 'proposed',
    );
  }

  takeRows(paired: Paired, rows: Int32Array, from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const rowA = intAt(rows, at);
      const rowB = intAt(paired.partners, rowA);
      if (rowB >= 0) this.#take(paired, rowA, rowB);
    }
    if (this.#unreported < PAIRS_PER_REPORT) return;
    this.#unreported = 0;
    this.#run.onFound(this.#run.found);
  }

  #take(paired: Paired, rowA: number, rowB: number): void {
    const rule = this.#rule;
    const free = this.#free;
    const known = paired.certainties[rowA] as number;
    const difference = this.#differenceAt?.(rowA, rowB) ?? 0;
    const place = intAt(paired.marginPlaces, rowA) - 1;
    const margin = place < 0 ? undefined : paired.margins.at(place);
    this.#run.found.addPair(rule.id, itemAt(this.#statuses, known), known, difference, idAt(free.a, rowA), idAt(free.b, rowB), margin);
    this.count += 1;
    this.#unreported += 1;
  }
}

/**
 * Share of each planning step in a rule's first stage. Reading, the classes of either side and the plan take a quarter together; testing pairs takes
 * the rest.
 */
const OF_PLANNING_STEP = 1 / 16;

/** Returns the matcher of a one-to-one rule. */
function matcherOf(
  { input, separated, watch, limits, counts, onPlan }: Run,
  { rule, compiled }: ReadyRule,
  free: Free,
): Result<Matcher, EngineFailure> {
  const { signConvention } = input;
  const isApart = input.separations.size === 0 ? null : separated;
  const differenceAt = differenceOfRows(free.a, free.b, signConvention);
  // Each step before the search takes tenths of a second for a million records, so progress and the cancel flag are handled after each.
  const isStopped = (): boolean => {
    watch.advance(Math.floor(counts.a * OF_PLANNING_STEP));
    return watch.isCancelled();
  };
  const view = ruleView({
    rule: compiled,
    columns: readColumns(compiled, free.a, free.b, signConvention),
    sideA: free.a,
    sideB: free.b,
    isBarred: (rowA, rowB) => isApart?.separates(idAt(free.a, rowA), idAt(free.b, rowB)) === true || differenceAt(rowA, rowB) === null,
  });
  if (isStopped()) return failed(CANCELLED);
  const classesA = classesOfSide(view, 'a', (row) => isApart?.concerns(idAt(free.a, row)) === true);
  if (isStopped()) return failed(CANCELLED);
  const classesB = classesOfSide(view, 'b', (row) => isApart?.concerns(idAt(free.b, row)) === true);
  if (isStopped()) return failed(CANCELLED);
  const plan = planRule(view, classesA, classesB);
  if (isStopped()) return failed(CANCELLED);
  const source = sourceOf(plan, view, classesA, classesB, isApart !== null || mayLeaveSafeRange(free.a, free.b), limits, watch);
  if (source === 'too_many') return failed(tooManyPairs(rule.id, plan, view));
  if (source === null) return failed(CANCELLED);
  if (classesA.count > 0 && classesB.count > 0) {
    onPlan(rule.id, { chosen: plan.chosen, pairs: plan.pairs, isTestedLate: source.scanned !== null && !plan.isExact });
  }
  const isTested = source.scanned === null || source.scanned.isBarred !== null;
  return success({
    view: isTested ? view : measuringView(view),
    classesA,
    classesB,
    source,
    ownUnits: ownUnitsOf(free.a, free.b, signConvention),
    watch,
    limits,
  });
}

/** Returns a function for the distance of two rows' own amounts, for pairs whose rule compares no amounts. */
function ownUnitsOf(sideA: RecordColumns, sideB: RecordColumns, convention: SignConvention): OwnUnits {
  const differenceAt = differenceOfRows(sideA, sideB, convention);
  return (rowA, rowB, scale) => {
    const difference = Math.abs(present(differenceAt(rowA, rowB), 'difference of a candidate pair'));
    const own = Math.max(sideA.decimalPlaces[rowA] as number, sideB.decimalPlaces[rowB] as number);
    return own === scale ? difference : Number(unitsAt({ units: difference, scale: own }, scale));
  };
}

/** Returns whether the rule requires equal amounts under the convention, so that no pair leaves a difference. */
export function leavesNoDifference({ root }: CompiledRule, convention: SignConvention): boolean {
  const equal = new Set(
    needed(root)
      .filter(comparesAsItStands)
      .map(({ key }) => key.field.name),
  );
  if (equal.has('signed_amount')) return true;
  return equal.has('amount') && (convention === 'any' || (convention === 'same' && equal.has('direction')));
}

/** Returns whether a condition requires one field to be equal on both sides, unchanged. */
function comparesAsItStands({ key, value, operand, tolerance }: Leaf): boolean {
  const isChanged = key.transforms.names.length + value.transforms.names.length > 0;
  return operand === 'eq' && tolerance === null && !isChanged && key.field.name === value.field.name;
}

/** Returns whether the difference of some two rows may exceed the safe integers. */
function mayLeaveSafeRange(sideA: RecordColumns, sideB: RecordColumns): boolean {
  const largest = ({ amounts, decimalPlaces, count }: RecordColumns): readonly [number, number] => {
    let amount = 0;
    let places = 0;
    for (let row = 0; row < count; row += 1) {
      amount = Math.max(amount, amounts[row] as number);
      places = Math.max(places, decimalPlaces[row] as number);
    }
    return [amount, places];
  };
  const [[amountA, placesA], [amountB, placesB]] = [largest(sideA), largest(sideB)];
  return (amountA + amountB) * 10 ** Math.max(placesA, placesB) > Number.MAX_SAFE_INTEGER;
}

/** A line and its reversal, both of side A or both of side B. */
type ReturnedPair = ReturnedLine & { readonly isOfA: boolean };

interface Terms {
  readonly separations: ReadonlySet<string>;
  readonly rules: readonly EngineRule[];
  readonly signConvention: SignConvention;
}

interface Sides {
  readonly a: RecordColumns;
  readonly b: RecordColumns;
}

/** Most days between a line and its booking on the other side. */
const MOST_DAYS = 31;
/** Odds that a line whose text takes another line back means the one that was found, if no other line of the side has the amount. */
const ODDS = 19;
/** The line and its reversal. */
const PAIR = 2;

/**
 * Pairs of a line and its reversal on the same side, both free and not separated by a person. If the other side booked both as well, all rules see
 * them, and each is matched with its own counterpart. If it did not, the default rules see neither of them. Finally the two are proposed together,
 * unless another rule matched one of them.
 */
class ReturnedLines {
  readonly #pairs: readonly ReturnedPair[];
  readonly #held: IdSet;
  readonly #ruleId: number | null;
  /** Whether that rule weighs evidence, so that its matches carry a likelihood. */
  readonly #isWeighed: boolean;

  constructor(lines: readonly ReturnedLine[], { a, b }: Sides, { separations, rules, signConvention }: Terms) {
    const own = rules.filter(({ isDefault }) => isDefault === true);
    const weighing = own.findLast(({ evidence }) => evidence !== undefined);
    this.#ruleId = (weighing ?? own.at(-1))?.id ?? null;
    this.#isWeighed = weighing !== undefined;
    const together = this.#ruleId === null ? [] : lines.filter((line) => !separations.has(keyOf(line)));
    const concerned = IdSet.of(together.flatMap(({ originalId, returnId }) => [originalId, returnId]));
    const [ofA, ofB] = [rowsAmong(a, concerned), rowsAmong(b, concerned)];
    this.#pairs = together.flatMap((line) => {
      const isOf = (rows: ReadonlyMap<number, number>): boolean => rows.has(line.originalId) && rows.has(line.returnId);
      const isOfA = isOf(ofA);
      return isOfA || isOf(ofB) ? [{ ...line, isOfA }] : [];
    });
    const across = clearedAcross(this.#pairs, { a: ofA, b: ofB }, { a, b }, signConvention);
    this.#held = IdSet.of(this.#pairs.flatMap((pair) => (across.has(pair) ? [] : [pair.originalId, pair.returnId])));
  }

  /** Returns the free records that a rule may match. */
  givenTo({ isDefault }: EngineRule, free: Sides): Sides {
    return isDefault !== true || this.#held.isEmpty ? free : { a: withoutIds(free.a, this.#held), b: withoutIds(free.b, this.#held) };
  }

  /** Returns the records that are free after a rule: those it left, and those withheld from it. */
  leftBy({ isDefault }: EngineRule, free: Sides, left: () => Sides): () => Sides {
    if (isDefault !== true || this.#held.isEmpty) return left;
    return () => {
      const after = left();
      return { a: this.#again(free.a, after.a), b: this.#again(free.b, after.b) };
    };
  }

  /** Returns the records of `free` that are withheld or left, in the order of `free`. `left` has the same order. */
  #again(free: RecordColumns, left: RecordColumns): RecordColumns {
    const stays = new Uint8Array(free.count);
    let next = 0;
    for (let row = 0; row < free.count; row += 1) {
      const id = idAt(free, row);
      const isLeft = next < left.count && idAt(left, next) === id;
      if (isLeft) next += 1;
      if (isLeft || this.#held.has(id)) stays[row] = 1;
    }
    return pickRows(free, rowsWhere(stays, 1));
  }

  /**
   * Proposes each line with its reversal if both are still free, the likelier the fewer lines of `all` have its amount. Returns the rule of these
   * proposals and their number, or null if there are no pairs.
   */
  propose(all: Sides, free: () => Sides, found: MatchCollector): { readonly ruleId: number; readonly proposed: number } | null {
    if (this.#pairs.length === 0 || this.#ruleId === null) return null;
    const { a, b } = free();
    const concerned = IdSet.of(this.#pairs.flatMap(({ originalId, returnId }) => [originalId, returnId]));
    const [ofA, ofB] = [rowsAmong(a, concerned), rowsAmong(b, concerned)];
    const ruleId = this.#ruleId;
    const before = found.length;
    const alike = this.#isWeighed ? { a: linesOfAmount(all.a, a), b: linesOfAmount(all.b, b) } : null;
    for (const { originalId, returnId, isOfA } of this.#pairs) {
      const ids = isOfA ? ofA : ofB;
      if (!ids.has(originalId) || !ids.has(returnId)) continue;
      const both = [originalId, returnId];
      const [aIds, bIds] = isOfA ? [both, []] : [[], both];
      const lines = alike?.[isOfA ? 'a' : 'b'](present(ids.get(originalId), 'row of a returned line'));
      const weight = lines === undefined ? {} : { weight: weightOfReturn(lines - PAIR) };
      found.add({ ruleId, aIds, bIds, status: 'proposed', certainty: 'unique', differenceMinor: 0, ...weight });
    }
    return { ruleId, proposed: found.length - before };
  }
}

/** Returns the packed weight of a line and its reversal. `others` is the number of other lines that have the amount. */
function weightOfReturn(others: number): number {
  const rivals = 1 / (1 + others);
  return packWeight(weightOf(logOddsOf(ODDS * rivals), [1, 1, 1, ODDS]));
}

/** Returns a function for the number of lines of a side that have the amount of a row of `free`, in either direction. */
function linesOfAmount(all: RecordColumns, free: RecordColumns): (row: number) => number {
  const keyAt = ({ names, currencies, decimalPlaces, amounts }: RecordColumns, row: number): string =>
    `${names[currencies[row] as number] ?? ''} ${decimalPlaces[row] as number} ${amounts[row] as number}`;
  const counts = new Map<string, number>();
  for (let row = 0; row < all.count; row += 1) counts.set(keyAt(all, row), (counts.get(keyAt(all, row)) ?? 0) + 1);
  return (row) => counts.get(keyAt(free, row)) ?? PAIR;
}

function keyOf({ originalId, returnId }: ReturnedLine): string {
  return separationKey([originalId, returnId]);
}

/** Returns rows of a side by id, for some ids. */
function rowsAmong(columns: RecordColumns, ids: IdSet): Map<number, number> {
  const found = new Map<number, number>();
  if (ids.isEmpty) return found;
  for (let row = 0; row < columns.count; row += 1) {
    const id = idAt(columns, row);
    if (ids.has(id)) found.set(id, row);
  }
  return found;
}

/** Returns the pairs whose line and reversal the other side booked as well. Each line of the other side counts for one pair. */
function clearedAcross(
  pairs: readonly ReturnedPair[],
  rows: { readonly a: ReadonlyMap<number, number>; readonly b: ReadonlyMap<number, number> },
  { a, b }: Sides,
  convention: SignConvention,
): Set<ReturnedPair> {
  const keyAt = (columns: RecordColumns, row: number, side: 'a' | 'b'): string =>
    `${columns.names[columns.currencies[row] as number] ?? ''} ${columns.decimalPlaces[row] as number} ${weightAt(columns, row, side, convention)}`;
  const wanted = { a: new Map<string, number[]>(), b: new Map<string, number[]>() };
  for (const { originalId, returnId, isOfA } of pairs) {
    const [own, columns, side] = isOfA ? ([rows.a, a, 'a'] as const) : ([rows.b, b, 'b'] as const);
    for (const id of [originalId, returnId])
      wanted[isOfA ? 'b' : 'a'].set(keyAt(columns, present(own.get(id), 'row of a returned line'), side), []);
  }
  for (const [columns, side] of [
    [a, 'a'],
    [b, 'b'],
  ] as const) {
    if (wanted[side].size === 0) continue;
    for (let row = 0; row < columns.count; row += 1) wanted[side].get(keyAt(columns, row, side))?.push(row);
  }
  const used = { a: new Set<number>(), b: new Set<number>() };
  const found = new Set<ReturnedPair>();
  for (const pair of pairs) {
    const [own, columns, side, others, other] = pair.isOfA ? ([rows.a, a, 'a', b, 'b'] as const) : ([rows.b, b, 'b', a, 'a'] as const);
    const [first, second] = [pair.originalId, pair.returnId].map((id) => {
      const row = present(own.get(id), 'row of a returned line');
      const near = (wanted[other].get(keyAt(columns, row, side)) ?? []).filter((each) => !used[other].has(each));
      const apart = (each: number): number => Math.abs(intAt(others.days, each) - intAt(columns.days, row));
      return near.filter((each) => apart(each) <= MOST_DAYS).toSorted((left, right) => apart(left) - apart(right) || left - right);
    });
    const original = first?.[0];
    const taken = second?.find((each) => each !== original);
    if (original === undefined || taken === undefined) continue;
    used[other].add(original).add(taken);
    found.add(pair);
  }
  return found;
}
