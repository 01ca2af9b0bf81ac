import type { Pairs } from '../comparison/pairs.ts';
import type { Learned } from '../estimation/learn.ts';
import type { Book } from '../estimation/read-book.ts';
import { aloneWeights } from './background.ts';
import { type Marginals, marginalsOf } from './propagate.ts';
import { refine } from './refine.ts';

/** How likely each pair is beside all others, listed or not. */
export function weighPairs(book: Book, learned: Learned, pairs: Pairs, odds: Float64Array): Marginals {
  const { a: aloneA, b: aloneB } = aloneWeights(book, learned, pairs, odds);
  const marginals = marginalsOf(pairs, odds, aloneA, aloneB);
  refine(pairs, odds, aloneA, aloneB, marginals);
  return marginals;
}
