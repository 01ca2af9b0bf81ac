import { signedMinor } from '../../../../src-shared/values/money.ts';
import { failed, success } from '../../../../src-shared/values/result.ts';
import { IntList } from '../../collections/growable-array.ts';
import { floatAt, intAt, itemAt } from '../../collections/typed-arrays.ts';
import type { EngineRecord } from '../../records/record.ts';
import { DayRuns, type Run } from '../../groups/runs.ts';
import type { SumRange } from '../../groups/sums.ts';
import { type Classes, classesOfSide } from '../blocking/equivalence-classes.ts';
import { ROUNDING, type Window, windowOf } from '../comparison/tolerance-windows.ts';
import { CANCELLED, type EngineFailure } from '../model/input.ts';
import { MAX_CANDIDATE_PAIRS } from '../model/limits.ts';
import { groupValues, type RolledRule } from '../rules/grouping-rule.ts';
import { shareOf } from '../rules/tolerances.ts';
import {
  daysOfMany,
  equalBlocks,
  type FitsFound,
  type GroupRun,
  groupTest,
  inPlaceOf,
  memberConditions,
  type MemberConditions,
  NO_DAY,
  type RecordedView,
  recordedView,
  type RecordGroup,
  rolledSide,
  type RolledView,
  signedRanges,
  totalOf,
  totalsOf,
} from './groups.ts';

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
  const message = `Rule ${ruleId} adds up days without a time bound, but the records of one segment lie on ${days} different days (the limit is ${MAX_UNBOUND_DAYS}). Give \`lookback_days\` and \`date_field\`, or a further field in \`group_by\`.`;
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
      ? `finds more than ${MAX_FITS / 1_000_000} million runs of days that add up to a record`
      : `would test more than ${MAX_CANDIDATE_PAIRS / 1_000_000} million records within the windows of others`;
  const message = `Rule ${ruleId} ${what}. Shorten \`lookback_days\`, add a field to \`group_by\` that both sides carry, or a condition that references are equal.`;
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
