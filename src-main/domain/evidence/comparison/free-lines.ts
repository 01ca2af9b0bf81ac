import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { idAt } from '../../records/record-columns.ts';
import { rowById } from '../features/row-by-id.ts';
import type { EvidenceInput, EvidenceSide } from '../model/input.ts';
import { type Pairs, prunedPairs } from './pairs.ts';

/** Pairs with smaller odds have no measurable influence on the others. */
const NEGLIGIBLE = 2 ** -16;

/** Returns, by row of all lines, the row among the free lines, or -1. */
function freeRows({ free, all }: EvidenceSide): Int32Array {
  const rows = new Int32Array(all.count);
  if (free === all) {
    for (let row = 0; row < rows.length; row += 1) rows[row] = row;
    return rows;
  }
  const known = rowById(free);
  for (let row = 0; row < rows.length; row += 1) rows[row] = known.get(idAt(all, row)) ?? -1;
  return rows;
}

/** Candidate pairs among the free lines, and their odds. */
export interface FreePairs {
  readonly pairs: Pairs;
  readonly odds: Float64Array;
  /** Results of `freeRows`, by side. */
  readonly freeA: Int32Array;
  readonly freeB: Int32Array;
}

/** Returns the pairs of free lines that are allowed and whose odds are not negligible. */
export function freePairs({ a, b, isBarred }: EvidenceInput, pairs: Pairs, odds: Float64Array): FreePairs {
  const [freeA, freeB] = [freeRows(a), freeRows(b)];
  const mayBeTied = (row: number, column: number): boolean => {
    const [rowA, rowB] = [intAt(freeA, row), intAt(freeB, column)];
    return rowA >= 0 && rowB >= 0 && !isBarred(rowA, rowB);
  };
  return { ...openPairs(pairs, odds, mayBeTied), freeA, freeB };
}

/** Returns the allowed pairs whose odds are not negligible, with these odds. */
export function openPairs(
  pairs: Pairs,
  odds: Float64Array,
  mayBeTied: (row: number, column: number) => boolean,
): Pick<FreePairs, 'pairs' | 'odds'> {
  const open = odds.slice();
  for (let row = 0; row + 1 < pairs.starts.length; row += 1) {
    for (let at = intAt(pairs.starts, row); at < intAt(pairs.starts, row + 1); at += 1) {
      if (floatAt(open, at) >= NEGLIGIBLE && !mayBeTied(row, intAt(pairs.columns, at))) open[at] = 0;
    }
  }
  return prunedPairs(pairs, open, NEGLIGIBLE);
}
