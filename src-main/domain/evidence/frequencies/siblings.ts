import { floatAt, intAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import { amountLevel } from '../comparison/compare-amounts.ts';
import { AMOUNT, FIRST_LAG, LAG_BINS, LAG_FAR, LAST_LAG, lagBin, lagRange } from '../comparison/levels.ts';
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
/**
 * A second payment usually follows the first within this many days. The prior spreads that many pairs evenly over them, because the few that a book
 * shows do not tell after how many days others come.
 */
const SECOND_DAYS = 30;
const PRIOR_SECOND_DAYS = 3;
/** Second payments assumed although none was seen, for at least so many lines: a book that lacks many lines shows few of its second payments. */
const PRIOR_SECONDS = 0.1;
const LEAST_LINES = 100;
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
   * By side: lines that repeat the name and amount of an earlier line, for each line of the side, beyond those that repeat on the other side as well.
   * These are second payments or double bookings, which have no partner of their own.
   */
  readonly seconds: { readonly a: number; readonly b: number };
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
  const [equalA, equalB] = [equalBeyondChance(ofA), equalBeyondChance(ofB)];
  const equal = Math.max(equalA.share, equalB.share);
  for (let day = 0; day <= MOST_DAYS; day += 1) days[day] = floatAt(days, day) + floatAt(equalA.days, day) + floatAt(equalB.days, day);
  const [secondsA, secondsB] = [secondsOf(ofA, equalA, ofB, equalB), secondsOf(ofB, equalB, ofA, equalA)];
  levels[AMOUNT.equal] = floatAt(levels, AMOUNT.equal) + PRIOR_EQUAL;
  levels[AMOUNT.far] = floatAt(levels, AMOUNT.far) + PRIOR_PAIRS - PRIOR_EQUAL;
  for (let level = 0; level < levels.length; level += 1) levels[level] = (floatAt(levels, level) + 0.01) / (pairs + 0.01 * AMOUNT.count);
  let sum = 0;
  for (let day = 0; day <= MOST_DAYS; day += 1) {
    days[day] = floatAt(days, day) + ANY_DAY + (isMonth(day) ? MONTH : 0);
    sum += floatAt(days, day);
  }
  for (let day = 0; day <= MOST_DAYS; day += 1) days[day] = floatAt(days, day) / sum;
  const share = Math.max(ofA.share, ofB.share);
  const any = lagMoves(days);
  return {
    share,
    levels,
    equal,
    seconds: { a: secondsA.rate, b: secondsB.rate },
    days,
    moves: { anyA: any.secondA, anyB: any.secondB, secondA: lagMoves(secondsA.days).secondA, secondB: lagMoves(secondsB.days).secondB },
    a: ofA,
    b: ofB,
  };
}

/** Lines of one name and amount are usually about a month apart. The prior holds so many pairs for any day, and more for those of a month. */
const ANY_DAY = 0.02;
const MONTH = 0.5;
const MONTHS = [28, 31] as const;

const isMonth = (day: number): boolean => day >= MONTHS[0] && day <= MONTHS[1];

/** Returns the prior share of a number of days between lines of one name and amount. */
function usualDays(day: number): number {
  return (ANY_DAY + (isMonth(day) ? MONTH : 0)) / (ANY_DAY * (MOST_DAYS + 1) + MONTH * (MONTHS[1] - MONTHS[0] + 1));
}

interface CountedSide extends NeighbourCounts {
  readonly share: number;
  /** Number of lines whose name identifies a party, by how common their amount is. */
  readonly named: Float64Array;
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

/** Days are compared within stretches that begin on these days, since the same rent is not repeated after the same number of days each month. */
const STRETCHES = [0, 4, 8, 15, 22, 27, 34, 46, 61, 92] as const;
/** Stretches that far apart are near enough for a payment to fall into the other one. */
const NEAR_STRETCHES = 2;
/** What repeats after so many days repeats by the month. */
const MONTHLY = 27;

/**
 * Returns how many lines of a side repeat an earlier line beyond those that repeat on the other side as well, for each line, and the share of them by
 * days apart. What repeats for a reason that both sides know, such as a rent, does so on both sides, after as many days.
 */
function secondsOf(
  own: CountedSide,
  { days: ownDays, visible }: EqualAmounts,
  other: CountedSide,
  { days: otherDays }: EqualAmounts,
): { readonly rate: number; readonly days: Float64Array } {
  const scale = own.pairs / (other.pairs + PRIOR_PAIRS);
  const days = new Float64Array(MOST_DAYS + 1);
  let [early, late] = [0, 0];
  const [sumsOfOwn, sumsOfOther] = [sumsOf(ownDays), sumsOf(otherDays)];
  const surplus = beyondOther(sumsOfOwn.map((sum, place) => sum - floatAt(sumsOfOther, place) * scale));
  STRETCHES.forEach((from, place) => {
    const to = STRETCHES[place + 1] ?? MOST_DAYS + 1;
    const [ofOwn, beyond] = [floatAt(sumsOfOwn, place), floatAt(surplus, place)];
    if (from < MONTHLY) early += beyond;
    else late += beyond;
    for (let day = from; day < to; day += 1) days[day] = ofOwn === 0 ? 0 : (floatAt(ownDays, day) * beyond) / ofOwn;
  });
  // A margin of one standard deviation, because links are committed where few of these lines were seen by luck, too.
  const margin = Math.sqrt(early);
  const kept = early / (early + PRIOR_SECOND_DAYS);
  const spread = ((1 - kept) * early + margin) / (SECOND_DAYS + 1);
  const seen = early + late + margin + PRIOR_SECONDS;
  for (let day = 0; day <= MOST_DAYS; day += 1)
    days[day] =
      (floatAt(days, day) * (day < MONTHLY ? kept : 1) + (day <= SECOND_DAYS ? spread : 0) + PRIOR_SECONDS * usualDays(day)) / seen;
  return { rate: seen / Math.max(LEAST_LINES, visible), days };
}

/** Returns the number of pairs in each stretch of days. */
function sumsOf(days: Float64Array): Float64Array {
  return Float64Array.from(STRETCHES, (from, place) =>
    days.subarray(from, STRETCHES[place + 1] ?? MOST_DAYS + 1).reduce((total, count) => total + count, 0),
  );
}

/**
 * Returns the surplus of each stretch over the other side. A stretch lends what it lacks to the ones beside it: rents that are due each month on the
 * same day are paid some days earlier or later.
 */
function beyondOther(differences: Float64Array): Float64Array {
  const left = differences.slice();
  for (let apart = 1; apart <= NEAR_STRETCHES; apart += 1) {
    for (let place = 0; place < left.length; place += 1) {
      for (const other of [place - apart, place + apart]) {
        if (other < 0 || other >= left.length) continue;
        const moved = Math.max(0, Math.min(floatAt(left, place), 0 - floatAt(left, other)));
        left[place] = floatAt(left, place) - moved;
        left[other] = floatAt(left, other) + moved;
      }
    }
  }
  return left.map((difference) => Math.max(0, difference));
}

interface EqualAmounts {
  readonly share: number;
  /** Number of pairs by days apart. */
  readonly days: Float64Array;
  /** Number of lines whose amount is rare enough to show that another line repeats it. */
  readonly visible: number;
}

/**
 * Returns how often the amounts of neighbours are equal for a reason other than chance. Each equal pair counts as
 * far as its amount is rarer than that share, because two lines with a common price prove nothing.
 */
function equalBeyondChance({ pairs, equalPairs, named }: CountedSide): EqualAmounts {
  const into = new Float64Array(MOST_DAYS + 1);
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
  const visible = named.reduce((total, lines, step) => total + lines * reasonOf(step, share), 0);
  return { share, days: into, visible };
}

/** Two siblings of one amount and the line that one of them belongs to: an amount that they alone have is no coincidence. */
const OWN_LINES = 3;

/** Returns, by row, the share of all lines that have its amount by chance. */
function sharesOfAmounts(
  a: LineFeatures,
  b: LineFeatures,
  { keyOfA, keyOfB, startsA, startsB, expected }: Amounts,
): { readonly a: Float32Array; readonly b: Float32Array } {
  const all = Math.max(1, a.count + b.count);
  const of = (key: number): number =>
    Math.max(
      expected[key] as number,
      intAt(startsA, key + 1) - intAt(startsA, key) + intAt(startsB, key + 1) - intAt(startsB, key) - OWN_LINES,
    ) / all;
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
  let same = 0;
  let pairs = 0;
  const named = new Float64Array(CHANCES);
  for (let name = 0; name < names; name += 1) {
    const from = intAt(starts, name);
    const to = intAt(starts, name + 1);
    // A name that identifies no party adds nothing to the totals. The neighbours of each of its lines are counted all the same, since they show
    // whether amounts recur.
    const isCommon = to - from > COMMON && to - from > COMMON_SHARE * count;
    if (!isCommon) same += (to - from) * (to - from - 1);
    for (let at = from; at < to; at += 1) {
      const step = chanceStep(shareOf[intAt(rows, at)] as number);
      if (!isCommon) named[step] = floatAt(named, step) + 1;
      if (to - from === 1) continue;
      const first = step * (MOST_DAYS + 1);
      const days = isCommon ? unused.days : equalPairs.subarray(first, first + MOST_DAYS + 1);
      const neighbours = Math.min(to, at + 1 + MOST_NEIGHBOURS);
      const met = countNeighbours(lines, rows, at, neighbours, isCommon ? unused.levels : levels, days, all, equal);
      if (!isCommon) pairs += met;
    }
  }
  return {
    all,
    equal,
    pairs,
    equalPairs,
    named,
    share: count < 2 ? 0 : same / (count * (count - 1)),
  };
}

/** Counts the neighbours of a line and returns their number. */
function countNeighbours(
  lines: LineFeatures,
  rows: Int32Array,
  at: number,
  to: number,
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
    days[apart] = floatAt(days, apart) + 1;
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
  /** How often a second line of A, or of B, has this lag from the line that the first one belongs to. */
  readonly secondA: Float64Array;
  readonly secondB: Float64Array;
}

/** Probability that a partner at one lag from a line is at another lag from its sibling, at `bin * LAG_BINS + other`. */
interface LagMoves {
  /** The line of A, or of B, is the later one of any two siblings. */
  readonly anyA: Float64Array;
  readonly anyB: Float64Array;
  /** The same for second payments. */
  readonly secondA: Float64Array;
  readonly secondB: Float64Array;
}

/** `days` holds the share of siblings of one amount by days apart. Each day of a bin is taken to be equally likely. */
function lagMoves(days: Float64Array): Pick<LagMoves, 'secondA' | 'secondB'> {
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

const LEAST_SECOND = 1e-5;

/** Combines the days between siblings with the lag of partners. */
export function lagOfSiblings({ moves }: Siblings, lag: Float64Array): SiblingLags {
  const least = (share: number, bin: number): number => Math.max(bin >= LAG_FAR ? 1e-3 : 1e-4, share);
  const second = (lines: Float64Array): Float64Array => moved(lag, lines).map((share) => Math.max(LEAST_SECOND, share));
  const [anyA, anyB] = [moved(lag, moves.anyA), moved(lag, moves.anyB)];
  const any = anyA.map((share, bin) => least((share + floatAt(anyB, bin)) / 2, bin));
  return { any, secondA: second(moves.secondA), secondB: second(moves.secondB) };
}
