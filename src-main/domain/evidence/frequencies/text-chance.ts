import { IntList } from '../../collections/growable-array.ts';
import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { TEXT_LEVELS, TEXT_MISSING } from '../comparison/levels.ts';
import { drawPairs } from './draw-pairs.ts';
import { compareNames, isTelling, type NameWeights } from './name-weights.ts';

/** Up to this many pairs of names are compared exhaustively. */
const MOST_ENUMERATED = 300_000;
/** Draws from each class of features. */
const DRAWS = 20_000;

/** Number of pairs of lines of both sides by text level, with the standard error of each number. */
export interface TextChance {
  readonly pairs: Float64Array;
  readonly error: Float64Array;
}

/**
 * Counts pairs of lines by text level. A small number of names is compared exhaustively. From a large number, pairs that share a feature are drawn by
 * class of rarity and weighted by the number of pairs they represent, because plain sampling would never draw rare features.
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
  // The remaining pairs share no feature at all.
  pairs[1] = floatAt(pairs, 1) + Math.max(0, (countA - withoutA) * (countB - withoutB) - counted);
  for (let level = 0; level < TEXT_LEVELS; level += 1) error[level] = Math.sqrt(floatAt(square, level));
  return { pairs, error };
}

/** Returns the names that occur and identify a party. Lines of other names count as lines without a name. */
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
