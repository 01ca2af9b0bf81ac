import type { Field } from '../../records/fields.ts';
import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import {
  AMOUNT_NAMES,
  LAG_BINS,
  lagBin,
  lagRange,
  placesOfText,
  RARITY_LEVELS,
  REFERENCE,
  TEXT_LEVELS,
  TEXT_MISSING,
} from '../comparison/levels.ts';
import type { LineFeatures } from '../features/line-features.ts';
import type { Names } from '../features/names.ts';
import { lagOfSiblings } from '../frequencies/siblings.ts';
import { type Calibration, type EvidenceParameters, type LearnedFamily, type Level, PARAMETERS_FORMAT } from '../model/parameters.ts';
import { PRIOR_PAIRS } from './prior.ts';
import { beginning, type Learned, weighAliases } from './learn.ts';
import type { Book } from './read-book.ts';

const MOST_WORDS = 12;
const LAG_DRAWS = 4_096;

/** Returns the learned parameters in the form in which they are stored and shown. */
export function parametersOf(
  book: Book,
  learned: Learned,
  families: readonly LearnedFamily[],
  calibration: Calibration,
): EvidenceParameters {
  const { counted, a, b, names } = book;
  const { linesA, linesB } = counted;
  const { partnered } = learned;
  const levels = (m: Float64Array, u: Float64Array | null, name: (level: number) => string): Level[] =>
    Array.from(m, (share, level) => ({ name: name(level), m: share, u: u === null ? null : floatAt(u, level) }));
  const shareOf = (lines: number): number => (lines === 0 ? 0 : Math.min(1, partnered / lines));
  const nameOf = referenceNames(book);
  const unrelated = lagOfUnrelated(a, b);
  const days = [...counted.siblings.days];
  return {
    format: PARAMETERS_FORMAT,
    lines: { a: linesA, b: linesB },
    partnered: { a: shareOf(linesA), b: shareOf(linesB) },
    prior: PRIOR_PAIRS.amount / (PRIOR_PAIRS.amount + partnered),
    amount: levels(learned.amount, null, (level) => AMOUNT_NAMES[level] ?? ''),
    text: levels(learned.text.subarray(0, TEXT_LEVELS), learned.textU, textName),
    references: levels(learned.reference, learned.referenceU, nameOf).filter(({ name }) => name !== ''),
    lag: Array.from({ length: LAG_BINS }, (_, bin) => ({
      fromDay: lagRange(bin)[0],
      toDay: lagRange(bin)[1],
      m: floatAt(learned.lag, bin),
      u: floatAt(unrelated, bin),
    })),
    siblings: { a: days, b: days },
    ...wordCounts(names, a, b),
    aliases: book.aliases,
    calibration,
    formulas: learned.formulas,
    families,
  };
}

/** Returns the parameters of an earlier run, fitted to the present book. Levels that the run did not know keep the prior. */
export function restored(parameters: EvidenceParameters, book: Book): Learned {
  const { counted } = book;
  const learned = beginning(counted);
  const nameOf = referenceNames(book);
  take(learned.amount, null, parameters.amount, (level) => AMOUNT_NAMES[level] ?? '');
  take(learned.text.subarray(0, TEXT_LEVELS), learned.textU, parameters.text, textName);
  take(learned.reference, learned.referenceU, parameters.references, nameOf);
  parameters.lag.forEach(({ m }, bin) => {
    if (bin < LAG_BINS && Number.isFinite(m)) learned.lag[bin] = m;
  });
  weighAliases(counted, learned);
  learned.partnered = Math.min(parameters.partnered.a * counted.linesA, parameters.partnered.b * counted.linesB);
  return { ...learned, formulas: parameters.formulas, siblingLag: lagOfSiblings(counted.siblings, learned.lag) };
}

function take(m: Float64Array, u: Float64Array | null, levels: readonly Level[], nameOf: (level: number) => string): void {
  const known = new Map(levels.map((level) => [level.name, level]));
  for (let level = 0; level < m.length; level += 1) {
    const found = known.get(nameOf(level));
    // An earlier version stored null where a share was not a number.
    if (found === undefined || !Number.isFinite(found.m)) continue;
    m[level] = found.m;
    if (u !== null && found.u !== null) u[level] = found.u;
  }
}

const SHARE_NAMES = ['little', 'some', 'half', 'most', 'all'] as const;
const BITS_NAMES = [
  'of nothing rare',
  'of common words',
  'of usual words',
  'of rather rare words',
  'of rare words',
  'of a rare name',
  'of a very rare name',
  'of a long rare name',
];

function textName(level: number): string {
  if (level === TEXT_MISSING) return 'missing';
  const [bits, share] = placesOfText(level);
  return `${SHARE_NAMES[share] ?? ''} ${BITS_NAMES[bits] ?? ''}`;
}

const RARITY_NAMES = ['on one line each', 'on few lines', 'on some lines', 'on many lines'] as const;

/** Returns the field and pattern of a reference, or an empty text if the book has no such origin. */
export function originName({ origins }: LineFeatures, fields: readonly Field[], origin: number): string {
  const found = origins.list[origin];
  if (found === undefined) return '';
  return `${fields[found.field]?.name ?? 'description'}${found.prefix === '' ? '' : ` ${found.prefix}`} (${found.shape})`;
}

/** Returns the names of reference levels; the name is empty for families that the book does not have. */
function referenceNames({ a, b, references, fieldsA, fieldsB }: Book): (level: number) => string {
  const families = references.families.map(
    ({ originA, originB }) => `${originName(a, fieldsA, originA)} and ${originName(b, fieldsB, originB)}`,
  );
  return (level) => {
    if (level === REFERENCE.missing) return 'missing';
    if (level === REFERENCE.differ) return 'differ';
    const family = families[Math.floor((level - REFERENCE.first) / RARITY_LEVELS)];
    return family === undefined ? '' : `${family}, ${RARITY_NAMES[(level - REFERENCE.first) % RARITY_LEVELS] ?? ''}`;
  };
}

/** Returns the shares of bins of days between lines that are paired at random. */
function lagOfUnrelated(a: LineFeatures, b: LineFeatures): Float64Array {
  const found = new Float64Array(LAG_BINS);
  if (a.count === 0 || b.count === 0) return found;
  for (let at = 0; at < LAG_DRAWS; at += 1) {
    const rowA = Math.floor((at * a.count) / LAG_DRAWS);
    const rowB = (Math.imul(at, 0x9e3779b1) >>> 0) % b.count;
    const bin = lagBin(intAt(b.days, rowB) - intAt(a.days, rowA));
    found[bin] = floatAt(found, bin) + 1 / LAG_DRAWS;
  }
  return found;
}

/** Returns the rarest and the commonest words that occur on both sides, with their numbers of lines. */
function wordCounts(names: Names, a: LineFeatures, b: LineFeatures): Pick<EvidenceParameters, 'rareWords' | 'commonWords'> {
  const counts = new Int32Array(names.words.texts.length);
  const sides = new Uint8Array(counts.length);
  for (const [lines, side] of [
    [a, 1],
    [b, 2],
  ] as const) {
    const ofName = new Int32Array(names.count);
    for (let row = 0; row < lines.count; row += 1)
      if (intAt(lines.names, row) >= 0) ofName[intAt(lines.names, row)] = intAt(ofName, intAt(lines.names, row)) + 1;
    for (let name = 0; name < names.count; name += 1) {
      if (intAt(ofName, name) === 0) continue;
      names.eachWord(name, (word) => {
        counts[word] = intAt(counts, word) + intAt(ofName, name);
        sides[word] = (sides[word] as number) | side;
      });
    }
  }
  const both = [...counts.keys()].filter((word) => sides[word] === 3 && (names.words.texts[word] ?? '').length > 2);
  both.sort(
    (left, right) =>
      intAt(counts, left) - intAt(counts, right) || ((names.words.texts[left] ?? '') < (names.words.texts[right] ?? '') ? -1 : 1),
  );
  const withCounts = (words: readonly number[]): { readonly word: string; readonly count: number }[] =>
    words.map((word) => ({ word: names.words.texts[word] ?? '', count: intAt(counts, word) }));
  return { rareWords: withCounts(both.slice(0, MOST_WORDS)), commonWords: withCounts(both.slice(-MOST_WORDS).toReversed()) };
}
