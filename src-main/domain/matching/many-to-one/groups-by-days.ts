import { failed, success } from '../../../../src-shared/values/result.ts';
import { IntList } from '../../collections/growable-array.ts';
import { floatAt, intAt, itemAt } from '../../collections/typed-arrays.ts';
import type { EngineRecord } from '../../records/record.ts';
import { type Classes, classesOfSide, eachAlone } from '../blocking/equivalence-classes.ts';
import { blockKeys } from '../blocking/scan.ts';
import { CANCELLED } from '../model/input.ts';
import type { EngineFailure } from '../model/input.ts';
import { MAX_CANDIDATE_PAIRS } from '../model/limits.ts';
import { groupValues, type RolledRule } from '../rules/grouping-rule.ts';
import { stretchesOf } from './amount-ranges.ts';
import { placeOf, runFinder } from './day-runs.ts';
import { type Cell, cellsOf, type DayCells, dayCells } from './day-segments.ts';
import type { FitsFound } from './group-candidates.ts';
import type { GroupRun } from './group-matcher.ts';
import { daysOfMany, NO_DAY } from './group-window.ts';
import { type RecordGroup, groupTest, inPlaceOf, rolledSide, type RecordedView, recordedView, totalOf, totalsOf } from './groups.ts';
import { memberConditions, type MemberConditions } from './member-tests.ts';

/** Distinct days of a segment that a rule without a time bound may run over. */
const MAX_UNBOUND_DAYS = 366;
/** More runs of days that fit than this are no answer to anything. */
const MAX_FITS = 2_000_000;

/** A search under way: what was found so far, as pairs of a group and a class of single records. */
interface Search {
  readonly run: GroupRun;
  readonly given: RecordedView;
  readonly singles: Classes;
  readonly days: Float64Array;
  readonly scale: number;
  /** All records of the many side have this scale: then sums tell a total without a look at its members. */
  readonly isUniform: boolean;
  readonly members: MemberConditions;
  readonly groups: RecordGroup[];
  readonly totals: EngineRecord[];
  readonly left: IntList;
  readonly right: IntList;
  cellCount: number;
  /** Cells tested one by one. */
  tested: number;
}

/** Groups by runs of consecutive days within the window of each single record. */
export function fitsByDate(run: GroupRun, rolled: RolledRule): FitsFound {
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

/** The most distinct days that one combination of the further fields of group_by has. */
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
  const message = `Rule ${ruleId} adds up days without a time bound, but the records of one segment lie on ${days} different days (the limit is ${MAX_UNBOUND_DAYS}). Give \`lookback_days\` and \`date_field\`, or a further field in \`group_by\`.`;
  return { code: 'invalid_rule', message, ruleId, path: 'rollup.lookback_days' };
}

interface Block {
  readonly rows: number[];
  readonly classes: number[];
}

/** Rows and classes of single records that agree in everything that must be equal. */
function blocksOf({ given, singles, days, members, run: { watch } }: Search): Block[] {
  const { rolled, view, many } = given;
  const each = eachAlone(many.length);
  const [classesA, classesB] = rolled.manySide === 'a' ? [each, singles] : [singles, each];
  const keys = blockKeys({ view, classesA, classesB }, members.exact);
  const [ofMany, ofSingle] = rolled.manySide === 'a' ? [keys.a, keys.b] : [keys.b, keys.a];
  const blocks = Array.from({ length: keys.count }, (): Block => ({ rows: [], classes: [] }));
  for (const [row, key] of ofMany.entries()) {
    watch.advance(1);
    if (key >= 0 && floatAt(days, row) !== NO_DAY) itemAt(blocks, key).rows.push(row);
  }
  for (const [kind, key] of ofSingle.entries()) if (key >= 0) itemAt(blocks, key).classes.push(kind);
  return blocks.filter((block) => block.rows.length > 0 && block.classes.length > 0);
}

function searchBlocks(search: Search): EngineFailure | null {
  const { given, run, members } = search;
  const stretches = stretchesOf(given, search.scale);
  const isByRow = members.rest !== null && !members.isOfDays;
  for (const { rows, classes } of blocksOf(search)) {
    for (const ofCurrency of Map.groupBy(rows, (row) => itemAt(given.many, row).currency).values()) {
      const cells = cellsOf(given, search.days, search.scale, ofCurrency, isByRow, search.cellCount);
      search.cellCount += cells.length;
      const failure = searchSegment(search, dayCells(cells), classes, stretches);
      if (failure !== null) return failure;
    }
    if (run.watch.isCancelled()) return CANCELLED;
  }
  return null;
}

function searchSegment(
  search: Search,
  segment: DayCells,
  classes: readonly number[],
  stretches: ReturnType<typeof stretchesOf>,
): EngineFailure | null {
  const { given, run, singles, members } = search;
  const { rest } = members;
  const find = runFinder(segment.nets);
  const known = new Map<number, number>();
  const { lookbackDays } = given.rolled;
  let sinceLook = 0;
  for (const kind of classes) {
    const row = intAt(singles.first, kind);
    const record = itemAt(given.single, row);
    const from = lookbackDays === null ? 0 : placeOf(segment.nets.days, record.day - lookbackDays);
    const to = lookbackDays === null ? segment.nets.days.length : placeOf(segment.nets.days, record.day + 1);
    if (from >= to) continue;
    const wanted = stretches(record);
    if (rest === null) {
      for (const stretch of wanted) find(from, to, stretch, (first, last) => keep(search, segment, first, last, kind, known));
    } else {
      const passing: Cell[] = [];
      for (let at = itemAt(segment.starts, from); at < itemAt(segment.starts, to); at += 1) {
        const cell = itemAt(segment.cells, at);
        if (rest(itemAt(cell.rows, 0), row)) passing.push(cell);
      }
      search.tested += itemAt(segment.starts, to) - itemAt(segment.starts, from);
      const own = dayCells(passing);
      const findOwn = runFinder(own.nets);
      for (const stretch of wanted) findOwn(0, own.nets.days.length, stretch, (first, last) => keep(search, own, first, last, kind, null));
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
      ? `finds more than ${MAX_FITS / 1_000_000} million runs of days that add up to a record`
      : `would test more than ${MAX_CANDIDATE_PAIRS / 1_000_000} million records within the windows of others`;
  const message = `Rule ${ruleId} ${what}. Shorten \`lookback_days\`, add a field to \`group_by\` that both sides carry, or a condition that references are equal.`;
  return { code: 'too_many_candidates', message, ruleId };
}

/** Notes that a run of days of a segment may fit a class. `known`: the segment's runs that are groups already. */
function keep(search: Search, segment: DayCells, first: number, last: number, kind: number, known: Map<number, number> | null): void {
  const place = first * segment.nets.days.length + last;
  let group = known?.get(place);
  if (group === undefined) {
    group = addGroup(search, segment, first, last);
    known?.set(place, group);
  }
  if (group < 0) return;
  search.left.push(group);
  search.right.push(kind);
}

/** The new group's place, or -1 where no record could stand for it. */
function addGroup({ given, isUniform, members, groups, totals }: Search, segment: DayCells, first: number, last: number): number {
  const cells = () => segment.cells.slice(itemAt(segment.starts, first), itemAt(segment.starts, last + 1));
  const rows = () => Int32Array.from(cells().flatMap((cell) => cell.rows)).toSorted();
  const firstRow = itemAt(itemAt(segment.cells, itemAt(segment.starts, first)).rows, 0);
  const { sums, days, slack } = segment.nets;
  const representative = itemAt(given.many, firstRow);
  const net = floatAt(sums, last + 1) - floatAt(sums, first);
  const total =
    slack === 0 && isUniform
      ? { ...representative, amountMinor: Math.abs(net), direction: net < 0 ? ('debit' as const) : ('credit' as const) }
      : totalOf(Array.from(rows(), (row) => itemAt(given.many, row)));
  if (total === null) return -1;
  const firstDay = floatAt(days, first);
  const lastDay = floatAt(days, last);
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

/** Of what may fit by the sums, what fits by the exact test of the whole rule. */
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

/** The latest last day, then the fewest days, then content. */
function latestFirst(groups: readonly RecordGroup[]) {
  return (left: number, right: number): number => {
    const [one, other] = [itemAt(groups, left), itemAt(groups, right)];
    return other.lastDay - one.lastDay || other.firstDay - one.firstDay || one.first - other.first;
  };
}
