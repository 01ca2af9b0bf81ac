import type { FoundLink } from '../budget/found-links.ts';
import type { FreePairs } from '../comparison/free-lines.ts';
import { placesOfText, TEXT_MISSING } from '../comparison/levels.ts';
import { LEAST_STRANGERS } from '../estimation/experience.ts';
import { type Learned, ratios } from '../estimation/learn.ts';
import type { Book } from '../estimation/read-book.ts';
import { floatAt } from '../../matching/typed.ts';
import type { EvidenceInput } from '../model/input.ts';
import type { Finding } from './attempt.ts';
import { chooseGroups } from './choose-groups.ts';
import { amountGroups, dayGroups } from './day-groups.ts';
import type { Families } from './families.ts';
import { nameGroups } from './name-groups.ts';
import { MissingLines } from './missing-lines.ts';
import { framesOf, openLines } from './open-lines.ts';
import { referenceGroups } from './reference-groups.ts';
import { reversals } from './reversals.ts';
import { Weigher } from './weigh-groups.ts';

/** Names that share four fifths and 18 bits are like each other, though a book has too few of them to show it. Places among the text levels. */
const LIKE = { bits: 3, share: 3, worth: 16 } as const;

/**
 * Groups and reversals among the lines that the pairs leave open, with the pairs that stand beside them: all links, by row of A, then of B. A pair that is not
 * certain gives way to a group that is much likelier. Null when cancelled.
 */
export function withGroups(
  input: EvidenceInput,
  book: Book,
  learned: Learned,
  free: FreePairs,
  found: readonly FoundLink[],
  families: Families,
): FoundLink[] | null {
  const { isCancelled } = input.watch;
  const open = openLines(input, book, free, found);
  const missing = new MissingLines(book.amounts, book.counted.siblings, learned.lag);
  const finding: Finding = { open, amounts: book.amounts, families, missing, attempts: [], isCancelled };
  const ofText = worthOfNames(book, learned);
  for (const frame of framesOf(open)) {
    referenceGroups(finding, frame, book.references.countsA.length);
    nameGroups(finding, frame, book.weights, ofText);
    dayGroups(finding, frame, book.weights);
    amountGroups(finding, frame, book.names);
    if (isCancelled()) return null;
  }
  const groups = chooseGroups(input, finding, new Weigher(finding, book, learned, found));
  const [usedA, usedB] = [new Set<number>(), new Set<number>()];
  const take = ({ rowsA, rowsB }: FoundLink): void => {
    for (const row of rowsA) usedA.add(row);
    for (const row of rowsB) usedB.add(row);
  };
  groups.forEach(take);
  const kept = found.filter(({ rowsA, rowsB }) => !rowsA.some((row) => usedA.has(row)) && !rowsB.some((row) => usedB.has(row)));
  kept.forEach(take);
  const ofA = reversals(input, open.a, (row) => usedA.has(row));
  const ofB = reversals(input, open.b, (row) => usedB.has(row));
  return [...kept, ...groups, ...ofA, ...ofB].toSorted(byRows);
}

/**
 * What names are worth, by level: in a book whose pairs are tied by references names may never agree, and still say which lines are paid together. How often such
 * sums come out is learned for each worth anew.
 */
function worthOfNames({ counted }: Book, learned: Learned): Float64Array {
  const { text, experience, linesA, linesB } = counted;
  const general = experience.text.map((share, level) => (share * linesA * linesB) / Math.max(LEAST_STRANGERS, floatAt(text.pairs, level)));
  return ratios(learned.text, learned.textStrangers).map((ratio, level) => {
    const [ofBits, ofShare] = placesOfText(level);
    const isLike = level !== TEXT_MISSING && ofBits >= LIKE.bits && ofShare >= LIKE.share;
    return Math.max(ratio, floatAt(general, level), isLike ? LIKE.worth : 0);
  });
}

/** Reversals on side B alone come last. */
function byRows(left: FoundLink, right: FoundLink): number {
  const first = ({ rowsA }: FoundLink): number => rowsA[0] ?? Infinity;
  if (first(left) !== first(right)) return first(left) - first(right);
  return (left.rowsB[0] ?? -1) - (right.rowsB[0] ?? -1);
}
