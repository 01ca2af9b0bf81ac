import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { businessDayOf } from '../../../../src-shared/values/civil-date.ts';
import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { monthOf } from '../../records/calendar.ts';
import { numberCodes } from '../../records/dictionary-encoding.ts';
import { fieldOf, isOwnDay } from '../../records/fields.ts';
import { rawReader, type RecordColumns } from '../../records/record-columns.ts';
import { type Cell, INCOMPARABLE } from '../../records/values.ts';
import type { Leaf, Term } from '../rules/compile-leaf.ts';
import type { CompiledRule } from '../rules/compile.ts';
import { dayOfRaw, daysOfRaw } from '../rules/terms.ts';
import { NO_TRANSFORMS } from '../rules/transforms.ts';
import {
  type Column,
  type ColumnSides,
  INCOMPARABLE_CODE,
  isListing,
  type LeafColumns,
  MISSING_CODE,
  noText,
  type RuleColumns,
} from './condition-columns.ts';
import { numberColumns } from './number-columns.ts';
import { type KeptTexts, listColumn, textColumns } from './text-columns.ts';

/** Reads each value that the rule compares once. `kept` shares text codes with other conditions over the same records. */
export function readColumns(
  rule: CompiledRule,
  sideA: RecordColumns,
  sideB: RecordColumns,
  convention: SignConvention,
  kept: KeptTexts | null = null,
): RuleColumns {
  const sides: ColumnSides = { a: sideA, b: sideB, convention };
  const read = (leaf: Leaf): LeafColumns => {
    if (leaf.kind === 'text') return textColumns(leaf, sides, kept);
    return leaf.kind === 'date' ? dateColumns(leaf, sides) : numberColumns(leaf, sides);
  };
  return { leaves: rule.leaves.map(read), currency: rule.namesCurrency ? null : textColumns(currencyLeaf(), sides) };
}

/** Returns the implicit condition of every rule that names no currency. */
function currencyLeaf(): Leaf {
  const term: Term = { field: present(fieldOf('currency'), 'currency'), type: null, transforms: NO_TRANSFORMS };
  return { type: 'leaf', index: -1, key: term, value: term, kind: 'text', operand: 'eq', tolerance: null };
}

function dateColumns(leaf: Leaf, sides: ColumnSides): LeafColumns {
  return ownDates(leaf, sides) ?? readDates(leaf, sides);
}

/**
 * Returns columns of the records' own dates within some days of each other, with days as their own codes. Returns null if dates form blocks, which
 * need dense codes, and for all other conditions.
 */
function ownDates(leaf: Leaf, { a, b }: ColumnSides): LeafColumns | null {
  const { key, value, tolerance } = leaf;
  const isOwn = isOwnDay(key.field) && isOwnDay(value.field) && !isListing(leaf);
  if (!isOwn || tolerance === null || tolerance.unit !== 'day' || !areCodes(a.days) || !areCodes(b.days)) return null;
  const column = ({ days, count }: RecordColumns): Column => {
    const axis = new Float64Array(days.subarray(0, count));
    return { codes: days, axis, days: axis, wide: null };
  };
  return { leaf, a: column(a), b: column(b), scale: 0, allowed: [tolerance.amount.units], textOf: noText, lists: [] };
}

/** A day before 1970 is negative, and negative codes mean no value. */
function areCodes(days: Int32Array): boolean {
  for (let row = 0; row < days.length; row += 1) if (intAt(days, row) < 0) return false;
  return true;
}

function readDates(leaf: Leaf, sides: ColumnSides): LeafColumns {
  const codes = numberCodes(sides.a.count + sides.b.count);
  const unit = leaf.tolerance?.unit;
  const placeOf = unit === 'month' ? remembered(monthOf) : unit === 'business_day' ? businessDayOf : null;
  const column = (term: Term, columns: RecordColumns): Column => {
    const found = new Int32Array(columns.count);
    const days = new Float64Array(columns.count);
    const axis = placeOf === null ? days : new Float64Array(columns.count);
    const read = dayReader(term, columns);
    for (let row = 0; row < columns.count; row += 1) {
      const day = read(row);
      if (typeof day !== 'number') {
        found[row] = day === INCOMPARABLE ? INCOMPARABLE_CODE : MISSING_CODE;
        continue;
      }
      days[row] = day;
      if (placeOf !== null) axis[row] = placeOf(day);
      found[row] = codes.codeOf(floatAt(axis, row));
    }
    return { codes: found, axis, days, wide: null };
  };
  const a = column(leaf.key, sides.a);
  const allowed = leaf.tolerance === null || unit === 'month' ? [] : [leaf.tolerance.amount.units];
  if (!isListing(leaf)) return { leaf, a, b: column(leaf.value, sides.b), scale: 0, allowed, textOf: noText, lists: [] };
  const { column: b, lists } = listColumn(daysReader(leaf.value, sides.b), sides.b.count, codes.codeOf);
  return { leaf, a, b, scale: 0, allowed, textOf: noText, lists };
}

/** Returns a function for the day that a date term reads at a row. */
export function dayReader(term: Term, columns: RecordColumns): (row: number) => Cell<number> {
  if (isOwnDay(term.field)) return (row) => intAt(columns.days, row);
  const raw = rawReader(columns, term.field);
  return (row) => dayOfRaw(term, raw(row));
}

function daysReader(term: Term, columns: RecordColumns): (row: number) => Cell<readonly number[]> {
  if (isOwnDay(term.field)) return (row) => [intAt(columns.days, row)];
  const raw = rawReader(columns, term.field);
  return (row) => daysOfRaw(term, raw(row));
}

function remembered(of: (day: number) => number): (day: number) => number {
  const known = new Map<number, number>();
  return (day) => {
    const found = known.get(day) ?? of(day);
    known.set(day, found);
    return found;
  };
}
