import { assert, present } from '../../../src-shared/values/assert.ts';
import type { WriteHandle } from '../../database/database.ts';
import { RadixSorter } from '../../domain/collections/radix-sort.ts';
import { floatAt, intAt } from '../../domain/collections/typed-arrays.ts';
import { type FoundMatches, separationKey } from '../../domain/matching/index.ts';
import type { RunPayload, TaskContext } from '../../jobs/protocol.ts';
import { RUN_SHARE, RUN_SLICES_PER_CHECKPOINT, Slices, SLICES_PER_CHECKPOINT } from '../../jobs/write-slices.ts';
import { deleteMatch, memberIds } from '../../matches/store/matches.ts';
import { separatedDuringRun } from '../../matches/store/separations.ts';
import { insertRunMembers, memberKind, type WritingRun } from '../store/run-match-rows.ts';
import { goneMatches, runMatchesHolding, staleRecords } from '../store/run-matches.ts';
import { hasExclusions } from '../store/runs.ts';
import { type RowsOfRun, RowWriter, RUN_CACHE_KIB } from './match-writer.ts';
import { factsText, type StoredFacts } from './run-input.ts';
import { count, type Tally } from './run-tally.ts';

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
