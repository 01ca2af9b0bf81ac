import { floatAt, intAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import { AMOUNT, amountLevel, FIRST_LAG, LAG_BINS, LAG_FAR, lagBin, lagRange, LAST_LAG } from '../comparison/levels.ts';
import type { LineFeatures } from '../features/line-features.ts';
import type { Amounts } from './amounts.ts';

/** Lines of one name further apart than this are not compared, nor are more neighbours of one line. */
const MOST_DAYS = 120;
const MOST_NEIGHBOURS = 48;
/** A name on a larger share of a side, and on more than `COMMON` lines, does not identify a party. */
const COMMON_SHARE = 0.05;
const COMMON = 64;
/** Prior: this many pairs of lines of one name, of which this many have the same amount. */
const PRIOR_PAIRS = 8;
const PRIOR_EQUAL = 1.2;
/** Pairs of equal amounts are grouped by how common their amount is, in this many steps of half a bit. */
const CHANCES = 64;
/** Standard deviations by which one side must exceed the other one. */
const DOUBT = 2;
/** Rounds of the estimate of how many equal amounts are due to chance. */
const ROUNDS = 24;

/** Statistics of lines of one name on the same side, called siblings. */
export interface Siblings {
  /** Probability that two lines of a side have the same name, 0..1. */
  readonly share: number;
  /** By amount level: share of the pairs of siblings. */
  readonly levels: Float64Array;
  /** Share of pairs of siblings with the same amount, beyond chance, on the side where it is larger. */
  readonly equal: number;
  /**
   * By side: share of the pairs of siblings that are an item and a second payment of it, as far as it exceeds that of the other side. A second
   * payment has no partner of its own.
   */
  readonly surplus: { readonly a: number; readonly b: number };
  /** By days apart: share among siblings of the same amount. */
  readonly days: Float64Array;
  /** How the lag of a line's partner shifts when it is measured from a sibling of the same amount. */
  readonly moves: LagMoves;
  /** By row: number of neighbours of the same name, and of those with the same amount. */
  readonly a: NeighbourCounts;
  readonly b: NeighbourCounts;
}

export interface NeighbourCounts {
  readonly all: Uint8Array;
  readonly equal: Uint8Array;
}

export function siblingsOf(a: LineFeatures, b: LineFeatures, amounts: Amounts, names: number): Siblings {
  const levels = new Float64Array(AMOUNT.count);
  const days = new Float64Array(MOST_DAYS + 1);
  const shareOf = sharesOfAmounts(a, b, amounts);
  const [ofA, ofB] = [countSide(a, names, levels, shareOf.a), countSide(b, names, levels, shareOf.b)];
  let pairs = PRIOR_PAIRS;
  for (const count of levels) pairs += count;
  const [equalA, equalB] = [equalBeyondChance(ofA, days), equalBeyondChance(ofB, days)];
  const equal = Math.max(equalA, equalB);
  const [secondA, secondB] = [
    secondPayments(a, ofA, names, amounts.keyOfA, amounts.startsB),
    secondPayments(b, ofB, names, amounts.keyOfB, amounts.startsA),
  ];
  const doubt = DOUBT * Math.sqrt(secondA.share / secondA.pairs + secondB.share / secondB.pairs);
  const surplus = { a: Math.max(0, secondA.share - secondB.share - doubt), b: Math.max(0, secondB.share - secondA.share - doubt) };
  levels[AMOUNT.equal] = floatAt(levels, AMOUNT.equal) + PRIOR_EQUAL;
  levels[AMOUNT.far] = floatAt(levels, AMOUNT.far) + PRIOR_PAIRS - PRIOR_EQUAL;
  for (let level = 0; level < levels.length; level += 1) levels[level] = (floatAt(levels, level) + 0.01) / (pairs + 0.01 * AMOUNT.count);
  let sum = 0;
  for (let day = 0; day <= MOST_DAYS; day += 1) {
    // Lines of one name and amount are usually about a month apart.
    days[day] = floatAt(days, day) + 0.02 + (day >= 28 && day <= 31 ? 0.5 : 0);
    sum += floatAt(days, day);
  }
  for (let day = 0; day <= MOST_DAYS; day += 1) days[day] = floatAt(days, day) / sum;
  const share = Math.max(ofA.share, ofB.share);
  return { share, levels, equal, surplus, days, moves: lagMoves(days), a: ofA, b: ofB };
}

/**
 * Returns the pairs of siblings whose amount the other side has once, and the share of them that has one amount. Both cannot have the one partner. An
 * amount that both sides repeat, such as a rent, says nothing about second payments.
 */
function secondPayments(
  { names: nameOf }: LineFeatures,
  { all }: NeighbourCounts,
  names: number,
  keys: Int32Array,
  startsOfOthers: Int32Array,
): { readonly pairs: number; readonly share: number } {
  const starts = rangeStarts(nameOf, names);
  const rows = layOut(nameOf, starts);
  let [pairs, second] = [PRIOR_PAIRS, 0];
  const met = new Set<number>();
  for (let name = 0; name < names; name += 1) {
    met.clear();
    if (identifiesNobody(intAt(starts, name + 1) - intAt(starts, name), nameOf.length)) continue;
    for (let at = intAt(starts, name); at < intAt(starts, name + 1); at += 1) {
      const row = intAt(rows, at);
      const key = intAt(keys, row);
      if ((all[row] as number) === 0 || intAt(startsOfOthers, key + 1) - intAt(startsOfOthers, key) !== 1) continue;
      pairs += (all[row] as number) / 2;
      if (met.has(key)) second += 1;
      met.add(key);
    }
  }
  return { pairs, share: second / pairs };
}

/** Returns whether a name is on too many lines of a side to identify a party. */
function identifiesNobody(linesOfName: number, lines: number): boolean {
  return linesOfName > COMMON && linesOfName > COMMON_SHARE * lines;
}

interface CountedSide extends NeighbourCounts {
  readonly share: number;
  /** Number of pairs of neighbours; those of equal amounts by how common the amount is and by days apart, at `chance * (MOST_DAYS + 1) + days`. */
  readonly pairs: number;
  readonly equalPairs: Float64Array;
}

/** Returns how much rarer a share is than 1, in steps of half a bit. */
function chanceStep(share: number): number {
  let step = 0;
  for (let chance = Math.SQRT1_2; step + 1 < CHANCES && share < chance; chance *= Math.SQRT1_2) step += 1;
  return step;
}

/**
 * Returns the share of neighbours whose amounts are equal for a reason other than chance. Each equal pair counts as far as its amount is rarer than
 * that share, because two lines with a common price prove nothing. Adds what counts to `into`, by days apart.
 */
function equalBeyondChance({ pairs, equalPairs }: CountedSide, into: Float64Array): number {
  const sums = new Float64Array(CHANCES);
  equalPairs.forEach((count, place) => {
    const step = Math.floor(place / (MOST_DAYS + 1));
    sums[step] = floatAt(sums, step) + count;
  });
  const chances = new Float64Array(CHANCES).fill(1);
  for (let step = 1; step < CHANCES; step += 1) chances[step] = floatAt(chances, step - 1) * Math.SQRT1_2;
  const reasonOf = (step: number, share: number): number => share / (share + (1 - share) * floatAt(chances, step));
  let share = 0.5;
  for (let round = 0; round < ROUNDS; round += 1) {
    let known = PRIOR_EQUAL;
    for (let step = 0; step < CHANCES; step += 1) known += floatAt(sums, step) * reasonOf(step, share);
    share = known / (pairs + PRIOR_PAIRS);
  }
  equalPairs.forEach((count, place) => {
    if (count === 0) return;
    const day = place % (MOST_DAYS + 1);
    into[day] = floatAt(into, day) + count * reasonOf(Math.floor(place / (MOST_DAYS + 1)), share);
  });
  return share;
}

/** Returns, by row, the share of all other lines that have its amount. */
function sharesOfAmounts(
  a: LineFeatures,
  b: LineFeatures,
  { keyOfA, keyOfB, startsA, startsB }: Amounts,
): { readonly a: Float32Array; readonly b: Float32Array } {
  const all = Math.max(1, a.count + b.count);
  const of = (key: number): number =>
    (intAt(startsA, key + 1) - intAt(startsA, key) + intAt(startsB, key + 1) - intAt(startsB, key) - 1) / all;
  return { a: Float32Array.from(keyOfA, of), b: Float32Array.from(keyOfB, of) };
}

function countSide(lines: LineFeatures, names: number, levels: Float64Array, shareOf: Float32Array): CountedSide {
  const { count } = lines;
  const starts = rangeStarts(lines.names, names);
  const rows = layOut(lines.names, starts);
  const all = new Uint8Array(count);
  const equal = new Uint8Array(count);
  const equalPairs = new Float64Array(CHANCES * (MOST_DAYS + 1));
  const unused = { levels: new Float64Array(AMOUNT.count), days: new Float64Array(MOST_DAYS + 1) };
  let [same, pairs, weighed] = [0, 0, 0];
  for (let name = 0; name < names; name += 1) {
    const from = intAt(starts, name);
    const to = intAt(starts, name + 1);
    if (to - from < 2) continue;
    // A name that identifies no party adds nothing to the totals. The neighbours of each of its lines are counted all the same, since they show
    // whether amounts recur.
    const isCommon = identifiesNobody(to - from, count);
    if (!isCommon) same += (to - from) * (to - from - 1);
    // Pairs grow with the square of the lines, and one party with the same amount each week would speak for all the others.
    const weight = 1 / Math.min(to - from - 1, MOST_NEIGHBOURS);
    for (let at = from; at < to; at += 1) {
      const first = chanceStep(shareOf[intAt(rows, at)] as number) * (MOST_DAYS + 1);
      const days = isCommon ? unused.days : equalPairs.subarray(first, first + MOST_DAYS + 1);
      const neighbours = Math.min(to, at + 1 + MOST_NEIGHBOURS);
      const met = countNeighbours(lines, rows, at, neighbours, weight, isCommon ? unused.levels : levels, days, all, equal);
      if (isCommon) continue;
      pairs += met;
      weighed += met * weight;
    }
  }
  const scale = weighed === 0 ? 1 : pairs / weighed;
  return {
    all,
    equal,
    pairs,
    equalPairs: equalPairs.map((some) => some * scale),
    share: count < 2 ? 0 : same / (count * (count - 1)),
  };
}

/** Counts the neighbours of a line and returns their number. */
function countNeighbours(
  lines: LineFeatures,
  rows: Int32Array,
  at: number,
  to: number,
  weight: number,
  levels: Float64Array,
  days: Float64Array,
  all: Uint8Array,
  equal: Uint8Array,
): number {
  const row = intAt(rows, at);
  for (let next = at + 1; next < to; next += 1) {
    const other = intAt(rows, next);
    const apart = intAt(lines.days, other) - intAt(lines.days, row);
    if (apart > MOST_DAYS) return next - at - 1;
    const isAlike = intAt(lines.classes, row) === intAt(lines.classes, other);
    const level = isAlike ? amountLevel(floatAt(lines.values, row), floatAt(lines.values, other)) : AMOUNT.far;
    levels[level] = floatAt(levels, level) + 1;
    raise(all, row, other);
    if (level !== AMOUNT.equal) continue;
    days[apart] = floatAt(days, apart) + weight;
    raise(equal, row, other);
  }
  return to - at - 1;
}

function raise(counts: Uint8Array, left: number, right: number): void {
  if ((counts[left] as number) < 255) counts[left] = (counts[left] as number) + 1;
  if ((counts[right] as number) < 255) counts[right] = (counts[right] as number) + 1;
}

/** By bin of days: how often the partner of a sibling with the same amount has this lag from a line. */
export interface SiblingLags {
  readonly any: Float64Array;
  /** The same if the line of A, or of B, is the second of the siblings, which comes after the first. */
  readonly secondA: Float64Array;
  readonly secondB: Float64Array;
}

/** Probability that a partner at one lag from a line is at another lag from its sibling, at `bin * LAG_BINS + other`. */
interface LagMoves {
  /** The line of A, or of B, is the later sibling. */
  readonly secondA: Float64Array;
  readonly secondB: Float64Array;
}

/** `days` holds the share of siblings of one amount by days apart. Each day of a bin is taken to be equally likely. */
function lagMoves(days: Float64Array): LagMoves {
  const [secondA, secondB] = [new Float64Array(LAG_BINS * LAG_BINS), new Float64Array(LAG_BINS * LAG_BINS)];
  const add = (moves: Float64Array, place: number, chance: number): void => {
    moves[place] = floatAt(moves, place) + chance;
  };
  for (let day = FIRST_LAG; day <= LAST_LAG; day += 1) {
    const bin = lagBin(day);
    const [from, to] = lagRange(bin);
    days.forEach((share, apart) => {
      const chance = share / (to - from + 1);
      add(secondA, bin * LAG_BINS + lagBin(day - apart), chance);
      add(secondB, bin * LAG_BINS + lagBin(day + apart), chance);
    });
  }
  return { secondA, secondB };
}

/** `lag` holds the share of partners by bin of days. */
function moved(lag: Float64Array, moves: Float64Array): Float64Array {
  const shares = new Float64Array(LAG_BINS);
  moves.forEach((chance, place) => {
    const other = place % LAG_BINS;
    shares[other] = floatAt(shares, other) + floatAt(lag, Math.floor(place / LAG_BINS)) * chance;
  });
  return shares;
}

/** Combines the days between siblings with the lag of partners. */
export function lagOfSiblings({ moves }: Siblings, lag: Float64Array): SiblingLags {
  const [secondA, secondB] = [moved(lag, moves.secondA), moved(lag, moves.secondB)];
  const least = (share: number, bin: number): number => Math.max(bin >= LAG_FAR ? 1e-3 : 1e-4, share);
  const any = secondA.map((share, bin) => least((share + floatAt(secondB, bin)) / 2, bin));
  return { any, secondA: secondA.map(least), secondB: secondB.map(least) };
}
