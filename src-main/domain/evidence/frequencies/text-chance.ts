import { IntList } from '../../collections/growable-array.ts';
import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { TEXT_LEVELS, TEXT_MISSING } from '../comparison/levels.ts';
import { drawPairs } from './draw-pairs.ts';
import { compareNames, isTelling, type NameWeights } from './name-weights.ts';

/** Up to so many pairs of names are all compared. */
const MOST_ENUMERATED = 300_000;
/** Pairs that are drawn at random, and of each class of features by how many pairs they make. */
const DRAWS = 20_000;

/** How many pairs of lines, one of each side, look so: by text level, with how far the count may be off. */
export interface TextChance {
  readonly pairs: Float64Array;
  readonly error: Float64Array;
}

/**
 * Counts pairs by text level. Few names are all compared. Of many, pairs are drawn that share a feature, class by class of how rare it is, and each counts as many
 * pairs as it stands for: else what is rare would never be drawn.
 */
export function textChance(weights: NameWeights, countA: number, countB: number): TextChance {
  const { linesA, linesB } = weights;
  const pairs = new Float64Array(TEXT_LEVELS);
  const error = new Float64Array(TEXT_LEVELS);
  const [namesA, namesB] = [namesWith(weights, linesA), namesWith(weights, linesB)];
  const withoutA = countA - sumOver(linesA, namesA);
  const withoutB = countB - sumOver(linesB, namesB);
  pairs[TEXT_MISSING] = withoutA * countB + (countA - withoutA) * withoutB;
  if (namesA.length * namesB.length <= MOST_ENUMERATED) {
    for (const a of namesA) {
      for (const b of namesB) {
        const level = compareNames(weights, a, b);
        pairs[level] = floatAt(pairs, level) + intAt(linesA, a) * intAt(linesB, b);
      }
    }
    return { pairs, error };
  }
  const square = new Float64Array(TEXT_LEVELS);
  let counted = 0;
  drawPairs(weights, linesA, linesB, DRAWS, (a, b, stands) => {
    const level = compareNames(weights, a, b);
    if (level === TEXT_MISSING) return;
    pairs[level] = floatAt(pairs, level) + stands;
    square[level] = floatAt(square, level) + stands * stands;
    counted += stands;
  });
  // What shares no feature at all.
  pairs[1] = floatAt(pairs, 1) + Math.max(0, (countA - withoutA) * (countB - withoutB) - counted);
  for (let level = 0; level < TEXT_LEVELS; level += 1) error[level] = Math.sqrt(floatAt(square, level));
  return { pairs, error };
}

/** Names that are on any lines and tell anything: lines of the others are as good as without a name. */
function namesWith(weights: NameWeights, lines: Int32Array): Int32Array {
  const list = new IntList();
  for (let name = 0; name < lines.length; name += 1) if (intAt(lines, name) > 0 && isTelling(weights, name)) list.push(name);
  return list.items.slice(0, list.length);
}

function sumOver(lines: Int32Array, names: Int32Array): number {
  let sum = 0;
  for (const name of names) sum += intAt(lines, name);
  return sum;
}
