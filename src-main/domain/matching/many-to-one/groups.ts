import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { signedMinor } from '../../../../src-shared/values/money.ts';
import type { Result } from '../../../../src-shared/values/result.ts';
import { floatAt, intAt, itemAt } from '../../collections/typed-arrays.ts';
import type { SumRange } from '../../groups/sums.ts';
import { differenceOf } from '../../records/amount-difference.ts';
import type { MetadataTypes } from '../../records/fields.ts';
import { columnsOfRecords, type RecordColumns, recordsOf } from '../../records/record-columns.ts';
import type { EngineRecord } from '../../records/record.ts';
import { narrow, unitsAt } from '../../records/values.ts';
import { type Classes, eachAlone } from '../blocking/equivalence-classes.ts';
import type { UsedPlan } from '../blocking/plan.ts';
import { blockKeys } from '../blocking/scan.ts';
import type { Column, LeafColumns, RuleColumns } from '../comparison/condition-columns.ts';
import { type LeafTest, leafTest } from '../comparison/condition-test.ts';
import { ruleView, type RuleView } from '../comparison/predicate.ts';
import { dayReader, readColumns } from '../comparison/read-columns.ts';
import type { KeptTexts } from '../comparison/text-columns.ts';
import type { EngineFailure } from '../model/input.ts';
import type { FoundMatch } from '../model/match.ts';
import type { EngineRule } from '../model/rule.ts';
import type { Watch } from '../model/watch.ts';
import type { Leaf } from '../rules/compile-leaf.ts';
import type { CompiledRule, RuleNode } from '../rules/compile.ts';
import type { RolledRule } from '../rules/grouping-rule.ts';
import { isExact } from '../rules/tolerances.ts';

/** One many-to-one rule and the records it sees. */
export interface GroupRun {
  readonly rule: EngineRule;
  readonly compiled: CompiledRule;
  readonly types: MetadataTypes;
  /** Free records in content order (`columnsInContentOrder`), which decides every choice between equals. */
  readonly sideA: RecordColumns;
  readonly sideB: RecordColumns;
  readonly signConvention: SignConvention;
  /** Keys by `separationKey`: sets of records that must not be matched with each other again. */
  readonly separations: ReadonlySet<string>;
  /** The matcher must begin and finish two stages on it, of `sideA` and of `sideB` records. */
  readonly watch: Watch;
  /** Called if groups are searched by a plan and there are groups and records for it. */
  readonly onPlan: (plan: UsedPlan) => void;
}

/** A group and the single record that takes it. */
export interface TiedMatch {
  readonly match: FoundMatch;
  /** Facts for the explanation; null if the explanation needs all records of the match. */
  readonly group: KeptGroup | null;
}

export interface GroupsFound {
  /** In content order of the single records. No record is in two matches. */
  readonly matches: readonly TiedMatch[];
  /** Number of groups that fit a single record in everything but the time window. */
  readonly outsideWindow: number;
  /** Number of single records whose search for a sum was cut off; null if no sums are searched. */
  readonly gaveUp: number | null;
}

/** Matches several records of one side with a single record of the other. Pure: the same records in any order give the same bytes. */
export type GroupMatcher = (run: GroupRun) => Result<GroupsFound, EngineFailure>;

/** A group of records of the many side. Lists are created on demand, because most groups are never matched. */
export interface RecordGroup {
  /** Row of its first member. */
  readonly first: number;
  /** Returns the rows of the many side, ascending; at least one. */
  readonly rows: () => Int32Array;
  /** Returns the rows that remain to be tested; the others satisfy every condition by construction. */
  readonly untested: () => Int32Array;
  /** Returns the cells that the group uses. Two groups that share a record share a cell. */
  readonly cells: () => readonly number[];
  /** Days of the earliest and of the latest member; 0 if no date counts. */
  readonly firstDay: number;
  readonly lastDay: number;
}

/** A rule with the records of both sides. Its columns hold the records' own values, including the amounts of the many side. */
export interface RolledView {
  readonly rolled: RolledRule;
  readonly view: RuleView;
  readonly single: readonly EngineRecord[];
  readonly convention: SignConvention;
}

/** A view whose members are read as records. */
export interface RecordedView extends RolledView {
  readonly many: readonly EngineRecord[];
}

/** Returns the records of the many side. */
export function columnsOfMany({ rolled, view }: RolledView): RecordColumns {
  return rolled.manySide === 'a' ? view.sideA : view.sideB;
}

/** Records of a side, as columns and as objects. */
export interface RolledSide {
  readonly columns: RecordColumns;
  readonly records: readonly EngineRecord[];
}

export function rolledSide(columns: RecordColumns): RolledSide {
  return { columns, records: recordsOf(columns) };
}

/** `manyOfTotal` holds the records whose amounts are read for conditions on a group's total; it is empty if the amounts of members are not read. */
export function rolledView(
  rolled: RolledRule,
  many: RecordColumns,
  single: RolledSide,
  convention: SignConvention,
  kept: KeptTexts | null = null,
  manyOfTotal: RecordColumns = many,
): RolledView {
  const { compiled, isOfTotal } = rolled;
  const sidesOf = (ofMany: RecordColumns) =>
    rolled.manySide === 'a' ? ([ofMany, single.columns] as const) : ([single.columns, ofMany] as const);
  const read = (speaksOfTotal: boolean, ofMany: RecordColumns): RuleColumns => {
    const leaves = compiled.leaves.filter((_, index) => isOfTotal[index] === speaksOfTotal);
    const rule = { ...compiled, leaves, namesCurrency: speaksOfTotal || compiled.namesCurrency };
    return readColumns(rule, ...sidesOf(ofMany), convention, kept);
  };
  const ofMembers = read(false, many);
  const ofTotals = read(true, manyOfTotal).leaves.values();
  const others = ofMembers.leaves.values();
  const leaves = isOfTotal.map((speaksOfTotal) => present((speaksOfTotal ? ofTotals : others).next().value, 'columns of a condition'));
  const [sideA, sideB] = sidesOf(many);
  const columns = { leaves, currency: ofMembers.currency };
  const view = ruleView({ rule: compiled, columns, sideA, sideB, isBarred: () => false });
  return { rolled, view, single: single.records, convention };
}

export function recordedView(rolled: RolledRule, many: RolledSide, single: RolledSide, convention: SignConvention): RecordedView {
  return { ...rolledView(rolled, many.columns, single, convention), many: many.records };
}

/** Rows of the many side and classes of single records that agree in everything that must be equal. */
interface Block {
  readonly rows: number[];
  readonly classes: number[];
}

/** Returns the blocks of the rows that have a day, and the block of each class of single records, -1 if it has none. */
export function equalBlocks(
  { rolled, view, many }: RecordedView,
  days: Float64Array,
  singles: Classes,
  exact: readonly LeafColumns[],
): { readonly blocks: readonly Block[]; readonly ofSingle: Int32Array } {
  const each = eachAlone(many.length);
  const [classesA, classesB] = rolled.manySide === 'a' ? [each, singles] : [singles, each];
  const keys = blockKeys({ view, classesA, classesB }, exact);
  const [ofMany, ofSingle] = rolled.manySide === 'a' ? [keys.a, keys.b] : [keys.b, keys.a];
  const blocks = Array.from({ length: keys.count }, (): Block => ({ rows: [], classes: [] }));
  for (const [row, key] of ofMany.entries()) if (key >= 0 && floatAt(days, row) !== NO_DAY) itemAt(blocks, key).rows.push(row);
  for (const [kind, key] of ofSingle.entries()) if (key >= 0) itemAt(blocks, key).classes.push(kind);
  return { blocks, ofSingle };
}

/**
 * Returns the ranges in which credits minus debits of a group must lie to fit a single record, from the range of its magnitude. There are two ranges
 * if only magnitudes count.
 */
export function signedRanges({ low, high }: SumRange, direction: EngineRecord['direction'], convention: SignConvention): SumRange[] {
  const turned = { low: -high, high: -low };
  if (convention === 'any') return low <= 0 ? [{ low: -high, high }] : [turned, { low, high }];
  const isTurned = signedMinor(1, direction) < 0 !== (convention === 'opposite');
  return [isTurned ? turned : { low, high }];
}

/** The amount of a record. */
export type Net = Pick<EngineRecord, 'amountMinor' | 'direction' | 'decimalPlaces'>;

/**
 * Returns the net of some rows at their finest scale, or null if it cannot be the amount of a record: rows of several currencies, or a net beyond the
 * safe integers.
 */
export function netOf({ amounts, credits, decimalPlaces, currencies }: RecordColumns, rows: Int32Array): Net | null {
  const currency = currencies[intAt(rows, 0)];
  let scale = 0;
  // An index loop is faster than an iterator, most of all before the code is optimized.
  for (let at = 0; at < rows.length; at += 1) {
    const row = intAt(rows, at);
    if (currencies[row] !== currency) return null;
    scale = Math.max(scale, decimalPlaces[row] as number);
  }
  let net = 0;
  let magnitude = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = intAt(rows, at);
    const units = (amounts[row] as number) * 10 ** (scale - (decimalPlaces[row] as number));
    net += credits[row] === 1 ? units : 0 - units;
    magnitude += units;
  }
  const exact = magnitude <= Number.MAX_SAFE_INTEGER ? net : exactNet({ amounts, credits, decimalPlaces }, rows, scale);
  return typeof exact === 'bigint'
    ? null
    : { amountMinor: Math.abs(exact), direction: exact < 0 ? 'debit' : 'credit', decimalPlaces: scale };
}

function exactNet(
  { amounts, credits, decimalPlaces }: Pick<RecordColumns, 'amounts' | 'credits' | 'decimalPlaces'>,
  rows: Int32Array,
  scale: number,
): number | bigint {
  let net = 0n;
  for (const row of rows) {
    const amount = amounts[row] as number;
    net += BigInt(unitsAt({ units: credits[row] === 1 ? amount : 0 - amount, scale: decimalPlaces[row] as number }, scale));
  }
  return narrow(net);
}

/** Returns a record with the net of a group, otherwise equal to its first member; null in the cases of `netOf`. */
export function totalOf(records: readonly EngineRecord[]): EngineRecord | null {
  const columns = columnsOfRecords(records);
  const net = netOf(columns, columns.places);
  return net === null ? null : { ...itemAt(records, 0), ...net };
}

/** Returns a member of a group with the group's total as its amount. */
export function inPlaceOf(member: EngineRecord, { amountMinor, direction, decimalPlaces }: Net): EngineRecord {
  return { ...member, amountMinor, direction, decimalPlaces };
}

/** Groups with their totals as columns, in the form of rows beside the single records. */
export interface Totals {
  readonly records: readonly EngineRecord[];
  /** Columns of every leaf, by its index: those of the total for conditions on the total, those of the first member for the others. */
  readonly view: RuleView;
  /** By leaf: a test that the balance is within its tolerance; null if the leaf compares no amounts. */
  readonly balances: readonly (LeafTest | null)[];
  readonly exactBalance: LeafTest;
}

export function totalsOf(given: RolledView, groups: readonly RecordGroup[], records: readonly EngineRecord[]): Totals {
  const { rolled, view, convention } = given;
  const { compiled, manySide, balances, exactBalance } = rolled;
  const ofTotals = columnsOfRecords(records);
  const [sideA, sideB] = manySide === 'a' ? [ofTotals, view.sideB] : [view.sideA, ofTotals];
  const read = (leaves: CompiledRule['leaves']): readonly LeafColumns[] =>
    readColumns({ ...compiled, leaves, namesCurrency: true }, sideA, sideB, convention).leaves;
  const ofTotal = compiled.leaves.filter((_, index) => rolled.isOfTotal[index] === true);
  const ofBalance = balances.filter((leaf) => leaf !== null);
  const found = read([...ofTotal, ...ofBalance, exactBalance]);
  const firstRows = Int32Array.from(groups, (group) => group.first);
  const leaves = view.columns.leaves.map((columns) => {
    const place = ofTotal.indexOf(columns.leaf);
    return place >= 0 ? itemAt(found, place) : atRows(columns, manySide, firstRows);
  });
  const { currency } = view.columns;
  const columns: RuleColumns = { leaves, currency: currency === null ? null : atRows(currency, manySide, firstRows) };
  let next = ofTotal.length;
  const balanceTests = balances.map((leaf) => {
    if (leaf === null) return null;
    next += 1;
    return leafTest(itemAt(found, next - 1));
  });
  return {
    records,
    view: ruleView({ rule: compiled, columns, sideA, sideB, isBarred: () => false }),
    balances: balanceTests,
    exactBalance: leafTest(itemAt(found, found.length - 1)),
  };
}

/** Returns a condition's columns for some rows of the many side only. */
function atRows(columns: LeafColumns, side: 'a' | 'b', rows: Int32Array): LeafColumns {
  const column = columns[side];
  const picked: Column = {
    codes: rows.map((row) => intAt(column.codes, row)),
    axis: pick(column.axis, rows),
    days: pick(column.days, rows),
    wide: column.wide === null ? null : Array.from(rows, (row) => itemAt(column.wide ?? [], row)),
  };
  return { ...columns, [side]: picked };
}

function pick(values: Float64Array, rows: Int32Array): Float64Array {
  return values.length === 0 ? values : Float64Array.from(rows, (row) => values[row] ?? 0);
}

/** Returns a test that takes the row of the many side first, whichever side that is. */
export function oriented<T extends readonly unknown[], R>(
  side: 'a' | 'b',
  test: (rowA: number, rowB: number, ...rest: T) => R,
): (many: number, single: number, ...rest: T) => R {
  return side === 'a' ? test : (many, single, ...rest) => test(single, many, ...rest);
}

type GroupTest = (group: number, single: number) => boolean;

/** Returns A minus B in minor units at the finer scale, or null if that exceeds the safe integers. */
export function balanceOf({ rolled, convention }: RolledView, total: EngineRecord, single: EngineRecord): number | null {
  return rolled.manySide === 'a' ? differenceOf(total, single, convention) : differenceOf(single, total, convention);
}

/** Value of a node for a member, its group and a single record: false, true, or true with the balance within its tolerance. */
const FALSE = 0;
const TRUE = 1;
const BALANCED = 2;
type NodeTest = (group: number, member: number, single: number) => number;

/**
 * Returns a test whether a group and a single record fit: every member satisfies the tree with the group's total as its amount, all share the
 * currency, and the net equals the single amount, within the tolerance of a condition of the true branch.
 */
export function groupTest(given: RolledView, totals: Totals, groups: readonly RecordGroup[]): GroupTest {
  const { rolled, view, single } = given;
  const { currency } = view.columns;
  const side = rolled.manySide;
  const sharesCurrency = currency === null ? null : oriented(side, leafTest(currency));
  const tree = nodeTest(given, totals, rolled.compiled.root);
  const exact = oriented(side, totals.exactBalance);
  const kinds = memberKinds(given, groups);
  const fits = (group: number, other: number): boolean => {
    const places = Math.max(itemAt(totals.records, group).decimalPlaces, itemAt(single, other).decimalPlaces);
    for (const member of kinds(group)) {
      if (sharesCurrency !== null && !sharesCurrency(member, other, 0)) return false;
      const held = tree(group, member, other);
      if (held === FALSE || (held === TRUE && !exact(group, other, places))) return false;
    }
    // A difference beyond the safe integers cannot be stored.
    return balanceOf(given, itemAt(totals.records, group), itemAt(single, other)) !== null;
  };
  return fits;
}

function nodeTest(given: RolledView, totals: Totals, node: RuleNode): NodeTest {
  if (node.type === 'leaf') return leafNodeTest(given, totals, node.index);
  const tests = node.children.map((child) => nodeTest(given, totals, child));
  const isOr = node.operand === 'or';
  return (group, member, single) => {
    let most = isOr ? FALSE : TRUE;
    for (const test of tests) {
      const held = test(group, member, single);
      if (held === FALSE && !isOr) return FALSE;
      if (held > most) most = held;
      if (most === BALANCED && isOr) break;
    }
    return most;
  };
}

function leafNodeTest(given: RolledView, totals: Totals, index: number): NodeTest {
  const { rolled, view, single } = given;
  const side = rolled.manySide;
  if (rolled.isOfTotal[index] !== true) {
    const holds = oriented(side, itemAt(view.tests, index));
    const { decimalPlaces } = columnsOfMany(given);
    return (_, member, other) =>
      holds(member, other, Math.max(decimalPlaces[member] as number, itemAt(single, other).decimalPlaces)) ? TRUE : FALSE;
  }
  const holds = oriented(side, itemAt(totals.view.tests, index));
  const balance = itemAt(totals.balances, index);
  const balances = balance === null ? null : oriented(side, balance);
  return (group, _, other) => {
    const places = Math.max(itemAt(totals.records, group).decimalPlaces, itemAt(single, other).decimalPlaces);
    if (!holds(group, other, places)) return FALSE;
    return balances !== null && balances(group, other, places) ? BALANCED : TRUE;
  };
}

/** Returns a function for one row of each kind of member that the rule can distinguish, cached by group. */
function memberKinds(given: RolledView, groups: readonly RecordGroup[]): (group: number) => readonly number[] {
  const { rolled, view } = given;
  const { decimalPlaces } = columnsOfMany(given);
  const columns = view.columns.leaves.flatMap((leaf, index) => (rolled.isOfTotal[index] === true ? [] : [leaf[rolled.manySide].codes]));
  const { currency } = view.columns;
  if (currency !== null) columns.push(currency[rolled.manySide].codes);
  const signatureOf = (row: number): string =>
    columns.reduce((signature, codes) => `${signature}|${intAt(codes, row)}`, `${decimalPlaces[row] as number}`);
  const known = new Map<number, readonly number[]>();
  return (group) => {
    const found = known.get(group);
    if (found !== undefined) return found;
    const rows = itemAt(groups, group).untested();
    const kinds =
      areAlike(rows, decimalPlaces) && columns.every((codes) => areAlike(rows, codes)) ? [intAt(rows, 0)] : kindsOf(rows, signatureOf);
    known.set(group, kinds);
    return kinds;
  };
}

/** Returns whether all rows have the same value. Nearly all groups have members of one kind. */
function areAlike(rows: Int32Array, values: Int32Array | Uint8Array): boolean {
  const value = values[intAt(rows, 0)];
  for (let at = 1; at < rows.length; at += 1) if (values[intAt(rows, at)] !== value) return false;
  return true;
}

/** Returns the first row of each kind. */
function kindsOf(rows: Int32Array, signatureOf: (row: number) => string): readonly number[] {
  const kinds = new Map<string, number>();
  for (const row of rows) {
    const signature = signatureOf(row);
    if (!kinds.has(signature)) kinds.set(signature, row);
  }
  return [...kinds.values()];
}

/** Groups that single records could take. */
export interface GroupFits {
  readonly given: RolledView;
  readonly groups: readonly RecordGroup[];
  readonly totals: Totals;
  /** Upper bound (exclusive) of the numbers of cells. */
  readonly cellCount: number;
  /** Single records in classes that the rule cannot distinguish. */
  readonly singles: Classes;
  /** By class of single records: the groups that one of them could take, the preferred one first. Classes without groups are absent. */
  readonly byClass: ReadonlyMap<number, readonly number[]>;
  /** Whether the order of the groups is a preference of the rule (days), not an arbitrary order of equals (identifiers). */
  readonly isOrdered: boolean;
  readonly outsideWindow: number;
}

export type FitsFound = Result<GroupFits, EngineFailure>;

/** Stands for a missing day. */
export const NO_DAY = Number.NEGATIVE_INFINITY;

/** Returns the day of each row of the many side that counts for groups and windows; `NO_DAY` for a row without one. All are 0 if no date counts. */
export function daysOfMany({ date }: RolledRule, many: RecordColumns): Float64Array {
  const days = new Float64Array(many.count);
  if (date === null) return days;
  const read = dayReader(date, many);
  for (let row = 0; row < many.count; row += 1) {
    const day = read(row);
    days[row] = typeof day === 'number' ? day : NO_DAY;
  }
  return days;
}

/** Returns whether every member lies between `lookback_days` before the single record's date and that date, both inclusive. */
export function isInWindow({ rolled, single }: RolledView, { firstDay, lastDay }: RecordGroup, row: number): boolean {
  if (rolled.lookbackDays === null) return true;
  const { day } = itemAt(single, row);
  return firstDay >= day - rolled.lookbackDays && lastDay <= day;
}

/** Returns a run of days as text: `2026-06-01` or `2026-06-01..2026-06-03`. */
export function spanOf(firstDay: number, lastDay: number): string {
  if (!Number.isFinite(firstDay) || !Number.isFinite(lastDay)) return '';
  return firstDay === lastDay ? isoFromDay(firstDay) : `${isoFromDay(firstDay)}..${isoFromDay(lastDay)}`;
}

/**
 * Facts about a group's members that its explanation needs, in addition to the representative and the single record. They are stored with the match,
 * so that a match of any size is explained from two records.
 */
export interface GroupFacts {
  /** Number of members. */
  readonly records: number;
  /** Net of the members, in units of `scale` decimal places. */
  readonly units: number;
  readonly scale: number;
  /** Days of the earliest and of the latest member; 0 if no date counts. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** Indexes of the rule's conditions in which some member has another value than the first one. */
  readonly differing: readonly number[];
}

/** Facts as they are stored with a match: the representative, the single record, and the facts of the others. */
export interface KeptGroup {
  readonly firstId: number;
  readonly singleId: number;
  readonly facts: GroupFacts;
}

/** Returns the facts of a group with the given members and total. */
export function factsOfGroup(
  { rolled, view }: RolledView,
  { firstDay, lastDay }: Pick<RecordGroup, 'firstDay' | 'lastDay'>,
  rows: Int32Array,
  total: EngineRecord,
): GroupFacts {
  const differing: number[] = [];
  for (const [index, columns] of view.columns.leaves.entries()) {
    if (rolled.isOfTotal[index] === true) continue;
    if (!areAlike(rows, columns[rolled.manySide].codes)) differing.push(index);
  }
  return {
    records: rows.length,
    units: unitsOf(total),
    scale: total.decimalPlaces,
    firstDay: known(firstDay),
    lastDay: known(lastDay),
    differing,
  };
}

function unitsOf({ amountMinor, direction }: EngineRecord): number {
  return direction === 'debit' ? 0 - amountMinor : amountMinor;
}

/** Members may have no day if no date counts. */
const known = (day: number) => (Number.isFinite(day) ? day : 0);

/** Returns the row that represents a group in its sentences: its first member or, for a run of days, the first member on its first day. */
export function standingRow({ kind }: RolledView['rolled'], rows: Int32Array, days: Float64Array, firstDay: number): number {
  const first = kind === 'date' ? rows.find((row) => floatAt(days, row) === firstDay) : rows[0];
  return first ?? intAt(rows, 0);
}

/** Returns the stored form: a JSON array of numbers. */
export function groupText({ firstId, singleId, facts }: KeptGroup): string {
  const { records, units, scale, firstDay, lastDay, differing } = facts;
  return JSON.stringify([firstId, singleId, records, units, scale, firstDay, lastDay, ...differing]);
}

export function groupOf(numbers: readonly number[]): KeptGroup {
  const [firstId = 0, singleId = 0, records = 0, units = 0, scale = 0, firstDay = 0, lastDay = 0, ...differing] = numbers;
  return { firstId, singleId, facts: { records, units, scale, firstDay, lastDay, differing } };
}

/** Conditions of a rule on each member, divided by how they are looked up. */
export interface MemberConditions {
  /** Conditions on equal values, which a hash table looks up. */
  readonly exact: readonly LeafColumns[];
  /** Test of the other conditions, or null if there are none. It takes conditions on the total as true. */
  readonly rest: GroupTest | null;
  /** Whether that test reads nothing of a member but its day. */
  readonly isOfDays: boolean;
  /** Whether some `or` combines conditions on a member with conditions on the total, so that members must be tested again once the total is known. */
  readonly isMixed: boolean;
}

export function memberConditions(given: RolledView): MemberConditions {
  const { rolled, view, single } = given;
  const { decimalPlaces } = columnsOfMany(given);
  const isOfTotal = (leaf: Leaf): boolean => rolled.isOfTotal[leaf.index] === true;
  const nodes = conjunction(rolled.compiled.root);
  const leaves = nodes.filter((node) => node.type === 'leaf');
  const exact = leaves.filter((leaf) => !isOfTotal(leaf) && isExact(leaf));
  const choices = nodes.filter((node) => node.type === 'group' && !leavesOf(node).every(isOfTotal));
  const rest: RuleNode[] = [...leaves.filter((leaf) => !isOfTotal(leaf) && !isExact(leaf)), ...choices];
  const tests = rest.map((node) => hopefulTest(node));
  const columns = exact.map((leaf) => itemAt(view.columns.leaves, leaf.index));
  if (view.columns.currency !== null) columns.push(view.columns.currency);
  return {
    exact: columns,
    rest: tests.length === 0 ? null : (member, other) => tests.every((test) => test(member, other)),
    isOfDays: rest.every((node) => leavesOf(node).every((leaf) => isOfTotal(leaf) || isOfDay(leaf, rolled))),
    isMixed: choices.some((node) => leavesOf(node).some(isOfTotal)),
  };

  function hopefulTest(node: RuleNode): GroupTest {
    if (node.type === 'leaf') {
      if (isOfTotal(node)) return () => true;
      const holds = oriented(rolled.manySide, itemAt(view.tests, node.index));
      return (member, other) => holds(member, other, Math.max(decimalPlaces[member] as number, itemAt(single, other).decimalPlaces));
    }
    const members = node.children.map(hopefulTest);
    if (node.operand === 'or') return (member, other) => members.some((test) => test(member, other));
    return (member, other) => members.every((test) => test(member, other));
  }
}

function isOfDay(leaf: Leaf, { manySide, date }: RolledRule): boolean {
  const term = manySide === 'a' ? leaf.key : leaf.value;
  return leaf.kind === 'date' && term.field.name === date?.field.name && term.transforms.names.length === 0;
}

/** Returns the nodes that must all hold: leaves, and `or` groups. */
function conjunction(node: RuleNode): RuleNode[] {
  if (node.type === 'leaf') return [node];
  return node.operand === 'and' || node.children.length === 1 ? node.children.flatMap(conjunction) : [node];
}

function leavesOf(node: RuleNode): Leaf[] {
  return node.type === 'leaf' ? [node] : node.children.flatMap(leavesOf);
}
