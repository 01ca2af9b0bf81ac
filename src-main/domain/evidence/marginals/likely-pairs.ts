import type { MaxDifferenceInput } from '../../../../src-shared/contract/index.ts';
import { floatAt, intAt, itemAt } from '../../collections/typed-arrays.ts';
import { differenceOfRows } from '../../records/amount-difference.ts';
import { EVIDENCE, TELLING } from '../budget/decide.ts';
import { type FoundLink, FoundLinks, SMALL_BOOK } from '../budget/found-links.ts';
import type { Pairs } from '../comparison/pairs.ts';
import { AMOUNT, lagBin, REFERENCE } from '../comparison/levels.ts';
import { isExplainedBy, mayCommitBy } from '../estimation/formulas.ts';
import { type Counted, type Learned, ratios, referenceRatios } from '../estimation/learn.ts';
import type { Book } from '../estimation/read-book.ts';
import type { EvidenceInput } from '../model/input.ts';
import { logOddsOf, weightOf } from '../model/parts.ts';
import type { Marginals } from './propagate.ts';
import { LIKELY, tieLinks } from './ties.ts';
import { weighPairs } from './weigh-pairs.ts';

/** A rival with less than this share of a pair's odds is ignored. */
const RIVAL = 0.01;
/** If at least this share of true pairs has different references, a difference is no evidence against a pair. */
const DIFFERENCE_IS_USUAL = 0.2;
const SAME_DAY = lagBin(0);

/** Returns the pairs that are more likely than not, by row of A. */
export function likelyPairs(input: EvidenceInput, book: Book, learned: Learned, pairs: Pairs, odds: Float64Array): FoundLinks {
  const { a, b } = book;
  const marginals = weighPairs(book, learned, pairs, odds);
  const rivals = rivalsOf(pairs, odds, marginals, b.count);
  const describe = describer(input, book, learned, pairs);
  const { withoutPartner } = marginals;
  const aloneOf = (row: number, column: number, odds: number): number =>
    Math.max(0, Math.min(floatAt(withoutPartner.a, row), floatAt(withoutPartner.b, column))) * (1 + odds);
  const found = new FoundLinks();
  const ties = tieLinks(input, pairs, marginals).toSorted((left, right) => left.rowA - right.rowA);
  let tie = 0;
  const { starts, columns } = pairs;
  for (let row = 0; row < a.count; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      if (!(floatAt(marginals.likely, at) > LIKELY)) continue;
      const isSettled = marginals.isOpen[at] === 0;
      const hasRival = rivals(row, at) >= RIVAL * floatAt(odds, at);
      const link = describe(row, intAt(columns, at), at, floatAt(marginals.odds, at), isSettled);
      if (link !== null)
        found.add({
          ...link,
          alone: aloneOf(row, intAt(columns, at), floatAt(marginals.odds, at)),
          certainty: hasRival ? 'best' : 'unique',
        });
      break;
    }
    for (; tie < ties.length && itemAt(ties, tie).rowA === row; tie += 1) {
      const { rowB, at, likely } = itemAt(ties, tie);
      const link = describe(row, rowB, at, likely / Math.max(1 - likely, 2 ** -32), marginals.isOpen[at] === 0);
      if (link !== null) found.add({ ...link, alone: 0, certainty: 'interchangeable' });
    }
  }
  return found;
}

/** Returns a function for the largest odds among the other pairs of either line. */
function rivalsOf(
  { starts, columns, count }: Pairs,
  odds: Float64Array,
  { likely }: Marginals,
  linesB: number,
): (row: number, at: number) => number {
  const others = new Float64Array(linesB);
  for (let at = 0; at < count; at += 1) {
    const column = intAt(columns, at);
    if (floatAt(likely, at) <= LIKELY) others[column] = Math.max(floatAt(others, column), floatAt(odds, at));
  }
  return (row, at) => {
    let rival = floatAt(others, intAt(columns, at));
    for (let other = intAt(starts, row); other < intAt(starts, row + 1); other += 1)
      if (other !== at) rival = Math.max(rival, floatAt(odds, other));
    return rival;
  };
}

type Described = Omit<FoundLink, 'certainty' | 'alone'> | null;

/** Returns a function that describes a pair, or returns null if its difference cannot be stored. */
function describer(
  input: EvidenceInput,
  book: Book,
  learned: Learned,
  pairs: Pairs,
): (rowA: number, rowB: number, at: number, odds: number, isSettled: boolean) => Described {
  const differenceAt = differenceOfRows(input.a.all, input.b.all, input.signConvention);
  const factors = factorsOf(pairs, book.counted, learned);
  return (rowA, rowB, at, odds, isSettled) => {
    const differenceMinor = differenceAt(rowA, rowB);
    if (differenceMinor === null) return null;
    const logOdds = logOddsOf(odds);
    const ofPair = factors(at);
    const evidence = evidenceOf(pairs.reference[at] as number, ofPair);
    const larger = Math.max(input.a.all.amounts[rowA] as number, input.b.all.amounts[rowB] as number);
    return {
      kind: 'pair',
      rowsA: [rowA],
      rowsB: [rowB],
      differenceMinor,
      weight: weightOf(logOdds, ofPair),
      evidence,
      mayCommit:
        isSettled &&
        (isAllowed(input.rule.maxDifference, differenceMinor, larger) || isByFormula(book, learned, rowA, rowB)) &&
        isPlain(book, learned, pairs, rowA, at, evidence),
    };
  };
}

/** Returns a function for the factors of a pair's odds: amount, days, text, references. */
function factorsOf(pairs: Pairs, counted: Counted, learned: Learned): (at: number) => number[] {
  const ofText = ratios(learned.text, learned.textU);
  const ofReference = referenceRatios(counted, learned);
  return (at) => [
    floatAt(learned.amount, pairs.amount[at] as number) / (pairs.ofAmount[at] as number),
    floatAt(learned.lag, pairs.lag[at] as number) / (pairs.ofLag[at] as number),
    floatAt(ofText, pairs.text[at] as number),
    floatAt(ofReference, pairs.reference[at] as number),
  ];
}

/** Returns a function for the strongest evidence of each pair, by its index. */
export function evidenceOfPairs(pairs: Pairs, counted: Counted, learned: Learned): (at: number) => number {
  const factors = factorsOf(pairs, counted, learned);
  return (at) => evidenceOf(pairs.reference[at] as number, factors(at));
}

function evidenceOf(reference: number, [, , text = 1]: readonly number[]): number {
  if (reference >= REFERENCE.first) return EVIDENCE.reference;
  return text >= TELLING ? EVIDENCE.name : EVIDENCE.amount;
}

/** Returns whether a committed link may have this difference, in minor units. `larger` is the larger amount of the two. */
export function isAllowed(most: MaxDifferenceInput | null, differenceMinor: number, larger: number): boolean {
  if (differenceMinor === 0) return true;
  if (most === null) return false;
  return Math.abs(differenceMinor) <= ('minor' in most ? most.minor : (larger * most.percent) / 100);
}

/** Returns whether a formula of this book explains the difference to the cent. */
function isByFormula({ a, b }: Book, { formulas }: Learned, rowA: number, rowB: number): boolean {
  return formulas.some((formula) => mayCommitBy(formula) && isExplainedBy(formula, floatAt(a.values, rowA), floatAt(b.values, rowB)));
}

/** Returns whether the evidence permits to commit such a pair at all. */
function isPlain({ counted, amounts }: Book, learned: Learned, pairs: Pairs, row: number, at: number, evidence: number): boolean {
  if (pairs.reference[at] === REFERENCE.differ && floatAt(learned.reference, REFERENCE.differ) < DIFFERENCE_IS_USUAL) return false;
  if (Math.min(counted.linesA, counted.linesB) >= SMALL_BOOK || evidence !== EVIDENCE.amount) return true;
  // A small book has little evidence, so the amount must be unique in both files and the day the same.
  const key = intAt(amounts.keyOfA, row);
  const isOnly = (starts: Int32Array): boolean => intAt(starts, key + 1) - intAt(starts, key) === 1;
  return pairs.amount[at] === AMOUNT.equal && isOnly(amounts.startsA) && isOnly(amounts.startsB) && pairs.lag[at] === SAME_DAY;
}
