import type { Certainty } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { failed, success } from '../../../../src-shared/values/result.ts';
import { floatAt, intAt, itemAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import { numberCodes } from '../../records/dictionary-encoding.ts';
import { bareRecord, bareRecords, idAt, pickRows, type RecordColumns, rowsWhere } from '../../records/record-columns.ts';
import type { EngineRecord } from '../../records/record.ts';
import { findCandidates } from '../blocking/candidates.ts';
import { classesOfSide, eachAlone, rowsOf, sizeOf } from '../blocking/equivalence-classes.ts';
import { planRule } from '../blocking/plan.ts';
import { wantedSingles } from '../blocking/semi-join.ts';
import { tooManyPairs } from '../blocking/too-many-candidates.ts';
import { readColumns } from '../comparison/read-columns.ts';
import { filledRows, KeptTexts } from '../comparison/text-columns.ts';
import { separatedSets } from '../matches/separations.ts';
import { CANCELLED } from '../model/input.ts';
import { MAX_CANDIDATE_PAIRS } from '../model/limits.ts';
import type { CompiledRule } from '../rules/compile.ts';
import { rolledRule, type RolledRule } from '../rules/grouping-rule.ts';
import { fitsByDate } from './groups-by-days.ts';
import {
  balanceOf,
  columnsOfMany,
  daysOfMany,
  factsOfGroup,
  type FitsFound,
  type GroupFits,
  type GroupMatcher,
  type GroupRun,
  groupTest,
  inPlaceOf,
  isInWindow,
  netOf,
  oriented,
  type RecordGroup,
  type RolledSide,
  type RolledView,
  rolledView,
  standingRow,
  type TiedMatch,
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
