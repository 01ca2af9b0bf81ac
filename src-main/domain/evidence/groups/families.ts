import type { FamilyCounts, LearnedFamily } from '../model/parameters.ts';

/** What lines have in common that ties them to a line of the other side, seen all over the book: a key in two fields, two names. */
interface Family extends FamilyCounts {
  readonly key: string;
  /** Whether an earlier run counted it: then it stands. */
  readonly isKnown: boolean;
  readonly prior: number;
  /** Sums that the prior counts as. */
  readonly weight: number;
  /** The wider family whose belief stands for the prior; -1: none. */
  readonly parent: number;
}

/** Sums within so much of a line come near it: a fee may be off, a member part-paid. By chance so many do. */
const NEAR = 0.06;
const NEAR_BY_CHANCE = 0.1;
/** Fees of one kind are alike: sums that come near are told apart by these shares of the line, and by whether they fall short. */
const FEES = [0.000_5, 0.005, 0.02, NEAR] as const;
/** Sums that come out exactly tell little of those that nearly do. */
const FEW_EXACT = 2;
const MOST_BELIEF = 0.995;
const LEAST_BELIEF = 1e-4;
/** What is missing from a sum can never be more certain than this. */
const MOST_INCOMPLETE = 0.97;
/** Families that are kept for later runs: of the others the belief of the wider family stands. */
const MOST_KEPT = 400;
const LEAST_KEPT = 2;

/** How often sums come out, by family: learned from the book, each sum without its own witness. */
export class Families {
  readonly #codes = new Map<string, number>();
  readonly #list: Family[] = [];
  readonly #before: ReadonlyMap<string, FamilyCounts>;
  readonly #nameOf: (key: string) => string;

  /** `nameOf`: a key, whose numbers are those of this book, in words that other runs understand. `before`: what an earlier run counted. */
  constructor(nameOf: (key: string) => string, before: readonly LearnedFamily[]) {
    this.#nameOf = nameOf;
    this.#before = new Map(before.map((family) => [family.name, family]));
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

  /** Whether an earlier run counted a family. */
  isCounted(key: string): boolean {
    return this.#before.size > 0 && this.#before.has(this.#nameOf(key));
  }

  /** What later runs go by: wide families first, then those of which most was seen. */
  learned(): LearnedFamily[] {
    const isWide = ({ parent }: Family): number => (parent < 0 ? 0 : 1);
    return this.#list
      .filter((family) => family.seen >= LEAST_KEPT || (family.parent < 0 && family.seen > 0))
      .toSorted((left, right) => isWide(left) - isWide(right) || right.seen - left.seen)
      .slice(0, MOST_KEPT)
      .map(({ key, seen, hits, expected, below, above, near, fees }) => {
        return { name: this.#nameOf(key), seen, hits, expected, below, above, near, fees };
      });
  }

  /**
   * Counts a sum: what it lacks as a share of the line (0: exact, below 0: it goes beyond), and how many sums chance would have brought. */
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
   * Share of the family's sums that come out exactly because they are true, as one that does may hope for. `isNamed`: a reference says which lines belong together.
   * Sums then fall short because lines are missing, which says nothing against those that come out: by chance as many go beyond.
   */
  belief(code: number, isNamed: boolean): number {
    const { seen, hits, expected, below, above, prior, weight, parent } = this.#at(code);
    const before = parent < 0 ? prior : this.belief(parent, isNamed);
    const telling = isNamed ? seen - Math.max(0, below - above) : seen;
    return bounded((Math.max(0, hits - expected - 1) + before * weight) / (Math.max(0, telling - 1) + weight), MOST_BELIEF);
  }

  /**
   * Odds that lines belong together though their sum leaves such a difference: members may be missing (of sums by chance as many go beyond as fall short), or a fee is
   * off (then sums come near, as few do by chance).
   */
  oddsOfDifference(code: number, lacking: number): number {
    const { seen, hits, expected, below, above, near, fees, weight } = this.#at(code);
    const isNear = Math.abs(lacking) <= NEAR;
    const known = Math.max(0, hits - expected);
    const incomplete = lacking > 0 ? known + Math.max(0, below - above - 1) : 0;
    const charged = isNear ? Math.min(known, FEW_EXACT) + Math.max(0, near - 1 - NEAR_BY_CHANCE * seen) : 0;
    const odds = oddsOf(Math.max(incomplete, charged) / (seen + weight));
    if (!isNear) return odds;
    // Others that are as far off, beyond those that chance puts there.
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

/** Place of what a sum lacks, as a share of the line: those that go beyond come second. */
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
