import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { floatAt, intAt, itemAt } from '../../collections/typed-arrays.ts';
import type { RecordColumns } from '../../records/record-columns.ts';
import type { Leaf } from '../rules/compile-leaf.ts';

export const MISSING_CODE = -1;
export const INCOMPARABLE_CODE = -2;

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
  /** The text of a code of a text condition. */
  readonly textOf: (code: number) => string;
  /** Of `in` and `not_in`: side A's codes that are in each of side B's lists, ascending. */
  readonly lists: readonly Int32Array[];
}

/** A rule's conditions as columns over both sides' records. `currency` is the unnamed condition that both share it. */
export interface RuleColumns {
  readonly leaves: readonly LeafColumns[];
  readonly currency: LeafColumns | null;
}

/** What a condition's columns are read from. */
export interface ColumnSides {
  readonly a: RecordColumns;
  readonly b: RecordColumns;
  readonly convention: SignConvention;
}

export function isListing(leaf: Leaf): boolean {
  return leaf.operand === 'in' || leaf.operand === 'not_in';
}

export const NO_AXIS = new Float64Array(0);

export function noText(): string {
  return '';
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
  const text = (column: Column, row: number): string => columns.textOf(intAt(column.codes, row));
  return [text(columns.a, rowA), text(columns.b, rowB)];
}
