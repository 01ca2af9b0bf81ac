import type { Field } from '../../records/fields.ts';
import { findPairs } from '../comparison/find-pairs.ts';
import type { Pairs } from '../comparison/pairs.ts';
import { lineFeatures, type LineFeatures, sharedCodes } from '../features/line-features.ts';
import { withPartsOfNumbers } from '../features/long-numbers.ts';
import type { Names } from '../features/names.ts';
import { type ReferenceFacts, sharedReferences } from '../features/shared-references.ts';
import { type Amounts, amountsOf } from '../frequencies/amounts.ts';
import { alikeByAlias, aliasLevels, withAliases } from '../frequencies/alias-levels.ts';
import { lookAlikesOf } from '../frequencies/look-alikes.ts';
import { type NameWeights, nameWeights } from '../frequencies/name-weights.ts';
import { pairChances } from '../frequencies/pair-chances.ts';
import { postingsOf } from '../frequencies/postings.ts';
import { siblingsOf } from '../frequencies/siblings.ts';
import { textChance } from '../frequencies/text-chance.ts';
import type { EvidenceInput } from '../model/input.ts';
import type { Alias, EvidenceParameters } from '../model/parameters.ts';
import { aliasesOf, tiedNames } from './aliases.ts';
import { countBook } from './count-book.ts';
import { amountExperience } from './experience.ts';
import { firstLag } from './first-lag.ts';
import type { Counted } from './learn.ts';
import { worthOf } from './worth.ts';

/** All that was read and counted of a book: what every later stage looks at. */
export interface Book {
  readonly a: LineFeatures;
  readonly b: LineFeatures;
  readonly fieldsA: readonly Field[];
  readonly fieldsB: readonly Field[];
  readonly names: Names;
  readonly weights: NameWeights;
  /** Names that people tied, those that they took away again among them. */
  readonly aliases: readonly Alias[];
  readonly amounts: Amounts;
  /** How many references there are, and what is known of them. */
  readonly referenceCount: number;
  readonly references: ReferenceFacts;
  readonly counted: Counted;
  readonly capped: number;
  /** By row of A: first and last day after it in which all lines of its amount were listed. */
  readonly listedFrom: Int8Array;
  readonly listedTo: Int8Array;
}

/** Of the whole stage. */
const OF_FINDING = 0.6;

interface Lines {
  readonly a: LineFeatures;
  readonly b: LineFeatures;
  readonly names: Names;
  readonly referenceCount: number;
  /** Names that people tied, where aliases are not known already. */
  readonly tied: ReturnType<typeof tiedNames>;
}

/** All that is read of texts; null when cancelled. What references are told apart by is let go of here: 134 of 842 MB that were held on a million lines a side. */
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

/** Reads and counts a book, and lists the pairs that may be true. `known`: what an earlier run learned of it. Null when cancelled. */
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
  const lookAlikes = alikeByAlias(lookAlikesOf(a, b, weights, siblings), siblings, aliases);
  const postings = postingsOf(weights, b);
  if (watch.isCancelled()) return null;
  const lag = firstLag(a, b, amounts);
  const worth = worthOf(amountExperience(), lag.shares, text, references, a.count * b.count);
  // Finding pairs is most of the work; what is learned of them takes the rest of the stage.
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
    advance,
    isCancelled: watch.isCancelled,
  });
  if (found === null) return null;
  const isCovered = { a: sideA.isCovered === true, b: sideB.isCovered === true };
  const counted = countBook({ a, b, references, siblings, text, lookAlikes, aliases, isCovered }, found);
  const pairs = pairChances(found, a, b, amounts, siblings);
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
