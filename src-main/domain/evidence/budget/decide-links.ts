import { differenceOfRows } from '../../matching/difference.ts';
import { idAt } from '../../matching/record-columns.ts';
import { floatAt, intAt } from '../../matching/typed.ts';
import { AMOUNT, REFERENCE } from '../comparison/levels.ts';
import { type Learned, ratios } from '../estimation/learn.ts';
import { marginalsOf } from '../marginals/propagate.ts';
import { refine } from '../marginals/refine.ts';
import type { EvidenceInput, MaxDifference } from '../model/input.ts';
import type { EvidenceLink, EvidenceOutcome, LinkSink } from '../model/link.ts';
import { logOddsOf, weightOf } from '../model/parts.ts';
import type { Weight } from '../model/weight.ts';
import type { Book } from '../estimation/read-book.ts';
import { type Candidate, committedBy, EVIDENCE } from './decide.ts';

/** Books with fewer lines on a side lean on general experience. */
export const SMALL_BOOK = 50;
/** A rival that weighs less than this share of a pair is none. */
const RIVAL = 0.01;

interface Found extends Candidate {
  readonly rowA: number;
  readonly rowB: number;
  readonly differenceMinor: number;
  readonly weight: Weight;
  readonly hasRival: boolean;
}

/** Ties the pairs that are more likely than not, and commits those within the budget. */
export function decideLinks(input: EvidenceInput, book: Book, learned: Learned, odds: Float64Array, sink: LinkSink): EvidenceOutcome {
  const found = likelyPairs(input, book, learned, odds);
  const { rule, committedBefore } = input;
  const decided = committedBy(found, committedBefore, rule.budget);
  found.forEach((pair, place) => sink(linkOf(input, pair, decided.isCommitted[place] === 1)));
  const lines = Math.min(book.a.count, book.b.count);
  let committed = 0;
  for (const mark of decided.isCommitted) committed += mark;
  return {
    committed: decided.figures,
    atBudgets: [1, 10, 100].map((budget) => committedBy(found, committedBefore, budget).figures),
    proposed: found.length - committed,
    cappedLines: book.capped,
    lines,
    leansOnPrior: lines < SMALL_BOOK,
  };
}

function linkOf({ a, b }: EvidenceInput, { rowA, rowB, differenceMinor, weight, hasRival }: Found, isCommitted: boolean): EvidenceLink {
  return {
    kind: 'pair',
    aIds: [idAt(a.all, rowA)],
    bIds: [idAt(b.all, rowB)],
    status: isCommitted ? 'matched' : 'proposed',
    certainty: hasRival ? 'best' : 'unique',
    differenceMinor,
    weight,
  };
}

function likelyPairs(input: EvidenceInput, book: Book, learned: Learned, odds: Float64Array): Found[] {
  const { pairs, a, b } = book;
  const aloneA = new Float64Array(a.count).fill(1);
  const aloneB = new Float64Array(b.count).fill(1);
  const marginals = marginalsOf(pairs, odds, aloneA, aloneB);
  refine(pairs, odds, aloneA, aloneB, marginals);
  const differenceAt = differenceOfRows(input.a.all, input.b.all, input.signConvention);
  const bestOfB = new Float64Array(b.count);
  const { starts, columns } = pairs;
  for (let at = 0; at < pairs.count; at += 1) {
    const column = intAt(columns, at);
    if (floatAt(marginals.likely, at) <= 0.5) bestOfB[column] = Math.max(floatAt(bestOfB, column), floatAt(odds, at));
  }
  const factors = factorsOf(book, learned);
  const found: Found[] = [];
  for (let rowA = 0; rowA < a.count; rowA += 1) {
    const [from, to] = [intAt(starts, rowA), intAt(starts, rowA + 1)];
    for (let at = from; at < to; at += 1) {
      if (!(floatAt(marginals.likely, at) > 0.5)) continue;
      const rowB = intAt(columns, at);
      const differenceMinor = differenceAt(rowA, rowB);
      if (differenceMinor === null) continue;
      let rival = floatAt(bestOfB, rowB);
      for (let other = from; other < to; other += 1) if (other !== at) rival = Math.max(rival, floatAt(odds, other));
      const logOdds = logOddsOf(floatAt(marginals.odds, at));
      const ofPair = factors(at);
      found.push({
        rowA,
        rowB,
        differenceMinor,
        logOdds,
        weight: weightOf(logOdds, ofPair),
        evidence: evidenceOf(pairs.reference[at] as number, ofPair),
        hasRival: rival >= RIVAL * floatAt(odds, at),
        mayCommit: marginals.isOpen[at] === 0 && allowed(input, rowA, rowB, differenceMinor) && isPlain(book, learned, at, ofPair),
      });
      break;
    }
  }
  return found;
}

/** What each kind of evidence multiplies the odds of a pair by: amount, days, text, references. */
function factorsOf({ pairs }: Book, learned: Learned): (at: number) => number[] {
  const ofText = ratios(learned.text, learned.textStrangers);
  const ofReference = ratios(learned.reference, learned.referenceStrangers);
  return (at) => [
    floatAt(learned.amount, pairs.amount[at] as number) / (pairs.ofAmount[at] as number),
    floatAt(learned.lag, pairs.lag[at] as number) / (pairs.ofLag[at] as number),
    floatAt(ofText, pairs.text[at] as number),
    floatAt(ofReference, pairs.reference[at] as number),
  ];
}

/** Bits that names must add to be more than the amount alone. */
const TELLING = 8;

function evidenceOf(reference: number, [, , text = 1]: readonly number[]): number {
  if (reference >= REFERENCE.first) return EVIDENCE.reference;
  return text >= TELLING ? EVIDENCE.name : EVIDENCE.amount;
}

/** Whether a committed pair may leave such a difference. */
function allowed({ rule, a, b }: EvidenceInput, rowA: number, rowB: number, differenceMinor: number): boolean {
  const { maxDifference } = rule;
  if (differenceMinor === 0) return true;
  return (
    maxDifference !== null &&
    Math.abs(differenceMinor) <= mostOf(maxDifference, Math.max(a.all.amounts[rowA] as number, b.all.amounts[rowB] as number))
  );
}

function mostOf(most: MaxDifference, larger: number): number {
  return 'minor' in most ? most.minor : (larger * most.percent) / 100;
}

/** Share of true pairs whose references differ, from which on that says nothing against a pair. */
const DIFFERENCE_IS_USUAL = 0.2;

/** Whether what is known allows to commit such a pair at all. */
function isPlain({ pairs, counted, amounts, a }: Book, learned: Learned, at: number, factors: readonly number[]): boolean {
  const reference = pairs.reference[at] as number;
  if (reference === REFERENCE.differ && floatAt(learned.reference, REFERENCE.differ) < DIFFERENCE_IS_USUAL) return false;
  if (Math.min(counted.linesA, counted.linesB) >= SMALL_BOOK || evidenceOf(reference, factors) !== EVIDENCE.amount) return true;
  // A small book tells too little: then the amount must be the only one of either file, to the cent, and the day the same.
  if (pairs.amount[at] !== AMOUNT.equal) return false;
  const row = rowOf(pairs.starts, at);
  const key = intAt(amounts.keyOfA, row);
  const isOnly =
    intAt(amounts.startsA, key + 1) - intAt(amounts.startsA, key) === 1 &&
    intAt(amounts.startsB, key + 1) - intAt(amounts.startsB, key) === 1;
  return isOnly && (amounts.expected[key] as number) < 1 && a.count > 0 && pairs.lag[at] === SAME_DAY;
}

const SAME_DAY = 7;

function rowOf(starts: Int32Array, at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (intAt(starts, middle) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
