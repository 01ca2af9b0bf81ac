import { intAt } from '../../collections/typed-arrays.ts';
import type { LineFeatures } from '../features/line-features.ts';
import type { Names } from '../features/names.ts';
import { log2Of } from '../model/logarithm.ts';
import { textLevel, TEXT_MISSING } from '../comparison/levels.ts';

/** Quarters of a word's weight in one bit of it. */
const SHARE_STEPS = 4;

/** Weights of the features of names, derived from how many lines have them. */
export interface NameWeights {
  readonly starts: Int32Array;
  readonly features: Int32Array;
  /** Weight of each feature in bits; 0 if half of the lines have it. */
  readonly bits: Float32Array;
  /** Sum of the weights of a name's features, in bits. */
  readonly totals: Float32Array;
  /** Number of lines, by name and side. */
  readonly linesA: Int32Array;
  readonly linesB: Int32Array;
}

export function nameWeights(names: Names, a: LineFeatures, b: LineFeatures): NameWeights {
  const { starts, features } = names.layout();
  const linesA = linesOf(a, names.count);
  const linesB = linesOf(b, names.count);
  const [countsA, countsB] = [new Float64Array(names.featureCount), new Float64Array(names.featureCount)];
  for (let name = 0; name < names.count; name += 1) {
    for (let at = intAt(starts, name); at < intAt(starts, name + 1); at += 1) {
      const feature = intAt(features, at);
      countsA[feature] = (countsA[feature] as number) + intAt(linesA, name);
      countsB[feature] = (countsB[feature] as number) + intAt(linesB, name);
    }
  }
  const bits = new Float32Array(names.featureCount);
  for (let feature = 0; feature < bits.length; feature += 1) {
    // A feature on all lines of one side identifies nothing, however rare it is on the other side.
    const share = Math.max((countsA[feature] as number) / Math.max(1, a.count), (countsB[feature] as number) / Math.max(1, b.count));
    bits[feature] = (Math.max(0, 0 - log2Of(share) - 0.2) * intAt(names.shares.items, feature)) / SHARE_STEPS;
  }
  const totals = new Float32Array(names.count);
  for (let name = 0; name < names.count; name += 1) {
    let total = 0;
    for (let at = intAt(starts, name); at < intAt(starts, name + 1); at += 1) total += bits[intAt(features, at)] as number;
    totals[name] = total;
  }
  return { starts, features, bits, totals, linesA, linesB };
}

function linesOf({ names, count }: LineFeatures, known: number): Int32Array {
  const lines = new Int32Array(known);
  for (let row = 0; row < count; row += 1) if (intAt(names, row) >= 0) lines[intAt(names, row)] = intAt(lines, intAt(names, row)) + 1;
  return lines;
}

/** A name with less weight does not identify a party. */
const LEAST_TOTAL = 4;

export function isTelling({ totals }: NameWeights, name: number): boolean {
  return name >= 0 && (totals[name] as number) >= LEAST_TOTAL;
}

/** Returns the text level of two names; -1 as a name means that a line has no words. */
export function compareNames(weights: NameWeights, a: number, b: number): number {
  if (!isTelling(weights, a) || !isTelling(weights, b)) return TEXT_MISSING;
  const { starts, features, bits, totals } = weights;
  const least = Math.min(totals[a] as number, totals[b] as number);
  if (a === b) return textLevel(least, 1);
  let common = 0;
  let atA = intAt(starts, a);
  let atB = intAt(starts, b);
  const endA = intAt(starts, a + 1);
  const endB = intAt(starts, b + 1);
  while (atA < endA && atB < endB) {
    const difference = intAt(features, atA) - intAt(features, atB);
    if (difference === 0) {
      common += bits[intAt(features, atA)] as number;
      atA += 1;
      atB += 1;
    } else if (difference < 0) atA += 1;
    else atB += 1;
  }
  return textLevel(common, common / least);
}
