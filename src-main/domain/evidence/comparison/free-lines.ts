import { idAt, type RecordColumns } from '../../matching/record-columns.ts';
import { floatAt, intAt } from '../../matching/typed.ts';
import type { EvidenceInput, EvidenceSide } from '../model/input.ts';
import type { Pairs } from './pairs.ts';
import { prunedPairs } from './prune-pairs.ts';

/** Pairs of smaller odds change the others by nothing that counts. */
const NEGLIGIBLE = 2 ** -16;

/** By row of all lines: the row among the free ones, or -1. */
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

function rowById(columns: RecordColumns): Map<number, number> {
  const rows = new Map<number, number>();
  for (let row = 0; row < columns.count; row += 1) rows.set(idAt(columns, row), row);
  return rows;
}

/** Candidate pairs among the free lines, and their odds. */
export interface FreePairs {
  readonly pairs: Pairs;
  readonly odds: Float64Array;
  /** As `freeRows` has them, by side. */
  readonly freeA: Int32Array;
  readonly freeB: Int32Array;
}

/** The pairs of free lines that may be tied and weigh anything. */
export function freePairs({ a, b, isBarred }: EvidenceInput, pairs: Pairs, odds: Float64Array): FreePairs {
  const [freeA, freeB] = [freeRows(a), freeRows(b)];
  const open = odds.slice();
  for (let row = 0; row < freeA.length; row += 1) {
    const rowA = intAt(freeA, row);
    for (let at = intAt(pairs.starts, row); at < intAt(pairs.starts, row + 1); at += 1) {
      if (floatAt(open, at) < NEGLIGIBLE) continue;
      const rowB = intAt(freeB, intAt(pairs.columns, at));
      if (rowA < 0 || rowB < 0 || isBarred(rowA, rowB)) open[at] = 0;
    }
  }
  return { ...prunedPairs(pairs, open, NEGLIGIBLE), freeA, freeB };
}
