import { groupText, type FoundMatches, marginText } from '../../domain/matching/index.ts';
import { floatAt, intAt, itemAt } from '../../domain/collections/typed-arrays.ts';
import type { WriteHandle } from '../../database/database.ts';
import { memberColumns } from '../../matches/store/match-members.ts';
import { RUN_SHARE, Slices, RUN_SLICES_PER_CHECKPOINT } from '../../jobs/write-slices.ts';
import type { TaskContext } from '../../jobs/protocol.ts';
import { insertRunFacts } from '../store/run-facts.ts';
import {
  insertLargerRunMatches,
  insertRunPairs,
  noteMatchIds,
  PAIR_KINDS,
  type PairKind,
  pairFacts,
  type WritingRun,
} from '../store/run-match-rows.ts';

/** A small cache is enough: rows are appended to tables, so few pages are needed again. */
export const RUN_CACHE_KIB = 4_096;

/** The run whose matches are written. */
export interface RowsOfRun {
  readonly run: WritingRun;
  /** Everything that the run uses besides records, in its stored form. */
  readonly facts: string;
  /** The ids of the matches by place; 0 for one that is left out or not written yet. Other threads may read it. */
  readonly ids: Float64Array;
}

/** Returns the end (exclusive) of the transaction that begins with a match: after the match that reaches `mostRecords`. */
export function chunkEnd(matches: Pick<FoundMatches, 'length' | 'sizeAt'>, start: number, mostRecords: number): number {
  let records = 0;
  let end = start;
  while (end < matches.length && records < mostRecords) {
    records += matches.sizeAt(end);
    end += 1;
  }
  return end;
}

/** Matches are sorted within windows of this many, so that ids do not depend on when matches are found or how long transactions are. */
const WINDOW = 16_384;

const isPair = (matches: FoundMatches, match: number) => matches.sizeAt(match) === 2 && matches.sideASizeAt(match) === 1;
function pairKindOf(matches: FoundMatches, match: number): PairKind {
  if (matches.weightAt(match) !== 0) return 'weighed';
  return matches.differenceAt(match) === 0 && !matches.hasMarginAt(match) ? 'plain' : 'different';
}

/** Returns what pairs of one statement share, as one number; below 0 for a match that is no pair. */
function kindOf(matches: FoundMatches, match: number): number {
  if (!isPair(matches, match)) return NO_PAIR;
  const facts = pairFacts(matches.ruleIdAt(match), matches.certaintyAt(match), !matches.countsAt(match));
  return facts * PAIR_KINDS.length + PAIR_KINDS.indexOf(pairKindOf(matches, match));
}

const NO_PAIR = -1;

/** The places of a window's matches, grouped by kind and otherwise in order, with their kinds. */
interface Ordered {
  readonly places: Int32Array;
  readonly kinds: Float64Array;
}

function inKinds(matches: FoundMatches, from: number, to: number): Ordered {
  const placesOf = new Map<number, number[]>();
  for (let match = from; match < to; match += 1) {
    const kind = kindOf(matches, match);
    const places = placesOf.get(kind);
    if (places === undefined) placesOf.set(kind, [match]);
    else places.push(match);
  }
  const ordered = { places: new Int32Array(to - from), kinds: new Float64Array(to - from) };
  let end = 0;
  for (const [kind, places] of placesOf) {
    ordered.places.set(places, end);
    ordered.kinds.fill(kind, end, end + places.length);
    end += places.length;
  }
  return ordered;
}

function marginOf(matches: FoundMatches, match: number): string | null {
  const margin = matches.marginAt(match);
  return margin === undefined ? null : marginText(margin);
}

/**
 * Writes the matches of a run as they are found; they stay invisible. Their explanations are made when asked for, from two of their records and the
 * stored cohort.
 */
export class RowWriter {
  readonly #context: Pick<TaskContext, 'database' | 'isCancelled'>;
  readonly #rows: RowsOfRun;
  readonly #slices: Slices;
  #written = 0;

  constructor(context: Pick<TaskContext, 'database' | 'clock' | 'isCancelled'>, rows: RowsOfRun) {
    this.#context = context;
    this.#rows = rows;
    this.#slices = new Slices(context.database, context.clock, RUN_SHARE);
  }

  /**
   * Writes the matches after the last one written; only whole windows while the run still finds more. Returns false if the run was cancelled. Calls
   * `report` with the number written.
   */
  write(matches: FoundMatches, isAll: boolean, report: (written: number) => void): boolean {
    const { database } = this.#context;
    while (this.#written < matches.length) {
      const end = Math.min(this.#written + WINDOW, matches.length);
      if (end - this.#written < WINDOW && !isAll) return true;
      if (this.#written === 0) database.write((write) => insertRunFacts(write, this.#rows.run.runId, this.#rows.facts));
      if (!this.#writeWindow(matches, inKinds(matches, this.#written, end), report)) return false;
      this.#written = end;
    }
    return true;
  }

  #writeWindow(matches: FoundMatches, ordered: Ordered, report: (written: number) => void): boolean {
    const context = this.#context;
    const slices = this.#slices;
    const { places } = ordered;
    const inOrder = { length: places.length, sizeAt: (at: number) => matches.sizeAt(intAt(places, at)) };
    for (let start = 0; start < places.length;) {
      if (context.isCancelled()) return false;
      slices.letOthersIn();
      const end = chunkEnd(inOrder, start, slices.length);
      slices.write((write) => this.#writeSlice(write, matches, ordered, start, end));
      if (slices.written % RUN_SLICES_PER_CHECKPOINT === 0) context.database.checkpoint();
      start = end;
      report(this.#written + end);
    }
    return true;
  }

  #writeSlice(write: WriteHandle, matches: FoundMatches, { places, kinds }: Ordered, start: number, end: number): void {
    const range = { first: 0, last: 0 };
    const note = (first: number, last: number): void => {
      if (range.first === 0) range.first = first;
      range.last = last;
    };
    for (let at = start; at < end;) {
      const kind = floatAt(kinds, at);
      let next = at + 1;
      while (next < end && floatAt(kinds, next) === kind) next += 1;
      const stretch = places.subarray(at, next);
      if (kind === NO_PAIR) this.#writeLarger(write, matches, stretch, note);
      else this.#writePairs(write, matches, stretch, kind, note);
      at = next;
    }
    if (range.last > 0) noteMatchIds(write, this.#rows.run.runId, range.first, range.last);
  }

  #writePairs(write: WriteHandle, matches: FoundMatches, stretch: Int32Array, kind: number, note: Note): void {
    const { run, ids } = this.#rows;
    const last = insertRunPairs(write, run, Math.floor(kind / PAIR_KINDS.length), itemAt(PAIR_KINDS, kind % PAIR_KINDS.length), {
      length: stretch.length,
      aIdAt: (place) => matches.memberAt(intAt(stretch, place), 0),
      bIdAt: (place) => matches.memberAt(intAt(stretch, place), 1),
      differenceAt: (place) => matches.differenceAt(intAt(stretch, place)),
      marginAt: (place) => marginOf(matches, intAt(stretch, place)),
      weightAt: (place) => matches.weightAt(intAt(stretch, place)),
    });
    const first = last - stretch.length + 1;
    for (const [index, match] of stretch.entries()) ids[match] = first + index;
    note(first, last);
  }

  #writeLarger(write: WriteHandle, matches: FoundMatches, stretch: Int32Array, note: Note): void {
    const { run, ids } = this.#rows;
    const last = insertLargerRunMatches(write, run, {
      length: stretch.length,
      ruleIdAt: (place) => matches.ruleIdAt(intAt(stretch, place)),
      isProposedAt: (place) => !matches.countsAt(intAt(stretch, place)),
      certaintyAt: (place) => matches.certaintyAt(intAt(stretch, place)),
      differenceMinorAt: (place) => matches.differenceAt(intAt(stretch, place)),
      marginAt: (place) => marginOf(matches, intAt(stretch, place)),
      cohortAt: (place) => {
        const group = matches.groupAt(intAt(stretch, place));
        return group === null ? null : groupText(group);
      },
      weightAt: (place) => matches.weightAt(intAt(stretch, place)) || null,
      holdsAt: (place) => {
        const { aIds, bIds } = matches.at(intAt(stretch, place));
        return memberColumns(aIds, bIds);
      },
    });
    const first = last - stretch.length + 1;
    for (const [index, match] of stretch.entries()) ids[match] = first + index;
    note(first, last);
  }
}

/** Called with the first and last id of written rows. */
type Note = (first: number, last: number) => void;
