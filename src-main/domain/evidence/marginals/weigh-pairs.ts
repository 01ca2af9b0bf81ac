import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { Pairs } from '../comparison/pairs.ts';
import type { Learned } from '../estimation/learn.ts';
import type { Book } from '../estimation/read-book.ts';
import { aloneWeights } from './background.ts';
import { type Marginals, marginalsOf } from './propagate.ts';
import { refine } from './refine.ts';

interface WeighedMarginals extends Marginals {
  /** By row: chance that a line has none of its partners. */
  readonly withoutPartner: { readonly a: Float64Array; readonly b: Float64Array };
}

/** How likely each pair is beside all others, listed or not. */
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
