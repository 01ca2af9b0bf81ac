import type { Certainty } from '../../../../src-shared/contract/index.ts';
import { append, floatAt, intAt, type IntList, intList, itemAt, listOf, roomForFloats } from '../../collections/typed-arrays.ts';
import { CERTAINTIES } from '../../matching/model/match.ts';
import type { LinkKind } from '../model/link.ts';
import { packWeight, storedWeight, weightOfPacked } from '../model/packed-weight.ts';
import type { Weight } from '../model/weight.ts';
import type { Candidates } from './decide.ts';

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
  /** What chiefly speaks for it, of `EVIDENCE`. */
  readonly evidence: number;
  /** Whether it may be committed at all. */
  readonly mayCommit: boolean;
}

const KINDS: readonly LinkKind[] = ['pair', 'group', 'reversal'];

/** Links without an object for each, which are made as they are asked for: of 800,000 pairs the objects took 410 MB and most of the work of the garbage collector. */
export class FoundLinks implements Iterable<FoundLink> {
  length = 0;
  /** Rows of all links, of each first those of A; where each link begins, and its rows of B. */
  private readonly rows: IntList = intList();
  private readonly starts: IntList = intList();
  private readonly startsB: IntList = intList();
  /** Kind, certainty, evidence and whether it may be committed: two bits each. */
  private readonly facts: IntList = intList();
  private differences: Float64Array = new Float64Array(0);
  private weights: Float64Array = new Float64Array(0);

  constructor() {
    append(this.starts, 0);
  }

  add({ kind, rowsA, rowsB, certainty, differenceMinor, weight, evidence, mayCommit }: FoundLink): void {
    for (const row of rowsA) append(this.rows, row);
    append(this.startsB, this.rows.length);
    for (const row of rowsB) append(this.rows, row);
    append(this.starts, this.rows.length);
    append(this.facts, (((KINDS.indexOf(kind) << 2) | CERTAINTIES.indexOf(certainty)) << 4) | (evidence << 2) | (mayCommit ? 1 : 0));
    const place = this.length;
    this.length += 1;
    this.differences = roomForFloats(this.differences, this.length);
    this.weights = roomForFloats(this.weights, this.length);
    this.differences[place] = differenceMinor;
    this.weights[place] = packWeight(weight);
  }

  at(place: number): FoundLink {
    const [from, middle, to] = [intAt(this.starts.items, place), intAt(this.startsB.items, place), intAt(this.starts.items, place + 1)];
    const facts = intAt(this.facts.items, place);
    return {
      kind: itemAt(KINDS, facts >> 6),
      rowsA: listOf(this.rows.items, from, middle),
      rowsB: listOf(this.rows.items, middle, to),
      certainty: itemAt(CERTAINTIES, (facts >> 4) & 3),
      differenceMinor: floatAt(this.differences, place),
      weight: weightOfPacked(floatAt(this.weights, place)),
      evidence: (facts >> 2) & 3,
      mayCommit: (facts & 1) === 1,
    };
  }

  *[Symbol.iterator](): Iterator<FoundLink> {
    for (let place = 0; place < this.length; place += 1) yield this.at(place);
  }

  /** Calls `visit` for each row of a link. */
  eachRow(place: number, visit: (row: number, isOfA: boolean) => void): void {
    const middle = intAt(this.startsB.items, place);
    for (let at = intAt(this.starts.items, place); at < intAt(this.starts.items, place + 1); at += 1)
      visit(intAt(this.rows.items, at), at < middle);
  }

  /** Log odds in 1/64 bit. */
  logOddsAt(place: number): number {
    return storedWeight(floatAt(this.weights, place)).likelihood;
  }

  mayCommitAt(place: number): boolean {
    return (intAt(this.facts.items, place) & 1) === 1;
  }

  /** What a budget decides about the links of some places, in their order. */
  candidates(places: readonly number[]): Candidates {
    return {
      logOdds: Int16Array.from(places, (place) => this.logOddsAt(place)),
      evidence: Uint8Array.from(places, (place) => (intAt(this.facts.items, place) >> 2) & 3),
      mayCommit: Uint8Array.from(places, (place) => (this.mayCommitAt(place) ? 1 : 0)),
    };
  }

  /** Places by the first row of A, then of B. Links without a row of A come last. */
  order(): readonly number[] {
    const firstOfA = (place: number): number => {
      const from = intAt(this.starts.items, place);
      return from < intAt(this.startsB.items, place) ? intAt(this.rows.items, from) : Infinity;
    };
    const firstOfB = (place: number): number => {
      const from = intAt(this.startsB.items, place);
      return from < intAt(this.starts.items, place + 1) ? intAt(this.rows.items, from) : -1;
    };
    return Array.from({ length: this.length }, (_, place) => place).toSorted((left, right) => {
      const [ofLeft, ofRight] = [firstOfA(left), firstOfA(right)];
      return ofLeft === ofRight ? firstOfB(left) - firstOfB(right) : ofLeft - ofRight;
    });
  }
}
