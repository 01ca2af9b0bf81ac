import { present } from '../../../src-shared/values/assert.ts';
import type { Clock } from '../../platform/ports.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { clearStatedBalances } from '../../streams/store/bank-account-balances.ts';
import type { Database, WriteHandle } from '../../database/database.ts';
import { updateJob } from '../../book/store/jobs.ts';
import { advanceStreamOperation, type StreamOperationRow, updateStreamOperation } from '../../streams/store/stream-operations.ts';
import { editedRecords, recordsKeptByOthers } from '../../imports/store/alternative-descriptions.ts';
import { clearAlternativeDescriptions, handOver } from '../../imports/work/alternative-descriptions.ts';
import { type Share, Slices } from '../../jobs/write-slices.ts';
import { clearHolders, clearMatches, clearRecords, type LostMatches } from '../store/wipe-clearing.ts';
import {
  deleteWipe,
  gatherAdjustments,
  gatherLooseRecords,
  markMatches,
  scatterRecords,
  unmarkedMatches,
  unmarkMatches,
  updateWipe,
  wipeById,
  type WipeCursor,
  type WipeRow,
} from '../store/wipes.ts';

/**
 * A wipe has three parts: `prepareWipe`, a publish step in one short transaction, and `clearWipe`. The first and last yield between short
 * transactions; the caller lets other work run there, and may stop at any of them. `abandonWipe` reverts a wipe that was not published.
 */
const FIRST_ROWS = 200;
const MOST_ROWS = 2_000;
const SHARE: Share = { milliseconds: 15, firstRows: FIRST_ROWS, fewestRows: 25, mostRows: MOST_ROWS };
/** The number of records examined at a time, without the write lock. */
const CHUNK_LOOKED_AT = 2_000;
/** The most records without a batch, arrived since the preparation, that a publish step gathers itself. */
const RECORDS_AT_PUBLISHING = 200;

/** Runs all steps and returns the result. */
export function toEnd<R>(steps: Iterator<unknown, R>): R {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Gathers records without a batch and marks matches. Matches made meanwhile are marked by their writer. Yields the number of examined records. */
export function* prepareWipe(database: Database, clock: Clock, wipe: WipeRow): Generator<number, void> {
  if (wipe.batch_id !== null) yield* keepOthers(database, clock, wipe.batch_id);
  const gathering = new Slices(database, clock, SHARE);
  const marking = new Slices(database, clock, SHARE);
  while (gathering.write((write, rows) => gatherLooseRecords(write, wipe, clock.nowMs(), rows)) > 0) yield 0;
  let seen = 0;
  let after: WipeCursor | null = { day: Number.MIN_SAFE_INTEGER, id: 0 };
  while (after !== null) {
    const found = unmarkedMatches(database, wipe, after, CHUNK_LOOKED_AT);
    for (let start = 0; start < found.matchIds.length;) {
      const ids = found.matchIds.slice(start, start + marking.length);
      marking.write((write) => markMatches(write, wipe.id, ids));
      start += ids.length;
      yield seen;
    }
    seen += found.records;
    after = found.last;
    yield seen;
  }
  while (gathering.write((write, rows) => gatherAdjustments(write, wipe, clock.nowMs(), rows)) > 0) yield seen;
}

/** Hands records over to the other files that contain them too. */
function* keepOthers(database: Database, clock: Clock, batchId: number): Generator<number, void> {
  if (recordsKeptByOthers(database, batchId, 1).length === 0) return;
  const edited = editedRecords(database);
  const slices = new Slices(database, clock, SHARE);
  while (slices.write((write, rows) => handOver(write, batchId, edited, rows)) > 0) yield 0;
}

/** Whether the publish step may follow. Gathers the few remaining records in this transaction. */
export function isPrepared(write: WriteHandle, wipe: WipeRow, atMs: number): boolean {
  if (wipe.batch_id !== null && recordsKeptByOthers(write, wipe.batch_id, 1).length > 0) return false;
  return [gatherLooseRecords, gatherAdjustments].every(
    (gather) => gather(write, wipe, atMs, RECORDS_AT_PUBLISHING) < RECORDS_AT_PUBLISHING,
  );
}

/** Reverts a preparation; yields after each transaction. */
export function* abandonWipe(database: Database, wipe: WipeRow): Generator<void, void> {
  while (database.write((write) => unmarkMatches(write, wipe.id, FIRST_ROWS)) > 0) yield;
  while (database.write((write) => scatterRecords(write, wipe.id, FIRST_ROWS)) > 0) yield;
  database.write((write) => {
    // A match may have been marked meanwhile.
    while (unmarkMatches(write, wipe.id, MOST_ROWS) > 0);
    deleteWipe(write, wipe.id);
  });
}

function auditLost(write: WriteHandle, wipe: WipeRow, lost: readonly LostMatches[], atMs: number): void {
  for (const { reconciliationId, matches, proposals, others, matchIds, adjustmentIds } of lost) {
    appendAudit(write, {
      environmentId: wipe.environment_id,
      atMs,
      actor: wipe.actor,
      action: 'matches.dissolved',
      detail: {
        reconciliation_id: reconciliationId,
        stream: wipe.stream_key,
        ...(wipe.batch_id === null ? { operation_id: wipe.operation_id } : { batch_id: wipe.batch_id }),
        matches,
        proposals,
        records_unreconciled: others,
        match_ids: matchIds,
        ...(adjustmentIds.length === 0 ? {} : { adjustment_ids: adjustmentIds }),
      },
    });
  }
}

/** The kinds of rows that a wipe clears, in this order. */
const PHASES = ['matches', 'balances', 'wordings', 'records'] as const;

/** Runs one transaction of clearing. Returns the number of deleted rows. */
function clearSome(
  slices: Slices,
  wipeId: number,
  operation: StreamOperationRow | null,
  phase: (typeof PHASES)[number],
  atMs: number,
): number {
  return slices.write((write, rows) => {
    if (phase === 'balances') return clearStatedBalances(write, wipeId, rows);
    if (phase === 'wordings') return clearAlternativeDescriptions(write, wipeId, rows);
    const wipe = present(wipeById(write, wipeId), 'wipe');
    const areMatches = phase === 'matches';
    const { gone, lost } = areMatches
      ? clearMatches(write, wipe, rows)
      : { gone: clearRecords(write, wipe, operation?.kind === 'delete', rows), lost: [] };
    auditLost(write, wipe, lost, atMs);
    updateWipe(write, wipeId, {
      records: wipe.records + (areMatches ? 0 : gone),
      matches: wipe.matches + lost.reduce((sum, each) => sum + each.matches, 0),
      proposals: wipe.proposals + lost.reduce((sum, each) => sum + each.proposals, 0),
    });
    if (operation !== null && gone > 0) advanceStreamOperation(write, operation.id, gone);
    return gone;
  });
}

/** Runs the last transaction: deletes the wipe, and completes its operation and job if it has them. */
function endWipe(database: Database, wipeId: number, operation: StreamOperationRow | null, atMs: number, jobId: number | null): WipeRow {
  return database.write((write) => {
    const wipe = present(wipeById(write, wipeId), 'wipe');
    clearHolders(write, wipe, operation?.kind === 'delete');
    deleteWipe(write, wipeId);
    const { stream_key: stream, records, matches, proposals } = wipe;
    const what = operation === null ? { batch_id: wipe.batch_id } : { stream_id: wipe.stream_id, operation_id: operation.id };
    appendAudit(write, {
      environmentId: wipe.environment_id,
      atMs,
      actor: wipe.actor,
      action: operation === null ? 'import_batch.cleared' : 'stream.cleared',
      detail: { stream, ...what, records, matches_dissolved: matches, proposals_dropped: proposals },
    });
    if (operation !== null) updateStreamOperation(write, operation.id, { status: 'completed', completed_at: atMs });
    if (jobId !== null) updateJob(write, jobId, { status: 'completed', completed_at: atMs });
    return wipe;
  });
}

interface Clearing {
  readonly database: Database;
  readonly clock: Clock;
  readonly wipeId: number;
  /** The operation of the wipe; null for the wipe of a batch. */
  readonly operation: StreamOperationRow | null;
  readonly jobId: number | null;
}

/** Deletes what a publish step hid, and ends the wipe. Yields the number of deleted rows; returns the wipe with its figures. */
export function* clearWipe({ database, clock, wipeId, operation, jobId }: Clearing): Generator<number, WipeRow> {
  let cleared = 0;
  for (const phase of PHASES) {
    const slices = new Slices(database, clock, SHARE);
    for (;;) {
      const rows = clearSome(slices, wipeId, operation, phase, clock.nowMs());
      if (rows === 0) break;
      if (phase === 'matches' || phase === 'records') cleared += rows;
      yield cleared;
    }
  }
  return endWipe(database, wipeId, operation, clock.nowMs(), jobId);
}
