import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { Pairs } from '../comparison/pairs.ts';

const MOST_ROUNDS = 40;
/** Messages that change by less than this share have converged. */
const SETTLED = 2 ** -12;

export interface Marginals {
  /** By pair: its probability over all matchings, 0..1, and the odds of it. */
  readonly likely: Float64Array;
  readonly odds: Float64Array;
  /** By pair: 1 if its messages had not converged in the last round. */
  readonly isOpen: Uint8Array;
  readonly rounds: number;
}

/**
 * Sums of terms by line of B, with the largest term kept separately. A sum without that term must not be computed as the difference of two large
 * numbers.
 */
interface Sums {
  readonly rest: Float64Array;
  readonly top: Float64Array;
  readonly topAt: Int32Array;
}

/**
 * Returns the probability of each pair, given that a line has at most one partner. This is belief propagation for monomers and dimers with parallel
 * updates, so that ties get equal values. `aloneA` and `aloneB` hold the weight of having no listed partner, by row, at least 1. Most lines settle
 * within a few rounds, so a message is computed again only if one that it depends on has changed.
 */
export function marginalsOf(pairs: Pairs, odds: Float64Array, aloneA: Float64Array, aloneB: Float64Array): Marginals {
  const { starts, columns, count } = pairs;
  // The message of a line over a pair says how free the line is without that pair.
  const toB = new Float64Array(count).fill(1);
  const toA = new Float64Array(count).fill(1);
  const isOpen = new Uint8Array(count);
  const sums: Sums = { rest: new Float64Array(aloneB.length), top: new Float64Array(aloneB.length), topAt: new Int32Array(aloneB.length) };
  // By row of A: 1 if a message to it changed. By row of B: the same; in the first round all count as changed.
  const isMoved: Moved = { a: new Uint8Array(aloneA.length).fill(1), b: new Uint8Array(aloneB.length) };
  let round = 0;
  for (let changed = 1; changed > 0 && round < MOST_ROUNDS; round += 1) {
    isMoved.b.fill(round === 0 ? 1 : 0);
    changed = fromA(pairs, odds, aloneA, toA, toB, isOpen, isMoved);
    sumByColumn(pairs, odds, toB, aloneB, sums, isMoved.b);
    for (let row = 0; row + 1 < starts.length; row += 1) {
      let isReached = 0;
      for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
        const column = intAt(columns, at);
        if (isMoved.b[column] === 0) continue;
        isReached = 1;
        const rest = floatAt(sums.rest, column);
        const isTop = intAt(sums.topAt, column) === at;
        toA[at] =
          1 / (isTop ? rest : Math.max(floatAt(aloneB, column), rest - floatAt(odds, at) * floatAt(toB, at)) + floatAt(sums.top, column));
      }
      isMoved.a[row] = isReached;
    }
  }
  const likely = new Float64Array(count);
  const found = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    const weight = floatAt(odds, at) * floatAt(toA, at) * floatAt(toB, at);
    found[at] = weight;
    likely[at] = weight / (1 + weight);
  }
  return { likely, odds: found, isOpen, rounds: round };
}

interface Moved {
  readonly a: Uint8Array;
  readonly b: Uint8Array;
}

/** Updates the messages of the lines of A, marks the lines of B whose messages changed, and returns how many changed. */
function fromA(
  { starts, columns }: Pairs,
  odds: Float64Array,
  alone: Float64Array,
  toA: Float64Array,
  toB: Float64Array,
  isOpen: Uint8Array,
  isMoved: Moved,
): number {
  let changed = 0;
  for (let row = 0; row + 1 < starts.length; row += 1) {
    if (isMoved.a[row] === 0) continue;
    const from = intAt(starts, row);
    const to = intAt(starts, row + 1);
    let rest = floatAt(alone, row);
    let top = 0;
    let topAt = -1;
    for (let at = from; at < to; at += 1) {
      const term = floatAt(odds, at) * floatAt(toA, at);
      if (term > top) {
        rest += top;
        top = term;
        topAt = at;
      } else rest += term;
    }
    for (let at = from; at < to; at += 1) {
      const own = at === topAt ? rest : Math.max(floatAt(alone, row), rest - floatAt(odds, at) * floatAt(toA, at)) + top;
      const before = floatAt(toB, at);
      // Takes the geometric mean of old and new value; otherwise messages between lines of equal weight would oscillate.
      const next = to - from === 1 ? 1 / own : Math.sqrt(before / own);
      toB[at] = next;
      const isChanged = Math.abs(next - before) > SETTLED * before;
      isOpen[at] = isChanged ? 1 : 0;
      if (!isChanged) continue;
      changed += 1;
      isMoved.b[intAt(columns, at)] = 1;
    }
  }
  return changed;
}

function sumByColumn(
  { columns, count }: Pairs,
  odds: Float64Array,
  toB: Float64Array,
  alone: Float64Array,
  { rest, top, topAt }: Sums,
  isMoved: Uint8Array,
): void {
  for (let column = 0; column < isMoved.length; column += 1) {
    if (isMoved[column] === 0) continue;
    rest[column] = floatAt(alone, column);
    top[column] = 0;
    topAt[column] = -1;
  }
  for (let at = 0; at < count; at += 1) {
    const column = intAt(columns, at);
    if (isMoved[column] === 0) continue;
    const term = floatAt(odds, at) * floatAt(toB, at);
    if (term > floatAt(top, column)) {
      rest[column] = floatAt(rest, column) + floatAt(top, column);
      top[column] = term;
      topAt[column] = at;
    } else rest[column] = floatAt(rest, column) + term;
  }
}
