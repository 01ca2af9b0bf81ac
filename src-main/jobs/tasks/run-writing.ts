import type { FoundMatches } from '../../domain/matching/found-matches.ts';
import { marginText } from '../../domain/matching/margin-text.ts';
import { type ColumnResult, type FoundMatch, separationKey } from '../../domain/matching/types.ts';
import type { ReadHandle, WriteHandle } from '../../store/database.ts';
import { deleteMatch, memberIds } from '../../store/matches.ts';
import { insertRunMatches, type RunMatch, runMatchesHolding, staleRecords, type WritingRun } from '../../store/run-matches.ts';
import { hasExclusions } from '../../store/runs.ts';
import { separatedDuringRun } from '../../store/separations.ts';
import type { RunPayload } from '../protocol.ts';
import { rest, type Share, Slices } from '../slices.ts';
import type { TaskContext } from '../task.ts';
import { explainedMatches, type RunFacts } from './explained-matches.ts';
import { count, type Tally } from './run-tally.ts';

/** Rows are records of matches. Only a single larger match makes a longer transaction. */
const SHARE: Share = { milliseconds: 25, firstRows: 1_000, fewestRows: 200, mostRows: 16_000 };

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

/** Those of a chunk whose records still are what the run read. Nearly always nothing was noted, and then it is all of them. */
function stillValid(read: ReadHandle, run: WritingRun, chunk: readonly RunMatch[]): readonly RunMatch[] {
  if (!hasExclusions(read, run.runId)) return chunk;
  const stale = staleRecords(
    read,
    run,
    chunk.flatMap((match) => [...match.aIds, ...match.bIds]),
  );
  return chunk.filter((match) => ![...match.aIds, ...match.bIds].some((id) => stale.has(id)));
}

const isPair = (match: FoundMatch) => match.aIds.length === 1 && match.bIds.length === 1;

/**
 * Why two records are tied is made when it is read, from these two; for a larger match that could take long, so it is stored with it. One
 * whose record is gone by now is left out.
 */
function withStoredReasons(read: ReadHandle, facts: RunFacts, chunk: readonly FoundMatch[]): RunMatch[] {
  const larger = explainedMatches(
    read,
    facts,
    chunk.filter((match) => !isPair(match)),
  );
  const byRecord = new Map(larger.map((match) => [match.aIds[0], match]));
  return chunk.flatMap((match): RunMatch[] => {
    const margin = match.margin === undefined ? null : marginText(match.margin);
    if (isPair(match)) return [{ ...match, margin, groupKey: null, explanation: null }];
    const explained = byRecord.get(match.aIds[0]);
    return explained === undefined ? [] : [{ ...explained, margin }];
  });
}

/** What a run writes: what it found, and what it looked at. */
interface Findings {
  readonly facts: RunFacts;
  readonly result: Pick<ColumnResult, 'matches'>;
}

/** Writes what a run found, out of sight, in short transactions that let others in between; false when it was cancelled. */
export function writeMatches(context: TaskContext, payload: RunPayload, { facts, result }: Findings, tally: Tally): boolean {
  const run: WritingRun = { runId: payload.runId, reconciliationId: payload.reconciliationId, atMs: context.clock.nowMs() };
  const slices = new Slices(context.database, context.clock, SHARE);
  const total = result.matches.length;
  for (let start = 0; start < total;) {
    if (context.isCancelled()) return false;
    if (start > 0) rest();
    const end = chunkEnd(result.matches, start, slices.length);
    const chunk = withStoredReasons(context.database, facts, result.matches.slice(start, end));
    const kept = slices.write((write) => {
      const valid = stillValid(write, run, chunk);
      insertRunMatches(write, run, valid);
      return valid;
    });
    for (const match of kept) count(tally, match);
    context.report({ phase: 'writing', processed: end, total });
    start = end;
  }
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
