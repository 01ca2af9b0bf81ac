import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { REFERENCE, TEXT_LEVELS, TEXT_MISSING } from '../comparison/levels.ts';
import type { Pairs } from '../comparison/pairs.ts';
import type { LineFeatures } from '../features/line-features.ts';
import { type Counted, type Learned, ratios, sumByLine } from './learn.ts';

/** Upper bound of the odds of a contradicted pair: four to one, so that a person decides. */
const MOST_ODDS = 4;
/** Names are known to belong together if a pair of lines has at least this probability, and its names multiply the odds by at least this factor. */
const KNOWN = 0.9;
const AGREEING = 8;
/** Names that multiply the odds by less than this do not agree. */
const DIFFERING = 0.5;
/** Different references contradict a pair if a smaller share of true pairs has them. A book with few pairs never falls below this share. */
const LEAST_DIFFERING = 0.02;

interface Contradicted {
  readonly a: LineFeatures;
  readonly b: LineFeatures;
  readonly counted: Counted;
}

/**
 * Lowers the odds of contradicted pairs, whose other evidence would otherwise outweigh the contradiction. A pair is contradicted if both lines hold
 * references of a kind that nearly always agrees in this book, and theirs differ; or if both parties are known to the book by other names on the
 * other side. Pairs that share a reference keep their odds.
 */
export function lowerContradicted(pairs: Pairs, { a, b, counted }: Contradicted, learned: Learned, odds: Float64Array): void {
  const { starts, columns, text, reference } = pairs;
  const differing = floatAt(learned.reference, REFERENCE.differ);
  const missing = floatAt(learned.reference, REFERENCE.missing);
  const identifies = differing < LEAST_DIFFERING * (1 - missing);
  const ofText = ratios(learned.text, learned.textU);
  const known = knownNames(pairs, { a, b, counted }, ofText, odds);
  for (let row = 0; row + 1 < starts.length; row += 1) {
    const name = intAt(a.names, row);
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      if (floatAt(odds, at) <= MOST_ODDS) continue;
      const level = reference[at] as number;
      if (level >= REFERENCE.first) continue;
      const names = text[at] as number;
      const other = intAt(b.names, intAt(columns, at));
      const areStrange = names !== TEXT_MISSING && names < TEXT_LEVELS && floatAt(ofText, names) < DIFFERING;
      const isKnown = name >= 0 && other >= 0 && known.a[name] === 1 && known.b[other] === 1;
      if ((level === REFERENCE.differ && identifies) || (areStrange && isKnown)) odds[at] = MOST_ODDS;
    }
  }
}

/** Returns, by name, whether lines with that name have nearly certain partners on the other side whose names agree. */
function knownNames(
  pairs: Pairs,
  { a, b, counted }: Contradicted,
  ofText: Float64Array,
  odds: Float64Array,
): { readonly a: Uint8Array; readonly b: Uint8Array } {
  const { starts, columns, text } = pairs;
  const [sumsA, sumsB] = [new Float64Array(counted.linesA), new Float64Array(counted.linesB)];
  sumByLine(pairs, odds, sumsA, sumsB);
  const most = (names: Int32Array): number => names.reduce((last, name) => Math.max(last, name), -1) + 1;
  const known = { a: new Uint8Array(most(a.names)), b: new Uint8Array(most(b.names)) };
  for (let row = 0; row + 1 < starts.length; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const column = intAt(columns, at);
      const own = floatAt(odds, at);
      if (floatAt(ofText, text[at] as number) < AGREEING || own < KNOWN * (1 + floatAt(sumsA, row) + floatAt(sumsB, column) - own))
        continue;
      const [name, other] = [intAt(a.names, row), intAt(b.names, column)];
      if (name >= 0) known.a[name] = 1;
      if (other >= 0) known.b[other] = 1;
    }
  }
  return known;
}
