import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { compareNames, type NameWeights } from '../frequencies/name-weights.ts';

/** Names with a smaller likelihood ratio are not related. */
const LEAST_RATIO = 8;
const MOST_RELATED = 6;
/** Most features by which related names are looked up, the rarest first, and most names of a feature that is used. */
const ASKED = 8;
const MOST_NAMES = 256;

export interface RelatedName {
  readonly name: number;
  /** Likelihood ratio of two lines with such names. */
  readonly ratio: number;
}

/** Finds names of lines of one side that are similar to a name of the other side. */
export class RelatedNames {
  readonly #weights: NameWeights;
  readonly #ofText: Float64Array;
  readonly #namesOf = new Map<number, number[]>();
  readonly #known = new Map<number, readonly RelatedName[]>();

  /** `names` holds the names to find, ascending; `ofText` the likelihood ratio of each text level. */
  constructor(weights: NameWeights, ofText: Float64Array, names: readonly number[]) {
    this.#weights = weights;
    this.#ofText = ofText;
    for (const name of names) {
      for (const feature of this.#rarest(name)) {
        const found = this.#namesOf.get(feature);
        if (found === undefined) this.#namesOf.set(feature, [name]);
        else found.push(name);
      }
    }
  }

  /** Returns the related names, the most similar first. */
  of(name: number): readonly RelatedName[] {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const seen = new Set<number>();
    for (const feature of this.#rarest(name)) {
      const names = this.#namesOf.get(feature) ?? [];
      if (names.length <= MOST_NAMES) for (const other of names) seen.add(other);
    }
    const found: RelatedName[] = [];
    for (const other of seen) {
      const ratio = floatAt(this.#ofText, compareNames(this.#weights, name, other));
      if (ratio >= LEAST_RATIO) found.push({ name: other, ratio });
    }
    found.sort((left, right) => right.ratio - left.ratio || left.name - right.name);
    const related = found.slice(0, MOST_RELATED);
    this.#known.set(name, related);
    return related;
  }

  #rarest(name: number): number[] {
    if (name < 0) return [];
    const { starts, features, bits } = this.#weights;
    const found: number[] = [];
    for (let at = intAt(starts, name); at < intAt(starts, name + 1); at += 1) {
      if ((bits[intAt(features, at)] as number) > 0) found.push(intAt(features, at));
    }
    return found.toSorted((left, right) => (bits[right] as number) - (bits[left] as number) || left - right).slice(0, ASKED);
  }
}
