import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { Window } from '../comparison/tolerance-windows.ts';

/** Classes of one side ordered by block and, within a block, along the sweep's axis. */
export interface Layout {
  readonly starts: Int32Array;
  readonly order: Int32Array;
  /** Values along the axis, in this order; null if there is no sweep. */
  readonly values: Float64Array | null;
}

/** Both sides laid out, with the distance within which a pair lies. */
export interface Sweep {
  readonly a: Layout;
  readonly b: Layout;
  /** Null if all pairs within a block count. */
  readonly window: Window | null;
  /** Returns the block of side B that belongs to a block of side A, or -1. */
  readonly partner: (block: number) => number;
}

type Counts = Int32Array | Uint16Array;

/**
 * By position of side A's order: the positions of side B's order that form its pairs. With a million positions for each day of a window, the arrays
 * are as narrow as possible.
 */
export interface ScanWindows {
  /** First position; relative to the start of the partner block if `blocks` is given. */
  readonly firsts: Counts;
  readonly counts: Counts;
  readonly blocks: BlocksOfPositions | null;
}

/** Block of each position of side A, and by block the start of its partner block in side B's order. */
interface BlocksOfPositions {
  readonly of: Uint16Array;
  readonly begins: Int32Array;
}

/** Returns the start of the window of the class at a position. */
export function startAt({ windows: { firsts, blocks } }: { readonly windows: ScanWindows }, position: number): number {
  const first = firsts[position] as number;
  return blocks === null ? first : intAt(blocks.begins, blocks.of[position] as number) + first;
}

/** Returns the number of pairs of the class at a position. */
export function countAt({ windows: { counts } }: { readonly windows: ScanWindows }, position: number): number {
  return counts[position] as number;
}

/** Returns the end (exclusive) of the window of the class at a position. */
export function endAt(scan: { readonly windows: ScanWindows }, position: number): number {
  return startAt(scan, position) + countAt(scan, position);
}

const MOST_NARROW = 0xffff;

/** Returns the block of each position in 16 bits, or null if there are too many blocks or too large ones. */
export function narrowBlocks(a: Layout, b: Layout): Uint16Array | null {
  if (a.starts.length - 1 > MOST_NARROW || largestBlock(b) > MOST_NARROW) return null;
  const blocks = new Uint16Array(a.order.length);
  for (let block = 0; block + 1 < a.starts.length; block += 1) blocks.fill(block, intAt(a.starts, block), intAt(a.starts, block + 1));
  return blocks;
}

/** Returns the windows of a sweep and their number of pairs. `blocks` is a result of `narrowBlocks`. */
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

/** Returns the number of pairs of a sweep. */
export function pairsOfSweep(sweep: Sweep): number {
  return walk(sweep, null);
}

function largestBlock({ starts }: Layout): number {
  let largest = 0;
  for (let block = 0; block + 1 < starts.length; block += 1) largest = Math.max(largest, intAt(starts, block + 1) - intAt(starts, block));
  return largest;
}

/** Finds the window of each class in its partner block and returns the number of pairs. */
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

/** Advances two pointers along positions `from` up to but excluding `to` of side A and `begin` up to but excluding `end` of side B. */
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
