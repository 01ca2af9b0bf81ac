import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { Window } from '../comparison/tolerance-windows.ts';

/** Classes of one side laid out by block and, within a block, along the sweep's axis. */
export interface Layout {
  readonly starts: Int32Array;
  readonly order: Int32Array;
  /** Where the classes lie along the axis, in this order; null when there is no sweep. */
  readonly values: Float64Array | null;
}

/** Sides laid out, and how far apart a pair may lie: what scans are made of. */
export interface Sweep {
  readonly a: Layout;
  readonly b: Layout;
  /** Null where any two of a block make a pair. */
  readonly window: Window | null;
  /** The block of side B that a block of side A meets; -1 for none. */
  readonly partner: (block: number) => number;
}

type Counts = Int32Array | Uint16Array;

/** For each position of side A's order, which positions of side B's make its pairs. There may be a million of them for each day of a window, so they are small numbers. */
export interface ScanWindows {
  /** The first of them; counted from where the block that is met begins where `blocks` are given. */
  readonly firsts: Counts;
  readonly counts: Counts;
  readonly blocks: BlocksOfPositions | null;
}

/** The block of each position of side A, and where in side B's order the block begins that a block meets. */
interface BlocksOfPositions {
  readonly of: Uint16Array;
  readonly begins: Int32Array;
}

/** Where the window of the class at a position begins. */
export function startAt({ windows: { firsts, blocks } }: { readonly windows: ScanWindows }, position: number): number {
  const first = firsts[position] as number;
  return blocks === null ? first : intAt(blocks.begins, blocks.of[position] as number) + first;
}

/** How many pairs the class at a position has. */
export function countAt({ windows: { counts } }: { readonly windows: ScanWindows }, position: number): number {
  return counts[position] as number;
}

/** Where the window of the class at a position ends (exclusive). */
export function endAt(scan: { readonly windows: ScanWindows }, position: number): number {
  return startAt(scan, position) + countAt(scan, position);
}

const MOST_NARROW = 0xffff;

/** The block of each position, in half the room that places take; null where there are too many blocks, or too large ones to be counted in. */
export function narrowBlocks(a: Layout, b: Layout): Uint16Array | null {
  if (a.starts.length - 1 > MOST_NARROW || largestBlock(b) > MOST_NARROW) return null;
  const blocks = new Uint16Array(a.order.length);
  for (let block = 0; block + 1 < a.starts.length; block += 1) blocks.fill(block, intAt(a.starts, block), intAt(a.starts, block + 1));
  return blocks;
}

/** Finds the windows of a sweep and how many pairs they hold. `blocks`: as `narrowBlocks` answers them. */
export function windowsOf(sweep: Sweep, blocks: Uint16Array | null): { readonly windows: ScanWindows; readonly pairs: number } {
  const { a, b, partner } = sweep;
  const positions = a.order.length;
  const firsts = blocks === null ? new Int32Array(positions) : new Uint16Array(positions);
  const counts = largestBlock(b) > MOST_NARROW ? new Int32Array(positions) : new Uint16Array(positions);
  const begins = new Int32Array(blocks === null ? 0 : a.starts.length - 1);
  for (let block = 0; block < begins.length; block += 1) {
    const other = partner(block);
    begins[block] = other < 0 ? 0 : intAt(b.starts, other);
  }
  const windows = { firsts, counts, blocks: blocks === null ? null : { of: blocks, begins } };
  return { windows, pairs: walk(sweep, windows) };
}

/** How many pairs a sweep has. */
export function pairsOfSweep(sweep: Sweep): number {
  return walk(sweep, null);
}

function largestBlock({ starts }: Layout): number {
  let largest = 0;
  for (let block = 0; block + 1 < starts.length; block += 1) largest = Math.max(largest, intAt(starts, block + 1) - intAt(starts, block));
  return largest;
}

/** Finds each class's window in the block that belongs to its own; answers how many pairs there are. */
function walk(sweep: Sweep, into: ScanWindows | null): number {
  const { a, b, partner } = sweep;
  let pairs = 0;
  for (let block = 0; block + 1 < a.starts.length; block += 1) {
    const other = partner(block);
    if (other >= 0)
      pairs += walkBlock(
        sweep,
        intAt(a.starts, block),
        intAt(a.starts, block + 1),
        intAt(b.starts, other),
        intAt(b.starts, other + 1),
        into,
      );
  }
  return pairs;
}

/** Positions `from` to `to` (exclusive) of side A meet `begin` to `end` of side B: two pointers go along both. */
function walkBlock({ a, b, window }: Sweep, from: number, to: number, begin: number, end: number, into: ScanWindows | null): number {
  const base = into === null || into.blocks === null ? 0 : begin;
  const [valuesA, valuesB] = [a.values, b.values];
  let pairs = 0;
  let low = begin;
  let high = begin;
  for (let position = from; position < to; position += 1) {
    if (window === null || valuesA === null || valuesB === null) high = end;
    else {
      const value = floatAt(valuesA, position);
      const least = window.low(value);
      const most = window.high(value);
      while (low < end && floatAt(valuesB, low) < least) low += 1;
      if (high < low) high = low;
      while (high < end && floatAt(valuesB, high) <= most) high += 1;
    }
    if (into !== null) {
      into.firsts[position] = low - base;
      into.counts[position] = high - low;
    }
    pairs += high - low;
  }
  return pairs;
}
