import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { areAlike } from '../../records/content-order.ts';
import type { RecordColumns } from '../../records/record-columns.ts';
import type { Pairs } from '../comparison/pairs.ts';
import type { EvidenceInput } from '../model/input.ts';
import type { Marginals } from './propagate.ts';

/** A pair is matched if it is more likely than not, by more than rounding can make of two equal probabilities. */
export const LIKELY = 0.5 + 2 ** -20;
/** Pairs with a smaller probability are ignored. */
const LEAST = 0.01;

interface TieLink {
  readonly rowA: number;
  readonly rowB: number;
  /** Index of a pair with the same lines' features, which describes the link. */
  readonly at: number;
  readonly likely: number;
}

/**
 * Matches ties. Indistinguishable lines share their partners, so none of their pairs is likely by itself, but it does not matter which is taken. The
 * probabilities of such pairs are added up, and the expected number of pairs is matched in order.
 */
export function tieLinks({ a, b }: EvidenceInput, pairs: Pairs, { likely }: Marginals): TieLink[] {
  const { starts, columns } = pairs;
  const [firstOfA, firstOfB] = [firstOfTies(a.all), firstOfTies(b.all)];
  const blocks = new Map<string, { at: number; sum: number; readonly rowsA: Set<number>; readonly rowsB: Set<number> }>();
  for (let row = 0; row + 1 < starts.length; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      if (floatAt(likely, at) > LIKELY || floatAt(likely, at) < LEAST) continue;
      const column = intAt(columns, at);
      const key = `${firstOfA(row)},${firstOfB(column)}`;
      const block = blocks.get(key) ?? { at, sum: 0, rowsA: new Set<number>(), rowsB: new Set<number>() };
      blocks.set(key, block);
      block.sum += floatAt(likely, at);
      block.rowsA.add(row);
      block.rowsB.add(column);
    }
  }
  const found: TieLink[] = [];
  for (const { at, sum, rowsA, rowsB } of blocks.values()) {
    const [inA, inB] = [[...rowsA].toSorted(ascending), [...rowsB].toSorted(ascending)];
    const count = Math.min(inA.length, inB.length, Math.round(sum));
    if (rowsA.size + rowsB.size < 3 || count === 0) continue;
    const share = Math.min(1, sum / count);
    for (let place = 0; place < count; place += 1) found.push({ rowA: inA[place] ?? 0, rowB: inB[place] ?? 0, at, likely: share });
  }
  return found;
}

function ascending(left: number, right: number): number {
  return left - right;
}

/** Returns a function for the first of the lines that are indistinguishable from a row. Such lines are adjacent. */
export function firstOfTies(columns: RecordColumns): (row: number) => number {
  const { days, amounts, currencies } = columns;
  const known = new Map<number, number>();
  const isLike = (left: number, right: number): boolean =>
    days[left] === days[right] &&
    amounts[left] === amounts[right] &&
    currencies[left] === currencies[right] &&
    areAlike(columns, Int32Array.of(left, right), 0, 2);
  return (row) => {
    const found = known.get(row);
    if (found !== undefined) return found;
    let first = row;
    while (first > 0 && isLike(first - 1, row)) first -= 1;
    known.set(row, first);
    return first;
  };
}
