import { IntList } from '../../collections/growable-array.ts';
import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { AMOUNT, TEXT_LEVELS } from '../comparison/levels.ts';
import type { LineFeatures } from '../features/line-features.ts';
import type { Names } from '../features/names.ts';
import type { EvidenceInput } from '../model/input.ts';
import { exp2Of } from '../model/logarithm.ts';
import type { Alias } from '../model/parameters.ts';
import type { UProbabilities } from './u-probabilities.ts';
import { compareNames, type NameWeights } from './name-weights.ts';
import type { Siblings } from './siblings.ts';

/** Most aliases in use: each has a text level of its own, and a level is stored in a byte. */
export const MOST_ALIASES = 200;
/** A name on a larger share of side B finds no lines, unless it is on at most this many. The same limits apply to common words. */
const COMMON_SHARE = 0.02;
const MOST_COMMON_LINES = 40;

export interface AliasLevel {
  readonly nameA: number;
  readonly nameB: number;
  /** The level that the texts of the two names have without the alias. */
  readonly text: number;
  readonly bits: number;
  /** Share of all pairs of lines that have these two names by chance. */
  readonly unrelated: number;
}

/** Aliases as text levels that follow those of the texts, so that a pair counts by its alias or by its text, never by both. */
export class AliasLevels {
  readonly levels: readonly AliasLevel[];
  readonly #known = new Map<number, Map<number, number>>();
  readonly #found = new Map<number, Int32Array[]>();

  constructor(levels: readonly AliasLevel[], b: Pick<LineFeatures, 'count' | 'names'>) {
    this.levels = levels;
    const rows = rowsOfNames(b, new Set(levels.map(({ nameB }) => nameB)));
    levels.forEach(({ nameA, nameB }, place) => {
      const others = this.#known.get(nameA) ?? new Map<number, number>();
      this.#known.set(nameA, others.set(nameB, TEXT_LEVELS + place));
      const lines = rows.get(nameB) ?? new Int32Array(0);
      if (lines.length > Math.max(MOST_COMMON_LINES, COMMON_SHARE * b.count)) return;
      const lists = this.#found.get(nameA) ?? [];
      this.#found.set(nameA, [...lists, lines]);
    });
  }

  /** Returns the level of two names that have an alias, or -1. */
  levelOf(nameA: number, nameB: number): number {
    return this.#known.get(nameA)?.get(nameB) ?? -1;
  }

  /** Returns the rows of side B, by day, whose name is an alias of a name of side A. */
  rowsFor(nameA: number): readonly Int32Array[] {
    return this.#found.get(nameA) ?? [];
  }
}

function rowsOfNames({ count, names }: Pick<LineFeatures, 'count' | 'names'>, wanted: ReadonlySet<number>): Map<number, Int32Array> {
  const lists = new Map<number, IntList>();
  if (wanted.size === 0) return new Map();
  for (const name of wanted) lists.set(name, new IntList());
  for (let row = 0; row < count; row += 1) {
    const list = lists.get(intAt(names, row));
    if (list !== undefined) list.push(row);
  }
  return new Map([...lists].map(([name, list]) => [name, list.items.slice(0, list.length)]));
}

/** Returns the aliases in use: those that no person removed, between names that the book still has. */
export function aliasLevels(
  aliases: readonly Alias[],
  removed: EvidenceInput['people']['removedAliases'],
  names: Names,
  weights: NameWeights,
  sides: { readonly a: LineFeatures; readonly b: LineFeatures },
): AliasLevels {
  const isRemoved = (alias: Alias): boolean => removed.some(({ a, b }) => a === alias.a && b === alias.b);
  const levels = aliases.slice(0, MOST_ALIASES).flatMap((alias): AliasLevel[] => {
    const [nameA, nameB] = [names.codeOfText(alias.a), names.codeOfText(alias.b)];
    if (nameA < 0 || nameB < 0 || isRemoved(alias)) return [];
    const lines = intAt(weights.linesA, nameA) * intAt(weights.linesB, nameB);
    if (lines === 0) return [];
    const unrelated = lines / (sides.a.count * sides.b.count);
    return [{ nameA, nameB, text: compareNames(weights, nameA, nameB), bits: alias.bits, unrelated }];
  });
  return new AliasLevels(levels, sides.b);
}

/** Returns a figure by text level, extended by the levels of aliases. */
export function withAliases(
  byText: Float64Array,
  { levels }: Pick<AliasLevels, 'levels'>,
  of: (alias: AliasLevel) => number,
): Float64Array {
  if (levels.length === 0) return byText;
  const found = new Float64Array(byText.length + levels.length);
  found.set(byText);
  levels.forEach((alias, place) => {
    found[byText.length + place] = of(alias);
  });
  return found;
}

/**
 * Extends the u-probabilities by aliases. Lines whose names have an alias count like lines of one name: if the partner of one is missing, that of the
 * other would fit.
 */
export function alikeByAlias(uProbabilities: UProbabilities, { levels }: Siblings, aliases: AliasLevels): UProbabilities {
  if (aliases.levels.length === 0) return uProbabilities;
  const found = new Float64Array(uProbabilities.length + aliases.levels.length * AMOUNT.count);
  found.set(uProbabilities);
  for (let at = uProbabilities.length; at < found.length; at += AMOUNT.count) found.set(levels, at);
  return found;
}

/** Returns the likelihood ratio of an alias: its own, or that of the texts if this is larger. */
export function ratioOf({ text, bits }: AliasLevel, ofText: Float64Array): number {
  return Math.max(floatAt(ofText, text), exp2Of(bits));
}
