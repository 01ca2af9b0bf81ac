import type { Book } from '../estimation/read-book.ts';
import { originName } from '../estimation/stored-parameters.ts';
import type { EvidenceInput } from '../model/input.ts';
import type { FamilyCounts, LearnedFamily } from '../model/parameters.ts';
import { currencyCodes } from './open-lines.ts';

/**
 * A property that lines have in common with a line of the other side across the book, such as a key in two fields or a pair of names, with its
 * counts.
 */
interface Family extends FamilyCounts {
  readonly key: string;
  /** Whether the counts come from an earlier run. They are then not changed. */
  readonly isKnown: boolean;
  readonly prior: number;
  /** Weight of the prior, in sums. */
  readonly weight: number;
  /** The wider family whose belief serves as the prior; -1 for none. */
  readonly parent: number;
}

/**
 * A sum within this share of a line counts as near it, because a fee may be off or a member partly paid. The second figure is the share of sums that
 * are near by chance.
 */
const NEAR = 0.06;
const NEAR_BY_CHANCE = 0.1;
/** Fees of one kind are similar, so near sums are divided by these shares of the line, and by whether they fall short. */
const FEES = [0.000_5, 0.005, 0.02, NEAR] as const;
/** Most exact sums that count as evidence for near ones. */
const FEW_EXACT = 2;
const MOST_BELIEF = 0.995;
const LEAST_BELIEF = 1e-4;
/** Upper bound of the probability that a sum is only incomplete. */
const MOST_INCOMPLETE = 0.97;
/** Most families that are stored for later runs. The others fall back on their wider family. */
const MOST_KEPT = 400;
const LEAST_KEPT = 2;

/** Learns from the book how often sums of a family come out exactly, leaving out each sum's own contribution. */
export class Families {
  readonly #codes = new Map<string, number>();
  readonly #list: Family[] = [];
  readonly #before: ReadonlyMap<string, LearnedFamily>;
  readonly #nameOf: (key: string) => string;
  readonly #under = new Map<string, Families>();

  /** `nameOf` turns a key, which holds numbers of this book, into words that later runs understand. `before` holds the counts of an earlier run. */
  constructor(nameOf: (key: string) => string, before: readonly LearnedFamily[]) {
    this.#nameOf = nameOf;
    this.#before = new Map(before.map((family) => [family.name, family]));
  }

  /** Returns the families of sums under a condition, such as a fee that is taken off. Their counts are kept with these. */
  under(condition: string): Families {
    const found = this.#under.get(condition) ?? new Families((key) => `${condition}: ${this.#nameOf(key)}`, [...this.#before.values()]);
    this.#under.set(condition, found);
    return found;
  }

  codeOf(key: string, prior: number, weight: number, parent = -1): number {
    const found = this.#codes.get(key);
    if (found !== undefined) return found;
    const before = this.#before.size === 0 ? undefined : this.#before.get(this.#nameOf(key));
    const counts = before ?? { seen: 0, hits: 0, expected: 0, below: 0, above: 0, near: 0, fees: FEES.flatMap(() => [0, 0]) };
    const { seen, hits, expected, below, above, near, fees } = counts;
    const isKnown = before !== undefined;
    this.#list.push({ key, isKnown, prior, weight, parent, seen, hits, expected, below, above, near, fees: [...fees] });
    this.#codes.set(key, this.#list.length - 1);
    return this.#list.length - 1;
  }

  /** Returns whether an earlier run counted a family. */
  isCounted(key: string): boolean {
    return this.#before.size > 0 && this.#before.has(this.#nameOf(key));
  }

  /** Returns the families to store: wide families first, then those with the most sums. */
  learned(): LearnedFamily[] {
    const isWide = ({ parent }: Family): number => (parent < 0 ? 0 : 1);
    const own = this.#list
      .filter((family) => family.seen >= LEAST_KEPT || (family.parent < 0 && family.seen > 0))
      .toSorted((left, right) => isWide(left) - isWide(right) || right.seen - left.seen)
      .slice(0, MOST_KEPT)
      .map(({ key, seen, hits, expected, below, above, near, fees }) => {
        return { name: this.#nameOf(key), seen, hits, expected, below, above, near, fees };
      });
    return [...own, ...[...this.#under.values()].flatMap((families) => families.learned())];
  }

  /**
   * Counts a sum. `lacking` is the shortfall as a share of the line (0 if exact, negative if the sum is too large); `chance` is the number of such
   * sums expected by chance.
   */
  count(code: number, lacking: number, chance: number): void {
    const family = this.#at(code);
    if (family.parent >= 0) this.count(family.parent, lacking, chance);
    if (family.isKnown) return;
    family.seen += 1;
    family.expected += Math.min(1, chance);
    if (lacking !== 0 && Math.abs(lacking) <= NEAR) {
      family.near += 1;
      family.fees[placeOfNear(lacking)] = (family.fees[placeOfNear(lacking)] ?? 0) + 1;
    }
    if (lacking === 0) family.hits += 1;
    else if (lacking > 0) family.below += 1;
    else family.above += 1;
  }

  /**
   * Returns the share of the family's sums that are exact because they are true, leaving out the sum in question. `isNamed` says that a reference
   * names the lines. In that case sums fall short because lines are missing, which is no evidence against the exact ones. By chance as many sums
   * would be too large as too small.
   */
  belief(code: number, isNamed: boolean): number {
    const { seen, hits, expected, below, above, prior, weight, parent } = this.#at(code);
    const before = parent < 0 ? prior : this.belief(parent, isNamed);
    const telling = isNamed ? seen - Math.max(0, below - above) : seen;
    return bounded((Math.max(0, hits - expected - 1) + before * weight) / (Math.max(0, telling - 1) + weight), MOST_BELIEF);
  }

  /**
   * Returns the odds that lines belong together although their sum has this difference. Members may be missing: by chance as many sums are too large
   * as too small, so the excess of small ones counts. Or a fee is off: the excess of near sums over chance counts.
   */
  oddsOfDifference(code: number, lacking: number): number {
    const { seen, hits, expected, below, above, near, fees, weight } = this.#at(code);
    const isNear = Math.abs(lacking) <= NEAR;
    const known = Math.max(0, hits - expected);
    const incomplete = lacking > 0 ? known + Math.max(0, below - above - 1) : 0;
    const charged = isNear ? Math.min(known, FEW_EXACT) + Math.max(0, near - 1 - NEAR_BY_CHANCE * seen) : 0;
    const odds = oddsOf(Math.max(incomplete, charged) / (seen + weight));
    if (!isNear) return odds;
    // Other sums with a similar difference, beyond those expected by chance.
    const place = placeOfNear(lacking);
    const chance = chanceOfNear(place);
    const alike = ((fees[place] ?? 1) - 1 - chance * (seen - 1)) / (1 - chance);
    return alike <= 0 ? odds : Math.max(odds, oddsOf(alike / (seen - 1 + weight)) / chance);
  }

  #at(code: number): Family {
    return this.#list[code] as Family;
  }
}

function oddsOf(share: number): number {
  const least = bounded(share, MOST_INCOMPLETE);
  return least / (1 - least);
}

/** Returns the index of a difference, as a share of the line, among `fees`. Sums that are too large come after those that fall short. */
function placeOfNear(lacking: number): number {
  const place = FEES.findIndex((most) => Math.abs(lacking) <= most);
  return lacking > 0 ? place : place + FEES.length;
}

function chanceOfNear(place: number): number {
  const fee = place % FEES.length;
  return (NEAR_BY_CHANCE / 2) * (((FEES[fee] ?? NEAR) - (FEES[fee - 1] ?? 0)) / NEAR);
}

function bounded(share: number, most: number): number {
  return Math.min(most, Math.max(LEAST_BELIEF, share));
}

/** Returns a function that spells out family keys, because another book numbers its names, origins and currencies differently. */
export function familyNames(input: EvidenceInput, book: Book): (key: string) => string {
  const { a, b, fieldsA, fieldsB, names } = book;
  let features: readonly string[] | null = null;
  let currencies: readonly string[] | null = null;
  const nameOf = (name: number): string => {
    const words: string[] = [];
    if (name >= 0) names.eachWord(name, (word) => words.push(names.words.texts[word] ?? ''));
    return words.join(' ');
  };
  return (key) => {
    const [side = '', kind = '', first = '', second = '', third = ''] = key.split(' ');
    const origins =
      side === 'a'
        ? [originName(a, fieldsA, Number(first)), originName(b, fieldsB, Number(second))]
        : [originName(b, fieldsB, Number(first)), originName(a, fieldsA, Number(second))];
    if (kind === 'reference') return `${side} reference: ${origins.join(', ')}`;
    if (kind === 'part') return `${side} part: ${origins.join(', ')}`;
    if (kind === 'key')
      return `${side} key: ${side === 'a' ? originName(b, fieldsB, Number(first)) : originName(a, fieldsA, Number(first))}`;
    if (kind === 'entered' && first !== '') return `${side} entered: ${nameOf(Number(first))}`;
    if (kind === 'name') return `${side} name: ${nameOf(Number(first))}, ${nameOf(Number(second))}`;
    if (kind !== 'days' || first === '') return key;
    features ??= names.featureTexts();
    currencies ??= [...currencyCodes(input).codes.keys()];
    return `${side} days: ${nameOf(Number(first))}, ${/^[+-]$/.test(second) ? second : (features[Number(second)] ?? '')}, ${currencies[Number(third)] ?? ''}`;
  };
}
