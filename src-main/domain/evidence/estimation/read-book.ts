import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { Field } from '../../records/fields.ts';
import { findPairs, type FoundPairs } from '../comparison/find-pairs.ts';
import { AMOUNT, BANDS, LAG_BINS, LAG_EARLY, LAG_FAR, lagBin, lagRange, REFERENCE, REFERENCE_LEVELS } from '../comparison/levels.ts';
import type { Pairs } from '../comparison/pairs.ts';
import { lineFeatures, type LineFeatures, sharedCodes } from '../features/line-features.ts';
import { withPartsOfNumbers } from '../features/long-numbers.ts';
import type { Names } from '../features/names.ts';
import { type ReferenceFacts, sharedReferences } from '../features/shared-references.ts';
import { aliasLevels, type AliasLevels, alikeByAlias, withAliases } from '../frequencies/alias-levels.ts';
import { type Amounts, amountsOf } from '../frequencies/amounts.ts';
import { type NameWeights, nameWeights, postingsOf } from '../frequencies/name-weights.ts';
import { pairChances } from '../frequencies/pair-chances.ts';
import { type Siblings, siblingsOf } from '../frequencies/siblings.ts';
import { textChance, type TextChance } from '../frequencies/text-chance.ts';
import { type UProbabilities, uProbabilitiesOf } from '../frequencies/u-probabilities.ts';
import type { EvidenceInput } from '../model/input.ts';
import { log2Of } from '../model/logarithm.ts';
import type { Alias, EvidenceParameters } from '../model/parameters.ts';
import { aliasesOf, tiedNames } from './aliases.ts';
import { type Counted, referencePairs } from './learn.ts';
import { amountPrior, lagPrior, LEAST_UNRELATED, referencePrior, textPrior } from './prior.ts';

/** Amounts that make more pairs than this do not show which lines belong together. */
const MOST_PAIRS = 4;
const PRIOR_PAIRS = 30;
/**
 * Weight of the prior in pairs, for each line of side A whose amount makes more pairs than `MOST_PAIRS`. The days of other lines say little about it:
 * a club is paid its dues, all of one amount, on other days than it pays its bills.
 */
const PRIOR_OF_UNSEEN = 0.5;
/** Standard deviations by which the pairs whose line of side B comes first exceed the others where that is no chance. */
const LEAST_TURNED = 2;
/** Bins with a smaller share of the true pairs are left out of the search by name. */
const LEAST_SHARE = 0.002;

/** A first estimate of the days from a line to its partner: shares by bin, and the range of days that holds nearly all of them. */
interface FirstLag {
  /** The prior of most books, in the direction in which this book's lines follow each other. */
  readonly prior: Float64Array;
  readonly shares: Float64Array;
  readonly fromDay: number;
  readonly toDay: number;
  /** Whether the lines of side B certainly come first, as in a book whose side A is the bank. */
  readonly isTurned: boolean;
}

/** Estimates the lag from rare amounts: for each bin, the pairs of equal amounts beyond those that chance puts on any day. */
function firstLag(a: LineFeatures, b: LineFeatures, { keys, startsA, startsB, rowsA, rowsB }: Amounts): FirstLag {
  const counts = new Float64Array(LAG_BINS);
  let unseen = 0;
  for (let key = 0; key < keys; key += 1) {
    const [fromA, toA] = [intAt(startsA, key), intAt(startsA, key + 1)];
    const [fromB, toB] = [intAt(startsB, key), intAt(startsB, key + 1)];
    if (fromA === toA || fromB === toB) continue;
    if ((toA - fromA) * (toB - fromB) > MOST_PAIRS) {
      unseen += toA - fromA;
      continue;
    }
    for (let atA = fromA; atA < toA; atA += 1) {
      for (let atB = fromB; atB < toB; atB += 1) {
        const bin = lagBin(intAt(b.days, intAt(rowsB, atB)) - intAt(a.days, intAt(rowsA, atA)));
        counts[bin] = floatAt(counts, bin) + 1;
      }
    }
  }
  // The outermost bins hold pairs by chance alone, so they give the rate per day.
  const widthOf = (bin: number): number => lagRange(bin)[1] - lagRange(bin)[0] + 1;
  const perDay = Math.min(floatAt(counts, 0) / widthOf(0), floatAt(counts, LAG_FAR - 1) / widthOf(LAG_FAR - 1));
  const ofPrior = PRIOR_PAIRS + PRIOR_OF_UNSEEN * unseen;
  let sum = ofPrior;
  for (let bin = 0; bin < LAG_FAR; bin += 1) {
    const expected = perDay * widthOf(bin);
    counts[bin] = Math.max(0, floatAt(counts, bin) - expected - 2 * Math.sqrt(expected));
    sum += floatAt(counts, bin);
  }
  counts[LAG_FAR] = 0;
  counts[LAG_EARLY] = 0;
  const sameDay = lagBin(0);
  const [before, after] = [sumOf(counts.subarray(0, sameDay)), sumOf(counts.subarray(sameDay + 1, LAG_FAR))];
  const prior = lagPrior(before > after);
  const shares = counts.map((count, bin) => (count + ofPrior * floatAt(prior, bin)) / sum);
  let first = 0;
  let last = LAG_FAR - 1;
  while (floatAt(shares, first) < LEAST_SHARE && first < last) first += 1;
  while (floatAt(shares, last) < LEAST_SHARE && last > first) last -= 1;
  // One pair by chance must not turn the days in which a whole book is searched.
  const isTurned = before - after > LEAST_TURNED * Math.sqrt(before + after);
  return { prior, shares, fromDay: lagRange(first)[0], toDay: lagRange(last)[1], isTurned };
}

function sumOf(counts: Float64Array): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** All data read and counted of a book, shared by the later stages. */
export interface Book {
  readonly a: LineFeatures;
  readonly b: LineFeatures;
  readonly fieldsA: readonly Field[];
  readonly fieldsB: readonly Field[];
  readonly names: Names;
  readonly weights: NameWeights;
  /** All aliases, including those that people removed. */
  readonly aliases: readonly Alias[];
  readonly amounts: Amounts;
  /** The number of references, and the facts known about them. */
  readonly referenceCount: number;
  readonly references: ReferenceFacts;
  readonly counted: Counted;
  readonly capped: number;
  /** By row of A: first and last day after it in which all lines of its amount were listed. */
  readonly listedFrom: Int8Array;
  readonly listedTo: Int8Array;
}

/** Share of the whole stage's progress. */
const OF_FINDING = 0.6;

interface Lines {
  readonly a: LineFeatures;
  readonly b: LineFeatures;
  readonly names: Names;
  readonly referenceCount: number;
  /** Names that people matched; empty if aliases are known already. */
  readonly tied: ReturnType<typeof tiedNames>;
}

/**
 * Returns everything read from texts, or null when cancelled. The table that distinguishes references is released on return: 134 of 842 MB with a
 * million lines on each side.
 */
function readLines({ a: sideA, b: sideB, signConvention, people, onTextsRead, watch }: EvidenceInput, isKnown: boolean): Lines | null {
  const shared = sharedCodes([sideA.all, sideB.all]);
  const readA = lineFeatures(sideA.all, sideA.fields, 'a', signConvention, shared, watch.isCancelled);
  const readB = lineFeatures(sideB.all, sideB.fields, 'b', signConvention, shared, watch.isCancelled);
  if (readA === null || readB === null) return null;
  const a = withPartsOfNumbers(readA.lines, readA.long, readB.lines, shared.references);
  const b = withPartsOfNumbers(readB.lines, readB.long, readA.lines, shared.references);
  const tied = isKnown ? [] : tiedNames(sideA, sideB, people);
  onTextsRead();
  return { a, b, names: shared.names, referenceCount: shared.references.count, tied };
}

/** A book, and the pairs that may be true. */
interface ReadBook {
  readonly book: Book;
  readonly pairs: Pairs;
}

/** Reads and counts a book and lists the pairs that may be true. `known` holds the parameters of an earlier run. Returns null when cancelled. */
export function readBook(input: EvidenceInput, known: EvidenceParameters | null): ReadBook | null {
  const { a: sideA, b: sideB, people, watch } = input;
  const lines = readLines(input, known !== null);
  if (lines === null) return null;
  const { a, b, names, referenceCount, tied } = lines;
  const amounts = amountsOf(a, b);
  if (watch.isCancelled()) return null;
  const references = sharedReferences(a, b, referenceCount);
  if (watch.isCancelled()) return null;
  const weights = nameWeights(names, a, b);
  const text = textChance(weights, a.count, b.count);
  const siblings = siblingsOf(a, b, amounts, names.count);
  if (watch.isCancelled()) return null;
  const kept = known?.aliases ?? aliasesOf(tied, names, weights, { a: a.count, b: b.count });
  const aliases = aliasLevels(kept, people.removedAliases, names, weights, { a, b });
  const uProbabilities = alikeByAlias(uProbabilitiesOf(a, b, weights, siblings), siblings, aliases);
  const postings = postingsOf(weights, b);
  if (watch.isCancelled()) return null;
  const lag = firstLag(a, b, amounts);
  const worth = worthOf(amountPrior(), lag.shares, text, references, a.count * b.count);
  // The search for pairs is most of the work; learning from them takes the rest of the stage.
  const advance = (rows: number): void => watch.advance((rows / a.count) * OF_FINDING * (sideA.free.count + sideB.free.count));
  const found = findPairs({
    a,
    b,
    amounts,
    references,
    weights,
    postings,
    aliases,
    worth: { ...worth, text: withAliases(worth.text, aliases, ({ text: level, bits }) => Math.max(worth.text[level] ?? 0, bits)) },
    fromDay: lag.fromDay,
    toDay: lag.toDay,
    isTurned: lag.isTurned,
    advance,
    isCancelled: watch.isCancelled,
  });
  if (found === null) return null;
  const coverage = { a: sideA.coverage ?? 'open', b: sideB.coverage ?? 'open' };
  const counted = countBook({ a, b, references, siblings, text, uProbabilities, aliases, coverage, lagPriorOfBook: lag.prior }, found);
  const pairs = pairChances(found, a, b, amounts, siblings, lag.isTurned);
  const { index: _, ...facts } = references;
  const book = {
    a,
    b,
    fieldsA: sideA.fields,
    fieldsB: sideB.fields,
    names,
    weights,
    aliases: kept,
    amounts,
    referenceCount,
    references: facts,
    counted,
    capped: found.capped,
    listedFrom: found.listedFrom,
    listedTo: found.listedTo,
  };
  return { book, pairs };
}

interface BookParts {
  readonly a: LineFeatures;
  readonly b: LineFeatures;
  readonly references: ReferenceFacts;
  readonly siblings: Siblings;
  readonly text: TextChance;
  readonly uProbabilities: UProbabilities;
  readonly aliases: AliasLevels;
  readonly coverage: Counted['coverage'];
  readonly lagPriorOfBook: Float64Array;
}

/** Returns all counts of the book, and the prior that fits them. */
function countBook(
  { a, b, references, siblings, text, uProbabilities, aliases, coverage, lagPriorOfBook }: BookParts,
  { sharing }: Pick<FoundPairs, 'sharing'>,
): Counted {
  // A side without lines has no pairs, so a share would be 0 / 0.
  const all = Math.max(1, a.count * b.count);
  const pairs = referencePairs(sharing, shareWithout(references), all);
  const sharesOfPairs = (counts: Float64Array): Float64Array => counts.map((count) => count / all);
  return {
    linesA: a.count,
    linesB: b.count,
    text,
    references: pairs,
    siblings,
    doubled: { a: references.doubledA, b: references.doubledB },
    uProbabilities,
    aliases,
    coverage,
    priors: {
      amount: amountPrior(),
      lag: lagPriorOfBook,
      text: textPrior(text.pairs.map((count) => Math.max(count, LEAST_UNRELATED) / all)),
      reference: referencePrior(sharesOfPairs(pairs), references, sharing),
    },
  };
}

/** Returns the share of all pairs of lines in which one line holds no reference of any kind that the other one holds. */
function shareWithout({ familiesOfA, familiesOfB }: ReferenceFacts): number {
  const [wanted, fields] = [countsOf(familiesOfA), countsOf(familiesOfB)];
  let without = 0;
  for (const [mask, lines] of wanted) for (const [held, others] of fields) if ((mask & held) === 0) without += lines * others;
  return without / (familiesOfA.length * familiesOfB.length);
}

function countsOf(masks: Int32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (let row = 0; row < masks.length; row += 1) counts.set(intAt(masks, row), (counts.get(intAt(masks, row)) ?? 0) + 1);
  return counts;
}

interface Worth {
  readonly amount: Float64Array;
  readonly lag: Float64Array;
  readonly text: Float64Array;
  readonly reference: Float64Array;
}

/** Returns what levels are worth in bits before anything is learned. The candidates of a line are ranked by it when there are too many. */
function worthOf(amount: Float64Array, lag: Float64Array, text: TextChance, references: ReferenceFacts, all: number): Worth {
  const unrelated = text.pairs.map((pairs) => (pairs + 0.5) / Math.max(1, all));
  const ofText = textPrior(unrelated);
  const reference = new Float64Array(REFERENCE_LEVELS).fill(12);
  reference[REFERENCE.missing] = 0;
  reference[REFERENCE.differ] = references.families.length === 0 ? 0 : -4;
  return {
    amount: amount.map((share, level) => log2Of(share / (level === AMOUNT.equal ? 0.000_1 : (BANDS[level] ?? 0.000_5)))),
    lag: lag.map((share, bin) => log2Of((share * 120) / (lagRange(bin)[1] - lagRange(bin)[0] + 1))),
    text: ofText.map((share, level) => Math.max(-4, log2Of(share / floatAt(unrelated, level)))),
    reference,
  };
}
