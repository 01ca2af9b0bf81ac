import type { Meaning } from '../vocabulary/meaning.ts';
import type { ColumnFacts } from './column-facts.ts';

/** The columns of a table while each gets its role. */
export interface Choice {
  readonly facts: readonly ColumnFacts[];
  /** For each column, the possible meanings of its header with their rank. */
  readonly meanings: readonly ReadonlyMap<Meaning, number>[];
  readonly taken: Set<number>;
}

export function take(choice: Choice, index: number | null): number | null {
  if (index !== null) choice.taken.add(index);
  return index;
}

/** Returns the free column of highest rank for a meaning whose content agrees; a sparsely filled column ranks lower, an empty one lowest. */
export function pick(choice: Choice, meaning: Meaning, agrees: (facts: ColumnFacts) => boolean): number | null {
  let best: { index: number; score: number } | null = null;
  for (const one of choice.facts) {
    const rank = choice.meanings[one.index]?.get(meaning);
    if (rank === undefined || choice.taken.has(one.index) || !agrees(one)) continue;
    const score = rank - (one.filled === 0 ? 7 : one.filled * 2 < one.rows ? 6 : 0);
    if (best === null || score > best.score) best = { index: one.index, score };
  }
  return best?.index ?? null;
}
