import type { Certainty } from '../../../../src-shared/contract/index.ts';
import { FloatList, IntList } from '../../collections/growable-array.ts';
import { intAt, itemAt, listOf } from '../../collections/typed-arrays.ts';
import { CERTAINTIES } from '../../matching/model/match.ts';
import type { LinkKind } from '../model/link.ts';
import { packWeight, storedWeight, type Weight, weightOfPacked } from '../model/weight.ts';
import { type Candidates, EVIDENCE } from './decide.ts';

/** A book with fewer lines than this on its smaller side relies on the prior. */
export const SMALL_BOOK = 50;

/**
 * A link that is more likely than not, before the budget decides which links are committed. Rows index all lines of a side, not only the free ones.
 */
export interface FoundLink {
  readonly kind: LinkKind;
  readonly rowsA: readonly number[];
  readonly rowsB: readonly number[];
  readonly certainty: Certainty;
  readonly differenceMinor: number;
  readonly weight: Weight;
  /** Share of the doubt, 0..1, that is about whether the lines have a partner at all. The rest is about which partner. */
  readonly alone: number;
  /** The strongest evidence for the link, a value of `EVIDENCE`. */
  readonly evidence: number;
  readonly mayCommit: boolean;
}

/** Least log odds of a proposal, in 1/64 bit: those of a probability of 0.6. A person would take back nearly half of those below. */
const LEAST_PROPOSED = 38;
/**
 * The same, 0.9, of a pair without a reference whose amounts differ by more than the rule allows and than a formula explains. Books show few such
 * pairs, so that their likelihood is a guess.
 */
const LEAST_WITH_DIFFERENCE = 203;
/** A group supported by amounts and days alone is committed only from these log odds on, in 1/64 bit. */
const LEAST_OF_AMOUNTS = 8 * 64;
const GROUPS_BY_AMOUNTS = EVIDENCE.count + EVIDENCE.amount;
const ALONE_STEPS = 4_096;
const KINDS: readonly LinkKind[] = ['pair', 'group', 'reversal'];

/**
 * A list of links kept in typed columns; `at` creates an object on demand. Objects for 800,000 pairs took 410 MB and most of the garbage collector's
 * time.
 */
export class FoundLinks implements Iterable<FoundLink> {
  length = 0;
  /** Rows of all links, those of A before those of B within each link; the start of each link, and the start of its rows of B. */
  readonly #rows = new IntList();
  readonly #starts = new IntList();
  readonly #startsB = new IntList();
  /** Packed facts of each link: the share of the doubt in steps, then kind, certainty, evidence and whether it may be committed, two bits each. */
  readonly #facts = new IntList();
  readonly #differences = new FloatList();
  readonly #weights = new FloatList();

  constructor() {
    this.#starts.push(0);
  }

  add({ kind, rowsA, rowsB, certainty, differenceMinor, weight, alone, evidence, mayCommit }: FoundLink): void {
    for (const row of rowsA) this.#rows.push(row);
    this.#startsB.push(this.#rows.length);
    for (const row of rowsB) this.#rows.push(row);
    this.#starts.push(this.#rows.length);
    const said = (Math.round(Math.max(0, Math.min(1, alone)) * ALONE_STEPS) << 2) | KINDS.indexOf(kind);
    this.#facts.push((((said << 2) | CERTAINTIES.indexOf(certainty)) << 4) | (evidence << 2) | (mayCommit ? 1 : 0));
    this.#differences.push(differenceMinor);
    this.#weights.push(packWeight(weight));
    this.length += 1;
  }

  at(place: number): FoundLink {
    const [from, middle, to] = [intAt(this.#starts.items, place), intAt(this.#startsB.items, place), intAt(this.#starts.items, place + 1)];
    const facts = intAt(this.#facts.items, place);
    return {
      kind: itemAt(KINDS, (facts >> 6) & 3),
      rowsA: listOf(this.#rows.items, from, middle),
      rowsB: listOf(this.#rows.items, middle, to),
      certainty: itemAt(CERTAINTIES, (facts >> 4) & 3),
      differenceMinor: this.#differences.at(place),
      weight: weightOfPacked(this.#weights.at(place)),
      alone: (facts >> 8) / ALONE_STEPS,
      evidence: (facts >> 2) & 3,
      mayCommit: (facts & 1) === 1,
    };
  }

  *[Symbol.iterator](): Iterator<FoundLink> {
    for (let place = 0; place < this.length; place += 1) yield this.at(place);
  }

  /** Calls `visit` for each row of the link at `place`. */
  eachRow(place: number, visit: (row: number, isOfA: boolean) => void): void {
    const middle = intAt(this.#startsB.items, place);
    for (let at = intAt(this.#starts.items, place); at < intAt(this.#starts.items, place + 1); at += 1)
      visit(intAt(this.#rows.items, at), at < middle);
  }

  /** Returns the log odds of the link at `place`, in 1/64 bit. */
  logOddsAt(place: number): number {
    return storedWeight(this.#weights.at(place)).likelihood;
  }

  isReversalAt(place: number): boolean {
    return KINDS[(intAt(this.#facts.items, place) >> 6) & 3] === 'reversal';
  }

  /** Returns the class of a link for calibration: its value of `EVIDENCE` for a pair, and that plus `EVIDENCE.count` for a group. */
  classAt(place: number): number {
    const facts = intAt(this.#facts.items, place);
    return ((facts >> 2) & 3) + (((facts >> 6) & 3) === 0 ? 0 : EVIDENCE.count);
  }

  aloneAt(place: number): number {
    return (intAt(this.#facts.items, place) >> 8) / ALONE_STEPS;
  }

  mayCommitAt(place: number): boolean {
    return (intAt(this.#facts.items, place) & 1) === 1;
  }

  /** Returns the indexes of the links that are worth a person's time, in order of their rows of A, then of B. */
  proposable(): readonly number[] {
    return this.order().filter((place) => {
      const isDifferent = this.#differences.at(place) !== 0 && !this.mayCommitAt(place);
      const isByReference = this.classAt(place) === EVIDENCE.reference;
      const isPair = this.classAt(place) < EVIDENCE.count;
      return this.logOddsAt(place) >= (isDifferent && isPair && !isByReference ? LEAST_WITH_DIFFERENCE : LEAST_PROPOSED);
    });
  }

  /** Returns the columns by which the budget decides about the links at `places`, in that order. */
  candidates(places: readonly number[]): Candidates {
    return {
      logOdds: Int16Array.from(places, (place) => this.logOddsAt(place)),
      evidence: Uint8Array.from(places, (place) => (intAt(this.#facts.items, place) >> 2) & 3),
      mayCommit: Uint8Array.from(places, (place) => {
        const isByAmounts = this.classAt(place) === GROUPS_BY_AMOUNTS;
        return this.mayCommitAt(place) && (!isByAmounts || this.logOddsAt(place) >= LEAST_OF_AMOUNTS) ? 1 : 0;
      }),
    };
  }

  /** Returns the indexes of links ordered by the first row of A, then of B. Links without a row of A come last. */
  order(): readonly number[] {
    const firstOfA = (place: number): number => {
      const from = intAt(this.#starts.items, place);
      return from < intAt(this.#startsB.items, place) ? intAt(this.#rows.items, from) : Infinity;
    };
    const firstOfB = (place: number): number => {
      const from = intAt(this.#startsB.items, place);
      return from < intAt(this.#starts.items, place + 1) ? intAt(this.#rows.items, from) : -1;
    };
    return Array.from({ length: this.length }, (_, place) => place).toSorted((left, right) => {
      const [ofLeft, ofRight] = [firstOfA(left), firstOfA(right)];
      return ofLeft === ofRight ? firstOfB(left) - firstOfB(right) : ofLeft - ofRight;
    });
  }
}
