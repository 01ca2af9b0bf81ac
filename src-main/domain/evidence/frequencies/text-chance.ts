import { intAt, intList, append, floatAt } from '../../matching/typed.ts';
import { TEXT_LEVELS, TEXT_MISSING } from '../comparison/levels.ts';
import { compareNames, type NameWeights } from './name-weights.ts';

/** Up to so many pairs of names are all compared. */
const MOST_ENUMERATED = 300_000;
/** Pairs that are drawn at random, and of each class of features by how many pairs they make. */
const DRAWS = 20_000;
const CLASS_FACTOR = 16;
const CLASSES = 12;

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
  const [namesA, namesB] = [namesWith(linesA), namesWith(linesB)];
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
  draw(weights, pairs, error, (countA - withoutA) * (countB - withoutB));
  return { pairs, error };
}

function namesWith(lines: Int32Array): Int32Array {
  const list = intList();
  for (let name = 0; name < lines.length; name += 1) if (intAt(lines, name) > 0) append(list, name);
  return list.items.slice(0, list.length);
}

function sumOver(lines: Int32Array, names: Int32Array): number {
  let sum = 0;
  for (const name of names) sum += intAt(lines, name);
  return sum;
}

/** Names by feature, with how many lines stand before each: a line is drawn by its number. */
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

/** Lines that carry a feature. */
function linesWith({ starts, ends }: Postings, feature: number): number {
  const end = intAt(starts, feature + 1);
  return end === intAt(starts, feature) ? 0 : floatAt(ends, end - 1);
}

function nameAt({ starts, names, ends }: Postings, feature: number, line: number): number {
  let low = intAt(starts, feature);
  let high = intAt(starts, feature + 1) - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (floatAt(ends, middle) <= line) low = middle + 1;
    else high = middle;
  }
  return intAt(names, low);
}

function classOfPairs(pairs: number): number {
  let found = 0;
  for (let limit = CLASS_FACTOR; found < CLASSES - 1 && pairs >= limit; limit *= CLASS_FACTOR) found += 1;
  return found;
}

function draw(weights: NameWeights, pairs: Float64Array, error: Float64Array, all: number): void {
  const featureCount = weights.bits.length;
  const a = postingsOf(weights, weights.linesA, featureCount);
  const b = postingsOf(weights, weights.linesB, featureCount);
  const random = seeded();
  const classes = new Int8Array(featureCount).fill(-1);
  const lists = Array.from({ length: CLASSES }, () => intList());
  const totals = new Float64Array(CLASSES);
  for (let feature = 0; feature < featureCount; feature += 1) {
    const made = (weights.bits[feature] as number) > 0 ? linesWith(a, feature) * linesWith(b, feature) : 0;
    if (made === 0) continue;
    const of = classOfPairs(made);
    classes[feature] = of;
    append(lists[of] as never, feature);
    totals[of] = floatAt(totals, of) + made;
  }
  const square = new Float64Array(TEXT_LEVELS);
  let counted = 0;
  for (let of = 0; of < CLASSES; of += 1) {
    const list = lists[of];
    if (list === undefined || list.length === 0) continue;
    const features = list.items.subarray(0, list.length);
    const ends = new Float64Array(features.length);
    let sum = 0;
    features.forEach((feature, place) => {
      sum += linesWith(a, feature) * linesWith(b, feature);
      ends[place] = sum;
    });
    for (let turn = 0; turn < DRAWS; turn += 1) {
      const feature = intAt(features, firstAbove(ends, random() * sum));
      const nameA = nameAt(a, feature, Math.floor(random() * linesWith(a, feature)));
      const nameB = nameAt(b, feature, Math.floor(random() * linesWith(b, feature)));
      const ways = waysToDraw(weights, classes, nameA, nameB, of);
      if (ways === 0) continue;
      const level = compareNames(weights, nameA, nameB);
      const stands = sum / DRAWS / ways;
      pairs[level] = floatAt(pairs, level) + stands;
      square[level] = floatAt(square, level) + stands * stands;
      counted += stands;
    }
  }
  // What shares no feature at all.
  pairs[1] = floatAt(pairs, 1) + Math.max(0, all - counted);
  for (let level = 0; level < TEXT_LEVELS; level += 1) error[level] = Math.sqrt(floatAt(square, level));
}

/** Features of a class that two names share; none where they share one of a rarer class. */
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

function firstAbove(ends: Float64Array, value: number): number {
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (floatAt(ends, middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Mulberry32: the same draws for the same book. */
function seeded(): () => number {
  let state = 0x5eed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
