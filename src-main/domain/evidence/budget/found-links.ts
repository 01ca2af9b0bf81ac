import type { Certainty } from '../../../../src-shared/contract/index.ts';
import { FloatList, IntList } from '../../collections/growable-array.ts';
import { intAt, itemAt, listOf } from '../../collections/typed-arrays.ts';
import { CERTAINTIES } from '../../matching/model/match.ts';
import type { LinkKind } from '../model/link.ts';
import { packWeight, storedWeight, weightOfPacked } from '../model/packed-weight.ts';
import type { Weight } from '../model/weight.ts';
import { type Candidates, EVIDENCE } from './decide.ts';

/** Books with fewer lines on a side lean on general experience. */
export const SMALL_BOOK = 50;

/** A link that is more likely than not, before it is decided what is committed. Rows are those of all lines. */
export interface FoundLink {
  readonly kind: LinkKind;
  readonly rowsA: readonly number[];
  readonly rowsB: readonly number[];
  readonly certainty: Certainty;
  readonly differenceMinor: number;
  readonly weight: Weight;
  /** Share of the doubt that is about whether its lines have a partner at all, 0..1: the rest is about which one. */
  readonly alone: number;
  /** What chiefly speaks for it, of `EVIDENCE`. */
  readonly evidence: number;
  /** Whether it may be committed at all. */
  readonly mayCommit: boolean;
}

/** Where amounts and days alone speak for a group it is committed only from here on: log odds in 1/64 bit. */
const LEAST_OF_AMOUNTS = 11 * 64;
const GROUPS_BY_AMOUNTS = EVIDENCE.count + EVIDENCE.amount;
const ALONE_STEPS = 4_096;
const KINDS: readonly LinkKind[] = ['pair', 'group', 'reversal'];

/** Links without an object for each, which are made as they are asked for: of 800,000 pairs the objects took 410 MB and most of the work of the garbage collector. */
export class FoundLinks implements Iterable<FoundLink> {
  length = 0;
  /** Rows of all links, of each first those of A; where each link begins, and its rows of B. */
  readonly #rows = new IntList();
  readonly #starts = new IntList();
  readonly #startsB = new IntList();
  /** Share of the doubt in steps, then kind, certainty, evidence and whether it may be committed: two bits each. */
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

  /** Calls `visit` for each row of a link. */
  eachRow(place: number, visit: (row: number, isOfA: boolean) => void): void {
    const middle = intAt(this.#startsB.items, place);
    for (let at = intAt(this.#starts.items, place); at < intAt(this.#starts.items, place + 1); at += 1)
      visit(intAt(this.#rows.items, at), at < middle);
  }

  /** Log odds in 1/64 bit. */
  logOddsAt(place: number): number {
    return storedWeight(this.#weights.at(place)).likelihood;
  }

  isReversalAt(place: number): boolean {
    return KINDS[(intAt(this.#facts.items, place) >> 6) & 3] === 'reversal';
  }

  /** What speaks for a link, of `EVIDENCE`, pairs first and then groups. */
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

  /** What a budget decides about the links of some places, in their order. */
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

  /** Places by the first row of A, then of B. Links without a row of A come last. */
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
