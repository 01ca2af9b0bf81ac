import type { Certainty } from '../../../src-shared/contract/index.ts';
import type { KeptCohort } from './cohort-facts.ts';
import { MarginList } from './margin-list.ts';
import type { Margin } from './margins.ts';
import { append, intAt, intList, type IntList, itemAt } from './typed.ts';
import type { FoundMatch } from './types.ts';

/** Matches in their order, without an object for each: they are made one at a time, as they are asked for. */
export interface FoundMatches extends Iterable<FoundMatch> {
  readonly length: number;
  readonly at: (index: number) => FoundMatch;
  /** Those from `start` to `end` (exclusive). */
  readonly slice: (start: number, end: number) => FoundMatch[];
  /** Records of a match, both sides together. */
  readonly sizeAt: (index: number) => number;
  /** Whether a match counts, and does not wait for a person. */
  readonly countsAt: (index: number) => boolean;
  readonly ruleIdAt: (index: number) => number;
  readonly certaintyAt: (index: number) => Certainty;
  readonly differenceAt: (index: number) => number;
  readonly marginAt: (index: number) => FoundMatch['margin'];
  /** Records of a match on side A. */
  readonly sideASizeAt: (index: number) => number;
  /** A record id of a match: those of side A, then those of side B. */
  readonly memberAt: (index: number, place: number) => number;
  /** What says why the records of a match were tied; null where they say it themselves. */
  readonly cohortAt: (index: number) => KeptCohort | null;
}

/** Certainties by the number that stands for each. */
export const CERTAINTIES: readonly Certainty[] = ['unique', 'best', 'interchangeable', 'contested'];
const STATUSES = ['matched', 'proposed'] as const;

/** A list of numbers that grows. */
class Numbers {
  private items = new Float64Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.items.length) {
      const grown = new Float64Array(Math.ceil(this.length * 1.5));
      grown.set(this.items);
      this.items = grown;
    }
    this.items[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.items[index] as number;
  }

  range(from: number, to: number): number[] {
    return Array.from(this.items.subarray(from, to));
  }
}

/** Collects matches; what was collected can be read at any time. */
export class MatchCollector implements FoundMatches {
  /** Side A's ids of a match, then side B's. */
  private readonly ids = new Numbers();
  private readonly differences = new Numbers();
  /** Where the ids of each match begin; where those of side B begin. */
  private readonly starts: IntList = intList();
  private readonly middles: IntList = intList();
  /** Place of the rule, certainty and status in one number. */
  private readonly facts: IntList = intList();
  private readonly ruleIds: number[] = [];
  private readonly margins = new MarginList();
  private readonly marginPlaces: IntList = intList();
  private readonly cohorts = new Map<number, KeptCohort>();
  length = 0;

  add(match: FoundMatch, cohort: KeptCohort | null = null): void {
    if (cohort !== null) this.cohorts.set(this.length, cohort);
    this.open(match.ruleId, match.status, match.certainty, match.differenceMinor, match.margin);
    for (const id of match.aIds) this.ids.push(id);
    append(this.middles, this.ids.length);
    for (const id of match.bIds) this.ids.push(id);
  }

  addPair(
    ruleId: number,
    status: FoundMatch['status'],
    certainty: Certainty,
    difference: number,
    aId: number,
    bId: number,
    margin?: Margin,
  ): void {
    this.open(ruleId, status, certainty, difference, margin);
    this.ids.push(aId);
    append(this.middles, this.ids.length);
    this.ids.push(bId);
  }

  private open(ruleId: number, status: FoundMatch['status'], certainty: Certainty, difference: number, margin: Margin | undefined): void {
    if (this.ruleIds.at(-1) !== ruleId) this.ruleIds.push(ruleId);
    append(this.starts, this.ids.length);
    append(this.facts, (this.ruleIds.length - 1) * 8 + CERTAINTIES.indexOf(certainty) * 2 + STATUSES.indexOf(status));
    this.differences.push(difference);
    append(this.marginPlaces, margin === undefined ? -1 : this.margins.push(margin.pairs, margin.days, margin.units, margin.edits));
    this.length += 1;
  }

  at(index: number): FoundMatch {
    const middle = intAt(this.middles.items, index);
    const margin = this.marginAt(index);
    return {
      ruleId: this.ruleIdAt(index),
      aIds: this.ids.range(intAt(this.starts.items, index), middle),
      bIds: this.ids.range(middle, this.endAt(index)),
      status: itemAt(STATUSES, intAt(this.facts.items, index) & 1),
      certainty: this.certaintyAt(index),
      differenceMinor: this.differenceAt(index),
      ...(margin === undefined ? {} : { margin }),
    };
  }

  ruleIdAt(index: number): number {
    return itemAt(this.ruleIds, intAt(this.facts.items, index) >> 3);
  }

  certaintyAt(index: number): Certainty {
    return itemAt(CERTAINTIES, (intAt(this.facts.items, index) >> 1) & 3);
  }

  differenceAt(index: number): number {
    return this.differences.at(index);
  }

  marginAt(index: number): FoundMatch['margin'] {
    const place = intAt(this.marginPlaces.items, index);
    return place < 0 ? undefined : this.margins.at(place);
  }

  sideASizeAt(index: number): number {
    return intAt(this.middles.items, index) - intAt(this.starts.items, index);
  }

  memberAt(index: number, place: number): number {
    return this.ids.at(intAt(this.starts.items, index) + place);
  }

  cohortAt(index: number): KeptCohort | null {
    return this.cohorts.get(index) ?? null;
  }

  private endAt(index: number): number {
    return index + 1 < this.length ? intAt(this.starts.items, index + 1) : this.ids.length;
  }

  sizeAt(index: number): number {
    return this.endAt(index) - intAt(this.starts.items, index);
  }

  countsAt(index: number): boolean {
    return (intAt(this.facts.items, index) & 1) === 0;
  }

  slice(start: number, end: number): FoundMatch[] {
    return Array.from({ length: Math.max(0, Math.min(end, this.length) - start) }, (_, index) => this.at(start + index));
  }

  *[Symbol.iterator](): Iterator<FoundMatch> {
    for (let index = 0; index < this.length; index += 1) yield this.at(index);
  }
}
