import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { FoundLinks } from '../budget/found-links.ts';
import { REFERENCE } from '../comparison/levels.ts';
import { referenceRatios, type Learned } from '../estimation/learn.ts';
import type { Book } from '../estimation/read-book.ts';
import type { Attempt, Finding } from './attempt.ts';
import { oddsGivenUp } from './open-lines.ts';

const MOST_ODDS = 2 ** 40;
/** Share of lines that may be missing from the files, at least and at most. */
const LEAST_MISSING = 0.02;
const MOST_MISSING = 0.5;
/** Lines that the experience counts as, of which so many are missing. */
const EXPERIENCE = 10;
const PRIOR_MISSING = 0.2;
/** Lines taken in and given back in one payment are rarer, where no reference says so. */
const BOTH_SIGNS = 0.1;
/** Sums more likely by chance than this explain nothing. */
const TELLING = 0.01;

export interface Weighed {
  readonly attempt: Attempt;
  /** Against the lines having no part in it, before rivals. */
  readonly odds: number;
  readonly belief: number;
}

/** Weighs groups: how likely a sum is to be true against chance, against lines that may be missing, and against what the pairs would give up. */
export class Weigher {
  readonly #finding: Finding;
  readonly #book: Book;
  readonly #differing: number;
  readonly #missing: { readonly a: number; readonly b: number };

  constructor(finding: Finding, book: Book, learned: Learned, found: FoundLinks) {
    this.#finding = finding;
    this.#book = book;
    this.#differing = Math.min(1, floatAt(referenceRatios(book.counted, learned), REFERENCE.differ));
    // Where lines of one side stay unexplained, lines of the other one are missing.
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

  /** References on both sides where they would be shared, and are not. */
  #references({ isTargetOfA, target, members }: Attempt): number {
    const { familiesOfA, familiesOfB } = this.#book.references;
    const differs = members.some((row) => {
      const [rowA, rowB] = isTargetOfA ? [target, row] : [row, target];
      return (intAt(familiesOfA, rowA) & intAt(familiesOfB, rowB)) !== 0;
    });
    return differs ? this.#differing : 1;
  }

  /** What the pairs weigh that its lines would give up. What a reference or days hold together stands or falls as a whole. */
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

/** Share of the lines of a side that neither a pair nor a sum explains, now or in an earlier run. */
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
  const share = (explained.reduce((left, mark) => left - mark, lines) + EXPERIENCE * PRIOR_MISSING) / (lines + EXPERIENCE);
  return Math.min(MOST_MISSING, Math.max(LEAST_MISSING, share));
}
