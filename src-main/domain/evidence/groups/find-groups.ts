import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { FoundLinks } from '../budget/found-links.ts';
import type { FreePairs } from '../comparison/free-lines.ts';
import { placesOfText, TEXT_MISSING } from '../comparison/levels.ts';
import { formulaText } from '../estimation/formulas.ts';
import { type Learned, ratios } from '../estimation/learn.ts';
import { LEAST_UNRELATED } from '../estimation/prior.ts';
import type { Book } from '../estimation/read-book.ts';
import type { LineFeatures } from '../features/line-features.ts';
import { Names } from '../features/names.ts';
import { type NameWeights, nameWeights } from '../frequencies/name-weights.ts';
import type { EvidenceInput } from '../model/input.ts';
import type { Formula } from '../model/parameters.ts';
import { type Finding, MissingLines } from './attempts.ts';
import { chooseGroups, Weigher } from './choose-groups.ts';
import { amountGroups, dayGroups } from './day-groups.ts';
import type { Families } from './families.ts';
import { keyGroups } from './key-groups.ts';
import { nameGroups, type Naming } from './name-groups.ts';
import { type Frame, framesOf, openLines } from './open-lines.ts';
import { netFrame } from './net-groups.ts';
import { partPayments } from './part-payments.ts';
import { referenceGroups } from './reference-groups.ts';
import { reversals } from './reversals.ts';

/**
 * Lines by the party that they name, which consists of those of their words that both sides write. A memo on one side alone would otherwise give each
 * line a different name.
 */
interface Parties {
  readonly names: Names;
  readonly weights: NameWeights;
  /** Returns a frame whose lines have the names of their parties. */
  readonly frameOf: (frame: Frame) => Frame;
}

const ON_A = 1;
const ON_B = 2;

/** Returns the parties of a book, or null if its lines contain only words of both sides or none. */
function partiesOf({ a, b, names }: Pick<Book, 'a' | 'b' | 'names'>): Parties | null {
  const sides = sidesOfWords(a, b, names);
  const parties = new Names();
  let isChanged = false;
  const partyOf = Int32Array.from({ length: names.count }, (_, name) => {
    const words: number[] = [];
    names.eachWord(name, (word) => {
      if (sides[word] === ON_A + ON_B) words.push(parties.words.codeOf(names.words.texts[word] ?? ''));
      else isChanged = true;
    });
    return parties.codeOf(words);
  });
  if (!isChanged || parties.count === 0) return null;
  const named = (lines: LineFeatures): LineFeatures => ({
    ...lines,
    names: lines.names.map((name) => (name < 0 ? -1 : intAt(partyOf, name))),
  });
  const [ofA, ofB] = [named(a), named(b)];
  const side = <T extends Frame['targets']>(open: T): T => ({ ...open, features: open.side === 'a' ? ofA : ofB });
  return {
    names: parties,
    weights: nameWeights(parties, ofA, ofB),
    frameOf: ({ targets, members }) => ({ targets: side(targets), members: side(members) }),
  };
}

/** Returns the sides on which each word occurs, as bits. */
function sidesOfWords(a: LineFeatures, b: LineFeatures, names: Names): Uint8Array {
  const sides = new Uint8Array(names.words.texts.length);
  const ofName = new Uint8Array(names.count);
  for (const name of a.names) if (name >= 0) ofName[name] = (ofName[name] as number) | ON_A;
  for (const name of b.names) if (name >= 0) ofName[name] = (ofName[name] as number) | ON_B;
  ofName.forEach((of, name) => names.eachWord(name, (word) => (sides[word] = (sides[word] as number) | of)));
  return sides;
}

/** Names at these text levels or above count as similar, even if the book has too few of them to show it. */
const LIKE = { bits: 3, share: 3, worth: 16 } as const;

/**
 * Adds groups and reversals among the lines that the pairs leave open, and returns them with the remaining pairs. An uncertain pair gives way to a
 * much more likely group. Returns null when cancelled.
 */
export function withGroups(
  input: EvidenceInput,
  book: Book,
  learned: Learned,
  free: FreePairs,
  found: FoundLinks,
  families: Families,
): FoundLinks | null {
  const { isCancelled } = input.watch;
  const open = openLines(input, book, free, found);
  const missing = new MissingLines(book.amounts, book.counted.siblings, learned.lag);
  const finding: Finding = { open, amounts: book.amounts, families, missing, attempts: [], least: 2, isCancelled };
  const ofText = worthOfNames(book, learned);
  const byWords: Naming = { weights: book.weights, ofText, keys: KEYS_OF_WORDS };
  const parties = partiesOf(book);
  const byParty = parties && { weights: parties.weights, ofText, keys: keysOfParties(parties) };
  for (const frame of framesOf(open)) {
    referenceGroups(finding, frame, book.referenceCount);
    nameGroups(finding, frame, byWords);
    if (byParty !== null && parties !== null) nameGroups(finding, parties.frameOf(frame), byParty);
    keyGroups(finding, frame);
    dayGroups(finding, frame, book.weights);
    amountGroups(finding, frame, book.names);
    netGroups(finding, frame, book, learned.formulas, byWords);
    if (isCancelled()) return null;
  }
  const groups = chooseGroups(input, finding, new Weigher(finding, book, learned, found));
  // By row: 1 if a group holds it, 2 if a remaining pair does.
  const [usedA, usedB] = [new Uint8Array(book.a.count), new Uint8Array(book.b.count)];
  for (const { rowsA, rowsB } of groups) {
    for (const row of rowsA) usedA[row] = 1;
    for (const row of rowsB) usedB[row] = 1;
  }
  const all = new FoundLinks();
  for (const pair of found) {
    if (pair.rowsA.some((row) => usedA[row] === 1) || pair.rowsB.some((row) => usedB[row] === 1)) continue;
    for (const row of pair.rowsA) usedA[row] = 2;
    for (const row of pair.rowsB) usedB[row] = 2;
    all.add(pair);
  }
  for (const group of groups) all.add(group);
  for (const frame of framesOf(open)) {
    for (const part of partPayments(input, open, frame, families, all, book.referenceCount)) {
      for (const row of part.rowsA) usedA[row] = 1;
      for (const row of part.rowsB) usedB[row] = 1;
      all.add(part);
    }
  }
  const ofA = reversals(input, open.a, (row) => usedA[row] !== 0);
  const ofB = reversals(input, open.b, (row) => usedB[row] !== 0);
  for (const link of [...ofA, ...ofB]) all.add(link);
  return all;
}

/** Adds groups that come to a line less a fee that the book's formulas say. */
function netGroups(finding: Finding, frame: Frame, book: Book, formulas: readonly Formula[], naming: Naming): void {
  for (const formula of formulas) {
    if (formula.per === undefined || formula.grossOn !== frame.members.side) continue;
    const families = finding.families.under(`less ${formulaText(formula)}`);
    const ofFee: Finding = { ...finding, families, attempts: [], least: 1 };
    const net = netFrame(frame, formula);
    referenceGroups(ofFee, net, book.referenceCount);
    nameGroups(ofFee, net, naming);
    keyGroups(ofFee, net);
    dayGroups(ofFee, net, book.weights);
    for (const attempt of ofFee.attempts) if (attempt.lacking === 0) finding.attempts.push({ ...attempt, fee: { formula, families } });
  }
}

const KEYS_OF_WORDS: Naming['keys'] = { names: (side, own, name) => `${side} name ${own} ${name}`, like: 'like', some: 'some' };

/** Parties are spelled out, because the next run numbers them differently. */
function keysOfParties({ names }: Parties): Naming['keys'] {
  const textOf = (name: number): string => names.textOf(name).replaceAll(' ', '_');
  return { names: (side, own, name) => `${side} party ${textOf(own)} ${textOf(name)}`, like: 'party-like', some: 'party-some' };
}

/**
 * Returns the likelihood ratio of each text level for groups. In a book whose pairs share references, names may never agree and still show which
 * lines are paid together. How often such sums come out is learned for each ratio separately.
 */
function worthOfNames({ counted }: Book, learned: Learned): Float64Array {
  const { text, priors, linesA, linesB } = counted;
  const ofPrior = priors.text.map((share, level) => (share * linesA * linesB) / Math.max(LEAST_UNRELATED, floatAt(text.pairs, level)));
  return ratios(learned.text, learned.textU).map((ratio, level) => {
    const [ofBits, ofShare] = placesOfText(level);
    const isLike = level !== TEXT_MISSING && ofBits >= LIKE.bits && ofShare >= LIKE.share;
    return Math.max(ratio, floatAt(ofPrior, level), isLike ? LIKE.worth : 0);
  });
}
