import { floatAt } from '../../collections/typed-arrays.ts';
import { type NumberCodes, numberCodes } from '../../records/dictionary-encoding.ts';
import type { Side } from '../../records/fields.ts';
import { rawReader, type RecordColumns, weightAt } from '../../records/record-columns.ts';
import { type Cell, type Decimal, INCOMPARABLE, unitsAt } from '../../records/values.ts';
import type { Leaf, Term } from '../rules/compile-leaf.ts';
import { changedNumber, numberOfRaw, numbersOfRaw } from '../rules/terms.ts';
import { allowedDistances } from '../rules/tolerances.ts';
import {
  type Column,
  type ColumnSides,
  INCOMPARABLE_CODE,
  isListing,
  type LeafColumns,
  MISSING_CODE,
  NO_AXIS,
  noText,
} from './condition-columns.ts';
import { listColumn } from './text-columns.ts';

/** Differences of numbers up to this one are safe integers. Columns with larger units also hold bigints. */
const NARROW_UNITS = 2 ** 52;

/** Values of one side, read by row, and the finest scale among them. */
interface Numbers {
  readonly at: (row: number) => Cell<Decimal>;
  readonly count: number;
  readonly scale: number;
}

export function numberColumns(leaf: Leaf, sides: ColumnSides): LeafColumns {
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
