import { present } from '../../../src-shared/values/assert.ts';
import type { FoundMatches } from '../../domain/matching/found-matches.ts';
import { cohortText } from '../../domain/matching/cohort-facts.ts';
import { marginText } from '../../domain/matching/margin-text.ts';
import { floatAt, intAt } from '../../domain/matching/typed.ts';
import { type ColumnResult, separationKey } from '../../domain/matching/types.ts';
import type { WriteHandle } from '../../store/database.ts';
import { deleteMatch, memberIds } from '../../store/matches.ts';
import {
  insertLargerRunMatch,
  insertRunMembers,
  insertRunPairs,
  memberFacts,
  noteMatchIds,
  pairFacts,
  type WritingRun,
} from '../../store/run-match-rows.ts';
import { goneMatches, runMatchesHolding, staleRecords } from '../../store/run-matches.ts';
import { hasExclusions } from '../../store/runs.ts';
import { separatedDuringRun } from '../../store/separations.ts';
import type { RunPayload } from '../protocol.ts';
import { rest, type Share, Slices } from '../slices.ts';
import type { TaskContext } from '../task.ts';
import { type MembersByRecord, membersByRecord } from './members-by-record.ts';
import { count, type Tally } from './run-tally.ts';

/** Rows are records of matches. Only a single larger match makes a longer transaction. */
const SHARE: Share = { milliseconds: 25, firstRows: 1_000, fewestRows: 200, mostRows: 64_000 };
/** So many slices wait in the log until they are carried into the book: the pages at the ends of a B-tree are carried once for several. */
const SLICES_PER_CARRY = 12;

/** Where the transaction that begins with a match ends (exclusive): with the match that reaches so many records. */
export function chunkEnd(matches: Pick<FoundMatches, 'length' | 'sizeAt'>, start: number, mostRecords: number): number {
  let records = 0;
  let end = start;
  while (end < matches.length && records < mostRecords) {
    records += matches.sizeAt(end);
    end += 1;
  }
  return end;
}

/** What a run writes. */
interface Findings {
  readonly result: Pick<ColumnResult, 'matches'>;
}

/** A run that writes its matches. */
interface Writer {
  readonly context: TaskContext;
  readonly run: WritingRun;
  readonly findings: Findings;
  /** Ids of the matches by their places, 0 for one that is left out or not written yet. */
  readonly ids: Float64Array;
  readonly slices: { count: number };
  /** Tells how many of the matches and members together are written. */
  readonly report: (done: number) => void;
}

/** After a slice: it is told, and now and then carried into the book. */
function sliceWritten({ context, report, slices }: Writer, done: number): void {
  slices.count += 1;
  if (slices.count % SLICES_PER_CARRY === 0) context.database.carryOver();
  report(done);
}

/** Places of matches as they are written: those that count before those that wait for a person, so that an index by status grows at two ends only. */
function inWritingOrder(matches: FoundMatches): Int32Array {
  const order = new Int32Array(matches.length);
  let place = 0;
  for (const counts of [true, false]) {
    for (let match = 0; match < matches.length; match += 1) {
      if (matches.countsAt(match) !== counts) continue;
      order[place] = match;
      place += 1;
    }
  }
  return order;
}

const isPair = (matches: FoundMatches, match: number) => matches.sizeAt(match) === 2 && matches.sideASizeAt(match) === 1;

function marginOf(matches: FoundMatches, match: number): string | null {
  const margin = matches.marginAt(match);
  return margin === undefined ? null : marginText(margin);
}

/** Writes a chunk of matches in its order. */
function writeChunk(write: WriteHandle, { run, findings, ids }: Writer, chunk: Int32Array): void {
  const { matches } = findings.result;
  const range = { first: 0, last: 0 };
  const note = (first: number, last: number): void => {
    if (range.first === 0) range.first = first;
    range.last = last;
  };
  let pairs: (number | string | null)[] = [];
  let places: number[] = [];
  const writePairs = (): void => {
    if (places.length === 0) return;
    const last = insertRunPairs(write, run, pairs);
    const first = last - places.length + 1;
    for (const [index, match] of places.entries()) ids[match] = first + index;
    note(first, last);
    pairs = [];
    places = [];
  };
  for (const match of chunk) {
    if (isPair(matches, match)) {
      const facts = pairFacts(matches.ruleIdAt(match), matches.certaintyAt(match), !matches.countsAt(match));
      pairs.push(facts, matches.differenceAt(match), marginOf(matches, match), matches.memberAt(match, 0), matches.memberAt(match, 1));
      places.push(match);
      continue;
    }
    writePairs();
    const cohort = matches.cohortAt(match);
    const kept = cohort === null ? null : cohortText(cohort);
    const id = insertLargerRunMatch(write, run, { ...matches.at(match), margin: marginOf(matches, match), cohort: kept });
    ids[match] = id;
    note(id, id);
  }
  writePairs();
  if (range.last > 0) noteMatchIds(write, run.runId, range.first, range.last);
}

/**
 * Writes the matches, out of sight and without looking at anything else; false when the run was cancelled. Why their records are tied is said when
 * it is asked, from two of them and what is kept of a cohort.
 */
function writeRows(writer: Writer): boolean {
  const { context, findings } = writer;
  const { matches } = findings.result;
  const order = inWritingOrder(matches);
  const inOrder = { length: order.length, sizeAt: (place: number) => matches.sizeAt(intAt(order, place)) };
  const slices = new Slices(context.database, context.clock, SHARE);
  for (let start = 0; start < order.length;) {
    if (context.isCancelled()) return false;
    if (start > 0) rest();
    const end = chunkEnd(inOrder, start, slices.length);
    const chunk = order.subarray(start, end);
    slices.write((write) => writeChunk(write, writer, chunk));
    sliceWritten(writer, end);
    start = end;
  }
  return true;
}

/**
 * Takes matches back that the run must leave alone, because a record of them is no longer what it read, and notes those that others took.
 * Nearly always nothing was noted for the run, and then there is nothing to look for.
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

/** Writes which records the matches hold, in the order of records; false when the run was cancelled. */
function writeMembers(writer: Writer): boolean {
  const { context, run, findings, ids } = writer;
  const { matches } = findings.result;
  const members = membersByRecord(matches);
  const slices = new Slices(context.database, context.clock, SHARE);
  for (let start = 0; start < members.length;) {
    if (context.isCancelled()) return false;
    rest();
    let end = Math.min(members.length, start + slices.length);
    // What a record is in is looked at and written at once.
    while (end < members.length && members.recordAt(end) === members.recordAt(end - 1)) end += 1;
    slices.write((write) => {
      takeBack(write, writer, members, start, end);
      const numbers: number[] = [];
      for (let member = start; member < end; member += 1) {
        const match = members.matchAt(member);
        const id = floatAt(ids, match);
        if (id > 0) numbers.push(members.recordAt(member), memberFacts(id, matches.countsAt(match), members.isSideBAt(member)));
      }
      insertRunMembers(write, run.reconciliationId, numbers);
    });
    sliceWritten(writer, matches.length + end);
    start = end;
  }
  return true;
}

/**
 * Writes what a run found, out of sight, in short transactions that let others in between; false when it was cancelled. People go first: what they
 * took of it before its records were written is left out, and from then on they find it themselves.
 */
export function writeMatches(context: TaskContext, payload: RunPayload, findings: Findings, tally: Tally): boolean {
  const { matches } = findings.result;
  const ids = new Float64Array(matches.length);
  let members = 0;
  for (let match = 0; match < matches.length; match += 1) members += matches.sizeAt(match);
  const writer: Writer = {
    context,
    run: { runId: payload.runId, reconciliationId: payload.reconciliationId, atMs: context.clock.nowMs() },
    findings,
    ids,
    slices: { count: 0 },
    // People are told matches, whatever is written for them.
    report: (done) =>
      context.report({
        phase: 'writing',
        processed: Math.floor((done / (matches.length + members)) * matches.length),
        total: matches.length,
      }),
  };
  const end = context.database.beginUnseenWrites();
  try {
    if (!writeRows(writer) || !writeMembers(writer)) return false;
  } finally {
    end();
  }
  count(tally, matches, (match) => floatAt(ids, match) === 0);
  return true;
}

/** Proposals that a person rejected while the run worked do not come back with it; answers whether any went. */
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
