import { idAt } from '../../records/record-columns.ts';
import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { type FreePairs, openPairs } from '../comparison/free-lines.ts';
import type { Pairs } from '../comparison/pairs.ts';
import type { Learned } from '../estimation/learn.ts';
import type { Book } from '../estimation/read-book.ts';
import { rowById } from '../features/row-by-id.ts';
import type { ChangedPair, CommittedLinks } from '../model/committed.ts';
import type { EvidenceInput } from '../model/input.ts';
import { logOddsOf } from '../model/parts.ts';
import { evidenceOfPairs } from './likely-pairs.ts';
import type { Marginals } from './propagate.ts';
import { firstOfTies } from './ties.ts';
import { weighPairs } from './weigh-pairs.ts';

/**
 * A committed pair is shown for review if its log odds fall below those of 0.97. The threshold to commit is higher, so that small drifts change
 * nothing.
 */
const LEAST_LIKELY = 321;

/**
 * Returns the pairs that earlier runs committed and that would no longer be. They are weighed as one run over the free lines and theirs would weigh
 * them. Pairs confirmed by people and matches of other rules take no part. `correct` applies the calibration to log odds, given the share of the
 * doubt that is about having a partner.
 */
export function changedPairs(
  input: EvidenceInput,
  book: Book,
  learned: Learned,
  pairs: Pairs,
  odds: Float64Array,
  { freeA, freeB }: Pick<FreePairs, 'freeA' | 'freeB'>,
  correct: (logOdds: number, alone: number, kind: number) => number,
): ChangedPair[] {
  const { pairs: committed } = input.committedBefore;
  if (committed.matchIds.length === 0) return [];
  const rows = committedRows(input, committed);
  const isBarred = input.isBarredOfAll();
  const isOfRun = (free: Int32Array, committedOnes: ReadonlySet<number>, row: number): boolean =>
    intAt(free, row) >= 0 || committedOnes.has(row);
  const open = openPairs(
    pairs,
    odds,
    (row, column) => isOfRun(freeA, rows.ofA, row) && isOfRun(freeB, rows.ofB, column) && !isBarred(row, column),
  );
  const marginals = weighPairs(book, learned, open.pairs, open.odds);
  const { withoutPartner } = marginals;
  const kindAt = evidenceOfPairs(open.pairs, book.counted, learned);
  const corrected = (now: number, rowA: number, rowB: number, at: number): number => {
    const doubt = Math.max(1 - now, 2 ** -32);
    const alone = at < 0 ? 0 : Math.min(floatAt(withoutPartner.a, rowA), floatAt(withoutPartner.b, rowB)) / doubt;
    return correct(logOddsOf(now / doubt), Math.max(0, Math.min(1, alone)), at < 0 ? 0 : kindAt(at));
  };
  return fallen(input, open.pairs, marginals, rows.list, corrected);
}

interface CommittedRows {
  readonly list: readonly { readonly rowA: number; readonly rowB: number; readonly matchId: number; readonly before: number }[];
  /** Rows of all lines that the committed pairs hold. */
  readonly ofA: ReadonlySet<number>;
  readonly ofB: ReadonlySet<number>;
}

function committedRows({ a, b }: EvidenceInput, { matchIds, aIds, bIds, logOdds }: CommittedLinks['pairs']): CommittedRows {
  const [rowsA, rowsB] = [rowById(a.all, new Set(aIds)), rowById(b.all, new Set(bIds))];
  const list = [...matchIds.keys()].flatMap((at) => {
    const rowA = rowsA.get(floatAt(aIds, at));
    const rowB = rowsB.get(floatAt(bIds, at));
    if (rowA === undefined || rowB === undefined) return [];
    return [{ rowA, rowB, matchId: floatAt(matchIds, at), before: logOdds[at] as number }];
  });
  return { list, ofA: new Set(list.map(({ rowA }) => rowA)), ofB: new Set(list.map(({ rowB }) => rowB)) };
}

function fallen(
  { a, b }: EvidenceInput,
  pairs: Pairs,
  { likely }: Marginals,
  list: CommittedRows['list'],
  corrected: (now: number, rowA: number, rowB: number, at: number) => number,
): ChangedPair[] {
  const bestOfB = bestByColumn(pairs, likely, b.all.count);
  const firstOfB = firstOfTies(b.all);
  return list.flatMap(({ rowA, rowB, matchId, before }) => {
    let now = 0;
    let best = -1;
    let own = -1;
    for (let at = intAt(pairs.starts, rowA); at < intAt(pairs.starts, rowA + 1); at += 1) {
      const column = intAt(pairs.columns, at);
      // Among indistinguishable lines it does not matter which one is taken.
      if (column === rowB || firstOfB(column) === firstOfB(rowB)) {
        now += floatAt(likely, at);
        own = at;
      } else if (best < 0 || floatAt(likely, at) > floatAt(likely, best)) best = at;
    }
    const logOdds = corrected(now, rowA, rowB, own);
    if (logOdds >= LEAST_LIKELY) return [];
    const rivalOfB = intAt(bestOfB.rows, rowB);
    const others = [
      ...(best >= 0 && floatAt(likely, best) > now ? [idAt(b.all, intAt(pairs.columns, best))] : []),
      ...(rivalOfB >= 0 && floatAt(bestOfB.likely, rowB) > now && rivalOfB !== rowA ? [idAt(a.all, rivalOfB)] : []),
    ];
    return [{ matchId, before, now: logOdds, otherIds: others }];
  });
}

/** By row of B: the row of A of its most likely pair, or -1, and the probability of that pair. */
function bestByColumn(
  { starts, columns }: Pairs,
  likely: Float64Array,
  lines: number,
): { readonly rows: Int32Array; readonly likely: Float64Array } {
  const best = { rows: new Int32Array(lines).fill(-1), likely: new Float64Array(lines) };
  for (let row = 0; row + 1 < starts.length; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const column = intAt(columns, at);
      if (floatAt(likely, at) <= floatAt(best.likely, column)) continue;
      best.rows[column] = row;
      best.likely[column] = floatAt(likely, at);
    }
  }
  return best;
}
