import type { Certainty } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { signedMinor } from '../../../../src-shared/values/money.ts';
import { failed, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { IntList } from '../../collections/growable-array.ts';
import { floatAt, intAt, itemAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import { DayRuns, type Run } from '../../groups/runs.ts';
import type { SumRange } from '../../groups/sums.ts';
import { numberCodes } from '../../records/dictionary-encoding.ts';
import { bareRecord, bareRecords, idAt, pickRows, type RecordColumns, rowsWhere } from '../../records/record-columns.ts';
import type { EngineRecord } from '../../records/record.ts';
import { findCandidates, tooManyPairs } from '../blocking/candidates.ts';
import { type Classes, classesOfSide, eachAlone, rowsOf, sizeOf } from '../blocking/equivalence-classes.ts';
import { planRule } from '../blocking/plan.ts';
import { wantedSingles } from '../blocking/semi-join.ts';
import { readColumns } from '../comparison/read-columns.ts';
import { filledRows, KeptTexts } from '../comparison/text-columns.ts';
import { ROUNDING, type Window, windowOf } from '../comparison/tolerance-windows.ts';
import { separatedSets } from '../matches/separations.ts';
import { CANCELLED, type EngineFailure } from '../model/input.ts';
import { MAX_CANDIDATE_PAIRS } from '../model/limits.ts';
import type { CompiledRule } from '../rules/compile.ts';
import { groupValues, rolledRule, type RolledRule } from '../rules/grouping-rule.ts';
import { shareOf } from '../rules/tolerances.ts';
import {
  balanceOf,
  columnsOfMany,
  daysOfMany,
  equalBlocks,
  factsOfGroup,
  type FitsFound,
  type GroupFits,
  type GroupMatcher,
  type GroupRun,
  groupTest,
  inPlaceOf,
  isInWindow,
  memberConditions,
  type MemberConditions,
  netOf,
  NO_DAY,
  oriented,
  type RecordedView,
  recordedView,
  type RecordGroup,
  type RolledSide,
  rolledSide,
  type RolledView,
  rolledView,
  signedRanges,
  standingRow,
  type TiedMatch,
  totalOf,
  totalsOf,
} from './groups.ts';

/** Matches groups by identifier or by runs of days with single records. */
export const matchGroups: GroupMatcher = (run) => {
  const { rule, watch } = run;
  const rolled = rolledRule(rule, run.compiled, run.types, run.signConvention);
  watch.beginStage(rule.id, run.sideA.count);
  const found = rolled.kind === 'identifier' ? fitsByIdentifier(run, rolled) : fitsByDate(run, rolled);
  if (!found.ok) return found;
  const fits = found.value;
  watch.finishStage();
  watch.beginStage(rule.id, run.sideB.count);
  const many = columnsOfMany(fits.given);
  const sets = separatedSets(run.separations);
  const choices = chosen(fits, (group, row) => {
    if (run.separations.size === 0) return false;
    const singleId = itemAt(fits.given.single, row).id;
    const rows = itemAt(fits.groups, group).rows();
    return sets.mayHold(singleId, rows.length + 1) && sets.holds([singleId, ...Array.from(rows, (member) => idAt(many, member))]);
  });
  const days = rolled.kind === 'date' ? daysOfMany(rolled, many) : NO_DAYS;
  const matches = choices.map((choice) => matchOf(run, fits, choice, days));
  watch.finishStage();
  return success({ matches, outsideWindow: fits.outsideWindow, gaveUp: null });
};

const NO_DAYS = new Float64Array(0);

/** `days` holds the days of the many side's rows if groups are runs of days. */
function matchOf({ rule }: GroupRun, fits: GroupFits, { group, row, certainty }: Choice, days: Float64Array): TiedMatch {
  const { given, totals, groups } = fits;
  const many = columnsOfMany(given);
  const taken = itemAt(groups, group);
  const single = itemAt(given.single, row);
  const total = itemAt(totals.records, group);
  const rows = taken.rows();
  const manyIds: number[] = [];
  for (let at = 0; at < rows.length; at += 1) manyIds.push(idAt(many, intAt(rows, at)));
  const [aIds, bIds] = given.rolled.manySide === 'a' ? [manyIds, [single.id]] : [[single.id], manyIds];
  const match = {
    ruleId: rule.id,
    aIds,
    bIds,
    status: rule.outcome === 'match' && rule.commitCertainty.includes(certainty) ? ('matched' as const) : ('proposed' as const),
    certainty,
    differenceMinor: present(balanceOf(given, total, single), 'balance of a group that fits'),
  };
  const { firstDay } = taken;
  const first = standingRow(given.rolled, rows, days, firstDay);
  const facts = factsOfGroup(given, taken, rows, total);
  return { match, group: { firstId: idAt(many, first), singleId: single.id, facts } };
}

/** A group and the single row that takes it. */
interface Choice {
  readonly group: number;
  readonly row: number;
  readonly certainty: Certainty;
}

/**
 * Lets single records choose in content order; each takes its first group of which nothing is used. A choice is contested if another single record
 * could take some of it, or if the record could take several groups by identifier, which have no order. One of several runs of days is `best`,
 * because the rule orders them. `isSeparated` says that a person separated exactly these records.
 */
function chosen(fits: GroupFits, isSeparated: (group: number, row: number) => boolean): Choice[] {
  const { groups, singles, byClass, cellCount, isOrdered } = fits;
  const wanting = claims(fits);
  const used = new Uint8Array(cellCount);
  const queue: { row: number; kind: number }[] = [];
  for (const kind of byClass.keys()) for (const row of rowsOf(singles, kind)) queue.push({ row, kind });
  queue.sort((left, right) => left.row - right.row);
  // Groups that one record of a class found used stay used for the next one.
  const next = new Map<number, number>();
  const choices: Choice[] = [];
  for (const { row, kind } of queue) {
    const options = byClass.get(kind) ?? [];
    let isFirst = true;
    for (let place = next.get(kind) ?? 0; place < options.length; place += 1) {
      const group = itemAt(options, place);
      const cells = itemAt(groups, group).cells();
      const isUsed = cells.some((cell) => used[cell] === 1);
      if (isFirst && isUsed) next.set(kind, place + 1);
      if (isUsed) continue;
      isFirst = false;
      if (isSeparated(group, row)) continue;
      for (const cell of cells) used[cell] = 1;
      const isContested = cells.some((cell) => intAt(wanting, cell) > 1) || (options.length > 1 && !isOrdered);
      choices.push({ group, row, certainty: isContested ? 'contested' : options.length > 1 ? 'best' : 'unique' });
      break;
    }
  }
  return choices;
}

/** Returns how many single records could take each cell. */
function claims({ groups, singles, byClass, cellCount }: GroupFits): Int32Array {
  const wanting = new Int32Array(cellCount);
  const latest = new Int32Array(cellCount).fill(-1);
  for (const [kind, options] of byClass) {
    const size = sizeOf(singles, kind);
    for (const option of options) {
      for (const cell of itemAt(groups, option).cells()) {
        if (intAt(latest, cell) === kind) continue;
        latest[cell] = kind;
        wanting[cell] = intAt(wanting, cell) + size;
      }
    }
  }
  return wanting;
}

const NO_ROWS = new Int32Array(0);
/** Estimate of the records in a group, for the capacity of text codes. */
const MEMBERS_EXPECTED = 8;

/** Returns the groups by the values of `group_by`: all records with equal values, on any dates. */
function fitsByIdentifier(run: GroupRun, rolled: RolledRule): FitsFound {
  const [many, single] = rolled.manySide === 'a' ? [run.sideA, run.sideB] : [run.sideB, run.sideA];
  const kept = new KeptTexts(many.count / MEMBERS_EXPECTED);
  const keyed = keyedRecords(rolled, many, run, kept);
  const { groups, records } = groupsOf(rolled, keyed);
  const wanted = wantedSingles(rolled, keyed.many, records, single, run.signConvention, kept);
  // Conditions on amounts apply to the group's total, so the amounts of members are not read.
  const given = rolledView(rolled, keyed.many, bareSide(wanted), run.signConvention, kept, pickRows(keyed.many, NO_ROWS));
  const totals = totalsOf(given, groups, records);
  const fits = groupTest(given, totals, groups);
  const outside = new Set<number>();
  const inside = new Set<number>();
  const test = oriented(rolled.manySide, (group: number, row: number) => {
    if (!fits(group, row)) return false;
    const isInside = isInWindow(given, itemAt(groups, group), row);
    (isInside ? inside : outside).add(group);
    return isInside;
  });
  const each = eachAlone(groups.length);
  const singles = classesOfSide(given.view, rolled.manySide === 'a' ? 'b' : 'a', () => false);
  const [classesA, classesB] = rolled.manySide === 'a' ? [each, singles] : [singles, each];
  const plan = planRule(totals.view, classesA, classesB);
  if (plan.pairs > MAX_CANDIDATE_PAIRS) return failed(tooManyPairs(run.rule.id, { pairs: plan.pairs, isNarrowed: false }, totals.view));
  if (classesA.count > 0 && classesB.count > 0) run.onPlan({ chosen: plan.chosen, pairs: plan.pairs, isTestedLate: false });
  const candidates = findCandidates(plan, classesA, classesB, test, run.watch);
  if (candidates === null) return failed(CANCELLED);
  const byClass = new Map<number, number[]>();
  for (let a = 0; a < classesA.count; a += 1) {
    for (let edge = intAt(candidates.starts, a); edge < intAt(candidates.starts, a + 1); edge += 1) {
      const b = intAt(candidates.columns, edge);
      const [group, kind] = rolled.manySide === 'a' ? [a, b] : [b, a];
      const known = byClass.get(kind);
      if (known === undefined) byClass.set(kind, [group]);
      else known.push(group);
    }
  }
  for (const [kind, found] of byClass) if (found.length > 1) found.sort(nearestFirst(given, groups, records, intAt(singles.first, kind)));
  const outsideWindow = [...outside].filter((group) => !inside.has(group)).length;
  return success({ given, groups, totals, cellCount: groups.length, singles, byClass, isOrdered: false, outsideWindow });
}

interface Keyed {
  readonly many: RecordColumns;
  /** Rows of each key; keys are ordered by their first rows. */
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}

/** Returns a side whose records hold only numbers, which is all that the search reads from them. */
function bareSide(columns: RecordColumns): RolledSide {
  return { columns, records: bareRecords(columns) };
}

/** Returns the records that have a key, grouped by it. */
function keyedRecords(rolled: RolledRule, all: RecordColumns, { watch, signConvention }: GroupRun, kept: KeptTexts): Keyed {
  const many = filledRecords(rolled, all);
  const none = pickRows(many, NO_ROWS);
  const [sideA, sideB] = rolled.manySide === 'a' ? [many, none] : [none, many];
  const groups: CompiledRule = { ...rolled.compiled, leaves: rolled.groups, namesCurrency: true };
  const columns = readColumns(groups, sideA, sideB, signConvention, kept).leaves.map((leaf) => leaf[rolled.manySide].codes);
  const isKeyed = new Uint8Array(many.count).fill(1);
  for (const codes of columns) for (let row = 0; row < many.count; row += 1) if (intAt(codes, row) < 0) isKeyed[row] = 0;
  watch.advance(all.count);
  const rows = rowsWhere(isKeyed, 1);
  const { keys, count } = keysInOrder(columns, rows) ?? keysOfRows(columns, rows);
  const starts = rangeStarts(keys, count);
  return { many: rows.length === many.count ? many : pickRows(many, rows), starts, rows: layOut(keys, starts) };
}

interface Keys {
  /** Key of each row, numbered in the order of first rows. */
  readonly keys: Int32Array;
  readonly count: number;
}

/** Returns the codes of a single field as keys if they appear in ascending order, otherwise null. */
function keysInOrder(columns: readonly Int32Array[], rows: Int32Array): Keys | null {
  const [codes] = columns;
  if (columns.length !== 1 || codes === undefined) return null;
  const keys = new Int32Array(rows.length);
  let count = 0;
  for (let index = 0; index < rows.length; index += 1) {
    const code = intAt(codes, intAt(rows, index));
    if (code > count) return null;
    if (code === count) count += 1;
    keys[index] = code;
  }
  return { keys, count };
}

function keysOfRows(columns: readonly Int32Array[], rows: Int32Array): Keys {
  const keys = new Int32Array(rows.length);
  let count = Math.min(1, rows.length);
  for (const codes of columns) {
    const known = numberCodes(rows.length);
    let most = 0;
    for (let index = 0; index < rows.length; index += 1) most = Math.max(most, intAt(codes, intAt(rows, index)));
    count = 0;
    for (let index = 0; index < rows.length; index += 1) {
      const key = known.codeOf(intAt(keys, index) * (most + 1) + intAt(codes, intAt(rows, index)));
      keys[index] = key;
      count = Math.max(count, key + 1);
    }
  }
  return { keys, count };
}

/** Returns the records with values in all fields of `group_by`. Most records have none. */
function filledRecords({ groups, manySide }: RolledRule, all: RecordColumns): RecordColumns {
  let many = all;
  for (const leaf of groups) {
    const rows = filledRows(manySide === 'a' ? leaf.key : leaf.value, many);
    if (rows !== null && rows.length < many.count) many = pickRows(many, rows);
  }
  return many;
}

function groupsOf(
  rolled: RolledRule,
  { many, starts, rows: laidOut }: Keyed,
): { readonly groups: RecordGroup[]; readonly records: EngineRecord[] } {
  const days = daysOfMany(rolled, many);
  const groups: RecordGroup[] = [];
  const records: EngineRecord[] = [];
  for (let key = 0; key + 1 < starts.length; key += 1) {
    const members = laidOut.subarray(intAt(starts, key), intAt(starts, key + 1));
    const net = netOf(many, members);
    if (net === null) continue;
    let firstDay = Infinity;
    let lastDay = -Infinity;
    for (let at = 0; at < members.length; at += 1) {
      const day = floatAt(days, intAt(members, at));
      if (day < firstDay) firstDay = day;
      if (day > lastDay) lastDay = day;
    }
    const first = intAt(members, 0);
    const cells = [groups.length];
    const rows = (): Int32Array => members;
    groups.push({ first, rows, untested: rows, cells: () => cells, firstDay, lastDay });
    records.push(inPlaceOf(bareRecord(many, first), net));
  }
  return { groups, records };
}

/** Orders groups by days between their latest member and the single record, then by the difference, then by content. */
function nearestFirst(given: RolledView, groups: readonly RecordGroup[], totals: readonly EngineRecord[], row: number) {
  const other = itemAt(given.single, row);
  // Rows are in content order, which begins with the day.
  const { days } = columnsOfMany(given);
  const apart = (group: number): number => Math.abs(intAt(days, itemAt(groups, group).rows().at(-1) ?? 0) - other.day);
  // In currency units, because the groups may have different scales.
  const missing = (group: number): number => {
    const total = itemAt(totals, group);
    return Math.abs(balanceOf(given, total, other) ?? 0) / 10 ** Math.max(total.decimalPlaces, other.decimalPlaces);
  };
  return (left: number, right: number): number => apart(left) - apart(right) || missing(left) - missing(right) || left - right;
}

/**
 * Returns a function for the ranges in which the net of a group must lie to fit a single record, in units at `scale`. They are a superset, derived
 * from the widest tolerance of the conditions that compare amounts. There are two ranges if only magnitudes count.
 */
function rangesOf({ rolled, view, convention }: RolledView, scale: number): (record: EngineRecord) => SumRange[] {
  const windows = rolled.balances.flatMap((leaf, index): Window[] => {
    if (leaf === null) return [];
    const isEndless = leaf.tolerance?.unit === 'percent' && shareOf(leaf.tolerance) >= 1;
    return [isEndless ? { low: () => -Infinity, high: () => Infinity } : windowOf(itemAt(view.columns.leaves, index))];
  });
  const around = (units: number): SumRange => {
    const room = Number.isSafeInteger(units) ? 0 : Math.abs(units) * ROUNDING;
    return {
      low: Math.min(units, ...windows.map((window) => window.low(units))) - room,
      high: Math.max(units, ...windows.map((window) => window.high(units))) + room,
    };
  };
  return (record) => signedRanges(around(record.amountMinor * 10 ** (scale - record.decimalPlaces)), record.direction, convention);
}

/** Most distinct days of a segment for a rule without a time bound. */
const MAX_UNBOUND_DAYS = 366;
/** A search that finds more runs than this is refused. */
const MAX_FITS = 2_000_000;

/** State of a search: the pairs found so far, each of a group and a class of single records. */
interface Search {
  readonly run: GroupRun;
  readonly given: RecordedView;
  readonly singles: Classes;
  readonly days: Float64Array;
  readonly scale: number;
  /** Whether all records of the many side have this scale. The sums then give a total without reading its members. */
  readonly isUniform: boolean;
  readonly members: MemberConditions;
  readonly groups: RecordGroup[];
  readonly totals: EngineRecord[];
  readonly left: IntList;
  readonly right: IntList;
  cellCount: number;
  /** Number of cells tested one by one. */
  tested: number;
}

/** Returns the groups of records on consecutive days within the window of each single record. */
function fitsByDate(run: GroupRun, rolled: RolledRule): FitsFound {
  const [ofMany, ofSingle] = rolled.manySide === 'a' ? [run.sideA, run.sideB] : [run.sideB, run.sideA];
  const given = recordedView(rolled, rolledSide(ofMany), rolledSide(ofSingle), run.signConvention);
  const { many, single } = given;
  const days = daysOfMany(rolled, ofMany);
  if (rolled.lookbackDays === null) {
    const most = mostDays(given, days);
    if (most > MAX_UNBOUND_DAYS) return failed(tooManyDays(run.rule.id, most));
  }
  const scale = [...many, ...single].reduce((finest, record) => Math.max(finest, record.decimalPlaces), 0);
  const search: Search = {
    run,
    given,
    singles: classesOfSide(given.view, rolled.manySide === 'a' ? 'b' : 'a', () => false),
    days,
    scale,
    isUniform: many.every((record) => record.decimalPlaces === scale),
    members: memberConditions(given),
    groups: [],
    totals: [],
    left: new IntList(),
    right: new IntList(),
    cellCount: 0,
    tested: 0,
  };
  const failure = searchBlocks(search);
  return failure === null ? verified(search) : failed(failure);
}

/** Returns the most distinct days of one combination of the further fields of `group_by`. */
function mostDays({ rolled, many }: RecordedView, days: Float64Array): number {
  const bySegment = new Map<string, Set<number>>();
  let most = 0;
  for (const [row, record] of many.entries()) {
    const values = groupValues(rolled.groups.slice(1), rolled.manySide, record);
    const day = floatAt(days, row);
    if (values === null || day === NO_DAY) continue;
    const key = JSON.stringify(values);
    const known = bySegment.get(key) ?? new Set();
    bySegment.set(key, known.add(day));
    most = Math.max(most, known.size);
  }
  return most;
}

function tooManyDays(ruleId: number, days: number): EngineFailure {
  const message = phrase('rules.matchGroups.ruleAddsUpDaysWithout', { ruleId, days, maxUnboundDays: MAX_UNBOUND_DAYS });
  return { code: 'invalid_rule', message, ruleId, path: 'rollup.lookback_days' };
}

function searchBlocks(search: Search): EngineFailure | null {
  const { given, run, members } = search;
  const ranges = rangesOf(given, search.scale);
  const isByRow = members.rest !== null && !members.isOfDays;
  const { blocks } = equalBlocks(given, search.days, search.singles, members.exact);
  run.watch.advance(given.many.length);
  for (const { rows, classes } of blocks) {
    if (rows.length === 0 || classes.length === 0) continue;
    for (const ofCurrency of Map.groupBy(rows, (row) => itemAt(given.many, row).currency).values()) {
      const cells = cellsOf(given, search.days, search.scale, ofCurrency, isByRow, search.cellCount);
      search.cellCount += cells.length;
      const failure = searchSegment(search, dayCells(cells), classes, ranges);
      if (failure !== null) return failure;
    }
    if (run.watch.isCancelled()) return CANCELLED;
  }
  return null;
}

function searchSegment(
  search: Search,
  segment: DayRuns<Cell>,
  classes: readonly number[],
  ranges: ReturnType<typeof rangesOf>,
): EngineFailure | null {
  const { given, run, singles, members } = search;
  const { rest } = members;
  const known = new Map<number, number>();
  const { lookbackDays } = given.rolled;
  let sinceLook = 0;
  for (const kind of classes) {
    const row = intAt(singles.first, kind);
    const record = itemAt(given.single, row);
    const from = lookbackDays === null ? 0 : segment.placeOf(record.day - lookbackDays);
    const to = lookbackDays === null ? segment.days.length : segment.placeOf(record.day + 1);
    if (from >= to) continue;
    const wanted = ranges(record);
    if (rest === null) {
      for (const range of wanted) segment.runs.within(from, to, range, (...run) => keep(search, segment, run, kind, known));
    } else {
      const cells = segment.itemsOf(from, to - 1);
      search.tested += cells.length;
      const own = dayCells(cells.filter((cell) => rest(itemAt(cell.rows, 0), row)));
      for (const range of wanted) own.runs.within(0, own.days.length, range, (...run) => keep(search, own, run, kind, null));
    }
    if (search.tested > MAX_CANDIDATE_PAIRS || search.left.length > MAX_FITS) return tooMuch(run.rule.id, search);
    sinceLook += to - from;
    if (sinceLook < 1 << 16) continue;
    sinceLook = 0;
    if (run.watch.isCancelled()) return CANCELLED;
  }
  return null;
}

function tooMuch(ruleId: number, { left }: Search): EngineFailure {
  const what =
    left.length > MAX_FITS
      ? phrase('rules.matchGroups.findsMoreThanMillionRuns', { maxFits: MAX_FITS / 1_000_000 })
      : phrase('rules.matchGroups.wouldTestMoreThanMillion', { maxCandidatePairs: MAX_CANDIDATE_PAIRS / 1_000_000 });
  const message = phrase('rules.matchGroups.ruleShortenLookbackDaysAdd', { ruleId, what });
  return { code: 'too_many_candidates', message, ruleId };
}

/** Records that a run of days may fit a class. `known` holds the runs of the segment that are groups already. */
function keep(search: Search, segment: DayRuns<Cell>, run: Run, kind: number, known: Map<number, number> | null): void {
  const place = run[0] * segment.days.length + run[1];
  let group = known?.get(place);
  if (group === undefined) {
    group = addGroup(search, segment, run);
    known?.set(place, group);
  }
  if (group < 0) return;
  search.left.push(group);
  search.right.push(kind);
}

/** Returns the index of the new group, or -1 if it has no representative. */
function addGroup({ given, isUniform, members, groups, totals }: Search, segment: DayRuns<Cell>, [first, last, net]: Run): number {
  const cells = () => segment.itemsOf(first, last);
  const rows = () => Int32Array.from(cells().flatMap((cell) => cell.rows)).toSorted();
  const firstRow = itemAt(itemAt(segment.items, intAt(segment.starts, first)).rows, 0);
  const representative = itemAt(given.many, firstRow);
  const total =
    segment.runs.slack === 0 && isUniform
      ? { ...representative, amountMinor: Math.abs(net), direction: net < 0 ? ('debit' as const) : ('credit' as const) }
      : totalOf(Array.from(rows(), (row) => itemAt(given.many, row)));
  if (total === null) return -1;
  const firstDay = intAt(segment.days, first);
  const lastDay = intAt(segment.days, last);
  totals.push(inPlaceOf(representative, total));
  groups.push({
    first: firstRow,
    rows,
    untested: () => (members.isMixed ? rows() : Int32Array.of(firstRow)),
    cells: () => cells().map((cell) => cell.id),
    firstDay,
    lastDay,
  });
  return groups.length - 1;
}

/** Returns the pairs that pass the exact test of the whole rule, out of those that fit by their sums. */
function verified(search: Search): FitsFound {
  const { given, groups, totals, left, right, singles, cellCount, run } = search;
  const records = totalsOf(given, groups, totals);
  const fits = groupTest(given, records, groups);
  const byClass = new Map<number, number[]>();
  for (let at = 0; at < left.length; at += 1) {
    if (at % 65_536 === 65_535 && run.watch.isCancelled()) return failed(CANCELLED);
    const group = intAt(left.items, at);
    const kind = intAt(right.items, at);
    if (!fits(group, intAt(singles.first, kind))) continue;
    const known = byClass.get(kind);
    if (known === undefined) byClass.set(kind, [group]);
    else known.push(group);
  }
  for (const found of byClass.values()) if (found.length > 1) found.sort(latestFirst(groups));
  return success({ given, groups, totals: records, cellCount, singles, byClass, isOrdered: true, outsideWindow: 0 });
}

/** Orders groups by the latest last day, then the fewest days, then content. */
function latestFirst(groups: readonly RecordGroup[]) {
  return (left: number, right: number): number => {
    const [one, other] = [itemAt(groups, left), itemAt(groups, right)];
    return other.lastDay - one.lastDay || other.firstDay - one.firstDay || one.first - other.first;
  };
}

/** Rows that a group takes together or not at all: those of a day, or a single row if each must be tested separately. */
interface Cell {
  readonly id: number;
  readonly day: number;
  readonly rows: readonly number[];
  /** In units at the rule's scale; rounded if `magnitude` exceeds the safe range. */
  readonly net: number;
  readonly magnitude: number;
}

/** Returns the cells of rows of one currency. With `isByRow` each row is a cell of its own. Ids count from `firstId`. */
function cellsOf(
  { many }: RecordedView,
  days: Float64Array,
  scale: number,
  rows: readonly number[],
  isByRow: boolean,
  firstId: number,
): Cell[] {
  const ordered = rows.toSorted((left, right) => floatAt(days, left) - floatAt(days, right) || left - right);
  const groups: number[][] = [];
  let latest = Number.NaN;
  for (const row of ordered) {
    const day = floatAt(days, row);
    if (isByRow || day !== latest) groups.push([row]);
    else groups.at(-1)?.push(row);
    latest = day;
  }
  return groups.map((group, index) => {
    let net = 0;
    let magnitude = 0;
    for (const row of group) {
      const { amountMinor, direction, decimalPlaces } = itemAt(many, row);
      const units = signedMinor(amountMinor, direction) * 10 ** (scale - decimalPlaces);
      net += units;
      magnitude += Math.abs(units);
    }
    return { id: firstId + index, day: floatAt(days, itemAt(group, 0)), rows: group, net, magnitude };
  });
}

function dayCells(cells: readonly Cell[]): DayRuns<Cell> {
  return new DayRuns(cells, { day: ({ day }) => day, units: ({ net }) => net, magnitude: ({ magnitude }) => magnitude });
}
