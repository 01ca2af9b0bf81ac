import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { floatAt, intAt, itemAt } from '../../collections/typed-arrays.ts';
import type { RecordColumns } from '../../records/record-columns.ts';
import type { Leaf } from '../rules/compile-leaf.ts';

export const MISSING_CODE = -1;
export const INCOMPARABLE_CODE = -2;

/** Values of one side of a condition; row r belongs to record r. */
export interface Column {
  /** Equal codes on the two sides of a condition mean equal values; negative codes mean no value. For a list, the code is the number of the list. */
  readonly codes: Int32Array;
  /**
   * Position of each value: days, business days or months, or units at the condition's scale, which are approximate in wide columns. Empty for text.
   */
  readonly axis: Float64Array;
  /** Calendar days of a date condition; otherwise empty. */
  readonly days: Float64Array;
  /** Exact units if some exceed the safe range, otherwise null. */
  readonly wide: readonly bigint[] | null;
}

export interface LeafColumns {
  readonly leaf: Leaf;
  readonly a: Column;
  readonly b: Column;
  /** Decimal places of the units of a number condition; 0 for dates. */
  readonly scale: number;
  /** Allowed distance, by the larger number of decimal places of the two records (index 0 for dates); empty if no distance is allowed. */
  readonly allowed: readonly (number | bigint)[];
  /** Returns the text of a code of a text condition. */
  readonly textOf: (code: number) => string;
  /** For `in` and `not_in`: side A's codes in each of side B's lists, ascending. */
  readonly lists: readonly Int32Array[];
}

/** Conditions of a rule as columns over the records of both sides. `currency` is the implicit condition that both have the same currency. */
export interface RuleColumns {
  readonly leaves: readonly LeafColumns[];
  readonly currency: LeafColumns | null;
}

/** Records from which the columns of a condition are read. */
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

/** Returns side A's value minus side B's, along the axis of a date or number condition. */
export function signedDistance(columns: LeafColumns, rowA: number, rowB: number): number | bigint {
  const { a, b } = columns;
  if (a.wide === null && b.wide === null) return floatAt(a.axis, rowA) - floatAt(b.axis, rowB);
  return exactUnits(a, rowA) - exactUnits(b, rowB);
}

export function exactUnits(column: Column, row: number): bigint {
  return column.wide === null ? BigInt(floatAt(column.axis, row)) : itemAt(column.wide, row);
}

/** Returns the distance of two values of a date or number condition, along its axis or in units at its scale. */
export function distanceOf(columns: LeafColumns, rowA: number, rowB: number): number | bigint {
  const distance = signedDistance(columns, rowA, rowB);
  if (typeof distance === 'number') return Math.abs(distance);
  return distance < 0n ? -distance : distance;
}

/** Returns the calendar days between two values of a date condition. */
export function daysApart({ a, b }: LeafColumns, rowA: number, rowB: number): number {
  return Math.abs(floatAt(a.days, rowA) - floatAt(b.days, rowB));
}

/** Returns the texts of a text condition that is not a list. Both rows must have one. */
export function textsOf(columns: LeafColumns, rowA: number, rowB: number): readonly [string, string] {
  const text = (column: Column, row: number): string => columns.textOf(intAt(column.codes, row));
  return [text(columns.a, rowA), text(columns.b, rowB)];
}
