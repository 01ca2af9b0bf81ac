import type { SignConvention } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import type { Leaf, Term } from './compile-leaf.ts';
import type { CompiledRule } from './compile.ts';
import { type Field, fieldOf, readDay, readNumber, readText, type Side } from './fields.ts';
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
  /** Equal codes on the two sides of a condition mean equal values; negative codes are no values. */
  readonly codes: Int32Array;
  /** Where values lie: days, or units at the condition's scale; for wide columns an approximation. Empty for text. */
  readonly axis: Float64Array;
  /** The exact units where some leave the safe range, else null. */
  readonly wide: readonly bigint[] | null;
}

export interface LeafColumns {
  readonly leaf: Leaf;
  readonly a: Column;
  readonly b: Column;
  /** Decimal places of the units of a number condition; 0 for dates. */
  readonly scale: number;
  /** Allowed distance by the finer of the two records' decimal places (index 0 for dates); empty for exact conditions. */
  readonly allowed: readonly (number | bigint)[];
}

/** A rule's conditions as columns over both sides' records. `currency` is the unnamed condition that both share it. */
export interface RuleColumns {
  readonly leaves: readonly LeafColumns[];
  readonly currency: LeafColumns | null;
}

/** Reads every value that the rule compares, once. */
export function readColumns(
  rule: CompiledRule,
  sideA: readonly EngineRecord[],
  sideB: readonly EngineRecord[],
  convention: SignConvention,
): RuleColumns {
  const read = (leaf: Leaf): LeafColumns => {
    if (leaf.kind === 'text') return textColumns(leaf, sideA, sideB);
    return leaf.kind === 'date' ? dateColumns(leaf, sideA, sideB) : numberColumns(leaf, sideA, sideB, convention);
  };
  return { leaves: rule.leaves.map(read), currency: rule.namesCurrency ? null : textColumns(currencyLeaf(), sideA, sideB) };
}

/** The condition that stands in every rule that names no currency. */
function currencyLeaf(): Leaf {
  const term: Term = { field: present(fieldOf('currency'), 'currency'), type: null, transforms: NO_TRANSFORMS };
  return { type: 'leaf', index: -1, key: term, value: term, kind: 'text', operand: 'eq', tolerance: null };
}

/** Codes by order of appearance, shared by both sides. */
function encode<T>(cells: readonly Cell<T>[], known: Map<T, number>): Int32Array {
  return Int32Array.from(cells, (cell) => {
    if (cell === null) return MISSING_CODE;
    if (cell === INCOMPARABLE) return INCOMPARABLE_CODE;
    const value = cell as T;
    const code = known.get(value) ?? known.size;
    if (code === known.size) known.set(value, code);
    return code;
  });
}

const NO_AXIS = new Float64Array(0);

function textColumns(leaf: Leaf, sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]): LeafColumns {
  const known = new Map<string, number>();
  const column = (field: Field, records: readonly EngineRecord[]): Column => ({
    codes: encode(
      records.map((record) => readText(field, record)),
      known,
    ),
    axis: NO_AXIS,
    wide: null,
  });
  return { leaf, a: column(leaf.key.field, sideA), b: column(leaf.value.field, sideB), scale: 0, allowed: [] };
}

function dateColumns(leaf: Leaf, sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]): LeafColumns {
  const known = new Map<number, number>();
  const column = (field: Field, records: readonly EngineRecord[]): Column => {
    const cells = records.map((record) => readDay(field, record));
    return { codes: encode(cells, known), axis: Float64Array.from(cells, (cell) => (typeof cell === 'number' ? cell : 0)), wide: null };
  };
  const allowed = leaf.tolerance === null ? [] : [leaf.tolerance.amount.units];
  return { leaf, a: column(leaf.key.field, sideA), b: column(leaf.value.field, sideB), scale: 0, allowed };
}

function numberColumns(
  leaf: Leaf,
  sideA: readonly EngineRecord[],
  sideB: readonly EngineRecord[],
  convention: SignConvention,
): LeafColumns {
  const read = (field: Field, side: Side, records: readonly EngineRecord[]): Cell<Decimal>[] =>
    records.map((record) => readNumber(field, record, side, convention));
  const cellsA = read(leaf.key.field, 'a', sideA);
  const cellsB = read(leaf.value.field, 'b', sideB);
  let scale = 0;
  let places = 0;
  for (const cells of [cellsA, cellsB]) {
    for (const cell of cells) if (cell !== null && cell !== INCOMPARABLE) scale = Math.max(scale, cell.scale);
  }
  for (const records of [sideA, sideB]) for (const record of records) places = Math.max(places, record.decimalPlaces);
  scale = Math.max(scale, places);
  const known = new Map<number | bigint, number>();
  const column = (cells: readonly Cell<Decimal>[]): Column => {
    const units = cells.map((cell): Cell<number | bigint> => (cell === null || cell === INCOMPARABLE ? cell : unitsAt(cell, scale)));
    const numeric = units.map((unit) => (unit === null || unit === INCOMPARABLE ? 0 : unit));
    const wide = numeric.some((unit) => typeof unit === 'bigint' || Math.abs(unit) > NARROW_UNITS) ? numeric.map(BigInt) : null;
    return { codes: encode(units, known), axis: Float64Array.from(numeric, Number), wide };
  };
  return { leaf, a: column(cellsA), b: column(cellsB), scale, allowed: allowedDistances(leaf.tolerance?.amount ?? null, scale, places) };
}

/** The tolerance in units at `scale`, for each number of decimal places that the finer record can have. */
function allowedDistances(tolerance: Decimal | null, scale: number, places: number): (number | bigint)[] {
  if (tolerance === null) return [];
  return Array.from({ length: places + 1 }, (_, finer) => {
    const allowed = (BigInt(tolerance.units) * 10n ** BigInt(scale - finer)) / 10n ** BigInt(tolerance.scale);
    return allowed <= BigInt(NARROW_UNITS * 2) ? Number(allowed) : allowed;
  });
}

/** Distance of two values of a date or number condition, in days or units at the condition's scale. */
export function distanceOf(columns: LeafColumns, rowA: number, rowB: number): number | bigint {
  const { a, b } = columns;
  if (a.wide === null && b.wide === null) return Math.abs(floatAt(a.axis, rowA) - floatAt(b.axis, rowB));
  const left = a.wide === null ? BigInt(floatAt(a.axis, rowA)) : itemAt(a.wide, rowA);
  const right = b.wide === null ? BigInt(floatAt(b.axis, rowB)) : itemAt(b.wide, rowB);
  return left < right ? right - left : left - right;
}

/** Half-width of the window along the axis within which every pair that holds must lie. */
export function windowOf(columns: LeafColumns): number {
  const widest = columns.allowed.reduce<number>((width, allowed) => Math.max(width, Number(allowed)), 0);
  if (columns.a.wide === null && columns.b.wide === null) return widest;
  // The axis of a wide column is rounded to a double: allow for the rounding of both ends and of the width.
  let largest = widest;
  for (const column of [columns.a, columns.b]) for (const value of column.axis) largest = Math.max(largest, Math.abs(value));
  return widest + largest * 2 ** -50;
}

/** Whether a condition holds between record rowA of side A and record rowB of side B. `places`: the finer of their decimal places. */
export function leafHolds(columns: LeafColumns, rowA: number, rowB: number, places: number): boolean {
  const codeA = intAt(columns.a.codes, rowA);
  const codeB = intAt(columns.b.codes, rowB);
  if (codeA === MISSING_CODE || codeB === MISSING_CODE) return columns.leaf.operand === 'eq_or_missing';
  if (codeA < 0 || codeB < 0) return false;
  if (codeA === codeB) return true;
  if (columns.allowed.length === 0) return false;
  const allowed = itemAt(columns.allowed, columns.leaf.kind === 'date' ? 0 : places);
  return distanceOf(columns, rowA, rowB) <= allowed;
}
