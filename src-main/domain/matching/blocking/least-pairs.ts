import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { Column, LeafColumns } from '../comparison/condition-columns.ts';
import type { Classes } from './equivalence-classes.ts';
import type { Blocks, Sides } from './scan.ts';

/** Cells for each class, at most, that pairs are counted in. */
const CELLS_PER_CLASS = 8;

/**
 * How many pairs a sweep would have at least, without laying it out: the pairs of one block whose values lie in one cell as wide as the tolerance. 0 if
 * that would take too much room, or if the tolerance depends on the value.
 */
export function leastPairs({ classesA, classesB }: Sides, blocks: Blocks, columns: LeafColumns): number {
  const { a, b, allowed } = columns;
  if (allowed.length === 0 || a.wide !== null || b.wide !== null) return 0;
  const range = { low: Infinity, high: -Infinity };
  widen(range, a, classesA);
  widen(range, b, classesB);
  if (range.low > range.high) return 0;
  const widest = allowed.reduce<number>((width, distance) => Math.max(width, Number(distance)), 0);
  const width = Math.floor(widest) + 1;
  const cells = Math.floor((range.high - range.low) / width) + 1;
  if (!(cells * blocks.count <= CELLS_PER_CLASS * (classesA.count + classesB.count))) return 0;
  const countsOf = (of: Int32Array, { codes, axis }: Column, { first }: Classes): Int32Array => {
    const counts = new Int32Array(cells * blocks.count);
    for (let index = 0; index < of.length; index += 1) {
      const row = intAt(first, index);
      const block = intAt(of, index);
      if (block < 0 || intAt(codes, row) < 0) continue;
      const cell = block * cells + Math.floor((floatAt(axis, row) - range.low) / width);
      counts[cell] = intAt(counts, cell) + 1;
    }
    return counts;
  };
  const [ofA, ofB] = [countsOf(blocks.a, a, classesA), countsOf(blocks.b, b, classesB)];
  let pairs = 0;
  for (let cell = 0; cell < ofA.length; cell += 1) pairs += intAt(ofA, cell) * intAt(ofB, cell);
  return pairs;
}

function widen(range: { low: number; high: number }, { codes, axis }: Column, { first }: Classes): void {
  let { low, high } = range;
  for (let index = 0; index < first.length; index += 1) {
    const row = intAt(first, index);
    if (intAt(codes, row) < 0) continue;
    const value = floatAt(axis, row);
    if (value < low) low = value;
    if (value > high) high = value;
  }
  range.low = low;
  range.high = high;
}
