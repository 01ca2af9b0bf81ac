import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { FoundLinks } from '../budget/found-links.ts';
import { REFERENCE } from '../comparison/levels.ts';
import { referenceRatios, type Learned } from '../estimation/learn.ts';
import type { Book } from '../estimation/read-book.ts';
import type { Attempt, Finding } from './attempt.ts';
import { oddsGivenUp } from './open-lines.ts';

const MOST_ODDS = 2 ** 40;
/** Least and most share of lines that may be missing from the files. */
const LEAST_MISSING = 0.02;
const MOST_MISSING = 0.5;
/** Weight of the prior in lines, and the share of these that is missing. */
const PRIOR_WEIGHT = 10;
const PRIOR_MISSING = 0.2;
/** Factor for a payment that combines both signs, if no reference says so. */
const BOTH_SIGNS = 0.1;
/** A sum with a larger probability by chance explains no lines. */
const TELLING = 0.01;

export interface Weighed {
  readonly attempt: Attempt;
  /** Odds against the lines being unrelated, before rivals. */
  readonly odds: number;
  readonly belief: number;
}

/**
 * Computes the odds of groups: how likely a sum is to be true, compared with chance, with lines that may be missing, and with the pairs that it would
 * replace.
 */
export class Weigher {
  readonly #finding: Finding;
  readonly #book: Book;
  readonly #differing: number;
  readonly #missing: { readonly a: number; readonly b: number };

  constructor(finding: Finding, book: Book, learned: Learned, found: FoundLinks) {
    this.#finding = finding;
    this.#book = book;
    this.#differing = Math.min(1, floatAt(referenceRatios(book.counted, learned), REFERENCE.differ));
    // Unexplained lines of one side indicate missing lines of the other.
    this.#missing = { a: unexplained(finding, book.b.count, found, false), b: unexplained(finding, book.a.count, found, true) };
  }

  weigh(attempt: Attempt): Weighed {
    const { family, share, chance, lacking, unlisted, substitutes, isTargetOfA, bond } = attempt;
    const { families } = this.#finding;
    const ofDifference = lacking === 0 ? 0 : families.oddsOfDifference(family, lacking / this.#amountOf(attempt));
    const belief = lacking === 0 ? families.belief(family, bond === 'reference') : ofDifference / (1 + ofDifference);
    const against = bond === 'reference' ? 1 : this.#signs(attempt) * this.#references(attempt);
    const odds = ((belief / (1 - belief)) * share * against) / chance;
    const others = unlisted + (substitutes * (isTargetOfA ? this.#missing.b : this.#missing.a)) / against;
    return { attempt, odds: Math.min(MOST_ODDS, odds / (1 + odds * others) / this.#givenUp(attempt)), belief };
  }

  #amountOf({ isTargetOfA, target }: Attempt): number {
    return floatAt(this.#finding.open[isTargetOfA ? 'a' : 'b'].values, target);
  }

  #signs({ isTargetOfA, members }: Attempt): number {
    const { values } = this.#finding.open[isTargetOfA ? 'b' : 'a'];
    const isNegative = floatAt(values, members[0] ?? 0) < 0;
    return members.every((row) => floatAt(values, row) < 0 === isNegative) ? 1 : BOTH_SIGNS;
  }

  /** Both sides hold references of a common kind and share none. */
  #references({ isTargetOfA, target, members }: Attempt): number {
    const { familiesOfA, familiesOfB } = this.#book.references;
    const differs = members.some((row) => {
      const [rowA, rowB] = isTargetOfA ? [target, row] : [row, target];
      return (intAt(familiesOfA, rowA) & intAt(familiesOfB, rowB)) !== 0;
    });
    return differs ? this.#differing : 1;
  }

  /**
   * Returns the odds of the pairs that the group would replace. A group held together by a reference or by days is true or false as a whole, so only
   * its strongest pair counts.
   */
  #givenUp({ isTargetOfA, target, members, bond }: Attempt): number {
    const { open } = this.#finding;
    const inGroup = new Set(members);
    const [own, other] = isTargetOfA ? (['a', 'b'] as const) : (['b', 'a'] as const);
    const ofTarget = 1 + oddsGivenUp(open, own, target, (row) => inGroup.has(row));
    let ofMembers = 1;
    for (const member of members) {
      const weight = 1 + oddsGivenUp(open, other, member, (row) => row === target);
      ofMembers = bond === 'name' || bond === 'amount' ? ofMembers * weight : Math.max(ofMembers, weight);
    }
    return ofTarget * ofMembers;
  }
}

/** Returns the share of a side's lines that no pair, sum or earlier run explains. */
function unexplained({ open, attempts }: Finding, lines: number, found: FoundLinks, isOfA: boolean): number {
  const explained = Uint8Array.from((isOfA ? open.a : open.b).free, (free) => (free < 0 ? 1 : 0));
  for (let place = 0; place < found.length; place += 1) {
    found.eachRow(place, (row, ofA) => {
      if (ofA === isOfA) explained[row] = 1;
    });
  }
  for (const { isTargetOfA, target, members, lacking, chance } of attempts) {
    if (lacking !== 0 || chance > TELLING) continue;
    if (isTargetOfA === isOfA) explained[target] = 1;
    else for (const row of members) explained[row] = 1;
  }
  const share = (explained.reduce((left, mark) => left - mark, lines) + PRIOR_WEIGHT * PRIOR_MISSING) / (lines + PRIOR_WEIGHT);
  return Math.min(MOST_MISSING, Math.max(LEAST_MISSING, share));
}
