import type { Certainty } from '../../../../src-shared/contract/index.ts';
import { assert } from '../../../../src-shared/values/assert.ts';
import { FloatList, IntList } from '../../collections/growable-array.ts';
import type { IdSet } from '../../collections/id-set.ts';
import { itemAt, listOf } from '../../collections/typed-arrays.ts';
import type { KeptGroup } from '../many-to-one/groups.ts';
import { CERTAINTIES } from '../model/match.ts';
import type { FoundMatch, Margin } from '../model/match.ts';

/** Matches in order, without an object for each; objects are created on demand. */
export interface FoundMatches extends Iterable<FoundMatch> {
  readonly length: number;
  /** Number of records in all matches. */
  readonly memberCount: number;
  /** Returns the record id of a member, counted over all matches. */
  readonly idAt: (member: number) => number;
  readonly at: (index: number) => FoundMatch;
  /** Returns the matches from `start` up to but excluding `end`. */
  readonly slice: (start: number, end: number) => FoundMatch[];
  /** Returns the number of records of a match on both sides. */
  readonly sizeAt: (index: number) => number;
  /** Returns whether a match takes effect without waiting for a person. */
  readonly countsAt: (index: number) => boolean;
  readonly ruleIdAt: (index: number) => number;
  readonly certaintyAt: (index: number) => Certainty;
  readonly differenceAt: (index: number) => number;
  readonly hasMarginAt: (index: number) => boolean;
  readonly marginAt: (index: number) => FoundMatch['margin'];
  /** Returns the packed weight of a match of evidence (see `packWeight`); 0 for any other match. */
  readonly weightAt: (index: number) => number;
  /** Returns the number of records of a match on side A. */
  readonly sideASizeAt: (index: number) => number;
  /** Returns a record id of a match: those of side A come before those of side B. */
  readonly memberAt: (index: number, place: number) => number;
  /** Returns the facts that explain a match of a group; null for any other match. */
  readonly groupAt: (index: number) => KeptGroup | null;
}
const STATUSES = ['matched', 'proposed'] as const;

/**
 * Arrays that a collector fills. In shared memory another thread may read what is written, which does not change. The values of a plain pair (no
 * difference, no margin, one record on each side like all before it) are 0. Pages that hold only such values are never written and take no memory.
 */
export interface MatchRoom {
  readonly ids: Float64Array;
  readonly differences: Float64Array;
  /** Number of members of all earlier matches beyond two for each. */
  readonly surpluses: Int32Array;
  /** Number of records of side A beyond the first. */
  readonly furtherOfA: Int32Array;
  readonly facts: Int32Array;
  /** Index of the margin plus one; 0 for none. */
  readonly marginPlaces: Int32Array;
  readonly margins: Float64Array;
  readonly weights: Float64Array;
}

/** How much of its arrays a collector has filled, with the data outside of them. */
export interface MatchExtent {
  readonly length: number;
  readonly members: number;
  readonly margins: number;
  readonly ruleIds: readonly number[];
  /** By index of the match: groups that no earlier extent contained. */
  readonly groups: ReadonlyMap<number, KeptGroup>;
}

/** Returns arrays in shared memory for this many matches and members. Pages that are not written take no memory. */
export function sharedRoom(matches: number, members: number): MatchRoom {
  const floats = (count: number) => new Float64Array(new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT));
  const integers = (count: number) => new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
  return {
    ids: floats(members),
    differences: floats(matches),
    surpluses: integers(matches),
    furtherOfA: integers(matches),
    facts: integers(matches),
    marginPlaces: integers(matches),
    margins: floats(matches * MARGIN_FIGURES),
    weights: floats(matches),
  };
}

/** Number of members of a pair. */
const PAIR = 2;
/** Number of figures of a margin. */
const MARGIN_FIGURES = 4;

/** Collects matches, which can be read at any time. */
export class MatchCollector implements FoundMatches {
  /** Ids of each match, side A before side B. */
  readonly #ids: FloatList;
  readonly #differences: FloatList;
  readonly #surpluses: IntList;
  readonly #furtherOfA: IntList;
  /** Index of the rule, certainty and status, packed into one number. */
  readonly #facts: IntList;
  readonly #ruleIds: number[];
  readonly #margins: FloatList;
  readonly #marginPlaces: IntList;
  readonly #weights: FloatList;
  readonly #room: MatchRoom | undefined;
  readonly #groups: Map<number, KeptGroup>;
  #unreportedGroups = new Map<number, KeptGroup>();
  #settled: IdSet | null = null;
  length: number;

  /**
   * With `room` the collector writes into given arrays. `extent` says how much of them another collector has filled, and `groups` must hold all
   * groups that it has reported.
   */
  constructor(room?: MatchRoom, extent?: MatchExtent, groups = new Map<number, KeptGroup>()) {
    this.#room = room;
    this.#ids = new FloatList(room?.ids, extent?.members);
    this.#differences = new FloatList(room?.differences, extent?.length);
    this.#surpluses = new IntList(room?.surpluses, extent?.length);
    this.#furtherOfA = new IntList(room?.furtherOfA, extent?.length);
    this.#facts = new IntList(room?.facts, extent?.length);
    this.#marginPlaces = new IntList(room?.marginPlaces, extent?.length);
    this.#margins = new FloatList(room?.margins, extent?.margins);
    this.#weights = new FloatList(room?.weights, extent?.length);
    this.#ruleIds = [...(extent?.ruleIds ?? [])];
    this.#groups = groups;
    this.length = extent?.length ?? 0;
  }

  get memberCount(): number {
    return this.#ids.length;
  }

  idAt(member: number): number {
    return this.#ids.at(member);
  }

  /** Returns the extent for a reader on another thread, with the groups added since the last call. */
  tell(): MatchExtent {
    const room = this.#room;
    assert(room === undefined || (this.length <= room.facts.length && this.memberCount <= room.ids.length), 'matches stay in their room');
    const groups = this.#unreportedGroups;
    this.#unreportedGroups = new Map();
    return { length: this.length, members: this.#ids.length, margins: this.#margins.length, ruleIds: [...this.#ruleIds], groups };
  }

  /** From now on, matches that hold only these records are proposed, whatever their rule says. */
  proposeWithin(ids: IdSet): void {
    this.#settled = ids.isEmpty ? null : ids;
  }

  add(match: FoundMatch, group: KeptGroup | null = null): void {
    if (group !== null) {
      this.#groups.set(this.length, group);
      this.#unreportedGroups.set(this.length, group);
    }
    const { ruleId, certainty, differenceMinor, margin, weight } = match;
    const isSettled = this.#settled !== null && [...match.aIds, ...match.bIds].every((id) => this.#settled?.has(id) === true);
    const status = isSettled ? 'proposed' : match.status;
    this.#open(ruleId, status, CERTAINTIES.indexOf(certainty), differenceMinor, margin, weight);
    this.#furtherOfA.push(match.aIds.length - 1);
    for (const id of match.aIds) this.#ids.push(id);
    for (const id of match.bIds) this.#ids.push(id);
  }

  /** `certainty` is an index into `CERTAINTIES`. */
  addPair(
    ruleId: number,
    status: FoundMatch['status'],
    certainty: number,
    difference: number,
    aId: number,
    bId: number,
    margin?: Margin,
  ): void {
    const isSettled = this.#settled !== null && this.#settled.has(aId) && this.#settled.has(bId);
    this.#open(ruleId, isSettled ? 'proposed' : status, certainty, difference, margin);
    this.#furtherOfA.push(0);
    this.#ids.push(aId);
    this.#ids.push(bId);
  }

  #open(ruleId: number, status: FoundMatch['status'], certainty: number, difference: number, margin: Margin | undefined, weight = 0): void {
    if (this.#ruleIds[this.#ruleIds.length - 1] !== ruleId) this.#ruleIds.push(ruleId);
    this.#surpluses.push(this.#ids.length - PAIR * this.length);
    this.#facts.push((this.#ruleIds.length - 1) * 8 + certainty * 2 + (status === STATUSES[0] ? 0 : 1));
    this.#differences.push(difference);
    this.#marginPlaces.push(margin === undefined ? 0 : this.#margins.length / MARGIN_FIGURES + 1);
    if (margin !== undefined) this.#keepMargin(margin);
    this.#weights.push(weight);
    this.length += 1;
  }

  #keepMargin({ pairs, days, units, edits }: Margin): void {
    this.#margins.push(pairs);
    this.#margins.push(days);
    this.#margins.push(units);
    this.#margins.push(edits);
  }

  at(index: number): FoundMatch {
    const start = this.#startAt(index);
    const middle = start + this.sideASizeAt(index);
    const margin = this.marginAt(index);
    const weight = this.weightAt(index);
    return {
      ruleId: this.ruleIdAt(index),
      aIds: listOf(this.#ids.items, start, middle),
      bIds: listOf(this.#ids.items, middle, this.#endAt(index)),
      status: itemAt(STATUSES, this.#facts.at(index) & 1),
      certainty: this.certaintyAt(index),
      differenceMinor: this.differenceAt(index),
      ...(margin === undefined ? {} : { margin }),
      ...(weight === 0 ? {} : { weight }),
    };
  }

  ruleIdAt(index: number): number {
    return itemAt(this.#ruleIds, this.#facts.at(index) >> 3);
  }

  certaintyAt(index: number): Certainty {
    return itemAt(CERTAINTIES, (this.#facts.at(index) >> 1) & 3);
  }

  differenceAt(index: number): number {
    return this.#differences.at(index);
  }

  hasMarginAt(index: number): boolean {
    return this.#marginPlaces.at(index) > 0;
  }

  marginAt(index: number): FoundMatch['margin'] {
    const place = this.#marginPlaces.at(index) - 1;
    if (place < 0) return undefined;
    const figure = (at: number): number => this.#margins.at(place * MARGIN_FIGURES + at);
    return { pairs: figure(0), days: figure(1), units: figure(2), edits: figure(3) };
  }

  weightAt(index: number): number {
    return this.#weights.at(index);
  }

  sideASizeAt(index: number): number {
    return this.#furtherOfA.at(index) + 1;
  }

  memberAt(index: number, place: number): number {
    return this.#ids.at(this.#startAt(index) + place);
  }

  groupAt(index: number): KeptGroup | null {
    return this.#groups.get(index) ?? null;
  }

  /** Returns the start of a match's ids. */
  #startAt(index: number): number {
    return PAIR * index + this.#surpluses.at(index);
  }

  #endAt(index: number): number {
    return index + 1 < this.length ? this.#startAt(index + 1) : this.#ids.length;
  }

  sizeAt(index: number): number {
    return this.#endAt(index) - this.#startAt(index);
  }

  countsAt(index: number): boolean {
    return (this.#facts.at(index) & 1) === 0;
  }

  slice(start: number, end: number): FoundMatch[] {
    return Array.from({ length: Math.max(0, Math.min(end, this.length) - start) }, (_, index) => this.at(start + index));
  }

  *[Symbol.iterator](): Iterator<FoundMatch> {
    for (let index = 0; index < this.length; index += 1) yield this.at(index);
  }
}
