import { floatAt, intAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import { AMOUNT, amountLevel, placesOfText, TEXT_LEVELS } from '../comparison/levels.ts';
import type { LineFeatures } from '../features/line-features.ts';
import { drawPairs, seeded } from './draw-pairs.ts';
import { compareNames, type NameWeights } from './name-weights.ts';
import type { Siblings } from './siblings.ts';

const DRAWS = 8_000;
/** All pairs are examined if a side has at most this many lines. */
const MOST_ENUMERATED = 400;
const RANDOM_PAIRS = 20_000;
/** Weight of the prior, in draws. */
const PRIOR_WEIGHT = 6;
/** Share level and bit level from which on two names count as one, unless the book shows otherwise. */
const SAME_SHARE = 3;
const SAME_BITS = 3;

/**
 * The u-probabilities of amounts for lines of similar names, by text level and amount level: how often beyond chance two lines of one side with such
 * names have such amounts. Similar lines are not independent: if the partner of one is missing, that of the other would fit.
 */
export type UProbabilities = Float64Array;

export function uProbabilitiesOf(a: LineFeatures, b: LineFeatures, weights: NameWeights, siblings: Siblings): UProbabilities {
  const sums = new Float64Array(TEXT_LEVELS * AMOUNT.count);
  const totals = new Float64Array(TEXT_LEVELS);
  const squares = new Float64Array(TEXT_LEVELS);
  const add = (text: number, amount: number, stands: number): void => {
    sums[text * AMOUNT.count + amount] = floatAt(sums, text * AMOUNT.count + amount) + stands;
    totals[text] = floatAt(totals, text) + stands;
    squares[text] = floatAt(squares, text) + stands * stands;
  };
  const chance = new Float64Array(AMOUNT.count);
  for (const [lines, counts] of [
    [a, weights.linesA],
    [b, weights.linesB],
  ] as const) {
    countSide(lines, weights, counts, add);
    countRandom(lines, chance);
  }
  return beyondChance(sums, totals, squares, chance, siblings);
}

function countSide(
  lines: LineFeatures,
  weights: NameWeights,
  counts: Int32Array,
  add: (text: number, amount: number, stands: number) => void,
): void {
  const { count, names } = lines;
  if (count <= MOST_ENUMERATED) {
    for (let row = 0; row < count; row += 1) {
      for (let other = row + 1; other < count; other += 1) {
        add(compareNames(weights, intAt(names, row), intAt(names, other)), levelOf(lines, row, other), 1);
      }
    }
    return;
  }
  const starts = rangeStarts(names, counts.length);
  const rows = layOut(names, starts);
  const random = seeded();
  const rowOf = (name: number): number => intAt(rows, intAt(starts, name) + Math.floor(random() * intAt(counts, name)));
  drawPairs(weights, counts, counts, DRAWS, (name, other, stands) => {
    const [left, right] = [rowOf(name), rowOf(other)];
    if (left !== right) add(compareNames(weights, name, other), levelOf(lines, left, right), stands);
  });
}

function levelOf(lines: LineFeatures, left: number, right: number): number {
  if (intAt(lines.classes, left) !== intAt(lines.classes, right)) return AMOUNT.far;
  return amountLevel(floatAt(lines.values, left), floatAt(lines.values, right));
}

function countRandom(lines: LineFeatures, chance: Float64Array): void {
  const { count } = lines;
  if (count < 2) return;
  const random = seeded();
  for (let turn = 0; turn < RANDOM_PAIRS; turn += 1) {
    const left = Math.floor(random() * count);
    const right = Math.floor(random() * count);
    if (left === right) continue;
    const level = levelOf(lines, left, right);
    chance[level] = floatAt(chance, level) + 1;
  }
}

function beyondChance(
  sums: Float64Array,
  totals: Float64Array,
  squares: Float64Array,
  chance: Float64Array,
  siblings: Siblings,
): UProbabilities {
  let drawn = 0;
  for (const count of chance) drawn += count;
  const found = new Float64Array(TEXT_LEVELS * AMOUNT.count);
  for (let text = 1; text < TEXT_LEVELS; text += 1) {
    const [ofBits, ofShare] = placesOfText(text);
    const isSame = ofBits >= SAME_BITS && ofShare >= SAME_SHARE;
    const total = floatAt(totals, text);
    // Number of pairs that one draw represents, so that the prior counts as that many draws.
    const weight = PRIOR_WEIGHT * (total === 0 ? 1 : floatAt(squares, text) / total);
    for (let amount = 0; amount < AMOUNT.count; amount += 1) {
      const byChance = floatAt(chance, amount) / Math.max(1, drawn);
      const expected = isSame ? floatAt(siblings.levels, amount) : byChance;
      const share = (floatAt(sums, text * AMOUNT.count + amount) + weight * expected) / (total + weight);
      found[text * AMOUNT.count + amount] = Math.max(0, share - byChance);
    }
  }
  return found;
}
