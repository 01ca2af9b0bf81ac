import { sortRanges } from '../../collections/radix-sort.ts';
import { IntList } from '../../collections/growable-array.ts';
import { PairCodes } from '../../collections/hash-table.ts';
import { floatAt, intAt, itemAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import type { Column, LeafColumns } from '../comparison/condition-columns.ts';
import type { RuleView } from '../comparison/predicate.ts';
import { windowOf } from '../comparison/tolerance-windows.ts';
import type { Classes } from './equivalence-classes.ts';
import { type Layout, narrowBlocks, type ScanWindows, type Sweep, windowsOf } from './sweep-windows.ts';

/** The two sides of a rule as classes. */
export interface Sides {
  readonly view: RuleView;
  readonly classesA: Classes;
  readonly classesB: Classes;
}

/**
 * A superset of the pairs that one conjunction allows. The class at position p of `orderA` is paired with the classes of side B at positions
 * `startAt(p)` up to but excluding `endAt(p)` of `orderB`.
 */
export interface Scan {
  readonly orderA: Int32Array;
  readonly orderB: Int32Array;
  readonly windows: ScanWindows;
  readonly pairs: number;
  /** The layouts from which the orders come. `partner` returns the block of side B that belongs to a block of side A, or -1. */
  readonly a: Layout;
  readonly b: Layout;
  readonly partner: (block: number) => number;
}

/** Hash block of each class. */
export interface Blocks {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly count: number;
}

/** Returns blocks with one number for each combination of exact values; -1 for classes that lack a value or have no counterpart. */
export function blockKeys({ classesA, classesB }: Sides, exact: readonly LeafColumns[]): Blocks {
  const telling = exact.filter((columns) => !isConstant(columns));
  const direct = telling[0] === undefined ? null : blocksOfCodes(telling[0], classesA, classesB);
  let blocks = direct ?? { a: new Int32Array(classesA.count), b: new Int32Array(classesB.count), count: 1 };
  for (const columns of direct === null ? telling : telling.slice(1)) {
    const { a, b } = blocks;
    const refined = refine(blocks, columns, classesA, classesB, a);
    const { codes } = columns.b;
    for (let index = 0; index < b.length; index += 1) b[index] = refined.find(intAt(b, index), intAt(codes, intAt(classesB.first, index)));
    blocks = { a, b, count: refined.count };
  }
  return blocks;
}

/** Returns whether all rows of both sides have the same value, so that the column divides nothing. */
function isConstant({ a, b }: LeafColumns): boolean {
  const code = a.codes[0] ?? b.codes[0] ?? -1;
  return code >= 0 && isAll(a.codes, code) && isAll(b.codes, code);
}

function isAll(codes: Int32Array, code: number): boolean {
  for (let row = 0; row < codes.length; row += 1) if (intAt(codes, row) !== code) return false;
  return true;
}

/** Codes serve as block numbers if there are at most this many for each class of side A. */
const CODES_PER_CLASS = 2;

/**
 * Returns blocks by one value, numbered by its codes, which follow the order in which side A has the values. Returns null if there are many more
 * codes than classes.
 */
function blocksOfCodes({ a, b }: LeafColumns, classesA: Classes, classesB: Classes): Blocks | null {
  const ofA = codesOfClasses(a.codes, classesA);
  let count = 0;
  for (let index = 0; index < ofA.length; index += 1) if (intAt(ofA, index) >= count) count = intAt(ofA, index) + 1;
  if (count > CODES_PER_CLASS * classesA.count) return null;
  const ofB = codesOfClasses(b.codes, classesB);
  for (let index = 0; index < ofB.length; index += 1) if (intAt(ofB, index) >= count) ofB[index] = -1;
  return { a: ofA, b: ofB, count: Math.max(count, 1) };
}

function codesOfClasses(codes: Int32Array, { first }: Classes): Int32Array {
  const found = new Int32Array(first.length);
  for (let index = 0; index < found.length; index += 1) found[index] = Math.max(-1, intAt(codes, intAt(first, index)));
  return found;
}

/** Blocks refined by one more value: those of side A's classes, and a function that returns the refined block for an old block and a value, or -1. */
interface Refined {
  readonly a: Int32Array;
  readonly count: number;
  readonly find: (block: number, code: number) => number;
}

/**
 * Refines blocks by one more value. The first value seen in a block keeps the block's number and is remembered in an array. Only further values of a
 * block go through a hash table, and there are few of them if an earlier column has separated nearly all records. `a` receives the blocks of side A,
 * and may be the array of the old blocks.
 */
function refine(
  blocks: Blocks,
  columns: LeafColumns,
  classesA: Classes,
  classesB: Classes,
  a: Int32Array = new Int32Array(classesA.count),
): Refined {
  const codesA = columns.a.codes;
  let stride = 1;
  for (let index = 0; index < classesA.count; index += 1) stride = Math.max(stride, intAt(codesA, intAt(classesA.first, index)) + 1);
  const firsts = new Int32Array(blocks.count).fill(-1);
  const known = pairCodes(blocks.count, stride, classesA.count + classesB.count);
  for (let index = 0; index < classesA.count; index += 1) {
    const block = intAt(blocks.a, index);
    const code = intAt(codesA, intAt(classesA.first, index));
    if (block < 0 || code < 0) {
      a[index] = -1;
      continue;
    }
    if (intAt(firsts, block) < 0) firsts[block] = code;
    a[index] = intAt(firsts, block) === code ? block : blocks.count + known.codeOf(block, code);
  }
  const find = (block: number, code: number): number => {
    if (block < 0 || code < 0) return -1;
    if (intAt(firsts, block) === code) return block;
    const further = code < stride && known.count > 0 ? known.find(block, code) : -1;
    return further < 0 ? -1 : blocks.count + further;
  };
  return { a, count: blocks.count + known.count, find };
}

/** Codes of pairs of numbers, by order of first appearance. `find` returns -1 for a pair without a code. */
interface BlockCodes {
  readonly codeOf: (block: number, code: number) => number;
  readonly find: (block: number, code: number) => number;
  readonly count: number;
}

/** Returns a table with a place for every pair if there are not many more pairs than records, otherwise a hash table. */
function pairCodes(blocks: number, stride: number, records: number): BlockCodes {
  let count = 0;
  if (blocks * stride <= 8 * records + 65_536) {
    const codes = new Int32Array(blocks * stride);
    const codeOf = (block: number, code: number): number => {
      const place = block * stride + code;
      const held = intAt(codes, place);
      if (held > 0) return held - 1;
      count += 1;
      codes[place] = count;
      return count - 1;
    };
    return {
      codeOf,
      find: (block, code) => intAt(codes, block * stride + code) - 1,
      get count() {
        return count;
      },
    };
  }
  return new PairCodes();
}

function layOutSide(blocks: Int32Array, blockCount: number, column: Column | null, classes: Classes): Layout {
  if (column === null) {
    const starts = rangeStarts(blocks, blockCount);
    return { starts, order: layOut(blocks, starts), values: null };
  }
  const values = new Float64Array(classes.count);
  const placed = new Int32Array(classes.count);
  for (let index = 0; index < values.length; index += 1) {
    const row = intAt(classes.first, index);
    values[index] = floatAt(column.axis, row);
    placed[index] = intAt(column.codes, row) >= 0 ? intAt(blocks, index) : -1;
  }
  const starts = rangeStarts(placed, blockCount);
  const order = sortRanges(layOut(placed, starts), starts, values);
  const along = new Float64Array(order.length);
  for (let position = 0; position < along.length; position += 1) along[position] = floatAt(values, intAt(order, position));
  return { starts, order, values: along };
}

/** Returns a sweep of all pairs within a block, or of those within the window of a condition. */
export function sweepBlocks({ classesA, classesB }: Sides, blocks: Blocks, swept: LeafColumns | null): Sweep {
  const a = layOutSide(blocks.a, blocks.count, swept?.a ?? null, classesA);
  const b = layOutSide(blocks.b, blocks.count, swept?.b ?? null, classesB);
  return { a, b, window: swept === null ? null : windowOf(swept), partner: (block) => block };
}

/** `blocks` holds the block of each position of side A if several scans share it. */
export function scanOf(sweep: Sweep, blocks: Uint16Array | null = null): Scan {
  const { a, b, partner } = sweep;
  return { orderA: a.order, orderB: b.order, ...windowsOf(sweep, blocks), a, b, partner };
}

/**
 * Returns one scan for each day of a date window: side B's classes of that day, within the window along the amounts. The blocks of both sides are
 * (block, day).
 */
export function scanDays(sides: Sides, blocks: Blocks, dates: LeafColumns, amounts: LeafColumns, days: number): Scan[] {
  const { a: keysA, b: keysB, count, shifted } = blockDays(sides, blocks, dates);
  const a = layOutSide(keysA, count, amounts.a, sides.classesA);
  const b = layOutSide(keysB, count, amounts.b, sides.classesB);
  const window = windowOf(amounts);
  const blocksOfA = narrowBlocks(a, b);
  return Array.from({ length: 2 * days + 1 }, (_, index) => {
    const meets = new Int32Array(count);
    for (let key = 0; key < count; key += 1) meets[key] = shifted(key, index - days);
    return scanOf({ a, b, window, partner: byTable(meets) }, blocksOfA);
  });
}

/** Defined outside of `scanDays`, so that scans do not retain the arrays from which blocks were computed. */
function byTable(meets: Int32Array): (block: number) => number {
  return (block) => intAt(meets, block);
}

/** Blocks by (block, day). `shifted` returns the block some days after another one, or -1. */
interface BlockDays extends Blocks {
  readonly shifted: (key: number, days: number) => number;
}

function blockDays({ classesA, classesB }: Sides, blocks: Blocks, dates: LeafColumns): BlockDays {
  let first = Infinity;
  let last = -Infinity;
  const eachDay = ({ codes, axis }: Column, { first: rows }: Classes, visit: (index: number, day: number) => void): void => {
    for (let index = 0; index < rows.length; index += 1) {
      const row = intAt(rows, index);
      if (intAt(codes, row) >= 0) visit(index, floatAt(axis, row));
    }
  };
  const widen = (_: number, day: number): void => {
    if (day < first) first = day;
    if (day > last) last = day;
  };
  eachDay(dates.a, classesA, widen);
  eachDay(dates.b, classesB, widen);
  const range = last < first ? 0 : last - first + 1;
  const known = pairCodes(blocks.count, range, classesA.count + classesB.count);
  const origins = { blocks: new IntList(), days: new IntList() };
  const keysOf = (of: Int32Array, column: Column, classes: Classes): Int32Array => {
    const keys = new Int32Array(of.length).fill(-1);
    eachDay(column, classes, (index, day) => {
      const block = intAt(of, index);
      if (block < 0) return;
      const key = known.codeOf(block, day - first);
      keys[index] = key;
      if (key < origins.days.length) return;
      origins.blocks.push(block);
      origins.days.push(day - first);
    });
    return keys;
  };
  const a = keysOf(blocks.a, dates.a, classesA);
  const b = keysOf(blocks.b, dates.b, classesB);
  const shifted = (key: number, days: number): number => {
    const day = intAt(origins.days.items, key) + days;
    return day < 0 || day >= range ? -1 : known.find(intAt(origins.blocks.items, key), day);
  };
  return { a, b, count: known.count, shifted };
}

/**
 * Returns a scan of all pairs within a block whose value of side A is in side B's list. A class of side B is in the block of each member of its list.
 */
export function scanLists(sides: Sides, blocks: Blocks, listing: LeafColumns): Scan {
  const { classesA, classesB } = sides;
  const { a, count, find } = refine(blocks, listing, classesA, classesB);
  const owners = new IntList();
  const keys = new IntList();
  for (let index = 0; index < classesB.count; index += 1) {
    const list = intAt(listing.b.codes, intAt(classesB.first, index));
    if (list < 0) continue;
    for (const member of itemAt(listing.lists, list)) {
      const key = find(intAt(blocks.b, index), member);
      if (key < 0) continue;
      owners.push(index);
      keys.push(key);
    }
  }
  const placed = keys.items.subarray(0, keys.length);
  const startsB = rangeStarts(placed, count);
  const order = layOut(placed, startsB).map((position) => intAt(owners.items, position));
  const startsA = rangeStarts(a, count);
  const layoutA = { starts: startsA, order: layOut(a, startsA), values: null };
  return scanOf({ a: layoutA, b: { starts: startsB, order, values: null }, window: null, partner: (block) => block });
}
