import type { MessagePort } from 'node:worker_threads';
import type { Run } from '../../../src-shared/contract/index.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import type { Database, WriteHandle } from '../../database/database.ts';
import { RadixSorter } from '../../domain/collections/radix-sort.ts';
import { floatAt, intAt, itemAt } from '../../domain/collections/typed-arrays.ts';
import {
  type FoundMatches,
  groupText,
  type KeptGroup,
  marginText,
  MatchCollector,
  type MatchExtent,
  type MatchRoom,
  separationKey,
} from '../../domain/matching/index.ts';
import { heartbeat } from '../../jobs/heartbeat.ts';
import type { RunPayload, TaskContext, ThreadStart } from '../../jobs/protocol.ts';
import { RUN_SHARE, RUN_SLICES_PER_CHECKPOINT, Slices, SLICES_PER_CHECKPOINT } from '../../jobs/write-slices.ts';
import { memberColumns } from '../../matches/store/match-members.ts';
import { deleteMatch, memberIds } from '../../matches/store/matches.ts';
import { separatedDuringRun } from '../../matches/store/separations.ts';
import { systemClock } from '../../platform/system.ts';
import {
  goneMatches,
  insertLargerRunMatches,
  insertRunMembers,
  insertRunPairs,
  memberKind,
  noteMatchIds,
  PAIR_KINDS,
  pairFacts,
  type PairKind,
  type RunCount,
  runMatchesHolding,
  staleRecords,
  type WritingRun,
} from '../store/run-matches.ts';
import { hasExclusions, insertRunFacts } from '../store/runs.ts';
import { factsText, type StoredFacts } from './run-input.ts';

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

/** The result of a run, to be written. */
interface Findings {
  readonly facts: StoredFacts;
  readonly result: { readonly matches: FoundMatches };
}

/** A run whose matches are written and whose members are being written. */
interface Writer {
  readonly context: TaskContext;
  readonly run: WritingRun;
  readonly matches: FoundMatches;
  readonly members: MembersByRecord;
  /** The ids of the matches by place; 0 for one that is left out. */
  readonly ids: Float64Array;
  /** Called with the number of members written. */
  readonly report: (done: number) => void;
  /** Makes a checkpoint; called after every `slicesPerCheckpoint` slices. */
  readonly checkpoint: () => void;
  readonly slicesPerCheckpoint: number;
}

/** Matches that another thread wrote while they were found. */
export interface WrittenRows {
  readonly rows: RowsOfRun;
  readonly members: MembersByRecord;
  /** Lets that thread make a checkpoint. */
  readonly checkpoint: () => void;
}

/**
 * Deletes matches that the run must leave alone, because one of their records has changed since, and notes those that others took. Usually nothing
 * was noted for the run, and nothing has to be searched.
 */
function takeBack(write: WriteHandle, { run, ids }: Writer, members: MembersByRecord, start: number, end: number): void {
  if (!hasExclusions(write, run.runId)) return;
  const matchOf = new Map<number, number>();
  const records = new Map<number, number[]>();
  for (let member = start; member < end; member += 1) {
    const match = members.matchAt(member);
    const id = floatAt(ids, match);
    if (id === 0) continue;
    matchOf.set(id, match);
    const record = members.recordAt(member);
    records.set(record, [...(records.get(record) ?? []), id]);
  }
  for (const record of staleRecords(write, run, [...records.keys()])) for (const id of records.get(record) ?? []) deleteMatch(write, id);
  for (const id of goneMatches(write, [...matchOf.keys()])) ids[present(matchOf.get(id), 'match of the run')] = 0;
}

/** Writes the members of the matches in the order of records; returns false if the run was cancelled. */
function writeMembers(writer: Writer): boolean {
  const { context, run, matches, members, ids } = writer;
  const slices = new Slices(context.database, context.clock, RUN_SHARE);
  for (let start = 0; start < members.length;) {
    if (context.isCancelled()) return false;
    slices.letOthersIn();
    let end = Math.min(members.length, start + slices.length);
    // All members of a record are checked and written together.
    while (end < members.length && members.recordAt(end) === members.recordAt(end - 1)) end += 1;
    slices.write((write) => {
      takeBack(write, writer, members, start, end);
      const records = new Float64Array(end - start);
      const held = new Float64Array(end - start);
      const kinds = new Uint8Array(end - start);
      let length = 0;
      for (let member = start; member < end; member += 1) {
        const match = members.matchAt(member);
        const id = floatAt(ids, match);
        if (id === 0) continue;
        records[length] = members.recordAt(member);
        held[length] = id;
        kinds[length] = memberKind(matches.countsAt(match), members.isSideBAt(member));
        length += 1;
      }
      insertRunMembers(write, run.reconciliationId, { length, records, matches: held, kinds });
    });
    if (slices.written % writer.slicesPerCheckpoint === 0) writer.checkpoint();
    writer.report(end);
    start = end;
  }
  return true;
}

/** Returns a progress report of matches and members written. People see it as a number of matches. */
export function writingReport({ report }: Pick<TaskContext, 'report'>, matches: FoundMatches): (done: number) => void {
  const total = matches.length;
  return (done) => report({ phase: 'writing', processed: Math.floor((done / (total + matches.memberCount)) * total), total });
}

/**
 * Writes the result of a run, invisibly, in short transactions that let other work in. Returns false if it was cancelled. People take precedence:
 * matches whose records they took before are left out, and later changes find the written matches.
 */
export function writeMatches(
  context: TaskContext,
  payload: RunPayload,
  { facts, result: { matches } }: Findings,
  tally: Tally,
  written: WrittenRows | null = null,
): boolean {
  const report = writingReport(context, matches);
  const { run, ids } = written?.rows ?? {
    run: { runId: payload.runId, reconciliationId: payload.reconciliationId, atMs: context.clock.nowMs() },
    ids: new Float64Array(matches.length),
  };
  const end = context.database.beginUnseenWrites({ cacheKib: RUN_CACHE_KIB, isVouchedFor: true });
  try {
    if (written === null && !new RowWriter(context, { run, facts: factsText(facts), ids }).write(matches, true, report)) return false;
    const members = written?.members ?? membersByRecord(matches);
    // Another thread makes checkpoints while this one continues to write, so that publishing has less to write to the disk.
    const [checkpoint, slicesPerCheckpoint] =
      written === null ? [() => context.database.checkpoint(), RUN_SLICES_PER_CHECKPOINT] : [written.checkpoint, SLICES_PER_CHECKPOINT];
    const writer = { context, run, matches, members, ids, checkpoint, slicesPerCheckpoint };
    if (!writeMembers({ ...writer, report: (done) => report(matches.length + done) })) return false;
  } finally {
    end();
  }
  count(tally, matches, (match) => floatAt(ids, match) === 0);
  return true;
}

/** Drops proposals that a person rejected during the run; returns whether there were any. */
export function dropNewlySeparated(write: WriteHandle, payload: RunPayload, known: ReadonlySet<string>): boolean {
  let dropped = false;
  for (const key of separatedDuringRun(write, payload.runId, payload.reconciliationId)) {
    if (known.has(key)) continue;
    for (const id of runMatchesHolding(write, payload, Number(key.split(',')[0]))) {
      if (separationKey(memberIds(write, id).map((row) => row.record_id)) !== key) continue;
      deleteMatch(write, id);
      dropped = true;
    }
  }
  return dropped;
}

/** Members of matches, in the order of their records. */
interface MembersByRecord {
  readonly length: number;
  readonly recordAt: (index: number) => number;
  /** The place of the member's match. */
  readonly matchAt: (index: number) => number;
  readonly isSideBAt: (index: number) => boolean;
}

/** Ids are stored as 32-bit distances from the smallest. */
const MOST_APART = 2 ** 31;

/** Returns every member of every match, ordered by record. */
export function membersByRecord(matches: FoundMatches): MembersByRecord {
  const length = matches.memberCount;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let member = 0; member < length; member += 1) {
    const id = matches.idAt(member);
    if (id < least) least = id;
    if (id > most) most = id;
  }
  assert(most - least < MOST_APART, 'ids of records are of 32 bits');
  const span = length === 0 ? 0 : most - least;
  const [records, places] = (span < MOST_GAPS * length ? placed(matches, least, span) : null) ?? sortedMembers(matches, least, span);
  return {
    length,
    recordAt: (index) => intAt(records, index) + least,
    matchAt: (index) => intAt(places, index) >> 1,
    isSideBAt: (index) => (intAt(places, index) & 1) === 1,
  };
}

/** Ids as distances from `least`, and places of matches with the side in the lowest bit. */
type Members = readonly [Int32Array, Int32Array];

/** The most missing ids per existing one for which each id gets its own slot. */
const MOST_GAPS = 4;

/** Puts each member directly into its slot; returns null if a record is in several matches. */
function placed(matches: FoundMatches, least: number, span: number): Members | null {
  const slots = new Int32Array(span + 1);
  let member = 0;
  for (let match = 0; match < matches.length; match += 1) {
    const middle = member + matches.sideASizeAt(match);
    const end = member + matches.sizeAt(match);
    for (; member < end; member += 1) {
      const number = matches.idAt(member) - least;
      if (slots[number] !== 0) return null;
      slots[number] = match * 2 + (member < middle ? 0 : 1) + 1;
    }
  }
  const records = new Int32Array(member);
  let next = 0;
  // Closes the gaps: members move up in the order of their ids.
  for (let number = 0; number <= span; number += 1) {
    const place = intAt(slots, number);
    if (place === 0) continue;
    records[next] = number;
    slots[next] = place - 1;
    next += 1;
  }
  return [records, slots];
}

function sortedMembers(matches: FoundMatches, least: number, span: number): Members {
  const length = matches.memberCount;
  const numbers = new Uint32Array(length);
  const ofMatches = new Int32Array(length);
  let member = 0;
  for (let match = 0; match < matches.length; match += 1) {
    const middle = member + matches.sideASizeAt(match);
    const end = member + matches.sizeAt(match);
    for (; member < end; member += 1) {
      numbers[member] = matches.idAt(member) - least;
      ofMatches[member] = match * 2 + (member < middle ? 0 : 1);
    }
  }
  new RadixSorter().sort(numbers, ofMatches, span);
  return [new Int32Array(numbers.buffer), ofMatches];
}

/** The counts of a run's matches, in all, by side and by rule. */
export interface Tally {
  matches: number;
  proposed: number;
  matchedRecords: number;
  sideA: number;
  sideB: number;
  readonly rules: Map<number, RuleTally>;
}

type RuleTally = Run['rule_summary'][string];

export function tallyOf(rulesById: readonly number[], elapsed: ReadonlyMap<number, number>): Tally {
  return {
    matches: 0,
    proposed: 0,
    matchedRecords: 0,
    sideA: 0,
    sideB: 0,
    rules: new Map(rulesById.map((id) => [id, { matches: 0, records: 0, proposed: 0, elapsed_ms: Math.round(elapsed.get(id) ?? 0) }])),
  };
}

function add(tally: Tally, found: RunCount): void {
  const rule = tally.rules.get(found.rule_id);
  if (found.status === 'proposed') {
    tally.proposed += found.matches;
    if (rule !== undefined) rule.proposed += found.matches;
    return;
  }
  tally.matches += found.matches;
  tally.matchedRecords += found.records;
  tally.sideA += found.side_a;
  tally.sideB += found.records - found.side_a;
  if (rule !== undefined) {
    rule.matches += found.matches;
    rule.records += found.records;
  }
}

interface Sum extends RunCount {
  matches: number;
  records: number;
  side_a: number;
}

/** Counts matches, except those that are left out. */
export function count(tally: Tally, matches: FoundMatches, isLeftOut: (index: number) => boolean): void {
  const sums: Sum[] = [];
  let sum: Sum | undefined;
  for (let index = 0; index < matches.length; index += 1) {
    if (isLeftOut(index)) continue;
    const status = matches.countsAt(index) ? 'matched' : 'proposed';
    const rule_id = matches.ruleIdAt(index);
    // Matches of a rule are consecutive.
    if (sum?.rule_id !== rule_id || sum.status !== status) {
      sum = sums.find((other) => other.rule_id === rule_id && other.status === status);
      if (sum === undefined) sums.push((sum = { rule_id, status, matches: 0, records: 0, side_a: 0 }));
    }
    sum.matches += 1;
    sum.records += matches.sizeAt(index);
    sum.side_a += matches.sideASizeAt(index);
  }
  for (const found of sums) add(tally, found);
}

/** Replaces the counts made while writing by those of the matches that are left. */
export function countAnew(tally: Tally, left: readonly RunCount[]): void {
  Object.assign(tally, { matches: 0, proposed: 0, matchedRecords: 0, sideA: 0, sideB: 0 });
  for (const rule of tally.rules.values()) Object.assign(rule, { matches: 0, records: 0, proposed: 0 });
  for (const found of left) add(tally, found);
}

/** Starts a thread that writes the matches of a run while another one searches. */
export interface RowsStart extends ThreadStart {
  readonly kind: 'write_matches';
  readonly dataFolder: string;
  readonly rows: RowsOfRun;
  /** The shared memory that holds the matches. */
  readonly room: MatchRoom;
  /** Not 0: no further matches. Shared. */
  readonly stopped: Int32Array;
}

/** A command to the thread: the matches found so far and whether these are all; make a checkpoint; or end. */
export type RowsCommand = { readonly found: MatchExtent; readonly isAll: boolean } | 'checkpoint' | 'end';
/** An event of the thread: the number written, or why it failed. */
export type RowsProgress = { readonly written: number } | { readonly failed: string; readonly code: string | null };

/** Writes the matches of a run as they are reported, until the last one or until it is stopped. */
export function writeRowsOnThread(database: Database, { rows, room, stopped }: RowsStart, port: MessagePort): Promise<void> {
  const isCancelled = (): boolean => {
    heartbeat.beat();
    return Atomics.load(stopped, 0) !== 0;
  };
  const writer = new RowWriter({ database, clock: systemClock, isCancelled }, rows);
  const groups = new Map<number, KeptGroup>();
  database.leaveParentsUnchecked();
  database.beginUnseenWrites({ cacheKib: RUN_CACHE_KIB, isVouchedFor: true });
  const report = (written: number): void => port.postMessage({ written } satisfies RowsProgress);
  /** Carries out a command; returns false at the end. */
  const heed = (word: RowsCommand): boolean => {
    if (word === 'end') return false;
    if (word !== 'checkpoint') {
      for (const [place, group] of word.found.groups) groups.set(place, group);
      if (!writer.write(new MatchCollector(room, word.found, groups), word.isAll, report)) return false;
      // Makes a checkpoint while the other thread writes members, so that less is left for the end of the run.
      if (word.isAll) database.checkpoint();
      return true;
    }
    database.checkpoint();
    return true;
  };
  return new Promise<void>((resolve, reject) => {
    port.on('message', (word: RowsCommand) => {
      try {
        if (!heed(word)) resolve();
      } catch (error) {
        reject(error as Error);
      }
    });
  })
    .catch((error: unknown) => port.postMessage(failureOf(error) satisfies RowsProgress))
    .finally(() => port.close());
}

function failureOf(error: unknown): RowsProgress {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null;
  return { failed: error instanceof Error ? error.message : String(error), code };
}
