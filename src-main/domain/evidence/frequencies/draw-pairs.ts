import { IntList } from '../../collections/growable-array.ts';
import { floatAt, intAt, itemAt } from '../../collections/typed-arrays.ts';
import type { NameWeights } from './name-weights.ts';

/** Features are divided into classes by how many pairs they make. The limit grows by this factor from class to class. */
const CLASS_FACTOR = 16;
const CLASSES = 12;

/** Called with two names that were drawn, and with the number of pairs of lines that the draw represents. */
type VisitDraw = (nameA: number, nameB: number, stands: number) => void;

/** Names by feature, with a running total of lines, so that a line is drawn by its number. */
interface Postings {
  readonly starts: Int32Array;
  readonly names: Int32Array;
  readonly ends: Float64Array;
}

function postingsOf({ starts, features }: NameWeights, lines: Int32Array, featureCount: number): Postings {
  const counts = new Int32Array(featureCount + 1);
  for (let name = 0; name < lines.length; name += 1) {
    if (intAt(lines, name) === 0) continue;
    for (let at = intAt(starts, name); at < intAt(starts, name + 1); at += 1) {
      const feature = intAt(features, at);
      counts[feature + 1] = intAt(counts, feature + 1) + 1;
    }
  }
  for (let feature = 0; feature < featureCount; feature += 1) counts[feature + 1] = intAt(counts, feature + 1) + intAt(counts, feature);
  const next = counts.slice();
  const names = new Int32Array(intAt(counts, featureCount));
  const ends = new Float64Array(names.length);
  for (let name = 0; name < lines.length; name += 1) {
    if (intAt(lines, name) === 0) continue;
    for (let at = intAt(starts, name); at < intAt(starts, name + 1); at += 1) {
      const feature = intAt(features, at);
      const place = intAt(next, feature);
      next[feature] = place + 1;
      names[place] = name;
      ends[place] = intAt(lines, name) + (place === intAt(counts, feature) ? 0 : floatAt(ends, place - 1));
    }
  }
  return { starts: counts, names, ends };
}

/** Returns the number of lines that have a feature. */
function linesWith({ starts, ends }: Postings, feature: number): number {
  const end = intAt(starts, feature + 1);
  return end === intAt(starts, feature) ? 0 : floatAt(ends, end - 1);
}

function nameAt({ starts, names, ends }: Postings, feature: number, line: number): number {
  return intAt(names, firstAbove(ends, line, intAt(starts, feature), intAt(starts, feature + 1)));
}

function classOfPairs(pairs: number): number {
  let found = 0;
  for (let limit = CLASS_FACTOR; found < CLASSES - 1 && pairs >= limit; limit *= CLASS_FACTOR) found += 1;
  return found;
}

/**
 * Draws pairs of lines that share a feature, the same number from each class. A pair belongs to the class of its rarest shared feature. Rare features
 * are drawn as often as common ones, and each draw is weighted by the number of pairs it represents.
 */
export function drawPairs(weights: NameWeights, linesA: Int32Array, linesB: Int32Array, draws: number, visit: VisitDraw): void {
  const featureCount = weights.bits.length;
  const a = postingsOf(weights, linesA, featureCount);
  const b = linesA === linesB ? a : postingsOf(weights, linesB, featureCount);
  const random = seeded();
  const classes = new Int8Array(featureCount).fill(-1);
  const lists = Array.from({ length: CLASSES }, () => new IntList());
  for (let feature = 0; feature < featureCount; feature += 1) {
    const made = (weights.bits[feature] as number) > 0 ? linesWith(a, feature) * linesWith(b, feature) : 0;
    if (made === 0) continue;
    classes[feature] = classOfPairs(made);
    itemAt(lists, classes[feature] as number).push(feature);
  }
  for (let of = 0; of < CLASSES; of += 1) {
    const features = itemAt(lists, of).items.subarray(0, itemAt(lists, of).length);
    const ends = new Float64Array(features.length);
    let sum = 0;
    features.forEach((feature, place) => {
      sum += linesWith(a, feature) * linesWith(b, feature);
      ends[place] = sum;
    });
    const turns = Math.min(draws, Math.ceil(sum * 2));
    for (let turn = 0; turn < turns; turn += 1) {
      const feature = intAt(features, firstAbove(ends, random() * sum, 0, ends.length));
      const nameA = nameAt(a, feature, Math.floor(random() * linesWith(a, feature)));
      const nameB = nameAt(b, feature, Math.floor(random() * linesWith(b, feature)));
      const ways = waysToDraw(weights, classes, nameA, nameB, of);
      if (ways > 0) visit(nameA, nameB, sum / turns / ways);
    }
  }
}

/** Returns the number of features of a class that two names share; 0 if they share one of a rarer class. */
function waysToDraw({ starts, features }: NameWeights, classes: Int8Array, a: number, b: number, of: number): number {
  let ways = 0;
  let atA = intAt(starts, a);
  let atB = intAt(starts, b);
  const [endA, endB] = [intAt(starts, a + 1), intAt(starts, b + 1)];
  while (atA < endA && atB < endB) {
    const difference = intAt(features, atA) - intAt(features, atB);
    if (difference === 0) {
      const found = classes[intAt(features, atA)] as number;
      if (found >= 0 && found < of) return 0;
      if (found === of) ways += 1;
    }
    if (difference <= 0) atA += 1;
    if (difference >= 0) atB += 1;
  }
  return ways;
}

/** Returns the first index in a range, `to` excluded, that ends above a value, or the last index if none does. */
function firstAbove(ends: Float64Array, value: number, from: number, to: number): number {
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (floatAt(ends, middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Mulberry32 with a fixed seed, so that the same book gets the same draws. */
export function seeded(): () => number {
  let state = 0x5eed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
