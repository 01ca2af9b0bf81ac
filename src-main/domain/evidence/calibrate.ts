import { floatAt, intAt } from '../collections/typed-arrays.ts';
import { chanceOfWrong, EVIDENCE } from './budget/decide.ts';
import { FoundLinks } from './budget/found-links.ts';
import { type FreePairs, openPairs } from './comparison/free-lines.ts';
import { type Counted, type Learned, missingShares } from './estimation/learn.ts';
import type { Book } from './estimation/read-book.ts';
import { exp2Of, log2Of } from './model/logarithm.ts';
import type { Calibration } from './model/parameters.ts';
import { LOG_ODDS_STEPS, logOddsOf, MOST_LOG_ODDS, MOST_PART, PART_STEPS, PARTS, type Weight } from './model/weight.ts';

/**
 * Calibration of likelihoods, measured on the book itself. A trial hides lines whose partners are known and weighs the rest as before; every link
 * that then takes a line whose partner is hidden is wrong. Lines of the whole book that have no partner take a wrong one equally often, and this rate
 * is compared with what the likelihoods predict. A trial measures only the doubt whether a line has its partner in the files at all. The doubt about
 * which of several partners is right remains as it was.
 */

/**
 * Log odds in bits at which the correction is known. Each lies inside a band of links over which wrong links are counted; the bands begin at
 * probabilities of 0.9, 0.99 and 0.999.
 */
const KNOTS = [0, 4.9, 8.2, 11.5] as const;
const BANDS = [203, 425, 638] as const;
/**
 * Strength of the prior that likelihoods are right, as a number of wrong links that were both expected and seen. Second payments of a reference come
 * in few of the trials, so that a book says less about them.
 */
const PRIOR_WEIGHT = 1.5;
const PRIOR_WEIGHT_OF_REFERENCES = 4;
/** Most bits by which a correction lowers or raises the log odds. */
const MOST_LOWERED = 4;
const MOST_RAISED = 4;
const LEAST_STEP = 0.25;
/** Trials run only on books with at least this many lines on the smaller side and at most this many on the larger one. */
const LEAST_LINES = 100;
const MOST_LINES = 20_000;
/** Number of trials by lines of the larger side. A large book has enough lines in each trial. */
const TRIALS = [
  { upTo: 3_500, trials: 4 },
  { upTo: 8_000, trials: 2 },
  { upTo: MOST_LINES, trials: 1 },
] as const;
/** Each trial hides one of this many lines on each side. */
const HIDDEN = 4;
const CLASSES = 2 * EVIDENCE.count;

/** Data of a trial, and the function that weighs pairs. */
export interface Trial {
  readonly book: Book;
  readonly learned: Learned;
  readonly free: FreePairs;
  readonly weigh: (free: FreePairs) => FoundLinks | null;
}

/**
 * By class and band: wrong links that take a line of A (or of B) from its hidden partner and give it a line of the other side that has no known
 * partner.
 */
interface Seen {
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** Lines whose partners were hidden, summed over all trials. */
  bereftA: number;
  bereftB: number;
}

/** Returns whether the size of a book allows trials. */
export function mayBeTried({ linesA, linesB }: Counted): boolean {
  return Math.min(linesA, linesB) >= LEAST_LINES && Math.max(linesA, linesB) <= MOST_LINES;
}

/**
 * Returns the corrections by class of link, an empty list when there is nothing to correct, or null when cancelled. `found` holds the links of the
 * whole book.
 */
export function calibrationOf(trial: Trial, found: FoundLinks): Calibration | null {
  const { linesA, linesB } = trial.book.counted;
  const most = Math.max(linesA, linesB);
  if (!hasDoubts(found)) return [];
  const cells = CLASSES * BANDS.length;
  const seen: Seen = { a: new Float64Array(cells), b: new Float64Array(cells), bereftA: 0, bereftB: 0 };
  const known = knownLinks(found, linesA, linesB);
  const trials = TRIALS.find(({ upTo }) => most <= upTo)?.trials ?? 0;
  for (let turn = 0; turn < trials; turn += 1) {
    const hidden = withoutHidden(trial, turn);
    const links = trial.weigh(hidden);
    if (links === null) return null;
    countBereft(hidden, trial.free, known, seen);
    countWrong(links, known, seen);
  }
  return corrections(trial, found, seen);
}

/** Returns whether at least one link has a doubt that a trial could correct. */
function hasDoubts(found: FoundLinks): boolean {
  for (let place = 0; place < found.length; place += 1) if (found.aloneAt(place) > 0) return true;
  return false;
}

/** By row: index of the link that holds the row in the whole book, or -1. By link: the probability that it is right. */
interface KnownLinks {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly likely: Float64Array;
}

function knownLinks(found: FoundLinks, linesA: number, linesB: number): KnownLinks {
  const known = { a: new Int32Array(linesA).fill(-1), b: new Int32Array(linesB).fill(-1), likely: new Float64Array(found.length) };
  for (let place = 0; place < found.length; place += 1) {
    if (found.isReversalAt(place)) continue;
    known.likely[place] = 1 - chanceOfWrong(found.logOddsAt(place));
    found.eachRow(place, (row, isOfA) => {
      (isOfA ? known.a : known.b)[row] = place;
    });
  }
  return known;
}

/**
 * Returns whether a trial hides a line. It depends on the line's place in the order of content, so that the order of records has no influence.
 * Partners often have the same place, so the two sides are mixed differently.
 */
function isHidden(row: number, isFirst: boolean, turn: number): boolean {
  const mixed = Math.imul(row + 1, isFirst ? 0x9e3779b1 : 0x85ebca6b) >>> 8;
  return (mixed ^ (mixed >>> 11)) % HIDDEN === turn;
}

/** Returns whether side A is the first of the two by its content, so that it does not matter which file is side A. */
function isFirstA({ a, b }: Book): boolean {
  if (a.count !== b.count) return a.count > b.count;
  for (let row = 0; row < a.count; row += 1) {
    const [ofA, ofB] = [intAt(a.days, row) + floatAt(a.values, row), intAt(b.days, row) + floatAt(b.values, row)];
    if (ofA !== ofB) return ofA > ofB;
  }
  return true;
}

/** Returns the pairs that are left after a trial has hidden its lines. */
function withoutHidden({ book, free }: Trial, turn: number): FreePairs {
  const leftOf = (rows: Int32Array, isFirst: boolean): Int32Array => rows.map((place, row) => (isHidden(row, isFirst, turn) ? -1 : place));
  const isFirst = isFirstA(book);
  const [freeA, freeB] = [leftOf(free.freeA, isFirst), leftOf(free.freeB, !isFirst)];
  const open = openPairs(free.pairs, free.odds, (row, column) => intAt(freeA, row) >= 0 && intAt(freeB, column) >= 0);
  return { ...open, freeA, freeB };
}

/** Counts the lines that remain while their known partner on the other side is hidden. */
function countBereft({ freeA, freeB }: FreePairs, whole: FreePairs, known: KnownLinks, seen: Seen): void {
  const lacks = { a: new Uint8Array(known.likely.length), b: new Uint8Array(known.likely.length) };
  const isGone = (left: Int32Array, all: Int32Array, row: number): boolean => intAt(left, row) < 0 && intAt(all, row) >= 0;
  known.a.forEach((link, row) => {
    if (link >= 0 && isGone(freeA, whole.freeA, row)) lacks.a[link] = 1;
  });
  known.b.forEach((link, row) => {
    if (link >= 0 && isGone(freeB, whole.freeB, row)) lacks.b[link] = 1;
  });
  known.a.forEach((link, row) => {
    if (link >= 0 && intAt(freeA, row) >= 0 && lacks.b[link] === 1) seen.bereftA += floatAt(known.likely, link);
  });
  known.b.forEach((link, row) => {
    if (link >= 0 && intAt(freeB, row) >= 0 && lacks.a[link] === 1) seen.bereftB += floatAt(known.likely, link);
  });
}

/** Counts links of a trial whose line on one side has known partners, while all lines on the other side have none. */
function countWrong(links: FoundLinks, known: KnownLinks, seen: Seen): void {
  for (let place = 0; place < links.length; place += 1) {
    const band = bandOf(links.logOddsAt(place));
    if (band < 0 || links.isReversalAt(place)) continue;
    let [ofA, ofB] = [-1, -1];
    links.eachRow(place, (row, isOfA) => {
      if (isOfA) ofA = Math.max(ofA, intAt(known.a, row));
      else ofB = Math.max(ofB, intAt(known.b, row));
    });
    const at = links.classAt(place) * BANDS.length + band;
    if (ofA >= 0 && ofB < 0) seen.a[at] = floatAt(seen.a, at) + floatAt(known.likely, ofA);
    if (ofB >= 0 && ofA < 0) seen.b[at] = floatAt(seen.b, at) + floatAt(known.likely, ofB);
  }
}

function bandOf(logOdds: number): number {
  let band = -1;
  for (const from of BANDS) if (logOdds >= from) band += 1;
  return band;
}

/** Compares the wrong links seen in trials with those expected of the whole book. */
function corrections({ book, learned, free }: Trial, found: FoundLinks, seen: Seen): number[][] {
  const expected = new Float64Array(CLASSES * BANDS.length);
  const tied = { a: 0, b: 0 };
  for (let place = 0; place < found.length; place += 1) {
    if (found.isReversalAt(place)) continue;
    const logOdds = found.logOddsAt(place);
    const doubt = chanceOfWrong(logOdds);
    found.eachRow(place, (_, isOfA) => (tied[isOfA ? 'a' : 'b'] += 1 - doubt));
    const band = bandOf(logOdds);
    if (band < 0) continue;
    const at = found.classAt(place) * BANDS.length + band;
    expected[at] = floatAt(expected, at) + doubt * found.aloneAt(place);
  }
  const freeLines = (rows: Int32Array): number => rows.reduce((lines, row) => (row < 0 ? lines : lines + 1), 0);
  const alone = { a: Math.max(1, freeLines(free.freeA) - tied.a), b: Math.max(1, freeLines(free.freeB) - tied.b) };
  // A line with the reference of another one takes its partner only if the right line is missing from the files. An unpaid bill does not cause
  // such a link.
  const missing = missingShares(book.counted, learned);
  const bereft = { a: Math.min(alone.a, missing.b * book.counted.linesA), b: Math.min(alone.b, missing.a * book.counted.linesB) };
  const bands = Array.from({ length: CLASSES * BANDS.length }, (_, at): Band => {
    const without = Math.floor(at / BANDS.length) % EVIDENCE.count === EVIDENCE.reference ? bereft : alone;
    const of = floatAt(expected, at);
    return [
      { seen: floatAt(seen.a, at), expected: (of * seen.bereftA) / Math.max(1, without.a) },
      { seen: floatAt(seen.b, at), expected: (of * seen.bereftB) / Math.max(1, without.b) },
    ];
  });
  const ofBook = ratioOf(summed(bands), 1, PRIOR_WEIGHT);
  return Array.from({ length: CLASSES }, (_, kind) => {
    const of = bands.slice(kind * BANDS.length, (kind + 1) * BANDS.length);
    // Other evidence says nothing about second payments of a reference.
    const isByReference = kind % EVIDENCE.count === EVIDENCE.reference;
    return isByReference ? shiftsOf(of, Math.max(1, ofBook), PRIOR_WEIGHT_OF_REFERENCES) : shiftsOf(of, ofBook, PRIOR_WEIGHT);
  });
}

/** Wrong links that lines of one side made in all trials, and the number that likelihoods predict. */
interface Wrong {
  readonly seen: number;
  readonly expected: number;
}

/** The wrong links of a band, by side. */
type Band = readonly [Wrong, Wrong];

function summed(bands: readonly Band[]): Band {
  const sum = (side: 0 | 1): Wrong => ({
    seen: bands.reduce((total, band) => total + band[side].seen, 0),
    expected: bands.reduce((total, band) => total + band[side].expected, 0),
  });
  return [sum(0), sum(1)];
}

/**
 * Returns how many wrong links were seen for each that was predicted, with a margin of one standard deviation. Lines without a partner may differ from
 * those that lost theirs: second payments stand on one side. So each side counts by itself, and the worse one is believed.
 */
function ratioOf(band: Band, prior: number, weight: number): number {
  return Math.max(...band.map(({ seen, expected }) => (seen + Math.sqrt(seen) + weight * prior) / (expected + weight)));
}

/** Returns the bits by which doubt is reduced at each knot. A band with few counts follows the band below it, and that one the whole book. */
function shiftsOf(bands: readonly Band[], ofBook: number, weight: number): number[] {
  let before = ofBook;
  const shifts = bands.map((band) => {
    const ratio = ratioOf(band, before, weight);
    before = Math.sqrt(ratio);
    return Math.max(-MOST_LOWERED, Math.min(MOST_RAISED, 0 - log2Of(ratio)));
  });
  const bits = [0, ...shifts];
  // The correction must keep the order of likelihoods.
  for (let knot = 1; knot < bits.length; knot += 1) {
    const least = (KNOTS[knot - 1] ?? 0) + (bits[knot - 1] ?? 0) + LEAST_STEP - (KNOTS[knot] ?? 0);
    bits[knot] = Math.max(bits[knot] ?? 0, least);
  }
  return bits.map((shift) => Math.round(shift * LOG_ODDS_STEPS) / LOG_ODDS_STEPS);
}

/** Returns log odds corrected by the trials. `alone` is the share of the doubt that is about whether the line has its partner at all, 0..1. */
export function correctedLogOdds(logOdds: number, alone: number, shifts: readonly number[] | undefined): number {
  if (shifts === undefined || logOdds <= 0) return logOdds;
  const bits = logOdds / LOG_ODDS_STEPS;
  let knot = 0;
  while (knot + 1 < KNOTS.length && bits > (KNOTS[knot + 1] ?? 0)) knot += 1;
  const [from, to] = [KNOTS[knot] ?? 0, KNOTS[knot + 1]];
  const [below, above] = [shifts[knot] ?? 0, shifts[knot + 1] ?? 0];
  const shift = to === undefined ? below : below + ((above - below) * (bits - from)) / (to - from);
  const doubt = 1 / (1 + exp2Of(bits));
  const corrected = Math.min(0.5, doubt * (1 - alone + alone * exp2Of(0 - shift)));
  return Math.max(0, Math.min(MOST_LOG_ODDS, logOddsOf((1 - corrected) / corrected)));
}

/** Returns the links with corrected likelihoods. Nearly certain links keep theirs, and so do reversals, which are never committed. */
export function calibrated(found: FoundLinks, calibration: Calibration): FoundLinks {
  if (calibration.every((shifts) => shifts.every((shift) => shift === 0))) return found;
  const all = new FoundLinks();
  for (let place = 0; place < found.length; place += 1) {
    const link = found.at(place);
    const shifts = found.isReversalAt(place) ? undefined : calibration[found.classAt(place)];
    all.add({ ...link, weight: shifted(link.weight, correctedLogOdds(link.weight.logOdds, link.alone, shifts)) });
  }
  return all;
}

/** Adds the correction to the part for rivals, because it measures how many other lines might fit. */
function shifted({ logOdds, parts }: Weight, corrected: number): Weight {
  if (corrected === logOdds) return { logOdds, parts };
  const by = Math.round(((corrected - logOdds) * PART_STEPS) / LOG_ODDS_STEPS);
  const rivals = PARTS.indexOf('rivals');
  return {
    logOdds: corrected,
    parts: parts.map((part, place) => (place === rivals ? Math.max(-MOST_PART, Math.min(MOST_PART, part + by)) : part)),
  };
}
