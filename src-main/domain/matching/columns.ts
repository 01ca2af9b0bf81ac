import type { SignConvention } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { businessDayOf, monthOf } from './calendar.ts';
import type { Leaf, Term } from './compile-leaf.ts';
import type { CompiledRule } from './compile.ts';
import { fieldOf, type Side } from './fields.ts';
import { readDay, readDays, readNumber, readNumbers, readText, readTexts } from './terms.ts';
import { allowedDistances } from './tolerances.ts';
import { NO_TRANSFORMS } from './transforms.ts';
import { floatAt, intAt, itemAt } from './typed.ts';
import type { EngineRecord } from './types.ts';
import { type Cell, type Decimal, INCOMPARABLE, unitsAt } from './values.ts';

export const MISSING_CODE = -1;
export const INCOMPARABLE_CODE = -2;
/** Differences of numbers up to here stay safe integers; columns with larger units are kept as bigints as well. */
const NARROW_UNITS = 2 ** 52;

/** One side of a condition over many records: row r is record r. */
export interface Column {
  /** Equal codes on the two sides of a condition mean equal values; negative codes are no values. Of lists: which list it is. */
  readonly codes: Int32Array;
  /** Where values lie: days, business days or months; units at the condition's scale, for wide columns an approximation. Empty for text. */
  readonly axis: Float64Array;
  /** Calendar days of a date condition; else empty. */
  readonly days: Float64Array;
  /** The exact units where some leave the safe range, else null. */
  readonly wide: readonly bigint[] | null;
}

export interface LeafColumns {
  readonly leaf: Leaf;
  readonly a: Column;
  readonly b: Column;
  /** Decimal places of the units of a number condition; 0 for dates. */
  readonly scale: number;
  /** Allowed distance by the finer of the two records' decimal places (index 0 for dates); empty where no distance is allowed. */
  readonly allowed: readonly (number | bigint)[];
  /** The text of each code; empty for dates and numbers. */
  readonly texts: readonly string[];
  /** Of `in` and `not_in`: side A's codes that are in each of side B's lists, ascending. */
  readonly lists: readonly Int32Array[];
}

/** A rule's conditions as columns over both sides' records. `currency` is the unnamed condition that both share it. */
export interface RuleColumns {
  readonly leaves: readonly LeafColumns[];
  readonly currency: LeafColumns | null;
}

interface Sides {
  readonly a: readonly EngineRecord[];
  readonly b: readonly EngineRecord[];
  readonly convention: SignConvention;
}

/** Reads every value that the rule compares, once. */
export function readColumns(
  rule: CompiledRule,
  sideA: readonly EngineRecord[],
  sideB: readonly EngineRecord[],
  convention: SignConvention,
): RuleColumns {
  const sides: Sides = { a: sideA, b: sideB, convention };
  const read = (leaf: Leaf): LeafColumns => {
    if (leaf.kind === 'text') return textColumns(leaf, sides);
    return leaf.kind === 'date' ? dateColumns(leaf, sides) : numberColumns(leaf, sides);
  };
  return { leaves: rule.leaves.map(read), currency: rule.namesCurrency ? null : textColumns(currencyLeaf(), sides) };
}

/** The condition that stands in every rule that names no currency. */
function currencyLeaf(): Leaf {
  const term: Term = { field: present(fieldOf('currency'), 'currency'), type: null, transforms: NO_TRANSFORMS };
  return { type: 'leaf', index: -1, key: term, value: term, kind: 'text', operand: 'eq', tolerance: null };
}

export function isListing(leaf: Leaf): boolean {
  return leaf.operand === 'in' || leaf.operand === 'not_in';
}

type Codes<T> = Map<T, number>;

function codeOf<T>(known: Codes<T>, value: T): number {
  const code = known.get(value) ?? known.size;
  if (code === known.size) known.set(value, code);
  return code;
}

/** Codes by order of appearance, shared by both sides. */
function encode<T>(cells: readonly Cell<T>[], known: Codes<T>): Int32Array {
  return Int32Array.from(cells, (cell) => {
    if (cell === null) return MISSING_CODE;
    return cell === INCOMPARABLE ? INCOMPARABLE_CODE : codeOf(known, cell as T);
  });
}

const NO_AXIS = new Float64Array(0);

/** Lists as columns: alike lists have one code. Members get codes of side A's values. */
function listColumn<T>(cells: readonly Cell<readonly T[]>[], known: Codes<T>): { readonly column: Column; readonly lists: Int32Array[] } {
  const knownLists: Codes<string> = new Map();
  const lists: Int32Array[] = [];
  const codes = Int32Array.from(cells, (cell) => {
    if (cell === null) return MISSING_CODE;
    if (cell === INCOMPARABLE) return INCOMPARABLE_CODE;
    const members = Int32Array.from(new Set(cell.map((value) => codeOf(known, value)))).toSorted();
    const code = codeOf(knownLists, members.join(','));
    if (code === lists.length) lists.push(members);
    return code;
  });
  return { column: { codes, axis: NO_AXIS, days: NO_AXIS, wide: null }, lists };
}

function textColumns(leaf: Leaf, sides: Sides): LeafColumns {
  const known: Codes<string> = new Map();
  const column = (term: Term, records: readonly EngineRecord[]): Column => {
    const codes = encode(
      records.map((record) => readText(term, record)),
      known,
    );
    return { codes, axis: NO_AXIS, days: NO_AXIS, wide: null };
  };
  const a = column(leaf.key, sides.a);
  const listed = isListing(leaf)
    ? listColumn(
        sides.b.map((record) => readTexts(leaf.value, record)),
        known,
      )
    : null;
  const b = listed?.column ?? column(leaf.value, sides.b);
  return { leaf, a, b, scale: 0, allowed: [], texts: [...known.keys()], lists: listed?.lists ?? [] };
}

function dateColumns(leaf: Leaf, sides: Sides): LeafColumns {
  const known: Codes<number> = new Map();
  const unit = leaf.tolerance?.unit;
  const placeOf = unit === 'month' ? monthOf : unit === 'business_day' ? businessDayOf : (day: number) => day;
  const column = (term: Term, records: readonly EngineRecord[]): Column => {
    const days = records.map((record) => readDay(term, record));
    const places = days.map((day): Cell<number> => (typeof day === 'number' ? placeOf(day) : day));
    const numeric = (cell: Cell<number>): number => (typeof cell === 'number' ? cell : 0);
    return { codes: encode(places, known), axis: Float64Array.from(places, numeric), days: Float64Array.from(days, numeric), wide: null };
  };
  const a = column(leaf.key, sides.a);
  const allowed = leaf.tolerance === null || unit === 'month' ? [] : [leaf.tolerance.amount.units];
  if (!isListing(leaf)) return { leaf, a, b: column(leaf.value, sides.b), scale: 0, allowed, texts: [], lists: [] };
  const { column: b, lists } = listColumn(
    sides.b.map((record) => readDays(leaf.value, record)),
    known,
  );
  return { leaf, a, b, scale: 0, allowed, texts: [], lists };
}

function numberColumns(leaf: Leaf, sides: Sides): LeafColumns {
  const read = (term: Term, side: Side): Cell<Decimal>[] => sides[side].map((record) => readNumber(term, record, side, sides.convention));
  const cellsA = read(leaf.key, 'a');
  const isList = isListing(leaf);
  const cellsB = isList ? [] : read(leaf.value, 'b');
  const listsB = isList ? sides.b.map((record) => readNumbers(leaf.value, record, 'b', sides.convention)) : [];
  let places = 0;
  for (const records of [sides.a, sides.b]) for (const record of records) places = Math.max(places, record.decimalPlaces);
  let scale = places;
  for (const cells of [cellsA, cellsB]) for (const cell of cells) if (isDecimal(cell)) scale = Math.max(scale, cell.scale);
  for (const list of listsB) if (Array.isArray(list)) for (const member of list) scale = Math.max(scale, member.scale);
  const known: Codes<number | bigint> = new Map();
  const a = unitsColumn(cellsA, scale, known);
  const { tolerance } = leaf;
  const allowed = tolerance === null ? [] : allowedDistances(tolerance, scale, places);
  if (!isList) return { leaf, a, b: unitsColumn(cellsB, scale, known), scale, allowed, texts: [], lists: [] };
  const inUnits = listsB.map((list): Cell<readonly (number | bigint)[]> =>
    list === null || list === INCOMPARABLE ? list : (list as readonly Decimal[]).map((member) => unitsAt(member, scale)),
  );
  const { column: b, lists } = listColumn(inUnits, known);
  return { leaf, a, b, scale, allowed, texts: [], lists };
}

function isDecimal(cell: Cell<Decimal>): cell is Decimal {
  return cell !== null && cell !== INCOMPARABLE;
}

function unitsColumn(cells: readonly Cell<Decimal>[], scale: number, known: Codes<number | bigint>): Column {
  const units = cells.map((cell): Cell<number | bigint> => (isDecimal(cell) ? unitsAt(cell, scale) : cell));
  const numeric = units.map((unit) => (unit === null || unit === INCOMPARABLE ? 0 : unit));
  const wide = numeric.some((unit) => typeof unit === 'bigint' || Math.abs(unit) > NARROW_UNITS) ? numeric.map(BigInt) : null;
  return { codes: encode(units, known), axis: Float64Array.from(numeric, Number), days: NO_AXIS, wide };
}

/** Side A's value minus side B's, along the axis of a date or number condition. */
export function signedDistance(columns: LeafColumns, rowA: number, rowB: number): number | bigint {
  const { a, b } = columns;
  if (a.wide === null && b.wide === null) return floatAt(a.axis, rowA) - floatAt(b.axis, rowB);
  return exactUnits(a, rowA) - exactUnits(b, rowB);
}

export function exactUnits(column: Column, row: number): bigint {
  return column.wide === null ? BigInt(floatAt(column.axis, row)) : itemAt(column.wide, row);
}

/** Distance of two values of a date or number condition: along its axis, or in units at its scale. */
export function distanceOf(columns: LeafColumns, rowA: number, rowB: number): number | bigint {
  const distance = signedDistance(columns, rowA, rowB);
  if (typeof distance === 'number') return Math.abs(distance);
  return distance < 0n ? -distance : distance;
}

/** Calendar days between two values of a date condition. */
export function daysApart({ a, b }: LeafColumns, rowA: number, rowB: number): number {
  return Math.abs(floatAt(a.days, rowA) - floatAt(b.days, rowB));
}

/** The texts of a text condition that is no list; both rows have one. */
export function textsOf(columns: LeafColumns, rowA: number, rowB: number): readonly [string, string] {
  const text = (column: Column, row: number): string => itemAt(columns.texts, intAt(column.codes, row));
  return [text(columns.a, rowA), text(columns.b, rowB)];
}
