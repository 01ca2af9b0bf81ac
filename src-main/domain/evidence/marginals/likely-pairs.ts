import type { MaxDifferenceInput } from '../../../../src-shared/contract/index.ts';
import { floatAt, intAt, itemAt } from '../../collections/typed-arrays.ts';
import { differenceOfRows } from '../../records/amount-difference.ts';
import { areAlike } from '../../records/content-order.ts';
import { idAt, type RecordColumns } from '../../records/record-columns.ts';
import { EVIDENCE, TELLING } from '../budget/decide.ts';
import { type FoundLink, FoundLinks, SMALL_BOOK } from '../budget/found-links.ts';
import { type FreePairs, openPairs } from '../comparison/free-lines.ts';
import { AMOUNT, lagBin, REFERENCE } from '../comparison/levels.ts';
import type { Pairs } from '../comparison/pairs.ts';
import { isExplainedBy, mayCommitBy } from '../estimation/formulas.ts';
import { type Counted, type Learned, ratios, referenceRatios } from '../estimation/learn.ts';
import type { Book } from '../estimation/read-book.ts';
import { rowById } from '../features/row-by-id.ts';
import type { ChangedPair, CommittedLinks } from '../model/committed.ts';
import type { EvidenceInput } from '../model/input.ts';
import { logOddsOf, weightOf } from '../model/weight.ts';
import type { Marginals } from './propagate.ts';
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
function evidenceOfPairs(pairs: Pairs, counted: Counted, learned: Learned): (at: number) => number {
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

/**
 * A committed pair is shown for review if its log odds fall below those of 0.97. The threshold to commit is higher, so that small drifts change
 * nothing.
 */
const LEAST_LIKELY = 321;

/**
 * Returns the pairs that earlier runs committed and that would no longer be. They are weighed as one run over the free lines and theirs would weigh
 * them. Pairs confirmed by people and matches of other rules take no part. `correct` applies the calibration to log odds, given the share of the
 * doubt that is about having a partner.
 */
export function changedPairs(
  input: EvidenceInput,
  book: Book,
  learned: Learned,
  pairs: Pairs,
  odds: Float64Array,
  { freeA, freeB }: Pick<FreePairs, 'freeA' | 'freeB'>,
  correct: (logOdds: number, alone: number, kind: number) => number,
): ChangedPair[] {
  const { pairs: committed } = input.committedBefore;
  if (committed.matchIds.length === 0) return [];
  const rows = committedRows(input, committed);
  const isBarred = input.isBarredOfAll();
  const isOfRun = (free: Int32Array, committedOnes: ReadonlySet<number>, row: number): boolean =>
    intAt(free, row) >= 0 || committedOnes.has(row);
  const open = openPairs(
    pairs,
    odds,
    (row, column) => isOfRun(freeA, rows.ofA, row) && isOfRun(freeB, rows.ofB, column) && !isBarred(row, column),
  );
  const marginals = weighPairs(book, learned, open.pairs, open.odds);
  const { withoutPartner } = marginals;
  const kindAt = evidenceOfPairs(open.pairs, book.counted, learned);
  const corrected = (now: number, rowA: number, rowB: number, at: number): number => {
    const doubt = Math.max(1 - now, 2 ** -32);
    const alone = at < 0 ? 0 : Math.min(floatAt(withoutPartner.a, rowA), floatAt(withoutPartner.b, rowB)) / doubt;
    return correct(logOddsOf(now / doubt), Math.max(0, Math.min(1, alone)), at < 0 ? 0 : kindAt(at));
  };
  return fallen(input, open.pairs, marginals, rows.list, corrected);
}

interface CommittedRows {
  readonly list: readonly { readonly rowA: number; readonly rowB: number; readonly matchId: number; readonly before: number }[];
  /** Rows of all lines that the committed pairs hold. */
  readonly ofA: ReadonlySet<number>;
  readonly ofB: ReadonlySet<number>;
}

function committedRows({ a, b }: EvidenceInput, { matchIds, aIds, bIds, logOdds }: CommittedLinks['pairs']): CommittedRows {
  const [rowsA, rowsB] = [rowById(a.all, new Set(aIds)), rowById(b.all, new Set(bIds))];
  const list = [...matchIds.keys()].flatMap((at) => {
    const rowA = rowsA.get(floatAt(aIds, at));
    const rowB = rowsB.get(floatAt(bIds, at));
    if (rowA === undefined || rowB === undefined) return [];
    return [{ rowA, rowB, matchId: floatAt(matchIds, at), before: logOdds[at] as number }];
  });
  return { list, ofA: new Set(list.map(({ rowA }) => rowA)), ofB: new Set(list.map(({ rowB }) => rowB)) };
}

function fallen(
  { a, b }: EvidenceInput,
  pairs: Pairs,
  { likely }: Marginals,
  list: CommittedRows['list'],
  corrected: (now: number, rowA: number, rowB: number, at: number) => number,
): ChangedPair[] {
  const bestOfB = bestByColumn(pairs, likely, b.all.count);
  const firstOfB = firstOfTies(b.all);
  return list.flatMap(({ rowA, rowB, matchId, before }) => {
    let now = 0;
    let best = -1;
    let own = -1;
    for (let at = intAt(pairs.starts, rowA); at < intAt(pairs.starts, rowA + 1); at += 1) {
      const column = intAt(pairs.columns, at);
      // Among indistinguishable lines it does not matter which one is taken.
      if (column === rowB || firstOfB(column) === firstOfB(rowB)) {
        now += floatAt(likely, at);
        own = at;
      } else if (best < 0 || floatAt(likely, at) > floatAt(likely, best)) best = at;
    }
    const logOdds = corrected(now, rowA, rowB, own);
    if (logOdds >= LEAST_LIKELY) return [];
    const rivalOfB = intAt(bestOfB.rows, rowB);
    const others = [
      ...(best >= 0 && floatAt(likely, best) > now ? [idAt(b.all, intAt(pairs.columns, best))] : []),
      ...(rivalOfB >= 0 && floatAt(bestOfB.likely, rowB) > now && rivalOfB !== rowA ? [idAt(a.all, rivalOfB)] : []),
    ];
    return [{ matchId, before, now: logOdds, otherIds: others }];
  });
}

/** By row of B: the row of A of its most likely pair, or -1, and the probability of that pair. */
function bestByColumn(
  { starts, columns }: Pairs,
  likely: Float64Array,
  lines: number,
): { readonly rows: Int32Array; readonly likely: Float64Array } {
  const best = { rows: new Int32Array(lines).fill(-1), likely: new Float64Array(lines) };
  for (let row = 0; row + 1 < starts.length; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const column = intAt(columns, at);
      if (floatAt(likely, at) <= floatAt(best.likely, column)) continue;
      best.rows[column] = row;
      best.likely[column] = floatAt(likely, at);
    }
  }
  return best;
}

/** A pair is matched if it is more likely than not, by more than rounding can make of two equal probabilities. */
const LIKELY = 0.5 + 2 ** -20;
/** Pairs with a smaller probability are ignored. */
const LEAST = 0.01;

interface TieLink {
  readonly rowA: number;
  readonly rowB: number;
  /** Index of a pair with the same lines' features, which describes the link. */
  readonly at: number;
  readonly likely: number;
}

/** Pairs of one line, or of several that nothing tells apart, with lines of the other side that nothing tells apart. */
interface TieBlock {
  readonly at: number;
  /** Sum of the probabilities of the pairs. */
  sum: number;
  readonly rowsA: Set<number>;
  readonly rowsB: Set<number>;
}

/**
 * Matches ties. Indistinguishable lines share their partners, so none of their pairs is likely by itself, but it does not matter which is taken. The
 * probabilities of such pairs are added up, and the expected number of pairs is matched in order, each line once: two equal lines take one of two
 * different partners each.
 */
function tieLinks({ a, b }: EvidenceInput, pairs: Pairs, { likely }: Marginals): TieLink[] {
  const { starts, columns } = pairs;
  const [firstOfA, firstOfB] = [firstOfTies(a.all), firstOfTies(b.all)];
  const blocks = new Map<string, TieBlock>();
  const [takenA, takenB] = [new Set<number>(), new Set<number>()];
  for (let row = 0; row + 1 < starts.length; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      if (floatAt(likely, at) < LEAST) continue;
      const column = intAt(columns, at);
      if (floatAt(likely, at) > LIKELY) {
        takenA.add(row);
        takenB.add(column);
        continue;
      }
      const key = `${firstOfA(row)},${firstOfB(column)}`;
      const block = blocks.get(key) ?? { at, sum: 0, rowsA: new Set<number>(), rowsB: new Set<number>() };
      blocks.set(key, block);
      block.sum += floatAt(likely, at);
      block.rowsA.add(row);
      block.rowsB.add(column);
    }
  }
  const found: TieLink[] = [];
  for (const { at, sum, rowsA, rowsB } of blocks.values()) {
    const expected = Math.min(rowsA.size, rowsB.size, Math.round(sum));
    if (rowsA.size + rowsB.size < 3 || expected === 0) continue;
    const share = Math.min(1, sum / expected);
    const [freeA, freeB] = [untaken(rowsA, takenA), untaken(rowsB, takenB)];
    const count = Math.min(expected, freeA.length, freeB.length);
    for (let place = 0; place < count; place += 1) {
      const [rowA, rowB] = [itemAt(freeA, place), itemAt(freeB, place)];
      takenA.add(rowA);
      takenB.add(rowB);
      found.push({ rowA, rowB, at, likely: share });
    }
  }
  return found;
}

/** Returns the rows that no pair has taken, in order. */
function untaken(rows: ReadonlySet<number>, taken: ReadonlySet<number>): number[] {
  return [...rows].filter((row) => !taken.has(row)).toSorted(ascending);
}

function ascending(left: number, right: number): number {
  return left - right;
}

/** Returns a function for the first of the lines that are indistinguishable from a row. Such lines are adjacent. */
function firstOfTies(columns: RecordColumns): (row: number) => number {
  const { days, amounts, currencies } = columns;
  const known = new Map<number, number>();
  const isLike = (left: number, right: number): boolean =>
    days[left] === days[right] &&
    amounts[left] === amounts[right] &&
    currencies[left] === currencies[right] &&
    areAlike(columns, Int32Array.of(left, right), 0, 2);
  return (row) => {
    const found = known.get(row);
    if (found !== undefined) return found;
    let first = row;
    while (first > 0 && isLike(first - 1, row)) first -= 1;
    known.set(row, first);
    return first;
  };
}
