import type { FreePairs } from '../comparison/free-lines.ts';
import type { Pairs } from '../comparison/pairs.ts';
import { prunedPairs } from '../comparison/prune-pairs.ts';
import type { Learned } from '../estimation/learn.ts';
import type { Book } from '../estimation/read-book.ts';
import { idAt, type RecordColumns } from '../../matching/record-columns.ts';
import { floatAt, intAt } from '../../matching/typed.ts';
import type { ChangedPair, CommittedLinks } from '../model/committed.ts';
import type { EvidenceInput } from '../model/input.ts';
import { logOddsOf } from '../model/parts.ts';
import { aloneWeights } from './background.ts';
import { type Marginals, marginalsOf } from './propagate.ts';
import { refine } from './refine.ts';
import { twinFinder } from './twins.ts';

/** A committed pair is looked at again below this: less than what it took to commit it, so that small drifts change nothing. */
const LEAST_LIKELY = 0.97;
/** Pairs of smaller odds change the others by nothing that counts. */
const NEGLIGIBLE = 2 ** -16;

/**
 * Pairs that earlier runs committed and that would no longer be: weighed as one run over the free lines and theirs would weigh them. What people tied, and what
 * rules of conditions did, is out of it.
 */
export function changedPairs(
  input: EvidenceInput,
  book: Book,
  learned: Learned,
  odds: Float64Array,
  { freeA, freeB }: Pick<FreePairs, 'freeA' | 'freeB'>,
): ChangedPair[] {
  const { pairs: committed } = input.committedBefore;
  if (committed.matchIds.length === 0) return [];
  const rows = committedRows(input, committed);
  const open = odds.slice();
  const isBarred = input.isBarredOfAll();
  const isOfRun = (free: Int32Array, tied: Int32Array, row: number): boolean => intAt(free, row) >= 0 || intAt(tied, row) >= 0;
  const { starts, columns } = book.pairs;
  for (let row = 0; row + 1 < starts.length; row += 1) {
    const isOpen = isOfRun(freeA, rows.ofA, row);
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      if (floatAt(open, at) < NEGLIGIBLE) continue;
      const column = intAt(columns, at);
      if (!isOpen || !isOfRun(freeB, rows.ofB, column) || isBarred(row, column)) open[at] = 0;
    }
  }
  const weighed = prunedPairs(book.pairs, open, NEGLIGIBLE);
  const { a: aloneA, b: aloneB } = aloneWeights(book, learned, weighed.pairs, weighed.odds);
  const marginals = marginalsOf(weighed.pairs, weighed.odds, aloneA, aloneB);
  refine(weighed.pairs, weighed.odds, aloneA, aloneB, marginals);
  return fallen(input, weighed.pairs, marginals, rows.list);
}

interface CommittedRows {
  readonly list: readonly { readonly rowA: number; readonly rowB: number; readonly matchId: number; readonly before: number }[];
  /** By row of all lines: 0 where a committed pair holds it, else -1. */
  readonly ofA: Int32Array;
  readonly ofB: Int32Array;
}

function committedRows({ a, b }: EvidenceInput, { matchIds, aIds, bIds, logOdds }: CommittedLinks['pairs']): CommittedRows {
  const [rowsA, rowsB] = [rowsOf(a.all, aIds), rowsOf(b.all, bIds)];
  const [ofA, ofB] = [new Int32Array(a.all.count).fill(-1), new Int32Array(b.all.count).fill(-1)];
  const list = [...matchIds.keys()].flatMap((at) => {
    const rowA = rowsA.get(floatAt(aIds, at));
    const rowB = rowsB.get(floatAt(bIds, at));
    if (rowA === undefined || rowB === undefined) return [];
    ofA[rowA] = 0;
    ofB[rowB] = 0;
    return [{ rowA, rowB, matchId: floatAt(matchIds, at), before: logOdds[at] as number }];
  });
  return { list, ofA, ofB };
}

function rowsOf(columns: RecordColumns, ids: Float64Array): Map<number, number> {
  const wanted = new Set(ids);
  const rows = new Map<number, number>();
  for (let row = 0; row < columns.count; row += 1) if (wanted.has(idAt(columns, row))) rows.set(idAt(columns, row), row);
  return rows;
}

function fallen({ a, b }: EvidenceInput, pairs: Pairs, { likely }: Marginals, list: CommittedRows['list']): ChangedPair[] {
  const bestOfB = bestByColumn(pairs, likely, b.all.count);
  const firstOfB = twinFinder(b.all);
  const rowOf = rowFinder(pairs);
  return list.flatMap(({ rowA, rowB, matchId, before }) => {
    let now = 0;
    let best = -1;
    for (let at = intAt(pairs.starts, rowA); at < intAt(pairs.starts, rowA + 1); at += 1) {
      const column = intAt(pairs.columns, at);
      // Of lines that nobody can tell apart it does not matter which is taken.
      if (column === rowB || firstOfB(column) === firstOfB(rowB)) now += floatAt(likely, at);
      else if (best < 0 || floatAt(likely, at) > floatAt(likely, best)) best = at;
    }
    if (now >= LEAST_LIKELY) return [];
    const ofColumn = intAt(bestOfB, rowB);
    const others = [
      ...(best >= 0 && floatAt(likely, best) > now ? [idAt(b.all, intAt(pairs.columns, best))] : []),
      ...(ofColumn >= 0 && floatAt(likely, ofColumn) > now && rowOf(ofColumn) !== rowA ? [idAt(a.all, rowOf(ofColumn))] : []),
    ];
    return [{ matchId, before, now: logOddsOf(now / Math.max(1 - now, 2 ** -32)), otherIds: others }];
  });
}

/** By row of B: place of its likeliest pair, or -1. */
function bestByColumn({ columns, count }: Pairs, likely: Float64Array, lines: number): Int32Array {
  const best = new Int32Array(lines).fill(-1);
  for (let at = 0; at < count; at += 1) {
    const known = intAt(best, intAt(columns, at));
    if (known < 0 || floatAt(likely, at) > floatAt(likely, known)) best[intAt(columns, at)] = at;
  }
  return best;
}

/** The row of A that a pair is of. */
function rowFinder({ starts }: Pairs): (at: number) => number {
  return (at) => {
    let [low, high] = [0, starts.length - 2];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (intAt(starts, middle) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}
