import { grownTo, intAt } from '../../collections/typed-arrays.ts';
import { TEXT_MISSING, textLevel } from '../comparison/levels.ts';
import type { LineFeatures } from '../features/line-features.ts';
import type { Names } from '../features/names.ts';
import { log2Of } from '../model/logarithm.ts';

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

/** Most features of a name in the index, and most features of a name that are looked up. */
const LISTED = 16;
export const ASKED = 10;
/** A feature on a larger share of the side is not looked up, unless it is on at most this many lines. */
const COMMON_SHARE = 0.02;
const MOST_COMMON_LINES = 40;

/** Rows of a side by feature of their names, ascending and therefore by day. */
export interface Postings {
  readonly starts: Int32Array;
  readonly rows: Int32Array;
  /** Rare features of each name, the rarest first, with the start of each name. */
  readonly rareStarts: Int32Array;
  readonly rare: Int32Array;
}

export function postingsOf(weights: NameWeights, b: LineFeatures): Postings {
  const { starts, features, bits } = weights;
  const names = weights.totals.length;
  const counts = new Int32Array(bits.length);
  for (let name = 0; name < names; name += 1) {
    for (let at = intAt(starts, name); at < intAt(starts, name + 1); at += 1) {
      counts[intAt(features, at)] = intAt(counts, intAt(features, at)) + intAt(weights.linesB, name);
    }
  }
  const limit = Math.max(MOST_COMMON_LINES, COMMON_SHARE * b.count);
  const rareStarts = new Int32Array(names + 1);
  let rare: Int32Array = new Int32Array(names * 8);
  let length = 0;
  for (let name = 0; name < names; name += 1) {
    const found: number[] = [];
    for (let at = intAt(starts, name); at < intAt(starts, name + 1); at += 1) {
      const feature = intAt(features, at);
      if (intAt(counts, feature) > 0 && intAt(counts, feature) <= limit && (bits[feature] as number) > 0) found.push(feature);
    }
    found.sort((left, right) => intAt(counts, left) - intAt(counts, right) || left - right);
    const kept = Math.min(found.length, LISTED);
    rare = grownTo(rare, length + kept);
    for (let at = 0; at < kept; at += 1) rare[length + at] = found[at] as number;
    length += kept;
    rareStarts[name + 1] = length;
  }
  return { ...listRows(b, rareStarts, rare, bits.length), rareStarts, rare: rare.subarray(0, length) };
}

function listRows(b: LineFeatures, rareStarts: Int32Array, rare: Int32Array, featureCount: number): Pick<Postings, 'starts' | 'rows'> {
  const starts = new Int32Array(featureCount + 1);
  const each = (visit: (feature: number, row: number) => void): void => {
    for (let row = 0; row < b.count; row += 1) {
      const name = intAt(b.names, row);
      if (name < 0) continue;
      for (let at = intAt(rareStarts, name); at < intAt(rareStarts, name + 1); at += 1) visit(intAt(rare, at), row);
    }
  };
  each((feature) => {
    starts[feature + 1] = intAt(starts, feature + 1) + 1;
  });
  for (let feature = 0; feature < featureCount; feature += 1) starts[feature + 1] = intAt(starts, feature + 1) + intAt(starts, feature);
  const next = starts.slice();
  const rows = new Int32Array(intAt(starts, featureCount));
  each((feature, row) => {
    rows[intAt(next, feature)] = row;
    next[feature] = intAt(next, feature) + 1;
  });
  return { starts, rows };
}
