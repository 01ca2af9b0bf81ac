import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { firstOn } from '../comparison/find-pairs.ts';
import { AMOUNT, FIRST_LAG, LAG_FAR, lagRange, LAST_LAG, REFERENCE } from '../comparison/levels.ts';
import type { Pairs } from '../comparison/pairs.ts';
import { type Learned, priorOdds, ratios } from '../estimation/learn.ts';
import type { Book } from '../estimation/read-book.ts';
import type { LineFeatures } from '../features/line-features.ts';
import { firstRowOn } from '../frequencies/pair-chances.ts';
import { type Marginals, marginalsOf } from './propagate.ts';
import { refine } from './refine.ts';

/** Weight of having no listed partner, by row: 1 for having none at all, plus the odds of partners that were not listed. */
interface Alone {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/** Text level of names that share nothing. */
const SHARES_NOTHING = 1;

/**
 * Returns the weights of having no listed partner. If more lines have an amount than are listed, any of them may be the partner. They are counted by
 * lag, each as far as its own listed partners leave it free. Without them the listed pairs would look too likely.
 */
function aloneWeights(book: Book, learned: Learned, pairs: Pairs, odds: Float64Array): Alone {
  const { a, b, amounts, listedFrom, listedTo } = book;
  const alone = { a: new Float64Array(a.count).fill(1), b: new Float64Array(b.count).fill(1) };
  const freeA = freedoms(pairs, odds, a.count, true);
  const freeB = freedoms(pairs, odds, b.count, false);
  // Running totals over the lines of one amount, ordered by day; `change` holds the changes from one line to the next.
  const freeBefore = new Float64Array(b.count + 1);
  for (let place = 0; place < b.count; place += 1)
    freeBefore[place + 1] = floatAt(freeBefore, place) + floatAt(freeB, intAt(amounts.rowsB, place));
  const change = new Float64Array(b.count + 1);
  const prior = priorOdds(book.counted, learned) * ratioOfDisagreement(learned);
  const ofLag = new Float64Array(LAG_FAR);
  let day = Number.NaN;
  for (let row = 0; row < a.count; row += 1) {
    const key = intAt(amounts.keyOfA, row);
    const [from, to] = [intAt(amounts.startsB, key), intAt(amounts.startsB, key + 1)];
    const [first, last] = [listedFrom[row] as number, listedTo[row] as number];
    if (from === to || (first <= FIRST_LAG && last >= LAST_LAG) || floatAt(a.values, row) === 0) continue;
    // Rows are ordered by day.
    if (intAt(a.days, row) !== day) readShares(b, (day = intAt(a.days, row)), ofLag);
    const ofAmount = (to - from + intAt(amounts.startsA, key + 1) - intAt(amounts.startsA, key)) / (a.count + b.count);
    for (let bin = 0; bin < LAG_FAR; bin += 1) {
      const [begin, end] = lagRange(bin);
      if (begin >= first && end <= last) continue;
      const placeFrom = firstOn(b.days, amounts.rowsB, from, to, day + begin);
      const placeTo = firstOn(b.days, amounts.rowsB, placeFrom, to, day + end + 1);
      if (placeFrom === placeTo) continue;
      const each = (prior * floatAt(learned.amount, AMOUNT.equal) * floatAt(learned.lag, bin)) / (ofAmount * floatAt(ofLag, bin));
      alone.a[row] = floatAt(alone.a, row) + each * Math.max(0, floatAt(freeBefore, placeTo) - floatAt(freeBefore, placeFrom));
      change[placeFrom] = floatAt(change, placeFrom) + each * floatAt(freeA, row);
      change[placeTo] = floatAt(change, placeTo) - each * floatAt(freeA, row);
    }
  }
  let sum = 0;
  for (let place = 0; place < b.count; place += 1) {
    sum += floatAt(change, place);
    const rowB = intAt(amounts.rowsB, place);
    alone.b[rowB] = floatAt(alone.b, rowB) + Math.max(0, sum);
  }
  return alone;
}

/** Fills `ofLag` with the shares of side B's lines in each bin of days from a day on side A. */
function readShares(b: LineFeatures, day: number, ofLag: Float64Array): void {
  for (let bin = 0; bin < LAG_FAR; bin += 1) {
    const [begin, end] = lagRange(bin);
    ofLag[bin] = (firstRowOn(b, day + end + 1) - firstRowOn(b, day + begin)) / b.count;
  }
}

/** Returns, by row, the probability that no listed pair takes it. */
function freedoms({ starts, columns }: Pairs, odds: Float64Array, lines: number, isA: boolean): Float64Array {
  const sums = new Float64Array(lines).fill(1);
  for (let row = 0; row + 1 < starts.length; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const line = isA ? row : intAt(columns, at);
      sums[line] = floatAt(sums, line) + floatAt(odds, at);
    }
  }
  return sums.map((sum) => 1 / sum);
}

/** Returns the likelihood ratio, at most 1, of words and references that were not found to agree. */
function ratioOfDisagreement({ text, textU, reference, referenceU }: Learned): number {
  const ofText = floatAt(ratios(text, textU), SHARES_NOTHING);
  const ofReference = floatAt(ratios(reference, referenceU), REFERENCE.missing);
  return Math.min(1, ofText) * Math.min(1, ofReference);
}

interface WeighedMarginals extends Marginals {
  /** By row: probability that a line has no partner among its candidates. */
  readonly withoutPartner: { readonly a: Float64Array; readonly b: Float64Array };
}

/** Returns the probability of each pair in competition with all others, listed or not. */
export function weighPairs(book: Book, learned: Learned, pairs: Pairs, odds: Float64Array): WeighedMarginals {
  const { a: aloneA, b: aloneB } = aloneWeights(book, learned, pairs, odds);
  const marginals = marginalsOf(pairs, odds, aloneA, aloneB);
  const withoutPartner = chancesOfNone(pairs, marginals, aloneA.length, aloneB.length);
  refine(pairs, odds, aloneA, aloneB, marginals);
  return { ...marginals, withoutPartner };
}

function chancesOfNone(
  { starts, columns }: Pairs,
  { likely }: Marginals,
  linesA: number,
  linesB: number,
): WeighedMarginals['withoutPartner'] {
  const [a, b] = [new Float64Array(linesA).fill(1), new Float64Array(linesB).fill(1)];
  for (let row = 0; row + 1 < starts.length; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const column = intAt(columns, at);
      a[row] = floatAt(a, row) - floatAt(likely, at);
      b[column] = floatAt(b, column) - floatAt(likely, at);
    }
  }
  return { a, b };
}
