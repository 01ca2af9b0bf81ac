import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { businessDayOf, isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { numberCodes, type NumberCodes } from '../../records/dictionary-encoding.ts';
import { fieldOf, isOwnDay, type Side } from '../../records/fields.ts';
import { rawReader, type RecordColumns, weightAt } from '../../records/record-columns.ts';
import { type Cell, type Decimal, INCOMPARABLE, unitsAt } from '../../records/values.ts';
import type { Leaf, Term } from '../rules/compile-leaf.ts';
import type { CompiledRule } from '../rules/compile.ts';
import { changedNumber, dayOfRaw, daysOfRaw, numberOfRaw, numbersOfRaw } from '../rules/terms.ts';
import { allowedDistances } from '../rules/tolerances.ts';
import { NO_TRANSFORMS } from '../rules/transforms.ts';
import {
  type Column,
  type ColumnSides,
  INCOMPARABLE_CODE,
  isListing,
  type LeafColumns,
  MISSING_CODE,
  NO_AXIS,
  noText,
  type RuleColumns,
} from './condition-columns.ts';
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

/** Differences of numbers up to this one are safe integers. Columns with larger units also hold bigints. */
const NARROW_UNITS = 2 ** 52;

/** Values of one side, read by row, and the finest scale among them. */
interface Numbers {
  readonly at: (row: number) => Cell<Decimal>;
  readonly count: number;
  readonly scale: number;
}

function numberColumns(leaf: Leaf, sides: ColumnSides): LeafColumns {
  const { a, b, convention } = sides;
  const isList = isListing(leaf);
  const [placesA, placesB] = [placesOf(a), placesOf(b)];
  const places = Math.max(placesA.most, placesB.most);
  const ofA = numbersOf(leaf.key, a, 'a', sides);
  const ofB = isList ? null : numbersOf(leaf.value, b, 'b', sides);
  const lists = isList ? listsOf(leaf.value, b, sides) : [];
  let scale = Math.max(places, ofA.scale, ofB?.scale ?? 0);
  for (const list of lists) if (Array.isArray(list)) for (const member of list) scale = Math.max(scale, member.scale);
  const known = standForThemselves(leaf, sides, [placesA, placesB], scale) ? OWN_CODES : numberCodes(a.count + b.count);
  const column = (term: Term, columns: RecordColumns, side: Side, numbers: Numbers): Column =>
    ownUnits(term, columns, side, convention, scale, known) ?? unitsColumn(numbers, scale, known);
  const { tolerance } = leaf;
  const allowed = tolerance === null ? [] : allowedDistances(tolerance, scale, Math.max(placesA.least, placesB.least), places);
  const columnA = column(leaf.key, a, 'a', ofA);
  if (ofB !== null) return { leaf, a: columnA, b: column(leaf.value, b, 'b', ofB), scale, allowed, textOf: noText, lists: [] };
  const inUnits = (row: number): Cell<readonly (number | bigint)[]> => {
    const list = lists[row] ?? null;
    return list === null || list === INCOMPARABLE ? list : (list as readonly Decimal[]).map((member) => unitsAt(member, scale));
  };
  const listed = listColumn(inUnits, b.count, known.codeOf);
  return { leaf, a: columnA, b: listed.column, scale, allowed, textOf: noText, lists: listed.lists };
}

const OWN_CODES: NumberCodes = { codeOf: Number };
const MOST_OWN_CODE = 2 ** 31 - 1;

/** Returns whether amounts serve as their own codes. With a tolerance, codes only have to tell which amounts are equal. */
function standForThemselves({ key, value, tolerance }: Leaf, { a, b }: ColumnSides, places: readonly Places[], scale: number): boolean {
  if (tolerance === null || !isPlainAmount(key) || !isPlainAmount(value)) return false;
  const isAsItStands = places.every(({ least, most }) => least === scale && most === scale);
  return isAsItStands && [a, b].every(({ amounts }) => amounts.every((amount) => amount <= MOST_OWN_CODE));
}

function isPlainAmount({ field, transforms }: Term): boolean {
  return field.name === 'amount' && transforms.numbers.length === 0;
}

/** Least and most decimal places of a side's records; both 0 for a side without records. */
interface Places {
  readonly least: number;
  readonly most: number;
}

function placesOf({ count, decimalPlaces }: RecordColumns): Places {
  let least = count === 0 ? 0 : Infinity;
  let most = 0;
  for (let row = 0; row < count; row += 1) {
    const places = decimalPlaces[row] as number;
    if (places > most) most = places;
    if (places < least) least = places;
  }
  return { least, most };
}

function isOwn(term: Term): boolean {
  return term.field.kind === 'number';
}

/** Returns the record's own amount as a term reads it, in the record's minor units. */
function ownAmount(term: Term, columns: RecordColumns, row: number, side: Side, convention: ColumnSides['convention']): number {
  if (term.field.name === 'amount') return columns.amounts[row] as number;
  return weightAt(columns, row, side, convention === 'any' ? 'same' : convention);
}

function numbersOf(term: Term, columns: RecordColumns, side: Side, { convention }: ColumnSides): Numbers {
  const { count, decimalPlaces } = columns;
  if (isOwn(term)) {
    const at = (row: number): Decimal =>
      changedNumber(term.transforms.numbers, {
        units: ownAmount(term, columns, row, side, convention),
        scale: decimalPlaces[row] as number,
      });
    return { at, count, scale: 0 };
  }
  const raw = rawReader(columns, term.field);
  const cells: Cell<Decimal>[] = [];
  let scale = 0;
  for (let row = 0; row < count; row += 1) {
    const cell = numberOfRaw(term, raw(row));
    cells.push(cell);
    if (cell !== null && cell !== INCOMPARABLE) scale = Math.max(scale, cell.scale);
  }
  return { at: (row) => cells[row] ?? null, count, scale };
}

function listsOf(term: Term, columns: RecordColumns, sides: ColumnSides): Cell<readonly Decimal[]>[] {
  if (isOwn(term)) {
    const { at } = numbersOf(term, columns, 'b', sides);
    return Array.from({ length: columns.count }, (_, row) => {
      const cell = at(row);
      return cell === null || cell === INCOMPARABLE ? cell : [cell];
    });
  }
  const raw = rawReader(columns, term.field);
  return Array.from({ length: columns.count }, (_, row) => numbersOfRaw(term, raw(row)));
}

/** Returns the records' own amounts without an object for each, or null if the field is another one or units exceed the safe range. */
function ownUnits(
  term: Term,
  columns: RecordColumns,
  side: Side,
  convention: ColumnSides['convention'],
  scale: number,
  known: NumberCodes,
): Column | null {
  if (!isOwn(term)) return null;
  const { count, decimalPlaces } = columns;
  const factors = Float64Array.from({ length: scale + 1 }, (_, places) => 10 ** (scale - places));
  const isAsItStands =
    term.field.name === 'amount' && term.transforms.numbers.length === 0 && decimalPlaces.every((places) => places === scale);
  const axis = isAsItStands ? columns.amounts : new Float64Array(count);
  const codes = new Int32Array(count);
  if (isAsItStands) {
    for (let row = 0; row < count; row += 1) {
      const units = floatAt(axis, row);
      if (units > NARROW_UNITS) return null;
      codes[row] = known.codeOf(units);
    }
    return { codes, axis, days: NO_AXIS, wide: null };
  }
  for (let row = 0; row < count; row += 1) {
    const units = ownAmount(term, columns, row, side, convention) * (factors[decimalPlaces[row] as number] as number);
    if (Math.abs(units) > NARROW_UNITS) return null;
    const changed = changedUnits(term, units);
    axis[row] = changed;
    codes[row] = known.codeOf(changed);
  }
  return { codes, axis, days: NO_AXIS, wide: null };
}

function changedUnits({ transforms }: Term, units: number): number {
  if (transforms.numbers.length === 0) return units;
  return Number(changedNumber(transforms.numbers, { units, scale: 0 }).units);
}

function unitsColumn({ at, count }: Numbers, scale: number, known: NumberCodes): Column {
  const codes = new Int32Array(count);
  const axis = new Float64Array(count);
  const units: (number | bigint)[] = [];
  let isWide = false;
  for (let row = 0; row < count; row += 1) {
    const cell = at(row);
    if (cell === null || cell === INCOMPARABLE) {
      codes[row] = cell === null ? MISSING_CODE : INCOMPARABLE_CODE;
      units.push(0);
      continue;
    }
    const unit = unitsAt(cell, scale);
    units.push(unit);
    codes[row] = known.codeOf(unit);
    axis[row] = Number(unit);
    isWide ||= typeof unit === 'bigint' || Math.abs(unit) > NARROW_UNITS;
  }
  return { codes, axis, days: NO_AXIS, wide: isWide ? units.map(BigInt) : null };
}

/** Returns the months since 1970-01. */
export function monthOf(day: number): number {
  const [year = '', month = ''] = isoFromDay(day).split('-');
  return (Number(year) - 1970) * 12 + Number(month) - 1;
}
