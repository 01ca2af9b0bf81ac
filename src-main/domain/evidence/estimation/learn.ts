import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { AMOUNT, LAG_BINS, REFERENCE, REFERENCE_LEVELS, TEXT_LEVELS } from '../comparison/levels.ts';
import { type Pairs, prunedPairs } from '../comparison/pairs.ts';
import { type AliasLevel, ratioOf, withAliases } from '../frequencies/alias-levels.ts';
import { lagOfSiblings, type SiblingLags, type Siblings } from '../frequencies/siblings.ts';
import type { TextChance } from '../frequencies/text-chance.ts';
import type { UProbabilities } from '../frequencies/u-probabilities.ts';
import type { Coverage } from '../model/input.ts';
import type { Formula } from '../model/parameters.ts';
import { LEAST_UNRELATED, PRIOR_PAIRS, PRIOR_PARTNERED } from './prior.ts';
import type { Verdicts } from './verdicts.ts';

/** Least share of lines whose partner is present, where second payments are estimated. */
const LEAST_KEPT = 0.001;
const LEAST_ALONE_SHARING = 0.02;
const ROUNDS = 15;
/** Odds above are cut off; they are practically certain. */
const MOST_ODDS = 2 ** 60;
/** Weight, in lines, of the prior share of lines that have a partner. It is small because books differ. */
const PRIOR_LINES = 2;
/** Least share of a side's lines that have no partner. */
const LEAST_ALONE = 0.002;

/** Counts of a book before anything is learned. */
export interface Counted {
  readonly linesA: number;
  readonly linesB: number;
  /** Pairs of lines by text level, with the standard error of the count. */
  readonly text: TextChance;
  /** Pairs of lines by reference level. */
  readonly references: Float64Array;
  readonly siblings: Siblings;
  readonly uProbabilities: UProbabilities;
  /** Aliases, whose text levels follow the others. */
  readonly aliases: { readonly levels: readonly AliasLevel[] };
  readonly coverage: { readonly a: Coverage; readonly b: Coverage };
  /** By side: lines that repeat the reference and amount of another line, for each line that holds a reference. */
  readonly doubled: { readonly a: number; readonly b: number };
  readonly priors: {
    readonly amount: Float64Array;
    readonly lag: Float64Array;
    readonly text: Float64Array;
    readonly reference: Float64Array;
  };
}

/** Shares of true pairs (m-probabilities) and of unrelated pairs (u-probabilities) by level, and the number of true pairs. */
export interface Learned {
  /** Expected number of true pairs. */
  partnered: number;
  readonly amount: Float64Array;
  readonly lag: Float64Array;
  readonly text: Float64Array;
  readonly textU: Float64Array;
  readonly reference: Float64Array;
  readonly referenceU: Float64Array;
  /** By bin: days to the partner of another line of the same name and amount. */
  siblingLag: SiblingLags;
  /** Fees and discounts that explain differences; they are found after everything else is learned. */
  formulas: readonly Formula[];
}

export function beginning(counted: Counted): Learned {
  const { priors, siblings, linesA, linesB } = counted;
  const learned: Learned = {
    partnered: Math.min(linesA, linesB) * PRIOR_PARTNERED,
    amount: priors.amount.slice(),
    lag: priors.lag.slice(),
    text: withAliases(priors.text.slice(), counted.aliases, () => 0),
    textU: withAliases(new Float64Array(TEXT_LEVELS), counted.aliases, ({ unrelated }) => unrelated),
    reference: priors.reference.slice(),
    referenceU: new Float64Array(REFERENCE_LEVELS),
    siblingLag: lagOfSiblings(siblings, priors.lag),
    formulas: [],
  };
  updateU(counted, learned, new Float64Array(TEXT_LEVELS), new Float64Array(REFERENCE_LEVELS));
  return learned;
}

/** Computes the u-probabilities: all pairs at a level less the true ones among them. */
function updateU(counted: Counted, learned: Learned, trueText: Float64Array, trueReferences: Float64Array): void {
  const { linesA, linesB, text, references } = counted;
  const all = Math.max(1, linesA * linesB);
  for (let level = 0; level < TEXT_LEVELS; level += 1) {
    const pairs = floatAt(text.pairs, level);
    const least = LEAST_UNRELATED + floatAt(text.error, level) + 0.01 * pairs;
    learned.textU[level] = Math.max(pairs - floatAt(trueText, level), least) / all;
  }
  for (let level = 0; level < REFERENCE_LEVELS; level += 1) {
    const pairs = floatAt(references, level);
    // Two small files rarely share a reference by chance.
    const least = Math.min(LEAST_UNRELATED, 0.002 * Math.sqrt(all));
    learned.referenceU[level] = Math.max(pairs - floatAt(trueReferences, level), least) / all;
  }
  weighAliases(counted, learned);
}

/** Sets the m-probabilities of aliases from the likelihood ratios of texts. */
export function weighAliases({ aliases: { levels } }: Counted, { text, textU }: Learned): void {
  if (levels.length === 0) return;
  const ofText = ratios(text, textU);
  levels.forEach((alias, place) => {
    text[TEXT_LEVELS + place] = alias.unrelated * ratioOf(alias, ofText);
  });
}

/** Returns the expected number of lines without a partner, out of `lines`. */
function aloneOf({ partnered }: Learned, lines: number): number {
  return Math.max(lines - partnered, lines * LEAST_ALONE, 0.5);
}

/** Returns the prior odds that two lines belong together, against the case that neither has a partner. */
export function priorOdds({ linesA, linesB }: Counted, learned: Learned): number {
  return learned.partnered / (aloneOf(learned, linesA) * aloneOf(learned, linesB));
}

/** Most that a name can say about whether the unrelated line is of the same party: other parties may have it too. */
const MOST_SAME = 0.9;

/** Fills `into` with the odds of each pair by itself, against the case that neither line has a partner. */
export function oddsOf(pairs: Pairs, counted: Counted, learned: Learned, into: Float64Array): void {
  const { linesA, linesB, siblings, uProbabilities } = counted;
  const alone = (lines: number): number => aloneOf(learned, lines);
  const prior = priorOdds(counted, learned);
  const ofText = ratios(learned.text, learned.textU);
  const ofReference = referenceRatios(counted, learned);
  const sameName = siblings.share + 0.3 / Math.max(1, Math.min(linesA, linesB));
  const ofName = sameNames(uProbabilities, siblings, ofText, sameName);
  const doubles = doublesOf(counted, learned);
  // A second payment certainly has no partner of its own, while other lines of its side only sometimes have none.
  const certain = (lines: number): number => 1 / Math.max(LEAST_ALONE_SHARING, alone(lines) / lines) - 1;
  const { any, secondA, secondB } = learned.siblingLag;
  const [ofA, ofB] = [siblings.surplus.a * certain(linesA), siblings.surplus.b * certain(linesB)];
  const ofSecond = any.map((_, bin) => ofA * floatAt(secondA, bin) + ofB * floatAt(secondB, bin));
  const { amount, lag, text, reference, ofAmount, ofLag, ofSibling, count } = pairs;
  for (let at = 0; at < count; at += 1) {
    const level = amount[at] as number;
    const bin = lag[at] as number;
    const names = text[at] as number;
    const isShared = (reference[at] as number) >= REFERENCE.first;
    const byReference = floatAt(ofReference, reference[at] as number);
    const byName = floatAt(ofText, names);
    // Probability that the unrelated line has the same name. Its amount and day are then no coincidence.
    const same = Math.max(floatAt(ofName, names), isShared ? Math.min(1, sameName * byReference) : 0);
    const byAmount = ofAmount[at] as number;
    const byDay = ofLag[at] as number;
    const bySibling = ofSibling[at] as number;
    const isEqual = level === AMOUNT.equal;
    const alike = isEqual
      ? same * Math.min(1, bySibling * floatAt(any, bin) + floatAt(ofSecond, bin))
      : Math.max(floatAt(uProbabilities, names * AMOUNT.count + level), isShared ? same * floatAt(siblings.levels, level) : 0) * byDay;
    // A line of the same party with the same amount is no stranger besides. Where lines of the name have other amounts, they may be of several parties.
    const ofStranger = byAmount * byDay * (isEqual ? 1 - MOST_SAME * same * bySibling : 1);
    const chance = ofStranger + alike;
    const likely = prior * byName * byReference * floatAt(learned.amount, level) * floatAt(learned.lag, bin);
    // A level with no expected pairs, true or unrelated, would give 0 / 0, and NaN would spread into everything that is learned.
    if (likely === 0) {
      into[at] = 0;
      continue;
    }
    const odds = Math.min(likely / chance, MOST_ODDS);
    // A duplicate has its own distribution of days from the other side: a second payment comes after the first, so it is rare where a first payment
    // is usual.
    const doubled =
      (doubles.onBoth * floatAt(any, bin) + doubles.secondA * floatAt(secondA, bin) + doubles.secondB * floatAt(secondB, bin)) /
      floatAt(learned.lag, bin);
    into[at] = Math.min(isShared ? odds / (1 + odds * doubled) : odds, MOST_ODDS);
  }
}

/** Second payments assumed although none was seen, because a book that lacks many lines shows few of its second payments. */
const UNSEEN_DOUBLES = 0.1;
const LEAST_LINES = 100;
/** Least share of lines that are missing from a file although it covers their days. */
const LEAST_MISSING = 0.005;
/** A share of a side's lines that has no partner for reasons of its own, such as unpaid bills. A larger share is a sign that lines are missing. */
const USUALLY_ALONE = 0.22;

/**
 * Returns the shares of lines that are missing from side A and from side B, among which the first payment of a second one may be. A line without a
 * partner is missing on the other side, unless files cover all days of that side. In that case a bill without a payment is unpaid, and lines are
 * missing only as far as both sides have lines without a partner. Where balances do not prove that files are whole, such as those of an export with a
 * filter, more bills without a payment than are usually unpaid show missing payments as well.
 */
export function missingShares(
  { linesA, linesB, doubled, coverage }: Counted,
  learned: Learned,
): { readonly a: number; readonly b: number } {
  const [aloneA, aloneB] = [aloneOf(learned, linesA) / linesA, aloneOf(learned, linesB) / linesB];
  // A rent repeats on both sides each month. Only what one side alone repeats is a second payment.
  const [secondA, secondB] = [Math.max(0, doubled.a - doubled.b), Math.max(0, doubled.b - doubled.a)];
  const ofBoth = Math.max(LEAST_MISSING, Math.min(aloneA - secondA, aloneB - secondB));
  const missingOf = (covered: Coverage, alone: number): number => {
    if (covered === 'open') return alone;
    const unusual = covered === 'days' ? (alone - USUALLY_ALONE) / (1 - USUALLY_ALONE) : 0;
    return Math.min(alone, Math.max(ofBoth, unusual));
  };
  return { a: missingOf(coverage.a, aloneB), b: missingOf(coverage.b, aloneA) };
}

/**
 * Returns how many lines look exactly like a missing partner, for each line that is the partner. A line duplicated on both sides has partners of its
 * own and fits only if these are missing as well. A line duplicated on one side alone, such as a second payment, has none.
 */
function doublesOf(counted: Counted, learned: Learned): { readonly onBoth: number; readonly secondA: number; readonly secondB: number } {
  const { linesA, linesB, doubled } = counted;
  const missing = missingShares(counted, learned);
  const { partnered } = learned;
  const [keptA, keptB] = [Math.max(partnered / linesB, LEAST_KEPT), Math.max(partnered / linesA, LEAST_KEPT)];
  const onBoth = Math.min(doubled.a, doubled.b) * missing.a * missing.b;
  const [unseenA = 0, unseenB = 0] = [counted.linesA, counted.linesB].map((lines) => UNSEEN_DOUBLES / Math.max(LEAST_LINES, lines));
  // Counts the duplicates that are seen, and those of which one is missing.
  const [onlyA, onlyB] = [Math.max(0, doubled.a + unseenA - doubled.b) / keptA, Math.max(0, doubled.b + unseenB - doubled.a) / keptB];
  return { onBoth: onBoth / (keptA * keptB), secondA: (onlyA * missing.a) / keptA, secondB: (onlyB * missing.b) / keptB };
}

/**
 * Returns, by text level, the probability that unrelated lines at this level have the same name. It follows from how often their amounts are equal
 * and from how rare such names are.
 */
function sameNames(uProbabilities: UProbabilities, { levels }: Siblings, ofText: Float64Array, sameName: number): Float64Array {
  return ofText.map((ratio, text) =>
    Math.min(1, Math.max(floatAt(uProbabilities, text * AMOUNT.count) / floatAt(levels, AMOUNT.equal), sameName * ratio)),
  );
}

/**
 * Returns the likelihood ratios of reference levels. An unrelated line that shares a reference, such as a second payment, names what the missing
 * partner named. It certainly has no partner of its own, while other lines only sometimes have none.
 */
export function referenceRatios({ linesA, linesB }: Counted, { partnered, reference, referenceU }: Learned): Float64Array {
  const alone = Math.max(LEAST_ALONE_SHARING, Math.min(1 - partnered / linesA, 1 - partnered / linesB));
  return reference.map((share, level) => (share / floatAt(referenceU, level)) * (level >= REFERENCE.first ? Math.min(1, alone) : 1));
}

export function ratios(m: Float64Array, u: Float64Array): Float64Array {
  return Float64Array.from(m, (share, level) => share / floatAt(u, level));
}

/** After this many rounds practically impossible pairs are left out. */
const ROUNDS_OF_ALL = 3;
const IMPOSSIBLE = 2 ** -24;

/**
 * Estimates all parameters by expectation maximization: each round computes the probability of every pair, then the shares of levels among likely
 * pairs. Returns null when cancelled.
 */
export function learn(all: Pairs, counted: Counted, verdicts: Verdicts, isCancelled: () => boolean): Learned | null {
  const learned = beginning(counted);
  let pairs = all;
  let odds: Float64Array = new Float64Array(pairs.count);
  const [sumsA, sumsB] = [new Float64Array(counted.linesA), new Float64Array(counted.linesB)];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (isCancelled()) return null;
    oddsOf(pairs, counted, learned, odds);
    if (round === ROUNDS_OF_ALL) ({ pairs, odds } = prunedPairs(pairs, odds, IMPOSSIBLE));
    sumByLine(pairs, odds, sumsA, sumsB);
    update(pairs, odds, sumsA, sumsB, counted, verdicts, learned);
  }
  return learned;
}

/** Fills `sumsA` and `sumsB` with the sum of odds of all pairs of each row. */
export function sumByLine({ starts, columns }: Pairs, odds: Float64Array, sumsA: Float64Array, sumsB: Float64Array): void {
  sumsB.fill(0);
  for (let row = 0; row + 1 < starts.length; row += 1) {
    let sum = 0;
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const value = floatAt(odds, at);
      sum += value;
      const column = intAt(columns, at);
      sumsB[column] = floatAt(sumsB, column) + value;
    }
    sumsA[row] = sum;
  }
}

function update(
  pairs: Pairs,
  odds: Float64Array,
  sumsA: Float64Array,
  sumsB: Float64Array,
  counted: Counted,
  verdicts: Verdicts,
  learned: Learned,
): void {
  const { starts, columns } = pairs;
  const amount = new Float64Array(AMOUNT.count);
  const lag = new Float64Array(LAG_BINS);
  const text = new Float64Array(learned.text.length);
  const reference = new Float64Array(REFERENCE_LEVELS);
  let partnered = 0;
  let sum = 0;
  for (let row = 0; row + 1 < starts.length; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const value = floatAt(odds, at);
      const own = value / (1 + floatAt(sumsA, row) + floatAt(sumsB, intAt(columns, at)) - value);
      // People decide about the doubtful pairs. Their decisions show the levels of true pairs, but not how many pairs are true.
      partnered += own;
      const likely = verdicts.isEmpty ? own : (verdicts.of(row, intAt(columns, at)) ?? own);
      if (likely < 1e-6) continue;
      sum += likely;
      raise(amount, pairs.amount[at] as number, likely);
      raise(lag, pairs.lag[at] as number, likely);
      raise(text, pairs.text[at] as number, likely);
      raise(reference, pairs.reference[at] as number, likely);
    }
  }
  const lines = Math.min(counted.linesA, counted.linesB);
  learned.partnered = (lines * (partnered + PRIOR_LINES * PRIOR_PARTNERED)) / (lines + PRIOR_LINES);
  const { priors } = counted;
  blend(learned.amount, amount, sum, priors.amount, PRIOR_PAIRS.amount);
  blend(learned.lag, lag, sum, priors.lag, PRIOR_PAIRS.lag);
  doubtUnseen(learned.lag, lag, sum, priors.lag);
  // A pair matched by an alias says nothing about the texts of other true pairs.
  const byAlias = text.subarray(TEXT_LEVELS).reduce((total, count) => total + count, 0);
  blend(learned.text.subarray(0, TEXT_LEVELS), withoutOwn(text), sum - byAlias, priors.text, PRIOR_PAIRS.text);
  blend(learned.reference, withoutOwn(reference), sum, priors.reference, PRIOR_PAIRS.reference);
  updateU(counted, learned, text, reference);
  learned.siblingLag = lagOfSiblings(counted.siblings, learned.lag);
}

function raise(sums: Float64Array, level: number, by: number): void {
  sums[level] = floatAt(sums, level) + by;
}

/** Subtracts one pair from each count, so that no pair is evidence for itself. */
function withoutOwn(counted: Float64Array): Float64Array {
  return counted.map((count) => Math.max(0, count - 1));
}

function blend(into: Float64Array, counted: Float64Array, sum: number, prior: Float64Array, weight: number): void {
  for (let level = 0; level < into.length; level += 1)
    into[level] = (floatAt(counted, level) + weight * floatAt(prior, level)) / (sum + weight);
}

/** Expected pairs in a bin from which on it counts as evidence that none was seen there. */
const ENOUGH_TO_SEE = 2;
/** Pairs assumed in a bin in which none was seen. */
const UNSEEN = 0.25;

/** Lowers the share of bins in which the prior expects true pairs and the book shows none, so that the prior alone does not support a pair there. */
function doubtUnseen(lag: Float64Array, seen: Float64Array, sum: number, prior: Float64Array): void {
  for (let bin = 0; bin < lag.length; bin += 1) {
    // A single pair in the bin does not count, or it would be evidence for itself.
    if (floatAt(seen, bin) >= 1.5 || sum * floatAt(prior, bin) < ENOUGH_TO_SEE) continue;
    lag[bin] = Math.min(floatAt(lag, bin), UNSEEN / (sum + PRIOR_PAIRS.lag));
  }
  const left = lag.reduce((total, share) => total + share, 0);
  for (let bin = 0; bin < lag.length; bin += 1) lag[bin] = floatAt(lag, bin) / left;
}

/** Returns the pairs of lines by reference level: those that share a reference as counted, the others estimated for random pairs. */
export function referencePairs(sharing: Float64Array, missing: number, all: number): Float64Array {
  const found = sharing.slice();
  let shared = 0;
  for (let level = REFERENCE.first; level < REFERENCE_LEVELS; level += 1) shared += floatAt(found, level);
  found[REFERENCE.missing] = missing * all;
  found[REFERENCE.differ] = Math.max(0, (1 - missing) * all - shared);
  return found;
}
