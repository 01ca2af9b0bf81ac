import { HashTable } from '../../collections/hash-table.ts';
import { floatAt, intAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import type { Side } from '../../records/fields.ts';
import type { Column } from '../comparison/condition-columns.ts';
import type { RuleView } from '../comparison/predicate.ts';
import type { Leaf, Term } from '../rules/compile-leaf.ts';

/**
 * Classes of records that a rule cannot distinguish: they have the same values in all fields it compares and the same date, amount and currency. Such
 * records have the same candidates at the same distances, so the search works on classes and their sizes. 20,000 records of one price make up a few
 * hundred classes.
 */
export interface Classes {
  readonly count: number;
  /** Rows of class c, ascending: `rows[starts[c]] .. rows[starts[c + 1]]`. Classes are ordered by their first row. */
  readonly starts: Int32Array;
  readonly rows: Int32Array;
  /** First row of each class, which represents the class. */
  readonly first: Int32Array;
}

export function sizeOf({ starts }: Classes, index: number): number {
  return intAt(starts, index + 1) - intAt(starts, index);
}

/** Returns the number of records in the classes at `from` up to but excluding `to` of a list. */
export function recordsOf(classes: Classes, members: Int32Array, from: number, to: number): number {
  let records = 0;
  for (let at = from; at < to; at += 1) records += sizeOf(classes, intAt(members, at));
  return records;
}

export function rowsOf({ starts, rows }: Classes, index: number): Int32Array {
  return rows.subarray(intAt(starts, index), intAt(starts, index + 1));
}

/** Values in which rows of one date, amount, direction and currency may still differ. */
interface Telling {
  readonly codes: readonly Int32Array[];
  readonly days: readonly Float64Array[];
}

const ALWAYS_SAME = new Set(['amount', 'signed_amount', 'date', 'currency', 'direction']);

/** Returns the classes of rows in content order. A row for which `isSingle` holds is a class of its own. */
export function classesOfSide(view: RuleView, side: Side, isSingle: (row: number) => boolean): Classes {
  const columns = side === 'a' ? view.sideA : view.sideB;
  const { count, days, amounts, decimalPlaces, credits, currencies } = columns;
  const telling = tellingOf(view, side);
  const classOf = new Int32Array(count);
  let classes = 0;
  for (let from = 0, to = 1; from < count; from = to, to += 1) {
    while (
      to < count &&
      days[to] === days[from] &&
      amounts[to] === amounts[from] &&
      decimalPlaces[to] === decimalPlaces[from] &&
      credits[to] === credits[from] &&
      currencies[to] === currencies[from]
    ) {
      to += 1;
    }
    classes = split(telling, isSingle, from, to, classOf, classes);
  }
  if (classes === count) return eachAlone(count);
  const starts = rangeStarts(classOf, classes);
  const rows = layOut(classOf, starts);
  const first = new Int32Array(classes);
  for (let index = 0; index < classes; index += 1) first[index] = intAt(rows, intAt(starts, index));
  return { count: classes, starts, rows, first };
}

function tellingOf(view: RuleView, side: Side): Telling {
  const termOf = (leaf: Leaf): Term => (side === 'a' ? leaf.key : leaf.value);
  const leaves = view.columns.leaves.filter(({ leaf }) => !ALWAYS_SAME.has(termOf(leaf).field.name));
  const columns: Column[] = leaves.map((leaf) => leaf[side]);
  // Dates that count as the same month or business day may still be at different distances from a partner.
  const coarse = leaves.filter(({ leaf }) => leaf.tolerance?.unit === 'month' || leaf.tolerance?.unit === 'business_day');
  return { codes: columns.map(({ codes }) => codes), days: coarse.map((leaf) => leaf[side].days) };
}

/** Assigns classes to a range of rows and returns the new number of classes. */
function split(
  telling: Telling,
  isSingle: (row: number) => boolean,
  from: number,
  to: number,
  classOf: Int32Array,
  before: number,
): number {
  let classes = before;
  if (to - from === 1) {
    classOf[from] = classes;
    return classes + 1;
  }
  if (telling.codes.length === 0) return together(isSingle, from, to, classOf, classes);
  const table = new HashTable(to - from);
  for (let row = from; row < to; row += 1) {
    if (isSingle(row)) {
      classOf[row] = classes;
      classes += 1;
      continue;
    }
    const hash = hashOf(telling, row);
    let slot = table.first(hash);
    let other = table.codeAt(slot);
    while (other >= 0 && !isSame(telling, row, other)) {
      slot = table.after(slot, hash);
      other = table.codeAt(slot);
    }
    if (other >= 0) {
      classOf[row] = intAt(classOf, other);
      continue;
    }
    table.put(slot, hash, row);
    classOf[row] = classes;
    classes += 1;
  }
  return classes;
}

/** Assigns classes to rows that differ in nothing, apart from single ones. */
function together(isSingle: (row: number) => boolean, from: number, to: number, classOf: Int32Array, before: number): number {
  let classes = before;
  let shared = -1;
  for (let row = from; row < to; row += 1) {
    const isOwn = isSingle(row);
    if (isOwn || shared < 0) {
      if (!isOwn) shared = classes;
      classOf[row] = classes;
      classes += 1;
    } else classOf[row] = shared;
  }
  return classes;
}

function hashOf({ codes, days }: Telling, row: number): number {
  let hash = 0x9e3779b9;
  for (const column of codes) hash = Math.imul(hash ^ intAt(column, row), 0x85ebca6b) ^ (hash >>> 13);
  for (const column of days) hash = Math.imul(hash ^ floatAt(column, row), 0x85ebca6b) ^ (hash >>> 13);
  return hash ^ (hash >>> 16);
}

function isSame({ codes, days }: Telling, left: number, right: number): boolean {
  for (const column of codes) if (intAt(column, left) !== intAt(column, right)) return false;
  for (const column of days) if (floatAt(column, left) !== floatAt(column, right)) return false;
  return true;
}

/** Returns classes of one row each. */
export function eachAlone(count: number): Classes {
  const starts = new Int32Array(count + 1);
  for (let index = 0; index <= count; index += 1) starts[index] = index;
  const first = starts.subarray(0, count);
  return { count, starts, rows: first, first };
}
